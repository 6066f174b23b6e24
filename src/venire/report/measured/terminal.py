"""Measures for a terminal. A table that is wider than the terminal is written row by row, each figure under its name."""

from collections.abc import Iterator

from venire.report.flow import Piece, Row, columns, paint
from venire.report.inert import plain, unspoken
from venire.report.measured.parts import Facts, Foreign, Items, Page, Part, Picture, Table, Text, pieces, undrawn

_BLANK = Row("", (("", ""),))
_APART = "  "
_BODY = 20
"""Columns that what stands under a name has at least."""


def report(page: Page, *, width: int, color: bool) -> str:
    """The whole page; ``width`` in columns, at least 40."""
    return unspoken(paint(_rows(page, max(40, width)), width=max(40, width), color=color))


def _say(text: Text) -> str:
    return "".join(plain(piece.text, piece.limit) or "(empty)" if isinstance(piece, Foreign) else piece for piece in pieces(text))


def _rows(page: Page, width: int) -> Iterator[Row]:
    yield Row("", ((page.title, "bold"),))
    yield from (Row("", ((line, "dim"),)) for line in page.lead)
    for section in page.sections:
        yield _BLANK
        yield Row("━━ ", ((_say(section.title), "bold"),), style="bold")
        for part in section.parts:
            yield from _part(part, width)


def _part(part: Part, width: int) -> Iterator[Row]:
    match part:
        case Facts():
            yield from _facts(part)
        case Table():
            yield from _headed(part.title)
            yield from _table(part, width)
            yield from (Row("  - ", ((_say(note), "dim"),)) for note in part.notes)
        case Items():
            yield from _headed(part.title, "bold yellow" if part.is_warning else "bold")
            yield from (Row("  - ", ((_say(row), ""),)) for row in part.rows)
        case Picture():
            return


def _headed(title: str, style: str = "bold") -> Iterator[Row]:
    yield _BLANK
    yield Row("", ((title, style),))


def _facts(facts: Facts) -> Iterator[Row]:
    names = [_say(name) for name, _ in facts.rows]
    room = min(16, max(map(columns, names), default=0))
    for name, (_, fact) in zip(names, facts.rows, strict=True):
        yield _named("  ", name, room, (_say(fact), "dim"))


def _named(indent: str, name: str, room: int, said: Piece) -> Row:
    """A name in the margin and what is said under it; a name too long for the margin folds with it."""
    if columns(name) > room:
        return Row(indent, ((f"{name}{_APART}", ""), said))
    return Row(f"{indent}{_padded(name, room)}{_APART}", (said,))


def _padded(text: str, room: int, *, right: bool = False) -> str:
    space = " " * (room - columns(text))
    return space + text if right else text + space


def _table(table: Table, width: int) -> Iterator[Row]:
    cells = [[_say(cell) for cell in row] for row in table.rows]
    rooms = [max(map(columns, column)) for column in zip(table.heads, *cells, strict=True)]
    if not cells:
        return
    if sum(rooms) + len(_APART) * len(rooms) > width:
        yield from _stacked(undrawn(table), width)
        return
    for row, style in [(list(table.heads), "dim"), *((row, "") for row in cells)]:
        padded = [
            _padded(cell, room, right=index >= table.names) for index, (cell, room) in enumerate(zip(row, rooms, strict=True))
        ]
        yield Row(_APART, ((_APART.join(padded), style),))


def _stacked(table: Table, width: int) -> Iterator[Row]:
    """Row by row: its first cell, then each figure behind its name."""
    room = min(width - _BODY - 6, max(map(columns, table.heads[1:]), default=0))
    for row in table.rows:
        yield Row("  ", ((_say(row[0]), "bold"),))
        for head, cell in zip(table.heads[1:], row[1:], strict=True):
            yield _named("    ", head, room, (_say(cell), ""))
