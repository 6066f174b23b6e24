"""A cell → a bootstrap interval over its runs, from the standard library's generator."""

import random
from itertools import combinations
from math import comb

from venire.recount.cells import Cell
from venire.recount.tables import jaccard

RESAMPLES, SEED = 1000, 20260101


def interval(cell: Cell, near: int = 0) -> tuple[float, float]:
    """The 95 % percentile interval of the mean pairwise Jaccard. A resample leaves out pairs of a run with itself."""
    numbers = range(len(cell.runs))
    known = {pair: jaccard(cell.runs[pair[0]], cell.runs[pair[1]], near) for pair in combinations(numbers, 2)}
    generator = random.Random(SEED)  # noqa: S311  (repeatable, not secret)
    means = []
    for _ in range(RESAMPLES):
        drawn = generator.choices(numbers, k=len(numbers))
        times = {number: drawn.count(number) for number in set(drawn)}
        pairs = comb(len(drawn), 2) - sum(comb(often, 2) for often in times.values())
        total = sum(times[a] * times[b] * known[a, b] for a, b in combinations(sorted(times), 2))
        means.append(total / pairs if pairs else 1.0)
    means.sort()
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
