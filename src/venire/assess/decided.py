"""Candidates and the decisions people took → candidates with their decision, the dismissed ones in a lane of their own.

A decision is about statements, never about a line or a label. It holds while the candidate's leading statement is one of those it
was about: by scope and text, else by text alone where its file has no candidate of that scope. Where only another statement
of the two is shared, or the leading one was edited, it holds too, unless the candidate is severe: that one is opened again. So
is a dismissed one that has become severe since.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from venire.assess.similar import SAME, similarity
from venire.model import Candidate, Decision, Lane, Reopened, Severity, Verdict

STATEMENT = 300
"""Characters of a statement that a decision keeps."""


def decision_on(candidate: Candidate, verdict: Verdict, *, who: str, when: str, why: str) -> Decision:
    """The decision about a candidate as it stands."""
    return Decision(
        candidate=candidate.id,
        verdict=verdict,
        who=who,
        when=when,
        why=why,
        path=candidate.path,
        anchors=tuple((anchor.fp1, anchor.fp2) for anchor in candidate.anchors),
        severity=candidate.severity,
        scope=candidate.scope,
        statement=_statement(candidate),
    )


@dataclass(frozen=True, slots=True)
class _Bearing:
    """A decision on a candidate. ``is_whole``: it was about the candidate's leading statement."""

    is_whole: bool
    when: str
    position: int  # in the ledger
    decision: Decision


def decide(
    candidates: Sequence[Candidate], decisions: Sequence[Decision], former: Mapping[str, Iterable[str]] | None = None
) -> tuple[Candidate, ...]:
    """The candidates in their order, each with the newest decision that bears on it, one about its leading statement first.

    ``former`` gives the earlier paths of a file. Of two decisions of one second the later in ``decisions`` is the newer.
    """
    bearing: dict[str, list[_Bearing]] = {}
    for position, decision in enumerate(decisions):
        here = [c for c in candidates if decision.path == c.path or decision.path in (former or {}).get(c.path, ())]
        for candidate, is_whole in _borne(decision, here):
            bearing.setdefault(candidate.id, []).append(_Bearing(is_whole, decision.when, position, decision))
    return tuple(_settled(candidate, bearing.get(candidate.id, ())) for candidate in candidates)


def _borne(decision: Decision, candidates: Sequence[Candidate]) -> list[tuple[Candidate, bool]]:
    """The candidates a decision bears on: those of the first test that any passes, else the one that reads most like it."""
    for test, is_whole in _tests(decision):
        if found := [candidate for candidate in candidates if test(candidate)]:
            return [(candidate, is_whole) for candidate in found]
    near = [(similarity(decision.statement, _statement(c)), c.id, c) for c in candidates if c.scope == decision.scope]
    likeness, _, best = max(near, key=lambda item: item[:2], default=(0.0, "", None))
    return [(best, False)] if best and likeness >= SAME else []


def _tests(decision: Decision) -> tuple[tuple[Callable[[Candidate], bool], bool], ...]:
    ones, twos = ({pair[side] for pair in decision.anchors} for side in (0, 1))
    return (
        (lambda c: c.anchors[0].fp1 in ones, True),
        (lambda c: c.anchors[0].fp2 in twos, True),
        (lambda c: any(anchor.fp1 in ones or anchor.fp2 in twos for anchor in c.anchors), False),
    )


def _settled(candidate: Candidate, found: Iterable[_Bearing]) -> Candidate:
    last = max(found, key=lambda bearing: (bearing.is_whole, bearing.when, bearing.position), default=None)
    if last is None:
        return candidate
    reopened = _reopened(candidate, last)
    is_dismissed = last.decision.verdict == "dismiss" and not reopened
    lane = Lane.DISMISSED if is_dismissed else candidate.lane
    return replace(candidate, decision=last.decision, reopened=reopened, lane=lane)


def _reopened(candidate: Candidate, last: _Bearing) -> Reopened:
    if last.decision.verdict != "dismiss" or candidate.severity is not Severity.HIGH:
        return ""
    if not last.is_whole:
        return "statement"
    known = last.decision.severity
    return "severity" if known and known.rank < candidate.severity.rank else ""


def _statement(candidate: Candidate) -> str:
    return " ".join(" ".join(line.split()) for _, line in candidate.code)[:STATEMENT].strip()
