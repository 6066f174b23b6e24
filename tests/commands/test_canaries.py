"""Planted defects from the command line to the report: off unless asked for."""

from pathlib import Path

import pytest
from support.cli import Done, script, venire
from support.git import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", a__py="x = 1\n")
    made.write("app.py", "total = 1\n")
    return made


def audit(repo: Repo, *words: str) -> Done:
    backend = script(repo.root.parent / "replies.json", [{"findings": []}])
    return venire("audit", "--format", "json", "--runs", "3", "--backend", backend, *words, cwd=repo.root)


def recorded(repo: Repo) -> str:
    (path,) = (repo.root / ".venire/records").glob("*.jsonl")
    return path.read_text("utf-8")


def test_silent_samples_are_said_to_have_missed_them(repo: Repo) -> None:
    done = audit(repo, "--canaries")

    assert (done.code, done.json["status"]) == (0, "complete"), done.err
    assert [w for w in done.json["warnings"] if "planted" in w] == ["scripted: 6 of 6 samples did not report the planted defects"]
    assert "H1: value_" in recorded(repo)


def test_without_the_option_nothing_is_planted(repo: Repo) -> None:
    done = audit(repo)

    assert done.code == 0, done.err
    assert not any("planted" in warning for warning in done.json["warnings"])
    assert "H1: " not in recorded(repo)
