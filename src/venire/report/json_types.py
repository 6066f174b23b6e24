"""The JSON report's shape, version 1. ``schema/report-v1.schema.json`` is made from these types, and a test compares the two.

Foreign text is here as it was given, in full: a program reads it, not a person.
"""

from typing import Literal, NotRequired, TypedDict

from venire.model import AsideKind, Lane, Mode, Reason, Reopened, Severity, Since, Status, Trust, Verdict


class LineRange(TypedDict):
    """First and last line, 1-based, both included."""

    first: int
    last: int


class LaneCounts(TypedDict):
    """Candidates in each lane."""

    severe: int
    frequent: int
    rest: int
    outside: int
    dismissed: NotRequired[int]


class CountsJson(TypedDict):
    """From raw findings to candidates: findings = repeats + votes."""

    samples: int
    valid: int
    findings: int
    repeats: int
    votes: int
    regions: int
    candidates: int
    lanes: LaneCounts
    prompt_tokens: int
    reply_tokens: int
    ms: int


class CodeLine(TypedDict):
    """A numbered line of the leading statement."""

    line: int
    text: str


class Interval(TypedDict):
    """Wilson, 95 %, of support in valid."""

    low: float
    high: float


class SeverityCounts(TypedDict):
    """Runs by the highest severity each gave."""

    low: int
    medium: int
    high: int


class LocatedCounts(TypedDict):
    """Findings by how they were placed."""

    exact: int
    snapped: int
    clamped: int
    file: int


class LabelJson(TypedDict):
    """A check on a card; text is from the criteria, never from a model."""

    bucket: str
    check: str
    content: str
    text: str
    family: str
    tags: list[str]
    support: int


class LineVotes(TypedDict):
    """Runs that claimed a line."""

    line: int
    runs: int


class ModelVotes(TypedDict):
    """Runs of a model on a card."""

    model: str
    runs: int
    valid: int


class StrictJson(TypedDict):
    """What voting over (line, check) would have said."""

    line: int
    bucket: str
    check: str
    support: int
    is_kept: bool
    ballots: int


class AnchorJson(TypedDict):
    """A statement of a candidate, with the fingerprints by which it is found again."""

    fp1: str
    fp2: str
    scope: str
    first: int
    last: int
    support: int
    is_weak: bool


class PrintsJson(TypedDict):
    """The fingerprints of a statement: with its scope, and without."""

    fp1: str
    fp2: str


class DecisionJson(TypedDict):
    """What a person decided about a candidate."""

    candidate: str
    verdict: Verdict
    who: str
    when: str
    why: str
    path: str
    anchors: list[PrintsJson]
    severity: Severity | None
    scope: str
    statement: str


class EvidenceJson(TypedDict):
    """A finding of another analyser in a candidate's place."""

    tool: str
    rule: str
    path: str
    first: int
    last: int
    message: str


class CandidateJson(TypedDict):
    """A place in the code and everything the runs said about it."""

    id: str
    path: str
    scope: str
    first: int
    last: int
    lane: Lane
    support: int
    valid: int
    asked: int
    interval: Interval
    severity: Severity
    severities: SeverityCounts
    problem: str
    problem_runs: int
    problems: list[str]
    labels: list[LabelJson]
    lines: list[LineVotes]
    located: LocatedCounts
    strict: StrictJson
    models: list[ModelVotes]
    anchors: list[AnchorJson]
    code: list[CodeLine]
    findings: int
    is_weak: bool
    decision: NotRequired[DecisionJson]
    evidence: NotRequired[list[EvidenceJson]]
    since: NotRequired[Since]
    reopened: NotRequired[Reopened]


class GoneJson(TypedDict):
    """A candidate of the earlier audit that none of ``valid`` runs reported, of those asked; 0 asked: not asked about."""

    candidate: CandidateJson
    valid: int
    asked: int


class GateJson(TypedDict):
    """The policy, whether it is reached, and why."""

    policy: Literal["advisory", "acknowledge", "evidence"]
    is_reached: bool
    reasons: list[str]


class ModelJson(TypedDict):
    """A model as its engine states it; null or "" where the engine does not say."""

    backend: str
    name: str
    engine: str
    digest: str
    quantization: str
    parameters: str
    context: int
    gpu_share: float | None
    warnings: list[str]


class SourceJson(TypedDict):
    """Where the change comes from; base and head are full object names."""

    mode: Mode
    spec: str
    base: str
    head: str


class SamplingJson(TypedDict):
    """How replies were drawn."""

    temperature: float
    top_k: int
    top_p: float
    seed: int
    pinned: bool


class PlanJson(TypedDict):
    """What the audit set out to do; times in seconds, 0 for no limit."""

    runs: int
    scope: Literal["changed", "file"]
    sampling: SamplingJson
    max_time: float
    sample_time: float
    context: int
    reply_tokens: int
    frequent: float
    lift: float
    canaries: bool


class WhenJson(TypedDict):
    """Where a bucket or check applies."""

    language: list[str]
    path: list[str]
    model: list[str]


class CheckJson(TypedDict):
    """A statement that should hold; content identifies its words."""

    bucket: str
    id: str
    content: str
    text: str
    severity: Severity
    family: str
    tags: list[str]
    when: WhenJson


class BucketJson(TypedDict):
    """Checks asked in one prompt, and how."""

    name: str
    instruction: str
    fields: list[str]
    cap: int
    when: WhenJson
    checks: list[CheckJson]


class SeatJson(TypedDict):
    """A model on the panel."""

    model: str
    backend: str
    host: str
    runs: int
    contract: str


class AuditJson(TypedDict):
    """The header of the record."""

    id: str
    tool: str
    started: str
    source: SourceJson
    plan: PlanJson
    prompts: int
    seats: list[SeatJson]
    panel: list[BucketJson]


class CoverageJson(TypedDict):
    """One audited file in numbers."""

    path: str
    language: str
    lines: int
    changed: int
    windows: int
    asked: int
    valid: int
    complete_runs: int
    uncovered: list[LineRange]
    notes: list[str]


class FailureJson(TypedDict):
    """A sample that gave no vote."""

    path: str
    window: int
    bucket: str
    model: str
    run: int
    attempts: int
    reason: str


class SkippedJson(TypedDict):
    """A changed file that was not audited; a gap when its text should have been."""

    path: str
    reason: Reason
    detail: str
    is_gap: bool


class ScoreJson(TypedDict):
    """The votes of one check on one window."""

    path: str
    window: int
    bucket: str
    check: str
    content: str
    passed: int
    failed: int
    no_vote: int


class AsideJson(TypedDict):
    """What replies of the panel contract say beside verdicts with a line; bucket and check are "" for the whole file."""

    path: str
    kind: AsideKind
    bucket: str
    check: str
    text: str
    runs: int


class OverlayJson(TypedDict, total=False):
    """What decisions, evidence, an earlier audit and the panel contract add to a report. Absent where there is nothing to say."""

    asides: list[AsideJson]
    gone: list[GoneJson]
    gate: GateJson
    altered: list[str]
    trust: Trust


class ReportJson(TypedDict):
    """A whole report. Candidates stand in lane order, the most serious first."""

    schema_version: Literal[1]
    status: Status
    headline: str
    asked: int
    valid: int
    head: str
    counts: CountsJson
    candidates: list[CandidateJson]
    reasons: list[str]
    warnings: list[str]
    caveat: str
    stop: str
    ms: int
    effective: float | None
    models: list[ModelJson]
    audit: AuditJson
    coverage: list[CoverageJson]
    failures: list[FailureJson]
    skipped: list[SkippedJson]
    scores: list[ScoreJson]
    asides: NotRequired[list[AsideJson]]
    gone: NotRequired[list[GoneJson]]
    gate: NotRequired[GateJson]
    altered: NotRequired[list[str]]
    trust: NotRequired[Trust]
