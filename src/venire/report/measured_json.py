"""Measures as JSON: a key for each cell, with the names and the rounding of the seed experiment's ``m2_summary.json``.

What that file does not have stands beside its keys; ``surface`` and ``jaccard`` hold exactly what they hold there. Figures
that need truths are absent without a truth file, and null where they are undefined.
"""

import json
from collections.abc import Iterator
from typing import Any

from venire.model import Agreement, Estimate, Measures, Ranking, Reliability, Study, Surface, Unseen, Validity

LINES = {"line0": "0", "line2": "2", "line5": "5"}
"""Keys of the surface that the experiment has, and its names for them."""

Json = dict[str, Any]


def report(measures: Measures) -> str:
    """The whole answer, ASCII only, ending in a newline. What is no cell stands under ``venire``, where there is any."""
    parts = [_part(study.cell.name, _study(study)) for study in measures.studies]
    if rest := _rest(measures):
        parts.append(_part("venire", rest))
    return "".join(("{\n", ",\n".join(parts), "\n}\n"))


def _part(name: str, figures: Json) -> str:
    """A figure a line: a surface has hundreds of numbers."""
    lines = ",\n".join(f"    {_line(key)}: {_line(value)}" for key, value in figures.items())
    return f"  {_line(name)}: {{\n{lines}\n  }}"


def _line(value: object) -> str:
    """``##[`` and DEL, which JSON lets stand, are written as escapes: see ``inert.unspoken``."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("##[", "#\\u0023[").replace("\x7f", "\\u007f")


def _rest(measures: Measures) -> Json:
    parts: Json = {
        "suite": measures.suite,
        "rankings": [_ranking(ranking) for ranking in measures.rankings],
        "seed_probe": [
            {"target": target, "probe": probe, "replies": replies, "distinct": distinct}
            for target, probe, replies, distinct in measures.seeds
        ],
        "warnings": list(measures.warnings),
    }
    return {name: part for name, part in parts.items() if part}


def _study(study: Study) -> Json:
    cell = study.cell
    return {
        **_reliability(study.reliability),
        **(_validity(study.validity, study.reliability) if study.validity else {}),
        **({"surface": _surface(study)} if study.surfaces else {}),
        "target": cell.target,
        "model": cell.model,
        "contract": cell.contract,
        "pinned": cell.is_pinned,
        "lines": cell.lines,
        **_more(study.reliability),
        **(_judged(study.validity) if study.validity else {}),
        "keys": {surface.key: _key(surface) for surface in study.surfaces},
        "unseen": _unseen(study.unseen),
        "pivots": [
            {"key": p.key, "label": p.label, "line": p.line, "support": p.support, "majority": p.majority} for p in study.pivots
        ],
        "findings": [
            {"label": bar.label, "line": bar.line, "support": bar.support, "seeded": bar.is_seeded if study.validity else None}
            for bar in study.bars
        ],
        "warnings": list(study.warnings),
        "facts": dict(cell.facts),
    }


def _reliability(figures: Reliability) -> Json:
    runs = max(figures.runs, 1)
    seed = [agreement for agreement in figures.agreements if agreement.key != "region"]
    return {
        "N": figures.runs,
        "N_odd": figures.runs % 2 == 1,
        "schema_valid_rate": round(figures.valid / runs, 3),
        "empty_rate": round(figures.empty / runs, 3),
        "mean_issues": round(figures.mean_findings, 2),
        "jaccard": {agreement.key: _value(agreement.all) for agreement in seed},
        "jaccard_ci95": {agreement.key: _ends(agreement.all) for agreement in seed},
    }


def _validity(figures: Validity, about: Reliability) -> Json:
    found, drifted = len(figures.found), len(figures.drifted)
    # Without truths the experiment leaves precision open, yet takes its interval from runs whose every finding is false.
    is_all_false = not figures.truths and about.empty < about.runs
    return {
        "precision": _value(figures.precision),
        "precision_ci95": [0.0, 0.0] if is_all_false else _ends(figures.precision),
        "recall": _value(figures.recall),
        "recall_ci95": _ends(figures.recall),
        "fp_per_run": _value(figures.false_positives, 2),
        "fp_ci95": _ends(figures.false_positives),
        "line_drift_rate": round(drifted / found, 3) if found else None,
        "val_w": figures.near,
        "recall_line_only": _value(figures.recall_by_line),
        "detected_gt_line_only": len(figures.found_by_line),
        "total_gt": figures.truths,
        "detected_gt": found,
        "drift_gt": drifted,
    }


def _surface(study: Study) -> Json:
    runs = study.reliability.runs
    return {
        LINES[surface.key]: [
            {"k": p.k, "tau": round(p.k / runs, 3), "TP": p.hits, "FP": p.false, "FN": p.missed} for p in surface.points
        ]
        for surface in study.surfaces
        if surface.key in LINES
    }


def _more(figures: Reliability) -> Json:
    """What the experiment says in words only, or not at all."""
    return {
        "valid": figures.valid,
        "empty": figures.empty,
        "distinct_replies": figures.distinct or None,
        "agreement": {agreement.key: _agreement(agreement) for agreement in figures.agreements},
        "alpha": _value(figures.alpha),
        "alpha_ci95": _ends(figures.alpha),
    }


def _agreement(agreement: Agreement) -> Json:
    return {
        "all": _value(agreement.all),
        "all_ci95": _ends(agreement.all),
        "spoken": _value(agreement.spoken),
        "spoken_ci95": _ends(agreement.spoken),
        "spoken_pairs": agreement.pairs,
    }


def _judged(figures: Validity) -> Json:
    return {
        "recall_line_only_ci95": _ends(figures.recall_by_line),
        "pooled_recall": None if figures.pooled_recall is None else round(figures.pooled_recall, 3),
        "found": list(figures.found),
        "found_line_only": list(figures.found_by_line),
        "drifted": list(figures.drifted),
    }


def _key(surface: Surface) -> Json:
    columns = {
        "TP": [p.hits for p in surface.points],
        "FP": [p.false for p in surface.points],
        "FN": [p.missed for p in surface.points],
        "survivors": [p.survivors for p in surface.points],
        "duplicates": [p.duplicates for p in surface.points],
    }
    return {"average_precision": _round(surface.precision), "exam": _round(surface.exam), **columns}


def _unseen(unseen: Unseen) -> Json:
    return {
        "next": _round(unseen.next),
        "chao2": _round(unseen.chao2, 1),
        "jackknife2": _round(unseen.jackknife, 1),
        "seen": unseen.seen,
        "refused": unseen.refused or None,
    }


def _ranking(ranking: Ranking) -> Json:
    estimates = ("exam", "pooled", "top3", "candidates", "twin_candidates", "twin_support")
    return {
        "setting": ranking.setting,
        "key": ranking.key,
        "near": ranking.near,
        "mutants": ranking.mutants,
        "twins": ranking.twins,
        **dict(pair for name in estimates for pair in _both(name, getattr(ranking, name))),
        "unheard": ranking.unheard,
        "less": _value(ranking.less) if ranking.less else None,
        "less_ci95": _ends(ranking.less) if ranking.less else None,
        "chance_exam": _round(ranking.chance_exam),
        "chance_pooled": _round(ranking.chance_pooled),
        "chance_top3": _round(ranking.chance_top3),
    }


def _both(name: str, estimate: Estimate) -> Iterator[tuple[str, Any]]:
    yield name, _value(estimate)
    yield f"{name}_ci95", _ends(estimate)


def _value(estimate: Estimate, digits: int = 3) -> float | None:
    return _round(estimate.value, digits)


def _ends(estimate: Estimate) -> list[float | None]:
    return [_round(end) for end in estimate.interval or (None, None)]


def _round(value: float | None, digits: int = 3) -> float | None:
    return None if value is None else round(value, digits)
