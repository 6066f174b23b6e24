"""The plain contract: bare line numbers, categories instead of statements, read as strictly as the others."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import target

from venire.errors import UsageError
from venire.model import Bucket, Check, Panel, Plan, Prompt, Severity
from venire.panel import answer, expected, feedback, issues, prompts

CATEGORIES = ("SQLInjection", "ResourceLeak", "Other")
ISSUE = {"line_number": 2, "category": "ResourceLeak", "severity": "High", "description": "the file stays open"}


BUCKET = Bucket("b", tuple(Check("b", f"check_{n}", f"c{n}", text, Severity.LOW, text) for n, text in enumerate(CATEGORIES, 1)))


def prompt() -> Prompt:
    asked = prompts(target("a = open(p)\nb = a.read()\n"), Panel((BUCKET,)), Plan(), "m", "issues")
    return asked[0]


def said(*items: dict[str, Any]) -> str:
    return json.dumps({"issues": items}, indent=2)


def test_the_prompt_shows_code_and_schema_and_no_statements() -> None:
    one = prompt()
    assert one.contract == "issues"
    assert '"category": {' in one.user
    assert "1: a = open(p)" in one.user
    assert "Statements that should hold" not in one.user


def test_a_claim_has_the_number_of_its_category() -> None:
    """The votes of the plain contract are cast on the same ids as those of the others."""
    one = prompt()
    assert expected(one) == ("check_1", "check_2", "check_3")
    (claim,) = answer([said(ISSUE)], one).claims
    assert (claim.line, claim.check, claim.severity, claim.problem) == (2, "check_2", Severity.HIGH, "the file stays open")
    assert dict(answer([said(ISSUE)], one).verdicts) == {"check_1": True, "check_2": False, "check_3": True}


def test_an_empty_list_passes_every_check() -> None:
    assert answer([said()], prompt()).is_complete
    assert all(passed for _, passed in answer([said()], prompt()).verdicts)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"line_number": "2"}, "line_number of issue 1 is a string"),
        ({"line_number": True}, "line_number of issue 1 is true or false"),
        ({"line_number": 0}, "whole number from 1"),
        ({"line_number": 2.5}, "whole number from 1"),
        ({"category": "Leak"}, "none of those allowed"),
        ({"severity": "high"}, "none of those allowed"),
        ({"description": " "}, "description of issue 1 is empty"),
        ({"more": 1}, "unknown key"),
    ],
)
def test_a_fault_is_named_and_nothing_of_the_reply_counts(change: dict[str, Any], words: str) -> None:
    found = answer([said({**ISSUE, **change})], prompt())
    assert words in found.fault
    assert found.claims == ()
    assert found.missing == expected(prompt())


def test_the_last_reply_counts() -> None:
    assert answer(["nonsense", said(ISSUE)], prompt()).claims
    assert not answer([said(ISSUE), "nonsense"], prompt()).claims


def test_feedback_names_the_fault_and_the_categories() -> None:
    text = feedback("the reply is not one JSON object", prompt())
    assert "the reply is not one JSON object" in text
    assert "SQLInjection, ResourceLeak, Other" in text


def test_checks_that_do_not_apply_cannot_be_left_out() -> None:
    """The number of a category is its place in the schema, so a gap would shift the votes."""
    with pytest.raises(UsageError, match="when"):
        issues.schema(BUCKET, BUCKET.checks[1:], ())


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    found = answer([text], prompt())
    assert bool(found.fault) == bool(found.missing)
