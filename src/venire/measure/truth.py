"""A truth file → truths: comma-separated, one known defect a row, with a header row.

Columns: ``target``, ``id`` (or ``gt_id``), ``line_lo`` and ``line_hi`` (or ``line``), ``category`` or ``check`` (or both; several
names in one field are separated by ``|``), and as you like ``severity`` and ``note``. Other columns are passed over.
"""

import csv
from collections.abc import Mapping

from venire.errors import UsageError
from venire.model import Truth

Row = Mapping[str, str | None]


def truths(text: str, name: str) -> tuple[Truth, ...]:
    """The truths in file order, which decides ties of credit. UsageError naming the file and the row, and what to change."""
    reader = csv.DictReader(text.removeprefix("\ufeff").splitlines(), strict=True)
    made: dict[tuple[str, str], Truth] = {}
    try:
        for row in _checked(reader, name):
            place = f"{name}:{reader.line_num}"
            truth = _truth(row, place)
            if made.setdefault((truth.target, truth.id), truth) is not truth:
                raise UsageError(
                    f"{place}: {truth.id} of {truth.target} is there twice", "give every defect of a target its own id"
                )
    except csv.Error as error:
        remedy = "write one defect a line, texts with commas in double quotes"
        raise UsageError(f"{name}:{reader.reader.line_num}: {error}", remedy) from None
    return tuple(made.values())


def _checked(reader: "csv.DictReader[str]", name: str) -> "csv.DictReader[str]":
    """The reader, when its header has every column that is needed."""
    columns = [column.strip() for column in reader.fieldnames or ()]
    reader.fieldnames = columns
    for needed in (("target",), ("id", "gt_id"), ("line", "line_lo"), ("category", "check")):
        if not set(needed) & set(columns):
            remedy = "begin with: target,id,line_lo,line_hi,category,severity,note"
            raise UsageError(f"{name}:1: no column {' or '.join(needed)}", remedy)
    return reader


def _truth(row: Row, place: str) -> Truth:
    if None in row or None in row.values():
        raise UsageError(f"{place}: not as many fields as the header", "put texts that hold commas in double quotes")
    labels = [part.strip() for key in ("category", "check") for part in _text(row, key).split("|")]
    names = tuple(dict.fromkeys(filter(None, labels)))
    target, ident = _text(row, "target"), _text(row, "id") or _text(row, "gt_id")
    for what, value in (("target", target), ("id", ident), ("category or check", names)):
        if not value:
            raise UsageError(f"{place}: no {what}", "every defect needs its target, an id, its lines and the name that fits it")
    return Truth(target, ident, names, _lines(row, place), _text(row, "severity"), _text(row, "note"))


def _text(row: Row, key: str) -> str:
    return (row.get(key) or "").strip()


def _lines(row: Row, place: str) -> tuple[int, int]:
    low = _text(row, "line_lo") or _text(row, "line")
    high = _text(row, "line_hi") or low
    remedy = "give first and last line as whole numbers from 1"
    if not (low.isdecimal() and high.isdecimal() and len(low) < 10 and len(high) < 10):
        raise UsageError(f"{place}: {low!r} to {high!r} are no lines", remedy)
    if not 1 <= int(low) <= int(high):
        raise UsageError(f"{place}: lines {low} to {high}", remedy)
    return int(low), int(high)
