"""Letters and bytes of a figure: nothing hostile is drawn as more than letters, nothing depends on the machine."""

import sys

import pytest
from hypothesis import given, settings
from support.pools import FRAGMENTS, evil

from venire.errors import UsageError
from venire.report.measured.sheet import KNOWN, OTHER, PAPER, UNTOLD, Sheet, extent, fitted, inert, look


def luminance(color: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_known_and_other_findings_are_told_apart_in_grey_and_by_hatch() -> None:
    assert contrast(KNOWN.fill, OTHER.fill) > 4.5
    assert KNOWN.hatch != OTHER.hatch
    assert all(contrast(shade.edge, PAPER) > 3 for shade in (KNOWN, OTHER, UNTOLD))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "(empty)"), ("$x^2$", "$x^2$"), ("a\u202eb", "a\\u{202e}b"), ("宽", "\\u{5bbd}"), ("e\u0301", "e\\u{301}"),
        ("\x1b[31m", "\\x1b[31m"), ("a\nb", "a\\x0ab"), ("é ß Ж", "é ß Ж"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_safely_is_written_as_its_number(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(evil)
@settings(max_examples=25, deadline=None)
def test_a_text_is_cut_to_its_room(text: str) -> None:
    assert extent(fitted(inert(text * 20), 90, 9), 9) <= 90.1


def test_a_text_that_fits_is_left_alone() -> None:
    assert fitted("ResourceLeak", extent("ResourceLeak", 9), 9) == "ResourceLeak"


@pytest.mark.parametrize("text", FRAGMENTS)
def test_no_text_makes_a_sheet_fail_or_grow(text: str) -> None:
    """matplotlib reads dollars as formulas unless it is told not to, and warns of letters it lacks, which fails a test."""
    with look("test"):
        sheet = Sheet(200, 50)
        sheet.say(5, 25, inert(text * 30))
        assert b'viewBox="0 0 200 50"' in sheet.printed("svg")


def test_without_matplotlib_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match="not installed") as raised, look("test"):
        pass
    assert raised.value.remedy == "pip install 'venire[stats]'"
