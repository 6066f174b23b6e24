"""A claimed line and quote → the statement meant, and how it was found."""

from collections.abc import Sequence

from venire.assess.anchors import Layout
from venire.model import Located

ENOUGH = 8
"""Characters a quote needs before it may be found inside a longer line."""

ESCAPE = "\\u{"
"""How a prompt writes what no reader can see. A file may hold these characters as they are, to draw a claim to another line."""


def locate(layout: Layout, lines: Sequence[str], line: int, quote: str = "") -> tuple[int, Located]:
    """The index of the one anchor a claim points at, and how.

    A quote that occurs in the file decides, at the occurrence nearest to ``line`` (ties: the smaller line); else the line,
    clamped to the file. ``exact``: the claimed line is part of the statement. ``snapped``: moved by the quote, or from a
    blank line, a comment or the like. ``clamped``: the line is outside the file. ``file``: there are no lines to point at.
    """
    if not lines:
        return 0, "file"
    found = _quoted(lines, line, quote)
    meant = found or min(max(line, 1), len(lines))
    anchor = layout.owner(meant)
    if meant == line:
        return anchor.index, "exact" if anchor.first <= line <= anchor.last and lines[line - 1].strip() else "snapped"
    return anchor.index, "snapped" if found else "clamped"


def _quoted(lines: Sequence[str], line: int, quote: str) -> int:
    """``line`` if it holds the first line of the quote, else the nearest that equals it, else that holds it; 0 for none."""
    wanted = next(filter(None, (_squeezed(part) for part in quote.split("\n"))), "")
    if not wanted:
        return 0
    if 1 <= line <= len(lines) and wanted in _squeezed(lines[line - 1]):
        return line
    if ESCAPE in wanted:
        return 0
    texts = [_squeezed(text) for text in lines]
    hits = [n for n, text in enumerate(texts, start=1) if text == wanted]
    if not hits and len(wanted) >= ENOUGH:
        hits = [n for n, text in enumerate(texts, start=1) if wanted in text]
    return min(hits, key=lambda n: (abs(n - line), n), default=0)


def _squeezed(text: str) -> str:
    return " ".join(text.removeprefix("\ufeff").split())
