"""Foreign text does nothing in any sink: not to a terminal, not to a CI runner, not to the form around it."""

import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pools import FRAGMENTS, candidate, evil, poison, pool, troubled

from venire.report import FORMS, render
from venire.report.inert import code, fence, plain, span, tail, unspoken

MUTE = tuple(form for form in FORMS if form != "annotations")
"""The forms that give a runner no command at all."""

STYLE = re.compile(r"\x1b\[[\d;]*m")


def runner_commands(log: str) -> list[str]:
    """Lines a CI runner would obey: both forms of command, as its parser recognises them."""
    lines = re.split(r"\r\n|\n|\r", log)
    return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


def dangerous(report: str) -> set[str]:
    """Characters that a terminal obeys or a reader cannot see."""
    return {char for char in report if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}


def evil_everywhere(text: str) -> list[str]:
    hostile = poison(troubled(), text)
    colored = STYLE.sub("", render(hostile, "terminal", color=True))
    return [colored, *(render(hostile, form) for form in MUTE)]


@pytest.mark.parametrize("text", FRAGMENTS)
def test_every_known_attack_is_inert_in_every_form(text: str) -> None:
    for report in evil_everywhere(text):
        assert dangerous(report) == set()
        assert runner_commands(report) == []


@given(evil)
@settings(max_examples=25, deadline=None)
def test_no_text_reaches_a_terminal_or_a_runner_as_a_command(text: str) -> None:
    for report in evil_everywhere(text):
        assert dangerous(report) == set()
        assert runner_commands(report) == []


@given(st.integers(40, 120), evil)
@settings(max_examples=25, deadline=None)
def test_no_fold_puts_a_command_at_the_start_of_a_line(width: int, text: str) -> None:
    """A fold may fall anywhere in a long word, so also before the two colons."""
    name = "x" * (width - 3) + "::error::y" + text
    assert runner_commands(render(poison(troubled(), name), "terminal", width=width)) == []


def test_a_command_made_of_our_text_and_theirs_is_broken_too() -> None:
    assert unspoken("ok\n  ::error::x\n\x1b[1m::y\na::b ##[group]") == "ok\n  \\x3a:error::x\n\x1b[1m\\x3a:y\na::b #\\x23[group]"


def test_each_hidden_character_is_shown_by_its_number() -> None:
    assert plain("a\x1b[2Jb\rc\x9bd\u202ee\U000e0041f\ud800g") == r"a\x1b[2Jb\x0dc\x9bd\u{202e}e\u{e0041}f\u{d800}g"


def test_letters_of_every_script_stay_as_they_are() -> None:
    assert plain("naïve 変数 переменная 🦊 – “x”") == "naïve 変数 переменная 🦊 – “x”"


@given(evil, st.integers(1, 60))
@settings(max_examples=50, deadline=None)
def test_a_shown_text_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(plain(text, limit)) <= limit
    assert len(code(text, limit)) <= limit


def test_what_is_cut_shows_an_ellipsis_and_no_half_of_a_number() -> None:
    assert plain("abcdef", 6) == "abcdef"
    assert plain("abcdefg", 6) == "abcde…"
    assert plain("abc\x1bdef", 6) == "abc…"


def test_a_line_of_50_megabytes_is_cut_at_once() -> None:
    assert code("\t" + "x" * 50_000_000) == "    " + "x" * 195 + "…"


def test_tabs_in_code_keep_the_columns() -> None:
    assert code("\tif x:\t# why") == "    if x:   # why"


def test_a_long_path_keeps_its_end() -> None:
    assert tail("a/" * 200 + "file.py", 20) == "…" + "a/a/a/a/a/a/file.py"
    assert tail("file.py", 20) == "file.py"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "`plain`"),
        ("a`b", "``a`b``"),
        ("``", "``` `` ```"),
        (" x ", "`  x  `"),
        ("", "(empty)"),
        ("<!-- m -->", "`<\\x21-- m -->`"),
        ("a\nb", "`a\\x0ab`"),
        ("x" + "`" * 16, "`" * 17 + " x" + "`" * 16 + " " + "`" * 17),
        ("x" + "`" * 17, "`x\\x60×17`"),
    ],
)
def test_a_code_span_holds_any_text(text: str, expected: str) -> None:
    assert span(text) == expected


@given(st.lists(evil.map(plain), max_size=4))
@settings(max_examples=50, deadline=None)
def test_a_fence_is_longer_than_any_run_of_backticks_inside(lines: list[str]) -> None:
    first, *body, last = fence(lines)
    assert first == last + "text"
    assert all(len(run) < len(last) for line in body for run in re.findall("`+", line))


def test_markup_of_the_terminal_library_is_printed_as_it_is() -> None:
    said = "[red]stop[/red] [link=https://e.example]here[/link] :warning:"
    assert said in render(pool(candidate(problem=said)), "terminal", color=True)


def test_a_long_code_line_and_a_long_problem_are_cut_for_people_and_whole_for_programs() -> None:
    one = candidate(code=((16, "y" * 5000),), problem="z" * 5000, problems=("z" * 5000,))
    for form in ("terminal", "markdown"):
        text = re.sub(r"\n┃ *(│ )?", "", render(pool(one), form))
        assert max(map(len, re.findall("y+", text))) < 201
        assert max(map(len, re.findall("z+", text))) < 501
    assert "y" * 5000 in render(pool(one), "json")
    assert "z" * 5000 in render(pool(one), "json")


def test_a_path_with_a_newline_stays_on_its_line() -> None:
    one = replace(candidate(), path="::add-mask::x\n::error::hi")
    for form in MUTE:
        assert runner_commands(render(pool(one), form)) == []
