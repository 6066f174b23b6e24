"""Real commits and pushes through real pre-commit and real prek, with the hook installed from this working tree."""

import json
import os
import re
from pathlib import Path

import pytest
from support.changes import CODE, finds, gone, silent, slow
from support.cli import venire
from support.git import Repo
from support.hosts import Host, Outcome

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


def committed(repo: Repo) -> int:
    return len(repo.git("rev-list", "--all").split())


def records(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".venire" / "records").glob("*.jsonl"))


def words(outcome: Outcome) -> str:
    return " ".join(outcome.out.split())


def test_a_commit_shows_what_was_found_and_goes_through_and_answers_from_the_cache_the_second_time(
    host: Host, repo: Repo, tmp_path: Path
) -> None:
    host.configure(repo, "venire", "venire-push")
    repo.add(app__py=CODE)
    repo.write("app.py", "unstaged = 1\n")
    done = host.git(repo, "commit", "-m", "second", env=finds(tmp_path))
    assert (done.code, committed(repo)) == (0, 2), done.out
    assert "app.py:6" in done.out
    assert "2 of 3 runs" in done.out
    assert "Passed" in done.out
    assert "\x1b" not in done.out
    assert (repo.root / "app.py").read_text() == "unstaged = 1\n"
    assert repo.git("show", "HEAD:app.py") + "\n" == CODE
    repo.git("reset", "-q", "--soft", "HEAD~1")
    again = host.git(repo, "commit", "-m", "again", env=finds(tmp_path))
    assert (again.code, "from the cache: record" in again.out, len(records(repo))) == (0, True, 1), again.out


def test_a_silent_model_is_told_as_silence_of_all_runs(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire")
    repo.add(app__py=CODE)
    done = host.git(repo, "commit", "-m", "second", env=silent(tmp_path))
    assert (done.code, committed(repo)) == (0, 2), done.out
    assert "No candidates: all 3 runs were silent" in done.out


def test_no_model_lets_a_commit_go_on_loudly_or_stops_it_where_that_is_set(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire")
    repo.add(app__py=CODE)
    stopped = host.git(repo, "commit", "-m", "second", env={**gone(tmp_path), "VENIRE_ON_UNAVAILABLE": "fail"})
    assert (stopped.code == 0, committed(repo)) == (False, 1), stopped.out
    assert "Failed" in stopped.out
    assert "exit code: 4" in stopped.out
    done = host.git(repo, "commit", "-m", "second", env=gone(tmp_path))
    assert (done.code, committed(repo)) == (0, 2), done.out
    assert "NOTHING WAS AUDITED: the machine is off" in done.out
    assert "No candidates" not in done.out


def test_a_budget_that_ends_shows_the_runs_there_were(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire", args={"venire": ["--max-time", "12"]})
    repo.add(app__py=CODE)
    done = host.git(repo, "commit", "-m", "second", env=slow(tmp_path))
    assert (done.code, committed(repo)) == (0, 2), done.out
    assert "2 of 3 runs" in words(done)
    assert "not a complete result" in words(done)


def test_a_gate_that_is_reached_stops_a_commit_until_the_candidate_is_settled(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire")
    repo.add(app__py=CODE, venire__yml='gate: acknowledge\ngate_paths: ["*.py"]\n')
    stopped = host.git(repo, "commit", "-m", "second", env=finds(tmp_path))
    assert (stopped.code == 0, committed(repo)) == (False, 1), stopped.out
    assert "exit code: 1" in stopped.out
    last = next(line for line in stopped.out.splitlines() if "gate acknowledge reached" in line)
    (command,) = re.findall(r"venire decide (\w+) confirm", last)
    decided = venire("decide", command, "confirm", "--why", "seen", "--who", "ann", cwd=repo.root)
    assert decided.code == 0, decided.err
    done = host.git(repo, "commit", "-m", "second", env=finds(tmp_path))
    assert (done.code, committed(repo)) == (0, 2), done.out


def test_a_wrong_setting_fails_the_hook_with_its_place(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire")
    repo.add(app__py=CODE, venire__yml="runs: none\n")
    done = host.git(repo, "commit", "-m", "second", env={"VENIRE_BACKEND": silent(tmp_path)["VENIRE_BACKEND"]})
    assert (done.code == 0, committed(repo)) == (False, 1), done.out
    assert "venire.yml:1: runs must be a whole number" in done.out


def test_a_partial_commit_audits_what_it_commits(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire")
    repo.commit("both", one__py="x = 1\n", two__py="y = 1\n")
    repo.add(one__py=CODE, two__py=CODE)
    done = host.git(repo, "commit", "-m", "partial", "two.py", env=finds(tmp_path))
    assert done.code == 0, done.out
    assert "two.py:6" in done.out
    assert "one.py" not in done.out
    assert repo.git("diff", "--cached", "--name-only") == "one.py"


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be there")
def test_odd_names_are_audited_and_cannot_forge_a_line(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire")
    for name in ("-x.py", "--output=x.py", "a\nvenire: error: forged.py", ":(glob)*.py"):
        repo.write(name, CODE)
    repo.git("add", "--all")
    done = host.git(repo, "commit", "-m", "odd", env=finds(tmp_path))
    assert done.code == 0, done.out
    assert "-x.py:6" in done.out
    assert ":(glob)*.py:6" in done.out
    assert not any(line.startswith("venire: error") for line in done.out.splitlines())
    assert not (repo.root / "x.py").exists()
    paths = {json.loads(line)["body"]["path"] for line in records(repo)[0].read_text().splitlines() if '"kind":"target"' in line}
    assert len(paths) == 5  # and the configuration that was written


def test_three_thousand_files_end_within_the_budget_and_never_look_clean(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire", args={"venire": ["--max-time", "3"]})
    long = "a-folder-with-a-long-name-" * 3
    for number in range(3000):
        repo.write(f"{long}{number % 7}/module_{number}.py", f"def f{number}(x):\n    return x + {number}\n")
    repo.git("add", "--all")
    done = host.git(repo, "commit", "-q", "-m", "many", env=silent(tmp_path))
    assert (done.code, committed(repo)) == (0, 2), done.out[-2000:]
    assert "not a clean result" in words(done) or "NOTHING WAS AUDITED" in done.out


def test_pushes_are_audited_from_the_first_with_the_root_commit_on(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire-push")
    repo.commit("second", app__py=CODE)
    first = host.git(repo, "push", "-q", "-u", "origin", "main", env=finds(tmp_path))
    assert first.code == 0, first.out
    assert "app.py:6" in first.out
    repo.commit("third", app__py=CODE + "\n\nx = 1\n")
    second = host.git(repo, "push", "-q", env=finds(tmp_path))
    assert second.code == 0, second.out
    assert "outside the change" in second.out
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("fourth", other__py=CODE)
    branch = host.git(repo, "push", "-q", "origin", "feature", env=finds(tmp_path))
    assert branch.code == 0, branch.out
    assert "other.py:6" in branch.out
    assert "app.py" not in branch.out
    refs = Repo(repo.root.parent / "bare.git", is_new=False).git("for-each-ref", "--format=%(refname)")
    assert refs.split() == ["refs/heads/feature", "refs/heads/main"]


def test_a_range_by_hand_is_audited(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire", "venire-push")
    repo.commit("second", app__py=CODE)
    stage = ("--hook-stage", "manual")
    for hook in ("venire", "venire-push"):
        done = host.run(repo, "run", hook, *stage, "--from-ref", "HEAD~1", "--to-ref", "HEAD", env=finds(tmp_path))
        assert (done.code, "app.py:6" in done.out) == (0, True), done.out


def test_records_that_are_committed_are_checked(host: Host, repo: Repo, tmp_path: Path) -> None:
    host.configure(repo, "venire-replay")
    record = repo.write("records/demo.jsonl", (ROOT / "records" / "demo.jsonl").read_bytes())
    repo.git("add", "--all")
    done = host.git(repo, "commit", "-m", "records")
    assert (done.code, "demo.jsonl: whole" in done.out) == (0, True), done.out
    record.write_bytes(record.read_bytes().replace(b"high", b"low", 1))
    repo.git("add", "--all")
    damaged = host.git(repo, "commit", "-m", "damaged")
    assert damaged.code == 1, damaged.out
    assert "DAMAGED" in damaged.out
    assert "exit code: 5" in damaged.out
