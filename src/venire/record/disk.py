"""Append-only files on a disk that can fail: create, lock, append, cut, rename. Every OSError becomes a UsageError.

Only files in a folder that is no symlink are touched, and by the folder's descriptor, so it cannot be swapped.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from venire.errors import RecordBusy, UsageError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def make_folder(folder: Path) -> None:
    """Make the folder for records, private to the user and ignored by git. A symlink in its place is refused."""
    home = next((place for place in (folder, folder.parent) if place.name == ".venire"), None)
    for place in (folder, *([home] if home else [])):
        if place.is_symlink():
            raise UsageError(f"{place}: is a symbolic link", "Choose the real folder with --record DIR.")
    with _trouble(folder, "made"):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            home = home or folder
        if home:
            _ignore(home)


def _ignore(folder: Path) -> None:
    file = os.open(folder / ".gitignore", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o644)
    with open(file, "w") as stream:
        if os.fstat(file).st_size == 0:  # also one that was left empty when the disk was full
            stream.write("*\n")


class File:
    """One open file, locked for this process until it is closed."""

    def __init__(self, path: Path, folder: int, file: int) -> None:
        self.path = path
        self.descriptor = file
        self._folder = folder
        self._is_open = True

    @classmethod
    def create(cls, path: Path) -> "File":
        """A new file, mode 0600, in a folder that is there."""
        made = cls._open(path, os.O_CREAT | os.O_EXCL)
        with made._closing_on_error(), _trouble(path, "created"):
            os.fsync(made._folder)
        return made

    @classmethod
    def open(cls, path: Path) -> "File":
        """A file that is there. RecordBusy when another writer has it."""
        return cls._open(path, 0)

    @classmethod
    def _open(cls, path: Path, flags: int) -> "File":
        with _trouble(path, "opened for writing"):
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                flags |= os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                file = os.open(path.name, flags, 0o600, dir_fd=folder)
            except BaseException:
                os.close(folder)
                raise
        opened = cls(path, folder, file)
        with opened._closing_on_error():
            _lock(file, path)
        return opened

    def append(self, data: bytes) -> None:
        """Write all of it at the end, and return when the disk has it."""
        with _trouble(self.path, "written"):
            left = memoryview(data)
            while left:
                left = left[os.write(self.descriptor, left) :]
            os.fsync(self.descriptor)

    def cut(self, size: int) -> None:
        """Drop everything from this byte on."""
        with _trouble(self.path, "cut"):
            os.ftruncate(self.descriptor, size)
            os.fsync(self.descriptor)

    def rename(self, name: str) -> None:
        """Give the file another name in its folder. A name that is taken is refused."""
        new = self.path.with_name(name)
        with _trouble(new, "created"):
            if name in os.listdir(self._folder):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            os.rename(self.path.name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            os.fsync(self._folder)
        self.path = new

    def close(self) -> None:
        """Give up the lock and the file. Doing it twice does no harm."""
        if self._is_open:
            self._is_open = False
            with _trouble(self.path, "closed"):
                try:
                    os.close(self._folder)
                finally:
                    os.close(self.descriptor)

    @contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise


def _lock(file: int, path: Path) -> None:
    import fcntl  # absent on Windows, where records can be read but not written

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RecordBusy(f"{path}: {_holder(file)} is writing this record", "Wait until it ends, or end it.") from None
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be locked: {error.strerror}", "Choose a folder on a local disk with --record DIR."
        ) from error


def _holder(file: int) -> str:
    """Who holds the lock, as far as the kernel says: Linux lists locks as ``1: FLOCK ADVISORY WRITE pid dev:inode …``."""
    inode = str(os.fstat(file).st_ino)
    with suppress(OSError):
        for line in Path("/proc/locks").read_text().splitlines():
            fields = line.split()
            if fields[1] == "FLOCK" and fields[5].rpartition(":")[2] == inode:
                return f"process {fields[4]}"
    return "another process"


@contextmanager
def _trouble(path: Path, done: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: cannot be {done}: {error.strerror}", _remedy(error, path)) from error


def _remedy(error: OSError, path: Path) -> str:
    if error.errno in _FULL:
        return "Free some space on this disk. What was saved before is intact, and --resume completes it."
    if error.errno == errno.EEXIST:
        return f"Nothing was overwritten. Move {path.name} away or audit again."
    return "Choose a folder that you can write to with --record DIR."
