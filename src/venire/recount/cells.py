"""Frozen runs → cells: N runs of one model on one file, each run the set of what it reported.

A cell comes from the seed experiment's files or from a sealed record; every figure of a results table is counted from cells.
"""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from venire.errors import RecordDamaged, UsageError
from venire.recount.count import Count, Place
from venire.recount.entries import Body, key, load
from venire.recount.places import Run
from venire.recount.statements import text_lines

Key = tuple[int, str]
"""A line as claimed, and a label: a category, or ``bucket::check_n``."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A defect known to be in a file, on lines ``first`` to ``last``, under any of the labels."""

    id: str
    first: int
    last: int
    labels: frozenset[str]

    def holds(self, line: int, near: int) -> bool:
        """Whether a line is at most ``near`` lines outside the defect's."""
        return self.first - near <= line <= self.last + near


@dataclass(frozen=True, slots=True)
class Spot:
    """A region as far as a table needs it: lines of its statements, the labels voted for there, the runs behind it."""

    spans: tuple[tuple[int, int], ...]
    labels: frozenset[str]
    runs: frozenset[Run]

    def meets(self, truth: Truth) -> bool:
        """Whether one of its statements is on a line of the defect."""
        return any(first <= truth.last and truth.first <= last for first, last in self.spans)


Card = tuple[Spot, ...]
"""The regions of one candidate."""


@dataclass(frozen=True)
class Cell:
    """The runs of one model on one file. A run that is not valid has no keys. ``raw`` are the replies, or digests of them."""

    name: str
    target: str
    runs: tuple[frozenset[Key], ...]
    valid: tuple[bool, ...]
    text: str
    truths: tuple[Truth, ...] = ()
    raw: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()  # the candidates, ranked

    @property
    def lines(self) -> int:
        """Lines of the file."""
        return len(text_lines(self.text))

    @cached_property
    def votes(self) -> dict[Key, int]:
        """The runs behind each key."""
        return {key: sum(key in run for run in self.runs) for key in frozenset().union(*self.runs)}

    @property
    def majority(self) -> int:
        """The least number of runs that is more than half of them."""
        return len(self.runs) // 2 + 1


def truths(path: Path) -> dict[str, tuple[Truth, ...]]:
    """The truths of a CSV file by target, in its order: target, id or gt_id, line_lo and line_hi or line, category or check.

    Several labels are joined by ``|``. UsageError names the row that is none.
    """
    found: dict[str, list[Truth]] = {}
    try:
        rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: {error}", "name a file of comma-separated values") from None
    for number, row in enumerate(rows, 2):
        try:
            first = int(row.get("line_lo") or row["line"])
            labels = f"{row.get('category') or ''}|{row.get('check') or ''}".split("|")
            named = frozenset(label.strip() for label in labels if label.strip())
            truth = Truth(row.get("gt_id") or row["id"], first, int(row.get("line_hi") or first), named)
            found.setdefault(row["target"], []).append(truth)
        except (KeyError, ValueError, TypeError) as error:
            raise UsageError(f"{path}:{number}: {error!r}", "columns: target, id, line_lo, line_hi, category") from None
    return {target: tuple(rows) for target, rows in found.items()}


def corpus(folder: Path) -> dict[str, Cell]:
    """The cells of the seed experiment's folder, by name."""
    known = truths(folder / "gt.csv")
    groups: dict[str, list[Any]] = {}
    for number, line in enumerate(_read(folder / "audit_logs.jsonl").splitlines(), 1):
        try:
            entry = json.loads(line)
            groups.setdefault(entry["cell"], []).append(entry)
        except (ValueError, TypeError, KeyError):
            raise RecordDamaged(f"{folder / 'audit_logs.jsonl'}, line {number}: no entry of a cell", line=number) from None
    try:
        return {name: _cell(name, entries, folder, known) for name, entries in groups.items()}
    except (KeyError, TypeError, AttributeError, StopIteration) as error:
        raise RecordDamaged(f"{folder / 'audit_logs.jsonl'}: an entry is not of the experiment's form: {error!r}") from None


def _cell(name: str, entries: Sequence[Any], folder: Path, known: dict[str, tuple[Truth, ...]]) -> Cell:
    target = next(entry["target"] for entry in entries if entry["type"] == "provenance")
    runs = [entry for entry in entries if entry["type"] == "run"]
    return Cell(
        name,
        target,
        tuple(frozenset(_keys(run["issues"])) if run["schema_valid"] else frozenset() for run in runs),
        tuple(run["schema_valid"] for run in runs),
        _read(folder / f"{target}.txt"),
        known.get(target, ()),
        tuple(run["raw_sha"] for run in runs),
    )


def _keys(issues: Iterable[Body]) -> Iterable[Key]:
    return ((issue["line_number"], issue["category"].strip()) for issue in issues if type(issue["line_number"]) is int)


def recorded(path: Path, known: dict[str, tuple[Truth, ...]] | None = None) -> list[Cell]:
    """A cell for each file and model of a sealed record. Its runs are those of which anything was sampled.

    A run is valid where it is in every prompt about the file.
    """
    count = Count(load(path))
    return [
        _recorded(count, target, model, (known or {}).get(target["path"], ()))
        for target in count.entries.targets
        for model in count.entries.models
    ]


def _recorded(count: Count, target: Body, model: str, known: tuple[Truth, ...]) -> Cell:
    name, complete = target["path"], count.complete(target["path"])
    numbers = sorted({heard.run[1] for heard in count.heard if (heard.prompt[0], heard.run[0]) == (name, model)})
    said: dict[int, set[Key]] = {number: set() for number in numbers}
    for finding in count.found[name]:
        if finding.run in complete and finding.run[0] == model:
            said[finding.run[1]].add((finding.line, "::".join(finding.label)))
    return Cell(
        f"{name} {model}",
        name,
        tuple(frozenset(said[number]) for number in numbers),
        tuple((model, number) in complete for number in numbers),
        target["text"],
        known,
        raw=tuple(_said(count, name, model, number) for number in numbers),
        cards=tuple(_card(place, model) for place in count.places if place.target["path"] == name),
    )


def _said(count: Count, name: str, model: str, number: int) -> str:
    """Everything that a run replied to the prompts about a file."""
    runs = [r for r in count.entries.runs if (r["path"], r["model"], r["number"]) == (name, model, number)]
    return repr([[attempt["text"] for attempt in run["attempts"]] for run in sorted(runs, key=key)])


def _card(place: Place, model: str) -> Card:
    return tuple(
        Spot(
            tuple((place.sheet.statements[n].first, place.sheet.statements[n].last) for n in sorted(region.statements)),
            frozenset("::".join(ballot.label) for ballot in region.ballots),
            frozenset(run for run in region.runs if run[0] == model),
        )
        for region in place.card
    )


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}", "name the folder with the experiment's files") from None
