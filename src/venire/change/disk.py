"""Files on the disk: a root and a path go in, bytes come out. No link is followed and nothing but regular files is opened."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from venire.change.content import HEAD_BYTES, MAX_BYTES, Content, too_large
from venire.errors import ChangeError


def inside(root: Path, paths: tuple[str, ...]) -> tuple[bytes, ...]:
    """Paths as a user gives them, relative to the current folder → paths below ``root`` with ``/``; ``b""`` is the root."""
    return tuple(_inside(root, path) for path in paths)


def _inside(root: Path, path: str) -> bytes:
    full = Path(os.path.abspath(path))
    # the root or the current folder may be reached through a link: the parents are compared a second time by what they are
    for candidate, top in ((full, root.absolute()), (full.parent.resolve() / full.name, root.resolve())):
        if candidate.is_relative_to(top):
            inner = candidate.relative_to(top)
            return b"" if inner == Path() else os.fsencode(inner.as_posix())
    raise ChangeError(
        f"{path!r} lies outside {str(root)!r}", remedy="name files below that folder, or run from the folder they are in"
    )


def kind(root: Path, path: bytes) -> str:
    """What is at ``path``: "file", "folder", "symlink" (also when a folder on the way is one), "other" or "missing"."""
    here, mode = os.fsencode(root), 0
    for part in path.split(b"/"):
        here = os.path.join(here, part)
        try:
            mode = os.lstat(here).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return "missing"
        if stat.S_ISLNK(mode):
            return "symlink"
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def read(root: Path, path: bytes) -> Content:
    """The bytes at ``path``, or the reason why they are not read."""
    try:
        match kind(root, path):
            case "file":
                return _read(root, path)
            case "missing":
                return Content(reason="deleted")
            case "symlink":
                return Content(reason="symlink")
            case "folder":
                return Content(reason="submodule", detail="a folder with a repository of its own")
        return Content(reason="unreadable", detail="not a regular file")
    except OSError as error:
        return Content(reason="unreadable", detail=error.strerror or type(error).__name__)


def _read(root: Path, path: bytes) -> Content:
    with os.fdopen(_opened(root, path), "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            return Content(reason="unreadable", detail="not a regular file")
        data = file.read(MAX_BYTES + 1 if facts.st_size <= MAX_BYTES else HEAD_BYTES)
    size = max(facts.st_size, len(data))
    return too_large(data, size) if size > MAX_BYTES else Content(data)


def _opened(root: Path, path: bytes) -> int:
    """A file descriptor reached folder by folder, so that a link put in place after the look above is refused."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if os.open not in os.supports_dir_fd:
        return os.open(root / os.fsdecode(path), flags)
    *folders, name = path.split(b"/")
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            inner = os.open(folder, flags | os.O_DIRECTORY, dir_fd=here)
            os.close(here)
            here = inner
        return os.open(name, flags, dir_fd=here)
    finally:
        os.close(here)


def walk(root: Path, path: bytes) -> Iterator[bytes]:
    """Every file and link below a folder, in order; hidden folders are left out and links to folders are not entered."""
    with os.scandir(os.path.join(os.fsencode(root), path)) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        inner = path + b"/" + entry.name if path else entry.name
        if not entry.is_dir(follow_symlinks=False):
            yield inner
        elif not entry.name.startswith(b"."):
            yield from walk(root, inner)
