"""A gate looks at decisions and evidence, never at votes alone."""

from dataclasses import replace

import pytest
from support.pools import candidate, pool, rare_and_severe

from venire.assess.decided import decision_on
from venire.assess.gate import Policy, guard
from venire.model import Candidate, Evidence, Gate, Lane, Severity, Verdict

SEVERE, FREQUENT = rare_and_severe(), candidate()
POINTED = replace(FREQUENT, evidence=(Evidence("bandit", "B602", "src/store.py", 16, 16),))


def ruled(about: Candidate, verdict: Verdict) -> Candidate:
    lane = Lane.DISMISSED if verdict == "dismiss" else about.lane
    return replace(about, decision=decision_on(about, verdict, who="ann", when="2026-01-02T03:04:05Z", why="x"), lane=lane)


def gate(*candidates: Candidate, **policy: object) -> Gate:
    made = guard(pool(*candidates), Policy(**policy)).gate  # type: ignore[arg-type]
    assert made is not None
    return made


def test_advisory_says_nothing() -> None:
    assert guard(pool(SEVERE, POINTED), Policy()).gate is None


def test_acknowledge_is_reached_until_every_severe_candidate_has_a_decision() -> None:
    reached = gate(SEVERE, FREQUENT, name="acknowledge")
    assert reached.is_reached
    (reason,) = reached.reasons
    assert reason.startswith("c-0badc0de at src/query.py:9 (high) has no decision")
    assert reason.endswith("venire decide c-0badc0de confirm|dismiss|defer --why TEXT")


@pytest.mark.parametrize("verdict", ["confirm", "dismiss", "defer"])
def test_any_decision_acknowledges(verdict: Verdict) -> None:
    assert not gate(ruled(SEVERE, verdict), FREQUENT, name="acknowledge").is_reached


def test_a_dismissal_that_no_longer_holds_does_not() -> None:
    again = replace(ruled(SEVERE, "dismiss"), lane=Lane.SEVERE, reopened="statement")
    assert gate(again, name="acknowledge").is_reached
    assert not gate(replace(POINTED, evidence=()), name="evidence").is_reached


@pytest.mark.parametrize(("verdict", "is_reached"), [("confirm", True), ("dismiss", False), ("defer", False)])
def test_evidence_is_reached_by_what_a_person_confirmed(verdict: Verdict, is_reached: bool) -> None:
    assert gate(ruled(FREQUENT, verdict), name="evidence").is_reached is is_reached
    assert gate(ruled(POINTED, verdict), name="evidence").is_reached is is_reached


def test_evidence_is_reached_by_an_analyser_and_not_by_any_number_of_votes() -> None:
    assert not gate(SEVERE, FREQUENT, name="evidence").is_reached
    (reason,) = gate(SEVERE, POINTED, name="evidence").reasons
    assert "finding of bandit B602" in reason
    assert reason.endswith("venire decide c-3fa91b2c dismiss|defer --why TEXT")


def test_severities_and_paths_narrow_the_gate() -> None:
    assert gate(SEVERE, POINTED, name="evidence", severities=(Severity.HIGH,)).reasons == ()
    assert len(gate(SEVERE, FREQUENT, name="acknowledge", severities=(Severity.MEDIUM, Severity.HIGH)).reasons) == 2
    assert not gate(SEVERE, name="acknowledge", covers=lambda path: path.startswith("lib/")).is_reached


def test_what_lies_outside_the_change_reaches_no_gate() -> None:
    away = replace(ruled(POINTED, "confirm"), lane=Lane.OUTSIDE)
    assert not gate(away, replace(SEVERE, lane=Lane.OUTSIDE), name="evidence").is_reached
    assert not gate(replace(SEVERE, lane=Lane.OUTSIDE), name="acknowledge").is_reached
