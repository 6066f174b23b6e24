"""What is asked: checks in buckets, the prompts made of them, and what a reply may claim. Frozen values."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Severity(StrEnum):
    """How bad a finding is said to be."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        return ("low", "medium", "high").index(self.value)


OTHER = "other"
"""The check id a model may give when no check of the bucket fits."""

WILDCARD = "*"
"""The family of a label that goes with every family."""


@dataclass(frozen=True, slots=True)
class When:
    """Where a bucket or check applies. OR inside a field, AND across fields; a leading ``!`` negates an entry."""

    language: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    model: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One statement that should hold. ``id`` is by position in its bucket; ``content`` by its words."""

    bucket: str
    id: str
    content: str
    text: str
    severity: Severity
    family: str
    tags: tuple[str, ...] = ()
    when: When = field(default_factory=When)


@dataclass(frozen=True, slots=True)
class Bucket:
    """Checks that are asked in one prompt, and how they are asked."""

    name: str
    checks: tuple[Check, ...]
    instruction: str = ""
    fields: tuple[str, ...] = ("line", "problem", "check", "severity")
    cap: int = 0  # findings a reply may hold; 0: no cap
    when: When = field(default_factory=When)
    file_when: When = field(default_factory=When)  # the criteria file's own; both must hold


@dataclass(frozen=True, slots=True)
class Panel:
    """All buckets of an audit, in the order of the criteria files."""

    buckets: tuple[Bucket, ...]


Contract = Literal["findings", "panel", "issues"]
PromptKey = tuple[str, int, str, str]
"""Path, window, bucket, model."""
RunKey = tuple[str, int, str, str, int]
"""The key of a prompt, and the run's number."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question: a bucket about a window. ``schema`` is canonical JSON and the single truth about valid replies."""

    path: str
    window: int
    bucket: str
    system: str
    user: str
    schema: str
    reply_tokens: int
    contract: Contract = "findings"
    model: str = ""

    @property
    def key(self) -> "PromptKey":
        return (self.path, self.window, self.bucket, self.model)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a valid reply says once: a line, a sentence, a check id, a severity. ``quote`` is the code the model wrote."""

    line: int
    problem: str
    check: str
    severity: Severity
    quote: str = ""
