"""What was drawn: plan, models, asks and replies, and the record that keeps them. Frozen values."""

from dataclasses import dataclass
from typing import Literal

from venire.model.change import Skipped, Source, Target
from venire.model.panel import Contract, Panel, Prompt, PromptKey, RunKey


@dataclass(frozen=True, slots=True)
class Sampling:
    """How replies are drawn. ``pinned`` means greedy: temperature 0, top_k 1, top_p 1, one seed for every run."""

    temperature: float = 0.7
    top_k: int = 40
    top_p: float = 0.9
    seed: int = 0
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What the audit set out to do; everything ``assess`` needs to know about settings."""

    runs: int = 5
    scope: Literal["changed", "file"] = "changed"
    sampling: Sampling = Sampling()
    max_time: float = 0.0  # seconds, 0: no limit
    sample_time: float = 300.0  # seconds one reply may take
    context: int = 8192  # tokens asked for
    reply_tokens: int = 1024
    frequent: float = 0.5  # share of the valid runs that makes a candidate frequent
    lift: float = 0.5  # ballots reported together this often are two defects
    canaries: bool = False  # plant an obvious defect at head and tail of the code shown (contract ``findings``)


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The model as the engine states it. ``None`` or "" where the engine does not say; never assumed."""

    backend: str
    name: str
    engine: str = ""
    digest: str = ""
    quantization: str = ""
    parameters: str = ""
    context: int = 0
    gpu_share: float | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to a backend. ``messages`` are (role, content). ``deadline`` is in seconds from now.

    Asks that are drawn in one request may take that long each, together no longer than ``left``: the seconds of the time budget.
    """

    messages: tuple[tuple[str, str], ...]
    schema: str
    sampling: Sampling
    seed: int
    reply_tokens: int
    deadline: float
    path: str = ""
    window: int = 0
    bucket: str = ""
    run: int = 0
    attempt: int = 1
    left: float = float("inf")
    is_compact: bool = True  # no white space between the tokens of the reply, where the engine's grammar can say so


@dataclass(frozen=True, slots=True)
class Reply:
    """What a backend gave for one ask, only when the engine says it finished. ``raw``: every body received, one a line."""

    text: str
    raw: str
    done: str = "stop"
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached_tokens: int | None = None
    load_ms: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One ask and what came of it. ``error`` is a backend failure (``kind: message``), ``fault`` what the contract refused."""

    text: str
    raw: str
    sha256: str  # of raw
    done: str
    seed: int
    prompt_tokens: int
    reply_tokens: int
    ms: int
    error: str = ""
    fault: str = ""
    load_ms: int = 0  # spent on loading the model: high in the middle of a prompt when it was loaded again


@dataclass(frozen=True, slots=True)
class Run:
    """One sample of one prompt: every attempt, in order. The last one counts."""

    path: str
    window: int
    bucket: str
    model: str
    number: int  # 1-based
    attempts: tuple[Attempt, ...]
    status: Literal["valid", "failed"]

    @property
    def prompt(self) -> "PromptKey":
        """The key of the prompt it answers."""
        return (self.path, self.window, self.bucket, self.model)

    @property
    def key(self) -> "RunKey":
        return (*self.prompt, self.number)


@dataclass(frozen=True, slots=True)
class Seat:
    """A model on the panel: how it is reached, how often it is asked, and in which contract."""

    model: str
    backend: str = ""  # "": as the settings say
    host: str = ""
    runs: int = 0  # 0: as the settings say
    contract: Contract = "findings"


@dataclass(frozen=True, slots=True)
class Audit:
    """The header of a record."""

    id: str
    tool: str
    started: str  # UTC, ISO 8601
    source: Source
    plan: Plan
    panel: Panel
    prompts: int = 0  # how many follow; fewer: the audit died before it asked anything
    seats: tuple[Seat, ...] = ()

    def runs(self, model: str) -> int:
        """How often a model is asked each of its prompts."""
        return next((seat.runs for seat in self.seats if seat.model == model and seat.runs), self.plan.runs)


@dataclass(frozen=True, slots=True)
class Seal:
    """The end of a record: entries before it, chain head over them, digest of the JSON report, why sampling stopped."""

    count: int
    head: str
    report: str
    stop: Literal["complete", "max-time"]
    ms: int  # wall time of the audit, over all its sittings


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record, read and verified. ``head`` is the chain head over everything before the seal."""

    audit: Audit
    models: tuple[ModelInfo, ...]
    targets: tuple[Target, ...]
    skipped: tuple[Skipped, ...]
    prompts: tuple[Prompt, ...]
    runs: tuple[Run, ...]
    head: str
    warmups: tuple[Attempt, ...] = ()
    stop: Literal["complete", "max-time"] | None = None  # None: not finished
    ms: int = 0
    report: str = ""  # digest of the JSON report, as sealed
