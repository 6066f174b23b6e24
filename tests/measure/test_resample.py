"""Resamples are those of the standard library's generator, so that anybody can draw them again."""

import random

import numpy as np
import pytest

from venire.measure.resample import RESAMPLES, SEED, Dice, interval


def drawn(generator: random.Random, size: int) -> np.ndarray:
    rows = [[generator.randrange(size) for _ in range(size)] for _ in range(RESAMPLES)]
    return np.array([np.bincount(row, minlength=size) for row in rows])


@pytest.mark.parametrize("sizes", [(51, 51, 51, 42, 51), (1, 2, 3), (5, 8, 64, 63, 65), (130,)])
def test_one_stream_gives_resample_after_resample(sizes: tuple[int, ...]) -> None:
    dice, generator = Dice(), random.Random(SEED)

    for size in sizes:
        assert (dice.weights(size) == drawn(generator, size)).all()


def test_a_mean_draws_only_what_is_there() -> None:
    values = np.array([1.0, np.nan, 0.0, 0.0, np.nan])
    estimate = Dice().mean(values)

    assert estimate.value == pytest.approx(1 / 3)
    assert estimate.interval == (0.0, 1.0)


def test_a_mean_of_nothing_is_undefined_and_draws_nothing() -> None:
    dice = Dice()

    assert dice.mean(np.array([np.nan, np.nan])).value is None
    assert (dice.weights(7) == Dice().weights(7)).all()


def test_the_interval_cuts_a_fortieth_at_each_end() -> None:
    assert interval(np.arange(1000.0)) == (25.0, 975.0)
    assert interval(np.array([3.0, 1.0, np.nan])) == (1.0, 3.0)
    assert interval(np.array([np.nan])) is None
