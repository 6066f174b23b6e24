"""Decisions, evidence, an earlier audit and the cost in words: nothing unseen is called fixed."""

from dataclasses import replace

from support.pools import candidate, clean, judged, pool

from venire.model import Evidence, Gone, Lane
from venire.report import overlay
from venire.report.inert import plain


def test_without_an_earlier_audit_nothing_is_said_of_it() -> None:
    assert overlay.changes(clean()) == ""
    assert overlay.since(candidate()) == ""


def test_an_earlier_audit_of_which_nothing_is_left_is_told() -> None:
    assert overlay.changes(pool(gone=(Gone(candidate(), 5),))) == "0 new, 0 still there, 0 moved, 1 not reported any more"


def test_not_seen_is_told_in_runs() -> None:
    told = overlay.gone(Gone(candidate(3, 5), 4), 5, plain)
    assert told.endswith("then 3 of 5 runs, not seen in 4 of 5 runs (c-3fa91b2c)")


def test_an_analyser_s_findings_are_told_with_their_lines_and_the_rest_counted() -> None:
    found = tuple(Evidence("ruff", f"S{n}", "a.py", n, n + n % 2) for n in range(1, 13))
    told = overlay.evidence(found, plain)
    assert told.startswith("ruff S1 on lines 1-2, ruff S2 on line 2, ")
    assert told.endswith(", and 2 more findings")


def test_the_cost_of_a_candidate_is_the_wall_time_shared() -> None:
    assert overlay.cost(pool(candidate(), candidate(first=40))).endswith(" · 3 min 20 s · 1 min 40 s a candidate")
    assert overlay.cost(replace(judged(), ms=0)).endswith(" · 0.0 s")


def test_every_lane_has_a_title() -> None:
    titles = [overlay.title(clean(), lane)[0] for lane in Lane]
    assert titles == ["Severe", "Frequent", "Rest", "Outside the change", "Dismissed"]


def test_a_decision_without_a_reason_is_told_without_one() -> None:
    decision = judged().candidates[0].decision
    assert decision
    assert overlay.decision(replace(decision, why=""), plain) == "confirmed by jo on 2026-11-02"
