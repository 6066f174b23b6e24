"""Findings of one target by one model → sightings, with the statement and the region that ``assess`` gives them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from venire.assess.anchors import Layout
from venire.assess.labels import Labels
from venire.assess.regions import Rule, count, form
from venire.model import Finding, Lines, Region, RunId, Sighting


@dataclass(frozen=True, slots=True)
class Setting:
    """What findings are placed against: the target's path and layout, the panel's labels, how many runs could vote, the lift."""

    path: str
    layout: Layout
    labels: Labels
    voters: int
    lift: float


def sightings(found: Sequence[Finding], at: Setting, named: dict[tuple[str, str], str]) -> dict[RunId, tuple[Sighting, ...]]:
    """The sightings of each run; ``named`` gives the label of each (bucket, check). Regions are numbered by support."""
    regions = form(at.path, count(found, at.labels), Rule(at.layout, at.voters, at.lift))
    index = {ballot[:3]: n for n, region in enumerate(_ranked(regions)) for ballot in region.ballots}
    seen: dict[RunId, list[Sighting]] = {}
    for one in found:
        region = index[one.anchor, one.bucket, one.check]
        seen.setdefault(one.run, []).append(Sighting(one.line, named[one.bucket, one.check], one.anchor, region))
    return {run: tuple(said) for run, said in seen.items()}


def _ranked(regions: Iterable[Region]) -> list[Region]:
    """The most runs first; ``form`` gives a fixed order, which settles ties."""
    return sorted(regions, key=lambda region: -len(region.runs))


def statements(layout: Layout) -> tuple[Lines, ...]:
    """The lines of every statement, by index."""
    return tuple((anchor.first, anchor.last) for anchor in layout.anchors)
