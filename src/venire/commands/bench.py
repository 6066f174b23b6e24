"""Labelled targets, asked in several ways, N times each → sealed records and their tables.

Every cell is a record of its own, drawn after a cold start. A cell that is sealed is not drawn again, and one that was cut off
is completed, so a bench can be stopped and called again.
"""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from venire.change import collect
from venire.commands.sitting import audited, complete
from venire.commands.stats import Measure, form_of, read_truths, show_measures, statistics
from venire.config import Settings
from venire.deliver import note, writable
from venire.errors import ConfigError, Exit, UsageError
from venire.measure.leaks import leaks
from venire.measure.suite import Mode, Suite, Trial, read_suite, trials
from venire.model import Cell, Change, Measures, Mutant, Ranking, Record, Source, Target, Truth
from venire.panel import load
from venire.record import read
from venire.sample import Cooling, open_backend
from venire.visible import visible

if TYPE_CHECKING:
    from venire.measure.order import Key
    from venire.measure.ranking import Outcome

MUTANT_RUNS = 5
KEYS: "tuple[Key, ...]" = ("region", "line2", "line0")
FEWER = (1, 3)  # runs of the same record, to see what more of them bring
PROBES: Mapping[Mode, Literal["one seed", "six seeds"]] = MappingProxyType({"one-seed": "one seed", "six-seeds": "six seeds"})
PART = "*.jsonl.part"


@dataclass(frozen=True, slots=True)
class Request:
    """A suite file, a number of mutants, or mutants in a suite's ways of asking.

    ``has_twins``: mutants come with their clean twins. ``only`` keeps to the cells whose names hold it.
    ``form`` and ``figure`` are as in stats.
    """

    suite: Path | None = None
    mutants: int = 0
    only: str = ""
    has_twins: bool = True
    form: str = "terminal"
    figure: Path | None = None


def bench(settings: Settings, request: Request) -> Exit:
    """Draw what is missing, then print the tables."""
    form = form_of(request.form)
    measure = statistics()
    for output in filter(None, (settings.output, str(request.figure or ""))):
        writable(output)
    if request.mutants:
        show_measures(_of_mutants(settings, request), settings, form)
        return Exit.OK
    assert request.suite is not None  # noqa: S101 - cli sees to it
    suite = read_suite(request.suite)
    truths = read_truths(suite.truth) if suite.truth else ()
    chosen = [trial for trial in trials(suite) if request.only in trial.name]
    if not trials(suite):
        raise UsageError(f"{request.suite}: the suite asks for no runs", "set sampled or pinned above 0")
    if not chosen:
        raise UsageError(f"no cell's name holds {request.only!r}", f"cells: {', '.join(t.name for t in trials(suite))}")
    _refuse_idle_threads(settings, suite)
    changes = {trial.target.file: _change(trial.target.file) for trial in chosen}
    _refuse_labels(list(changes.values()), truths)
    folder = _folder(settings, request.suite.stem)
    records = [_cell(_asking(settings, trial), changes[trial.target.file], folder, trial.name) for trial in chosen]
    measured = _measures(records, chosen, truths, measure)
    show_measures(measured, settings, form, request.figure)
    return Exit.OK


# ---------------------------------------------------------------- one cell


def _cell(settings: Settings, change: Change, folder: Path, name: str) -> Path:
    """The sealed record of a cell: there already, completed, or drawn anew."""
    path, drawing = folder / f"{name}.jsonl", folder / "drawing" / name
    if path.exists():
        _refuse_other(path, settings, change)
        note(f"{name}: there")
        return path
    if done := sorted(drawing.glob("*.jsonl")):  # sealed, and cut off before it got its name
        sealed: Path | None = done[0]
    elif begun := sorted(drawing.glob(PART)):
        note(f"{name}: going on")
        sealed = complete(settings, begun[0])
    else:
        note(f"{name}: {settings.runs} run{'' if settings.runs == 1 else 's'}")
        _cool(settings)
        _, sealed = audited(replace(settings, record=str(drawing)), change)
    if sealed is None:
        raise UsageError(f"{name}: no check applies to any target", "look at `when` in the criteria")
    os.replace(sealed, path)
    return path


def _refuse_other(path: Path, settings: Settings, change: Change) -> None:
    """A record of another text, or asked in another way, is not the cell that is wanted, whatever its name."""
    record, plan = read(path), settings.plan
    drawn, wanted = ({(t.path, t.sha256) for t in targets} for targets in (record.targets, change.targets))
    panel = load([Path(one) for one in settings.criteria], settings.buckets)
    differs = {
        "target": drawn != wanted,
        "number of runs": record.audit.plan.runs != plan.runs,
        "sampling": record.audit.plan.sampling != plan.sampling,
        "contract": {seat.contract for seat in record.audit.seats} != {settings.contract},
        "panel": record.audit.panel != panel,
        "model": bool(settings.model) and {seat.model for seat in record.audit.seats} != {settings.model},
    }
    if found := [what for what, is_other in differs.items() if is_other]:
        remedy = "remove that record to draw the cell anew, or name another folder with --record"
        raise UsageError(f"{path}: was drawn with another {', another '.join(found)}", remedy)


def _cool(settings: Settings) -> None:
    """A cold start: a server that can is told to drop the model; the embedded engine is a new process anyway."""
    backend = open_backend(settings, note)
    try:
        if isinstance(backend, Cooling):
            backend.unload()
    finally:
        backend.close()


def _asking(settings: Settings, trial: Trial) -> Settings:
    """The settings of a cell."""
    return replace(
        settings,
        runs=settings.runs if _is_given(settings, "runs") and trial.mode == "sampled" else trial.runs,
        models=(),
        contract=trial.setting.contract,
        criteria=trial.setting.criteria,
        scope="file",
        threads=trial.threads or settings.threads,
        pinned=trial.mode in ("pinned", "one-seed"),
        temperature=0.0 if trial.mode == "six-seeds" else settings.temperature,  # 0 is greedy, with a seed for each run
    )


def _is_given(settings: Settings, name: str) -> bool:
    return any(given == name for given, _ in settings.origin)


def _folder(settings: Settings, name: str) -> Path:
    folder = Path(settings.record) if settings.record else settings.root / ".venire" / "bench" / name
    (folder / "drawing").mkdir(parents=True, exist_ok=True)
    return folder


# ---------------------------------------------------------------- targets


def _change(file: Path) -> Change:
    """A whole file under its bare name: where it lies is no business of the model's."""
    found = collect(Source("paths", str(file)), file.parent, paths=(str(file.resolve()),))
    if not found.targets:
        reason = f": {found.skipped[0].reason}" if found.skipped else ""
        raise UsageError(f"{visible(str(file))}: cannot be audited{reason}", "name another file in the suite")
    bare = tuple(replace(target, path=file.name) for target in found.targets)
    return Change(Source("paths", file.name), bare)


def _refuse_labels(changes: Sequence[Change], truths: Sequence[Truth]) -> None:
    """UsageError naming every line on which a target gives its own labels away."""
    rows = [
        f"{visible(target.path)}:{leak.line}: {leak.words!r}"
        if leak.line
        else f"{visible(target.path)}: its name says {leak.words!r}"
        for change in changes
        for target in change.targets
        for leak in leaks(target.path, target.text, [truth for truth in truths if truth.target == target.path])
    ]
    if rows:
        remedy = (
            "take the labels out of the code; they belong into the truth file. A model that reads its answers has high recall"
        )
        raise UsageError("a target carries its own labels:\n" + "\n".join(rows), remedy)


def _refuse_idle_threads(settings: Settings, suite: Suite) -> None:
    """A server decides on its threads itself, and on a GPU they do nothing: such an axis would measure nothing."""
    if not suite.threads:
        return
    backend = open_backend(settings, note)
    try:
        info = backend.describe()
    finally:
        backend.close()
    share, is_ours = info.gpu_share, info.backend in ("embedded", "scripted")
    if not is_ours or share not in (0.0, None):
        what = "a server decides on its threads itself" if not is_ours else f"{share:.0%} of the model is in GPU memory"
        raise ConfigError(f"threads: {what}, so this axis would measure nothing", "leave `threads` out of the suite")


# ---------------------------------------------------------------- mutants


def _of_mutants(settings: Settings, request: Request) -> Measures:
    """For each way of asking one record over the mutants of this seed and their twins, and how well it ranks the defects."""
    from venire.measure.functions import fingerprint, suite

    mutants = suite(request.mutants, settings.seed)
    runs = settings.runs if _is_given(settings, "runs") else MUTANT_RUNS
    plain = replace(settings, scope="file", runs=runs)
    ways = read_suite(request.suite, has_targets=False).settings if request.suite else ()
    asked = {way.name: replace(plain, contract=way.contract, criteria=way.criteria) for way in ways if request.only in way.name}
    folder, stem = _folder(settings, "mutants"), f"mutants-{request.mutants}-{settings.seed}"
    drawn = {
        name: _way(own, mutants, folder, stem, name, has_twins=request.has_twins)
        for name, own in (asked or {settings.contract: plain}).items()
    }
    about = f"{fingerprint(mutants)} of Python {platform.python_version()}"
    return Measures((), rankings=_ranked(drawn, mutants, has_twins=request.has_twins), suite=about)


def _way(settings: Settings, mutants: Sequence[Mutant], folder: Path, stem: str, name: str, *, has_twins: bool) -> Record:
    """The record of a way of asking. One that was drawn with twins serves without them too."""
    fuller = f"{stem}-{name}"
    with_twins = has_twins or (folder / f"{fuller}.jsonl").exists()
    change = _mutated(mutants, has_twins=with_twins)
    return read(_cell(settings, change, folder, fuller if with_twins else f"{stem}-no-twins-{name}"))


def _mutated(mutants: Sequence[Mutant], *, has_twins: bool) -> Change:
    files = {mutant.name: mutant.text for mutant in mutants}
    if has_twins:
        files |= {mutant.twin: mutant.clean for mutant in mutants}
    return Change(Source("paths", "mutants and their twins"), tuple(_whole(name, files[name]) for name in sorted(files)))


def _whole(name: str, text: str) -> Target:
    bare = Target(name, sha256(text.encode()).hexdigest(), text, "python", ())
    return replace(bare, changed=((1, len(bare.lines)),))


def _ranked(drawn: Mapping[str, Record], mutants: Sequence[Mutant], *, has_twins: bool) -> tuple[Ranking, ...]:
    """For each way of asking a row under each key, and one with fewer of the runs."""
    from venire.measure.order import of_record, restrict
    from venire.measure.ranking import difference, gather, outcomes

    rows: list[Ranking] = []
    first: Sequence[Outcome] = ()
    for name, record in drawn.items():
        planned = record.audit.plan.runs
        for runs, key in (
            (planned, KEYS[0]),
            *((planned, key) for key in KEYS[1:]),
            *((n, KEYS[0]) for n in FEWER if n < planned),
        ):
            heard = of_record(restrict(record, range(1, runs + 1)), key)
            found = outcomes(heard, mutants, has_twins=has_twins)
            first = first or found
            less = None if found is first else difference(found, first)
            rows.append(replace(gather(found, f"{name}, N={runs}", key, 0), less=less))
    return tuple(rows)


# ---------------------------------------------------------------- tables


def _measures(records: Sequence[Path], chosen: Sequence[Trial], truths: Sequence[Truth], measure: Measure) -> Measures:
    """All sampled and pinned cells, and what the seed probes gave."""
    from venire.measure.records import cells

    drawn = zip(chosen, records, strict=True)
    found = [(trial, replace(cell, name=trial.name)) for trial, path in drawn for cell in cells(read(path))]
    measures = measure(tuple(cell for trial, cell in found if trial.mode in ("sampled", "pinned")), truths or None)
    probes = tuple((trial.target.name, PROBES[trial.mode], *_distinct(cell)) for trial, cell in found if trial.mode in PROBES)
    return replace(measures, seeds=probes)


def _distinct(cell: Cell) -> tuple[int, int]:
    """Replies of a cell, and how many different ones there are among them."""
    return len(cell.draws), len({draw.digest for draw in cell.draws})
