"""How many findings two runs share, for every pair of runs: maximum bipartite matching under a key."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from venire.measure.table import REACH, Ballots, Floats, Ints, Key, Table

ROOM = 2_000_000
"""Lines, over all pairs of patterns, that one graph holds."""

Pattern = tuple[int, ...]
"""The lines that a run names in one cluster, ascending."""


def shared(ballots: Ballots) -> Floats:
    """Items that both runs name, runs × runs: what matching comes to where only equal items match."""
    ones = np.ones(len(ballots.item))
    held = csr_array((ones, (ballots.run, ballots.item)), shape=(ballots.runs, max(ballots.size, 1)))
    return np.asarray((held @ held.T).toarray(), dtype=np.float64)


def matched(at: Table, key: Key) -> Floats:
    """The size of a maximum matching between the findings of two runs of equal label within the reach of a line key; runs × runs.

    Keys of different clusters never match, so the matching is the sum over clusters; there, few different sets of lines
    occur, and each two of them are matched once (Hopcroft and Karp 1973, as scipy has it).
    """
    patterns, holders = _patterns(at, at.ballots[key].rows)
    sizes = np.array([len(lines) for _, lines in patterns], dtype=np.int64)
    one, two = _neighbours(patterns)
    both = _matchings([lines for _, lines in patterns], one, two, REACH[key])
    own = np.arange(len(patterns))
    values = np.concatenate((sizes, both, both)).astype(np.float64)
    places = np.concatenate((own, one, two)), np.concatenate((own, two, one))
    between = csr_array((values, places), shape=(len(patterns),) * 2)
    held = csr_array((np.ones(len(holders)), holders.T), shape=(at.runs, len(patterns)))
    return np.asarray((held @ between @ held.T).toarray(), dtype=np.float64)


def _patterns(at: Table, cluster: Ints) -> tuple[list[tuple[int, Pattern]], Ints]:
    """The different (cluster, pattern), cluster by cluster, and the (run, index of the pattern) of every run."""
    named: dict[tuple[int, int], set[int]] = defaultdict(set)
    for where, run, line in zip(cluster.tolist(), at.run.tolist(), at.line.tolist(), strict=True):
        named[where, run].add(line)
    said = [(where, tuple(sorted(lines)), run) for (where, run), lines in named.items()]
    order = {pattern: n for n, pattern in enumerate(sorted({entry[:2] for entry in said}))}
    holders = [(run, order[where, lines]) for where, lines, run in said]
    return list(order), np.array(holders, dtype=np.int64).reshape(-1, 2)


def _neighbours(patterns: Sequence[tuple[int, Pattern]]) -> tuple[Ints, Ints]:
    """Every two patterns of one cluster, by index, once."""
    one: list[Ints] = [np.empty(0, dtype=np.int64)]
    two = list(one)
    start = 0
    for _, group in groupby(patterns, key=lambda entry: entry[0]):
        size = sum(1 for _ in group)
        if size > 1:
            left, right = np.triu_indices(size, 1)
            one.append(left + start)
            two.append(right + start)
        start += size
    return np.concatenate(one), np.concatenate(two)


def _matchings(patterns: Sequence[Pattern], one: Ints, two: Ints, reach: int) -> Ints:
    """The size of a maximum matching for every pair of patterns, some of them at a time."""
    sizes = np.array([len(lines) for lines in patterns], dtype=np.int64)
    flat = np.array([line for lines in patterns for line in lines], dtype=np.int64)
    pieces = max(1, int(sizes[one].sum() + sizes[two].sum()) // ROOM)
    parts = [
        _graph(_expand(flat, sizes, some), _expand(flat, sizes, others), reach, len(some))
        for some, others in zip(np.array_split(one, pieces), np.array_split(two, pieces), strict=True)
    ]
    return np.concatenate(parts)


def _expand(flat: Ints, sizes: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """The lines of the chosen patterns one after the other, each with its position among the chosen."""
    ends = np.cumsum(sizes)[chosen]
    counts = sizes[chosen]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(np.arange(len(chosen)), counts), flat[np.repeat(ends - counts, counts) + within]


def _graph(left: tuple[Ints, Ints], right: tuple[Ints, Ints], reach: int, pairs: int) -> Ints:
    """Matching sizes of many pairs in one graph, in which they share no vertex. Each side: (pair, line), ascending."""
    if not pairs:
        return np.empty(0, dtype=np.int64)
    lowest = min(left[1].min(), right[1].min())
    span = max(left[1].max(), right[1].max()) - lowest + 2 * reach + 1  # so that a shift never reads as the next pair
    ours, theirs = (pair * span + line - lowest + reach for pair, line in (left, right))
    edges = [_meet(ours + shift, theirs) for shift in range(-reach, reach + 1)]
    rows, columns = (np.concatenate(part) for part in zip(*edges, strict=True))
    graph = csr_array((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(len(ours), len(theirs)))
    mates = maximum_bipartite_matching(graph, perm_type="column")
    return np.bincount(left[0][mates >= 0], minlength=pairs)


def _meet(wanted: Ints, known: Ints) -> tuple[Ints, Ints]:
    """Positions in both of the numbers they have in common; ``known`` is ascending."""
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    hits = np.flatnonzero(known[places] == wanted)
    return hits, places[hits]
