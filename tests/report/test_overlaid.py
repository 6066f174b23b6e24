"""What is laid over a pool is shown in every form, in words nobody can misread, and no text in it can do anything."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from support.pools import FIXED, candidate, coverage, evil, poison, pool, rare_and_severe

from venire.assess import decision_on
from venire.model import Candidate, Counts, Evidence, Gate, Gone, Lane, Pool
from venire.report import overlaid as laid
from venire.report import render, sheet
from venire.report.inert import plain

FORMS = ("terminal", "markdown")


def overlaid() -> Pool:
    """Every kind of thing at once: a severe one opened again, a dismissed one, evidence, history, a gate, altered settings."""

    def ruled(about: Candidate, verdict: str, **changes: object) -> Candidate:
        made = decision_on(about, verdict, who="ann", when="2026-01-02T03:04:05Z", why="checked before")  # type: ignore[arg-type]
        return replace(about, decision=made, **changes)

    evidence = tuple(Evidence("bandit", f"B60{n}", "src/query.py", 9, 9 + n, "joined SQL") for n in range(10))
    severe = replace(ruled(rare_and_severe(), "dismiss", reopened="statement", since="still"), evidence=evidence)
    dismissed = ruled(candidate(40, id="c-dddd1111", first=60), "dismiss", lane=Lane.DISMISSED, since="moved")
    deferred = ruled(candidate(30, id="c-eeee1111", first=80), "defer", since="new")
    base = pool(severe, deferred, dismissed)
    lanes = ((Lane.SEVERE, 1), (Lane.FREQUENT, 1), (Lane.REST, 0), (Lane.OUTSIDE, 0), (Lane.DISMISSED, 1))
    gone = [
        Gone(replace(ruled(candidate(20, id=f"c-9999000{n}", first=90 + n), "confirm"), lane=Lane.REST), *seen)
        for n, seen in enumerate(((51, 51), (0, 51), (0, 0)))
    ]
    reasons = tuple(f"c-0badc0de at src/query.py:{n} has no decision; venire decide c-0badc0de confirm" for n in range(7))
    return replace(
        base,
        counts=replace(base.counts, lanes=lanes),
        gone=tuple(gone),
        gate=Gate("acknowledge", True, reasons),
        altered=tuple(f"checks/{n}.yml" for n in range(7)),
        trust="base",
    )


def words(text: str) -> str:
    """The report on one line: where it folds does not matter here."""
    return re.sub(r"\s+", " ", re.sub(r"[┃`*]", "", text))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "said",
    [
        "1 severe, 1 frequent, 0 rest, 0 outside the change, 1 dismissed",
        "Gate acknowledge: REACHED by 7 candidates",
        "Since the earlier audit: 1 new, 1 still there, 1 moved, 2 not reported any more, 1 not asked about",
        "Open again: 1 dismissed candidate that changed",
        "dismissed by ann on 2026-01-02: checked before",
        "OPEN AGAIN: it is severe, and its statement reads otherwise than when it was dismissed",
        "deferred by ann",
        "bandit B600 on line 9: joined SQL",
        "bandit B602 on lines 9-11",
        "and 2 more findings, in the json report",
        "new since the earlier audit",
        "Not reported this time: 3 candidates of the earlier audit",
        "not seen in 51 of 51 runs",
        "nothing heard: none of 51 runs gave a valid reply",
        "not asked about: its file or place is no part of this audit",
        "confirmed by ann",
        "Why the gate is reached, in full",
        "and 2 more, listed below",
        "checks/6.yml",
        "Dismissed: 1 candidate",
    ],
)
def test_it_is_said(form: str, said: str) -> None:
    assert said in words(render(overlaid(), form, width=200))


@pytest.mark.parametrize("form", FORMS)
def test_altered_settings_are_the_first_thing_in_a_report(form: str) -> None:
    first = words(render(overlaid(), form, width=200)).lstrip()
    assert first.startswith("THIS CHANGE ALTERS WHAT STEERS ITS OWN AUDIT, 7 files: checks/0.yml, ")
    assert "those of the base revision were in force" in first
    other = words(render(replace(overlaid(), trust="worktree"), form, width=200))
    assert "the changed ones were in force; --trust base takes those of the base revision" in other


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_ever_called_fixed(form: str) -> None:
    assert "fixed" not in render(overlaid(), form).lower()


@pytest.mark.parametrize("form", FORMS)
def test_a_gate_over_an_audit_that_is_not_whole_is_not_passed(form: str) -> None:
    made = replace(pool(valid=1), status="inconclusive", gate=Gate("evidence", False))
    assert "Gate evidence: not reached, and not passed: the audit is inconclusive" in words(render(made, form))


def test_the_dismissed_lane_comes_last_and_is_folded() -> None:
    text = render(overlaid(), "markdown")
    assert text.index("Severe: 1") < text.index("Frequent: 1") < text.index("<summary>Dismissed: 1 candidate, by a person")


def hostile(text: str) -> Pool:
    """The overlay with ``text`` wherever somebody else may have written it. Our own few words are kept."""
    made = overlaid()
    kept = {"verdict", "policy", "since", "reopened", "trust", "lane", *FIXED}
    assert kept.isdisjoint({"why", "who", "when", "tool", "rule", "message", "reasons", "altered"})
    poisoned = poison(made, text)
    cards = zip(poisoned.candidates, made.candidates, strict=True)
    return replace(
        poisoned,
        candidates=tuple(_whole(card, was) for card, was in cards),
        gone=tuple(replace(g, candidate=_whole(g.candidate, w.candidate)) for g, w in zip(poisoned.gone, made.gone, strict=True)),
        gate=replace(poisoned.gate, policy="acknowledge"),
        trust="base",
    )


def _whole(card: Candidate, was: Candidate) -> Candidate:
    assert card.decision
    assert was.decision
    decided = replace(card.decision, verdict=was.decision.verdict)
    return replace(card, decision=decided, since=was.since, reopened=was.reopened)


@given(evil)
@settings(max_examples=40, deadline=None)
def test_no_text_becomes_a_link_an_image_html_or_a_heading(text: str) -> None:
    kinds = [token.type for token in tokens(render(hostile(text), "markdown"))]
    assert not {"link_open", "image", "html_inline"} & set(kinds)
    calm = [token.type for token in tokens(render(hostile("calm"), "markdown"))]
    assert [kinds.count(kind) for kind in ("heading_open", "html_block", "fence")] == [
        calm.count(kind) for kind in ("heading_open", "html_block", "fence")
    ]


def tokens(text: str) -> list:  # type: ignore[type-arg]
    found = MarkdownIt("gfm-like", {"linkify": True}).parse(text)
    return [inner for token in found for inner in (token, *(token.children or ()))]


@given(evil)
@settings(max_examples=40, deadline=None)
def test_no_text_moves_the_cursor_or_starts_a_runner_command(text: str) -> None:
    for form in FORMS:
        shown = render(hostile(text), form)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
        assert "##[" not in shown
        assert not re.search(r"^\s*::", shown, re.MULTILINE)


def test_a_pool_over_which_nothing_is_laid_says_nothing_of_it() -> None:
    bare = pool(rare_and_severe(), coverage=(coverage(),))
    for form in FORMS:
        for word in ("decision", "dismissed", "Gate", "Since", "ALTERS", "evidence"):
            assert word not in render(bare, form)


def test_counts_of_a_dismissed_lane_add_up_in_the_json_report() -> None:
    counts: Counts = overlaid().counts
    assert sum(number for _, number in counts.lanes) == counts.candidates


def test_an_earlier_audit_of_which_nothing_is_left_is_told() -> None:
    told = laid.changes(pool(gone=(Gone(candidate(), 5, asked=5),)))
    assert told == "0 new, 0 still there, 0 moved, 1 not reported any more"
    assert laid.changes(pool()) == laid.since(candidate()) == ""


def test_not_seen_is_told_in_runs() -> None:
    told = laid.gone(Gone(candidate(3, 5), 4, asked=5), plain)
    assert "then 3 of 5 runs, not seen in 4 of 5 runs (c-3fa91b2c)" in told


def test_an_analyser_s_findings_are_told_in_short_and_the_rest_counted() -> None:
    found = tuple(Evidence("ruff", f"S{n}", "a.py", n, n + n % 2) for n in range(1, 13))
    told = laid.corroboration(found, plain)
    assert told.startswith("ruff S1 on lines 1-2, ruff S2 on line 2, ")
    assert told.endswith(", and 2 more findings")


def test_a_comment_says_why_a_dismissed_candidate_is_open_again_and_whose_settings_were_used() -> None:
    text = "\n".join(map(sheet.line, overlaid().candidates)) + sheet.head(replace(overlaid(), trust="base"))
    assert "OPEN AGAIN: it is severe" in text
    assert "those of the base revision were in force" in text
