"""The whole page: warnings and an overview first, then each cell, suites of mutants and seed probes."""

from venire.model.measures import Estimate, Measures, Ranking, Study
from venire.report.inert import SENTENCE
from venire.report.measured.cells import section
from venire.report.measured.numbers import estimate, number
from venire.report.measured.parts import Foreign, Items, Page, Part, Section, Table, Text
from venire.report.wording import count


def page(measures: Measures) -> Page:
    """Everything there is to say, in order."""
    studies = measures.studies
    top: list[Part] = []
    if measures.warnings:
        top.append(Items("Warnings", tuple(Foreign(one, SENTENCE) for one in measures.warnings), is_warning=True))
    if len(studies) > 1:
        top.append(overview(studies))
    if measures.rankings:
        top += [rankings(measures.rankings), places(measures.rankings)]
    if measures.suite:
        top.append(Items("Suite of mutants", (Foreign(measures.suite, SENTENCE),)))
    if measures.seeds:
        top.append(seeds(measures))
    if not (studies or top):
        top.append(Items("Nothing measured", ("There is no cell, no suite and no probe in what was given.",)))
    first = [Section("Overview", tuple(top))] if top else []
    cells = [section(study, order) for order, study in enumerate(studies, 1)]
    title = "Ranking of mutants" if measures.rankings and not studies else f"Measures of {count(len(studies), 'cell')}"
    return Page(title, LEAD, (*first, *cells))


LEAD = (
    "A cell is one model on one target under one setting, audited N times. "
    "Intervals are 95% bootstrap intervals over its runs; they say nothing about other code.",
)


_KEYS = {"line0": "line ±0", "line2": "line ±2", "region": "region"}
_PROBES = {"one seed": "one seed repeated", "six seeds": "six different seeds"}


def _shown(study: Study, key: str, *, spoken: bool = False) -> str:
    found = [one for one in study.reliability.agreements if one.key == key]
    return number((found[0].spoken if spoken else found[0].all).value) if found else "undefined"


def _row(order: int, study: Study, has_truth: bool) -> tuple[Text, ...]:
    told, right = study.reliability, study.validity
    values = (right.precision, right.recall, right.false_positives, Estimate(right.pooled_recall)) if right else ()
    judged = [number(one.value) for one in values] or ["no truth"] * 4
    return (
        Foreign(study.cell.name, 32, order),
        f"{told.runs:,}",
        f"{told.empty:,}",
        _shown(study, "strict"),
        _shown(study, "strict", spoken=True),
        _shown(study, "relaxed2"),
        _shown(study, "region"),
        *(judged if has_truth else []),
    )


def overview(studies: tuple[Study, ...]) -> Table:
    """One row a cell, without intervals."""
    has_truth = any(study.validity for study in studies)
    return Table(
        f"{count(len(studies), 'cell')} side by side",
        (
            *("cell", "runs", "silent", "±0", "±0 spoke", "±2", "region"),
            *(("precision", "recall", "false", "pooled") if has_truth else ()),
        ),
        tuple(_row(order, study, has_truth) for order, study in enumerate(studies, 1)),
        notes=(
            "±0, ±2, region: mean pairwise Jaccard over all pairs; “spoke”: over pairs without a silent run.",
            *(["False: false positives a run. Pooled: recall of all runs together."] if has_truth else []),
            "Agreement is persistence, not correctness.",
        ),
    )


def _ranking(one: Ranking) -> tuple[Text, ...]:
    return (
        Foreign(one.setting, 60),
        _key(one),
        f"{one.mutants:,}",
        estimate(one.exam),
        number(one.chance_exam),
        estimate(one.less) if one.less else "–",
        estimate(one.pooled),
        number(one.chance_pooled),
        estimate(one.top3),
        number(one.chance_top3),
    )


def _key(one: Ranking) -> Text:
    return _KEYS.get(one.key) or Foreign(one.key, 20)


def rankings(rankings: tuple[Ranking, ...]) -> Table:
    """Suites of mutants: every figure next to what chance gives."""
    return Table(
        "Ranking of the one seeded defect of each mutant",
        (
            "setting",
            "votes by",
            "mutants",
            "EXAM",
            "chance",
            "less the first",
            "in the pool",
            "chance",
            "in the first 3",
            "chance",
        ),
        tuple(map(_ranking, rankings)),
        notes=(
            "EXAM is the share of lines a reader goes through before the defect; lower is better.",
            "“Less the first” is EXAM less that of the first row, mutant by mutant; below 0 it is better.",
        ),
    )


def places(rankings: tuple[Ranking, ...]) -> Table:
    """How much the same settings give a reader to look at, and how much of it on functions nobody touched."""
    return Table(
        "Candidates on mutants and on clean twins",
        ("setting", "votes by", "a mutant", "twins", "a twin", "top support"),
        tuple(map(_places, rankings)),
        notes=(
            "A clean twin is the untouched function, so its candidates are false alarms; "
            "top support is the share of runs behind the first of them.",
        ),
    )


def _places(one: Ranking) -> tuple[Text, ...]:
    twins = (estimate(one.twin_candidates), estimate(one.twin_support)) if one.twins else ("–", "–")
    return (Foreign(one.setting, 60), _key(one), estimate(one.candidates), f"{one.twins:,}", *twins)


def seeds(measures: Measures) -> Items:
    """What the seed did to the replies, probe by probe."""
    return Items(
        "Seed probe at temperature 0",
        tuple(
            (
                Foreign(target, 60),
                f", {_PROBES.get(probe, 'probe')}: {count(distinct, 'distinct reply', 'distinct replies')} in {replies:,}",
            )
            for target, probe, replies, distinct in measures.seeds
        ),
    )
