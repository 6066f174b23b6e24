"""Parsed Python → the places where one small defect could be planted, one function a kind.

An operator yields edits; whether the edited text still parses, compiles and means something else is settled in ``mutate``.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from venire.measure.source import Code, Function, is_docstring, names


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


Operator = Callable[[Code], Iterator[Edit]]

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
_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
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


def guard(code: Code) -> Iterator[Edit]:
    """A guard against None removed: ``if x is None: return …``, or ``x is not None and``."""
    for node in code.nodes:
        if isinstance(node, ast.If) and _is_guard(code, node):
            yield from _without(code, node)
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for value, after in zip(node.values, node.values[1:], strict=False):
                if _against_none(value, ast.IsNot) and _is_used(code, value, _statement(code, node)):
                    yield Edit(code.span(value)[0], code.span(after)[0], b"")


def unclosed(code: Code) -> Iterator[Edit]:
    """A resource left open: ``with X as f`` becomes ``f = X``, or a call of ``close`` is gone."""
    for node in code.nodes:
        match node:
            case ast.With(items=[ast.withitem(context_expr=ast.Call(), optional_vars=ast.Name())]):
                yield from _assigned(code, node)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="close"), args=[])):
                yield from _without(code, node)


def variable(code: Code) -> Iterator[Edit]:
    """A name replaced by another local of the same function that is bound before."""
    for function in code.functions:
        bound = _bound(function)
        aliases = _aliases(function)
        dead = _unread(function)
        for node in _own(function, code):
            if isinstance(node, ast.Name) and _is_replaceable(code, node, bound, dead):
                for other, row in sorted(bound.items()):
                    if other != node.id and row < node.lineno and frozenset((other, node.id)) not in aliases:
                        yield Edit(*code.span(node), other.encode())


def arguments(code: Code) -> Iterator[Edit]:
    """Two neighbouring positional arguments of a call exchanged."""
    for node in code.nodes:
        if isinstance(node, ast.Call) and not names(node.func) & _SAME_EITHER_WAY:
            for one, two in zip(node.args, node.args[1:], strict=False):
                if _are_exchangeable(one, two):
                    (first, end), (start, last) = code.span(one), code.span(two)
                    yield Edit(first, last, code.text(two) + code.raw[end:start] + code.text(one))


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


OPERATORS: dict[str, Operator] = {
    "comparison flipped": comparison,
    "off by one": off_by_one,
    "operator swapped": operator,
    "condition negated": negation,
    "guard against None removed": guard,
    "close or with dropped": unclosed,
    "wrong variable": variable,
    "swapped arguments": arguments,
    "swallowed exception": swallowed,
    "missing return": missing_return,
}
"""Every kind of defect, and what finds the places for it."""


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


def _against_none(test: ast.AST, sign: type[ast.cmpop]) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], sign)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


def _is_used(code: Code, test: ast.AST, until: ast.AST) -> bool:
    """Whether what a test against None is about comes again, between the test and the end of ``until``."""
    return isinstance(test, ast.Compare) and code.text(test.left) in code.raw[code.span(test)[1] : code.span(until)[1]]


def _statement(code: Code, node: ast.AST) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = code.parents[node]
    return node


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


def _own(function: Function, code: Code) -> Iterator[ast.AST]:
    """The live nodes of a function that are in no function inside it."""
    for node in code.nodes:
        home = code.parents.get(node)
        while home is not None and not isinstance(home, Function | ast.Lambda | ast.ClassDef | ast.comprehension):
            home = code.parents.get(home)
        if home is function:
            yield node


def _bound(function: Function) -> dict[str, int]:
    """The parameters and the names assigned in a function, with the line that first binds each."""
    spec = function.args
    rows = {arg.arg: function.lineno - 1 for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            rows[node.id] = min(rows.get(node.id, node.lineno), node.lineno)
    return {name: row for name, row in rows.items() if name not in ("self", "cls", "_")}


def _aliases(function: Function) -> set[frozenset[str]]:
    """Pairs of names one of which is given to the other, and so may be the same thing."""
    return {
        frozenset((target.id, node.value.id))
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _unread(function: Function) -> set[str]:
    """Names that are assigned and never read."""
    seen = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    return {n.id for n in seen if isinstance(n.ctx, ast.Store)} - {n.id for n in seen if isinstance(n.ctx, ast.Load)}


def _is_replaceable(code: Code, node: ast.Name, bound: dict[str, int], dead: set[str]) -> bool:
    """Whether a name is a local that is read, not called, and whose value goes somewhere."""
    parent = code.parents[node]
    if not isinstance(node.ctx, ast.Load) or node.id not in bound or (isinstance(parent, ast.Call) and parent.func is node):
        return False
    home = _statement(code, parent)
    targets = home.targets if isinstance(home, ast.Assign) else [getattr(home, "target", None)]
    return not any(isinstance(target, ast.Name) and target.id in dead for target in targets)


def _are_exchangeable(one: ast.expr, two: ast.expr) -> bool:
    """Two different arguments, neither of which gives itself away by being the only literal."""
    literals = [isinstance(arg, ast.Constant) for arg in (one, two)]
    starred = any(isinstance(arg, ast.Starred) for arg in (one, two))
    return not starred and literals[0] == literals[1] and ast.dump(one) != ast.dump(two)
