"""A cell → a bootstrap interval over its runs, drawn as the seed experiment draws: its intervals come out to the last digit."""

import random
from itertools import combinations
from math import comb

from venire.recount.cells import Cell
from venire.recount.tables import jaccard

RESAMPLES, SEED = 1000, 12345
BEFORE = {0: 0, 2: 1, 5: 2}
"""Which of the three tolerances has been drawn how many times before, from the one stream of a cell."""


def interval(cell: Cell, near: int = 0) -> tuple[float, float]:
    """The 95 % percentile interval of the mean pairwise Jaccard. A resample leaves out pairs of a run with itself."""
    size, generator = len(cell.runs), random.Random(SEED)  # noqa: S311  (repeatable, not secret)
    for _ in range(BEFORE[near] * RESAMPLES * size):
        generator.randrange(size)
    known = {(a, b): jaccard(cell.runs[a], cell.runs[b], near) for a, b in combinations(range(size), 2)}
    means = []
    for _ in range(RESAMPLES):
        drawn = [generator.randrange(size) for _ in range(size)]
        times = {number: drawn.count(number) for number in set(drawn)}
        pairs = comb(size, 2) - sum(comb(often, 2) for often in times.values())
        total = sum(times[a] * times[b] * known[a, b] for a, b in combinations(sorted(times), 2))
        means += [total / pairs] if pairs else []
    means.sort()
    cut = len(means) // 40
    return means[cut], means[min(len(means) - cut, len(means) - 1)]
