"""Figures as readers see them: what is undefined says so, and what is not quite none or all is not rounded to it."""

import math
from collections.abc import Sequence
from itertools import groupby

from venire.model.measures import Bar, Estimate, Point, Study

UNDEFINED = "undefined"

KEYS = {
    "strict": "line ±0", "relaxed2": "line ±2", "relaxed5": "line ±5", "line0": "line ±0", "line2": "line ±2",
    "line5": "line ±5", "statement": "statement", "region": "region",
}  # fmt: skip
"""What tells two findings apart, by the names the measures give it."""


def number(value: float | None) -> str:
    """Two digits. A share next to 0 or 1 that is neither shows as below or above."""
    if value is None or not math.isfinite(value):
        return UNDEFINED
    if 0.995 <= value < 1:
        return ">0.99"
    if 0 < abs(value) < 0.005:
        return "<0.01" if value > 0 else ">-0.01"
    return f"{value:,.2f}"


def interval(estimate: Estimate) -> str:
    """``0.47 to 0.59``; empty where there is none."""
    return "" if estimate.interval is None or estimate.value is None else " to ".join(map(number, estimate.interval))


def estimate(value: Estimate) -> str:
    """``0.52 [0.47, 0.59]``."""
    ends = f" [{', '.join(map(number, value.interval))}]" if value.interval is not None and value.value is not None else ""
    return number(value.value) + ends


def percent(part: int, whole: int) -> str:
    """In per cent; undefined of nothing."""
    if not whole:
        return UNDEFINED
    share = part / whole
    return "<1%" if 0 < share < 0.005 else ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def runs(study: Study) -> int:
    """Runs of the cell, invalid ones among them: what a vote is out of."""
    return study.reliability.runs


def majority(study: Study) -> int:
    """The least number of votes that is more than half of the runs."""
    return study.pivots[0].majority if study.pivots else runs(study) // 2 + 1


def is_double(point: Point) -> bool:
    """Whether one survivor is credited to several defects: else every hit has a survivor of its own."""
    return point.hits + point.false > point.survivors


def ranked(bars: Sequence[Bar]) -> list[Bar]:
    """By support, then by line and label: the same order in every form."""
    return sorted(bars, key=lambda bar: (-bar.support, bar.line, bar.label))


def stretches(study: Study) -> list[tuple[int, int]]:
    """The thresholds, joined where no key's outcome changes; 1, the majority and N each show in one of them."""
    outcomes: dict[int, list[tuple[int, ...]]] = {}
    for column, surface in enumerate(study.surfaces):
        for point in surface.points:
            told = outcomes.setdefault(point.k, [()] * len(study.surfaces))
            told[column] = (point.hits, point.false, point.missed, point.survivors, point.duplicates)
    groups = groupby(sorted(outcomes.items()), key=lambda pair: pair[1])
    return [(ks[0], ks[-1]) for ks in ([k for k, _ in group] for _, group in groups)]
