"""Lines → where a file may be cut: at top-level definitions, inside them at statements. Python by syntax, the rest by layout."""

import ast
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from venire.model import Lines, Target

HOLDERS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""Nodes that are statements or hold some."""

CLOSING = ("}", ")", "]", "end", "#", "else", "fi", "esac", "done")
"""A line at the margin that begins so belongs to what stands above it, or says nothing."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a file may be cut.

    ``blocks`` cover every line once, in order. ``preamble`` is what a reader needs of the file's beginning. A piece of a long
    block may begin at one of the ``stops``. ``owners`` are definitions as (header line, last line), outermost first.
    """

    blocks: tuple[Lines, ...]
    preamble: Lines | None
    stops: tuple[int, ...]
    owners: tuple[Lines, ...]

    def headers(self, line: int) -> list[int]:
        """Header lines of the definitions that hold this line, outermost first."""
        return [first for first, last in self.owners if first < line <= last]

    def stop(self, low: int, high: int) -> int | None:
        """The last line in ``low..high`` at which a piece may begin."""
        at = bisect_right(self.stops, high) - 1
        return self.stops[at] if at >= 0 and self.stops[at] >= low else None


def layout(target: Target, lines: Sequence[str]) -> Layout:
    """Python that does not parse is cut by its layout, as other languages are."""
    module = _parsed(lines) if target.language == "python" else None
    return _python(module, lines) if module else _plain(lines)


def _parsed(lines: Sequence[str]) -> ast.Module | None:
    # Python ends a line at a lone carriage return, git does not: line numbers follow git
    source = "\n".join(lines).replace("\r", " ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _python(module: ast.Module, lines: Sequence[str]) -> Layout:
    starts = [_above(lines, _start(node)) for node in module.body]
    nodes = [node for node in _walk(module) if isinstance(node, ast.stmt)]
    definitions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    return Layout(
        _covering(starts, len(lines)),
        _imports(module),
        tuple(sorted({_start(node) for node in nodes})),
        tuple(sorted((node.lineno, node.end_lineno or node.lineno) for node in definitions)),
    )


def _walk(module: ast.Module) -> Iterator[ast.AST]:
    """Statements at any depth; expressions are not entered, so that a deep one costs nothing."""
    todo: list[ast.AST] = [module]
    while todo:
        node = todo.pop()
        yield node
        todo += [child for child in ast.iter_child_nodes(node) if isinstance(child, HOLDERS)]


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def _above(lines: Sequence[str], line: int) -> int:
    """The first of the comment lines that stand right above a line, or the line."""
    while line > 1 and lines[line - 2].startswith("#"):
        line -= 1
    return line


def _imports(module: ast.Module) -> Lines | None:
    """From the first line to the last import of the file's beginning."""
    last = 0
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            last = node.end_lineno or node.lineno
        elif not isinstance(node, ast.Expr | ast.If | ast.Try):
            break
    return (1, last) if last else None


def _plain(lines: Sequence[str]) -> Layout:
    pairs = enumerate(pairwise(["", *lines]), 1)
    after_blank = tuple(number for number, (above, line) in pairs if line.strip() and not above.strip())
    blocks = _covering([number for number in after_blank if _is_start(lines[number - 1])], len(lines))
    return Layout(blocks, blocks[0] if len(blocks) > 1 else None, after_blank, tuple(_owner(lines, block) for block in blocks))


def _is_start(line: str) -> bool:
    return not line[0].isspace() and not line.startswith(CLOSING)


def _owner(lines: Sequence[str], block: Lines) -> Lines:
    first, last = block
    return next((number for number in range(first, last + 1) if lines[number - 1].strip()), first), last


def _covering(starts: Sequence[int], count: int) -> tuple[Lines, ...]:
    """Blocks that begin at these lines, the first of them at line 1."""
    edges = sorted({1, *starts, count + 1})
    return tuple((first, after - 1) for first, after in pairwise(edges))


def known_runs(lines: Sequence[str], bridge: int = 3) -> Iterator[Lines]:
    """Runs of lines that hold something; up to ``bridge`` blank lines between two are taken along."""
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    first = 0
    for index, number in enumerate(numbers):
        if index + 1 == len(numbers) or numbers[index + 1] - number > bridge + 1:
            yield numbers[first], number
            first = index + 1
