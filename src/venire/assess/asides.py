"""Readings of the ``panel`` contract → what they say beside verdicts with a line. Shown with counts of runs, never a vote."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from venire.assess.replies import Reading
from venire.model import Aside, AsideKind, RunId
from venire.panel import Remarks

KINDS: tuple[AsideKind, ...] = ("reason", "issue", "summary", "strength")


def asides(heard: Iterable[Reading]) -> tuple[Aside, ...]:
    """Each text once for a file and check, with the runs that gave it: by file, kind, runs, then text."""
    runs: dict[tuple[str, AsideKind, str, str, str], set[RunId]] = defaultdict(set)
    for reading in heard:
        for kind, check, text in _said(reading):
            runs[reading.run.path, kind, reading.run.bucket if check else "", check, text].add(reading.voter)
    made = (Aside(*key, len(who)) for key, who in runs.items())
    return tuple(sorted(made, key=lambda a: (a.path, KINDS.index(a.kind), -a.runs, a.bucket, a.check, a.text)))


def _said(reading: Reading) -> Iterator[tuple[AsideKind, str, str]]:
    yield from (("reason", check, text) for check, text in reading.reasons)
    remarks = Remarks.of(attempt.text for attempt in reading.run.attempts)
    yield from (("issue", "", text) for text in remarks.issues)
    yield from (("summary", "", text) for text in remarks.summaries)
    yield from (("strength", "", text) for text in remarks.strengths)
