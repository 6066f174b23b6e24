"""Regions of one file → cards, one a place: the strongest region and every other that shares a statement with it."""

from collections.abc import Iterable

from venire.assess.labels import Labels
from venire.model import Region

Card = tuple[Region, ...]
"""Regions on one card, the strongest first."""


def gather(regions: Iterable[Region], labels: Labels) -> tuple[Card, ...]:
    """Disjoint cards over all regions.

    A region joins by a statement of the *first* region, never by that of another guest: cards do not chain, and the first
    regions of two cards share no statement, so the ids taken from their leading statements differ.
    """
    left = sorted(regions, key=lambda region: _strength(region, labels))
    cards = []
    while left:
        seed, *others = left
        place = set(seed.anchors)
        guests = [region for region in others if not place.isdisjoint(region.anchors)]
        cards.append((seed, *guests))
        left = [region for region in others if place.isdisjoint(region.anchors)]
    return tuple(cards)


def _strength(region: Region, labels: Labels) -> tuple[int, int, int, int]:
    """A total order: no two regions share their first ballot's statement and check."""
    anchor, bucket, check, _ = region.ballots[0]
    return -len(region.runs), min(region.anchors), anchor, labels.rank[bucket, check]
