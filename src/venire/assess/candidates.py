"""A card and the findings behind it → a candidate: everything the runs said about one place."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from venire.assess.anchors import Layout
from venire.assess.cards import Card
from venire.assess.identity import candidate_id
from venire.assess.interval import wilson
from venire.assess.labels import Key, Labels
from venire.assess.lanes import lane
from venire.assess.sentences import chosen, ranked
from venire.model import Anchor, AnchorVotes, Candidate, Finding, Label, Plan, RunId, Severity, Strict, Target

CODE = 6
"""Lines of the leading statement that are shown."""

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a card is read against. ``shown`` gives, for each window shown, the runs with a valid reply about it."""

    target: Target
    lines: tuple[str, ...]
    layout: Layout
    labels: Labels
    plan: Plan
    asked: int
    models: tuple[str, ...]
    shown: dict[int, frozenset[RunId]]


def describe(card: Card, findings: Sequence[Finding], at: Setting) -> Candidate:
    """The candidate of ``card``; ``findings`` are those of its ballots and no others, one at least."""
    leading = at.layout.anchors[card[0].anchors[0]]
    anchors = [at.layout.anchors[n] for n in sorted({n for region in card for n in region.anchors})]
    first, last = min(anchor.first for anchor in anchors), max(anchor.last for anchor in anchors)
    runs = frozenset().union(*(region.runs for region in card))
    voters = runs | _voters(at, first, last)
    valid = len(voters)
    severities = _severities(findings)
    labels = _labels(findings, at.labels)
    problem, problem_runs = chosen(f for f in findings if (f.bucket, f.check) == (labels[0].bucket, labels[0].check))
    return Candidate(
        id=candidate_id(at.target.path, leading.fp1),
        path=at.target.path,
        scope=leading.scope,
        first=first,
        last=last,
        code=tuple((n, at.lines[n - 1]) for n in _code(leading, at.lines)),
        lane=lane(severities[0][0], len(runs), valid, at.plan, is_outside=_is_outside(anchors, at)),
        support=len(runs),
        valid=valid,
        asked=at.asked,
        interval=wilson(len(runs), valid),
        severity=severities[0][0],
        severities=severities,
        labels=labels,
        lines=tuple(sorted((line, len(seen)) for line, seen in _runs_by(findings, lambda f: f.line).items())),
        located=tuple(sorted(Counter(finding.located for finding in findings).items())),
        problem=problem,
        problem_runs=problem_runs,
        problems=ranked(findings),
        strict=_strict(findings, valid, at.labels),
        models=_models(runs, voters, at.models),
        anchors=_anchors(findings, leading, at.layout),
        findings=len(findings),
        is_weak=leading.is_weak,
    )


def _voters(at: Setting, first: int, last: int) -> frozenset[RunId]:
    """Runs with a valid reply to a prompt that shows a line of the place."""
    windows = (w for w in at.target.windows if any(low <= last and first <= high for low, high in w.shown))
    return frozenset().union(*(at.shown.get(window.index, frozenset()) for window in windows))


def _models(runs: frozenset[RunId], voters: frozenset[RunId], models: Sequence[str]) -> tuple[tuple[str, int, int], ...]:
    """For each model, also one that never points here, its runs that do and its valid ones."""
    said, could = Counter(model for model, _ in runs), Counter(model for model, _ in voters)
    return tuple((model, said[model], could[model]) for model in models)


def _code(leading: Anchor, lines: Sequence[str]) -> range:
    return range(leading.first, min(leading.last, leading.first + CODE - 1, len(lines)) + 1)


def _is_outside(anchors: Iterable[Anchor], at: Setting) -> bool:
    """Whether no line that is or belongs to a statement of the card was changed."""
    places = {anchor.index for anchor in anchors}
    spans = [(anchor.first, anchor.last) for anchor in anchors]
    spans += [(n, n) for n, owner in enumerate(at.layout.owners, start=1) if owner in places]
    return not any(low <= last and first <= high for low, high in at.target.changed for first, last in spans)


def _runs_by(findings: Iterable[Finding], key: Callable[[Finding], T]) -> dict[T, set[RunId]]:
    groups: dict[T, set[RunId]] = defaultdict(set)
    for finding in findings:
        groups[key(finding)].add(finding.run)
    return groups


def _severities(findings: Iterable[Finding]) -> tuple[tuple[Severity, int], ...]:
    """Runs by the highest severity each gave, the highest first."""
    worst: dict[RunId, Severity] = {}
    for finding in findings:
        known = worst.get(finding.run, finding.severity)
        worst[finding.run] = max(known, finding.severity, key=lambda severity: severity.rank)
    return tuple(sorted(Counter(worst.values()).items(), key=lambda item: -item[0].rank))


def _labels(findings: Iterable[Finding], labels: Labels) -> tuple[Label, ...]:
    groups = _runs_by(findings, lambda f: (f.bucket, f.check))
    return tuple(
        Label(*key, check.content, check.text, check.family, check.tags, len(groups[key]))
        for key in sorted(groups, key=lambda key: (-len(groups[key]), labels.rank[key]))
        for check in [labels.checks[key]]
    )


def _strict(findings: Iterable[Finding], valid: int, labels: Labels) -> Strict:
    """What a vote over (line, check) would have said: its strongest ballot (ties: smaller line, panel order)."""
    groups: dict[tuple[int, Key], set[RunId]] = _runs_by(findings, lambda f: (f.line, (f.bucket, f.check)))
    line, key = min(groups, key=lambda ballot: (-len(groups[ballot]), ballot[0], labels.rank[ballot[1]]))
    support = len(groups[line, key])
    return Strict(line, *key, support=support, is_kept=support >= valid // 2 + 1, ballots=len(groups))


def _anchors(findings: Iterable[Finding], leading: Anchor, layout: Layout) -> tuple[AnchorVotes, ...]:
    """The leading anchor, then the others by the runs that point at them."""
    groups = _runs_by(findings, lambda f: f.anchor)
    order = sorted(groups, key=lambda n: (n != leading.index, -len(groups[n]), n))
    return tuple(
        AnchorVotes(a.fp1, a.fp2, a.scope, a.first, a.last, len(groups[a.index]), a.is_weak)
        for a in (layout.anchors[n] for n in order)
    )
