"""Every claim becomes one finding, at its statement, with its check's severity floor."""

import pytest
from support.places import PANEL, claim, panel, placed

from venire.assess.labels import labels
from venire.model import OTHER, WILDCARD, Severity

TEXT = "def f(x):\n    return x\n"


@pytest.mark.parametrize(
    ("said", "floor", "expected"), [("low", "high", "high"), ("high", "low", "high"), ("medium", "medium", "medium")]
)
def test_severity_is_the_claims_raised_to_the_floor(said: str, floor: str, expected: str) -> None:
    asked = panel({"check_1": "x"}, floor=Severity(floor))
    (found,) = placed(TEXT, claim(2, severity=said), asked=asked)

    assert found.severity is Severity(expected)


def test_other_keeps_the_claimed_severity_and_goes_with_every_family() -> None:
    (found,) = placed(TEXT, claim(2, OTHER, "medium"), asked=PANEL)

    assert found.severity is Severity.MEDIUM
    assert labels(PANEL).checks["b", OTHER].family == WILDCARD


def test_repeats_stay_findings() -> None:
    assert len(placed(TEXT, claim(2), claim(2), claim(1))) == 3
