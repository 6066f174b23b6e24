"""Figures as readers see them: undefined is no zero, and what is not quite none or all is not rounded to it."""

import math

import pytest
from support.measures import study, untold

from venire.model.measures import Estimate
from venire.report.measured.numbers import estimate, interval, majority, number, percent, ranked, stretches


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "undefined"), (math.nan, "undefined"), (math.inf, "undefined"), (0.0, "0.00"), (0.004, "<0.01"), (0.005, "0.01"),
        (-0.001, ">-0.01"), (-0.25, "-0.25"), (0.994, "0.99"), (0.9999, ">0.99"), (1.0, "1.00"), (1234.5, "1,234.50"),
    ],
)  # fmt: skip
def test_a_number_has_two_digits_and_hides_nothing(value: float | None, shown: str) -> None:
    assert number(value) == shown


def test_an_interval_is_only_shown_around_a_value() -> None:
    assert estimate(Estimate(0.5, (0.4, 0.6))) == "0.50 [0.40, 0.60]"
    assert estimate(Estimate(0.5)) == "0.50"
    assert estimate(Estimate(None, (0.4, 0.6))) == "undefined"
    assert interval(Estimate(None, (0.4, 0.6))) == ""


def test_a_share_of_nothing_is_undefined() -> None:
    assert [percent(0, 0), percent(0, 9), percent(1, 900), percent(37, 51), percent(899, 900), percent(9, 9)] == [
        "undefined", "0%", "<1%", "73%", ">99%", "100%",
    ]  # fmt: skip


def test_the_majority_is_more_than_half_of_the_runs() -> None:
    assert majority(study()) == 26
    assert majority(untold()) == 6


def test_bars_are_ranked_by_votes_then_by_place() -> None:
    assert [(bar.support, bar.line) for bar in ranked(study().bars)] == [
        (51, 9), (26, 16), (19, 17), (4, 23), (2, 25), (1, 12), (1, 15),
    ]  # fmt: skip


def test_neighbouring_thresholds_with_one_outcome_are_joined() -> None:
    assert stretches(study()) == [(1, 1), (2, 2), (3, 4), (5, 19), (20, 26), (27, 46), (47, 51)]
