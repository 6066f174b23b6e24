"""A finished text → standard output or a file. Messages → standard error."""

import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from venire.errors import UsageError
from venire.visible import visible


def deliver(text: str | bytes, output: str = "") -> None:
    """Write a report, as UTF-8, to the file ``output``, whole or not at all; to standard output without one or with ``-``."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    if output not in ("", "-"):
        _write(Path(output), data)
        return
    if sys.stdout is None:
        raise UsageError("standard output is closed", "name a file with -o")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise UsageError(f"standard output: {error}", "name a file with -o") from None


def writable(output: str) -> None:
    """UsageError unless ``output`` can be written: found out before an audit, not after it."""
    path = Path(output)
    if output in ("", "-"):
        return
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(
            f"{path}: {'is a folder' if path.is_dir() else 'its folder does not exist'}", "name a file in a folder that is there"
        )
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{path}: not writable", "name a file in a folder you can write to")


def _write(path: Path, data: bytes) -> None:
    """A plain file is replaced as a whole; what is none (a pipe, a device) is written into; a link is followed."""
    try:
        path = path.resolve()
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                stream.write(data)
            return
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "name a file in a folder you can write to") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(descriptor, mode)
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise UsageError(f"{path}: {error.strerror}", "the report was not written; the record has everything") from None


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def note(message: str) -> None:
    """A line on standard error; whatever it quotes cannot move the cursor or start a workflow command."""
    lines = (f"venire: {visible(line)}\n".replace("##[", "## [") for line in message.split("\n"))
    with suppress(OSError, ValueError, AttributeError):  # a message that nobody can read must not end an audit
        sys.stderr.write("".join(lines))
        sys.stderr.flush()


def paper(*, columns: int, no_color: bool, force_color: bool, is_captured: bool = False) -> tuple[int, bool]:
    """Width and colour for a report on standard output: the terminal's, or 100 columns without colour.

    A host that captures output may do so by a terminal of its own (pre-commit does), at which nobody looks.
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty() and not is_captured
    try:
        width = columns or (os.get_terminal_size(sys.stdout.fileno()).columns if is_terminal else 100)
    except (OSError, ValueError):
        width = 100
    return max(40, min(width, 200)), force_color or (is_terminal and not no_color)
