"""Parsed Python → the places for a defect in what a statement does: guards, resources, handlers, returns."""

import ast
import re
from collections.abc import Iterator

from venire.measure.source import Code, Edit, is_docstring, names

_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def guard(code: Code) -> Iterator[Edit]:
    """A guard against None removed: ``if x is None: return …``, or ``x is not None and``."""
    for node in code.nodes:
        if isinstance(node, ast.If) and _is_guard(code, node):
            yield from _without(code, node)
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for value, after in zip(node.values, node.values[1:], strict=False):
                if _against_none(value, ast.IsNot) and _is_used(code, value, code.statement(node)):
                    yield Edit(code.span(value)[0], code.span(after)[0], b"")


def unclosed(code: Code) -> Iterator[Edit]:
    """A resource left open: ``with X as f`` becomes ``f = X``, or a call of ``close`` is gone."""
    for node in code.nodes:
        match node:
            case ast.With(items=[ast.withitem(context_expr=ast.Call(), optional_vars=ast.Name())]):
                yield from _assigned(code, node)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="close"), args=[])):
                yield from _without(code, node)


def swallowed(code: Code) -> Iterator[Edit]:
    """An exception swallowed: the body of a handler that raises or only calls becomes ``pass``, or its ``raise`` is gone."""
    for node in code.nodes:
        if isinstance(node, ast.ExceptHandler) and _is_heard(node):
            start = code.span(node)[0]
            yield Edit(code.span(node.body[0])[0], code.span(node.body[-1])[1], b"pass", back=start)
            if len(node.body) > 1 and isinstance(node.body[-1], ast.Raise):
                yield from _without(code, node.body[-1])


def missing_return(code: Code) -> Iterator[Edit]:
    """A ``return`` forgotten: the value is worked out and dropped."""
    for node in code.nodes:
        if isinstance(node, ast.Return) and node.value is not None and names(node.value):
            first, last = code.span(node)
            if isinstance(node.value, ast.Name):
                yield from _without(code, node)
            elif match := re.match(rb"return\s*", code.raw[first:last]):
                yield Edit(first, first + match.end(), b"")


def _against_none(test: ast.AST, sign: type[ast.cmpop]) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], sign)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


def _is_used(code: Code, test: ast.AST, until: ast.AST) -> bool:
    """Whether what a test against None is about comes again, between the test and the end of ``until``."""
    about = code.text(test.left) if isinstance(test, ast.Compare) else b""
    return re.search(rb"(?<![\w.])%s(?!\w)" % re.escape(about), code.raw[code.span(test)[1] : code.span(until)[1]]) is not None


def _is_guard(code: Code, node: ast.If) -> bool:
    """``if x is None:`` that leaves, with nothing else to it, and ``x`` used after it."""
    block = code.suites[node]
    return (
        _against_none(node.test, ast.Is)
        and not node.orelse
        and isinstance(node.body[-1], _EXITS)
        and len(node.body) <= 2
        and _is_used(code, node.test, block[-1])
    )


def _without(code: Code, node: ast.stmt) -> Iterator[Edit]:
    """The lines of a statement removed, where it has them to itself and its block has another statement."""
    block = [statement for statement in code.suites.get(node, []) if not is_docstring(statement)]
    first, last = code.span(node)
    start = code.raw.rfind(b"\n", 0, first) + 1
    end = code.raw.find(b"\n", last)
    if len(block) > 1 and end >= 0 and not code.raw[start:first].strip() and not code.raw[last:end].strip():
        if not code.raw[end:].strip():  # at the end, blank lines before it would show that something is gone
            start = len(code.raw[:start].rstrip()) + 1
        yield Edit(start, end + 1, b"")


def _assigned(code: Code, node: ast.With) -> Iterator[Edit]:
    """``with X as f:`` as ``f = X``, the block moved out; none where a long text in the block would change with it."""
    first, last = code.span(node)
    name = node.items[0].optional_vars or node
    colon = code.raw.find(b":", code.span(name)[1])
    start = code.raw.find(b"\n", colon) + 1
    step = b" " * (node.body[0].col_offset - node.col_offset)
    head = code.text(name) + b" = " + code.text(node.items[0].context_expr) + code.raw[colon + 1 : start]
    if 0 < start <= code.span(node.body[0])[0] and not _spans_lines(node.body):
        yield Edit(first, last, head + _moved(code.raw[start:last], step), lead=head.count(b"\n"))


def _moved(block: bytes, step: bytes) -> bytes:
    """Every line of a block moved to the left; one that cannot is left, and the text will not parse."""
    return b"\n".join(line.removeprefix(step) for line in block.split(b"\n"))


def _spans_lines(block: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno
        for statement in block
        for node in ast.walk(statement)
    )


def _is_heard(handler: ast.ExceptHandler) -> bool:
    """Whether an exception is passed on or told to somebody."""
    calls = all(isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) for statement in handler.body)
    return calls or any(isinstance(node, ast.Raise) for node in ast.walk(handler))
