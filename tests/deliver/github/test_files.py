"""Outputs and summary, as the runner reads them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.deliver.github import outputs, summarise
from venire.deliver.github.files import SUMMARY
from venire.errors import UsageError


def as_the_runner_reads(text: str) -> dict[str, str]:
    """name<<delimiter, lines, delimiter: the rule of the runner's file commands (actions/runner, FileCommandManager)."""
    lines, found, position = text.split("\n"), {}, 0
    while position < len(lines) - 1:
        name, _, delimiter = lines[position].partition("<<")
        end = lines.index(delimiter, position + 1)
        found[name] = "\n".join(lines[position + 1 : end])
        position = end + 1
    return found


@given(st.dictionaries(st.sampled_from(["status", "record", "head"]), st.text(st.characters(exclude_characters="\r"))))
def test_no_value_ends_its_entry_or_begins_another(tmp_path_factory: pytest.TempPathFactory, values: dict[str, str]) -> None:
    file = tmp_path_factory.mktemp("job") / "output"
    outputs(str(file), values)
    written = file.read_bytes().decode()
    assert as_the_runner_reads(written) == {
        name: value.encode("utf-8", "backslashreplace").decode() for name, value in values.items()
    }


def test_what_another_step_wrote_stays(tmp_path: Path) -> None:
    file = tmp_path / "output"
    file.write_text("theirs=1\n")
    outputs(str(file), {"record": "x\nghadelimiter_0\nPATH=/evil"})
    assert file.read_text().startswith("theirs=1\nrecord<<ghadelimiter_")


def test_two_values_have_two_delimiters(tmp_path: Path) -> None:
    outputs(str(tmp_path / "a"), {"a": "1", "b": "2"})
    found = [line.partition("<<")[2] for line in (tmp_path / "a").read_text().splitlines() if "<<" in line]
    assert len(set(found)) == 2
    assert all(len(delimiter) == len("ghadelimiter_") + 32 for delimiter in found)


def test_a_summary_is_whole_or_not_there(tmp_path: Path) -> None:
    file = str(tmp_path / "summary")
    assert summarise(file, "ä" * (SUMMARY // 2 - 10))
    assert not summarise(file, "x" * 21)
    assert summarise(file, "x" * 20)
    assert (tmp_path / "summary").stat().st_size == SUMMARY


def test_a_file_that_cannot_be_written_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no/such"):
        outputs(str(tmp_path / "no/such"), {"a": "b"})
    with pytest.raises(UsageError):
        summarise(str(tmp_path), "x")
