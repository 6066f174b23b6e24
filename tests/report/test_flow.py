"""Text folds at spaces where it can, in words where it must, and loses nothing."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.pools import POOLS

from venire.report import render
from venire.report.flow import Row, breaks, columns, paint


def folded(text: str, width: int) -> list[str]:
    offsets = [0, *breaks(text, width), len(text)]
    return [text[start:end] for start, end in pairwise(offsets)]


def test_prose_folds_at_spaces() -> None:
    assert folded("one two three four", 9) == ["one two ", "three ", "four"]


def test_a_long_word_after_an_indent_is_folded_inside() -> None:
    assert folded("  " + "x" * 20, 10) == ["  xxxxxxxx", "xxxxxxxxxx", "xx"]


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    assert columns("a宽e\u0301🦊") == 6
    assert folded("宽宽宽", 4) == ["宽宽", "宽"]


@example(text="宽 \u0301 a宽", width=2)
@given(st.text(alphabet="ab 宽\u0301", max_size=60), st.integers(2, 20))
@settings(max_examples=50, deadline=None)
def test_folding_loses_nothing_and_fits(text: str, width: int) -> None:
    lines = folded(text, width)
    assert "".join(lines) == text
    assert all(columns(line.rstrip(" ")) <= width for line in lines)


def test_folded_lines_hang_below_the_body() -> None:
    row = Row("- ", (("alpha beta gamma delta epsilon", ""),))
    assert paint([row], width=22, color=False) == "- alpha beta gamma\n  delta epsilon\n"
    assert paint([row._replace(hang="| ")], width=22, color=False) == "- alpha beta gamma\n| delta epsilon\n"


def test_a_short_row_is_cut_only_where_enough_of_its_last_piece_remains() -> None:
    body = (("name ", ""), ("w" * 60, ""))
    assert paint([Row("", body, is_short=True)], width=40, color=False) == "name " + "w" * 34 + "…\n"
    assert paint([Row("", body, is_short=True)], width=20, color=False).count("\n") == 4


@pytest.mark.parametrize("width", [40, 63, 100])
@pytest.mark.parametrize("name", sorted(POOLS))
def test_styles_change_nothing_but_colour(name: str, width: int) -> None:
    styled = render(POOLS[name](), "terminal", width=width, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", styled) == render(POOLS[name](), "terminal", width=width)
