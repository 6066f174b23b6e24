"""A record's entries → what its runs say, place by place, ranked: counted again from the first line on."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from venire.recount.entries import Body, Entries, PromptKey, key
from venire.recount.places import Card, Finding, Label, Region, Rules, Run, ballots, cards, put, regions
from venire.recount.replies import Said, said
from venire.recount.statements import Sheet, sheet, text_lines

SEVERITIES = "low", "medium", "high"
OTHER: Body = {"id": "other", "severity": "low", "family": "*"}
"""What a claim may name that no check of its bucket fits."""

LANES = "severe", "frequent", "rest", "outside"


@dataclass(frozen=True, slots=True)
class Heard:
    """A run and what it says."""

    run: Run
    prompt: PromptKey
    said: Said


@dataclass(frozen=True, slots=True)
class Place:
    """A card with the findings on it, in the file it is about."""

    target: Body
    sheet: Sheet
    card: Card
    findings: tuple[Finding, ...]
    voters: frozenset[Run]
    lane: str

    @property
    def runs(self) -> set[Run]:
        return {finding.run for finding in self.findings}

    @property
    def severity(self) -> int:
        return max(finding.severity for finding in self.findings)

    @property
    def lines(self) -> tuple[int, int]:
        return extent(self.card, self.sheet)

    @property
    def leading(self) -> int:
        return self.card[0].leading


def extent(card: Card, sheet: Sheet) -> tuple[int, int]:
    """First and last line of a card's statements."""
    places = [sheet.statements[n] for region in card for n in region.statements]
    return min(place.first for place in places), max(place.last for place in places)


class Count:
    """A record, counted. Everything is worked out once, when it is first asked for."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.plan: Body = entries.audit["plan"]

    @cached_property
    def checks(self) -> dict[Label, Body]:
        """Every label a finding can carry, in panel order: the checks of each bucket, then its ``other``."""
        buckets: list[Body] = self.entries.audit["panel"]["buckets"]
        made: dict[Label, Body] = {}
        for name in dict.fromkeys(bucket["name"] for bucket in buckets):
            own = [check for bucket in buckets if bucket["name"] == name for check in bucket["checks"]]
            made |= {(name, check["id"]): check for check in (*own, OTHER)}
        return made

    @cached_property
    def heard(self) -> list[Heard]:
        prompts = {key(prompt): prompt for prompt in self.entries.prompts}
        return [Heard((run["model"], run["number"]), key(run), said(run, prompts[key(run)])) for run in self.entries.runs]

    @cached_property
    def valid(self) -> dict[PromptKey, set[Run]]:
        """The runs with a valid reply, by prompt."""
        found: dict[PromptKey, set[Run]] = {key(prompt): set() for prompt in self.entries.prompts}
        for heard in self.heard:
            if heard.said.is_valid:
                found[heard.prompt].add(heard.run)
        return found

    def complete(self, path: str | None = None) -> set[Run]:
        """The runs valid in every prompt of their model, of one file or of all."""
        found = set()
        for model in self.entries.models:
            mine = [runs for at, runs in self.valid.items() if at[3] == model and path in (None, at[0])]
            found |= set.intersection(*mine) if mine else set()
        return found

    def findings(self, target: Body) -> list[Finding]:
        """Every claim about a file, on its statement; severity is raised to the check's."""
        lines, at = text_lines(target["text"]), self.sheets[target["path"]]
        made = []
        for heard in self.heard:
            for claim in heard.said.claims if heard.prompt[0] == target["path"] else ():
                label = heard.prompt[2], claim.check
                least = self.checks[label]["severity"]
                severity = max(SEVERITIES.index(claim.severity), SEVERITIES.index(least))
                place, how = put(claim, at, lines)
                made.append(Finding(heard.run, label, claim.line, place, how, severity, claim.problem))
        return made

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        return {t["path"]: sheet(text_lines(t["text"]), t["language"]) for t in self.entries.targets}

    @cached_property
    def found(self) -> dict[str, list[Finding]]:
        return {target["path"]: self.findings(target) for target in self.entries.targets}

    @cached_property
    def regions(self) -> dict[str, list[Region]]:
        families = {label: check["family"] for label, check in self.checks.items()}
        made = {}
        for path, findings in self.found.items():
            voters = set().union(*(runs for at, runs in self.valid.items() if at[0] == path))
            made[path] = regions(ballots(findings, families), Rules(self.sheets[path], len(voters), self.plan["lift"]))
        return made

    @cached_property
    def places(self) -> list[Place]:
        """All cards, ranked."""
        made = [self._place(target, card) for target in self.entries.targets for card in cards(self.regions[target["path"]])]
        return sorted(made, key=lambda place: (*rank(place), place.leading))

    def _place(self, target: Body, card: Card) -> Place:
        at = self.sheets[target["path"]]
        first, last = extent(card, at)
        on = {(ballot.statement, ballot.label) for region in card for ballot in region.ballots}
        findings = tuple(f for f in self.found[target["path"]] if (f.statement, f.label) in on)
        shows = {w["index"] for w in target["windows"] if any(low <= last and first <= high for low, high in w["shown"])}
        could = set().union(*(runs for at, runs in self.valid.items() if at[0] == target["path"] and at[1] in shows))
        voters = frozenset(could | {finding.run for finding in findings})
        return Place(target, at, card, findings, voters, self._lane(target, card, findings, len(voters)))

    def _lane(self, target: Body, card: Card, findings: Sequence[Finding], valid: int) -> str:
        if self.plan["scope"] == "changed" and not self._touched(target, card):
            return "outside"
        if any(SEVERITIES[finding.severity] == "high" for finding in findings):
            return "severe"
        enough = max(1, ceil(round(Fraction(str(self.plan["frequent"])) * valid, 9)))
        return "frequent" if len({finding.run for finding in findings}) >= enough else "rest"

    def _touched(self, target: Body, card: Card) -> bool:
        """Whether a line that is in a statement of the card, or belongs to one, was changed."""
        at, mine = self.sheets[target["path"]], {n for region in card for n in region.statements}
        lines = {line for n in mine for line in at.lines_of(n)}
        lines |= {line for n in mine for line in range(at.statements[n].first, at.statements[n].last + 1)}
        return any(low <= line <= high for low, high in target["changed"] for line in lines)


def rank(place: Place) -> tuple[int, int, int, str, int]:
    """By lane, then support, severity, path and line; outside the change severity comes before support."""
    support, severity = -len(place.runs), -place.severity
    weights = (severity, support) if place.lane == "outside" else (support, severity)
    return LANES.index(place.lane), *weights, place.target["path"], place.lines[0]
