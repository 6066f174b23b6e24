"""What the runs say: votes, findings, regions, and the pool of candidates. Frozen values."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from venire.model.change import Lines, Skipped, Target
from venire.model.panel import Severity
from venire.model.record import Audit, ModelInfo

RunId = tuple[str, int]
"""Model name and run number: what counts once in a region."""

Located = Literal["exact", "snapped", "clamped", "file"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A statement: the persistent identity of a place. ``index`` is its pre-order position in the file."""

    index: int
    scope: str
    first: int
    last: int
    text: str
    fp1: str  # scope, text, ordinal
    fp2: str  # text, ordinal
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class Vote:
    """One check in one run on one window."""

    path: str
    window: int
    model: str
    bucket: str
    check: str
    run: int
    outcome: Literal["pass", "fail", "no_vote"]
    source: Literal["observed", "synthesized"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim put on its statement. ``severity`` is the claim's, raised to the check's floor."""

    run: RunId
    path: str
    window: int
    bucket: str
    check: str
    line: int  # as claimed
    anchor: int  # Anchor.index in its file
    located: Located
    severity: Severity
    problem: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A check on a card, with its own count."""

    bucket: str
    check: str
    content: str
    text: str  # canonical, from YAML
    family: str
    tags: tuple[str, ...]
    support: int


@dataclass(frozen=True, slots=True)
class AnchorVotes:
    """An anchor of a candidate and the runs that point at it: what decisions and matching refer to."""

    fp1: str
    fp2: str
    scope: str
    first: int
    last: int
    support: int
    is_weak: bool


@dataclass(frozen=True, slots=True)
class Region:
    """Ballots of one family in one scope that speak of the same place. ``runs`` is their union."""

    path: str
    family: str
    anchors: tuple[int, ...]  # Anchor.index, by votes then position: the first one leads
    runs: frozenset[RunId]
    ballots: tuple[tuple[int, str, str, frozenset[RunId]], ...]  # anchor, bucket, check, runs


@dataclass(frozen=True, slots=True)
class Strict:
    """What voting over (line, check) would have said: its strongest ballot, and whether a majority keeps it."""

    line: int
    bucket: str
    check: str
    support: int
    is_kept: bool
    ballots: int


class Lane(StrEnum):
    SEVERE = "severe"
    FREQUENT = "frequent"
    REST = "rest"
    OUTSIDE = "outside"
    DISMISSED = "dismissed"


Verdict = Literal["confirm", "dismiss", "defer"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about a candidate, and the statements it was about: (fp1, fp2) of its anchors."""

    candidate: str
    verdict: Verdict
    who: str
    when: str  # UTC, ISO 8601
    why: str
    path: str
    anchors: tuple[tuple[str, str], ...]
    severity: Severity | None = None  # the candidate's highest when it was decided; None: not kept
    scope: str = ""
    statement: str = ""  # the code of the leading statement, on one line


@dataclass(frozen=True, slots=True)
class Evidence:
    """A finding of another analyser that lies in a candidate's place."""

    tool: str
    rule: str
    path: str
    first: int
    last: int
    message: str = ""


Since = Literal["", "new", "still", "moved"]
"""What a candidate is beside an earlier audit; "" when there was none to compare with."""

Reopened = Literal["", "statement", "severity"]
"""Why a dismissal no longer holds: the statement reads otherwise, or the severity rose. "" while it holds."""

Trust = Literal["worktree", "base"]
"""Where configuration, criteria and decisions are read: in the checkout, or in the revision the change starts from."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One card: a place in the code and everything the runs said about it."""

    id: str
    path: str
    scope: str
    first: int
    last: int
    code: tuple[tuple[int, str], ...]  # the leading statement's lines, numbered
    lane: Lane
    support: int
    valid: int  # runs that could have voted here and gave a valid reply
    asked: int
    interval: tuple[float, float]  # Wilson, 95 %, of support in valid
    severity: Severity  # the highest
    severities: tuple[tuple[Severity, int], ...]  # runs by the highest severity each gave
    labels: tuple[Label, ...]
    lines: tuple[tuple[int, int], ...]  # claimed line, runs
    located: tuple[tuple[Located, int], ...]  # findings by how they were placed
    problem: str
    problem_runs: int  # runs that gave this sentence
    problems: tuple[str, ...]  # every distinct sentence, most said first
    strict: Strict
    models: tuple[tuple[str, int, int], ...]  # every model asked here: its runs that point here, its valid runs
    anchors: tuple[AnchorVotes, ...]
    findings: int
    is_weak: bool
    # What is laid over an assessed record; a bare one has none of it.
    decision: Decision | None = None
    evidence: tuple[Evidence, ...] = ()
    since: Since = ""
    reopened: Reopened = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """A candidate of the earlier audit that no run reported this time: not seen in ``valid`` runs, which is not fixed.

    ``asked``: runs that were to look at the place; 0 when it is no part of this audit, so nobody was asked about it.
    """

    candidate: Candidate
    valid: int
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Gate:
    """What the policy says. ``reasons``: one line each, naming the candidate and the command that settles it."""

    policy: Literal["advisory", "acknowledge", "evidence"]
    is_reached: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """The votes of one check on one window. They always add up to the runs asked for."""

    path: str
    window: int
    bucket: str
    check: str
    content: str
    passed: int
    failed: int
    no_vote: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """One target in numbers. ``asked`` and ``valid`` count samples over its prompts."""

    path: str
    language: str
    lines: int
    changed: int
    windows: int
    asked: int
    valid: int
    complete_runs: int  # runs valid in every prompt of the target
    uncovered: tuple[Lines, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sample gave no vote."""

    path: str
    window: int
    bucket: str
    model: str
    run: int
    attempts: int
    reason: str


AsideKind = Literal["reason", "issue", "summary", "strength"]


@dataclass(frozen=True, slots=True)
class Aside:
    """What replies of the panel contract say beside verdicts with a line. ``reason``: why a check fails at no single line."""

    path: str
    kind: AsideKind
    bucket: str  # of the check, "" for what is said of the whole file
    check: str
    text: str
    runs: int


@dataclass(frozen=True, slots=True)
class Counts:
    """From raw findings to candidates. findings = votes + repeats; the candidates' findings add up to findings."""

    samples: int
    valid: int
    findings: int
    repeats: int  # the same run, statement and check said more than once
    votes: int
    regions: int
    candidates: int
    lanes: tuple[tuple[Lane, int], ...]
    prompt_tokens: int
    reply_tokens: int
    ms: int


Status = Literal["complete", "partial", "inconclusive", "nothing", "unfinished"]


@dataclass(frozen=True, slots=True)
class Pool:
    """The assessed record: all candidates, ranked, and what the audit can and cannot say."""

    audit: Audit
    head: str
    status: Status
    reasons: tuple[str, ...]  # why not complete
    models: tuple[ModelInfo, ...]
    asked: int
    valid: int  # runs valid in every prompt
    candidates: tuple[Candidate, ...]
    scores: tuple[Score, ...]
    coverage: tuple[Coverage, ...]
    failures: tuple[Failure, ...]
    skipped: tuple[Skipped, ...]
    counts: Counts
    stop: str
    ms: int
    warnings: tuple[str, ...] = ()
    effective: float | None = None  # what several models are worth together (Kish); None for one
    asides: tuple[Aside, ...] = ()
    gone: tuple[Gone, ...] = ()
    gate: Gate | None = None
    altered: tuple[str, ...] = ()  # configuration, criteria or ledger files that the change itself touches
    trust: Trust = "worktree"  # whose version of them was in force
    targets: tuple[Target, ...] = ()  # the audited files, for a form that needs more of them than a card shows
