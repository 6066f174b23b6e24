"""Candidates and analysers' findings → candidates with the findings that begin in one of their statements. Nothing is removed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from venire.model import Candidate, Evidence


def corroborate(candidates: Sequence[Candidate], evidence: Iterable[Evidence]) -> tuple[Candidate, ...]:
    """The candidates in their order. A finding about a whole function speaks of the line it begins on, not of every statement."""
    by_path: dict[str, list[Evidence]] = {}
    for item in sorted(set(evidence), key=lambda item: (item.path, item.first, item.last, item.tool, item.rule, item.message)):
        by_path.setdefault(item.path, []).append(item)
    return tuple(_with(candidate, by_path.get(candidate.path, ())) for candidate in candidates)


def _with(candidate: Candidate, evidence: Iterable[Evidence]) -> Candidate:
    spans = [(anchor.first, anchor.last) for anchor in candidate.anchors]
    found = tuple(item for item in evidence if any(first <= item.first <= last for first, last in spans))
    return replace(candidate, evidence=found) if found else candidate
