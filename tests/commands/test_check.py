"""``replay --check``: every record has its line, and the gravest fault is the exit code."""

import shutil
from pathlib import Path

from support.cli import venire
from support.git import Repo

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "records" / "demo.jsonl"


def test_records_named_and_in_folders_have_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "some").mkdir()
    shutil.copy(DEMO, tmp_path / "some" / "two.jsonl")
    (tmp_path / "some" / "notes.txt").write_text("not looked at")
    done = venire("replay", "--check", DEMO, "some", cwd=tmp_path)
    assert done.code == 0, done.err
    assert [line.partition(":")[0] for line in done.out.splitlines()] == [str(DEMO), "some/two.jsonl"]
    assert all("whole, complete" in line and "report as sealed" in line for line in done.out.splitlines())


def test_without_names_the_two_usual_folders_are_looked_into(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    assert venire("replay", "--check", cwd=repo.root).out == "No records to check\n"
    for folder in ("records", ".venire/records"):
        (repo.root / folder).mkdir(parents=True)
        shutil.copy(DEMO, repo.root / folder / "demo.jsonl")
    assert venire("replay", "--check", cwd=repo.root).out.count("whole") == 2


def test_damage_is_exit_5_and_the_whole_records_still_have_their_line(tmp_path: Path) -> None:
    data = DEMO.read_bytes()
    (tmp_path / "a.jsonl").write_bytes(data.replace(b"high", b"low", 1))
    (tmp_path / "b.jsonl").write_bytes(data)
    done = venire("replay", "--check", ".", cwd=tmp_path)
    assert done.code == 5
    assert ["DAMAGED" in line for line in done.out.splitlines()] == [True, False]
    assert "a.jsonl, line " in done.err
    assert "1 of 2 records damaged" in done.err


def test_what_cannot_be_read_is_exit_2_and_an_unfinished_one_says_so(tmp_path: Path) -> None:
    done = venire("replay", "--check", "gone.jsonl", cwd=tmp_path)
    assert (done.code, "NOT READ" in done.out) == (2, True)
    (tmp_path / "x.jsonl.part").write_bytes(b"".join(DEMO.read_bytes().splitlines(keepends=True)[:-1]))
    part = venire("replay", "--check", "x.jsonl.part", cwd=tmp_path)
    assert (part.code, "unfinished" in part.out) == (3, True)
    assert venire("replay", "--check", "--example", cwd=tmp_path).code == 0
    assert venire("replay", cwd=tmp_path).code == venire("replay", DEMO, DEMO, cwd=tmp_path).code == 2
