"""Are records whole, and what do they say: each verified and replayed, one line each. No model, no git, no network."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from venire.commands.show import report_digest
from venire.commands.sound import sound
from venire.config import Settings
from venire.deliver import deliver, note
from venire.errors import Exit, RecordDamaged, UsageError, VenireError
from venire.record import read
from venire.visible import visible

SUFFIX = ".jsonl"
"""What the name of a sealed record ends in. An unfinished one is no promise, so it is not looked for."""


def check(settings: Settings, paths: Sequence[Path]) -> Exit:
    """Check the records named, those in folders named, or those in the folder for records and in ``records/``.

    An unfinished record among those named is inconclusive.
    Every record has its line before the gravest fault is raised: RecordDamaged, or UsageError for what cannot be read.
    """
    places = list(paths) or [place for place in (settings.records, settings.root / "records") if place.is_dir()]
    files = list(dict.fromkeys(file for place in places for file in _listed(place)))
    if not files:
        deliver("No records to check\n", settings.output)
        return Exit.OK
    found = [_looked_at(file) for file in files]
    deliver("".join(f"{visible(line)}\n" for line, _ in found), settings.output)
    faults = [outcome for _, outcome in found if isinstance(outcome, VenireError)]
    for fault in faults:
        note(fault.message)
    if faults:
        raise _gravest(faults, len(files))
    return Exit.INCONCLUSIVE if any(outcome is Exit.INCONCLUSIVE for _, outcome in found) else Exit.OK


def _listed(place: Path) -> Iterator[Path]:
    if place.is_dir():
        yield from sorted(file for file in place.iterdir() if file.name.endswith(SUFFIX) and file.is_file())
    else:
        yield place


def _looked_at(file: Path) -> tuple[str, Exit | VenireError]:
    """The line of a record, and what it means."""
    try:
        record = read(file)
    except VenireError as fault:
        return f"{file}: {'DAMAGED' if isinstance(fault, RecordDamaged) else 'NOT READ'}", fault
    pool = sound(record)
    if record.stop is None:
        return f"{file}: unfinished, {len(record.runs)} samples; venire audit --resume {file}", Exit.INCONCLUSIVE
    is_same = record.report == report_digest(pool)
    kept = (
        "report as sealed" if is_same else f"sealed by {record.audit.tool} with another report: this version reads it otherwise"
    )
    count = len(pool.candidates)
    return f"{file}: whole, {pool.status}, {count} candidate{'' if count == 1 else 's'}, {kept}, head {record.head[:12]}", Exit.OK


def _gravest(faults: Sequence[VenireError], count: int) -> VenireError:
    damaged = sum(isinstance(fault, RecordDamaged) for fault in faults)
    if damaged:
        return RecordDamaged(f"{damaged} of {count} records damaged", "take a whole copy, or audit again")
    return UsageError(f"{len(faults)} of {count} records cannot be read", "look at the names and rights above")
