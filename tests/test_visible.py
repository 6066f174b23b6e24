"""Nothing that a terminal obeys or a reader cannot see survives; everything else does."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\rb\n", "a\\x0db\\x0a"),
        ("\x9b", "\\x9b"),
        ("\u202eevil", "\\u{202e}evil"),
        ("a\u200bb", "a\\u{200b}b"),
        ("\U000e0041", "\\u{e0041}"),
        ("\ud800", "\\u{d800}"),
        ("Grüße, 世界 🙂 עברית", "Grüße, 世界 🙂 עברית"),
    ],
)
def test_characters_are_shown_as_their_number(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_what_is_shown_holds_no_control_format_private_or_surrogate_character(text: str) -> None:
    shown = visible(text)
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") for c in shown)
    assert visible(shown) == shown
