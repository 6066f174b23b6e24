"""Python source → the lines of its statements, in the order they are written.

A simple statement is one span. A compound statement gives a span for its header (from the first decorator to the last
line with code before its first inner statement), and so do ``except``, ``case`` and ``elif``.
"""

import ast
import warnings
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_INNER = ("cases", "body", "handlers", "orelse", "finalbody")
_Scoped = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a statement. ``home`` is the position of the header of the function or class it is in, -1 for the module."""

    first: int
    last: int
    scope: str
    home: int


def parse(source: str) -> ast.Module | None:
    """The syntax tree, or None where this Python cannot read the source; no warning escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a caller's filter must not decide what parses
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def spans(tree: ast.Module, rows: Sequence[int]) -> list[Span]:
    """Every statement in source order; ``rows`` are the lines that hold code, ascending."""
    found: list[Span] = []
    waiting = [(node, "", -1) for node in reversed(_inner(tree))]
    while waiting:  # a loop, since a chain of elif nests deeper than Python may recurse
        node, scope, home = waiting.pop()
        if isinstance(node, _Scoped):
            scope, home = f"{scope}.{node.name}".removeprefix("."), len(found)
        inner = _inner(node)
        found.append(Span(_first(node), _last(node, inner, rows), scope, home))
        waiting.extend((child, scope, home) for child in reversed(inner))
    return found


def _inner(node: ast.AST) -> list[ast.AST]:
    return [child for name in _INNER for child in getattr(node, name, ())]


def _first(node: Any) -> int:
    if isinstance(node, ast.match_case):
        return node.pattern.lineno
    starts: list[int] = [item.lineno for item in (node, *getattr(node, "decorator_list", ()))]
    return min(starts)


def _last(node: ast.AST, inner: Sequence[ast.AST], rows: Sequence[int]) -> int:
    if isinstance(node, ast.Match):
        return node.subject.end_lineno or node.lineno
    if not inner:
        return getattr(node, "end_lineno", None) or _first(node)
    before = bisect_left(rows, _first(inner[0]))
    return max(_first(node), rows[before - 1]) if before else _first(node)
