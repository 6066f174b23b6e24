"""What every form says about decisions, evidence, an earlier audit, the gate and the cost, in one wording."""

from collections import Counter
from collections.abc import Sequence

from venire.model import Candidate, Decision, Evidence, Gone, Lane, Pool, Since, Verdict
from venire.report.cards import place
from venire.report.inert import SENTENCE, Show
from venire.report.wording import Fact, count, duration, lane_title

LANES = tuple(Lane)
"""Every lane, the least one last."""

LISTED = 10
"""Gate reasons, altered files and the like that are shown; the rest is counted."""

ALTERED = "This change alters what decides how changes are audited"

_SINCE: dict[Since, str] = {"new": "new", "still": "still there", "moved": "moved"}
_VERDICTS: dict[Verdict, str] = {"confirm": "confirmed", "dismiss": "dismissed", "defer": "deferred"}


def title(pool: Pool, lane: Lane) -> Fact:
    """The name of a lane, and what puts a candidate there."""
    return ("Dismissed", "by a person's decision, and still counted") if lane is Lane.DISMISSED else lane_title(pool, lane)


def since(candidate: Candidate) -> str:
    """What the candidate is beside the earlier audit, "" when there was none."""
    return _SINCE.get(candidate.since, "")


def changes(pool: Pool) -> str:
    """What changed since the earlier audit, "" when there was none. What is not reported again is never called fixed."""
    seen: Counter[Since] = Counter(candidate.since for candidate in pool.candidates if candidate.since)
    if not seen and not pool.gone:
        return ""
    told = [f"{seen[key]:,} {word}" for key, word in _SINCE.items()]
    return ", ".join([*told, f"{len(pool.gone):,} not reported any more"])


def gone(one: Gone, asked: int, show: Show) -> str:
    """A candidate of the earlier audit that none of this one's valid runs reported; ``asked`` runs were asked for."""
    old = one.candidate
    heard = f"not seen in {one.valid:,} of {count(asked, 'run')}" if one.valid else "no valid run looked there"
    then = f"then {old.support:,} of {count(old.valid, 'run')}"
    return f"{show(place(old))} {old.severity}, {then}, {heard} ({show(old.id)})"


def decision(decided: Decision, show: Show) -> str:
    why = f": {show(decided.why, SENTENCE)}" if decided.why else ""
    return f"{_VERDICTS[decided.verdict]} by {show(decided.who)} on {show(decided.when[:10])}{why}"


def evidence(found: Sequence[Evidence], show: Show) -> str:
    """Analysers that report the same place: tool, rule and lines."""
    told = [
        f"{show(one.tool)} {show(one.rule)} on "
        + (f"line {one.first}" if one.last == one.first else f"lines {one.first}-{one.last}")
        for one in found[:LISTED]
    ]
    more = [f"and {count(len(found) - LISTED, 'more finding')}"] if len(found) > LISTED else []
    return ", ".join(told + more)


def cost(pool: Pool) -> str:
    """Progress and cost: samples, tokens, time, and time for each candidate. The runs are told beside it."""
    counts = pool.counts
    each = [f"{duration(round(pool.ms / len(pool.candidates)))} a candidate"] if pool.candidates and pool.ms else []
    return " · ".join(
        [
            f"{counts.valid:,} of {count(counts.samples, 'sample')} valid",
            f"{count(counts.prompt_tokens, 'prompt token')}, {count(counts.reply_tokens, 'reply token')}",
            duration(pool.ms),
            *each,
        ]
    )


def listed(rows: Sequence[str], show: Show, noun: str) -> list[str]:
    """The first rows of foreign text, and how many more there are."""
    more = [f"and {count(len(rows) - LISTED, f'more {noun}')}"] if len(rows) > LISTED else []
    return [show(row, SENTENCE) for row in rows[:LISTED]] + more
