"""Untrusted text → the same text with every control, invisible or direction-changing character written out."""

import re

_RANGES = (
    (0x00, 0x1F), (0x7F, 0xA0), (0xAD, 0xAD), (0x34F, 0x34F), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F),
    (0x890, 0x891), (0x8E2, 0x8E2), (0x115F, 0x1160), (0x1680, 0x1680), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2000, 0x200F),
    (0x2028, 0x202F), (0x205F, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xD800, 0xF8FF), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF), (0x110BD, 0x110BD), (0x110CD, 0x110CD),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0x10FFFF),
)  # fmt: skip
"""Controls, odd spaces, fillers, joiners, selectors, direction marks, tags, surrogates, private use. A fixed list, not
``unicodedata`` or ``isprintable``: their tables differ between Pythons, and the bytes of a prompt or report must not."""

UNSEEN = re.compile("[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _RANGES) + "]")
"""One character that a terminal would obey or a reader would miss (CVE-2021-42574)."""


def visible(text: str) -> str:
    """Every such character as its number: ``\\x1b``, ``\\u{202e}``."""
    return UNSEEN.sub(_number, text)


def _number(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
