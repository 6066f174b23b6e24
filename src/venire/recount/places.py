"""What the runs say about one file → the places they speak of, counted. The rules of docs/regions.md, once more.

Written the other way round than the assessment: ballots are dealt one by one to the first region that takes them, and regions
to the first card, instead of gathering each region and card from all that is left. Both describe the same places.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from venire.recount.replies import Claim
from venire.recount.statements import Sheet

APART, GAP = 2, 3  # statements, and lines, between two ballots of one region
ENOUGH = 8  # characters of a quote that may be found inside a longer line

Run = tuple[str, int]
"""A model and the number of its run."""
Label = tuple[str, str]
"""A bucket and the id of one of its checks."""


class Finding(NamedTuple):
    """A claim put on its statement. ``severity`` is 0 low, 1 medium, 2 high."""

    run: Run
    label: Label
    line: int
    statement: int
    how: str
    severity: int
    problem: str


@dataclass(frozen=True, slots=True)
class Ballot:
    """The runs that put one label on one statement; ``order`` is the label's in the panel, ``family`` "*" goes with any."""

    statement: int
    label: Label
    family: str
    order: int
    runs: frozenset[Run]


@dataclass(slots=True)
class Region:
    """Ballots that speak of one place; the strongest is first."""

    ballots: list[Ballot] = field(default_factory=list)

    @property
    def runs(self) -> set[Run]:
        return {run for ballot in self.ballots for run in ballot.runs}

    @property
    def statements(self) -> set[int]:
        return {ballot.statement for ballot in self.ballots}

    @property
    def leading(self) -> int:
        """The statement that most runs point at."""
        votes = {n: len({run for b in self.ballots if b.statement == n for run in b.runs}) for n in self.statements}
        return min(votes, key=lambda n: (-votes[n], n))


Card = list[Region]
"""Regions shown together, the strongest first."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What settles whether two ballots share a region. ``voters``: the runs with a valid reply about the file."""

    sheet: Sheet
    voters: int
    lift: float

    def share(self, a: Ballot, b: Ballot) -> bool:
        """Near, akin, and not reported together by the same runs more often than chance has it."""
        return self._near(*sorted((a.statement, b.statement))) and self._akin(a, b) and not self._together(a, b)

    def _near(self, low: int, high: int) -> bool:
        between = self.sheet.statements[low : high + 1]
        is_close = len(between) <= APART + 1 and between[-1].first - between[0].last <= GAP
        return is_close and len({statement.house for statement in between}) == 1

    def _akin(self, a: Ballot, b: Ballot) -> bool:
        return a.family == b.family or "*" in (a.family, b.family)

    def _together(self, a: Ballot, b: Ballot) -> bool:
        by_chance = Fraction(len(a.runs & b.runs) * self.voters, len(a.runs) * len(b.runs))
        return by_chance >= Fraction(str(self.lift))


def ballots(findings: Sequence[Finding], families: Mapping[Label, str]) -> list[Ballot]:
    """All ballots of a file, the strongest first, then by position and panel order."""
    order = {label: number for number, label in enumerate(families)}
    boxes: dict[tuple[int, Label], set[Run]] = defaultdict(set)
    for finding in findings:
        boxes[finding.statement, finding.label].add(finding.run)
    cast = [Ballot(place, label, families[label], order[label], frozenset(runs)) for (place, label), runs in boxes.items()]
    return sorted(cast, key=lambda ballot: (-len(ballot.runs), ballot.statement, ballot.order))


def regions(cast: Sequence[Ballot], rules: Rules) -> list[Region]:
    """Each ballot goes to the first region whose every member it may share a place with, or opens one."""
    made: list[Region] = []
    for ballot in cast:
        home = next((r for r in made if all(rules.share(ballot, member) for member in r.ballots)), None)
        if home is None:
            made.append(home := Region())
        home.ballots.append(ballot)
    return made


def cards(made: Sequence[Region]) -> list[Card]:
    """Each region, strongest first, goes to the first card whose opening region has a statement in common with it."""
    dealt: list[Card] = []
    for region in sorted(made, key=_strength):
        home = next((card for card in dealt if card[0].statements & region.statements), None)
        if home is None:
            dealt.append(home := [])
        home.append(region)
    return dealt


def _strength(region: Region) -> tuple[int, int, int, int]:
    first = region.ballots[0]
    return -len(region.runs), min(region.statements), first.statement, first.order


def put(claim: Claim, sheet: Sheet, lines: Sequence[str]) -> tuple[int, str]:
    """The statement a claim belongs to, and how it was found: exact, snapped, clamped or file."""
    if not lines:
        return 0, "file"
    quoted = _quoted(claim, lines)
    line = quoted or sorted((1, claim.line, len(lines)))[1]
    place = sheet.owners[line - 1]
    statement = sheet.statements[place]
    if line != claim.line:
        return place, "snapped" if quoted else "clamped"
    return place, "exact" if statement.first <= line <= statement.last and lines[line - 1].strip() else "snapped"


def _quoted(claim: Claim, lines: Sequence[str]) -> int:
    """The line nearest to the claimed one that equals its quote, or else holds it; 0 for none. The claimed one comes first."""
    parts = [part for part in map(_plain, claim.quote.split("\n")) if part]
    if not parts:
        return 0
    wanted = parts[0]
    if 1 <= claim.line <= len(lines) and wanted in _plain(lines[claim.line - 1]):
        return claim.line
    if "\\u{" in wanted:  # how a prompt shows what cannot be seen; no file's own line is meant by it
        return 0
    texts = dict(enumerate(map(_plain, lines), 1))
    equal = [number for number, text in texts.items() if text == wanted]
    inside = [number for number, text in texts.items() if wanted in text] if len(wanted) >= ENOUGH else []
    return min(equal or inside, key=lambda number: (abs(number - claim.line), number), default=0)


def _plain(text: str) -> str:
    return " ".join(text.removeprefix("\ufeff").split())
