"""``venire post``: from a sealed record alone to the pull request, the summary and the outputs, on a GitHub with a memory."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import Done, venire
from support.crowd import MANY, crowd
from support.github import BOT, GitHub, Pull
from support.http import Answer, said
from support.jobs import HEAD, Job, job, pull_request, workflow_run
from support.records import MODEL, audit, findings, panel, run, small, target, write
from support.records import record as made

from venire.assess import assess
from venire.model import Plan, Prompt, Record, Source, Target
from venire.panel import prompts
from venire.record import read

REPORT = "0" * 64


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        server.pulls[7] = Pull(HEAD)
        yield server
        assert server.violations == []


def sealed(folder: Path, what: Record) -> Path:
    with write(folder, what) as writer:
        writer.seal("complete", REPORT, 1000)
        return writer.path


def asked(about: Target) -> Prompt:
    (made,) = prompts(about, panel(), Plan(), MODEL, "findings")
    return made


def shell(head: str = "") -> Record:
    """One severe candidate, in two runs of three; ``head`` is the commit audited, if the audit was of one."""
    about = target()
    ask = asked(about)
    said = findings(about, (5, "The name reaches a shell.", "check_1", "high"))
    source = Source("range", "x...HEAD", "b" * 40, head) if head else Source("worktree")
    return made([about], [ask], [run(ask, 1, said), run(ask, 2, said), run(ask, 3)], header=audit(3, source=source))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return sealed(tmp_path / "records", shell())


def post(here: Job, record: Path, *words: str | Path, **env: str) -> Done:
    return venire("post", record, *words, cwd=here.folder, env={**here.env, **env})


def first_line(github: GitHub) -> str:
    (body,) = github.bodies(7)
    return body.partition("\n")[0]


def test_the_comment_says_what_it_is_of_and_the_numbers_come_from_the_event(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request(), run=12)
    done = post(here, record)
    assert (done.code, done.out) == (0, ""), done.err
    head = read(record).head
    assert all(word in first_line(github) for word in (HEAD, head, "12", "venire"))
    assert "1 severe" in github.bodies(7)[0]
    assert "https://github.example/octo/app/actions/runs/9012" in github.bodies(7)[0]
    assert "comment created: https://github.example/pull/7" in done.err


def test_summary_and_outputs_are_written_for_the_runner(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request())
    assert post(here, record).code == 0
    assert "1 severe" in here.summary
    url = f"https://github.example/pull/7#issuecomment-{github.comments[0].id}"
    assert here.outputs == {
        "status": "complete",
        "candidates": "1",
        "severe": "1",
        "head": read(record).head,
        "record": str(record),
        "sarif": "",
        "comment": url,
    }


def test_a_second_push_renews_the_comment(github: GitHub, record: Path, tmp_path: Path) -> None:
    github.pulls[7].head = "e" * 40
    post(job(tmp_path / "one", github, pull_request(head="e" * 40), run=1), record)
    github.pulls[7].head = HEAD
    done = post(job(tmp_path / "two", github, pull_request(), run=2), record)
    assert "comment updated" in done.err
    assert HEAD in first_line(github)


def test_the_same_again_changes_nothing_and_says_so(github: GitHub, record: Path, tmp_path: Path) -> None:
    for _ in range(2):
        done = post(job(tmp_path / "job", github, pull_request()), record)
    assert "left as it is: nothing changed" in done.err
    assert len(github.writes) == 1


def test_an_older_run_that_ends_last_leaves_the_newer_comment(github: GitHub, record: Path, tmp_path: Path) -> None:
    post(job(tmp_path / "new", github, pull_request(), run=6), record)
    before = github.bodies(7)
    done = post(job(tmp_path / "old", github, pull_request(head="e" * 40), run=5), record)
    assert (done.code, github.bodies(7)) == (0, before)
    assert "it speaks of a newer commit or run" in done.err


# ---------------------------------------------------------------- what cannot be posted


def test_a_fork_s_token_leaves_summary_outputs_and_a_line_in_the_log(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request(), token="fork")
    done = post(here, record)
    assert (done.code, github.comments) == (0, [])
    assert "not posted: GitHub refused (HTTP 403: Resource not accessible by integration)" in done.err
    assert "a fork's never may" in done.err
    assert "1 severe" in here.summary
    assert here.outputs["candidates"] == "1"


def test_only_when_asked_for_is_that_a_failure(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request(), token="fork")
    done = post(here, record, "--require-post")
    assert done.code == 2
    assert "error: GitHub refused" in done.err
    assert here.outputs["status"] == "complete"


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"GITHUB_TOKEN": ""}, "GITHUB_TOKEN is not set"),
        ({"GITHUB_REPOSITORY": ""}, "GITHUB_REPOSITORY is not set"),
        ({"GITHUB_TOKEN": "wrong"}, "the token is not valid here"),
    ],
)
def test_what_is_missing_is_named(github: GitHub, record: Path, tmp_path: Path, env: dict[str, str], said: str) -> None:
    done = post(job(tmp_path / "job", github, pull_request()), record, **env)
    assert done.code == 0
    assert said in done.err
    assert github.comments == []


def test_a_push_has_no_pull_request_and_that_is_no_failure(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, {"before": "b" * 40, "after": HEAD})
    done = post(here, record, "--require-post")
    assert done.code == 0, done.err
    assert "this run is about no pull request" in done.err


def test_a_server_that_answers_badly_does_not_lose_the_rest(github: GitHub, record: Path, tmp_path: Path) -> None:
    github.once += [("GET", Answer(200, b"<html>"))]
    github.on("/repos/octo/app/pulls/7", lambda _: Answer(200, b"<html>"))
    here = job(tmp_path / "job", github, pull_request())
    done = post(here, record)
    assert done.code == 0
    assert "not JSON" in done.err
    assert here.summary
    assert "Traceback" not in done.err


def test_a_limit_is_waited_for_as_long_as_github_says(github: GitHub, record: Path, tmp_path: Path) -> None:
    github.once += [("POST", Answer(429, b'{"message": "slow down"}', {"Retry-After": "0"})), ("GET", Answer(502, b""))]
    done = post(job(tmp_path / "job", github, pull_request()), record)
    assert "comment created" in done.err
    assert "trying again" in done.err


def test_a_token_is_in_no_output_whatever_happens(github: GitHub, record: Path, tmp_path: Path) -> None:
    for status in (401, 422):
        github.once.append(("POST", said({"message": "no"}, status)))
        here = job(tmp_path / str(status), github, pull_request(), token="secret")
        done = post(here, record)
        assert "secret" not in done.out + done.err + here.summary + str(here.outputs)


def test_a_token_is_not_sent_in_the_clear_to_another_machine(record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", None, pull_request())
    done = post(here, record, GITHUB_API_URL="http://203.0.113.7")
    assert done.code == 2
    assert "a token is not sent to http://203.0.113.7" in done.err


def test_a_bot_of_ones_own_is_told_to_name_itself(github: GitHub, record: Path, tmp_path: Path) -> None:
    github.tokens["secret"].login = "our-app[bot]"
    done = post(job(tmp_path / "one", github, pull_request(), run=1), record)
    assert "set VENIRE_AUTHOR=our-app[bot]" in done.err
    post(job(tmp_path / "two", github, pull_request(), run=2), record)
    assert len(github.bodies(7, "our-app[bot]")) == 1  # not one more at every push, even unnamed
    done = post(job(tmp_path / "three", github, pull_request(), run=3), record, VENIRE_AUTHOR="our-app[bot]")
    assert "comment updated" in done.err


# ---------------------------------------------------------------- selecting


def test_each_place_can_be_left_out(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request())
    done = post(here, record, "--comment", "none", "--summary", "none")
    assert (done.code, done.out, github.requests, here.summary) == (0, "", [], "")
    assert here.outputs["status"] == "complete"


def call(here: Job, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    from venire.cli import main

    for name, value in here.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(here.folder)
    return main(["post", *words])


def test_annotations_go_to_the_log_and_sarif_to_its_file(
    github: GitHub, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    here = job(tmp_path / "job", github, pull_request())
    assert call(here, monkeypatch, str(record), "--annotations", "commands", "--sarif", "v.sarif", "--comment", "none") == 0
    assert capfdbinary.readouterr().out.startswith(b"::warning file=app.py,line=5,")
    (run,) = json.loads((here.folder / "v.sarif").read_text())["runs"]
    assert run["automationDetails"]["id"] == "venire/venire/"
    assert here.outputs["sarif"] == str(here.folder / "v.sarif")


def test_a_place_that_fails_does_not_take_the_others_with_it(
    github: GitHub, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    here = job(tmp_path / "job", github, pull_request())
    assert call(here, monkeypatch, str(record), "--sarif", "no/such/folder/v.sarif") == 2
    assert "no/such/folder" in capfd.readouterr().err
    assert len(github.bodies(7)) == 1
    assert here.outputs["status"] == "complete"


def test_sarif_goes_to_code_scanning_for_the_pull_request_s_commit(
    github: GitHub, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = job(tmp_path / "job", github, pull_request())
    assert call(here, monkeypatch, str(record), "--upload", "--comment", "none") == 0
    (upload,) = github.uploads
    assert (upload["commit_sha"], upload["ref"], upload["sarif"]["version"]) == (HEAD, "refs/pull/7/head", "2.1.0")


def test_the_comment_shows_decisions_evidence_and_the_gate(github: GitHub, record: Path, tmp_path: Path) -> None:
    """What was laid over the audit's report is given to the step that posts it."""
    (candidate,) = assess(read(record)).candidates
    ledger = tmp_path / "ledger.yml"
    words = ("decide", candidate.id, "confirm", "--why", "seen it", "--who", "ann", "--record", str(record))
    assert venire(*words, "--decisions", str(ledger), cwd=tmp_path).code == 0
    here = job(tmp_path / "job", github, pull_request())
    assert post(here, record, "--decisions", str(ledger), "--gate", "evidence").code == 0
    (body,) = github.bodies(7)
    assert "confirmed by `ann`" in body
    assert "gate (evidence) is reached" in body


# ---------------------------------------------------------------- the record is a stranger's


def test_nothing_of_the_record_says_which_pull_request_it_is(github: GitHub, tmp_path: Path) -> None:
    github.pulls[8] = Pull("e" * 40)
    record = sealed(tmp_path / "records", shell("e" * 40))
    here = job(tmp_path / "job", github, workflow_run(HEAD, pulls=[(7, 1)]))
    done = post(here, record)
    assert (done.code, github.requests) == (2, [])
    assert "its audit was of commit eeeeeeeeeeee, not of aaaaaaaaaaaa" in done.err


@pytest.mark.parametrize("which", ["head", "merge"])
def test_the_head_and_its_trial_merge_are_both_the_pull_request(github: GitHub, tmp_path: Path, which: str) -> None:
    record = sealed(tmp_path / "records", shell(HEAD if which == "head" else "d" * 40))
    done = post(job(tmp_path / "job", github, pull_request(), GITHUB_SHA="d" * 40), record)
    assert "comment created" in done.err
    assert HEAD in first_line(github)


def test_after_an_audit_of_a_fork_the_pull_request_is_the_one_with_that_head(
    github: GitHub, record: Path, tmp_path: Path
) -> None:
    github.pulls = {6: Pull("e" * 40, "octo:topic"), 7: Pull(HEAD, "octo:topic"), 8: Pull(HEAD, "other:topic")}
    done = post(job(tmp_path / "job", github, workflow_run(HEAD, run=4)), record)
    assert "comment created" in done.err
    assert [comment.number for comment in github.comments] == [7]
    assert "4" in first_line(github)


def test_a_pull_request_that_has_moved_on_gets_nothing(github: GitHub, record: Path, tmp_path: Path) -> None:
    github.pulls = {7: Pull("e" * 40)}
    done = post(job(tmp_path / "job", github, workflow_run(HEAD)), record)
    assert (done.code, github.comments) == (0, [])
    assert "not exactly one open pull request with this commit at its head" in done.err


def test_a_branch_name_is_sent_as_a_value_and_not_as_part_of_the_address(github: GitHub, record: Path, tmp_path: Path) -> None:
    name = "a&state=all#x/../..?per_page=1 ü"
    github.pulls = {7: Pull(HEAD, f"octo:{name}")}
    done = post(job(tmp_path / "job", github, workflow_run(HEAD, branch=name)), record)
    assert "comment created" in done.err


def test_the_command_line_names_pull_request_and_commit_where_there_is_no_event(
    github: GitHub, record: Path, tmp_path: Path
) -> None:
    here = job(tmp_path / "job", github, {})
    assert post(here, record, "--pr", "7", "--commit", HEAD, GITHUB_EVENT_PATH="").code == 0
    assert HEAD in first_line(github)
    assert post(here, record, "--pr", "7", "--commit", "main").code == 2
    assert post(here, record, "--pr", "-7").code == 2
    assert post(here, record, "--pr", "0").code == 2


@pytest.mark.parametrize("keep", [0, 10, 0.5, -1])
def test_a_damaged_record_posts_nothing(github: GitHub, record: Path, tmp_path: Path, keep: float) -> None:
    data = record.read_bytes()
    record.write_bytes(data[: int(len(data) * keep) if isinstance(keep, float) else keep])
    here = job(tmp_path / "job", github, pull_request())
    done = post(here, record)
    assert done.code == 5 or (keep == 0 and done.code in (2, 5)), done
    assert (github.requests, here.summary, here.outputs) == ([], "", {})


def test_a_forged_record_that_verifies_and_makes_no_sense_posts_nothing(github: GitHub, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request())
    done = post(here, sealed(tmp_path / "records", small()))  # its prompt's schema is of no contract
    assert (done.code, github.requests, here.summary) == (5, [], "")
    assert "Traceback" not in done.err


def test_a_rewritten_record_is_told_by_its_head(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request())
    assert post(here, record, "--head", read(record).head[:12]).code == 0
    done = post(here, record, "--head", "0" * 64)
    assert (done.code, len(github.writes)) == (5, 1)


def test_an_unfinished_record_is_not_posted(github: GitHub, tmp_path: Path) -> None:
    with write(tmp_path / "records", small()) as writer:
        path = writer.path
    done = post(job(tmp_path / "job", github, pull_request()), path)
    assert (done.code, github.requests) == (2, [])
    assert "not sealed" in done.err


def test_a_folder_stands_for_the_one_record_in_it(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request())
    (record.parent / "readme.txt").write_text("not a record")
    assert post(here, record.parent).code == 0
    (record.parent / "second.jsonl").write_bytes(record.read_bytes())
    done = post(here, record.parent)
    assert done.code == 2
    assert "2 records, not one" in done.err
    assert post(here, tmp_path / "none").code == 2


def test_a_link_in_place_of_a_record_is_not_followed(github: GitHub, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("root:x:0:0\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "r.jsonl").symlink_to(tmp_path / "secret")
    for path in (tmp_path / "in", tmp_path / "in" / "r.jsonl"):
        done = post(job(tmp_path / "job", github, pull_request()), path)
        assert done.code == 2
        assert "not a plain file" in done.err
        assert "root" not in done.err.replace(str(tmp_path), "")


def test_a_record_as_large_as_a_disk_is_not_read(github: GitHub, tmp_path: Path) -> None:
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(257 * 2**20)
    done = post(job(tmp_path / "job", github, pull_request()), huge)
    assert done.code == 2
    assert "larger than 256 MiB" in done.err


def test_a_pool_of_hundreds_fits_a_comment_and_a_summary(github: GitHub, tmp_path: Path) -> None:
    record = crowd(tmp_path / "records")
    here = job(tmp_path / "job", github, pull_request())
    done = post(here, record)
    assert "comment created" in done.err, done.err
    assert len(github.bodies(7)[0]) <= 60_000
    assert "not shown here" in github.bodies(7)[0]
    assert 0 < Path(here.env["GITHUB_STEP_SUMMARY"]).stat().st_size <= 2**20
    assert here.outputs["candidates"] == str(MANY)


def test_words_of_the_model_reach_the_log_and_the_comment_as_text_only(github: GitHub, tmp_path: Path) -> None:
    evil = "<!-- venire:pool:v1 -->\n::set-output name=x::y ##[error] @octo/team ![i](http://e.example)"
    about = target("a\n::error::x.py", "import os\n\n\ndef f(x):\n    os.system(x)\n")
    ask = asked(about)
    runs = [run(ask, 1, findings(about, (5, evil, "check_1", "high")))]
    record = sealed(tmp_path / "records", made([about], [ask], runs, header=audit(1)))
    here = job(tmp_path / "job", github, pull_request())
    done = post(here, record)
    for text in (done.err, github.bodies(7)[0], here.summary):
        assert not re.search(r"^\s*::", text, re.MULTILINE)
        assert "##[" not in text
    assert github.bodies(7)[0].count("<!--") == 1
    assert first_line(github).startswith("<!--")


def test_the_author_is_not_enough_and_the_marker_is_not_enough(github: GitHub, record: Path, tmp_path: Path) -> None:
    post(job(tmp_path / "one", github, pull_request(), run=1), record)
    marker = first_line(github).replace("run=1", "run=99")
    github.comments.clear()
    github.add(7, f"{marker}\nAll clear.", "mallory")
    github.add(7, f"A bot quotes:\n{marker}\nAll clear.", BOT)
    done = post(job(tmp_path / "two", github, pull_request(), run=2), record)
    assert "comment created" in done.err
    assert len(github.comments) == 3


def test_settings_of_a_checkout_do_not_say_where_a_report_goes(github: GitHub, record: Path, tmp_path: Path) -> None:
    here = job(tmp_path / "job", github, pull_request())
    for line in ("sarif: x", "author: mallory"):
        (here.folder / "venire.yml").write_text(line + "\n")
        done = post(here, record)
        assert (done.code, github.requests) == (2, []), line
        assert "cannot be set in a repository's file" in done.err
