"""The shipped workflows and the action, run by act on this machine against a GitHub with a memory.

What act does not model is checked elsewhere: permissions by the workflows' text, limits by ``venire post``'s own tests.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.act import ROOT, Ran, Runner
from support.cli import script
from support.crowd import crowd
from support.git import Repo
from support.github import BOT, GitHub, Pull
from support.jobs import pull_request, workflow_run

from venire.report.comment import read_stamp

BEFORE = "import os\n\n\ndef first(items):\n    return items[0]\n"
AFTER = BEFORE + "\n\ndef show(name):\n    return os.popen(name).read()\n"
CLAIM = {"line": 9, "problem": "The name reaches a shell. @octo/team", "check": "check_1", "severity": "high"}
HOSTILE = """import pathlib
pathlib.Path({marker!r}).with_suffix("." + {name!r}).touch()
"""
MODULES = ("json.py", "sitecustomize.py", "usercustomize.py", "httpx.py", "venire.py", "pip.py", "uv.py", "git.py", "pathlib.py")


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> str:
    return script(
        tmp_path_factory.mktemp("replies") / "replies.json",
        [{"path": "app.py", "bucket": "security", "findings": [CLAIM]}, {"findings": []}],
    )


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, replies: str) -> Runner:
    names = ("VENIRE_TRUSTED_RUNNER", "VENIRE_RUNNER", "VENIRE_FORK_RUNNER")
    variables = {**dict.fromkeys(names, "gpu"), "VENIRE_BACKEND": replies, "VENIRE_RUNS": "2"}
    return Runner(tmp_path_factory.mktemp("runner") / "own", variables)


@pytest.fixture
def runner(machine: Runner) -> Runner:
    shutil.rmtree(machine.artifacts)
    machine.artifacts.mkdir()
    return machine


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        yield server
        assert server.violations == []


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A user's repository with the ready workflows, and a branch with one commit."""
    made = Repo(tmp_path / "repo")
    shutil.copytree(ROOT / ".github" / "workflows", made.root / ".github" / "workflows")
    made.commit("first", app__py=BEFORE)
    made.git("checkout", "-q", "-b", "topic")
    made.commit("second", app__py=AFTER)
    return made


def head(repo: Repo) -> str:
    return repo.git("rev-parse", "HEAD")


def push(runner: Runner, repo: Repo, github: GitHub, workflow: str, *, fork: bool = False, token: str = "secret") -> Ran:  # noqa: S107
    github.pulls[7] = Pull(head(repo))
    event = pull_request(7, head(repo), repo.git("rev-parse", "main"), "mallory/app" if fork else GitHub.name)
    return runner.run("pull_request", workflow, event, repo.root, github, token=token)


def follow(runner: Runner, repo: Repo, github: GitHub, *, commit: str = "", run: int = 1) -> Ran:
    event = workflow_run(commit or head(repo), run=run)
    return runner.run("workflow_run", "venire-comment.yml", event, repo.root, github)


def test_a_trusted_pull_request_gets_one_comment_that_the_next_push_renews(runner: Runner, repo: Repo, github: GitHub) -> None:
    for number in range(40):
        github.add(7, f"talk {number}", "someone")
    ran = push(runner, repo, github, "venire-trusted.yml")
    assert ran.code == 0, ran.log
    (body,) = github.bodies(7)
    assert (stamp := read_stamp(body))
    assert (stamp.head_sha, stamp.profile) == (head(repo), "venire")
    assert "1 severe" in body
    (record,) = runner.artifacts.rglob("*.jsonl")
    assert stamp.record in record.read_text()

    shutil.rmtree(runner.artifacts / "venire-record")
    repo.commit("third", app__py=AFTER + "\n\nX = 1\n")
    ran = push(runner, repo, github, "venire-trusted.yml")
    assert ran.code == 0, ran.log
    (renewed,) = github.bodies(7)
    assert (stamp := read_stamp(renewed))
    assert stamp.head_sha == head(repo)
    assert [request.method for request in github.writes] == ["POST", "PATCH"]


def test_a_token_that_may_only_read_leaves_summary_and_record_and_the_job_succeeds(
    runner: Runner, repo: Repo, github: GitHub
) -> None:
    ran = push(runner, repo, github, "venire-trusted.yml", token="fork")
    assert ran.code == 0, ran.log
    assert "not posted: GitHub refused (HTTP 403" in ran.log
    assert github.comments == []
    assert list(runner.artifacts.rglob("*.jsonl"))


@pytest.mark.parametrize("why", ["fork", "no runner is named"])
def test_a_job_that_must_not_run_does_not(runner: Runner, repo: Repo, github: GitHub, why: str) -> None:
    bare = Runner.__new__(Runner)
    bare.folder, bare.env = runner.folder, {}
    bare.variables = {**runner.variables, "VENIRE_FORK_RUNNER": ""} if why == "fork" else {}
    for workflow in ("venire-trusted.yml", "venire-audit.yml"):
        ran = push(bare, repo, github, workflow, fork=why == "fork")
        assert ran.code == 0, ran.log
        assert "venire: " not in ran.log
    assert not list(runner.artifacts.rglob("*.jsonl"))
    assert github.requests == []


def test_a_fork_s_hostile_checkout_is_read_and_never_run_and_the_second_job_comments(
    runner: Runner, repo: Repo, github: GitHub, tmp_path: Path
) -> None:
    marker = str(tmp_path / "ran")
    for name in MODULES:
        repo.write(name, HOSTILE.format(marker=marker, name=name))
    repo.write("uv.toml", '[[index]]\nurl = "http://127.0.0.1:9/simple"\ndefault = true\n')
    repo.write("pyproject.toml", '[tool.uv]\nindex-url = "http://127.0.0.1:9/simple"\n[build-system]\nrequires = ["evil"]\n')
    repo.write("pip.conf", "[global]\nindex-url = http://127.0.0.1:9/simple\n")
    repo.write(".python-version", "2.7\n")
    repo.write(".env", "GITHUB_API_URL=http://127.0.0.1:9\n")
    repo.write(".git-hooks/post-checkout", "#!/bin/sh\ntouch " + marker)
    repo.git("add", "--all")
    repo.git("commit", "-qm", "hostile")
    ran = push(runner, repo, github, "venire-audit.yml", fork=True, token="fork")
    assert ran.code == 0, ran.log
    assert list(tmp_path.glob("ran*")) == []
    assert github.writes == []

    ran = follow(runner, repo, github, run=3)
    assert ran.code == 0, ran.log
    (body,) = github.bodies(7)
    assert (stamp := read_stamp(body))
    assert (stamp.head_sha, stamp.run) == (head(repo), 3)


def audited(runner: Runner, repo: Repo, github: GitHub) -> None:
    ran = push(runner, repo, github, "venire-audit.yml")
    assert ran.code == 0, ran.log


def test_of_two_runs_the_later_one_s_comment_stays_and_a_spoofed_marker_is_nobody_s(
    runner: Runner, repo: Repo, github: GitHub
) -> None:
    audited(runner, repo, github)
    assert follow(runner, repo, github, run=6).code == 0
    (body,) = github.bodies(7)
    spoof = github.add(7, body.replace("run=6", "run=99") + "All clear.", "mallory")
    before = (spoof.body, len(github.writes))

    ran = follow(runner, repo, github, run=5)
    assert ran.code == 0, ran.log
    assert "it speaks of a newer commit or run" in ran.log
    assert (spoof.body, len(github.writes)) == before
    assert github.bodies(7) == [body]


def test_a_pool_too_large_for_a_comment_is_cut_there_and_said_to_be(runner: Runner, repo: Repo, github: GitHub) -> None:
    github.pulls[7] = Pull(head(repo))
    crowd(runner.artifacts / "venire-record")
    for stray in (runner.artifacts / "venire-record").glob("*[!l]"):
        stray.unlink()
    ran = follow(runner, repo, github)
    assert ran.code == 0, ran.log
    (body,) = github.bodies(7)
    assert len(body) <= 60_000
    assert "not shown here" in body
    assert "/actions/runs/" in body


@pytest.mark.parametrize("what", ["damaged", "of another commit", "two", "none"])
def test_a_record_that_is_not_this_audit_s_is_not_posted(runner: Runner, repo: Repo, github: GitHub, what: str) -> None:
    github.pulls[7] = Pull(head(repo))
    commit = head(repo)
    if what != "none":
        folder = runner.artifacts / "venire-record"
        folder.mkdir()
        record = folder / "r.jsonl"
        shutil.copy(ROOT / "records" / "demo.jsonl", record)
        if what == "damaged":
            record.write_bytes(record.read_bytes()[:-30])
        if what == "two":
            shutil.copy(record, folder / "s.jsonl")
    ran = follow(runner, repo, github, commit=commit)
    assert ran.code == (0 if what == "none" else 1), ran.log
    assert github.writes == []
    assert BOT not in {comment.login for comment in github.comments}
