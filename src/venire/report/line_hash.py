"""A file's text → the hash GitHub tells code scanning alerts apart by, ``primaryLocationLineHash``, for each of its lines.

The scheme is that of the codeql-action's ``fingerprints``: for the characters from a line's start on, blanks and tabs left out
and every line end one ``\\n``, the polynomial hash of the first 100, in arithmetic modulo 2^64. Behind the end of the file stand
the number 65535 and then zeros. How often the hash has been seen so far, that line included, follows a colon.
"""

import re
import struct
from collections import Counter
from itertools import accumulate

BLOCK = 100
"""UTF-16 units that are hashed from the start of a line."""

FACTOR = 37
MASK = 2**64 - 1
_LEAVING = pow(FACTOR, BLOCK, 2**64)
_END = 65_535
_LINE_END = ord("\n")


def line_hashes(text: str) -> tuple[str, ...]:
    """One for each line; a line ends at ``\\n``, ``\\r\\n`` or ``\\r``, and what follows the last end is a line too."""
    values = [*_units(re.sub(r"[ \t]+", "", re.sub(r"\r\n?", "\n", text))), _END, *[0] * BLOCK]
    sums = list(accumulate(values, lambda total, value: (total * FACTOR + value) & MASK, initial=0))
    starts = [0, *(place for place, value in enumerate(values, start=1) if value == _LINE_END)]
    seen: Counter[str] = Counter()
    return tuple(_counted(f"{(sums[start + BLOCK] - sums[start] * _LEAVING) & MASK:x}", seen) for start in starts)


def _units(text: str) -> tuple[int, ...]:
    data = text.encode("utf-16-be", "surrogatepass")
    return struct.unpack(f">{len(data) // 2}H", data)


def _counted(value: str, seen: Counter[str]) -> str:
    seen[value] += 1
    return f"{value}:{seen[value]}"
