"""What the runs said of a file → the places a reader is sent to, in order, under one of three keys. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from venire.assess import assess
from venire.assess.anchors import lay_out
from venire.assess.findings import place
from venire.assess.labels import Labels, labels
from venire.assess.lanes import ORDER, lane
from venire.assess.replies import readings
from venire.errors import UsageError
from venire.model import Finding, Lane, Lines, Plan, Pool, Record, RunId

Key = Literal["line0", "line2", "region"]
NEAR: Mapping[Key, int] = {"line0": 0, "line2": 2}
"""How far apart two votes for one check may be to count as one place."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines a reader is sent to, and the share of the valid runs that point there."""

    lines: Lines
    share: float


@dataclass(frozen=True, slots=True)
class Heard:
    """The places of one file in the order they are read in, and how many of its runs were valid.

    ``shown`` and ``lines`` are what is known of its text: some numbered lines, and how many there are (0: not known).
    """

    places: tuple[Place, ...]
    valid: int
    lines: int = 0
    shown: tuple[tuple[int, str], ...] = ()

    def is_of(self, text: str) -> bool:
        """Whether nothing that is known speaks against the audit having been of this text."""
        rows = text.split("\n")[:-1]
        return self.lines in (0, len(rows)) and all(n <= len(rows) and rows[n - 1] == line for n, line in self.shown)


def restrict(record: Record, runs: Iterable[int]) -> Record:
    """The record as if it had only these runs (numbers from 1), renumbered from 1: what a smaller N would have seen.

    Raises UsageError for a number that the audit did not plan.
    """
    numbers = {old: new for new, old in enumerate(sorted(set(runs)), start=1)}
    planned = max(map(record.audit.runs, {prompt.model for prompt in record.prompts}), default=record.audit.plan.runs)
    if not numbers or min(numbers) < 1 or max(numbers) > planned:
        raise UsageError(f"runs {', '.join(map(str, numbers)) or 'none'} of {planned}", f"name runs from 1 to {planned}")
    kept = tuple(replace(run, number=numbers[run.number]) for run in record.runs if run.number in numbers)
    seats = tuple(replace(seat, runs=min(seat.runs, len(numbers))) for seat in record.audit.seats)
    plan = replace(record.audit.plan, runs=len(numbers))
    return replace(record, audit=replace(record.audit, plan=plan, seats=seats), runs=kept)


def by_region(pool: Pool, path: str) -> Heard:
    """The cards of a file, in the order of the report."""
    cards = [candidate for candidate in pool.candidates if candidate.path == path]
    places = tuple(Place((card.first, card.last), card.support / max(card.valid, 1)) for card in cards)
    shown = tuple(line for card in cards for line in card.code)
    return next((Heard(places, one.valid, one.lines, shown) for one in pool.coverage if one.path == path), Heard((), 0))


def of_pool(pool: Pool) -> dict[str, Heard]:
    """The places of every file of a pool, by region."""
    return {covered.path: by_region(pool, covered.path) for covered in pool.coverage}


def of_pools(pools: Mapping[str, Pool]) -> dict[str, Heard]:
    """The places of each path in the pool given for it, where that pool audited it."""
    return {path: by_region(pool, path) for path, pool in pools.items() if any(one.path == path for one in pool.coverage)}


def of_record(record: Record, key: Key) -> dict[str, Heard]:
    """The places of every file of a record, under one key, from the same runs."""
    found = of_pool(assess(record)) if key == "region" else _by_line(record, NEAR[key])
    return {
        target.path: replace(found[target.path], lines=len(target.lines), shown=tuple(enumerate(target.lines, start=1)))
        for target in record.targets
    }


def _by_line(record: Record, near: int) -> dict[str, Heard]:
    known, heard = labels(record.audit.panel), readings(record)
    found = {}
    for target in record.targets:
        mine = [reading for reading in heard if reading.run.path == target.path]
        valid = len({reading.voter for reading in mine if reading.is_valid})
        findings = place(mine, lay_out(target.lines, target.language), target.lines, known)
        found[target.path] = Heard(by_line(findings, valid, near, known, record.audit.plan), valid)
    return found


@dataclass(frozen=True, slots=True)
class _Ballot:
    line: int
    rank: int  # of the check, in panel order
    findings: tuple[Finding, ...]

    @property
    def runs(self) -> frozenset[RunId]:
        return frozenset(finding.run for finding in self.findings)


def by_line(findings: Sequence[Finding], valid: int, near: int, known: Labels, plan: Plan) -> tuple[Place, ...]:
    """Votes on (line, check): the strongest line left takes in those for its check at most ``near`` lines away.

    The order is the report's own (lane, then support, severity, line), so that keys differ in what they join and in nothing else.
    """
    boxes: dict[tuple[int, int], list[Finding]] = defaultdict(list)
    for finding in findings:
        boxes[finding.line, known.rank[finding.bucket, finding.check]].append(finding)
    left = [_Ballot(line, rank, tuple(group)) for (line, rank), group in boxes.items()]
    left.sort(key=lambda ballot: (-len(ballot.runs), ballot.line, ballot.rank))
    groups = []
    while left:
        groups.append([b for b in left if b.rank == left[0].rank and abs(b.line - left[0].line) <= near])
        left = [ballot for ballot in left if ballot not in groups[-1]]
    return tuple(made for _, made in sorted(map(_placed(valid, plan), groups), key=lambda item: item[0]))


def _placed(valid: int, plan: Plan) -> Callable[[list[_Ballot]], tuple[tuple[int, ...], Place]]:
    """A group of ballots → its place, and what it is sorted by."""

    def placed(group: list[_Ballot]) -> tuple[tuple[int, ...], Place]:
        runs = frozenset().union(*(ballot.runs for ballot in group))
        severity = max((f.severity for ballot in group for f in ballot.findings), key=lambda found: found.rank)
        spread = min(ballot.line for ballot in group), max(ballot.line for ballot in group)
        where: Lane = lane(severity, len(runs), valid, plan, is_outside=False)
        return (ORDER.index(where), -len(runs), -severity.rank, spread[0], group[0].rank), Place(
            spread, len(runs) / max(valid, 1)
        )

    return placed
