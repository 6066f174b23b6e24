"""The lines of a file → its statements, and the one that each line belongs to. The rules of docs/regions.md, once more.

Python is read by ``ast`` and ``tokenize``; every other file, and Python that does not parse, is cut into paragraphs.
"""

import ast
import io
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

PARAGRAPH = 5  # lines
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.TYPE_COMMENT
}  # fmt: skip
DEFINING = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Statement:
    """Lines ``first`` to ``last``. ``house`` numbers the function or class it is in, 0 for none; ``scope`` is its name."""

    first: int
    last: int
    house: int = 0
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file: the statements that own a line, in order, and for each line the position of its owner."""

    statements: tuple[Statement, ...]
    owners: tuple[int, ...]
    is_weak: bool

    def lines_of(self, place: int) -> list[int]:
        """The lines a statement owns."""
        return [line for line, owner in enumerate(self.owners, 1) if owner == place]


def text_lines(text: str) -> list[str]:
    """Lines as git counts them."""
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]


def sheet(lines: Sequence[str], language: str) -> Sheet:
    """The statements of a file. A file without lines has one."""
    lines = list(lines) or [""]
    found = _python(lines) if language == "python" else []
    if found:
        return _owned(found, lines, is_weak=False)
    return _owned(list(_paragraphs(lines)) or [Statement(1, len(lines))], lines, is_weak=True)


def _paragraphs(lines: Sequence[str]) -> Iterator[Statement]:
    numbers = range(1, len(lines) + 1)
    for is_text, group in groupby(numbers, lambda n: bool(lines[n - 1].strip())):
        block = list(group) if is_text else []
        for start in range(0, len(block), PARAGRAPH):
            part = block[start : start + PARAGRAPH]
            yield Statement(part[0], part[-1])


def _owned(found: Sequence[Statement], lines: Sequence[str], *, is_weak: bool) -> Sheet:
    """Each line goes to the shortest statement on it, the first of equals; lines on none go to a neighbour's."""
    best: dict[int, tuple[int, int]] = {}
    for place, statement in enumerate(found):
        for line in range(statement.first, statement.last + 1):
            best[line] = min(best.get(line, (len(lines) + 1, 0)), (statement.last - statement.first, place))
    on = _lent({line: place for line, (_, place) in best.items()}, lines)
    kept = {place: number for number, place in enumerate(sorted(set(on.values())))}
    return Sheet(tuple(found[place] for place in kept), tuple(kept[on[n]] for n in range(1, len(lines) + 1)), is_weak)


def _lent(on: dict[int, int], lines: Sequence[str]) -> dict[int, int]:
    """Owners for all lines: a comment or ``else:`` speaks of what follows; a blank line goes to the nearest, upward on ties."""
    on, ahead = dict(on), on[max(on)]
    for line in range(len(lines), 0, -1):
        if line not in on and lines[line - 1].strip():
            on[line] = ahead
        ahead = on.get(line, ahead)
    spoken = sorted(on)
    blank, below = [line for line in range(1, len(lines) + 1) if line not in on], iter([*spoken, 0])
    low, high = 0, next(below)
    for line in blank:
        while high and high < line:
            low, high = high, next(below)
        on[line] = on[low] if low and (not high or line - low <= high - line) else on[high]
    return on


# ---------------------------------------------------------------- python


def _python(lines: Sequence[str]) -> list[Statement]:
    """Every statement and every header of a compound one, in the order they are written; none where it does not parse."""
    source = "\n".join(line.replace("\r", " ") for line in lines).removeprefix("\ufeff")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
    rows = _rows(source)
    houses = _houses(tree)
    known: dict[Any, tuple[int, str]] = {None: (0, "")}
    made = []
    for number, (node, house, inner) in enumerate(houses, 1):
        if isinstance(node, DEFINING):
            above = known[house][1]
            house, known[node] = node, (number, f"{above}.{node.name}" if above else node.name)
        made.append(Statement(_first(node), _last(node, inner, rows), *known[house]))
    return made


def _houses(tree: ast.Module) -> list[tuple[Any, Any, list[Any]]]:
    """Each statement in written order, with the definition around it and the statements directly in it."""
    found: list[tuple[Any, Any, list[Any]]] = []
    waiting: list[tuple[ast.AST, Any]] = [(tree, None)]
    while waiting:
        node, house = waiting.pop()
        inner = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt | ast.excepthandler | ast.match_case)]
        if node is not tree:
            found.append((node, house, inner))
        own = node if isinstance(node, DEFINING) else house
        waiting += [(child, own) for child in inner]
    return sorted(found, key=lambda item: _start(item[0]))


def _start(node: Any) -> tuple[int, int]:
    at: Any = node.pattern if isinstance(node, ast.match_case) else node
    return at.lineno, at.col_offset


def _first(node: Any) -> int:
    marks: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([_start(node)[0], *(mark.lineno for mark in marks)])


def _last(node: Any, inner: Sequence[Any], rows: Sequence[int]) -> int:
    if isinstance(node, ast.Match):
        return int(node.subject.end_lineno or node.lineno)
    if not inner:
        return int(node.end_lineno)
    body = min(map(_first, inner))
    before = bisect_left(rows, body)
    return max(_first(node), rows[before - 1] if before else 0)


def _rows(source: str) -> list[int]:
    """The lines on which a token starts that is no layout; a long string counts where it begins."""
    rows, depth = set(), 0
    starts = {getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")} - {-1}
    ends = {getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")} - {-1}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if not depth and token.type not in LAYOUT and token.string.strip():
            rows.add(token.start[0])
        depth += (token.type in starts) - (token.type in ends)
    return sorted(rows)


def code_lines(text: str) -> set[int]:
    """The lines of Python source on which a token begins, without those of imports and docstrings."""
    tree = ast.parse(text)
    idle: set[int] = set()
    for node in ast.walk(tree):
        inner = getattr(node, "body", None)
        told = inner[0] if isinstance(node, DEFINING | ast.Module) and inner else None
        is_docstring = isinstance(told, ast.Expr) and isinstance(told.value, ast.Constant) and isinstance(told.value.value, str)
        for idler in (node if isinstance(node, ast.Import | ast.ImportFrom) else None, told if is_docstring else None):
            if idler:
                idle |= set(range(idler.lineno, (idler.end_lineno or idler.lineno) + 1))
    return set(_rows(text)) - idle
