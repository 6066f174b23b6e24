"""Disks fail, processes die, writers meet: every case is a clear error or a record that can be gone on with."""

import errno
import os
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.records import REPORT, small, small_record, write

from venire.errors import RecordBusy, UsageError
from venire.record import Writer, read, verify

TESTS = Path(__file__).parent.parent
CALLS = ("open", "write", "fsync", "rename", "mkdir", "close", "ftruncate", "listdir")


def python(*args: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    return subprocess.run(
        [sys.executable, *args], env=environment, capture_output=True, text=True, timeout=120, check=False, **options
    )


def test_a_kill_at_any_call_to_the_system_loses_nothing_that_was_saved_and_can_be_gone_on_with(tmp_path):
    done = python(TESTS / "record" / "crashing.py", tmp_path)

    assert done.returncode == 0, done.stderr
    before, half_way = map(int, done.stdout.split())
    assert before == half_way > 25, "every call of a whole audit ended one"


class Failing:
    """The k-th call to the system fails; a failing close has closed all the same, as on Linux."""

    def __init__(self, patch: pytest.MonkeyPatch, k: int, number: int) -> None:
        self.left, self.number, self.failed = k, number, ""
        for name in CALLS:
            patch.setattr(os, name, self.wrap(name, getattr(os, name)))

    def wrap(self, name: str, real: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                self.failed = name
                if name == "close":
                    real(*args)
                if name == "write":
                    real(args[0], bytes(args[1])[:7])
                raise OSError(self.number, os.strerror(self.number))
            return real(*args, **options)

        return call


def failing_free(folder: Path, number: int, failing: Failing) -> bool:
    """Whether a whole audit made fewer calls than it takes to fail; else its error must name place, cause and remedy."""
    error = None
    try:
        small_record(folder)
    except UsageError as caught:
        error = caught
    if failing.left > 0:
        return error is None
    if failing.failed == "mkdir" and folder.parent.is_dir() and not error:
        return False  # the folder above was there already
    assert error is not None, "the failure was swallowed"
    assert str(folder) in error.message
    assert os.strerror(number) in error.message
    assert error.remedy
    return False


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS], ids=errno.errorcode.get)
def test_an_error_at_any_call_to_the_system_is_a_clear_error_and_older_records_stay_intact(tmp_path, number):
    folder = tmp_path / "records"
    old = small_record(tmp_path / "old")
    before = old.read_bytes()
    for k in range(1, 1000):
        shutil.rmtree(folder, ignore_errors=True)
        with pytest.MonkeyPatch.context() as patch:
            failing = Failing(patch, k, number)
            if failing_free(folder, number, failing):
                break
        for path in folder.glob("*.jsonl*") if folder.exists() else ():
            assert verify(path).status == ("unfinished" if path.suffix == ".part" and not verify(path).seal else "sealed")
        assert old.read_bytes() == before
    assert k > 25, "all calls of a whole audit were made to fail"


def test_after_a_failed_write_the_writer_is_dead_and_the_record_can_be_gone_on_with(tmp_path):
    with write(tmp_path, small()) as writer:
        saved = writer.path.read_bytes()
        with pytest.MonkeyPatch.context() as patch:
            Failing(patch, 1, errno.ENOSPC)
            with pytest.raises(UsageError, match="No space left") as caught:
                writer.append(small().models[0])
        assert "--resume" in caught.value.remedy
        with pytest.raises(UsageError, match="an earlier write did not finish"):
            writer.append(small().models[0])
        with pytest.raises(UsageError, match="an earlier write did not finish"):
            writer.seal("complete", REPORT, 1)
    assert writer.path.read_bytes() == saved + b'{"body"', "nothing was written after the failure"

    _, again = Writer.reopen(writer.path)
    with again:
        again.seal("complete", REPORT, 1000)
    assert again.path.read_bytes() == small_record(tmp_path / "whole").read_bytes()


def test_an_interrupt_in_the_middle_of_a_write_leaves_a_dead_writer_too(tmp_path):
    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    with write(tmp_path, small()) as writer:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", interrupted)
            with pytest.raises(KeyboardInterrupt):
                writer.append(small().models[0])
        with pytest.raises(UsageError, match="did not finish"):
            writer.append(small().models[0])
    assert len(read(writer.path).models) == 2


def test_the_disk_is_told_to_keep_each_line_and_each_name(tmp_path):
    said = []

    def fsync(file: int) -> None:
        said.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")

    def renamed(*_: Any, **__: Any) -> None:
        said.append("name")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "rename", renamed)
        small_record(tmp_path)

    assert said == ["folder", *["file"] * 9, "name", "folder"]


def test_a_write_that_the_system_takes_in_pieces_is_finished(tmp_path):
    real = os.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", lambda file, data: real(file, bytes(data)[:100]))
        path = small_record(tmp_path / "pieces")

    assert path.read_bytes() == small_record(tmp_path / "whole").read_bytes()


LIMITED = """
import resource, sys
from pathlib import Path
from support.records import small_record
from venire.errors import UsageError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    small_record(Path(sys.argv[1]))
except UsageError as error:
    sys.exit(f"{error.message}|{error.remedy}")
"""


def test_a_file_size_limit_of_the_system_is_a_clear_error_and_what_was_saved_is_kept(tmp_path):
    """The system takes a part of the line first and refuses the rest, as a full disk does."""
    assert resource.RLIM_INFINITY
    done = python("-c", LIMITED, tmp_path, "2100")
    (part,) = tmp_path.glob("*.part")

    assert done.returncode == 1
    assert f"{part}: cannot be written: File too large|Free some space" in done.stderr
    assert part.stat().st_size == 2100
    verdict = verify(part)
    assert verdict.status == "unfinished"
    assert (verdict.entries, verdict.torn > 0) == (4, True)


LOCKED = """
import os, sys
from pathlib import Path
from support.records import small_record
from venire.record import Writer
from venire.errors import UsageError
os.chdir(sys.argv[1])
os.getuid() or os.setuid(65534)
for attempt in (lambda: small_record(Path(".")), lambda: small_record(Path("a/b")), lambda: Writer.reopen(Path("x.jsonl.part"))):
    try:
        attempt()
    except UsageError as error:
        print(f"{error.message}|{error.remedy}")
"""


def test_a_folder_or_file_that_cannot_be_written_is_a_clear_error(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "x.jsonl.part").touch(mode=0o400)
    folder.chmod(0o555)

    done = python("-c", LOCKED, folder)

    assert done.stdout.count("Permission denied|Choose a folder that you can write to") == 3, done
    assert [path.name for path in folder.iterdir()] == ["x.jsonl.part"]


def test_a_file_in_place_of_the_folder_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "records"):
        with pytest.raises(UsageError, match=r"Not a directory|File exists"):
            small_record(folder)
    assert (tmp_path / "file").read_text() == "mine"


def test_something_else_than_a_file_is_not_written_to(tmp_path):
    os.mkfifo(tmp_path / "x.jsonl.part")
    with pytest.raises(UsageError):
        Writer.reopen(tmp_path / "x.jsonl.part")


RIVALS = """
import sys
from pathlib import Path
from venire.errors import RecordBusy
from venire.record import Writer
sys.stdin.readline()
try:
    _, writer = Writer.reopen(Path(sys.argv[1]))
except RecordBusy as busy:
    print(busy.message)
else:
    print("won", flush=True)
    sys.stdin.readline()
"""


def test_of_many_writers_at_once_one_wins_and_the_others_say_who(tmp_path):
    with write(tmp_path, small()) as writer:
        path = writer.path
    rivals = [
        subprocess.Popen([sys.executable, "-c", RIVALS, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for rival in rivals:
        rival.stdin.write("go\n")
        rival.stdin.flush()
    said = [rival.stdout.readline() for rival in rivals]
    winner = rivals[said.index("won\n")]
    with pytest.raises(RecordBusy):
        Writer.reopen(path)
    winner.kill()
    for rival in rivals:
        rival.communicate()

    assert said.count("won\n") == 1
    if Path("/proc/locks").exists():
        assert sum(f"process {winner.pid} is writing this record" in line for line in said) == 3
    Writer.reopen(path)[1].close()
