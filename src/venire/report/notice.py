"""What forms for other programs say of one candidate, and of the audit itself: where, under which rule, in which words."""

from typing import NamedTuple

from venire.model import OTHER, Candidate, Label, Lines, Pool
from venire.report import cards, overlaid, wording
from venire.report.inert import SENTENCE, Show

UNLABELLED = f"venire/{OTHER}"
"""The rule of a candidate that no check names."""


def spot(candidate: Candidate) -> Lines:
    """First and last line of the leading statement, where most votes fell: readers of a change show an alert only when the
    change has all its lines. Line 1 where a candidate is about a file without lines."""
    lead = candidate.anchors[0] if candidate.anchors else candidate
    first = max(1, lead.first)
    return first, max(first, lead.last)


def rule(bucket: str, content: str) -> str:
    """A rule's id: of the check's words, not of its number, so that a check keeps its alerts when others are added before it."""
    return f"{bucket}/{content or OTHER}"


def leading(candidate: Candidate) -> str:
    """The id of the rule a candidate is reported under: its most frequent label's."""
    return _rule(candidate.labels[0]) if candidate.labels else UNLABELLED


def _rule(label: Label) -> str:
    return rule(label.bucket, label.content)


def message(candidate: Candidate, show: Show) -> str:
    """Votes first, then the problem, the labels, and what people and analysers said."""
    said = f"{cards.support(candidate)} point here, severity {candidate.severity}: {show(candidate.problem, SENTENCE)}"
    labels = [f"{cards.share(label)}: {cards.label(label, show)}" for label in candidate.labels[: overlaid.LISTED]]
    decided = [overlaid.decision(candidate.decision, show)] if candidate.decision else []
    found = [f"also reported by {overlaid.corroboration(candidate.evidence, show)}"] if candidate.evidence else []
    return "; ".join([said, *labels, *decided, *found])


class Remark(NamedTuple):
    """Something about the audit itself, in words of ours, and the file it is shown at. ``path`` is foreign text."""

    rule: str
    path: str
    text: str


def remarks(pool: Pool) -> list[Remark]:
    """That the audit is not complete, and each file by which the change alters how changes are audited."""
    doubts = [Remark("venire/status", _home(pool), text)] if (text := doubt(pool)) else []
    return doubts + [Remark("venire/altered", path, overlaid.ALTERED) for path in pool.altered[: overlaid.LISTED]]


def doubt(pool: Pool) -> str:
    """Why nobody may take a silent report for a clean one, "" after a complete audit or when there was nothing to audit."""
    return "" if pool.status in ("complete", "nothing") else wording.headline(pool)


def _home(pool: Pool) -> str:
    """The file a message about the whole audit stands at, in forms that have no other place for one."""
    paths = [target.path for target in pool.coverage] + [file.path for file in pool.skipped]
    return next(iter(paths), "venire.yml")
