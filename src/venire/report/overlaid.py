"""What every form says about decisions, evidence, an earlier audit, the gate and altered settings, in one wording.

``show`` makes foreign text inert for the form that asks. A pool over which nothing is laid gives no line here.
"""

from collections import Counter
from collections.abc import Sequence

from venire.model import Candidate, Decision, Evidence, Gone, Pool
from venire.report.inert import SENTENCE, Show, tail
from venire.report.wording import Fact, count

NAMED = 5
"""Files and reasons named above the cards; all follow below when there are more."""

LISTED = 10
"""Reasons, files and findings that a short form lists; the rest is counted."""

ALTERED = "This change alters what decides how changes are audited"

EVIDENCE = 8
"""Analysers' findings a card names."""

_DONE = {"confirm": "confirmed", "dismiss": "dismissed", "defer": "deferred"}
_REOPENED = {
    "statement": "OPEN AGAIN: it is severe, and its statement reads otherwise than when it was dismissed",
    "severity": "OPEN AGAIN: it has become severe since it was dismissed",
}
_SINCE = {"new": "new", "still": "still there", "moved": "moved"}
_SINCE_FACT = {
    "new": "new since the earlier audit",
    "still": "still there, as in the earlier audit",
    "moved": "moved: the earlier audit had this statement at another place",
}
_IN_FORCE = {
    "base": "those of the base revision were in force",
    "worktree": "the changed ones were in force; --trust base takes those of the base revision",
}


# ---------------------------------------------------------------- cards


def facts(candidate: Candidate, show: Show) -> list[Fact]:
    """What is known of a candidate besides its votes."""
    decided = [("decision", decision(candidate.decision, show))] if candidate.decision else []
    reopened = [("decision", again(candidate, show))] if candidate.reopened else []
    found = [("evidence", _evidence(item, show)) for item in candidate.evidence[:EVIDENCE]]
    more = len(candidate.evidence) - len(found)
    found += [("evidence", f"and {count(more, 'more finding')}, in the json report")] if more else []
    told = [("since", _SINCE_FACT.get(candidate.since, show(candidate.since)))] if candidate.since else []
    return [*decided, *reopened, *found, *told]


def decision(decided: Decision, show: Show) -> str:
    """Who decided what, when and why."""
    done = _DONE.get(decided.verdict, show(decided.verdict))
    why = f": {show(decided.why, SENTENCE)}" if decided.why else ""
    return f"{done} by {show(decided.who)} on {show(decided.when[:10])}{why}"


def _evidence(item: Evidence, show: Show) -> str:
    lines = str(item.first) if item.first == item.last else f"{item.first}-{item.last}"
    message = f": {show(item.message)}" if item.message else ""
    return f"{show(item.tool) if item.tool else 'an analyser'} {show(item.rule) if item.rule else ''}".rstrip() + (
        f" on line{'s' if item.first != item.last else ''} {lines}{message}"
    )


def mark(candidate: Candidate) -> str:
    """The same in a word or two, for a candidate told in one line."""
    words = [
        _SINCE.get(candidate.since, "") if candidate.since != "still" else "",
        "open again" if candidate.reopened else _DONE.get(candidate.decision.verdict, "decided") if candidate.decision else "",
        "corroborated" if candidate.evidence else "",
    ]
    return ", ".join(filter(None, words))


# ---------------------------------------------------------------- above the cards


def alarm(pool: Pool, show: Show) -> str:
    """One loud sentence when the change alters what steers its own audit, else empty."""
    if not pool.altered:
        return ""
    named = ", ".join(show(tail(path)) for path in pool.altered[:NAMED])
    more = f" and {len(pool.altered) - NAMED:,} more, listed below" if len(pool.altered) > NAMED else ""
    files = count(len(pool.altered), "file")
    return f"THIS CHANGE ALTERS WHAT STEERS ITS OWN AUDIT, {files}: {named}{more}; {in_force(pool, show)}"


def head(pool: Pool) -> list[tuple[str, bool]]:
    """Lines of ours about the earlier audit, evidence and the gate; whether each is one to stop at."""
    lines = [(f"Since the earlier audit: {changed}", False)] if (changed := changes(pool)) else []
    if corroborated := sum(bool(candidate.evidence) for candidate in pool.candidates):
        lines.append((f"Evidence: another analyser points at {count(corroborated, 'candidate')}", False))
    if reopened := sum(bool(candidate.reopened) for candidate in pool.candidates):
        lines.append((f"Open again: {count(reopened, 'dismissed candidate')} that changed", True))
    return [*lines, *_gate(pool)]


def _gate(pool: Pool) -> list[tuple[str, bool]]:
    gate = pool.gate
    if gate is None:
        return []
    if gate.is_reached:
        return [(f"Gate {gate.policy}: REACHED by {count(len(gate.reasons), 'candidate')}", True)]
    whole = "" if pool.status in ("complete", "nothing") else f", and not passed: the audit is {pool.status}"
    return [(f"Gate {gate.policy}: not reached{whole}", bool(whole))]


def changes(pool: Pool) -> str:
    """What changed since the earlier audit, "" when there was none. What is not reported again is never called fixed."""
    if not pool.gone and not any(candidate.since for candidate in pool.candidates):
        return ""
    found: Counter[str] = Counter(candidate.since for candidate in pool.candidates)
    unasked = sum(not gone.asked for gone in pool.gone)
    parts = [f"{found[word]:,} {said}" for word, said in _SINCE.items()]
    parts += [f"{len(pool.gone) - unasked:,} not reported any more", *([f"{unasked:,} not asked about"] if unasked else [])]
    return ", ".join(parts)


def since(candidate: Candidate) -> str:
    """What the candidate is beside the earlier audit, "" when there was none."""
    return _SINCE.get(candidate.since, "")


def again(candidate: Candidate, show: Show) -> str:
    """Why a dismissed candidate is open again, "" when it is not."""
    return _REOPENED.get(candidate.reopened, show(candidate.reopened)) if candidate.reopened else ""


def in_force(pool: Pool, show: Show) -> str:
    """Whose version of the altered files was used."""
    return _IN_FORCE.get(pool.trust, show(pool.trust))


def corroboration(found: Sequence[Evidence], show: Show) -> str:
    """Analysers that report the same place, in short: tool, rule and lines."""
    told = [
        f"{show(one.tool)} {show(one.rule)} on "
        + (f"line {one.first}" if one.last == one.first else f"lines {one.first}-{one.last}")
        for one in found[:LISTED]
    ]
    more = [f"and {count(len(found) - LISTED, 'more finding')}"] if len(found) > LISTED else []
    return ", ".join(told + more)


def listed(rows: Sequence[str], show: Show, noun: str) -> list[str]:
    """The first rows of foreign text, and how many more there are."""
    more = [f"and {count(len(rows) - LISTED, f'more {noun}')}"] if len(rows) > LISTED else []
    return [show(row, SENTENCE) for row in rows[:LISTED]] + more


def reasons(pool: Pool) -> tuple[str, ...]:
    """Foreign text: the gate's first reasons, for the lines below the head."""
    return pool.gate.reasons[:NAMED] if pool.gate else ()


# ---------------------------------------------------------------- below the cards


def footnotes(pool: Pool, show: Show) -> list[tuple[str, list[str]]]:
    """Lists, each with its title; only those that have anything in them."""
    gate = list(pool.gate.reasons) if pool.gate and len(pool.gate.reasons) > NAMED else []
    altered = list(pool.altered) if len(pool.altered) > NAMED else []
    lists = [
        ("Why the gate is reached, in full", [show(reason, SENTENCE) for reason in gate]),
        ("What steers the audit and is altered by the change, in full", [show(tail(path)) for path in altered]),
        (
            f"Not reported this time: {count(len(pool.gone), 'candidate')} of the earlier audit",
            [gone(g, show) for g in pool.gone],
        ),
    ]
    return [(title, rows) for title, rows in lists if rows]


def gone(one: Gone, show: Show) -> str:
    """An earlier candidate that no run reported: never "fixed", since silence is no proof."""
    was = one.candidate
    last = "" if was.last == was.first else f"-{was.last}"
    heard = (
        "not asked about: its file or place is no part of this audit"
        if not one.asked
        else f"not seen in {one.valid:,} of {count(one.asked, 'run')}"
        if one.valid
        else f"nothing heard: none of {count(one.asked, 'run')} gave a valid reply"
    )
    decided = f"; {decision(was.decision, show)}" if was.decision else ""
    then = f"then {was.support:,} of {count(was.valid, 'run')}"
    return f"{show(f'{tail(was.path)}:{was.first}{last}')} {was.severity}, {then}, {heard} ({show(was.id)}){decided}"
