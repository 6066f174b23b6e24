"""Rows of styled text, folded to a width. Pure text work: neither the terminal nor its environment is asked anything."""

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

Piece = tuple[str, str]
"""Text and its style."""


class Row(NamedTuple):
    """A line of the report: a lead in the margin, and a body that folds below itself. ``hang`` leads the folded lines."""

    lead: str
    body: tuple[Piece, ...]
    hang: str = ""
    style: str = ""  # of lead and hang
    is_short: bool = False  # the last piece may be cut to keep one line


def cells(char: str) -> int:
    """Columns a character takes (Unicode TR 11: wide and fullwidth take two; combining marks none)."""
    if char < "\u0300":
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def columns(text: str) -> int:
    return sum(map(cells, text))


def breaks(text: str, width: int) -> list[int]:
    """Offsets at which new lines begin: after the last space in the right half, else in a word. Greedy."""
    offsets: list[int] = []
    start, space, used = 0, -1, 0
    for index, char in enumerate(text):
        used += cells(char)
        while used > width and char != " " and index > start:  # twice when what follows the space is itself too wide
            # A space far to the left (an indent before one long word) is no place to fold.
            start = space + 1 if space - start >= width // 2 else index
            offsets.append(start)
            used = columns(text[start : index + 1])
        if char == " ":
            space = index
    return offsets


def _shortened(body: tuple[Piece, ...], room: int) -> tuple[Piece, ...]:
    """The body with its last piece cut to one line, unless that would leave less than a few words of it."""
    *rest, (text, style) = body
    left = room - sum(columns(piece) for piece, _ in rest)
    if left < 20 or columns(text) <= left:
        return body
    kept = [char for char, end in zip(text, accumulate(map(cells, text)), strict=True) if end < left]
    return (*rest, ("".join(kept) + "…", style))


def paint(rows: Iterable[Row], *, width: int, color: bool) -> str:
    """The rows as text, with ANSI styles when ``color``. The same rows give the same bytes on every machine."""
    return _styled(rows, width) if color else "".join(line.rstrip() + "\n" for row in rows for line in _folded(row, width))


def _folded(row: Row, width: int) -> Iterator[str]:
    """A row without its styles: nothing heavy is loaded for text that has none."""
    room = max(20, width - columns(row.lead))
    body = "".join(text for text, _ in (_shortened(row.body, room) if row.is_short else row.body))
    ends = [*breaks(body, room), len(body)]
    for number, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        yield (row.hang or " " * columns(row.lead) if number else row.lead) + body[start:end].rstrip()


def _styled(rows: Iterable[Row], width: int) -> str:
    from rich.console import Console
    from rich.text import Text

    page = Text()
    for row in rows:
        room = max(20, width - columns(row.lead))
        body = Text.assemble(*(_shortened(row.body, room) if row.is_short else row.body))
        for number, line in enumerate(body.divide(breaks(body.plain, room))):
            line.rstrip()
            page.append(row.hang or " " * columns(row.lead) if number else row.lead, row.style)
            page.append_text(line).append("\n")
    # Everything a console would look up (streams, size, variables) is given here.
    console = Console(
        width=width, height=25, color_system="standard", force_terminal=True, force_jupyter=False,
        force_interactive=False, legacy_windows=False, no_color=False, markup=False, emoji=False, highlight=False,
        _environ={},
    )  # fmt: skip
    with console.capture() as capture:
        console.print(page, soft_wrap=True, end="")
    return "".join(line.rstrip() + "\n" for line in capture.get().split("\n")[:-1])
