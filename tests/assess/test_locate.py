"""A claim lands on one statement, and how it got there is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import layout, target

from venire.assess.locate import locate

TEXT = """\
import os

def f(x):
    # unsafe
    return os.popen(x)

def g(x):
    return os.popen(x)  # again
"""
LINES = target(TEXT).lines


def at(line: int, quote: str = "") -> tuple[int, str]:
    made = layout(TEXT)
    index, how = locate(made, LINES, line, quote)
    return made.anchors[index].first, how


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (3, (3, "exact")),
        (4, (5, "snapped")),
        (2, (1, "snapped")),
        (0, (1, "clamped")),
        (-7, (1, "clamped")),
        (99, (8, "clamped")),
    ],
)
def test_a_line_without_a_quote_goes_to_its_statement(line: int, expected: tuple[int, str]) -> None:
    assert at(line) == expected


@pytest.mark.parametrize(
    ("line", "quote", "expected"),
    [
        pytest.param(5, "    return os.popen(x)", (5, "exact"), id="the quote is the line"),
        pytest.param(4, "return os.popen(x)", (5, "snapped"), id="nearest occurrence below"),
        pytest.param(7, "return  os.popen(x)", (5, "snapped"), id="a whole line goes before part of one"),
        pytest.param(7, "popen(x)  # again", (8, "snapped"), id="part of a line"),
        pytest.param(8, "return os.popen", (8, "exact"), id="a quote cut short stays on its line"),
        pytest.param(3, "x", (3, "exact"), id="a short quote on its line"),
        pytest.param(2, "g(x)", (1, "snapped"), id="a short quote is not looked for inside lines"),
        pytest.param(3, "nowhere in the file", (3, "exact"), id="a quote that does not occur"),
        pytest.param(99, "def g(x):", (7, "snapped"), id="a quote saves a line outside"),
        pytest.param(1, "\n  def g(x):\n    return 1", (7, "snapped"), id="the first line of a long quote"),
    ],
)
def test_a_quote_that_occurs_decides(line: int, quote: str, expected: tuple[int, str]) -> None:
    assert at(line, quote) == expected


def test_of_two_equally_near_lines_the_smaller_is_meant() -> None:
    text = "f(1)\nx = 1\nf(1)\n"

    assert locate(layout(text), target(text).lines, 2, "f(1)") == (0, "snapped")


def test_a_line_with_unseen_characters_cannot_send_its_claims_elsewhere() -> None:
    """A prompt shows line 1 with its zero-width space spelled out; line 3 has that very spelling."""
    lines = ("eval(x\u200b)", "", "# eval(x\\u{200b})", "y = 1")

    assert locate(layout("\n".join(lines)), lines, 1, "eval(x\\u{200b})") == (0, "exact")


def test_a_file_without_lines_takes_the_claim_as_a_whole() -> None:
    assert locate(layout(""), (), 3, "x") == (0, "file")


@given(st.integers(-5, 20), st.text(alphabet="defg(x): os.pn#", max_size=20))
def test_every_claim_lands_somewhere(line: int, quote: str) -> None:
    assert at(line, quote)[1] in ("exact", "snapped", "clamped")
