"""What is audited: the source of a change, its targets and windows, and what was left out. Frozen values."""

from dataclasses import dataclass
from typing import Literal

Lines = tuple[int, int]
"""First and last line, 1-based, both included."""

Mode = Literal["worktree", "staged", "range", "patch", "paths"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the change comes from. ``base`` and ``head`` are full object names, empty where there are none."""

    mode: Mode
    spec: str = ""
    base: str = ""
    head: str = ""


Reason = Literal[
    "deleted", "binary", "too large", "ignored", "submodule", "symlink", "LFS pointer", "not text",
    "mode only", "empty", "unreadable",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Skipped:
    """A changed file that is not audited, and why. ``is_gap`` when text a reader would expect to be audited was not."""

    path: str
    reason: Reason
    detail: str = ""
    is_gap: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """What one prompt shows of a target: the file's own line ranges, in order."""

    index: int
    shown: tuple[Lines, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A file to audit. ``sha256`` is of the raw bytes; ``text`` is decoded and keeps its line ends."""

    path: str
    sha256: str
    text: str
    language: str
    changed: tuple[Lines, ...]
    windows: tuple[Window, ...] = ()
    uncovered: tuple[Lines, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines as git counts them (split on ``\\n`` alone), without line ends."""
        parts = self.text.split("\n")
        if parts[-1] == "":
            parts.pop()
        return tuple(part.removesuffix("\r") for part in parts)


@dataclass(frozen=True, slots=True)
class Change:
    """The targets of an audit and what was left out of it."""

    source: Source
    targets: tuple[Target, ...]
    skipped: tuple[Skipped, ...] = ()
