"""A cell → its sightings as columns of numbers, and who names what under each key: the line keys, statement and region."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from venire.model import Cell

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

Key = Literal["line0", "line2", "line5", "statement", "region"]
REACH: dict[Key, int] = {"line0": 0, "line2": 2, "line5": 5}
"""Lines that two findings of one label may be apart and still be cast for one item."""


@dataclass(frozen=True, slots=True)
class Ballots:
    """Who names what under one key. ``item`` and ``run`` are distinct pairs; ``rows`` is the item of each row of the table.

    An item of a line key with reach w is a cluster of lines (single link, as the seed experiment has it); of ``statement`` a
    label on a statement; of ``region`` a region.
    """

    runs: int
    size: int
    item: Ints
    run: Ints
    rows: Ints
    support: Ints  # runs behind each item; a run counts once


@dataclass(frozen=True, slots=True)
class Table:
    """The distinct sightings of the valid runs, ordered by label, line and run. A run is its position in the cell.

    ``first`` and ``last`` are the lines of the statement, or the claimed line where the text is not known.
    """

    runs: int
    valid: Flags  # by run
    labels: tuple[str, ...]  # by code, sorted
    run: Ints
    label: Ints
    line: Ints
    first: Ints
    last: Ints
    ballots: dict[Key, Ballots]  # by key; statements and regions only where every sighting has them

    @property
    def is_placed(self) -> bool:
        """Whether the text of the target is known."""
        return "region" in self.ballots


def table(cell: Cell) -> Table:
    """The cell in columns; equal sightings of one run are one row."""
    labels = tuple(sorted({s.label for draw in cell.draws if draw.is_valid for s in draw.sightings}))
    codes = {label: code for code, label in enumerate(labels)}
    rows = np.array(sorted(set(_rows(cell, codes))), dtype=np.int64).reshape(-1, 5)
    label, line, run, statement, region = (np.ascontiguousarray(column) for column in rows.T)
    valid = np.array([draw.is_valid for draw in cell.draws], dtype=bool)
    items = {key: _clusters(label, line, reach) for key, reach in REACH.items()}
    if not bool(((statement < 0) | (region < 0)).any()):
        items |= {"statement": _numbered(label * (statement.max(initial=0) + 1) + statement), "region": _numbered(region)}
    ballots = {key: _cast(those, run, len(cell.draws)) for key, those in items.items()}
    first, last = _spans(cell.statements, statement, line)
    return Table(len(cell.draws), valid, labels, run, label, line, first, last, ballots)


def _rows(cell: Cell, codes: dict[str, int]) -> Iterator[tuple[int, int, int, int, int]]:
    for run, draw in enumerate(cell.draws):
        if draw.is_valid:
            yield from ((codes[s.label], s.line, run, s.statement, s.region) for s in draw.sightings)


def _clusters(label: Ints, line: Ints, reach: int) -> Ints:
    """For each row its cluster: the lines of one label in order, cut where the gap exceeds ``reach``."""
    if not len(line):
        return line
    cuts = (np.diff(label) != 0) | (np.diff(line) > reach)
    return np.concatenate(([0], np.cumsum(cuts)))


def _numbered(values: Ints) -> Ints:
    """Each value's position among the distinct ones."""
    return np.unique(values, return_inverse=True)[1]


def _cast(rows: Ints, run: Ints, runs: int) -> Ballots:
    size, step = int(rows.max(initial=-1)) + 1, max(runs, 1)
    pairs = np.unique(rows * step + run)
    item = pairs // step
    return Ballots(runs, size, item, pairs % step, rows, np.bincount(item, minlength=size))


def _spans(statements: Sequence[tuple[int, int]], statement: Ints, line: Ints) -> tuple[Ints, Ints]:
    if not statements or bool((statement < 0).any()):
        return line, line
    spans = np.array(statements, dtype=np.int64)
    return spans[statement, 0], spans[statement, 1]
