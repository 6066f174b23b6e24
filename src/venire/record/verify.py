"""A record file → a verdict, or the whole record. There is one scan, and every reader goes through it."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from venire.errors import RecordDamaged, UsageError
from venire.model import Record, Seal
from venire.record.book import Book
from venire.record.codec import NewerForm

PART = ".part"
"""The end of the name of a record that has no seal yet. The name without it promises a seal."""

_DAMAGED = "Nothing was read from it. Take a whole copy, or audit again."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a record file is. ``entries`` and ``head`` are of everything before the seal; ``torn`` is in bytes."""

    status: Literal["sealed", "unfinished"]
    entries: int
    head: str
    seal: Seal | None
    torn: int  # bytes of a last line that was cut while being written


@dataclass(frozen=True, slots=True)
class Scan:
    """A book filled from a file; ``size`` is in bytes and without the torn tail."""

    book: Book
    size: int
    torn: int


def verify(path: Path) -> Verdict:
    """Read a record file whole and check all of it. RecordDamaged names the first bad line; UsageError: no such file."""
    with _reading(path) as stream:
        found = scan(stream, path)
    status: Literal["sealed", "unfinished"] = "sealed" if found.book.seal else "unfinished"
    return Verdict(status, found.book.count, found.book.head, found.book.seal, found.torn)


def read(path: Path) -> Record:
    """The record of a file, verified first; ``stop`` is ``None`` where it is unfinished. Errors as ``verify``."""
    with _reading(path) as stream:
        book = scan(stream, path).book
    if book.audit is None:
        raise UsageError(
            f"{path}: nothing was recorded", "The audit ended before its first entry. Delete the file and audit again."
        )
    return book.record()


def scan(stream: BinaryIO, path: Path) -> Scan:
    """Take every line of a stream; ``path`` is named in errors and says whether the seal may be missing."""
    book, size, number = Book(), 0, 0
    may_be_open = path.name.endswith(PART)
    for number, stored in _numbered(stream, path):
        if not stored.endswith(b"\n"):
            if may_be_open and not book.seal:
                return Scan(book, size, torn=len(stored))
            raise _damaged(path, number, "the line is cut short")
        try:
            book.take(stored[:-1])
        except NewerForm as form:
            raise UsageError(f"{path}: written by a newer venire ({form})", "Update venire to read it.") from None
        except ValueError as fault:
            raise _damaged(path, number, str(fault)) from None
        size += len(stored)
    if not may_be_open and not book.seal:
        raise _damaged(path, number + 1, "the record ends here without its seal: its tail was cut")
    return Scan(book, size, torn=0)


def _damaged(path: Path, number: int, fault: str) -> RecordDamaged:
    return RecordDamaged(f"{path}, line {number}: {fault}", _DAMAGED, line=number)


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    """The file, opened so that a pipe or device in its place cannot hold us up."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", other_name(path)) from error
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise UsageError(f"{path}: not a file", "Name the .jsonl file of a record.")
    with open(file, "rb") as stream:
        yield stream


def _numbered(stream: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        yield from enumerate(stream, 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", "Look after the disk, or take a copy.") from error


def other_name(path: Path) -> str:
    """What to do about a record that cannot be opened; a seal changes its name, so the other name may be meant."""
    if not path.name:
        return "Name the .jsonl file of a record."
    other = path.with_name(path.name.removesuffix(PART) if path.name.endswith(PART) else path.name + PART)
    return f"There is {other}." if other.is_file() else "Name the .jsonl file of a record that you may read."
