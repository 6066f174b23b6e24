"""``venire action``: what a workflow run is about is audited, and the step's outputs say what came of it."""

import json
from pathlib import Path

import pytest
from support.cli import Done, script, venire
from support.git import Repo
from support.jobs import Job, job, pull_request

from venire.record import read

CODE = "import os\n\n\ndef first(items):\n    return items[0]\n"
MORE = CODE + '\n\ndef find(db, name):\n    q = "SELECT 1 FROM t WHERE name = \'" + name + "\'"\n    return db.execute(q)\n'
JOINED = {"line": 9, "problem": "The name is joined into the SQL.", "check": "check_1", "severity": "high"}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A base commit and a branch with one more."""
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py=CODE)
    made.git("checkout", "-q", "-b", "topic")
    made.commit("second", app__py=MORE)
    return made


@pytest.fixture
def backend(tmp_path: Path) -> str:
    return script(tmp_path / "replies.json", [{"bucket": "security", "run": "1-2", "findings": [JOINED]}, {"findings": []}])


def here(repo: Repo, tmp_path: Path, **more: str) -> Job:
    event = pull_request(7, repo.git("rev-parse", "HEAD"), repo.git("rev-parse", "main"))
    return job(tmp_path / "job", None, event, token="", **more)


def action(repo: Repo, of: Job, backend: str, **env: str) -> Done:
    return venire("action", cwd=repo.root, env={**of.env, "VENIRE_BACKEND": backend, "VENIRE_RUNS": "3", **env})


def test_a_pull_request_is_audited_from_its_base_to_what_is_checked_out(repo: Repo, backend: str, tmp_path: Path) -> None:
    of = here(repo, tmp_path)
    done = action(repo, of, backend)
    assert done.code == 0, done.err
    told = of.outputs
    assert (told["status"], told["candidates"], told["severe"]) == ("complete", "1", "1")
    record = read(Path(told["record"]))
    assert (record.head, record.audit.source.head) == (told["head"], repo.git("rev-parse", "HEAD"))
    assert json.loads(Path(told["report"]).read_text())["head"] == told["head"]
    assert "1 severe" in done.out
    assert not (repo.root / ".venire").exists()
    assert Path(told["record"]).is_relative_to(of.folder)


def test_a_base_of_ones_own_comes_before_the_event_s(repo: Repo, backend: str, tmp_path: Path) -> None:
    of = here(repo, tmp_path)
    assert action(repo, of, backend, VENIRE_BASE="HEAD").code == 0
    assert of.outputs["status"] == "nothing"
    assert of.outputs["record"] == ""


def test_a_failed_audit_is_no_clean_one_in_outputs_and_summary(repo: Repo, tmp_path: Path) -> None:
    of = here(repo, tmp_path)
    done = action(repo, of, "ollama", VENIRE_HOST="http://127.0.0.1:9")
    assert done.code == 4
    assert of.outputs["status"] == "failed"
    assert of.outputs["candidates"] == ""
    assert "nothing was audited" in of.summary


@pytest.mark.parametrize(("base", "said"), [("", "names no commit"), ("a..b", "not a range"), ("--output=x", "--output=x")])
def test_a_base_that_is_none_is_refused(repo: Repo, backend: str, tmp_path: Path, base: str, said: str) -> None:
    of = here(repo, tmp_path, GITHUB_EVENT_PATH="")
    done = action(repo, of, backend, VENIRE_BASE=base)
    assert (done.code, done.out) == (2, "")
    assert "status" not in of.outputs or of.outputs["status"] == "failed"
    assert said in done.err
    assert not (repo.root / "x").exists()


def test_an_audit_with_too_few_replies_says_so_and_keeps_its_record(repo: Repo, tmp_path: Path) -> None:
    of = here(repo, tmp_path)
    prose = script(tmp_path / "prose.json", [{"text": "I cannot help with that."}])
    done = action(repo, of, prose)
    assert (done.code, of.outputs["status"]) == (3, "inconclusive")
    assert of.outputs["record"]
