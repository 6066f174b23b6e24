"""Tokens carry what the code says and nothing of how it is laid out."""

import pytest

from venire.assess.tokens import by_line


def flat(source: str) -> list[str]:
    return [token for row in by_line(source).values() for token in row]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("x = f(1, 2)", "x=f( 1,2 )  # why"),
        ("x = f(1,\n      2)", "x = f(1, 2)"),
        ("x = 1 + \\\n    2", "x = 1 + 2"),
        ("\tx = 1", "        x = 1\n\n# end\n"),
        ('x = """a\n  b"""', 'x = """a\n          b"""'),
    ],
)
def test_comments_blanks_and_layout_leave_no_token(one: str, two: str) -> None:
    assert flat(one) == flat(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ('x = "a  b"', 'x = "a b"'),
        ('x = "# no comment"', 'x = "# another"'),
        ("x = ab", "x = a b"),
        (r'x = "\" # in"', r'x = "\" # on"'),
        ("x = rb'''\n#1\n'''", "x = rb'''\n#2\n'''"),
    ],
)
def test_a_different_string_or_word_is_a_different_token(one: str, two: str) -> None:
    assert flat(one) != flat(two)


def test_a_long_string_stands_on_the_line_it_starts_on() -> None:
    assert by_line('x = """\n\n"""\ny = 2\n') == {1: ["x", "=", '"""\n"""'], 4: ["y", "=", "2"]}


def test_an_unclosed_quote_does_not_swallow_the_rest() -> None:
    assert flat("x = '\ny") == ["x", "=", "'", "y"]
