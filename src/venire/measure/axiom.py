"""The seed experiment's own files → cells. Text in, so that only a command reads files.

One JSON object a line: a ``provenance`` entry opens a cell, ``run`` entries follow. Lines a model may give, and families of
its categories, are as in docs/stats.md.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from venire.assess.anchors import Layout, lay_out
from venire.assess.labels import Labels
from venire.assess.locate import locate
from venire.errors import UsageError
from venire.measure.sightings import Setting, sightings, statements
from venire.model import WILDCARD, Cell, Check, Draw, Finding, Severity, Sighting, Target

INJECTION = frozenset({"CodeInjection", "CommandInjection", "PathTraversal", "SQLInjection"})
UNSURE = frozenset({"Other", "Unclear"})
LIFT = 0.5
MOST = 5000
"""Runs a cell may have: every pair of them is compared."""
FARTHEST = 2**31
"""No file has a line beyond; a number that is larger is no line."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run entry says, without its prose: the (line, category) of every issue that has a usable line."""

    is_valid: bool
    digest: str
    said: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class Log:
    """A cell as it is read: its provenance and its runs by number."""

    provenance: Mapping[str, Any]
    runs: dict[int, Run] = field(default_factory=dict)


def cells(lines: Iterable[str], texts: Mapping[str, str], name: str = "audit_logs.jsonl") -> tuple[Cell, ...]:
    """The cells in the order of the log; ``texts`` are the audited files, with plain line ends, by target.

    Without the text of a target its sightings have no statement and no region. UsageError naming ``name`` and the line.
    """
    files = {target: _file(target, text) for target, text in texts.items()}
    return tuple(_cell(cell, log, files) for cell, log in _logs(lines, name).items())


@dataclass(frozen=True, slots=True)
class File:
    """An audited file: its lines, their statements, and the digest of its text."""

    lines: tuple[str, ...]
    layout: Layout
    sha256: str


def _file(target: str, text: str) -> File:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    lines = Target(target, digest, text, "", ()).lines
    return File(lines, lay_out(lines, "python" if target.endswith(".py") else ""), digest)


def _logs(lines: Iterable[str], name: str) -> dict[str, Log]:
    logs: dict[str, Log] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            _add(_entry(line, f"{name}:{number}"), logs, f"{name}:{number}")
    if not logs:
        raise UsageError(f"{name}: no cells", "give the folder that holds the experiment's audit_logs.jsonl")
    return logs


def _add(entry: Mapping[str, Any], logs: dict[str, Log], place: str) -> None:
    """Take a line in: a provenance entry opens a cell, a run entry belongs to an open one, any other says nothing here."""
    cell = entry.get("cell")
    if entry.get("type") not in ("provenance", "run"):
        return
    if not isinstance(cell, str) or not cell:
        raise _wrong(place, f"the cell is {cell!r}", "name the cell of every line")
    if entry["type"] == "provenance":
        if cell in logs:
            raise _wrong(place, f"cell {cell!r} begins a second time", "name every cell once")
        logs[cell] = Log(entry)
        return
    if cell not in logs:
        raise _wrong(place, f"a run of cell {cell!r}, which has no provenance line yet", "put that line first")
    runs = logs[cell].runs
    number = _number(entry, place)
    if number in runs:
        raise _wrong(place, f"run {number} of cell {cell!r} is there twice", "number the runs of a cell")
    if len(runs) == MOST:
        raise _wrong(
            place, f"more than {MOST} runs of cell {cell!r}", "the pairs of so many runs do not fit in memory; take fewer"
        )
    runs[number] = Run(entry.get("schema_valid") is True, str(entry.get("raw_sha", "")), _said(entry, place))


def _entry(line: str, place: str) -> Mapping[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _wrong(place, f"not JSON ({error})", "the file must hold one JSON object a line") from None
    if not isinstance(entry, dict):
        raise _wrong(place, "not a JSON object", "the file must hold one JSON object a line")
    return entry


def _wrong(place: str, what: str, remedy: str) -> UsageError:
    return UsageError(f"{place}: {what}", remedy)


def _cell(name: str, log: Log, files: Mapping[str, File]) -> Cell:
    about = log.provenance
    target, model = str(about.get("target", "")), str(about.get("model", ""))
    file = files.get(target)
    if file and not file.sha256.startswith(str(about.get("target_hash", ""))):
        message = f"{target}: its sha256 begins {file.sha256[:12]}, but {name} is about {about.get('target_hash')}"
        raise UsageError(message, "put the audited file beside the log, with plain line ends, or take it away")
    seen = _placed(target, file, {number: run.said for number, run in log.runs.items() if run.is_valid})
    return Cell(
        name=name,
        target=target,
        model=model,
        contract="seed",
        is_pinned=about.get("temp") == 0,
        draws=tuple(Draw(number, run.is_valid, seen.get(number, ()), run.digest) for number, run in log.runs.items()),
        lines=len(file.lines) if file else 0,
        facts=tuple((key, _plain(value)) for key, value in about.items() if key not in ("type", "cell")),
        statements=statements(file.layout) if file else (),
    )


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _number(run: Mapping[str, Any], place: str) -> int:
    number = run.get("run_id")
    if isinstance(number, bool) or not isinstance(number, int):
        raise _wrong(place, f"run_id is {number!r}, not a whole number", "number the runs of a cell")
    return number


def _said(run: Mapping[str, Any], place: str) -> tuple[tuple[int, str], ...]:
    issues = run.get("issues", [])
    if not isinstance(issues, list) or not all(isinstance(issue, dict) for issue in issues):
        raise _wrong(place, "issues is not a list of objects", "give each issue a line_number and a category")
    pairs = ((_line(issue.get("line_number")), str(issue.get("category", "")).strip()) for issue in issues)
    return tuple((line, category) for line, category in pairs if line is not None)


def _line(value: object) -> int | None:
    """A whole number, also as text; None for what is none, or lies beyond any file."""
    if isinstance(value, bool) or not isinstance(value, int | str | float):
        return None
    try:
        line = int(value)
    except (ValueError, OverflowError):
        return None
    return line if abs(line) < FARTHEST else None


def _placed(target: str, file: File | None, said: Mapping[int, tuple[tuple[int, str], ...]]) -> dict[int, tuple[Sighting, ...]]:
    """The sightings of every run that has some; without the file they stay without statement and region."""
    if file is None:
        return {run: tuple(Sighting(line, category) for line, category in pairs) for run, pairs in said.items() if pairs}
    where = {line: locate(file.layout, file.lines, line) for pairs in said.values() for line, _ in pairs}
    found = [
        Finding(("", run), target, 0, "", category, line, *where[line], Severity.LOW, "")
        for run, pairs in said.items()
        for line, category in pairs
    ]
    categories = sorted({category for pairs in said.values() for _, category in pairs})
    setting = Setting(target, file.layout, _labels(categories), len(said), LIFT)
    seen = sightings(found, setting, {("", category): category for category in categories})
    return {run: those for (_, run), those in seen.items()}


def _labels(categories: list[str]) -> Labels:
    """Categories as the checks of one bucket: the injections are a family, the unsure ones go with every family."""
    checks = {("", c): Check("", c, "", c, Severity.LOW, _family(c)) for c in categories}
    return Labels(checks, {key: n for n, key in enumerate(checks)})


def _family(category: str) -> str:
    return WILDCARD if category in UNSURE else "injection" if category in INJECTION else category
