"""The recount and the assessment, which share no code, count the same in every record."""

import ast
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from support.audits import audits, seal
from support.places import prompt

from venire.assess import assess
from venire.model import Record
from venire.record import read
from venire.recount import recount
from venire.report import render

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "src" / "venire" / "recount").glob("*.py"))
DEMO = ROOT / "records" / "demo.jsonl"
GOLDEN = ROOT / "tests" / "record" / "golden" / "20260102T030405Z-a1.jsonl"


def reported(record: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render(assess(read(record)), "json"))
    return found


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_of_venire_it_imports_the_errors_alone_and_else_the_standard_library(source: Path) -> None:
    names = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    ours = {name for name in names if name.split(".")[0] == "venire"}
    assert {name for name in ours if name != "venire.errors" and not name.startswith("venire.recount")} == set()
    assert {name.split(".")[0] for name in names - ours} <= sys.stdlib_module_names


def test_the_demo_s_record_counts_the_same() -> None:
    done = recount(DEMO, reported(DEMO))

    assert done.difference == ""
    assert done.compared > 80


def test_the_golden_record_counts_the_same(tmp_path: Path) -> None:
    """Its one prompt carries no contract, so it is given one; nothing else of it is changed."""
    golden = read(GOLDEN)
    (asked,), (about,) = golden.prompts, golden.targets
    schema = prompt(about, golden.audit.panel.buckets[0].checks).schema
    path = seal(tmp_path, replace(golden, prompts=(replace(asked, schema=schema),)))
    report = reported(path)

    assert recount(path, report).difference == ""
    assert (report["counts"]["findings"], report["counts"]["prompt_tokens"]) == (1, 60)


@settings(max_examples=150)
@given(made=audits())
def test_any_audit_counts_the_same(made: Record) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = seal(Path(folder), made)
        assert recount(path, reported(path)).difference == ""
