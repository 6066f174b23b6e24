"""Measures as one HTML file of its own: no script, nothing loaded, every foreign text escaped."""

import hashlib
from base64 import b64encode
from html import escape

from venire.report.inert import plain, unspoken
from venire.report.measured.inline import drawn
from venire.report.measured.parts import Facts, Foreign, Items, Page, Part, Picture, Section, Table, Text, pieces, undrawn
from venire.report.measured.style import CSS
from venire.report.wording import count

FIGURES = 24
"""Cells whose figures are drawn; a page says how many it leaves out."""


def report(page: Page) -> str:
    """The whole file, which ends in a newline."""
    policy = f"default-src 'none'; style-src 'sha256-{_digest(CSS)}'; base-uri 'none'; form-action 'none'"
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(page.title)}</title>",
        f"<style>{CSS}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{escape(page.title)}</h1>",
        *(f'<p class="lead">{escape(line)}</p>' for line in page.lead),
        *(line for section in page.sections for line in _section(section)),
        "</main>",
        "</body>",
        "</html>",
    ]
    return unspoken("\n".join(lines) + "\n")


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _say(text: Text) -> str:
    return "".join(_foreign(piece) if isinstance(piece, Foreign) else escape(piece) for piece in pieces(text))


def _foreign(piece: Foreign) -> str:
    """Isolated, so that letters written from right to left turn nothing of ours around."""
    shown = f"<bdi>{escape(plain(piece.text, piece.limit) or '(empty)')}</bdi>"
    return f'<a href="#cell-{piece.leads}">{shown}</a>' if piece.leads else shown


def _section(section: Section) -> list[str]:
    anchor = f' id="cell-{section.number}"' if section.number else ""
    inside = [line for part in section.parts for line in _part(part, section.number)]
    return [f"<section{anchor}>", f"<h2>{_say(section.title)}</h2>", *inside, "</section>"]


def _part(part: Part, number: int) -> list[str]:
    match part:
        case Facts():
            rows = [f"<div><dt>{_say(name)}</dt><dd>{_say(fact)}</dd></div>" for name, fact in part.rows]
            return ['<dl class="facts">', *rows, "</dl>"]
        case Table():
            return [f"<h3>{escape(part.title)}</h3>", *_table(undrawn(part)), *_list(part.notes, "notes")]
        case Items():
            kind = "warnings" if part.is_warning else "items"
            return [f'<div class="{kind}">', f"<h3>{escape(part.title)}</h3>", *_list(part.rows, "rows"), "</div>"]
        case Picture():
            return _pictures(part, number)


def _list(rows: tuple[Text, ...], kind: str) -> list[str]:
    return [f'<ul class="{kind}">', *(f"<li>{_say(row)}</li>" for row in rows), "</ul>"] if rows else []


def _pictures(picture: Picture, number: int) -> list[str]:
    if number > FIGURES:
        return [
            f'<p class="lead">Figures are drawn for the first {count(FIGURES, "cell")} only; the tables hold every figure.</p>'
        ]
    votes = f"<figure>{drawn(picture.study, 'votes', number)}</figure>"
    surface = [f"<figure>{drawn(picture.study, 'surface', number)}</figure>"] if picture.study.surfaces else []
    return ['<div class="figures">', votes, *surface, "</div>"]


def _table(table: Table) -> list[str]:
    """The table in a box that scrolls by itself, also from the keyboard."""
    if not table.rows:
        return []
    return [
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table>',
        f"<thead><tr>{''.join(_head(head, index >= table.names) for index, head in enumerate(table.heads))}</tr></thead>",
        "<tbody>",
        *(f"<tr>{''.join(_cell(cell, index, table.names) for index, cell in enumerate(row))}</tr>" for row in table.rows),
        "</tbody></table></div>",
    ]


def _head(head: str, is_figure: bool) -> str:
    return f'<th scope="col"{_right(is_figure)}>{escape(head)}</th>'


def _cell(cell: Text, index: int, names: int) -> str:
    return f"<td{_right(index >= names)}>{_say(cell)}</td>" if index else f'<th scope="row">{_say(cell)}</th>'


def _right(is_figure: bool) -> str:
    return ' class="figure"' if is_figure else ""
