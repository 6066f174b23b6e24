"""The writer: what ``append`` has returned from is on the disk, one writer at a time, and any audit can be gone on with."""

import os
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from support.records import REPORT, attempt, audit, model, prompt, run, small, small_record, target, write

from venire.errors import RecordBusy, RecordDamaged, UsageError
from venire.model import Record
from venire.record import Writer, read, verify


def test_a_record_is_named_by_its_start_and_id_and_its_name_says_when_it_is_sealed(tmp_path):
    writer = write(tmp_path, small())
    assert writer.path == tmp_path / "20260102T030405Z-a1.jsonl.part"

    writer.seal("complete", REPORT, 1)

    assert writer.path == tmp_path / "20260102T030405Z-a1.jsonl"
    assert [path.name for path in tmp_path.iterdir()] == [writer.path.name]


def test_the_name_is_in_utc_whatever_zone_the_start_is_given_in(tmp_path):
    with Writer.create(tmp_path, audit(started="2026-01-02T01:30:00.5+09:00")) as writer:
        assert writer.path.name.startswith("20260101T163000Z-")
    for started in ["", "yesterday", "2026-01-02T03:04:05"]:
        with pytest.raises(ValueError, match=r"time zone|isoformat"):
            Writer.create(tmp_path, audit(started=started))


def test_every_value_is_on_the_disk_when_append_returns(tmp_path):
    """Read back through the file by its name after each step, with the writer still open."""
    made = small()
    with Writer.create(tmp_path, made.audit) as writer:
        for number, value in enumerate((*made.models, *made.targets, *made.skipped, *made.prompts), 2):
            writer.append(value)
            assert verify(writer.path).entries == number
            assert read(writer.path) == writer.record
            assert verify(writer.path).head == writer.head
        writer.append_warmup(attempt("{"))
        assert read(writer.path).warmups == (attempt("{"),)


def test_the_record_before_and_after_the_seal_differ_only_by_the_seal(tmp_path):
    with write(tmp_path, small()) as writer:
        live, head = writer.record, writer.head
        writer.seal("max-time", REPORT, 77)

    assert read(writer.path) == replace(live, stop="max-time", ms=77, report=REPORT) == writer.record
    assert writer.head == head == live.head


def test_what_the_writer_holds_is_what_the_file_says(tmp_path):
    """Two halves of a surrogate pair are joined by JSON; the live record must say the same as the replayed one."""
    with write(tmp_path, small()) as writer:
        writer.append(replace(model(), engine="\ud83d" + "\ude00"))
        assert writer.record.models[-1].engine == "😀"
        assert read(writer.path) == writer.record


def test_a_run_given_twice_or_of_an_unknown_prompt_is_refused_and_the_writer_goes_on(tmp_path):
    with write(tmp_path, small()) as writer:
        size = writer.path.stat().st_size
        for wrong in (small().runs[0], run(prompt("b.py")), run(prompt(), 9)):
            with pytest.raises(ValueError, match="run"):
                writer.append(wrong)
        assert writer.path.stat().st_size == size
        writer.seal("complete", REPORT, 1)
    assert verify(writer.path).status == "sealed"


def test_an_audit_id_cannot_lead_out_of_the_folder(tmp_path):
    with pytest.raises(ValueError, match="the id of an audit"):
        Writer.create(tmp_path / "records", audit(id="../../out"))
    assert list(tmp_path.iterdir()) == []


def test_a_closed_or_sealed_writer_writes_no_more(tmp_path):
    with write(tmp_path, small()) as writer:
        pass
    with pytest.raises(UsageError, match="not written: it is closed") as caught:
        writer.append(model())
    assert "--resume" in caught.value.remedy
    with pytest.raises((UsageError, ValueError)):
        writer.seal("complete", "", 1)
    writer.close()


# ---------------------------------------------------------------- the folder


def test_folder_and_file_are_private_and_git_ignores_them(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    path = small_record(tmp_path / ".venire" / "records")

    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / ".venire" / ".gitignore").read_text() == "*\n"
    assert not (path.parent / ".gitignore").exists()
    status = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=tmp_path, check=True, capture_output=True)
    assert status.stdout == b""


def test_a_folder_of_another_name_ignores_itself_only_when_it_was_made_for_records(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").touch()

    small_record(tmp_path / "new" / "records")
    small_record(tmp_path / "there")

    assert (tmp_path / "new" / "records" / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / "new" / ".gitignore").exists()
    assert not (tmp_path / "there" / ".gitignore").exists()


def test_an_ignore_file_of_the_user_stays_and_an_empty_one_is_filled(tmp_path):
    ignore = tmp_path / ".venire" / ".gitignore"
    ignore.parent.mkdir()
    for held, wanted in [("records/\n", "records/\n"), ("", "*\n")]:
        ignore.write_text(held)
        Writer.create(ignore.parent / "records", audit(id=f"a{len(held)}")).close()
        assert ignore.read_text() == wanted


@pytest.mark.parametrize("link", [".venire", ".venire/records"])
def test_a_symbolic_link_in_place_of_the_folder_is_refused_and_nothing_is_written_through_it(tmp_path, link):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(UsageError, match="symbolic link"):
        small_record(tmp_path / ".venire" / "records")

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_symbolic_link_in_place_of_a_record_is_not_written_through(tmp_path):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "20260102T030405Z-a1.jsonl.part").symlink_to(tmp_path / "victim")

    with pytest.raises(UsageError, match="cannot be opened"):
        small_record(tmp_path)
    with pytest.raises(UsageError, match="cannot be opened"):
        Writer.reopen(tmp_path / "20260102T030405Z-a1.jsonl.part")

    assert (tmp_path / "victim").read_text() == "precious"


@pytest.mark.parametrize("suffix", ["", ".part"])
def test_a_record_of_the_same_id_is_never_overwritten(tmp_path, suffix):
    there = tmp_path / ("20260102T030405Z-a1.jsonl" + suffix)
    there.write_text("old")

    with pytest.raises(UsageError, match=r"there is a record of this audit|File exists") as caught:
        small_record(tmp_path)

    assert caught.value.remedy
    assert there.read_text() == "old"
    assert list(tmp_path.iterdir()) == [there], "refused before anything was written"


def test_a_final_name_that_is_taken_while_the_audit_runs_is_not_overwritten(tmp_path):
    with write(tmp_path, small()) as writer:
        taken = tmp_path / writer.path.name.removesuffix(".part")
        taken.write_text("old")
        with pytest.raises(UsageError, match="File exists"):
            writer.seal("complete", REPORT, 1)
    assert taken.read_text() == "old"
    assert verify(writer.path).status == "sealed"


# ---------------------------------------------------------------- going on


def complete(path: Path, made: Record = small()) -> Record:  # noqa: B008  (frozen)
    """Go on with a record until it holds everything that ``made`` holds, and read it."""
    held, writer = Writer.reopen(path)
    with writer:
        for name in ("models", "targets", "skipped", "prompts", "warmups", "runs"):
            for value in getattr(made, name)[len(getattr(held, name)) :]:
                writer.append_warmup(value) if name == "warmups" else writer.append(value)
        writer.seal("complete", REPORT, 1000)
    return read(writer.path)


def test_an_unfinished_record_is_completed_to_the_same_bytes_wherever_it_was_cut(tmp_path):
    """Whole lines are kept, a torn one is cut away, nothing is there twice."""
    whole = small_record(tmp_path).read_bytes()
    ends = [i for i, byte in enumerate(whole) if byte == 10]
    for size in sorted({min(cut, len(whole)) for end in ends for cut in (end - 9, end, end + 1, end + 2)}):
        path = tmp_path / f"cut{size}.jsonl.part"
        path.write_bytes(whole[:size])
        if size <= ends[0]:
            with pytest.raises(UsageError, match="nothing to resume"):
                Writer.reopen(path)
        elif size == len(whole):
            with pytest.raises(UsageError, match="already complete"):
                Writer.reopen(path)
        else:
            complete(path)
        if size > ends[0]:
            assert path.with_suffix("").read_bytes() == whole
            assert not path.exists()


def test_the_head_of_a_record_in_two_sittings_is_that_of_one_sitting(tmp_path):
    with write(tmp_path, replace(small(), runs=small().runs[:1])) as writer:
        first = writer.record
    held, again = Writer.reopen(writer.path)
    again.close()

    assert held == first == again.record
    assert complete(writer.path).head == verify(small_record(tmp_path / "other")).head


def test_a_sealed_record_that_kept_its_old_name_gets_the_new_one(tmp_path):
    path = small_record(tmp_path)
    part = path.rename(tmp_path / (path.name + ".part"))

    with pytest.raises(UsageError, match="already complete"):
        Writer.reopen(part)

    assert verify(path).status == "sealed"
    assert not part.exists()


def test_a_record_that_is_complete_empty_absent_or_damaged_is_not_reopened(tmp_path):
    path = small_record(tmp_path)
    with pytest.raises(UsageError, match="already complete") as caught:
        Writer.reopen(path)
    assert "venire replay" in caught.value.remedy

    with pytest.raises(UsageError, match="no such record") as caught:
        Writer.reopen(tmp_path / (path.name + ".part"))
    assert str(path) in caught.value.remedy

    (tmp_path / "e.jsonl.part").touch()
    with pytest.raises(UsageError, match="nothing to resume"):
        Writer.reopen(tmp_path / "e.jsonl.part")

    damaged = tmp_path / "d.jsonl.part"
    damaged.write_bytes(path.read_bytes()[:3000].replace(b"app.py", b"cpp.py", 1))
    with pytest.raises(RecordDamaged, match="line 3"):
        Writer.reopen(damaged)
    assert damaged.stat().st_size == 3000, "a damaged record is left as it is"


# ---------------------------------------------------------------- one writer


def test_a_second_writer_is_told_who_writes_and_may_write_when_the_first_has_closed(tmp_path):
    with write(tmp_path, replace(small(), runs=())) as writer:
        with pytest.raises(RecordBusy, match="is writing this record") as caught:
            Writer.reopen(writer.path)
        if Path("/proc/locks").exists():
            assert f"process {os.getpid()} " in caught.value.message
        writer.append(small().runs[0])

    held, again = Writer.reopen(writer.path)
    again.close()
    assert held.runs == small().runs[:1]


def test_a_reader_does_not_disturb_the_writer(tmp_path):
    with write(tmp_path, replace(small(), runs=())) as writer:
        read(writer.path)
        with pytest.raises(RecordBusy):
            Writer.reopen(writer.path)


def test_a_refused_writer_leaves_no_lock_behind(tmp_path):
    path = tmp_path / "e.jsonl.part"
    path.touch()
    for _ in range(2):
        with pytest.raises(UsageError, match="nothing to resume"):
            Writer.reopen(path)


def test_targets_with_any_text_are_kept_byte_for_byte(tmp_path):
    texts = ["", "a\r\nb\rc", "\ufeffx", "\0", "é\u2028\ud800", "</script>"]
    made = replace(small(), targets=tuple(target(f"{n}.py", text) for n, text in enumerate(texts)), prompts=(), runs=())
    with write(tmp_path, made) as writer:
        writer.seal("complete", REPORT, 1)

    assert [about.text for about in read(writer.path).targets] == texts
