"""A candidate and what a person thinks of it → an entry in the ledger, to be committed."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from venire import decisions
from venire.assess import decision_on
from venire.change import Repository
from venire.commands.sound import sound
from venire.config import LEDGER, Settings
from venire.deliver import deliver, note
from venire.errors import ChangeError, Exit, UsageError
from venire.model import Candidate, Decision, Pool, Verdict
from venire.record import read
from venire.visible import visible

LEAST = 4
"""Characters of an id that must be given."""


def decide(settings: Settings, id_: str, verdict: str, *, why: str, who: str = "", record: Path | None = None) -> Exit:
    """Find the candidate in ``record`` (the newest sealed one by default) and write the decision into the ledger."""
    known: tuple[Verdict, ...] = get_args(Verdict)
    said = next((word for word in known if word == verdict), None)
    if said is None:
        raise UsageError(f"{verdict!r} is no decision", f"give one of: {', '.join(known)}")
    reason = _line(why)
    if not reason:
        raise UsageError("a decision needs a reason", "add --why TEXT; whoever reads the ledger later has nothing else")
    path = record or _newest(settings.records)
    candidate = _found(sound(read(path)), id_, path)
    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    decision = decision_on(candidate, said, who=_line(who) or _user(settings.root), when=when, why=reason)
    ledger = _ledger(settings)
    decisions.add(ledger, decision)
    note(
        f"{said}: {candidate.id} at {candidate.path}:{candidate.first}, by {decision.who}; written to {_short(ledger)}, commit it"
    )
    _warn_if_ignored(settings, ledger)
    return Exit.OK


def show_decisions(settings: Settings) -> Exit:
    """Every decision in the ledger, one in two lines, in the order of the file."""
    known = decisions.read(_ledger(settings))
    lines = [line for decision in known for line in _told(decision)]
    deliver("".join(f"{visible(line)}\n" for line in lines) or f"no decisions in {_short(_ledger(settings))}\n")
    return Exit.OK


def _told(decision: Decision) -> tuple[str, str]:
    what = f" {decision.statement}" if decision.statement else ""
    return (
        f"{decision.when}  {decision.verdict:<7}  {decision.candidate}  {decision.path}{what}",
        f"    {decision.who}: {decision.why}",
    )


def _ledger(settings: Settings) -> Path:
    """The working tree's own ledger, whomever an audit trusts: this is where it is written."""
    return Path(settings.decisions) if settings.decisions else settings.root / LEDGER


_SECOND = len("20260102T030405Z")
"""A record's name begins with the second in which its audit began; within one, the time it was last written decides."""


def _newest(folder: Path) -> Path:
    """The record that was sealed last: names begin with the time."""
    found = sorted(folder.glob("*.jsonl"), key=lambda path: (path.name[:_SECOND], path.stat().st_mtime_ns, path.name))
    if not found:
        raise UsageError(f"{folder}: no sealed record here", "name one with --record RECORD")
    return found[-1]


def _found(pool: Pool, id_: str, path: Path) -> Candidate:
    """The candidate whose id begins so."""
    wanted = id_.strip().lower()
    found = [candidate for candidate in pool.candidates if candidate.id.startswith(wanted)]
    if len(wanted) < LEAST:
        raise UsageError(f"{id_!r}: too short for an id", f"give at least {LEAST} characters of it")
    if not found:
        raise UsageError(
            f"{path}: no candidate {id_!r} in this record", "its report shows the ids; another record: --record RECORD"
        )
    if len(found) > 1:
        ids = ", ".join(candidate.id for candidate in found)
        raise UsageError(f"{id_!r} is the beginning of {len(found)} ids: {ids}", "give more characters")
    return found[0]


def _user(root: Path) -> str:
    """git's user.name."""
    try:
        name = _line(Repository.open(root).user_name())
    except ChangeError:
        name = ""
    if not name:
        raise UsageError("nobody is named: git has no user.name here", "add --who NAME, or: git config user.name NAME")
    return name


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def _short(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def _warn_if_ignored(settings: Settings, ledger: Path) -> None:
    """A ledger that git ignores is never committed, and its decisions stay on this machine."""
    if not ledger.is_relative_to(settings.root) or not (settings.root / ".git").exists():
        return
    inner = ledger.relative_to(settings.root).as_posix()
    if not Repository.open(settings.root).known(os.fsencode(inner)):
        note(f"git ignores {inner}, so it cannot be committed: in .gitignore put .venire/records/ in place of .venire/")
