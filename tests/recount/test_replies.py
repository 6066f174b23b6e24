"""The recount's own reading of replies."""

import json
from typing import Any

import pytest
from support.audits import BAD

from venire.recount.replies import asked, said

LINES = ["1: a", "2: b", "H1: value = 1", "T1: total = 1"]


def prompt(contract: str = "findings", cap: int = 0) -> dict[str, Any]:
    if contract == "panel":
        fields = {"id": {"enum": ["check_1", "check_2"]}, "line": {"enum": ["none", *LINES]}, "reasoning": {}, "passed": {}}
        return {"contract": contract, "schema": json.dumps({"properties": {"criteria": {"items": {"properties": fields}}}})}
    checks, levels = {"enum": ["check_1", "check_2", "other"]}, {"enum": ["low", "high"]}
    fields = {"line": {"enum": LINES}, "problem": {}, "check": checks, "severity": levels}
    rules = {"items": {"properties": fields}} | ({"maxItems": cap} if cap else {})
    return {"contract": contract, "schema": json.dumps({"properties": {"findings": rules}})}


def attempt(value: Any, **how: str) -> dict[str, str]:
    return {"text": value if isinstance(value, str) else json.dumps(value), "done": "stop", "error": ""} | how


def finding(line: str = "1: a", check: str = "check_1") -> dict[str, str]:
    return {"line": line, "problem": " It leaks. ", "check": check, "severity": "high"}


def run(*attempts: dict[str, str]) -> dict[str, Any]:
    return {"attempts": list(attempts)}


def test_a_check_that_no_finding_names_is_passed() -> None:
    heard = said(run(attempt({"findings": [finding()]})), prompt())

    assert heard.verdicts == {"check_1": False, "check_2": True}
    assert [(c.line, c.quote, c.problem) for c in heard.claims] == [(1, "a", "It leaks.")]
    assert asked(prompt()) == ("check_1", "check_2")


def test_other_fails_no_check_and_a_planted_line_is_no_claim() -> None:
    heard = said(run(attempt({"findings": [finding(check="other"), finding("H1: value = 1")]})), prompt())

    assert heard.verdicts == {"check_1": True, "check_2": True}
    assert [claim.check for claim in heard.claims] == ["other"]


@pytest.mark.parametrize("text", BAD)
def test_a_bad_reply_says_nothing(text: str) -> None:
    for contract in ("findings", "panel"):
        heard = said(run(attempt(text)), prompt(contract))
        assert (heard.is_valid, dict(heard.verdicts), heard.claims) == (False, {}, ())


@pytest.mark.parametrize("how", [{"error": "timeout"}, {"done": "length"}, {"done": ""}])
def test_a_reply_that_did_not_end_by_itself_says_nothing(how: dict[str, str]) -> None:
    assert not said(run(attempt({"findings": []}, **how)), prompt()).is_valid
    assert not said(run(), prompt()).is_valid


def test_more_findings_than_the_cap_are_none() -> None:
    assert not said(run(attempt({"findings": [finding(), finding()]})), prompt(cap=1)).is_valid


def test_of_findings_the_last_reply_counts_alone() -> None:
    assert said(run(attempt({"findings": [finding()]}), attempt({"findings": []})), prompt()).claims == ()
    assert not said(run(attempt({"findings": []}), attempt("?")), prompt()).is_valid


def verdict(id_: str, passed: bool = True, **more: Any) -> dict[str, Any]:
    return {"id": id_, "passed": passed, "reasoning": "r", **more}


def test_of_verdicts_the_last_valid_one_of_each_check_counts() -> None:
    first = attempt({"criteria": [verdict("check_1", False, line="2: b"), verdict("check_2", False)]})
    heard = said(run(first, attempt({"criteria": [verdict("check_2")]}), attempt("?")), prompt("panel"))

    assert heard.verdicts == {"check_1": False, "check_2": True}
    assert [(claim.check, claim.line, claim.severity) for claim in heard.claims] == [("check_1", 2, "low")]
    assert heard.is_valid


@pytest.mark.parametrize(
    "entries",
    [
        [verdict("check_1"), verdict("check_1")],
        [verdict(" check_1")],
        [verdict("check_1") | {"passed": 1}],
        [verdict("check_1") | {"reasoning": "  "}],
        [verdict("check_1") | {"reasoning": "r" * 2_001}],
        [verdict("check_1", line="9: z")],
        [verdict("check_1") | {"more": 1}],
        [verdict("check_9")],
    ],
)
def test_an_entry_that_is_not_valid_gives_no_verdict_and_the_others_count(entries: list[Any]) -> None:
    heard = said(run(attempt({"criteria": [*entries, verdict("check_2"), None, {"id": 1}]})), prompt("panel"))

    assert heard.verdicts == {"check_2": True}
    assert not heard.is_valid


ISSUE = {"line_number": 2, "category": "Leak", "severity": "High", "description": " Open. "}


def plain() -> dict[str, Any]:
    fields = {
        "line_number": {},
        "category": {"enum": ["Leak", "Other"]},
        "severity": {"enum": ["Low", "High"]},
        "description": {},
    }
    return {"contract": "issues", "schema": json.dumps({"properties": {"issues": {"items": {"properties": fields}}}})}


def test_the_place_of_a_category_is_the_number_of_its_check() -> None:
    heard = said(run(attempt({"issues": [ISSUE, ISSUE | {"category": "Other"}]})), plain())

    assert [(c.line, c.check, c.severity, c.problem) for c in heard.claims] == [
        (2, "check_1", "high", "Open."),
        (2, "check_2", "high", "Open."),
    ]
    assert heard.verdicts == {"check_1": False, "check_2": False}


@pytest.mark.parametrize(
    "change",
    [{"line_number": 0}, {"line_number": True}, {"line_number": 1.5}, {"category": "leak"}, {"description": " "}, {"x": 1}],
)
def test_one_bad_issue_makes_the_reply_say_nothing(change: dict[str, Any]) -> None:
    assert not said(run(attempt({"issues": [ISSUE, ISSUE | change]})), plain()).is_valid
