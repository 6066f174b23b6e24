"""Python text → the same text with one small defect in it. Everything outside the edit stays byte for byte."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from venire.measure.operators import OPERATORS
from venire.measure.source import Code, Edit, read
from venire.model.change import Lines

KINDS = tuple(OPERATORS)


@dataclass(frozen=True, slots=True)
class Mutation:
    """A text with one defect. ``lines`` of ``text`` are the defect; ``before`` and ``after`` are the lines it changed."""

    kind: str
    text: str
    lines: Lines
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a text where a defect of a kind could be."""

    kind: str
    edit: Edit


def sites(code: Code, kind: str = "") -> Iterator[Site]:
    """The places for one kind, or for all; some may turn out not to give a defect."""
    for name in (kind,) if kind else KINDS:
        yield from (Site(name, edit) for edit in OPERATORS[name](code))


def mutate(code: Code, site: Site) -> Mutation | None:
    """The text with the defect planted; None where it would not parse or compile, or means the same."""
    edit = site.edit
    raw = code.raw[: edit.first] + edit.text + code.raw[edit.last :]
    text = raw.decode("utf-8")
    if not _differs(code, text):
        return None
    new = Code(raw, code.tree)  # for its lines alone
    lines = _lines(code, new, edit)
    before, after = _rows(code, edit.first, edit.last), _rows(new, edit.first, edit.first + len(edit.text))
    if edit.lead:  # the rest only moved
        before, after = ("\n".join(rows.split("\n")[: edit.lead]) for rows in (before, after))
    return Mutation(site.kind, text, lines, before, after)


def mutations(text: str, kind: str = "") -> Iterator[Mutation]:
    """Every defect of a kind, or of all kinds, that can be planted in ``text``; raises SyntaxError where it is no Python."""
    code = read(text)
    yield from (found for site in sites(code, kind) if (found := mutate(code, site)))


def _differs(code: Code, text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "is" with a literal and the like: what the defect is about
        try:
            tree = ast.parse(text)
            compile(text, "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return False
    return ast.dump(tree) != ast.dump(code.tree)


def _lines(code: Code, new: Code, edit: Edit) -> Lines:
    """The lines of the new text that are the defect. What is gone leaves the lines around the gap: the nearest with code."""
    if not edit.text and edit.last > edit.first and code.raw[edit.last - 1 : edit.last] == b"\n":
        return _around(new.raw, edit.first)
    first = new.row(edit.back if edit.back >= 0 else edit.first)
    last = new.row(edit.first) + edit.lead - 1 if edit.lead else new.row(edit.first + len(edit.text))
    return first, last


def _around(raw: bytes, offset: int) -> Lines:
    before, after = raw[:offset].split(b"\n")[:-1], raw[offset:].split(b"\n")
    up = next((n for n, line in enumerate(reversed(before)) if _is_code(line)), 0)
    first = max(len(before) - up, 1)
    down = next((n for n, line in enumerate(after) if _is_code(line)), -1)
    return first, len(before) + 1 + down if down >= 0 else first


def _is_code(line: bytes) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(b"#")


def _rows(code: Code, first: int, last: int) -> str:
    """The whole lines of a stretch, or nothing where the stretch is."""
    if first == last and (first == 0 or code.raw[first - 1 : first] == b"\n"):
        return ""
    start, end = code.raw.rfind(b"\n", 0, first) + 1, code.raw.find(b"\n", max(last - 1, first))
    return code.raw[start : end if end >= 0 else len(code.raw)].decode("utf-8").strip("\r\n")
