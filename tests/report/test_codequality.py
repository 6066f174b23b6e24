"""GitLab Code Quality: the documented fields, and never an empty array for an audit that failed."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from support.pools import POOLS, candidate, clean, crowd, evil, inconclusive, judged, nothing, poison, pool, troubled

from venire.model import Pool
from venire.report import render

RULES = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "minLength": 1, "not": {"pattern": r"^(\./|/)"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}, "end": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
"""What GitLab's documentation asks of a report, in our own words: an array without a byte order mark, five fields an entry."""


def entries(pool: Pool) -> list[dict[str, Any]]:
    text = render(pool, "codequality")
    assert not text.startswith("\ufeff")
    found: list[dict[str, Any]] = json.loads(text)
    jsonschema.validate(found, RULES)
    assert len({entry["fingerprint"] for entry in found}) == len(found)
    return found


@pytest.mark.parametrize("name", POOLS)
def test_every_report_obeys_the_documented_rules(name: str) -> None:
    entries(POOLS[name]())


@given(evil)
@settings(max_examples=25, deadline=None)
def test_hostile_text_breaks_no_rule(text: str) -> None:
    """A path that begins with a slash is not one that git can hold."""
    entries(poison(replace(troubled(), candidates=troubled().candidates[:1]), f"x{text}"))


def test_a_candidate_is_one_entry_of_the_least_severity() -> None:
    assert entries(pool(candidate())) == [
        {
            "description": "45 of 51 runs point here, severity medium: `The file is opened and never closed.`; in 45 runs: "
            "`Every opened file or connection is closed on every path` (`correctness::check_1`, `CWE-772`)",
            "check_name": "correctness/cor1c0ffee00",
            "fingerprint": entries(pool(candidate()))[0]["fingerprint"],
            "severity": "info",
            "location": {"path": "src/store.py", "lines": {"begin": 16, "end": 16}},
        }
    ]


def test_an_entry_keeps_its_fingerprint_when_lines_and_support_change() -> None:
    first, second = entries(pool(candidate(45)))[0], entries(pool(candidate(3, first=90)))[0]
    assert first["fingerprint"] == second["fingerprint"]
    assert first["location"] != second["location"]


def test_only_a_complete_audit_may_give_an_empty_array() -> None:
    assert entries(clean()) == entries(nothing()) == []
    (entry,) = entries(inconclusive())
    assert entry["description"] == "INCONCLUSIVE: 1 of 5 runs valid, this is not a clean result"
    assert entry["check_name"] == "venire/status"
    assert entry["severity"] == "major"


def test_two_failed_audits_are_two_entries() -> None:
    """GitLab shows what the target branch's report does not have."""
    again = replace(inconclusive(), audit=replace(inconclusive().audit, id="another"))
    assert entries(inconclusive())[0]["fingerprint"] != entries(again)[0]["fingerprint"]


def test_dismissed_candidates_are_left_out() -> None:
    found = [entry["check_name"].split("/")[0] for entry in entries(judged())]
    assert found == ["venire", "venire", "security", "correctness", "correctness"]
    assert len(entries(crowd())) == 60


def test_a_file_that_steers_the_audit_and_is_altered_is_an_entry_of_its_own() -> None:
    first = entries(judged())[0]
    assert first["description"] == "This change alters what decides how changes are audited"
    assert first["location"] == {"path": "venire.yml", "lines": {"begin": 1, "end": 1}}
