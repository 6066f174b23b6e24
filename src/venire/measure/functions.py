"""The installed standard library → a suite of mutants and their clean twins.

The suite is a function of the Python version, the count and the seed; a figure made with it has to name all three.
Nothing here draws from a random generator: every choice is by digest, which no Python version can change.
"""

import ast
import sys
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path

from venire.errors import UsageError
from venire.measure.mutate import KINDS, Mutation, mutate, sites
from venire.measure.source import Function, is_docstring, parse, read
from venire.model.measures import Mutant

SHORTEST, LONGEST = 8, 60
"""Lines of a function, from its ``def`` to its end; decorators are shown but not counted."""

STATEMENTS = 3
"""Statements a function has at least, its docstring not counted."""

A_MODULE = 2
"""Functions taken from one module at most."""

_LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "turtledemo", "encodings", "pydoc_data", "ensurepip", "distutils"} | {
    *("tkinter", "turtle", "antigravity", "this", "__pycache__", "site-packages", "dist-packages")
}
"""Tests, demonstrations, tables, and what some distributions leave out."""


@dataclass(frozen=True, slots=True)
class Original:
    """A function as a file of its own: the imports it uses, then its text, moved to the left."""

    origin: str  # module and qualified name
    text: str


def suite(count: int, seed: int) -> tuple[Mutant, ...]:
    """``count`` mutants, each kind about equally often, and their clean twins under names that do not tell them apart.

    Raises UsageError where the standard library cannot be read or does not hold that many.
    """
    if count < 1:
        raise UsageError(f"a suite of {count} mutants", "ask for one at least")
    planted = list(_planted(count, seed))
    if len(planted) < count:
        raise UsageError(f"{count} mutants asked for, {len(planted)} can be made of this Python's library", "ask for fewer")
    return _named(planted, seed)


def fingerprint(mutants: Iterable[Mutant]) -> str:
    """12 hex digits that two suites share when they are the same texts under the same names: what a figure was measured on."""
    digest = sha256()
    for mutant in mutants:
        digest.update(repr((mutant.name, mutant.text, mutant.twin, mutant.clean, mutant.lines)).encode())
    return digest.hexdigest()[:12]


def modules() -> dict[str, Path]:
    """The pure modules of the standard library by dotted name. Raises UsageError where they are not files."""
    root = Path(sysconfig.get_path("stdlib"))
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[0] in sys.stdlib_module_names and not _LEFT_OUT & set(parts) and not parts[0].startswith("_sysconfigdata"):
            found[".".join(part for part in parts if part != "__init__")] = path
    if not found:
        raise UsageError(f"no standard library in {root}", "use a Python that has its library as files")
    return found


def functions(module: str, path: Path) -> Iterator[Original]:
    """The functions and methods of a module that are long enough to read and short enough to be shown whole."""
    try:
        with tokenize.open(path) as file:
            text = file.read()
        tree = parse(text)
    except (OSError, SyntaxError, ValueError):
        return
    if "generated" in text[:500].lower() or "\f" in text:
        return
    rows = text.split("\n")
    for name, node in _definitions(tree, module):
        if _is_worth_reading(node) and (body := _moved(node, rows)):
            head = _imports(tree, node)
            original = Original(name, f"{head}\n\n{body}" if head else body)
            if _stands_alone(original.text):
                yield original


def _definitions(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Function]]:
    for node in tree.body:
        if isinstance(node, Function):
            yield f"{prefix}.{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{prefix}.{node.name}")


def _is_worth_reading(node: Function) -> bool:
    """Neither too short nor too long, some statements, and not mostly literals."""
    if not SHORTEST <= (node.end_lineno or node.lineno) - node.lineno + 1 <= LONGEST:
        return False
    inside = [n for n in ast.walk(node) if n is not node]
    statements = sum(isinstance(n, ast.stmt) and not is_docstring(n) for n in inside)
    values = [isinstance(n, ast.Constant) for n in inside if isinstance(n, ast.Constant | ast.Name | ast.Call | ast.Attribute)]
    return statements >= STATEMENTS and sum(values) * 2 <= len(values)


def _moved(node: Function, rows: list[str]) -> str:
    """The lines of a function without the margin of its class; "" where a line or a long text would change with it."""
    first = min(item.lineno for item in (node, *node.decorator_list))
    lines, margin = rows[first - 1 : node.end_lineno], rows[node.lineno - 1][: node.col_offset]
    if any(line.strip() and not line.startswith(margin) for line in lines) or (margin and _has_long_text(node)):
        return ""
    return "".join(f"{line.removeprefix(margin)}\n" for line in lines)


def _has_long_text(node: Function) -> bool:
    """Whether a text that is no docstring spans lines."""
    docstrings = {statement.value for statement in ast.walk(node) if isinstance(statement, ast.Expr) and is_docstring(statement)}
    texts = (n for n in ast.walk(node) if isinstance(n, ast.Constant | ast.JoinedStr) and n not in docstrings)
    return any(text.end_lineno != text.lineno for text in texts)


def _imports(tree: ast.Module, node: Function) -> str:
    """The module's imports of names that the function uses, and those that say how it is read."""
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    lines = []
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            is_rule = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            kept = [name for name in statement.names if is_rule or (name.asname or name.name.split(".")[0]) in used]
            if kept:
                statement.names, names = kept, statement.names
                lines.append(ast.unparse(statement))
                statement.names = names
    return "".join(f"{line}\n" for line in lines)


def _stands_alone(text: str) -> bool:
    try:
        compile(parse(text), "<function>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _planted(count: int, seed: int) -> Iterator[tuple[Original, Mutation]]:
    """One mutation in each of ``count`` functions, or in fewer where the library has no more."""
    library = modules()
    taken: Counter[str] = Counter()
    for module in sorted(library, key=lambda name: _draw(seed, name)):
        for original, found in islice(_planted_in(module, library[module], taken, count, seed), A_MODULE):
            taken[found.kind] += 1
            yield original, found
            if taken.total() == count:
                return


def _planted_in(module: str, path: Path, taken: Mapping[str, int], count: int, seed: int) -> Iterator[tuple[Original, Mutation]]:
    """A mutation in every function of a module that can take a kind still wanted when it is its turn."""
    origins = set()  # a getter and its setter share a name
    for original in sorted(functions(module, path), key=lambda item: _draw(seed, item.origin)):
        if original.origin not in origins and (found := _plant(original, _open(taken, count), seed)):
            origins.add(original.origin)
            yield original, found


def _open(taken: Mapping[str, int], count: int) -> list[str]:
    """The kinds that may still come, the rarest first: all equally often, and what does not divide once more each."""
    base, extra = divmod(count, len(KINDS))
    spare = extra - sum(taken[kind] > base for kind in KINDS)
    return sorted((kind for kind in KINDS if taken[kind] < base + (spare > 0)), key=lambda kind: taken[kind])


def _plant(original: Original, kinds: Iterable[str], seed: int) -> Mutation | None:
    code = read(original.text)
    for kind in kinds:
        places = sorted(
            sites(code, kind),
            key=lambda site: _draw(seed, original.origin, kind, site.edit.first, site.edit.last, site.edit.text),
        )
        if found := next((made for site in places if (made := mutate(code, site))), None):
            return found
    return None


def _named(planted: list[tuple[Original, Mutation]], seed: int) -> tuple[Mutant, ...]:
    """Numbers in an order by digest, so that a file's name says neither what it is nor what it goes with."""
    files = [(original.origin, side) for original, _ in planted for side in ("mutant", "twin")]
    order = sorted(files, key=lambda file: _draw(seed, *file))
    names = {file: f"t{number:04d}.py" for number, file in enumerate(order, start=1)}
    return tuple(
        Mutant(
            name=names[original.origin, "mutant"],
            twin=names[original.origin, "twin"],
            text=made.text,
            clean=original.text,
            kind=made.kind,
            lines=made.lines,
            origin=original.origin,
            before=made.before,
            after=made.after,
        )
        for original, made in planted
    )


def _draw(seed: int, *what: object) -> bytes:
    """A number for a thing, as good as random and the same everywhere."""
    return sha256(repr((seed, *what)).encode()).digest()
