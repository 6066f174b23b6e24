"""A process that kills itself at the k-th call to the system while it audits, for every k; run by test_disk.

Usage: python crashing.py FOLDER. For each k and for a kill before and half way into a write, a child process is
forked that writes a record (going on where an earlier one left off) and reports what was saved. After each death
the record must verify, hold what was reported, and be completed to the bytes of an audit that nothing ended.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.records import REPORT, small, small_record

from venire.errors import UsageError
from venire.record import Writer, read, verify

CALLS = ("open", "write", "fsync", "rename", "ftruncate", "mkdir", "close")
NAME = "20260102T030405Z-a1.jsonl"


def die_at(k: int, *, half: bool) -> None:
    """Let the k-th call from now on be the last thing this process does; ``half``: after it, or half way into a write."""
    seen = 0

    def wrap(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen != k:
                return real(*args, **options)
            try:
                if half and name == "write":
                    REAL_WRITE(args[0], bytes(args[1])[: len(args[1]) // 2])
                elif half:
                    real(*args, **options)
            finally:
                os.kill(os.getpid(), signal.SIGKILL)

        return call

    for name in CALLS:
        setattr(os, name, wrap(name, getattr(os, name)))


REAL_WRITE = os.write


def write(folder: Path, saved: Callable[[], Any]) -> None:
    """Audit into ``folder``, going on if something is there; ``saved`` is called when a value is said to be safe."""
    made = small()
    part = folder / (NAME + ".part")
    writer = Writer.reopen(part)[1] if part.exists() and verify(part).entries else fresh(part, folder)
    held = writer.record
    for name in ("models", "targets", "skipped", "prompts", "warmups", "runs"):
        for value in getattr(made, name)[len(getattr(held, name)) :]:
            writer.append_warmup(value) if name == "warmups" else writer.append(value)
            saved()
    writer.seal("complete", REPORT, 1000)
    saved()


def finish(folder: Path, saved: Callable[[], Any]) -> bool:
    """Audit to the end; also good when the end was reached before and only the new name was missing."""
    try:
        write(folder, saved)
    except UsageError as error:
        print(error.message, file=sys.stderr)
        return "already complete" in error.message
    return True


def fresh(part: Path, folder: Path) -> Writer:
    part.unlink(missing_ok=True)
    return Writer.create(folder, small().audit)


def sitting(folder: Path, k: int, *, half: bool) -> tuple[bool, int]:
    """One child: whether it was killed, and how many values it reported as saved."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        die_at(k, half=half)
        os._exit(0 if finish(folder, lambda: REAL_WRITE(writing, b".")) else 1)
    os.close(writing)
    with open(reading, "rb") as stream:
        said = len(stream.read())
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL), (k, status)
    return status == signal.SIGKILL, said


def values(folder: Path) -> int:
    """How many values behind the header the record in ``folder`` holds, its seal included; it must verify."""
    for path in (folder / NAME, folder / (NAME + ".part")):
        if path.exists():
            verdict = verify(path)
            return max(0, verdict.entries - 1 + (verdict.status == "sealed"))
    return 0


def check(folder: Path, k: int, whole: bytes, *, half: bool) -> bool:
    """Kill at call k of the first sitting and at call k of the second; the third must complete it."""
    killed, said = sitting(folder, k, half=half)
    held = values(folder)
    assert held >= said, (k, "a value that was reported as saved is gone")
    if not (folder / NAME).exists():
        _, more = sitting(folder, k, half=half)
        assert values(folder) >= held + more, (k, "a value was lost in the second sitting")
    if not (folder / NAME).exists():
        assert finish(folder, lambda: None), k
    assert (folder / NAME).read_bytes() == whole, k
    assert read(folder / NAME).stop == "complete"
    return killed


def main(base: Path) -> None:
    whole = small_record(base / "whole").read_bytes()
    for half in (False, True):
        k = 1
        while check(base / "records", k, whole, half=half):
            shutil.rmtree(base / "records")
            k += 1
        shutil.rmtree(base / "records")
        print(k - 1)  # calls of a whole audit, each of which ended one


if __name__ == "__main__":
    main(Path(sys.argv[1]))
