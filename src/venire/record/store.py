"""The one writer of a record: values in, one line each, on the disk before ``append`` returns.

A record that is being written is named ``….jsonl.part``; sealing it takes ``.part`` away. So a file that carries the
final name and has no seal has lost its tail. After any write that did not finish the writer is dead: what the disk
holds is then unknown, and only ``reopen`` reads it back.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from venire.errors import UsageError
from venire.model import Attempt, Audit, ModelInfo, Prompt, Record, Run, Seal, Skipped, Target
from venire.record.book import Book
from venire.record.disk import File, make_folder
from venire.record.verify import PART, Scan, other_name, scan


class Writer:
    """Appends to one record and holds its lock until ``close``. A value that does not fit is a ValueError, unwritten."""

    def __init__(self, file: File, book: Book) -> None:
        self._file = file
        self._book = book
        self._is_whole = True

    @classmethod
    def create(cls, folder: Path, audit: Audit) -> "Writer":
        """A new record in ``folder``, which is made where it is missing. UsageError when the disk refuses."""
        name = f"{_compact(audit.started)}-{audit.id}.jsonl"
        header = Book().line(audit)  # refuses a bad id before it becomes a file name
        make_folder(folder)
        if os.path.lexists(folder / name):
            raise UsageError(f"{folder / name}: there is a record of this audit", "Audit again: a new audit gets a new id.")
        writer = cls(File.create(folder / (name + PART)), Book())
        try:
            writer._save(header)
        except BaseException:
            writer.close()
            raise
        return writer

    @classmethod
    def reopen(cls, path: Path) -> tuple[Record, "Writer"]:
        """What an unfinished record holds, and a writer that goes on behind it; a torn last line is cut away.

        RecordBusy, RecordDamaged, or UsageError when there is nothing to resume.
        """
        if not path.is_file():
            raise UsageError(f"{path}: no such record", other_name(path))
        file = File.open(path)
        try:
            with os.fdopen(os.dup(file.descriptor), "rb") as stream:
                found = scan(stream, path)
            _refuse_finished(file, found)
            if found.torn:
                file.cut(found.size)
        except BaseException:
            file.close()
            raise
        return found.book.record(), cls(file, found.book)

    @property
    def path(self) -> Path:
        """Where the record is now; ``seal`` changes it."""
        return self._file.path

    @property
    def head(self) -> str:
        """The chain head over every entry before the seal."""
        return self._book.head

    @property
    def record(self) -> Record:
        """The record so far."""
        return self._book.record()

    def append(self, value: ModelInfo | Target | Skipped | Prompt | Run) -> None:
        """Save one value: on the disk when this returns. UsageError when the disk refuses."""
        self._save(self._book.line(value))

    def extend(self, values: Sequence[ModelInfo | Target | Skipped | Prompt]) -> None:
        """Save several values by one write: all of them are on the disk when this returns."""
        self._refuse_broken()
        self._is_whole = False  # a value that does not fit leaves those before it taken and unwritten
        lines = []
        for value in values:
            lines.append(self._book.line(value))
            self._book.take(lines[-1])
        self._write(b"".join(line + b"\n" for line in lines))

    def append_warmup(self, attempt: Attempt) -> None:
        """Save a reply that was drawn to warm the engine up and counts for nothing."""
        self._save(self._book.line(attempt))

    def seal(self, stop: Literal["complete", "max-time"], report_digest: str, ms: int) -> None:
        """End the record: nothing can follow. ``ms`` is wall time over all sittings. Closes the file."""
        self._save(self._book.line(Seal(self._book.count, self._book.head, report_digest, stop, ms)))
        self._file.rename(self.path.name.removesuffix(PART))
        self.close()

    def close(self) -> None:
        """Give up the lock; an unsealed record stays unfinished."""
        self._is_whole = False
        self._file.close()

    def _save(self, line: bytes) -> None:
        self._refuse_broken()
        self._book.take(line)
        self._write(line + b"\n")

    def _refuse_broken(self) -> None:
        if not self._is_whole:
            raise UsageError(f"{self.path}: not written: it is closed, or an earlier write did not finish", _resume(self.path))

    def _write(self, data: bytes) -> None:
        self._is_whole = False  # also when an interrupt ends the write half way
        self._file.append(data)
        self._is_whole = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _refuse_finished(file: File, found: Scan) -> None:
    if found.book.seal:
        if file.path.name.endswith(PART) and file.path.exists():
            file.rename(file.path.name.removesuffix(PART))  # the audit died between its seal and the new name
        raise UsageError(f"{file.path}: already complete", f"Show it with: venire replay {file.path}")
    if found.book.audit is None:
        raise UsageError(f"{file.path}: nothing was recorded, so there is nothing to resume", "Delete the file and audit again.")


def _resume(path: Path) -> str:
    return f"What was saved before is intact. Go on with: venire audit --resume {path}"


def _compact(started: str) -> str:
    """ISO 8601 → ``20260102T030405Z``. ValueError for anything else."""
    moment = datetime.fromisoformat(started)
    if moment.tzinfo is None:
        raise ValueError("the start of an audit names its time zone")
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
