"""An assessed record and what people, analysers and an earlier audit add to it → the pool that is shown. Pure.

Nothing is removed and no vote changes: a candidate gains a decision, evidence or a history, and may go to the lane of the
dismissed. With nothing to lay over, the pool comes back as it was.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from venire.assess.corroborated import corroborate
from venire.assess.decided import decide
from venire.assess.gate import Policy, guard
from venire.assess.lanes import LINE, ORDER, place_in_line
from venire.assess.pool import assess
from venire.assess.since import compare
from venire.assess.versions import pairs, renames
from venire.model import Candidate, Counts, Decision, Evidence, Lane, Pool, Record, Trust


@dataclass(frozen=True, slots=True)
class Overlay:
    """What there is to lay over. ``decisions`` in the ledger's order; ``altered``: see ``altered.altered``."""

    decisions: tuple[Decision, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    earlier: Record | None = None
    policy: Policy = field(default_factory=Policy)
    altered: tuple[str, ...] = ()
    trust: Trust = "worktree"


def overlay(record: Record, pool: Pool, over: Overlay) -> Pool:
    """``pool``, which is ``assess(record)``, with everything in ``over``. The order of evidence changes nothing."""
    if over.earlier:
        pool = compare(record, pool, over.earlier, assess(over.earlier))
    if over.evidence:
        pool = replace(pool, candidates=corroborate(pool.candidates, over.evidence))
    if over.decisions:
        pool = _decided(pool, over.decisions, _former(record, over.earlier))
    return guard(replace(pool, altered=over.altered, trust=over.trust), over.policy)


def _former(record: Record, earlier: Record | None) -> dict[str, tuple[str, ...]]:
    """The other paths a file had: before the change, and in the earlier audit."""
    found = renames((target.path, target.notes) for target in record.targets)
    moved = {path: was for was, path in pairs(earlier, record).items()} if earlier else {}
    return {path: tuple({side[path] for side in (found, moved) if path in side}) for path in {*found, *moved}}


def _decided(pool: Pool, decisions: tuple[Decision, ...], former: dict[str, tuple[str, ...]]) -> Pool:
    """Decisions on the candidates and on the earlier ones that are gone; lanes, order and counts follow."""
    candidates = tuple(sorted(decide(pool.candidates, decisions, former), key=place_in_line))
    missed = {candidate.id: candidate for candidate in decide([gone.candidate for gone in pool.gone], decisions)}
    gone = tuple(replace(gone, candidate=missed[gone.candidate.id]) for gone in pool.gone)
    return replace(pool, candidates=candidates, gone=gone, counts=_counted(pool.counts, candidates))


def _counted(counts: Counts, candidates: tuple[Candidate, ...]) -> Counts:
    lanes = Counter(candidate.lane for candidate in candidates)
    shown = LINE if lanes[Lane.DISMISSED] else ORDER
    return replace(counts, lanes=tuple((lane, lanes[lane]) for lane in shown))
