"""Which item of a key names which truth."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from venire.measure.table import Ballots, Flags, Ints, Table
from venire.model import Truth


def named(at: Table, truths: Sequence[Truth]) -> Flags:
    """Rows of the table × truths: whether the label is one of the truth's."""
    known = {label: code for code, label in enumerate(at.labels)}
    codes = [[known[label] for label in truth.labels if label in known] for truth in truths]
    return _columns([np.isin(at.label, wanted) for wanted in codes], len(at.label))


def near(at: Table, truths: Sequence[Truth], reach: int) -> Flags:
    """Rows × truths: whether the claimed line lies in the truth's lines, widened by ``reach``."""
    return _columns([(at.line >= t.lines[0] - reach) & (at.line <= t.lines[1] + reach) for t in truths], len(at.line))


def met(at: Table, truths: Sequence[Truth]) -> Flags:
    """Rows × truths: whether the statement shares a line with the truth."""
    return _columns([(at.first <= t.lines[1]) & (at.last >= t.lines[0]) for t in truths], len(at.line))


def _columns(columns: Sequence[Flags], rows: int) -> Flags:
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0), dtype=bool)


def of_items(rows: Flags, ballots: Ballots) -> Flags:
    """Items × truths: whether any row of the item has it."""
    flags = np.zeros((ballots.size, rows.shape[1]), dtype=bool)
    row, truth = np.nonzero(rows)
    flags[ballots.rows[row], truth] = True
    return flags


def one_to_one(credit: Flags, support: Ints) -> Ints:
    """For each item the one truth it is credited with, -1 for none: at every threshold as many truths as can be.

    The heaviest matching by support is, among the items at or above any threshold, also a largest one, since sets of items
    that can be matched form a matroid. Every item may stay alone at a cost, so the matching is full and scipy can find it.
    """
    mates = np.full(len(credit), -1, dtype=np.int64)
    able = np.flatnonzero(credit.any(axis=1))
    if not len(able):
        return mates
    item, truth = np.nonzero(credit[able])
    alone, truths, most = np.arange(len(able)), credit.shape[1], int(support.max()) + 1
    costs = np.concatenate((most - support[able][item], np.full(len(able), most))).astype(np.float64)
    graph = csr_array((costs, (np.concatenate((item, alone)), np.concatenate((truth, truths + alone)))))
    rows, columns = min_weight_full_bipartite_matching(graph)
    mates[able[rows]] = np.where(columns < truths, columns, -1)
    return mates
