"""Measures for tests: whole ones whose surfaces follow from the supports they are built from."""

from dataclasses import replace
from typing import Any

from venire.model.measures import (
    Agreement,
    Bar,
    Cell,
    Estimate,
    Measures,
    Pivot,
    Point,
    Ranking,
    Reliability,
    Study,
    Surface,
    Unseen,
    Validity,
)

KNOWN = (("SQLInjection", 9, 51), ("ResourceLeak", 16, 26), ("ResourceLeak", 17, 19), ("OffByOne", 23, 4))
"""Findings that name a defect, by votes of 51."""

OTHERS = (("OffByOne", 25, 2), ("Unclear", 15, 1), ("ResourceLeak", 12, 1))
"""Findings that name none."""


def bars(scale: int = 1) -> tuple[Bar, ...]:
    """In no order: a figure sorts them."""
    told = [Bar(*one, is_seeded=True) for one in KNOWN] + [Bar(*one, is_seeded=False) for one in OTHERS]
    return tuple(replace(bar, line=bar.line * scale) for bar in sorted(told, key=lambda bar: bar.line))


def points(runs: int, known: list[list[int]], others: list[int], missed: int = 0) -> tuple[Point, ...]:
    """The surface of survivors with these supports; ``known`` holds the supports of each defect's survivors."""
    found = []
    for k in range(1, runs + 1):
        kept = [[support for support in defect if support >= k] for defect in known]
        hits = sum(map(bool, kept))
        false = sum(support >= k for support in others)
        named = sum(map(len, kept))
        found.append(Point(k, hits, false, len(known) - hits + missed, named + false, named - hits))
    return tuple(found)


def surfaces(runs: int = 51) -> tuple[Surface, ...]:
    """Five keys; under ``line5`` one survivor is credited to two defects."""
    strict = points(runs, [[51], [26, 19], [4]], [2, 1, 1], missed=2)
    wide = points(runs, [[51], [46], [4]], [2, 1], missed=2)
    twice = tuple(replace(point, hits=point.hits + 1, missed=point.missed - 1) if point.hits > 1 else point for point in wide)
    return (
        Surface("line0", strict, 0.81, 0.22),
        Surface("line2", wide, 0.92, 0.19),
        Surface("line5", twice, 0.92, 0.19),
        Surface("statement", wide, 0.93, 0.18),
        Surface("region", wide, None, 0.13),
    )


def reliability(**changes: Any) -> Reliability:
    agreements = (
        Agreement("strict", Estimate(0.524, (0.471, 0.588)), Estimate(0.52, (0.46, 0.58)), 1225),
        Agreement("relaxed2", Estimate(0.801, (0.712, 0.878)), Estimate(0.8, (0.71, 0.88)), 1225),
        Agreement("relaxed5", Estimate(0.998, (0.9, 1.0)), Estimate(None), 1225),
        Agreement("region", Estimate(0.83), Estimate(0.83), 1225),
    )
    return replace(Reliability(51, 50, 1, 2.2, agreements, Estimate(0.78, (0.7, 0.85)), 47), **changes)


def validity(**changes: Any) -> Validity:
    base = Validity(
        near=2,
        truths=5,
        precision=Estimate(0.98, (0.95, 1.0)),
        recall=Estimate(0.31, (0.29, 0.33)),
        recall_by_line=Estimate(0.31, (0.29, 0.33)),
        false_positives=Estimate(0.04, (0.0, 0.1)),
        found=("sqli", "leak_file", "offbyone"),
        found_by_line=("sqli", "leak_file", "offbyone", "swallow"),
        drifted=("leak_file",),
        pooled_recall=0.6,
    )
    return replace(base, **changes)


def cell(**changes: Any) -> Cell:
    facts = (("engine", "ollama 0.31.1"), ("quantization", "Q4_K_M"), ("temperature", "0.7"))
    return replace(Cell("d_7b_a", "target_a.py", "qwen2.5-coder:7b", "findings", False, (), 32, facts), **changes)


def study(**changes: Any) -> Study:
    """A sampled cell with truths: a leak split over two lines, kept by one vote on the first."""
    pivots = tuple(Pivot(key, "ResourceLeak", 16, 26, 26) for key in ("line0", "statement"))
    unseen = Unseen(next=0.32, chao2=8.5, jackknife=9.9, seen=8)
    base = Study(cell(), reliability(), unseen, validity(), surfaces(), pivots, bars(), ("one run is invalid",))
    return replace(base, **changes)


def clean() -> Study:
    """A target without known defects, on which most runs are silent."""
    undefined = Estimate(None)
    return study(
        cell=cell(name="d_7b_clean", target="target_clean.py", facts=()),
        reliability=reliability(valid=51, empty=37, mean_findings=0.51, distinct=0),
        validity=validity(
            truths=0, precision=undefined, recall=undefined, recall_by_line=undefined, found=(), found_by_line=(), drifted=(),
            pooled_recall=None, false_positives=Estimate(0.51, (0.3, 0.7)),
        ),
        surfaces=(Surface("line0", points(51, [], [3, 1, 1]), None, None),),
        pivots=(),
        bars=(Bar("Unclear", 4, 3, False), Bar("OffByOne", 9, 1, False)),
        warnings=(),
    )  # fmt: skip


def untold() -> Study:
    """A pinned cell without truths: eleven replies of the same bytes."""
    return study(
        cell=cell(name="a_7b_other", target="other.py", is_pinned=True, lines=0, facts=()),
        reliability=reliability(runs=11, valid=11, empty=0, mean_findings=1.0, distinct=1),
        unseen=Unseen(refused="all replies are identical bytes"),
        validity=None,
        surfaces=(),
        pivots=(),
        bars=(Bar("ResourceLeak", 3, 11, False),),
        warnings=("N = 11 identical replies are one reply",),
    )


def silent() -> Study:
    """No finding in any run."""
    return study(
        bars=(), pivots=(), validity=None, surfaces=(), reliability=reliability(empty=51, mean_findings=0.0), warnings=()
    )


def ranking(setting: str = "findings, line first, N = 5", **changes: Any) -> Ranking:
    base = Ranking(
        setting=setting,
        mutants=40,
        twins=40,
        exam=Estimate(0.31, (0.25, 0.38)),
        pooled=Estimate(0.55, (0.4, 0.7)),
        top3=Estimate(0.4, (0.25, 0.55)),
        chance_pooled=0.32,
        chance_top3=0.21,
        twin_candidates=Estimate(4.3, (3.9, 4.8)),
        twin_support=Estimate(0.6, (0.5, 0.7)),
    )
    return replace(base, **changes)


def measures(**changes: Any) -> Measures:
    """Three cells, two settings on mutants, a seed probe and a warning."""
    base = Measures(
        studies=(study(), clean(), untold()),
        rankings=(ranking(), ranking("panel, N = 5", exam=Estimate(None))),
        seeds=(("target_a.py", "one seed", 6, 1), ("target_a.py", "six seeds", 6, 2)),
        warnings=("an even N has no majority of one vote",),
    )
    return replace(base, **changes)
