"""The line map: equal words, in order, each line once, whatever the two versions are."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from venire.assess.linemap import line_map

lines = st.lists(st.sampled_from(["a", "b", "c", " a", "a  b", "", "x = 1", "y = 2", "return", "pass", "{", "}"]), max_size=30)


@given(lines, lines)
def test_mapped_lines_have_equal_words_keep_their_order_and_map_once(old: list[str], new: list[str]) -> None:
    found = sorted(line_map(old, new).items())
    assert all(old[x - 1].split() == new[y - 1].split() != [] for x, y in found)
    assert all(a < b for (_, a), (_, b) in pairwise(found))


@given(lines, lines, lines)
def test_lines_put_above_and_below_move_the_rest_as_a_whole(text: list[str], above: list[str], below: list[str]) -> None:
    marked = ["the first line", *text, "the last line"]
    mapped = line_map(marked, [*(f"new {line}" for line in above), *marked, *(f"new {line}" for line in below)])
    assert mapped == {n: n + len(above) for n, line in enumerate(marked, 1) if line.strip()}


def test_indentation_is_layout() -> None:
    assert line_map(["if x:", "    y()"], ["    if x:", "        y()"]) == {1: 1, 2: 2}


def test_unique_lines_pin_a_file_too_long_to_compare_line_by_line() -> None:
    old = [f"line {n}" for n in range(2000)]
    new = [line for n, line in enumerate(old) if n % 7] + ["end"]
    assert line_map(old, new) == {n + 1: place for place, n in enumerate((n for n in range(2000) if n % 7), 1)}


def test_a_long_file_without_any_unique_line_costs_little_and_maps_its_equal_ends() -> None:
    """Repeated lines are what makes ``difflib`` quadratic; here they stay unmapped in the middle."""
    old, new = ["{", "}"] * 20_000, ["start", *["}", "{"] * 20_000]
    assert line_map(["top", *old], ["top", *new])[1] == 1
