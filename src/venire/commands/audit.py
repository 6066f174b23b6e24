"""Audit a change: change → panel → samples → sealed record → the report that a replay of that record gives."""

from dataclasses import dataclass
from pathlib import Path

from venire.change import collect
from venire.config import LEDGER, Settings
from venire.deliver import writable
from venire.errors import Exit
from venire.model import Change, Source


@dataclass(frozen=True, slots=True)
class Request:
    """What to audit: a source, with the paths or the patch it needs; or an unfinished record to complete."""

    source: Source
    paths: tuple[str, ...] = ()
    patch: bytes = b""
    resume: Path | None = None


def audit(settings: Settings, request: Request) -> Exit:
    """Run the whole audit and show its report; the exit code as the README's table says.

    What is only needed when there is something to audit is imported then: a hook with nothing to do ends at once.
    """
    writable(settings.output)
    _look_ahead(settings)
    if request.resume:
        from venire.commands.sitting import resume

        return resume(settings, request.resume)
    change = changed(settings, request)
    if not change.targets:
        from venire.commands.nothing import show_nothing

        return show_nothing(settings, change)
    from venire.commands.sitting import begin

    return begin(settings, change)


def _look_ahead(settings: Settings) -> None:
    """A faulty ledger, SARIF file or earlier record is found before an audit, not after it."""
    has_ledger = bool(settings.decisions) or settings.ledger.exists() or settings.ledger.is_symlink()
    if settings.evidence or settings.since or settings.gate_paths or has_ledger:
        from venire.commands.judge import look

        look(settings)


def changed(settings: Settings, request: Request) -> Change:
    """The change that a request names, without what the settings leave out."""
    return collect(request.source, settings.root, paths=request.paths, patch=request.patch, ignore=_ignored(settings))


def _ignored(settings: Settings) -> tuple[str, ...]:
    """What the user leaves out, and what is venire's own: the ledger, the report, and the files that are read for it."""
    root = settings.root.resolve()
    named = [name for name in (settings.output, settings.since, *settings.evidence) if name not in ("", "-")]
    own = [path.relative_to(root).as_posix() for path in map(_resolved, named) if path.is_relative_to(root)]
    ledger = [LEDGER.as_posix()] if (settings.root / LEDGER).exists() else []
    return (*settings.ignore, *(f"/{path}" for path in (*ledger, *own)))


def _resolved(name: str) -> Path:
    return Path(name).resolve()
