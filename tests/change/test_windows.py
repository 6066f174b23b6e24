"""Windows stay in the budget, show every changed line or name it, and cut where a reader would."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from venire.change import cut
from venire.change.content import HUNKS_ONLY
from venire.change.diff import merged
from venire.model import Lines, Target


def target(text: str, *changed: Lines, language: str = "python", notes: tuple[str, ...] = ()) -> Target:
    return Target("a", "0" * 64, text, language, changed, notes=notes)


def cost(lines: tuple[str, ...], shown: tuple[Lines, ...]) -> int:
    return sum(len(f"{number}: {lines[number - 1]}\n".encode()) for first, last in shown for number in range(first, last + 1))


def numbers(ranges: tuple[Lines, ...]) -> list[int]:
    return [number for first, last in ranges for number in range(first, last + 1)]


PYTHON = """\
import os
import sys

LIMIT = 3


# about f
@wraps
def f(a):
    x = a
    return x


def g(b):
    y = b
    return y


class C:
    def first(self):
        return 1

    def second(self):
        z = 2
        return z
"""


def test_a_file_that_fits_is_one_window() -> None:
    whole = target(PYTHON, (9, 9))
    budget = cost(whole.lines, ((1, 25),))
    assert [window.shown for window in cut(whole, budget).windows] == [((1, 25),)]
    assert [window.shown for window in cut(whole, budget - 1).windows] != [((1, 25),)]


def test_a_window_holds_the_changed_definitions_and_the_imports() -> None:
    windows = cut(target(PYTHON, (10, 10)), 170).windows
    assert [window.shown for window in windows] == [((1, 2), (7, 13))]
    windows = cut(target(PYTHON, (10, 10), (15, 15)), 220).windows
    assert [window.shown for window in windows] == [((1, 2), (7, 18))]
    windows = cut(target(PYTHON, (10, 10), (15, 15)), 150).windows
    assert [(window.index, window.shown) for window in windows] == [(0, ((1, 2), (7, 13))), (1, ((1, 2), (14, 18)))]


def test_a_definition_that_does_not_fit_is_cut_between_statements_with_its_headers() -> None:
    done = cut(target(PYTHON, (24, 24)), 90)
    assert [window.shown for window in done.windows] == [((19, 19), (23, 25))]
    body = "".join(f"    step_{number}()\n" for number in range(100))
    done = cut(target("def f():\n" + body, (50, 50)), 300)
    (window,) = done.windows
    assert window.shown[0] == (1, 1)
    assert 50 in numbers(window.shown)


def test_other_languages_are_cut_at_blank_lines_before_the_margin() -> None:
    text = "use x;\n\nfn a() {\n    1\n\n    2\n}\n\nfn b() {\n    3\n}\n\n}\nfn c() {}\n"
    done = cut(target(text, (10, 10), language="rust"), 70)
    assert [window.shown for window in done.windows] == [((1, 2), (9, 14))]


def test_python_that_does_not_parse_is_cut_by_its_layout() -> None:
    text = "def (:\n    1\n\nx = 1\n\ny = 2\n"
    assert [window.shown for window in cut(target(text, (4, 4)), 20).windows] == [((4, 5),)]


def test_a_lone_carriage_return_does_not_shift_the_lines_of_python() -> None:
    text = "x = 1 #\rcomment\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert [window.shown for window in cut(target(text, (9, 9)), 45).windows] == [((8, 9),)]


def test_a_line_above_the_budget_is_uncovered_and_its_neighbours_are_shown() -> None:
    text = "a = 1\nb = '" + "x" * 500 + "'\nc = 3\n"
    done = cut(target(text, (1, 3)), 100)
    assert done.uncovered == ((2, 2),)
    assert numbers(merged(item for window in done.windows for item in window.shown)) == [1, 3]


def test_where_only_hunks_are_known_the_blank_rest_is_not_shown() -> None:
    text = "\n" * 99 + "a\n\nb\n" + "\n" * 100 + "c\n"
    done = cut(target(text, (100, 102), (203, 203), notes=(HUNKS_ONLY,)), 1000)
    assert [window.shown for window in done.windows] == [((100, 102), (203, 203))]


@pytest.mark.parametrize("text", ["", "\n", "x", "\n\n\n", "x\r\ny\r\n"])
def test_small_files_are_cut_without_ado(text: str) -> None:
    lines = len(target(text).lines)
    done = cut(target(text, *([(1, lines)] if lines else [])), 100)
    assert numbers(merged(item for window in done.windows for item in window.shown)) == list(range(1, lines + 1))


LINE = st.sampled_from(
    [
        *("", "import os", "x = 1", "def f():", "    y = 2", "    return y", "class C:", "    def m(self):", "        'é'"),
        *("}", "#", "@d", "    if x:", "x = '" + "long" * 9 + "'", "\tfoo\r", "if (a) {"),
    ]
)


@st.composite
def targets(draw: st.DrawFn) -> Target:
    lines = draw(st.lists(LINE, min_size=1, max_size=60))
    changed = draw(st.sets(st.integers(1, len(lines)), min_size=1))
    language = draw(st.sampled_from(["python", "rust"]))
    notes = draw(st.sampled_from([(), (HUNKS_ONLY,)]))
    return target("\n".join(lines) + "\n", *merged((line, line) for line in changed), language=language, notes=notes)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(targets(), st.integers(0, 400))
def test_every_changed_line_is_shown_or_named_and_no_window_is_above_the_budget(whole: Target, budget: int) -> None:
    done = cut(whole, budget)
    shown = set()
    for index, window in enumerate(done.windows):
        assert window.index == index
        assert window.shown == merged(window.shown)
        assert window.shown
        assert window.shown[0][0] >= 1
        assert window.shown[-1][1] <= len(whole.lines)
        assert cost(whole.lines, window.shown) <= budget
        shown |= set(numbers(window.shown))
    wanted = set(numbers(whole.changed))
    assert set(numbers(done.uncovered)) == wanted - shown
    if HUNKS_ONLY not in whole.notes:
        assert all(len(f"{line}: {whole.lines[line - 1]}\n".encode()) > budget for line in wanted - shown)
    assert cut(whole, budget) == done
