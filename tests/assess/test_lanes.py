"""Lanes: severe at any support, frequent from a share, outside by the change; nothing is left out."""

import pytest

from venire.assess.lanes import lane
from venire.model import Lane, Plan, Severity

HIGH, LOW = Severity.HIGH, Severity.LOW


@pytest.mark.parametrize(
    ("severity", "support", "valid", "is_outside", "expected"),
    [
        (HIGH, 1, 51, False, Lane.SEVERE),
        (LOW, 26, 51, False, Lane.FREQUENT),
        (LOW, 25, 51, False, Lane.REST),
        (LOW, 3, 6, False, Lane.FREQUENT),
        (HIGH, 51, 51, True, Lane.OUTSIDE),
    ],
)
def test_lane(severity: Severity, support: int, valid: int, is_outside: bool, expected: Lane) -> None:
    assert lane(severity, support, valid, Plan(), is_outside=is_outside) is expected


def test_a_whole_file_audit_has_nothing_outside() -> None:
    assert lane(LOW, 1, 51, Plan(scope="file"), is_outside=True) is Lane.REST


def test_a_share_of_nought_still_asks_for_one_run_and_rounding_asks_for_no_more_than_it_says() -> None:
    assert lane(LOW, 1, 51, Plan(frequent=0.0), is_outside=False) is Lane.FREQUENT
    assert lane(LOW, 3, 30, Plan(frequent=0.1), is_outside=False) is Lane.FREQUENT
