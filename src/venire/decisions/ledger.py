"""The ledger on the disk: read whole or not at all; a new entry is put in its place and every other byte stays as it was."""

import os
import tempfile
from pathlib import Path

from venire.decisions.form import HEADER, Ledger, block, parse
from venire.errors import ConfigError, UsageError
from venire.model import Decision

LIMIT = 5_000_000  # bytes
IGNORE = "*\n!decisions.yml\n"
"""What git is told in ``.venire``: records are kept out, the ledger is not."""

Key = tuple[str, str, str]


def read(path: Path) -> tuple[Decision, ...]:
    """The decisions in the order of the file, none where there is no file. ConfigError names file, line and remedy."""
    text = _text(path)
    return parse(text, path.name).decisions if text else ()


def add(path: Path, decision: Decision) -> None:
    """Put a decision into the ledger, by path, candidate and time; it is there whole afterwards, or the file is as it was."""
    _prepare(path)
    from filelock import FileLock

    with FileLock(f"{path}.lock"):
        text = _text(path)
        ledger = parse(text, path.name)
        made = _with(text, ledger, decision)
        if _decisions(made) != _sorted((*ledger.decisions, decision)):
            raise ConfigError(
                f"{path}: the new entry cannot be put between the others", "write `decisions:` last, one entry below the other"
            )
        _replace(path, made.encode("utf-8", "backslashreplace"))


def _decisions(text: str) -> list[Decision]:
    """What a text that was just made says; nothing when it says nothing that can be read."""
    try:
        return _sorted(parse(text, "").decisions)
    except ConfigError:
        return []


def _with(text: str, ledger: Ledger, decision: Decision) -> str:
    """The text with the new entry before the first one that sorts after it; a comment above an entry belongs to that entry."""
    if not ledger.decisions:
        return _begun(text) + block(decision)
    if not ledger.is_block:
        raise ConfigError("the ledger holds its decisions on one line", "write each below the other, as `- path: …`")
    lines = text.splitlines(keepends=True)
    later = [start for start, other in zip(ledger.starts, ledger.decisions, strict=True) if _key(other) > _key(decision)]
    at = later[0] if later else len(lines)
    while later and lines[at - 1].lstrip().startswith("#"):
        at -= 1
    ending = "\r\n" if "\r\n" in text else "\n"
    entry = block(decision, ledger.column).replace("\n", ending)
    if at == len(lines) and lines[-1:] and not lines[-1].endswith("\n"):
        entry = ending + entry
    return "".join([*lines[:at], entry, *lines[at:]])


def _begun(text: str) -> str:
    """The header of a ledger without entries, below whatever comments it has."""
    kept = [line for line in text.splitlines() if line.lstrip().startswith("#") and line not in HEADER]
    return "".join(f"{line}\n" for line in kept) + HEADER


def _key(decision: Decision) -> Key:
    return decision.path, decision.candidate, decision.when


def _sorted(decisions: tuple[Decision, ...]) -> list[Decision]:
    return sorted(decisions, key=lambda d: (*_key(d), d.verdict, d.who, d.why))


def _text(path: Path) -> str:
    if not os.path.lexists(path):
        return ""
    _refuse_links(path)
    try:
        data = path.read_bytes() if path.stat().st_size <= LIMIT else None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}", "make it readable") from None
    if data is None:
        raise ConfigError(f"{path}: larger than {LIMIT:,} bytes", "take out the decisions on files that are gone")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 at byte {error.start}", "save the file as UTF-8") from None


def _refuse_links(path: Path) -> None:
    """A link could show the lines of any file in an error, or have another file written."""
    if path.is_symlink() or path.parent.is_symlink() or (path.exists() and not path.is_file()):
        raise ConfigError(f"{path}: not a plain file in a plain folder", "put the ledger itself there")


def _prepare(path: Path) -> None:
    """The folder, and in ``.venire`` what git is told about it; a .gitignore that somebody wrote is left alone."""
    _refuse_links(path)
    ignore = path.parent / ".gitignore"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_ours = not ignore.is_symlink() and (not ignore.exists() or ignore.read_bytes() in (b"", b"*\n"))
        if path.parent.name == ".venire" and is_ours:
            _replace(ignore, IGNORE.encode())
    except OSError as error:
        raise UsageError(f"{path.parent}: {error.strerror}", "the ledger needs a folder you can write to") from None


def _replace(path: Path, data: bytes) -> None:
    name = ""
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            os.fchmod(descriptor, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(name).replace(path)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise UsageError(f"{path}: {error.strerror}", "nothing was written; look at the disk and its rights") from None
