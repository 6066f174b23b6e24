"""Findings on the edge of the majority, and the votes of every finding."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from venire.measure.credit import named, near, of_items
from venire.measure.table import Ballots, Table
from venire.measure.validity import NEAR
from venire.model import Bar, Pivot, Truth


def pivots(at: Table) -> tuple[Pivot, ...]:
    """Items that one vote more or less would take over the majority threshold, or below it, under each key."""
    majority = at.runs // 2 + 1
    found = []
    for key, ballots in at.ballots.items():
        support = ballots.support
        for item in np.flatnonzero((support == majority) | (support == majority - 1)).tolist():
            label, line = _leading(at, ballots, item)
            found.append(Pivot(key, label, line, int(support[item]), majority))
    return tuple(found)


def _leading(at: Table, ballots: Ballots, item: int) -> tuple[str, int]:
    """The label and line that most runs give for an item; ties: the first by label and line."""
    rows = np.flatnonzero(ballots.rows == item)
    counts = Counter(zip(at.label[rows].tolist(), at.line[rows].tolist(), strict=True))
    label, line = min(counts, key=lambda said: (-counts[said], said))
    return at.labels[label], line


def bars(at: Table, truths: Sequence[Truth]) -> tuple[Bar, ...]:
    """Every (label, line) with its runs, the most first; seeded when it names a truth of the target."""
    keys = at.ballots["line0"]
    seeded = of_items(named(at, truths) & near(at, truths, NEAR), keys).sum(axis=1) > 0
    rows = np.unique(keys.rows, return_index=True)[1]
    made = [
        Bar(at.labels[label], line, support, is_seeded)
        for label, line, support, is_seeded in zip(
            at.label[rows].tolist(), at.line[rows].tolist(), keys.support.tolist(), seeded.tolist(), strict=True
        )
    ]
    return tuple(sorted(made, key=lambda bar: (-bar.support, bar.line, bar.label)))
