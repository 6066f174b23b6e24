"""A record and the settings → the pool that is shown: what the runs say, and what people, analysers and an earlier audit add."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from venire import decisions
from venire.assess import Overlay, Policy, altered, overlay
from venire.commands.sound import sound
from venire.config import LEDGER, NAMES, Settings, table
from venire.errors import ConfigError, UsageError
from venire.model import Decision, Pool, Record, Severity
from venire.record import read

if TYPE_CHECKING:
    from venire.evidence import Findings

OTHERS = ("range", "patch")
"""Changes that somebody else may have made; in the working tree and the index it is the user who edits the settings."""


def judged(record: Record, settings: Settings) -> tuple[Pool, tuple[str, ...]]:
    """The pool with everything laid over it, and remarks about what was laid over. Reads files; errors name them."""
    over, findings = look(settings)
    over = replace(over, altered=_altered(record, settings), trust=settings.trust)
    pool = overlay(record, sound(record), over)
    return pool, _remarks(findings, pool) if findings else ()


def look(settings: Settings) -> tuple[Overlay, "Findings | None"]:
    """Read the ledger, the evidence and the earlier record; before an audit as well, which a faulty one would waste."""
    _refuse_input(settings)
    findings = _evidence(settings)
    over = Overlay(
        decisions=_decisions(settings),
        evidence=findings.evidence if findings else (),
        earlier=read(Path(settings.since)) if settings.since else None,
        policy=Policy(settings.gate, tuple(map(Severity, settings.gate_severities)), _covers(settings)),
    )
    return over, findings


def _decisions(settings: Settings) -> tuple[Decision, ...]:
    """A ledger that was named must be there, but for one that a base revision does not have yet."""
    is_taken = settings.files is not None and settings.ledger.is_relative_to(settings.files)
    if settings.decisions and not is_taken and not settings.ledger.exists():
        raise UsageError(f"{settings.decisions}: there is no ledger here", "look at the spelling, or leave --decisions out")
    return decisions.read(settings.ledger)


def _refuse_input(settings: Settings) -> None:
    """The report must not take the place of what it is made from."""
    if settings.output in ("", "-"):
        return
    output = Path(settings.output).resolve()
    for path in filter(None, (settings.since, *settings.evidence, str(settings.ledger))):
        if Path(path).resolve() == output:
            raise UsageError(f"{path}: the report would take its place", "name another file with -o")


def _evidence(settings: Settings) -> "Findings | None":
    if not settings.evidence:
        return None
    from venire import evidence

    return evidence.read(settings.evidence, settings.root)


def _covers(settings: Settings) -> Callable[[str], bool]:
    """The paths the gate looks at; all, unless the settings name some."""
    if not settings.gate_paths:
        return lambda path: True
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(settings.gate_paths).match_file
    except ValueError as error:
        place = next((place for name, place in settings.origin if name == "gate_paths"), "gate_paths")
        raise ConfigError(f"{place}: gate_paths: {error}", "write paths as in .gitignore, such as src/**") from None


def _altered(record: Record, settings: Settings) -> tuple[str, ...]:
    """The files that steer this audit and that the change touches, where the change may be somebody else's."""
    if settings.trust == "worktree" and record.audit.source.mode not in OTHERS:
        return ()
    tops = [top for top in (settings.files, settings.root) if top]
    files = {LEDGER.as_posix(), *NAMES, *_inside([str(settings.ledger)], tops)}
    if not _has_other_settings(record, settings):
        files.discard(NAMES[1])
    return altered(record, files, _inside(settings.criteria, tops))


def _inside(paths: tuple[str, ...] | list[str], tops: list[Path]) -> list[str]:
    return [Path(path).relative_to(top).as_posix() for path in paths for top in tops if Path(path).is_relative_to(top)]


def _has_other_settings(record: Record, settings: Settings) -> bool:
    """Whether the change may alter the table in pyproject.toml: most changes to that file do not."""
    target = next((target for target in record.targets if target.path == NAMES[1]), None)
    now = table(target.text) if target else {}
    if settings.files is None:
        return now != {}
    file = settings.files / NAMES[1]
    return now != (table(file.read_bytes().decode("utf-8", "replace")) if file.is_file() else {})


def _remarks(findings: "Findings", pool: Pool) -> tuple[str, ...]:
    """What became of the analysers' findings, in one line."""
    placed = {item for candidate in pool.candidates for item in candidate.evidence}
    left = "".join(f"; {count} left out: {reason}" for reason, count in findings.left_out)
    return (f"evidence: {len(placed)} of {len(findings.evidence)} findings begin in a candidate's statements{left}",)
