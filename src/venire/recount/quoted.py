"""The name of a figure, its arguments and a record → its value. Here are the figures that a claim may name."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

from venire.errors import UsageError
from venire.recount import tables
from venire.recount.cells import Cell, Truth, corpus, recorded, truths
from venire.recount.count import Count
from venire.recount.entries import load
from venire.recount.figures import figures, wilson
from venire.recount.grouping import supports
from venire.recount.resample import interval

CORPUS = "corpus:"


def _truth(cell: Cell, name: str) -> Truth:
    return next(truth for truth in cell.truths if truth.id == name)


OF_CELLS: dict[str, Callable[..., Any]] = {
    "runs": lambda cell: len(cell.runs),
    "valid runs": lambda cell: sum(cell.valid),
    "truths": lambda cell: len(cell.truths),
    "lines": lambda cell: cell.lines,
    "mean findings": lambda cell: mean(map(len, cell.runs)),
    "silent runs": lambda cell: sum(not run for run in cell.runs),
    "silent share": lambda cell: sum(not run for run in cell.runs) / len(cell.runs),
    "distinct replies": lambda cell: len(set(cell.raw)),
    "agreement": tables.agreement,  # near, spoken
    "agreement interval": interval,  # near
    "recall": tables.recall,  # near
    "recall by line": lambda cell, near=tables.NEAR: tables.recall(cell, near, is_strict=False),
    "precision": tables.precision,  # near
    "false positives a run": lambda cell, near=tables.NEAR: mean(tables.hits(cell, run, near)[1] for run in cell.runs),
    "found": lambda cell: len(tables.found_from(cell)),
    "drifted": lambda cell: sum(len(lines) > 1 for lines in tables.found_from(cell).values()),
    "votes": lambda cell, line, label: cell.votes.get((line, label), 0),
    "votes on lines": lambda cell, label, lines: [part for n in lines for part in (cell.votes.get((n, label), 0), n)],
    "naming": lambda cell, label: sum(any(name == label for _, name in run) for run in cell.runs),
    "runs on lines": lambda cell, label, lines: sum(any((line, label) in run for line in lines) for run in cell.runs),
    "reported lines": tables.reported_lines,
    "surviving": tables.surviving,  # near, k: truths kept, strays kept
    "cluster support": lambda cell, truth, near: [tables.cluster_support(cell, _truth(cell, t), near) for t in _many(truth)],
    "majority": lambda cell: cell.majority,
    "candidates": lambda cell: len(cell.cards),
    "top support": lambda cell: max((tables.backing(card) for card in cell.cards), default=0),
    "support": lambda cell, truth: tables.support(cell, _truth(cell, truth)),
    "named support": lambda cell, truth: tables.named_support(cell, _truth(cell, truth)),
    "region support": lambda cell, truth, wild=False: [supports(cell, is_wild=wild)[t] for t in _many(truth)],
    "place in the ranking": lambda cell, truth: tables.standing(cell, _truth(cell, truth)),
    "pooled recall": tables.pooled_recall,
    "exam": lambda cell, truth: tables.exam(cell, _truth(cell, truth)),
    "exam by support": lambda cell, truth, near: tables.exam_by_support(cell, _truth(cell, truth), near),
}
"""Figures of one model on one file."""

OF_RECORDS: dict[str, Callable[[list[Cell]], Any]] = {
    "targets": len,
    "mean exam": lambda cells: mean(tables.exam(cell, truth) for cell in cells for truth in cell.truths),
    "pooled share": lambda cells: mean(tables.standing(cell, truth) > 0 for cell in cells for truth in cell.truths),
    "top 3 share": lambda cells: mean(1 <= tables.standing(cell, truth) <= 3 for cell in cells for truth in cell.truths),
    "mean candidates": lambda cells: mean(len(cell.cards) for cell in cells),
}
"""Figures of all files of a record; those about truths take a mean over all of them."""

OF_NUMBERS: dict[str, Callable[..., Any]] = {
    "totals": lambda of: [sum(each) for each in of],
    "ratio": lambda of: sum(_many(of[0])) / sum(_many(of[1])),
    "ratio of rates": lambda of: (of[0] / of[1]) / (of[2] / of[3]),
    "wilson": lambda of: wilson(of[0], of[1]),
}
"""Figures that follow from other figures, for claims that no record supports."""


def count(name: str, given: Mapping[str, Any], record: str, truth: str, root: Path, corpora: Path | None) -> Any:
    """The value of a figure, or several. UsageError: no such figure, or not of this record."""
    try:
        if name in OF_NUMBERS:
            return OF_NUMBERS[name](**given)
        if name == "report":  # figures of the report, by their names
            found = [_part(_of_report(root / record), each) for each in _many(given["name"])]
            return [part for value in found for part in (value if isinstance(value, tuple) else [value])]
        rest = {key: value for key, value in given.items() if key not in ("target", "model")}
        cells = _cells(record, truth, root, corpora)
        if name in OF_RECORDS:
            return OF_RECORDS[name](cells)
        return OF_CELLS[name](_one(cells, given.get("target", ""), given.get("model", "")), **rest)
    except (KeyError, TypeError, IndexError, StopIteration, ZeroDivisionError, SyntaxError) as error:
        known = ", ".join(sorted((*OF_CELLS, *OF_RECORDS, *OF_NUMBERS, "report")))
        raise UsageError(f"{record}: no figure {name!r} with {dict(given)}: {error!r}", f"known: {known}") from None


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _one(cells: list[Cell], target: str, model: str) -> Cell:
    found = [cell for cell in cells if target in ("", cell.target) and cell.name.endswith(model)]
    if len(found) != 1:
        raise KeyError(f"{len(found)} cells; say target and model")
    return found[0]


def _part(told: Mapping[str, Any], name: str) -> Any:
    """A figure, or with ``[n]`` behind its name the n-th part of it, from 0."""
    whole, _, number = name.removesuffix("]").rpartition("[") if name.endswith("]") else (name, "", "")
    return told[whole][int(number)] if number else told[name]


@cache
def _of_report(record: Path) -> dict[str, Any]:
    return figures(Count(load(record)))


@cache
def _cells(record: str, truth: str, root: Path, corpora: Path | None) -> list[Cell]:
    if not record.startswith(CORPUS):
        return recorded(root / record, truths(root / truth) if truth else None)
    folder, _, name = record.removeprefix(CORPUS).rpartition("/")
    return [_corpus((corpora or root) / folder)[name]]


@cache
def _corpus(folder: Path) -> dict[str, Cell]:
    return corpus(folder)
