"""Criteria files on disk → Panel. The only part of ``panel`` that reads files."""

from collections.abc import Sequence
from pathlib import Path

from venire.errors import CriteriaError
from venire.model import Panel
from venire.panel.buckets import build
from venire.panel.compose import BYTES
from venire.panel.modes import Entry, arrange
from venire.visible import visible

SUFFIXES = (".yml", ".yaml")


def load(paths: Sequence[Path] = (), mode: str = "separate") -> Panel:
    """The panel of the files, folders in name order; without any, the shipped one. CriteriaError lists every fault.

    ``mode`` (see ``modes``): separate, combined or isolated; UsageError for another.
    """
    entries, found = _read(paths)
    if found:
        raise CriteriaError("\n".join(found), "correct the lines named; `venire criteria check` reads the files again")
    return arrange(entries, mode)


def faults(paths: Sequence[Path] = ()) -> tuple[str, ...]:
    """Every fault of the files, one a line: ``file:line: message``, or ``path: message`` where no line could be read."""
    return _read(paths)[1]


def files(paths: Sequence[Path] = ()) -> tuple[Path, ...]:
    """The criteria files that the paths stand for, in the order they are read."""
    return tuple(file for path in paths or (_shipped(),) for file in _files(path))


def _read(paths: Sequence[Path]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    found: list[tuple[str, bytes]] = []
    unread: list[str] = []
    for path in paths or (_shipped(),):
        try:
            here = _files(path)
            if not here:
                unread.append(f"{visible(str(path))}: the folder holds no {' or '.join(f'*{s}' for s in SUFFIXES)} file")
            found += [(str(file), _bytes(file)) for file in here]
        except OSError as error:
            unread.append(f"{visible(str(error.filename or path))}: {error.strerror or error}")
    entries, wrong = build(found)
    return entries, (*unread, *wrong)


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    inside = sorted(path.iterdir(), key=lambda file: file.name)
    return tuple(file for file in inside if file.suffix in SUFFIXES and not file.name.startswith(".") and not file.is_dir())


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise OSError(0, "not a file", str(path))
    with path.open("rb") as stream:
        return stream.read(BYTES + 1)


def _shipped() -> Path:
    """The folder of the default panel: in the package once installed, in the checkout otherwise."""
    package = Path(__file__).resolve().parents[1] / "_criteria"
    return package if package.is_dir() else Path(__file__).resolve().parents[3] / "criteria"
