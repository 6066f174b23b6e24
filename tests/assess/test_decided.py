"""Decisions are about statements: they survive edits elsewhere, the newest wins, and a severe one that changed comes back."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.pools import candidate

from venire.assess.decided import decide, decision_on
from venire.model import AnchorVotes, Candidate, Decision, Lane, Severity, Verdict

HIGH, MEDIUM = Severity.HIGH, Severity.MEDIUM


def anchor(name: str, text: str = "", support: int = 3) -> AnchorVotes:
    return AnchorVotes(name.ljust(16, "0"), (text or name).ljust(16, "9"), "load", 16, 16, support, False)


def card(*anchors: AnchorVotes, severity: Severity = MEDIUM, **changes: object) -> Candidate:
    lane = Lane.SEVERE if severity is HIGH else Lane.FREQUENT
    return candidate(3, 5, severity=severity, lane=lane, anchors=anchors or (anchor("a"),), **changes)


def ruled(about: Candidate, verdict: Verdict = "dismiss", when: str = "2026-01-02T03:04:05Z", why: str = "no") -> Decision:
    return decision_on(about, verdict, who="ann", when=when, why=why)


def settled(now: Candidate, *decisions: Decision, former: dict[str, tuple[str, ...]] | None = None) -> Candidate:
    (done,) = decide([now], decisions, former)
    return done


def test_a_dismissed_candidate_has_a_lane_of_its_own_and_keeps_its_votes() -> None:
    now = card()
    done = settled(now, ruled(now))
    assert done == replace(now, lane=Lane.DISMISSED, decision=ruled(now))


@pytest.mark.parametrize("verdict", ["confirm", "defer"])
def test_other_decisions_leave_the_lane(verdict: Verdict) -> None:
    assert settled(card(), ruled(card(), verdict)).lane is Lane.FREQUENT


def test_a_decision_holds_where_the_lines_moved() -> None:
    assert settled(card(first=90, severity=HIGH), ruled(card(severity=HIGH))).lane is Lane.DISMISSED


def test_a_decision_holds_in_a_renamed_function() -> None:
    now = card(anchor("b", "same"), severity=HIGH, scope="load_all")
    assert settled(now, ruled(card(anchor("a", "same"), severity=HIGH))).lane is Lane.DISMISSED


def test_text_alone_decides_only_where_the_scope_finds_nothing() -> None:
    """An equal statement in another function has not been looked at."""
    kept, other = card(anchor("a", "same"), id="1"), card(anchor("b", "same"), id="2")
    assert [done.decision is None for done in decide([kept, other], [ruled(kept)])] == [False, True]


def test_a_decision_holds_in_a_renamed_file_and_in_no_other() -> None:
    now = card(path="src/moved.py")
    assert settled(now, ruled(card()), former={"src/moved.py": ("src/store.py",)}).lane is Lane.DISMISSED
    assert settled(now, ruled(card())).decision is None


def test_a_severe_one_whose_statement_changed_comes_back_and_says_why() -> None:
    was = card(severity=HIGH)
    now = card(anchor("new"), severity=HIGH, code=((16, "    handle = open(path, 'rb')"), (17, "    return handle.read()")))
    done = settled(now, ruled(was))
    assert (done.lane, done.reopened, done.decision) == (Lane.SEVERE, "statement", ruled(was))


def test_a_severe_one_that_is_led_by_another_statement_comes_back() -> None:
    done = settled(card(anchor("b"), anchor("a"), severity=HIGH, code=((9, "other()"),)), ruled(card(severity=HIGH)))
    assert (done.lane, done.reopened) == (Lane.SEVERE, "statement")


def test_one_that_is_not_severe_stays_dismissed_when_its_statement_is_edited() -> None:
    now = card(anchor("new"), code=((16, "    handle = open(path, 'rb')"), (17, "    return handle.read()")))
    assert settled(now, ruled(card())).lane is Lane.DISMISSED


def test_of_two_statements_like_the_edited_one_only_the_more_alike_is_it() -> None:
    one, two = (
        card(anchor(f"new{n}"), id=str(n), code=((n, f"    handle = open(path, {mode})"),))
        for n, mode in ((1, "'rb', 0"), (2, "0"))
    )
    was = card(code=((1, "    handle = open(path)"),))
    assert [done.lane for done in decide([one, two], [ruled(was)])] == [Lane.FREQUENT, Lane.DISMISSED]


def test_another_statement_is_not_the_one_that_was_dismissed() -> None:
    assert settled(card(anchor("new"), code=((16, "    os.remove(path)"),)), ruled(card())).decision is None


def test_one_that_has_become_severe_comes_back() -> None:
    done = settled(card(severity=HIGH), ruled(card(severity=MEDIUM)))
    assert (done.lane, done.reopened) == (Lane.SEVERE, "severity")
    assert settled(card(severity=MEDIUM), ruled(card(severity=HIGH))).lane is Lane.DISMISSED


def test_a_written_entry_without_a_severity_is_believed() -> None:
    assert settled(card(severity=HIGH), replace(ruled(card()), severity=None)).lane is Lane.DISMISSED


def test_the_newest_decision_wins_in_whatever_order_they_stand() -> None:
    found = [ruled(card(), v, f"2026-01-0{n}T00:00:00Z") for n, v in enumerate(("dismiss", "confirm", "defer"), 1)]
    for order in permutations(found):
        assert settled(card(), *order).decision == found[2]


def test_of_two_in_one_second_the_later_in_the_ledger_wins() -> None:
    assert settled(card(), ruled(card(), "dismiss"), ruled(card(), "confirm")).decision == ruled(card(), "confirm")


def test_a_decision_about_the_leading_statement_goes_before_a_newer_one_about_another() -> None:
    now = card(anchor("a"), anchor("b"))
    own, other = ruled(now, "confirm"), ruled(card(anchor("b")), "dismiss", "2027-01-01T00:00:00Z")
    assert settled(now, own, other).decision == own


names = st.sampled_from("abcd")
cards = st.lists(st.lists(names, min_size=1, max_size=3, unique=True), min_size=1, max_size=4, unique_by=lambda some: some[0])


@given(cards, cards, st.permutations(range(4)))
def test_order_of_candidates_changes_nothing_and_none_is_lost(
    old: list[list[str]], new: list[list[str]], order: list[int]
) -> None:
    was, now = ([card(*map(anchor, some), id=some[0], severity=HIGH) for some in side] for side in (old, new))
    decisions = [ruled(one) for one in was]
    shuffled = [now[n] for n in order if n < len(now)]
    assert {c.id: c for c in decide(now, decisions)} == {c.id: c for c in decide(shuffled, decisions)}
    assert [c.id for c in decide(now, decisions)] == [c.id for c in now]
