"""Foreign text (a model's or a repository's) made inert for each sink: all that a report did not write itself.

A reader sees every character: what cannot be shown safely is written as its number, as in ``\\x1b`` or ``\\u{202e}``.
"""

import json
import re
from itertools import accumulate
from typing import Any, Protocol

from venire.visible import visible

NAME = 200
"""Characters a name, a label or a code line may take."""

SENTENCE = 500
"""Characters a problem or a reason may take."""


class Show(Protocol):
    """Foreign text as one form shows it inside a line."""

    def __call__(self, text: str, limit: int = NAME) -> str: ...


def plain(text: str, limit: int = NAME) -> str:
    """One line on which every character can be seen, at most ``limit`` characters long; what is cut off shows as an ellipsis."""
    # One character more than fits is enough to know, so a line of 50 MB costs nothing.
    pieces = [visible(char) for char in text[: limit + 1]]
    if sum(map(len, pieces)) <= limit:
        return "".join(pieces)
    kept = [piece for piece, end in zip(pieces, accumulate(map(len, pieces)), strict=True) if end < limit]
    return "".join(kept) + "…"


def code(line: str, limit: int = NAME) -> str:
    """A line of source: ``plain``, with tabs as four-column stops."""
    return plain(line[: limit + 1].expandtabs(4), limit)


def tail(path: str, limit: int = 160) -> str:
    """The end of a long path: the file's name says more than its first folder."""
    return path if len(path) <= limit else "…" + path[1 - limit :]


def _ticks(text: str, least: int) -> str:
    return "`" * max([least, *(len(run) + 1 for run in re.findall("`+", text))])


_LONG = re.compile("`{17,}")
"""cmark-gfm gives up on a code span whose backticks number more than 80, and what is in it would be read as Markdown."""


def _unmarked(text: str) -> str:
    """No HTML comment can begin in it, so no text can pass for a marker of ours, not even in a search of the raw report.

    A long run of backticks is told as their number, ``\\x60×300``.
    """
    return _LONG.sub(lambda run: f"\\x60×{len(run.group())}", text.replace("<!--", "<\\x21--"))


def span(text: str, limit: int = NAME) -> str:
    """A Markdown code span: no link, image, HTML, mention or reference can arise in one (CommonMark 6.1)."""
    shown = _unmarked(plain(text, limit))
    if not shown:
        return "(empty)"
    ticks = _ticks(shown, 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def fence(lines: list[str]) -> list[str]:
    """A Markdown fence around lines that are ``plain`` already and begin with text of ours; longer than any fence inside."""
    body = [_unmarked(line) for line in lines]
    ticks = _ticks("\n".join(body), 3)
    return [f"{ticks}text", *body, ticks]


_COMMAND = re.compile(r"^((?:\s|\x1b\[[\d;]*m)*):(?=:)", re.MULTILINE)


def unspoken(report: str) -> str:
    """A whole report that says nothing to a CI runner: no line begins with ``::``, and ``##[`` is nowhere.

    The first is a workflow command after white space, the second one anywhere in a line (older runners' form).
    """
    return _COMMAND.sub(r"\1\\x3a", report).replace("##[", "#\\x23[")


def encoded(value: Any, indent: int | None = None) -> str:
    """A value as JSON, ASCII only. ``##[`` and DEL, which JSON lets stand, are written as escapes."""
    text = json.dumps(value, indent=indent, ensure_ascii=True, allow_nan=False)
    return text.replace("##[", "#\\u0023[").replace("\x7f", "\\u007f")
