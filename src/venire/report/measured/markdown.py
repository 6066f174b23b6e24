"""Measures as GitHub-flavoured Markdown. Foreign text stands in code spans only, and no pipe of theirs can end a table's cell."""

from venire.report.inert import span, unspoken
from venire.report.measured.parts import Facts, Foreign, Items, Page, Part, Picture, Table, Text, pieces


def report(page: Page) -> str:
    """The whole page, which ends in a newline."""
    lines = [f"# {page.title}", "", *page.lead, ""]
    for section in page.sections:
        lines += [f"## {_say(section.title)}", ""]
        for part in section.parts:
            lines += _part(part)
    return unspoken("\n".join(lines).rstrip("\n") + "\n")


def _say(text: Text) -> str:
    return "".join(span(piece.text, piece.limit) if isinstance(piece, Foreign) else piece for piece in pieces(text))


def _cell(text: Text) -> str:
    """Parsers differ on which backslash frees a pipe (GFM, "Tables"), so a pipe is written as its number."""
    return _say(text).replace("|", "\\x7c")


def _items(rows: tuple[Text, ...]) -> list[str]:
    return [*(f"- {_say(row)}" for row in rows), ""]


def _part(part: Part) -> list[str]:
    match part:
        case Facts():
            return [*(f"- {_say(name)}: {_say(fact)}" for name, fact in part.rows), ""]
        case Table():
            return [f"### {part.title}", "", *_table(part), *_items(part.notes)]
        case Items():
            return [f"### {part.title}", "", *_items(part.rows)]
        case Picture():
            return []


def _table(table: Table) -> list[str]:
    if not table.rows:
        return []
    sides = ["---" if index < table.names else "---:" for index in range(len(table.heads))]
    rows = [list(table.heads), sides, *([_cell(cell) for cell in row] for row in table.rows)]
    return [*(f"| {' | '.join(cell or ' ' for cell in row)} |" for row in rows), ""]
