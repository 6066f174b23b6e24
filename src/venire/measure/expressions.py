"""Parsed Python → the places for a defect inside an expression: signs, bounds, names, arguments."""

import ast
import re
from collections.abc import Iterator

from venire.measure.source import Code, Edit, names

_COMPARISONS: dict[type[ast.cmpop], tuple[bytes, tuple[bytes, ...]]] = {
    ast.Lt: (rb"<", (b"<=", b">")),
    ast.LtE: (rb"<=", (b"<", b">=")),
    ast.Gt: (rb">", (b">=", b"<")),
    ast.GtE: (rb">=", (b">", b"<=")),
    ast.Eq: (rb"==", (b"!=",)),
    ast.NotEq: (rb"!=", (b"==",)),
    ast.In: (rb"\bin\b", (b"not in",)),
    ast.NotIn: (rb"\bnot\s+in\b", (b"in",)),
}
_ARITHMETIC: dict[type[ast.operator], tuple[bytes, bytes]] = {
    ast.Add: (b"+", b"-"),
    ast.Sub: (b"-", b"+"),
    ast.Mult: (b"*", b"+"),
    ast.Div: (b"/", b"*"),
    ast.FloorDiv: (b"//", b"%"),
    ast.Mod: (b"%", b"//"),
    ast.LShift: (b"<<", b">>"),
    ast.RShift: (b">>", b"<<"),
    ast.BitAnd: (b"&", b"|"),
    ast.BitOr: (b"|", b"&"),
}
_SAME_EITHER_WAY = {"max", "min", "gcd", "lcm", "isclose", "audit", "print", "super", "isinstance", "issubclass"}
"""Calls whose arguments can change places unnoticed, or so that nobody would write it."""


def comparison(code: Code) -> Iterator[Edit]:
    """A comparison flipped: < to <= or >, == to !=, in to not in, and back."""
    for node in code.nodes:
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
                sign, others = _COMPARISONS.get(type(op), (b"", ()))
                if ast.dump(left) != ast.dump(right):
                    yield from (edit for other in others for edit in _between(code, left, right, sign, other))


def off_by_one(code: Code) -> Iterator[Edit]:
    """A range, an index or a slice that begins or ends one too early or too late."""
    counters = _counters(code)
    for node in code.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            for bound in node.args[:2]:
                yield from _shifted(code, bound)
        elif isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Slice):
                for end in (node.slice.lower, node.slice.upper):
                    yield from _shifted(code, end)
            elif isinstance(node.slice, ast.Constant | ast.UnaryOp | ast.BinOp) or names(node.slice) <= counters:
                yield from _shifted(code, node.slice)


def operator(code: Code) -> Iterator[Edit]:
    """An arithmetic, bitwise or boolean operator swapped for its neighbour."""
    for node in code.nodes:
        match node:
            case ast.BinOp() if type(node.op) in _ARITHMETIC and not _has_text(node):
                sign, other = _ARITHMETIC[type(node.op)]
                yield from _between(code, node.left, node.right, re.escape(sign), other)
            case ast.AugAssign(op=ast.Add() | ast.Sub()) if not _has_text(node):
                sign, other = _ARITHMETIC[type(node.op)]
                yield from _between(code, node.target, node.value, re.escape(sign), other)
            case ast.BoolOp():
                sign, other = (rb"\band\b", b"or") if isinstance(node.op, ast.And) else (rb"\bor\b", b"and")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from _between(code, left, right, sign, other)


def negation(code: Code) -> Iterator[Edit]:
    """A condition negated, ``is`` by its sign. Other comparisons are left to ``comparison``."""
    for node in code.nodes:
        tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else getattr(node, "ifs", [])
        for test in tests:
            yield from _negated(code, test)


def arguments(code: Code) -> Iterator[Edit]:
    """Two neighbouring positional arguments of a call exchanged."""
    for node in code.nodes:
        if isinstance(node, ast.Call) and not names(node.func) & _SAME_EITHER_WAY:
            for one, two in zip(node.args, node.args[1:], strict=False):
                if _are_exchangeable(one, two):
                    (first, end), (start, last) = code.span(one), code.span(two)
                    yield Edit(first, last, code.text(two) + code.raw[end:start] + code.text(one))


def _between(code: Code, left: ast.AST, right: ast.AST, sign: bytes, other: bytes) -> Iterator[Edit]:
    """The sign between two operands replaced; none where a comment between them might hold it too."""
    start, end = code.span(left)[1], code.span(right)[0]
    gap = code.raw[start:end]
    found = re.search(sign, gap)
    if found and b"#" not in gap:
        yield Edit(start + found.start(), start + found.end(), other)


def _negated(code: Code, test: ast.expr) -> Iterator[Edit]:
    first, last = code.span(test)
    match test:
        case ast.UnaryOp(op=ast.Not()):
            yield Edit(first, first + len(re.match(rb"not\s*", code.raw[first:])[0]), b"")  # type: ignore[index]
        case ast.BoolOp():
            yield Edit(first, last, b"not (" + code.raw[first:last] + b")")
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Subscript():
            yield Edit(first, first, b"not ")
        case ast.Compare(ops=[ast.Is()]):
            yield from _between(code, test.left, test.comparators[0], rb"\bis\b", b"is not")
        case ast.Compare(ops=[ast.IsNot()]):
            yield from _between(code, test.left, test.comparators[0], rb"\bis\s+not\b", b"is")


def _shifted(code: Code, bound: ast.expr | None) -> Iterator[Edit]:
    match bound:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield from (Edit(*code.span(bound), b"%d" % near) for near in (value - 1, value + 1) if near >= 0)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            yield from (Edit(*code.span(bound), b"-%d" % near) for near in (value - 1, value + 1) if near > 0)
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=ast.Constant(value=1)):
            yield Edit(code.span(left)[1], code.span(bound)[1], b"")
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=int())):
            yield from _shifted(code, bound.right)
        case ast.Name() | ast.Attribute() | ast.Call() | ast.BinOp(op=ast.Add() | ast.Sub()):
            end = code.span(bound)[1]
            yield from (Edit(end, end, change) for change in (b" + 1", b" - 1"))


def _counters(code: Code) -> set[str]:
    """Names that are surely numbers: counted in a loop, or added to a number."""
    found: set[str] = set()
    for node in code.nodes:
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"))):
                found.add(name)
            case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=ast.Call(func=ast.Name(id="enumerate"))):
                found.add(name)
            case ast.BinOp(left=ast.Name(id=name), op=ast.Add() | ast.Sub(), right=ast.Constant(value=int())):
                found.add(name)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=ast.Constant(value=int())):
                found.add(name)
    return found


def _has_text(node: ast.AST) -> bool:
    """Whether an operator works on text, where its neighbour could not."""
    return any(
        isinstance(n, ast.JoinedStr | ast.List | ast.Tuple) or (isinstance(n, ast.Constant) and isinstance(n.value, str | bytes))
        for n in ast.walk(node)
    )


def _are_exchangeable(one: ast.expr, two: ast.expr) -> bool:
    """Two different arguments, neither of which gives itself away by being the only literal."""
    literals = [isinstance(arg, ast.Constant) for arg in (one, two)]
    starred = any(isinstance(arg, ast.Starred) for arg in (one, two))
    return not starred and literals[0] == literals[1] and ast.dump(one) != ast.dump(two)
