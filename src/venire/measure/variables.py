"""Parsed Python → the places where a local could be taken for another of the same function."""

import ast
from collections.abc import Iterator

from venire.measure.source import Code, Edit, Function


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
    for node in _in_scope(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            rows[node.id] = min(rows.get(node.id, node.lineno), node.lineno)
    return {name: row for name, row in rows.items() if name not in ("self", "cls", "_")}


def _in_scope(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, without what is in a scope of its own."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(
            child, Function | ast.Lambda | ast.ClassDef | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
        ):
            yield child
            yield from _in_scope(child)


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
    home = code.statement(parent)
    targets = home.targets if isinstance(home, ast.Assign) else [getattr(home, "target", None)]
    return not any(isinstance(target, ast.Name) and target.id in dead for target in targets)
