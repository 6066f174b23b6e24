"""Questions → the sealed records that answer them: one small file a question, in a folder beside the records.

The folder is an index and no copy: an answer is always a record, read and verified. Whatever is missing, damaged or cannot be
written costs another audit and nothing else.
"""

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from venire.errors import VenireError
from venire.model import Record
from venire.record.verify import read

FOLDER = "cache"
_LIMIT = 300  # bytes of an entry
_ENTRY = re.compile(rb"([0-9A-Za-z_-]{1,120}\.jsonl) ([0-9a-f]{64})\n")


def is_final(record: Record) -> bool:
    """Would the same audit have nothing to add? Every run of every prompt was drawn, and gave a valid reply."""
    planned = sum(record.audit.runs(prompt.model) for prompt in record.prompts)
    return record.stop == "complete" and len(record.runs) == planned and all(run.status == "valid" for run in record.runs)


def remember(folder: Path, question: str, path: Path, head: str) -> None:
    """Note that the record at ``path`` in ``folder`` answers a question. The last one of several that do so together stays."""
    index = folder / FOLDER
    with suppress(OSError):
        index.mkdir(mode=0o700, exist_ok=True)
        if index.is_symlink():
            return
        descriptor, name = tempfile.mkstemp(dir=index, prefix=".")
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(f"{path.name} {head}\n".encode())
        Path(name).replace(index / question)


def recall(folder: Path, question: str) -> tuple[Path, Record] | None:
    """The record noted for a question, with its place, if it is there, whole, the one that was noted, and final."""
    entry = _ENTRY.fullmatch(_noted(folder / FOLDER / question))
    if entry is None:
        return None
    path = folder / entry[1].decode()
    try:
        record = read(path)
    except VenireError:
        return None
    return (path, record) if record.head == entry[2].decode() and is_final(record) else None


def _noted(path: Path) -> bytes:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(file, _LIMIT)
    except OSError:  # a folder, say
        return b""
    finally:
        os.close(file)
