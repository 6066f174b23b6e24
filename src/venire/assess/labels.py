"""The panel → every label a finding can carry, in panel order, ``other`` last in each bucket."""

from dataclasses import dataclass

from venire.model import OTHER, WILDCARD, Check, Panel, Severity
from venire.panel import merged

Key = tuple[str, str]
"""Bucket name and check id."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Checks by key and their place in the panel's order, which settles every tie between labels."""

    checks: dict[Key, Check]
    rank: dict[Key, int]


def labels(panel: Panel) -> Labels:
    """The labels of all buckets. ``other`` claims the lowest severity and goes with every family."""
    checks = {
        (bucket.name, check.id): check
        for bucket in merged(panel)
        for check in (*bucket.checks, Check(bucket.name, OTHER, "", OTHER, Severity.LOW, WILDCARD))
    }
    return Labels(checks, {key: n for n, key in enumerate(checks)})
