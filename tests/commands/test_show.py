"""What a call ends with: the report, the exit code, and the last line that gives the reason for it."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.places import audit, claim, target

from venire.commands.judge import look
from venire.commands.show import show
from venire.config import Settings
from venire.errors import UsageError
from venire.model import Plan, Record

TEXT = "import os\n\n\ndef run(name):\n    os.system(name)\n"
WHOLE = audit(TEXT, {1: [claim(5, severity="high")]})


def shown(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], **changes: object) -> tuple[int, list[str]]:
    settings = Settings(root=tmp_path, output=str(tmp_path / "report.json"), format="json", **changes)  # type: ignore[arg-type]
    code = show(record, settings, "record: here")
    return int(code), capsys.readouterr().err.splitlines()


def test_a_whole_audit_without_a_gate_has_nothing_to_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(WHOLE, tmp_path, capsys) == (0, ["venire: record: here"])


def test_the_reason_comes_after_every_other_remark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = shown(WHOLE, tmp_path, capsys, gate="acknowledge")
    assert (code, lines[0]) == (1, "venire: record: here")
    assert lines[-1].startswith("venire: gate acknowledge reached: ")


def test_a_name_with_a_line_end_does_not_break_the_last_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "a\n::error::b.py"
    odd = replace(
        WHOLE,
        targets=(target(TEXT, path),),
        prompts=tuple(replace(prompt, path=path) for prompt in WHOLE.prompts),
        runs=tuple(replace(run, path=path) for run in WHOLE.runs),
    )
    code, lines = shown(odd, tmp_path, capsys, gate="acknowledge")
    assert code == 1
    assert "a\\x0a::error::b.py:5 (high) has no decision; venire decide" in lines[-1]
    assert not any(line.startswith("::") for line in lines)


def test_a_partial_audit_says_that_its_gate_was_not_passed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silent = audit(TEXT, {1: [], 2: []}, plan=Plan(runs=3))
    code, lines = shown(silent, tmp_path, capsys, gate="acknowledge")
    assert (code, lines[-1]) == (0, "venire: the gate is not reached by what was heard; the audit is partial")
    assert shown(silent, tmp_path, capsys)[1] == ["venire: record: here"]


def test_an_unfinished_audit_gives_its_reason_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = shown(replace(WHOLE, stop=None), tmp_path, capsys)
    assert code == 3
    assert lines[-1].startswith("venire: exit code 3: UNFINISHED: ")


def test_a_ledger_that_was_named_and_is_not_there_is_an_error_and_no_empty_one(tmp_path: Path) -> None:
    """A typing error must not make every decision disappear without a word."""
    missing = str(tmp_path / "decision.yml")
    with pytest.raises(UsageError, match="there is no ledger here"):
        look(Settings(root=tmp_path, decisions=missing))
    assert look(Settings(root=tmp_path, decisions=missing, files=tmp_path))[0].decisions == ()
    assert look(Settings(root=tmp_path))[0].decisions == ()
