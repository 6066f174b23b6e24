"""A YAML file is read within limits, and every limit names its line."""

import pytest

from venire.panel.compose import ALIASES, BYTES, DEPTH, TooMuch, compose, decoded


def test_plain_yaml_is_composed() -> None:
    node = compose("a: [1, 2]\n")

    assert node is not None
    assert node.value[0][0].value == "a"


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file_has_no_root(text: str) -> None:
    assert compose(text) is None


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decoded(b"\xef\xbb\xbfa: 1") == "a: 1"


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (BOMB, 5, "more than 20000 entries"),
        ("a: &a x\nb:\n" + "- *a\n" * (ALIASES + 1), 2 + ALIASES + 1, "more than 100 aliases"),
        ("\na: " + "[" * 100_000, 2, "nested more than"),
        ("a:\n  b: &x\n    - *x\n", 2, "an alias refers to what it is part of"),
        ("- x\n" * 100_001, 19_999, "more than 20000 entries"),
    ],
    ids=["bomb", "aliases", "depth", "cycle", "entries"],
)
def test_what_would_grow_without_bound_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(TooMuch) as caught:
        compose(text)

    assert message in caught.value.args[1]
    assert caught.value.args[0] == line


def test_aliases_and_depth_up_to_the_limits_are_read() -> None:
    assert compose("a: &a x\nb:\n" + "- *a\n" * ALIASES) is not None
    assert compose("[" * DEPTH + "]" * DEPTH) is not None
    with pytest.raises(TooMuch):
        compose("[" * (DEPTH + 1) + "]" * (DEPTH + 1))


def test_bytes_that_are_not_utf8_name_their_line() -> None:
    with pytest.raises(TooMuch) as caught:
        decoded(b"a: 1\nb: \xff\n")

    assert caught.value.args == (2, "not UTF-8: save the file as UTF-8")


def test_a_file_over_the_limit_is_not_parsed() -> None:
    with pytest.raises(TooMuch, match="larger"):
        decoded(b"#" * (BYTES + 1))
