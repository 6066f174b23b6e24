"""A pool and a policy → whether the gate is reached, with a reason for each candidate and the command that settles it.

A policy looks at decisions and evidence, never at votes alone. Candidates outside the change never reach a gate.
A reason is one line whatever the names in it hold: it is the last line a command prints.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from venire.model import Candidate, Gate, Lane, Pool, Severity
from venire.visible import visible

Name = Literal["advisory", "acknowledge", "evidence"]


def _everywhere(path: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Policy:
    """``severities`` the gate looks at: none means high for ``acknowledge``, all for ``evidence``. ``covers`` picks paths."""

    name: Name = "advisory"
    severities: tuple[Severity, ...] = ()
    covers: Callable[[str], bool] = _everywhere


def guard(pool: Pool, policy: Policy) -> Pool:
    """The pool with its gate; ``advisory`` has none."""
    if policy.name == "advisory":
        return pool
    looked_at = policy.severities or ((Severity.HIGH,) if policy.name == "acknowledge" else tuple(Severity))
    why = _unsettled if policy.name == "acknowledge" else _shown
    reasons = tuple(
        reason
        for candidate in pool.candidates
        if candidate.severity in looked_at
        and candidate.lane not in (Lane.OUTSIDE, Lane.DISMISSED)
        and policy.covers(candidate.path)
        for reason in why(candidate)
    )
    return replace(pool, gate=Gate(policy.name, bool(reasons), reasons))


def _unsettled(candidate: Candidate) -> Iterator[str]:
    """``acknowledge``: any decision settles, unless it no longer holds."""
    if candidate.decision is None:
        yield f"{_named(candidate)} has no decision; {_settle(candidate, 'confirm|dismiss|defer')}"
    elif candidate.reopened:
        yield f"{_named(candidate)} was dismissed as it was before; {_settle(candidate, 'confirm|dismiss|defer')}"


def _shown(candidate: Candidate) -> Iterator[str]:
    """``evidence``: a person confirmed it, or an analyser points there and no person dismissed or deferred it."""
    decision = None if candidate.reopened else candidate.decision
    if decision and decision.verdict == "confirm":
        yield f"{_named(candidate)} is confirmed by {visible(decision.who)}; mend it, or {_settle(candidate, 'dismiss|defer')}"
    elif candidate.evidence and decision is None:
        first = candidate.evidence[0]
        what = " ".join(filter(None, (first.tool, first.rule)))
        yield f"{_named(candidate)} has a finding of {visible(what)}; mend it, or {_settle(candidate, 'dismiss|defer')}"


def _named(candidate: Candidate) -> str:
    last = "" if candidate.last == candidate.first else f"-{candidate.last}"
    return f"{candidate.id} at {visible(candidate.path)}:{candidate.first}{last} ({candidate.severity})"


def _settle(candidate: Candidate, verdicts: str) -> str:
    return f"venire decide {candidate.id} {verdicts} --why TEXT"
