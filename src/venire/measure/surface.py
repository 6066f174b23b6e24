"""What voting keeps at every threshold under every key, and how well support ranks what is true."""

from collections.abc import Sequence

import numpy as np

from venire.measure.credit import met, named, near, of_items, one_to_one
from venire.measure.table import REACH, Flags, Ints, Key, Table
from venire.model import Cell, Point, Surface, Truth


def surfaces(cell: Cell, at: Table, truths: Sequence[Truth]) -> tuple[Surface, ...]:
    """One surface for each key; those over statements and regions only where the target's text is known."""
    return tuple(_surface(cell, at, key, truths) for key in at.ballots)


def _surface(cell: Cell, at: Table, key: Key, truths: Sequence[Truth]) -> Surface:
    points = _points(at.ballots[key].support, _credit(at, key, truths), key, at.runs)
    return Surface(key, points, average_precision(points, len(truths)), exam(scores(at, key, cell.lines), truths))


def _credit(at: Table, key: Key, truths: Sequence[Truth]) -> Flags:
    """Items × truths: whether the item names the truth, by label and by lines. A line key's reach widens the truth as well."""
    ballots = at.ballots[key]
    if key in REACH:
        return of_items(named(at, truths) & near(at, truths, REACH[key]), ballots)
    return of_items(named(at, truths), ballots) & of_items(met(at, truths), ballots)


def _points(support: Ints, credit: Flags, key: Key, runs: int) -> tuple[Point, ...]:
    """For each k from 1 to the number of runs, what the items with at least k runs amount to.

    A cluster of lines credits every truth it names, as the seed experiment has it; a statement or region the one it is
    matched with. A survivor that names a truth, but is the strongest to do so for none, is a duplicate.
    """
    truths = np.flatnonzero(credit.any(axis=0))
    if key in REACH:
        leading = np.where(credit, support[:, None], 0).argmax(axis=0)[truths] if len(support) else truths
    else:
        leading = np.flatnonzero(one_to_one(credit, support) >= 0)
    hits = _at_least(support[leading], runs)
    kept = _at_least(support, runs)
    false = _at_least(support[~credit.any(axis=1)], runs)
    firsts = _at_least(support[np.unique(leading)], runs)
    columns = zip(hits, kept, false, firsts, strict=True)
    return tuple(
        Point(k, hit, wrong, credit.shape[1] - hit, all_, all_ - wrong - first)
        for k, (hit, all_, wrong, first) in enumerate(columns, start=1)
    )


def _at_least(support: Ints, runs: int) -> list[int]:
    """How many of the items have at least k runs, for k from 1 to ``runs``."""
    counts = np.bincount(support, minlength=runs + 1)
    reached: list[int] = counts[::-1].cumsum()[::-1][1:].tolist()
    return reached


def average_precision(points: Sequence[Point], truths: int) -> float | None:
    """The sum over thresholds, from the highest down, of the recall gained times the precision there; None without truths.

    Items of equal support enter together, as their order says nothing. Precision is hits over hits, false and duplicates.
    """
    if not truths:
        return None
    total, before = 0.0, 0
    for point in reversed(points):
        if point.hits > before:
            total += (point.hits - before) * point.hits / (point.hits + point.false + point.duplicates)
            before = point.hits
    return total / truths


def scores(at: Table, key: Key, lines: int) -> Ints:
    """For each line of the target, the support of the strongest item that covers it; 0 where nobody points."""
    ballots = at.ballots[key]
    first, last = (at.line, at.line) if key in REACH else (at.first, at.last)
    spans = np.unique(np.stack((ballots.rows, first, last), axis=1), axis=0)
    item, low, high = spans[:, 0], np.maximum(spans[:, 1], 1), np.minimum(spans[:, 2], lines)
    counts = np.maximum(high - low + 1, 0)
    covered = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    support = np.zeros(lines, dtype=np.int64)
    np.maximum.at(support, covered - 1, np.repeat(ballots.support[item], counts))
    return support


def exam(support: Ints, truths: Sequence[Truth]) -> float | None:
    """The share of lines read before a truth's first line, by support, averaged over truths; None without truths or text.

    Lines of equal support are read in random order, so m of the truth's among e come after (e - m) / (m + 1) others on
    average. Chance is (1 - m/n) / (m + 1): close to 0.5 for a defect of one line. Source: EXAM, Wong et al., "A survey on
    software fault localization", IEEE TSE 42(8), 2016.
    """
    shares = [_read(support, truth) for truth in truths if truth.lines[0] <= len(support) and truth.lines[1] >= 1]
    return sum(shares) / len(shares) if shares else None


def _read(support: Ints, truth: Truth) -> float:
    own = support[max(truth.lines[0], 1) - 1 : truth.lines[1]]
    best = own.max()
    tied, mine = int((support == best).sum()), int((own == best).sum())
    return float(((support > best).sum() + (tied - mine) / (mine + 1)) / len(support))
