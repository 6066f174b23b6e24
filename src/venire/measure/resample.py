"""Bootstrap over runs: resamples of N runs, drawn once for each N, and the interval of a statistic over them."""

from functools import lru_cache

import numpy as np

from venire.measure.table import Floats
from venire.model import Estimate, Interval

RESAMPLES = 1000
SEED = 0


@lru_cache(maxsize=16)
def weights(runs: int) -> Floats:
    """How often each resample holds each run: RESAMPLES rows of ``runs`` whole numbers that add up to ``runs``.

    The draws are those of ``random.Random(SEED).randrange(runs)`` one after the other, so that a recount needs no numpy.
    """
    wanted, bits = RESAMPLES * runs, runs.bit_length()
    generator = np.random.RandomState([SEED])  # its stream is promised never to change, unlike that of a Generator
    picks = np.empty(0, dtype=np.int64)
    while len(picks) < wanted:
        drawn = generator.randint(0, 2**32, wanted, dtype=np.uint32) >> np.uint32(32 - bits)
        picks = np.concatenate((picks, drawn[drawn < runs].astype(np.int64)))
    rows = np.repeat(np.arange(RESAMPLES), runs)
    held = np.bincount(rows * runs + picks[:wanted], minlength=wanted)
    return held.reshape(RESAMPLES, runs).astype(np.float64)


def interval(values: Floats) -> Interval | None:
    """What is left when 2.5 % of the resamples are cut off at each end; None where the statistic is defined in none of them."""
    kept = np.sort(values[~np.isnan(values)])
    if not len(kept):
        return None
    cut = len(kept) // 40
    return float(kept[cut]), float(kept[-1 - cut])


def mean_of_runs(values: Floats) -> Estimate:
    """The mean over runs of a value that each run has, or not (NaN): undefined where none has it."""
    defined = ~np.isnan(values)
    if not defined.any():
        return Estimate(None)
    held = weights(len(values))
    sums, counts = held @ np.where(defined, values, 0.0), held @ defined
    return Estimate(float(values[defined].mean()), interval(ratio(sums, counts)))


def mean_of_pairs(values: Floats, counts: Floats) -> tuple[float | None, Interval | None]:
    """The mean over pairs of runs of a symmetric matrix, where ``counts`` is 1; a resample never pairs a run with itself.

    Both matrices are runs × runs; their diagonals do not matter.
    """
    off = counts * (1.0 - np.eye(len(counts)))
    total = off.sum()
    if not total:
        return None, None
    held = weights(len(counts))
    resampled = ratio(((held @ (values * off)) * held).sum(1), ((held @ off) * held).sum(1))
    return float((values * off).sum() / total), interval(resampled)


def ratio(over: Floats, under: Floats) -> Floats:
    """Elementwise quotient; NaN where there is nothing to divide by."""
    quotients = np.full(len(over), np.nan)
    np.divide(over, under, out=quotients, where=under > 0)
    return quotients
