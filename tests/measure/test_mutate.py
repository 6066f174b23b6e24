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


def restored(text: str, made: Mutation) -> set[tuple[tuple[int, int], str]]:
    """What putting ``before`` back for ``after`` gives, anywhere in the text, and the lines that were put back for."""
    rows, old, new = made.text.split("\n"), made.before.split("\n"), made.after.split("\n") if made.after else []
    places = [n for n in range(len(rows) + 1) if rows[n : n + len(new)] == new]
    return {((n + 1, n + len(new)), spoken([*rows[:n], *old, *rows[n + len(new) :]])) for n in places}


def spoken(rows: list[str]) -> str:
    """Without blank lines: those before a last line that is gone go with it."""
    return "\n".join(row for row in rows if row.strip())


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
    around = 1 if not made.after else 0  # a gap lies between two lines
    assert any(
        whole == spoken(text.split("\n")) and first <= low + around and high <= last
        for (low, high), whole in restored(text, made)
    ), (made.before, made.after, made.lines)


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
