"""Bootstrap over runs: the resamples of a cell, and the interval of a statistic over them."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from venire.measure.table import Floats
from venire.model import Estimate, Interval

RESAMPLES = 1000
SEED = 12345
"""The seed experiment's; with its order of statistics its intervals come out to the last digit."""

Words = NDArray[np.uint32]


class Dice:
    """Resamples of one cell, for one statistic after the other, from one stream.

    The draws are those of ``random.Random(SEED).randrange``, so that a recount needs the standard library alone.
    """

    def __init__(self) -> None:
        self._position = 0

    def weights(self, size: int) -> Floats:
        """How often each resample holds each of ``size`` values: RESAMPLES rows of whole numbers that add up to ``size``."""
        held, self._position = _drawn(self._position, size)
        return held.astype(np.float64)

    def mean(self, values: Floats) -> Estimate:
        """The mean of the values that are there (not NaN), resampled among themselves: undefined where none is."""
        known = values[~np.isnan(values)]
        if not len(known):
            return Estimate(None)
        return Estimate(float(known.mean()), interval(self.weights(len(known)) @ known / len(known)))


@lru_cache(maxsize=32)
def _drawn(position: int, size: int) -> tuple[NDArray[np.uint16], int]:
    """The weights that the stream gives from ``position`` on, and where it stands afterwards."""
    wanted, bits = RESAMPLES * size, size.bit_length()
    reach = 2 * wanted  # at least half of all draws are below size
    while True:
        drawn = _words(1 << (position + reach).bit_length())[position : position + reach] >> np.uint32(32 - bits)
        hits = np.flatnonzero(drawn < size)
        if len(hits) >= wanted:
            break
        reach *= 2
    places = np.repeat(np.arange(RESAMPLES), size) * size + drawn[hits[:wanted]]
    held = np.bincount(places, minlength=wanted).reshape(RESAMPLES, size).astype(np.uint16)
    return held, position + int(hits[wanted - 1]) + 1 if wanted else position


@lru_cache(maxsize=2)
def _words(amount: int) -> Words:
    """The first words of the stream. That of RandomState is promised never to change, unlike that of a Generator."""
    return np.random.RandomState([SEED]).randint(0, 2**32, amount, dtype=np.uint32)


def interval(values: Floats) -> Interval | None:
    """The 2.5 % and 97.5 % percentiles of the resamples in which the statistic is defined; None where it is in none."""
    kept = np.sort(values[~np.isnan(values)])
    if not len(kept):
        return None
    cut = len(kept) // 40
    return float(kept[cut]), float(kept[min(len(kept) - cut, len(kept) - 1)])


def ratio(over: Floats, under: Floats) -> Floats:
    """Elementwise quotient; NaN where there is nothing to divide by."""
    quotients = np.full(len(over), np.nan)
    np.divide(over, under, out=quotients, where=under > 0)
    return quotients
