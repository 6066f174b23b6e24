"""Alpha is Krippendorff's, silence is told apart, and what one run says of another is counted once."""

import warnings

import numpy as np
import pytest
from support.cells import cell, random_cell

from venire.measure import study
from venire.measure.table import table
from venire.model import Estimate

krippendorff = pytest.importorskip("krippendorff")


@pytest.mark.parametrize("seed", range(100))
def test_alpha_is_that_of_the_krippendorff_package(seed: int) -> None:
    made, _ = random_cell(seed)
    regions = table(made).ballots["region"]
    values = np.full((regions.runs, regions.size), np.nan)
    values[[draw.is_valid for draw in made.draws]] = 0.0
    values[regions.run, regions.item] = 1.0
    own = study(made).reliability.alpha.value

    if own is None:
        known = values[~np.isnan(values)]
        assert len(np.unique(known)) < 2 or (~np.isnan(values)).all(axis=1).sum() < 2
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert own == pytest.approx(krippendorff.alpha(values, level_of_measurement="nominal"))


def test_alpha_by_hand() -> None:
    """Three runs, two regions: values 1 1 0 and 0 0 1. D_o = 4/6, D_e = 2·3·3/(6·5) = 0.6; alpha = 1 - 0.6667/0.6."""
    found = study(cell([[(1, "A")], [(1, "A")], [(9, "B")]])).reliability.alpha

    assert found.value == pytest.approx(1 - (4 / 6) / 0.6)
    assert found.interval is not None
    assert found.interval[0] <= found.value <= found.interval[1]


@pytest.mark.parametrize("runs", [[], [[(1, "A")]], [[(1, "A")]] * 5, [[], [], []], [None, [(1, "A")], None]])
def test_alpha_is_undefined_without_two_runs_that_could_differ(runs: list[list[tuple[int, str]] | None]) -> None:
    assert study(cell(runs)).reliability.alpha == Estimate(None)


def test_silent_runs_agree_with_each_other_and_are_left_out_apart() -> None:
    strict = study(cell([[], [], [(3, "A")], [(3, "A")], [(5, "B")]])).reliability.agreements[0]

    assert strict.all.value == pytest.approx((1 + 1) / 10)  # silent with silent, and line 3 with line 3
    assert strict.spoken.value == pytest.approx(1 / 3)
    assert strict.pairs == 3


def test_without_two_runs_with_findings_nothing_can_be_said_of_them() -> None:
    strict = study(cell([[], [], [(3, "A")]])).reliability.agreements[0]

    assert (strict.spoken, strict.pairs) == (Estimate(None), 0)


def test_a_finding_said_twice_in_a_run_counts_once() -> None:
    once, twice = study(cell([[(3, "A")], [(4, "A")]])), study(cell([[(3, "A")] * 3, [(4, "A")]]))

    assert twice.reliability == once.reliability


def test_different_replies_are_counted_where_their_digests_are_known() -> None:
    runs = [[(3, "A")]] * 3

    assert study(cell(runs, digests="xxy")).reliability.distinct == 2
    assert study(cell(runs)).reliability.distinct == 0
