"""Python text → its tree with places in the text: what an operator needs to splice without touching anything else."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_END = re.compile(rb"\r\n|\r|\n")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Edit:
    """``raw[first:last]`` becomes ``text``.

    ``lead`` is how many lines of the new text are the defect, where the rest only moved (0: all of it);
    ``back`` is the offset of the line the defect begins on, where that is before the edit (-1: it is not).
    """

    first: int
    last: int
    text: bytes
    lead: int = 0
    back: int = -1


@dataclass(frozen=True)
class Code:
    """A parsed text. ``raw`` is its UTF-8, which the columns of ``ast`` count in; offsets are into ``raw``."""

    raw: bytes
    tree: ast.Module

    @cached_property
    def starts(self) -> list[int]:
        """The offset of every line, as Python counts lines."""
        return [0, *(match.end() for match in _END.finditer(self.raw))]

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The nodes a change of which is a change of behaviour, in order of the text."""
        return tuple(_live(self.tree))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def suites(self) -> dict[ast.AST, list[ast.stmt]]:
        """For every statement the block it stands in."""
        blocks = [
            block
            for node in ast.walk(self.tree)
            for name in ("body", "orelse", "finalbody")
            for block in [getattr(node, name, None)]
            if isinstance(block, list)
        ]
        return {statement: block for block in blocks for statement in block}

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Function))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Offsets of a node that has a place: its first byte, and the one after its last."""
        place: Any = node
        return self.starts[place.lineno - 1] + place.col_offset, self.starts[place.end_lineno - 1] + place.end_col_offset

    def text(self, node: ast.AST) -> bytes:
        first, last = self.span(node)
        return self.raw[first:last]

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def row(self, offset: int) -> int:
        """The line of an offset, 1-based, counted in ``\\n`` as a target counts its own."""
        return self.raw.count(b"\n", 0, offset) + 1


def read(text: str) -> Code:
    """``text`` parsed; raises SyntaxError or ValueError where it is no Python."""
    return Code(text.encode("utf-8"), parse(text))


def parse(text: str) -> ast.Module:
    """``ast.parse`` without the warnings of its compiler: how well the text is written is not the question."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _live(node: ast.AST) -> Iterator[ast.AST]:
    """Pre-order, without what does not run, runs for its text alone, or has no sure place in the text."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_idle(child):
                yield child
                yield from _live(child)


def _is_idle(node: ast.AST) -> bool:
    """Assertions, text, f-strings (their insides have no place before Python 3.12), imports and constant branches."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Constant) or {"TYPE_CHECKING", "__debug__", "__name__"} & names(node.test) != set()
    return isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom) or is_docstring(node)


def names(node: ast.AST) -> set[str]:
    """Every name and attribute in a tree."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)
    }
