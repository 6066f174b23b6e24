"""What the README says is what the program does."""

import re
from pathlib import Path

import pytest
from support.cli import venire

from venire.errors import Exit

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def block(after: str) -> str:
    """The first fenced block behind a text."""
    found = re.search(r"```\w*\n(.*?)```", README[README.index(after) :], re.DOTALL)
    assert found
    return found[1]


def test_the_first_forty_lines_hold_one_sentence_real_output_and_the_two_commands() -> None:
    top = "\n".join(README.split("\n")[:40])
    assert "venire audits a code change N times" in top
    assert "$ venire replay --example" in top
    assert "make demo" in top
    assert "make test" in top


def test_the_output_shown_is_the_example_record_s(tmp_path: Path) -> None:
    command, *shown = block("real output").rstrip("\n").split("\n")
    assert command == "$ venire replay --example"
    real = venire("replay", "--example", cwd=tmp_path, env={"COLUMNS": "90"}).out.split("\n")
    assert shown[-1] == "…"
    assert shown[:-1] == real[: len(shown) - 1]


@pytest.mark.parametrize("code", list(Exit))
def test_every_exit_code_is_in_the_table(code: Exit) -> None:
    assert re.search(rf"^\| {int(code)} \| ", README, re.MULTILINE)


def test_every_command_shown_is_understood(tmp_path: Path) -> None:
    """Each ``venire …`` line of the README names a command and options that exist."""
    shown = "".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
    lines = re.findall(r"^venire (\w+)([^#\n]*)", shown, re.MULTILINE)
    assert len(lines) > 8
    for command, rest in lines:
        usage = venire(command, "--help", cwd=tmp_path)
        assert usage.code == 0, command
        assert all(flag in usage.out for flag in re.findall(r"(?<!\S)(--\w[\w-]*)", rest)), (command, rest)


def test_every_option_named_in_prose_exists(tmp_path: Path) -> None:
    usage = venire("audit", "--help", cwd=tmp_path).out
    (prose,) = re.findall(r"^Often used: (.*)$", README, re.MULTILINE)
    for flag in re.findall(r"`(-{1,2}[\w-]+)", prose):
        assert re.search(rf"(?<!\w){re.escape(flag)}\b", usage), flag


def test_every_local_link_leads_somewhere() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            assert link.startswith("http") or (page.parent / link).exists(), (page.name, link)
