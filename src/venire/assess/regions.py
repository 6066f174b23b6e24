"""Ballots of one file → regions: greedy complete link over statements that lie together.

A promise: the result depends on the set of ballots alone, never on the order in which runs or findings arrive. A region
stays in one function, spans at most three consecutive statements, and counts a run once.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from venire.assess.anchors import Layout
from venire.assess.labels import Key, Labels
from venire.model import WILDCARD, Finding, Region, RunId

APART = 2
"""Statements two ballots of a region may be apart."""

GAP = 3
"""Lines from the end of one statement to the start of the next that a region may reach over."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The runs that put one check on one statement."""

    anchor: int
    bucket: str
    check: str
    family: str
    rank: int  # of the check, in panel order
    runs: frozenset[RunId]


@dataclass(frozen=True, slots=True)
class Rule:
    """What decides whether two ballots may share a region. ``voters`` is the number of runs that could have cast both."""

    layout: Layout
    voters: int
    lift: float

    def joins(self, a: Ballot, b: Ballot) -> bool:
        """Whether the two speak of one place: near, of one family, and not reported together more often than by chance."""
        return self._near(a.anchor, b.anchor) and _akin(a.family, b.family) and self._lift(a, b) < self.lift

    def _near(self, one: int, two: int) -> bool:
        low, high = min(one, two), max(one, two)
        homes = set(self.layout.homes[low : high + 1])  # all between, too: a region does not reach across a function
        gap = self.layout.anchors[high].first - self.layout.anchors[low].last
        return high - low <= APART and gap <= GAP and len(homes) == 1

    def _lift(self, a: Ballot, b: Ballot) -> float:
        """How much more often the same run casts both than chance would have it: |A∩B|·n / (|A|·|B|)."""
        return len(a.runs & b.runs) * self.voters / (len(a.runs) * len(b.runs))


def count(findings: Iterable[Finding], labels: Labels) -> list[Ballot]:
    """One ballot for each (statement, check) somebody voted for; its runs are a set, so a run counts once."""
    boxes: dict[tuple[int, Key], set[RunId]] = defaultdict(set)
    for finding in findings:
        boxes[finding.anchor, (finding.bucket, finding.check)].add(finding.run)
    return [
        Ballot(anchor, *key, labels.checks[key].family, labels.rank[key], frozenset(runs))
        for (anchor, key), runs in sorted(boxes.items())
    ]


def form(path: str, ballots: Iterable[Ballot], rule: Rule) -> tuple[Region, ...]:
    """Disjoint regions over all ballots: the strongest ballot left seeds one, and each next joins if it may join every member."""
    left = sorted(ballots, key=lambda b: (-len(b.runs), b.anchor, b.rank))
    regions = []
    while left:
        members: list[Ballot] = []
        rest: list[Ballot] = []
        for ballot in left:
            fits = all(rule.joins(ballot, member) for member in members)
            (members if fits else rest).append(ballot)
        regions.append(_region(path, members))
        left = rest
    return tuple(regions)


def _akin(a: str, b: str) -> bool:
    return a == b or WILDCARD in (a, b)


def _region(path: str, members: Sequence[Ballot]) -> Region:
    at: dict[int, set[RunId]] = defaultdict(set)
    for ballot in members:
        at[ballot.anchor] |= ballot.runs
    return Region(
        path=path,
        family=next((ballot.family for ballot in members if ballot.family != WILDCARD), WILDCARD),
        anchors=tuple(sorted(at, key=lambda anchor: (-len(at[anchor]), anchor))),
        runs=frozenset().union(*at.values()),
        ballots=tuple((ballot.anchor, ballot.bucket, ballot.check, ballot.runs) for ballot in members),
    )
