"""Reviewdog Diagnostic Format, one object a line, as reviewdog's own schema describes a diagnostic."""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from support.git import Repo
from support.pools import POOLS, candidate, clean, evil, inconclusive, judged, nothing, poison, pool, rare_and_severe, troubled

from venire.model import Pool
from venire.report import render

NUMBER = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}
POSITION = {"type": "object", "properties": {"line": NUMBER}, "required": ["line"], "additionalProperties": False}
DIAGNOSTIC = {
    "type": "object",
    "additionalProperties": False,
    "required": ["message", "location", "severity", "source", "code"],
    "properties": {
        "message": {"type": "string", "minLength": 1},
        "location": {
            "type": "object",
            "additionalProperties": False,
            "required": ["path"],
            "properties": {
                "path": {"type": "string", "minLength": 1},
                "range": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["start", "end"],
                    "properties": {"start": POSITION, "end": POSITION},
                },
            },
        },
        "severity": {"enum": ["WARNING", "INFO"]},
        "source": {"const": {"name": "venire"}},
        "code": {"type": "object", "required": ["value"], "properties": {"value": {"type": "string", "minLength": 1}}},
    },
}
"""``Diagnostic`` of ``reviewdog.proto``, narrowed to what is written: whole lines have no columns, nothing is an ERROR."""


def rows(pool: Pool) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in render(pool, "rdjsonl").split("\n")[:-1]]
    for row in found:
        jsonschema.validate(row, DIAGNOSTIC)
        if span := row["location"].get("range"):
            assert span["start"]["line"] <= span["end"]["line"]
    return found


@pytest.mark.parametrize("name", POOLS)
def test_every_line_is_a_diagnostic(name: str) -> None:
    rows(POOLS[name]())


@given(evil)
@settings(max_examples=25, deadline=None)
def test_hostile_text_stays_in_its_line(text: str) -> None:
    assert len(rows(poison(troubled(), text))) == 5


def test_a_severe_candidate_is_a_warning_and_a_frequent_one_a_hint() -> None:
    assert [row["severity"] for row in rows(pool(rare_and_severe(), candidate()))] == ["WARNING", "INFO"]


def test_the_whole_statement_is_the_range() -> None:
    (row,) = rows(pool(candidate()))
    assert row["location"] == {"path": "src/store.py", "range": {"start": {"line": 16}, "end": {"line": 16}}}
    assert row["code"] == {"value": "correctness/cor1c0ffee00"}


def test_only_a_complete_audit_may_give_an_empty_file() -> None:
    assert render(clean(), "rdjsonl") == render(nothing(), "rdjsonl") == ""
    (row,) = rows(inconclusive())
    assert row["message"] == "INCONCLUSIVE: 1 of 5 runs valid, this is not a clean result"
    assert row["location"] == {"path": "src/store.py"}


def test_an_audit_that_read_no_file_still_says_that_it_failed() -> None:
    (row,) = rows(replace(inconclusive(), coverage=(), skipped=()))
    assert row["location"] == {"path": "venire.yml"}


def test_dismissed_candidates_are_left_out() -> None:
    assert [row["code"]["value"].split("/")[0] for row in rows(judged())] == [
        "venire", "venire", "security", "correctness", "correctness",
    ]  # fmt: skip


def test_a_file_that_steers_the_audit_and_is_altered_is_a_line_of_its_own() -> None:
    assert rows(judged())[0] == {
        "message": "This change alters what decides how changes are audited", "location": {"path": "venire.yml"},
        "severity": "WARNING", "source": {"name": "venire"}, "code": {"value": "venire/altered"},
    }  # fmt: skip


def test_reviewdog_reads_every_line_and_fails_no_build(tmp_path: Path) -> None:
    """The program itself, v0.21.0 when this was written, where one was put."""
    program = os.environ.get("REVIEWDOG", "")
    if not Path(program).is_file():
        pytest.skip("REVIEWDOG names no reviewdog program")
    repo = Repo(tmp_path)
    repo.write("src/store.py", "x = 1\n")
    repo.commit()
    words = [program, "-f=rdjsonl", "-name=venire", "-reporter=local", "-filter-mode=nofilter", "-fail-level=error"]
    text = render(judged(), "rdjsonl")
    done = subprocess.run(words, input=text, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"message"') == len(text.splitlines()) == 5
