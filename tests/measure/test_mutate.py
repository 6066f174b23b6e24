"""A mutant of any real function is one change, parses, means something else, and its truth is where the change is."""

import ast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.library import originals, some_function

from venire.measure.mutate import KINDS, Mutation, mutate, mutations, sites
from venire.measure.source import read


@st.composite
def planted(draw: st.DrawFn) -> tuple[str, Mutation]:
    """A real function and one of its mutations."""
    code = read(draw(some_function()).text)
    places = list(sites(code, draw(st.sampled_from(KINDS))))
    assume(places)
    made = mutate(code, draw(st.sampled_from(places)))
    assume(made is not None)
    assert made is not None
    return code.raw.decode(), made


def restored(text: str, made: Mutation) -> list[tuple[int, int]]:
    """The lines of the mutant that give the original when ``before`` is put back for them; a gap is (n + 1, n)."""
    rows, old, new = made.text.split("\n"), made.before.split("\n"), made.after.split("\n") if made.after else []
    return [
        (n + 1, n + len(new))
        for n in range(len(rows) + 1)
        if rows[n : n + len(new)] == new and spoken([*rows[:n], *old, *rows[n + len(new) :]]) == spoken(text.split("\n"))
    ]


def spoken(rows: list[str]) -> list[str]:
    """Without blank lines: those before a last line that is gone go with it."""
    return [row for row in rows if row.strip()]


def is_code(row: str) -> bool:
    return row.strip() != "" and not row.strip().startswith("#")


@settings(deadline=None, max_examples=150)
@given(planted())
def test_a_mutant_is_a_program_and_another_one(pair: tuple[str, Mutation]) -> None:
    text, made = pair
    assert ast.dump(ast.parse(made.text)) != ast.dump(ast.parse(text))


@settings(deadline=None, max_examples=150)
@given(planted())
def test_one_change_makes_the_mutant_and_the_truth_covers_it(pair: tuple[str, Mutation]) -> None:
    """Putting the old lines back where the truth is gives the original, so nothing else was changed."""
    text, made = pair
    assume(not made.before.lstrip().startswith("with "))  # its block moves; the next test
    first, last = made.lines
    rows = made.text.split("\n")
    for low, high in restored(text, made):
        if low <= high and first <= low and high <= last:
            return
        is_end = not any(map(is_code, rows[high:]))
        if low > high and not any(map(is_code, rows[first:high])) and (is_end or not any(map(is_code, rows[high : last - 1]))):
            return
    raise AssertionError((made.before, made.after, made.lines))


@settings(deadline=None, max_examples=60)
@given(some_function())
def test_a_dropped_with_moves_its_block_and_changes_one_statement(original: object) -> None:
    for made in mutations(original.text, "close or with dropped"):  # type: ignore[attr-defined]
        if made.before.lstrip().startswith("with "):
            old, new = ([line.strip() for line in text.split("\n")] for text in (original.text, made.text))  # type: ignore[attr-defined]
            first, last = made.lines
            taken = len(made.before.split("\n"))
            assert old[: first - 1] == new[: first - 1]
            assert old[first - 1 + taken :] == new[last:]


@settings(deadline=None, max_examples=150)
@given(planted())
def test_a_truth_is_within_the_text_and_on_code(pair: tuple[str, Mutation]) -> None:
    _, made = pair
    rows = made.text.split("\n")
    first, last = made.lines
    assert 1 <= first <= last < len(rows)
    assert rows[first - 1].strip()
    assert rows[last - 1].strip()


def test_every_kind_is_found_in_real_code() -> None:
    codes = [read(original.text) for original in originals()]
    assert {kind for kind in KINDS if any(mutate(code, site) for code in codes for site in sites(code, kind))} == set(KINDS)


def test_docstrings_comments_and_hints_are_never_changed() -> None:
    text = 'def f(a: "x < y" = 0) -> "a[1]":\n    """a < b, range(3)"""\n    # a < b\n    assert a < 1\n    return None\n'
    assert list(mutations(text)) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_hold_for_any_line_end_and_any_letters(end: str) -> None:
    text = end.join(("def f(größe, b):", "    ß = '€'; größe < b", "    return ß + größe", ""))
    found = {made.text for made in mutations(text, "comparison flipped")}
    assert found == {text.replace("größe < b", f"größe {sign} b") for sign in ("<=", ">")}


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        list(mutations("def f(:\n"))
    with pytest.raises((SyntaxError, ValueError)):
        list(mutations("a\0b"))


def test_a_gap_at_the_end_lies_on_the_last_line() -> None:
    (made,) = mutations("def f(a):\n    b = a + 1\n    # done\n\n    return b\n", "missing return")
    assert (made.text, made.lines) == ("def f(a):\n    b = a + 1\n    # done\n", (2, 2))
