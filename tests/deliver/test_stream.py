"""A report goes out whole or not at all; a message can neither move a cursor nor start a workflow command."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.deliver import deliver, note, paper
from venire.errors import UsageError


def test_a_report_goes_to_standard_output_as_utf_8(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    deliver("█ \ud800\n")
    assert capfdbinary.readouterr().out == "█ \\ud800\n".encode()


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("old")
    deliver("new", str(tmp_path / "report"))
    assert [p.name for p in tmp_path.iterdir()] == ["report"]
    assert (tmp_path / "report").read_text() == "new"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="missing/report"):
        deliver("new", str(tmp_path / "missing" / "report"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="folder"):
        deliver("new", str(tmp_path / "folder"))
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


class Pieces(list[str]):
    """A stream that keeps what is written to it."""

    def write(self, text: str) -> None:
        self.append(text)

    def flush(self) -> None:
        pass


EVIL = ["::error::x", "##[error]x", "a\n::set-output name=x::y", "\x1b]52;c;x\x07", "a\r::debug::"]


@given(text=st.text() | st.sampled_from(EVIL))
def test_every_line_of_a_message_begins_with_our_name(text: str) -> None:
    pieces = Pieces()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", pieces)
        note(text)
    out = "".join(pieces)
    assert all(line.startswith("venire: ") for line in out.removesuffix("\n").split("\n"))
    assert "##[" not in out
    assert not any(c in out for c in "\x1b\r\x07\x9b")


def test_paper_is_100_columns_without_colour_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    assert paper(columns=0, no_color=False, force_color=False) == (100, False)
    assert paper(columns=80, no_color=False, force_color=True) == (80, True)
    assert paper(columns=5, no_color=False, force_color=False)[0] == 40
