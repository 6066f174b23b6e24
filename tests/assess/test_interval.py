"""The Wilson interval: reference values, and what must hold for all k of n."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.assess.interval import Z95, wilson


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(0, 5, 0.0, 0.4345), (1, 5, 0.0362, 0.6245), (3, 5, 0.2307, 0.8824), (5, 5, 0.5655, 1.0), (15, 148, 0.0624, 0.1605)],
)
def test_known_intervals(k: int, n: int, low: float, high: float) -> None:
    """The last row is a published example (Newcombe 1998, method 3); the others were worked by hand."""
    assert wilson(k, n) == pytest.approx((low, high), abs=5e-5)


def test_nothing_tried_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bounds_solve_the_defining_equation(kn: tuple[int, int]) -> None:
    k, n = kn
    low, high = wilson(k, n)

    assert 0 <= low <= k / n <= high <= 1
    for bound in (low, high):
        assert (k / n - bound) ** 2 == pytest.approx(Z95**2 * bound * (1 - bound) / n, abs=1e-9)
