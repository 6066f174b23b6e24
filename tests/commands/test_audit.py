"""The whole machine by its command line: real git, the scripted backend where a case needs it, a record, a report, a replay."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support.cli import VENIRE, Done, script, venire
from support.git import Repo
from support.ollama import Answer, Ollama, fixed

BEFORE = "import os\n\n\ndef first(items):\n    return items[0]\n"
AFTER = BEFORE + '\n\ndef find(db, name):\n    q = "SELECT 1 FROM t WHERE name = \'" + name + "\'"\n    return db.execute(q)\n'
JOINED = {"line": 9, "problem": "The name is joined into the SQL.", "check": "check_1", "severity": "high"}
SCHEMA = Path(__file__).parents[2] / "schema" / "report-v1.schema.json"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py=BEFORE)
    made.write("app.py", AFTER)
    return made


@pytest.fixture
def backend(tmp_path: Path) -> str:
    return script(tmp_path / "replies.json", [{"bucket": "security", "run": "1-2", "findings": [JOINED]}, {"findings": []}])


def audit(repo: Repo, backend: str, *words: str | Path, **more: Any) -> Done:
    return venire("audit", "--backend", backend, "--format", "json", "-n", "3", *words, cwd=repo.root, **more)


def records(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".venire" / "records").glob("*.jsonl*"), key=lambda path: path.stat().st_mtime_ns)


def essence(report: Any) -> Any:
    """A report without what differs between any two audits: ids, times and the chain head."""
    dropped = {"id", "started", "head", "ms"}
    kept = json.loads(json.dumps(report))
    for place in (kept, kept["audit"], kept["counts"]):
        for name in dropped & set(place):
            del place[name]
    return kept


def test_the_working_tree_is_audited_against_head(repo: Repo, backend: str) -> None:
    done = audit(repo, backend)
    assert done.code == 0, done.err
    (candidate,) = done.json["candidates"]
    assert (candidate["path"], candidate["first"], candidate["support"], candidate["asked"], candidate["lane"]) == (
        "app.py",
        9,
        2,
        3,
        "severe",
    )
    assert candidate["labels"][0]["text"].startswith("SQL is built with bound parameters")
    jsonschema.validate(done.json, json.loads(SCHEMA.read_text()))


def test_data_goes_to_standard_output_and_progress_to_standard_error(repo: Repo, backend: str) -> None:
    done = audit(repo, backend)
    assert json.loads(done.out)["schema_version"] == 1
    assert "venire: 1/6 app.py security run 1: valid" in done.err
    assert "candidate" in done.err
    assert audit(repo, backend, "-q").err.count("\n") == 1  # where the record is


def test_the_record_replays_to_the_same_bytes_without_git_model_or_network(repo: Repo, backend: str, tmp_path: Path) -> None:
    live = audit(repo, backend)
    (record,) = records(repo)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = record.rename(elsewhere / record.name)
    nothing = {"PATH": "/nonexistent"}
    offline = ["/usr/bin/unshare", "-rn"] if can_unshare() else []
    command = [
        *offline,
        VENIRE,
        "replay",
        str(moved),
        "--format",
        "json",
    ]
    done = subprocess.run(command, cwd=elsewhere, env={**os.environ, **nothing}, capture_output=True)
    assert (done.returncode, done.stdout) == (0, live.out.encode())
    for form in ("terminal", "markdown"):
        assert venire("replay", moved, "--format", form, cwd=elsewhere).code == 0


def can_unshare() -> bool:
    return (
        Path("/usr/bin/unshare").exists()
        and subprocess.run(["/usr/bin/unshare", "-rn", "true"], capture_output=True).returncode == 0
    )


def test_a_record_is_ignored_by_git_and_verifies(repo: Repo, backend: str) -> None:
    done = audit(repo, backend)
    (record,) = records(repo)
    assert ".venire" not in repo.git("status", "--porcelain")
    verdict = venire("verify", record, cwd=repo.root)
    assert verdict.code == 0
    assert "sealed" in verdict.out
    assert "report: as sealed" in verdict.out
    assert "not anchored" in verdict.out
    assert "anchored: the head" in venire("verify", record, "--head", done.json["head"], cwd=repo.root).out
    assert venire("verify", record, "--head", "0" * 64, cwd=repo.root).code == 5


def test_staged_means_the_index_and_not_the_working_tree(repo: Repo, backend: str) -> None:
    repo.git("add", "app.py")
    repo.write("app.py", "x = 1\n")
    done = audit(repo, backend, "--staged")
    assert [c["first"] for c in done.json["candidates"]] == [9]
    assert audit(repo, script(repo.root.parent / "none.json", [{"findings": []}])).json["coverage"][0]["lines"] == 1


def test_a_range_a_patch_and_whole_files_find_the_same_place(repo: Repo, backend: str) -> None:
    patch = repo.git("diff", "HEAD") + "\n"
    repo.commit("second")
    (repo.root.parent / "change.patch").write_text(patch)
    found = {
        "range": audit(repo, backend, "--diff", "HEAD~1..HEAD"),
        "three dots": audit(repo, backend, "--diff", "HEAD~1...HEAD"),
        "patch": audit(repo, backend, "--patch", repo.root.parent / "change.patch"),
        "patch from standard input": audit(repo, backend, "--patch", "-", stdin=patch.encode()),
        "whole file": audit(repo, backend, "app.py"),
    }
    assert {name: done.code for name, done in found.items()} == dict.fromkeys(found, 0)
    ids = {name: [c["id"] for c in done.json["candidates"]] for name, done in found.items()}
    assert len(ids["range"]) == 1
    assert set(map(tuple, ids.values())) == {tuple(ids["range"])}


def test_whole_files_need_no_git(tmp_path: Path, backend: str) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "app.py").write_text(AFTER)
    done = venire("audit", "--backend", backend, "--format", "json", "plain/app.py", cwd=tmp_path)
    assert (done.code, [c["first"] for c in done.json["candidates"]]) == (0, [9])


def test_paths_are_relative_to_the_folder_of_the_call(repo: Repo, backend: str) -> None:
    repo.write("deep/er/app.py", AFTER)
    done = venire("audit", "--backend", backend, "--format", "json", "er/app.py", cwd=repo.root / "deep")
    assert (done.code, [c["path"] for c in done.json["candidates"]]) == (0, ["deep/er/app.py"])


def test_inserting_lines_elsewhere_keeps_the_candidate_id(repo: Repo, backend: str) -> None:
    first = audit(repo, backend).json["candidates"][0]
    repo.write("app.py", "# a comment\nimport sys\n\n" + AFTER)
    moved = script(
        repo.root.parent / "moved.json", [{"bucket": "security", "findings": [JOINED | {"line": 12}]}, {"findings": []}]
    )
    second = audit(repo, moved).json["candidates"][0]
    assert (first["id"], first["first"], second["first"]) == (second["id"], 9, 12)


def test_a_report_can_go_to_a_file(repo: Repo, backend: str) -> None:
    done = audit(repo, backend, "-o", "out.json")
    assert done.out == ""
    assert json.loads((repo.root / "out.json").read_text())["candidates"]
    lost = audit(repo, backend, "-o", "no/such/folder/out.json")
    assert (lost.code, "no/such/folder/out.json" in lost.err) == (2, True)


def test_a_severe_candidate_of_one_run_in_51_is_on_the_first_screen_of_every_form(repo: Repo, tmp_path: Path) -> None:
    noise = [{"line": n, "problem": f"Noise {n}.", "check": "check_7", "severity": "low"} for n in (1, 4, 5, 8, 10)]
    replies = [
        {"bucket": "security", "run": 17, "findings": [JOINED]},
        {"bucket": "correctness", "findings": noise[:3]},
        {"findings": []},
    ]
    done = audit(repo, script(tmp_path / "rare.json", replies), "-n", "51", "--scope", "file")
    assert done.code == 0, done.err
    first = done.json["candidates"][0]
    assert (first["support"], first["lane"]) == (1, "severe")
    assert "severe" in done.out[: done.out.index('"frequent"')]
    (record,) = records(repo)
    for form in ("terminal", "markdown"):
        screen = venire("replay", record, "--format", form, cwd=repo.root).out.splitlines()[:24]
        assert any("app.py:9" in line for line in screen), form
        assert any("1 of 51 runs" in line for line in screen), form


def test_a_run_without_a_valid_reply_gives_no_vote_and_half_without_is_inconclusive(repo: Repo, tmp_path: Path) -> None:
    replies = [{"bucket": "security", "run": [1, 2], "text": "I found nothing."}, {"findings": []}]
    done = audit(repo, script(tmp_path / "bad.json", replies))
    assert done.code == 3
    assert done.json["status"] == "inconclusive"
    scores = {s["passed"] + s["failed"] + s["no_vote"] for s in done.json["scores"]}
    assert scores == {3}
    assert {s["no_vote"] for s in done.json["scores"] if s["bucket"] == "security"} == {2}
    assert {f["attempts"] for f in done.json["failures"]} == {4}
    text = venire("replay", *records(repo), cwd=repo.root)
    assert text.code == 3
    assert "not a clean" in " ".join(text.out.split()).lower()


def test_a_time_budget_ends_cleanly_and_says_how_many_runs_there_were(repo: Repo, tmp_path: Path) -> None:
    slow = script(tmp_path / "slow.json", [{"run": "0-3", "findings": []}, {"delay_ms": 60_000, "findings": []}])
    done = audit(repo, slow, "-n", "5", "--max-time", "8")
    assert done.json["stop"] == "max-time"
    assert "3 of 5 runs" in " ".join(done.json["reasons"])
    assert (done.code, done.json["status"]) == (0, "partial")


def test_ctrl_c_seals_nothing_and_loses_nothing(repo: Repo, tmp_path: Path) -> None:
    slow = script(
        tmp_path / "slow.json", [{"bucket": "correctness", "run": 2, "delay_ms": 60_000, "findings": []}, {"findings": [JOINED]}]
    )
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its background jobs ignore it
    process = subprocess.Popen(
        [VENIRE, "audit", "--backend", slow, "-n", "3"], cwd=repo.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    signal.signal(signal.SIGINT, before)
    wait_for(lambda: any('"kind":"run"' in r.read_text() for r in records(repo)))
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert out == ""
    (record,) = records(repo)
    assert f"--resume {record}" in err
    verdict = venire("verify", record, cwd=repo.root)
    assert verdict.code == 3
    assert "unfinished" in verdict.out


def wait_for(condition: Any) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.mark.parametrize("killed_at", [("security", 1), ("security", 3), ("correctness", 2)])
def test_a_killed_audit_is_unfinished_and_resumes_to_the_same_result(
    repo: Repo, tmp_path: Path, killed_at: tuple[str, int]
) -> None:
    replies: list[dict[str, Any]] = [
        {"bucket": "security", "run": 2, "attempt": 1, "text": "not JSON"},
        {"bucket": "security", "findings": [JOINED]},
        {"bucket": "correctness", "run": 3, "error": "length"},
        {"findings": []},
    ]
    whole = audit(repo, script(tmp_path / "whole.json", replies, digest="d" * 64), "--record", "whole")
    assert whole.code == 0, whole.err
    bucket, run = killed_at
    deadly = script(tmp_path / "deadly.json", [{"bucket": bucket, "run": run, "crash": True}, *replies], digest="d" * 64)
    assert audit(repo, deadly).code in (137, -9)
    (record,) = records(repo)
    assert venire("verify", record, cwd=repo.root).code == 3
    assert venire("replay", record, cwd=repo.root).code == 3
    saved = record.read_text().count('"kind":"run"')
    with record.open("a") as torn:
        torn.write('{"body":{"half a li')
    resumed = venire(
        "audit", "--resume", record, "--backend", f"scripted:{tmp_path / 'whole.json'}", "--format", "json", cwd=repo.root
    )
    assert resumed.code == 0, resumed.err
    assert resumed.err.count(" run ") == 6 - saved
    assert essence(resumed.json) == essence(whole.json)
    assert venire("verify", *records(repo), cwd=repo.root).code == 0


@pytest.mark.parametrize("lines", [1, 2, 4, 6, 8, 10, 12])
def test_kill_9_at_any_moment_leaves_a_record_that_resumes_to_the_same_result(repo: Repo, tmp_path: Path, lines: int) -> None:
    """Killed as soon as the record has so many lines; what is then half written does not matter."""
    replies: list[dict[str, Any]] = [
        {"delay_ms": 30, "bucket": "security", "findings": [JOINED]},
        {"delay_ms": 30, "findings": []},
    ]
    backend = script(tmp_path / "replies.json", replies)
    whole = audit(repo, backend, "--record", "whole")
    process = subprocess.Popen([VENIRE, "audit", "--backend", backend, "-n", "3"], cwd=repo.root, stderr=subprocess.DEVNULL)
    wait_for(lambda: any(r.read_bytes().count(b"\n") >= lines for r in records(repo)))
    process.kill()
    process.wait()
    (record,) = records(repo)
    assert record.suffix == ".part"
    assert venire("verify", record, cwd=repo.root).code == 3
    resumed = venire("audit", "--resume", record, "--backend", backend, "--format", "json", cwd=repo.root)
    if "died before it asked anything" in resumed.err:
        assert (resumed.code, record.read_text().count('"kind":"run"')) == (2, 0)
        return
    assert resumed.code == 0, resumed.err
    assert essence(resumed.json) == essence(whole.json)


def test_an_audit_by_ollama_is_recorded_with_the_model_s_facts(repo: Repo) -> None:
    with Ollama() as server:
        server.content = json.dumps({"findings": []})
        done = venire("audit", "--host", server.url, "--model", server.models[0], "--format", "json", "-n", "2", cwd=repo.root)
        assert done.code == 0, done.err
        (model,) = done.json["models"]
        assert (model["backend"], model["name"], model["engine"]) == ("ollama", server.models[0], "ollama 0.35.1")
        chats = [request.json for request in server.asked("/api/chat")]
        assert len(chats) == 1 + 2 * (1 + 2)  # the probe; for each bucket a warm-up and two runs
        assert len(server.loads) == 1
        assert [chat["options"]["seed"] for chat in chats[2:4]] == [0, 1]


@pytest.mark.parametrize("mode", ["html", "empty", "list"])
def test_a_server_that_answers_rubbish_is_exit_4(repo: Repo, mode: str) -> None:
    with Ollama() as server:
        server.on("/api/version", fixed(Answer(200, {"html": b"<html>", "empty": b"", "list": b"[1,2]"}[mode])))
        for backend in ("ollama", "auto"):
            done = venire("audit", "--backend", backend, "--host", server.url, "--model", server.models[0], cwd=repo.root)
            assert (done.code, done.out) == (4, ""), done
            assert server.url in done.err
            assert "Traceback" not in done.err


def test_a_record_is_resumed_by_the_same_model_only(repo: Repo, tmp_path: Path) -> None:
    deadly = script(tmp_path / "deadly.json", [{"bucket": "correctness", "crash": True}, {"findings": []}])
    audit(repo, deadly)
    (record,) = records(repo)
    other = script(tmp_path / "other.json", [{"findings": []}], digest="f" * 64)
    refused = venire("audit", "--resume", record, "--backend", other, cwd=repo.root)
    assert (refused.code, "give the same model" in refused.err) == (2, True)
    assert venire("audit", "--resume", record, cwd=repo.root).code == 2


def test_every_kind_of_damage_to_a_sealed_record_ends_verify_and_replay_with_5(repo: Repo, backend: str, tmp_path: Path) -> None:
    audit(repo, backend)
    (record,) = records(repo)
    lines = record.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    flipped = bytearray(lines[middle])
    flipped[len(flipped) // 2] ^= 1
    harmed = {
        "flipped": [*lines[:middle], bytes(flipped), *lines[middle + 1 :]],
        "cut": [*lines[:-1], lines[-1][:-5]],
        "without its seal": lines[:-1],
        "swapped": [*lines[:2], lines[3], lines[2], *lines[4:]],
        "removed": [*lines[:2], *lines[3:]],
        "repeated": [*lines[:2], lines[2], *lines[2:]],
    }
    for name, content in harmed.items():
        path = tmp_path / f"{name}.jsonl".replace(" ", "-")
        path.write_bytes(b"".join(content))
        for command in ("verify", "replay"):
            done = venire(command, path, cwd=tmp_path)
            assert done.code == 5, (name, command, done)
            assert "line " in done.err, (name, command, done)
            assert done.out == ""


def test_the_example_record_replays_to_the_report_it_was_sealed_with(tmp_path: Path) -> None:
    done = venire("replay", "--example", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "candidate" in done.out
    assert "another report" not in done.err
    verdict = venire("verify", Path(__file__).parents[2] / "records" / "demo.jsonl", cwd=tmp_path)
    assert (verdict.code, "report: as sealed" in verdict.out) == (0, True)
