"""A cell → its sightings as columns of numbers, and who names what under each key."""

from __future__ import annotations

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
KEYS: tuple[Key, ...] = ("line0", "line2", "line5", "statement", "region")
REACH: dict[Key, int] = {"line0": 0, "line2": 2, "line5": 5}
"""Lines that two findings of one label may be apart and still be cast for one item."""


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
    statement: Ints
    region: Ints
    first: Ints
    last: Ints

    @property
    def is_placed(self) -> bool:
        """Whether every sighting has a statement and a region: the text of the target is known."""
        return not bool(((self.statement < 0) | (self.region < 0)).any())


@dataclass(frozen=True, slots=True)
class Ballots:
    """Who names what under one key. ``item`` and ``run`` are distinct pairs; ``rows`` is the item of each row of the table."""

    runs: int
    size: int
    item: Ints
    run: Ints
    rows: Ints

    @property
    def support(self) -> Ints:
        """Runs behind each item; a run counts once."""
        return np.bincount(self.item, minlength=self.size)


def table(cell: Cell) -> Table:
    """The cell in columns; equal sightings of one run are one row."""
    labels = tuple(sorted({s.label for draw in cell.draws if draw.is_valid for s in draw.sightings}))
    codes = {label: code for code, label in enumerate(labels)}
    rows = np.array(sorted(set(_rows(cell, codes))), dtype=np.int64).reshape(-1, 5)
    label, line, run, statement, region = (np.ascontiguousarray(column) for column in rows.T)
    spans = _spans(cell.statements, statement, line)
    valid = np.array([draw.is_valid for draw in cell.draws], dtype=bool)
    return Table(len(cell.draws), valid, labels, run, label, line, statement, region, *spans)


def _rows(cell: Cell, codes: dict[str, int]) -> Iterator[tuple[int, int, int, int, int]]:
    for run, draw in enumerate(cell.draws):
        if draw.is_valid:
            yield from ((codes[s.label], s.line, run, s.statement, s.region) for s in draw.sightings)


def _spans(statements: Sequence[tuple[int, int]], statement: Ints, line: Ints) -> tuple[Ints, Ints]:
    if not statements or bool((statement < 0).any()):
        return line, line
    spans = np.array(statements, dtype=np.int64)
    return spans[statement, 0], spans[statement, 1]


def by_key(at: Table, key: Key) -> Ballots:
    """The items of ``key`` in a fixed order.

    A line key with reach w cuts the lines of a label, in order, where the gap exceeds w: single link, as the seed experiment
    has it. ``statement`` is (label, statement); ``region`` is the region.
    """
    if key in REACH:
        return _cast(at, clusters(at, REACH[key]))
    if key == "region":
        return _cast(at, at.region)
    pairs = at.label * (at.statement.max(initial=0) + 1) + at.statement
    return _cast(at, np.unique(pairs, return_inverse=True)[1])


def clusters(at: Table, reach: int) -> Ints:
    """For each row the number of its cluster: the lines of one label, cut where the gap exceeds ``reach``."""
    if not len(at.line):
        return at.line
    cuts = (np.diff(at.label) != 0) | (np.diff(at.line) > reach)
    return np.concatenate(([0], np.cumsum(cuts)))


def _cast(at: Table, rows: Ints) -> Ballots:
    size = int(rows.max(initial=-1)) + 1
    pairs = np.unique(rows * max(at.runs, 1) + at.run)
    return Ballots(at.runs, size, pairs // max(at.runs, 1), pairs % max(at.runs, 1), rows)
