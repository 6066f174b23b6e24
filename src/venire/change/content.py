"""The raw bytes of one side of a changed file, or why there are none."""

from collections.abc import Callable
from dataclasses import dataclass

from venire.model import Lines, Reason

MAX_BYTES = 1_000_000
"""Files above this many bytes are listed as too large; they are never held in memory."""

HEAD_BYTES = 8192
"""How much of a file that is too large is kept, to tell text from binary."""

HUNKS_ONLY = "only the hunks are known; the other lines are blank here"
"""The note of a target whose text was pieced together from a patch alone."""


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes as stored. With a ``reason`` the file cannot be audited, and ``data`` is at most its beginning."""

    data: bytes = b""
    reason: Reason | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a change: git's file mode, the object name where git knows it, and how to get the bytes."""

    mode: str
    load: Callable[[], Content]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A changed path; ``moved`` is its old path in a rename. ``changed`` is given where only the changed lines are known."""

    path: bytes
    old: Side | None
    new: Side | None
    changed: tuple[Lines, ...] | None = None
    moved: bytes = b""
    notes: tuple[str, ...] = ()


def too_large(head: bytes, size: int) -> Content:
    """The beginning of a file of ``size`` bytes that is above the limit."""
    return Content(head[:HEAD_BYTES], "too large", f"{size:,} bytes; the limit is {MAX_BYTES:,}")


def shown_path(raw: bytes) -> str:
    """A path that can be printed and stored: bytes that are not UTF-8 become ``\\xNN``, so no lone surrogate leaves this folder.

    Nothing opens such a path again; it is a name only.
    """
    return raw.decode("utf-8", "backslashreplace")
