"""What a git hook does, by the command line: sources, budget, policy, cache. The hosts themselves are in tests/hooks."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from support.cli import Done, script, venire
from support.git import Repo
from support.ollama import MODEL, Ollama

BEFORE = "import os\n\n\ndef first(items):\n    return items[0]\n"
AFTER = BEFORE + '\n\ndef find(db, name):\n    q = "SELECT 1 FROM t WHERE name = \'" + name + "\'"\n    return db.execute(q)\n'
JOINED = {"line": 9, "problem": "The name is joined into the SQL.", "check": "check_1", "severity": "high"}
FOUND: list[dict[str, Any]] = [{"bucket": "security", "run": "1-2", "findings": [JOINED]}, {"findings": []}]
ZERO = "0" * 40


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py=BEFORE)
    made.add(app__py=AFTER)
    return made


@pytest.fixture
def backend(tmp_path: Path) -> str:
    return script(tmp_path / "replies.json", FOUND)


def hook(repo: Repo, backend: str, *words: str, env: dict[str, str] | None = None, **more: Any) -> Done:
    own = {"VENIRE_BACKEND": backend, "VENIRE_MAX_TIME": "200"}  # so that a slow machine is no other case
    return venire("hook", *words, cwd=repo.root, env={**own, **(env or {})}, **more)


def records(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".venire" / "records").glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def index(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".venire" / "records" / "cache").iterdir())


def is_cached(done: Done) -> bool:
    return "from the cache: record" in done.err


# ---------------------------------------------------------------- what is audited


def test_the_staged_content_is_audited_and_not_the_working_tree(repo: Repo, backend: str) -> None:
    repo.write("app.py", "x = 1\n")
    done = hook(repo, backend)
    assert done.code == 0, done.err
    assert "app.py:9" in done.out
    assert "staged change" in done.out


def test_nothing_staged_is_nothing_to_audit_and_leaves_nothing_behind(repo: Repo, backend: str) -> None:
    repo.git("reset", "-q", "--hard")
    done = hook(repo, backend)
    assert (done.code, done.out) == (0, "Nothing to audit: nothing is staged\n")
    assert not (repo.root / ".venire").exists()


def test_nothing_is_said_in_the_form_asked_for(repo: Repo, backend: str) -> None:
    repo.git("reset", "-q", "--hard")
    assert hook(repo, backend, "--format", "json").json["status"] == "nothing"


def test_a_first_commit_is_audited(tmp_path: Path, backend: str) -> None:
    new = Repo(tmp_path / "new")
    new.add(app__py=AFTER)
    assert "app.py:9" in hook(new, backend).out


def test_git_s_index_of_a_partial_commit_counts(repo: Repo, backend: str) -> None:
    repo.add(other__py=AFTER)
    partial = repo.root / "partial-index"
    env = {"GIT_INDEX_FILE": str(partial)}
    repo.git("read-tree", "HEAD", env=env)
    repo.git("update-index", "--add", "other.py", env=env)
    done = hook(repo, backend, env=env)
    assert "other.py:9" in done.out
    assert "app.py" not in done.out


def test_a_range_that_pre_commit_gives_comes_before_the_index(repo: Repo, backend: str) -> None:
    repo.commit("second")
    repo.add(app__py="x = 1\n")
    done = hook(repo, backend, env={"PRE_COMMIT_FROM_REF": "HEAD~1", "PRE_COMMIT_TO_REF": "HEAD"})
    assert "app.py:9" in done.out
    assert "range HEAD~1...HEAD" in done.out


@pytest.mark.parametrize("ref", ["-x", "--output=x", "nothing", "HEAD:app.py"])
def test_a_range_with_an_end_that_is_no_commit_is_refused(repo: Repo, backend: str, ref: str) -> None:
    done = hook(repo, backend, env={"PRE_COMMIT_FROM_REF": ref, "PRE_COMMIT_TO_REF": "HEAD"})
    assert (done.code, done.out) == (2, "")
    assert ref in done.err
    assert not (repo.root / "x").exists()


def test_a_hook_takes_no_file_names(repo: Repo, backend: str) -> None:
    done = hook(repo, backend, "app.py")
    assert (done.code, "pass_filenames: false" in done.err) == (2, True)


# ---------------------------------------------------------------- time


def test_what_the_budget_allows_is_shown_as_so_many_runs(repo: Repo, tmp_path: Path) -> None:
    slow = script(tmp_path / "slow.json", [{"run": "0-2", "findings": [JOINED]}, {"delay_ms": 600_000, "findings": []}])
    done = hook(repo, slow, "--max-time", "8")
    assert done.code == 0, done.err
    assert "2 of 5 runs" in " ".join(done.out.split())
    assert "not a clean result" in done.out
    assert "NOT FULLY AUDITED" in done.err.splitlines()[-1]
    strict = hook(repo, slow, "--max-time", "8", "--on-unavailable", "fail")
    assert strict.code == 3


def test_a_budget_that_ends_before_the_first_sample_audited_nothing_and_says_so(repo: Repo, tmp_path: Path) -> None:
    slow = script(tmp_path / "slow.json", [{"delay_ms": 600_000, "findings": []}])
    done = hook(repo, slow, "--max-time", "1")
    assert (done.code, done.out) == (0, "")
    assert "NOTHING WAS AUDITED: 0 of 5 runs: the budget of 1 s ended before one sample was complete" in done.err
    strict = hook(repo, slow, "--max-time", "1", "--on-unavailable", "fail")
    assert (strict.code, strict.out) == (4, "")


def test_a_model_that_is_still_loading_when_the_budget_ends_is_told(repo: Repo) -> None:
    with Ollama() as server:
        server.on("/api/chat", lambda request: (time.sleep(20), server.usual(request))[1])
        start = time.monotonic()
        done = hook(repo, "ollama", "--host", server.url, "--model", MODEL, "--max-time", "1")
        assert time.monotonic() - start < 15  # not the 20 s of the load
    assert (done.code, done.out) == (0, "")
    assert "0 of 5 runs: the budget of 1 s ended while the model was loading; nothing was audited" in done.err
    assert records(repo) == []


@pytest.mark.parametrize(
    ("words", "text", "env", "seconds"),
    [
        ([], "", {}, 10.0),
        (["--push"], "", {}, 120.0),
        (["--max-time", "33"], "max_time: 5\n", {}, 33.0),
        ([], "", {"VENIRE_MAX_TIME": "34"}, 34.0),
        ([], "max_time: 7\n", {}, 7.0),
        ([], "max_time: 300\n", {}, 10.0),
        (["--max-time", "0"], "", {}, 0.0),
    ],
)
def test_the_budget_is_the_hook_s_own_unless_a_flag_or_a_variable_says_otherwise(
    repo: Repo, backend: str, words: list[str], text: str, env: dict[str, str], seconds: float
) -> None:
    if text:
        repo.write("venire.yml", text)
    if "--push" in words:
        repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
        repo.commit("second")
    done = hook(repo, backend, *words, env={"VENIRE_MAX_TIME": "", **env})
    assert done.code == 0, done.err
    (record,) = records(repo)
    assert json.loads(record.read_text().splitlines()[0])["body"]["plan"]["max_time"] == seconds


# ---------------------------------------------------------------- no model, and skipping


def test_no_model_lets_the_commit_go_on_and_never_looks_clean(repo: Repo, tmp_path: Path) -> None:
    gone = tmp_path / "gone.json"
    gone.write_text(json.dumps({"unavailable": "the machine is off"}))
    done = hook(repo, f"scripted:{gone}")
    assert (done.code, done.out) == (0, "")
    assert "NOTHING WAS AUDITED: the machine is off" in done.err
    assert "the commit goes on unaudited" in done.err.splitlines()[-1]
    for given in ({"VENIRE_ON_UNAVAILABLE": "fail"}, {}):
        if not given:
            repo.write("venire.yml", "on_unavailable: fail\n")
        strict = hook(repo, f"scripted:{gone}", env=given)
        assert (strict.code, strict.out) == (4, "")
    assert venire("audit", "--backend", f"scripted:{gone}", cwd=repo.root).code == 4


@pytest.mark.parametrize("value", ["1", "true", "yes"])
def test_skipping_is_said_and_works_whatever_the_configuration_holds(repo: Repo, backend: str, value: str) -> None:
    repo.write("venire.yml", "no such: [setting\n")
    done = hook(repo, backend, env={"VENIRE_SKIP": value})
    assert (done.code, done.out) == (0, "")
    assert "NOTHING WAS AUDITED" in done.err
    assert hook(repo, backend, env={"VENIRE_SKIP": "0"}).code == 2
    assert hook(repo, backend).code == 2


def test_the_output_in_a_host_is_plain_and_as_wide_as_the_host_s(repo: Repo, backend: str) -> None:
    done = hook(repo, backend, env={"PRE_COMMIT": "1"})
    assert max(map(len, done.out.splitlines())) <= 79
    assert "\x1b" not in done.out + done.err
    assert done.err.count("\n") == 1  # where the record is: nobody watches progress there


# ---------------------------------------------------------------- cache


def test_an_unchanged_change_is_answered_from_its_record(repo: Repo, backend: str) -> None:
    first, second = hook(repo, backend), hook(repo, backend)
    assert (first.code, second.code, second.out) == (0, 0, first.out)
    assert not is_cached(first)
    assert is_cached(second)
    (record,) = records(repo)
    assert str(record) in second.err
    assert not is_cached(hook(repo, backend, "--no-cache"))
    assert len(records(repo)) == 2


def test_what_was_audited_when_committed_is_known_when_pushed(repo: Repo, backend: str) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    hook(repo, backend)
    repo.commit("second")
    assert is_cached(hook(repo, backend, "--push"))


OTHER = (
    ("-n", "2"), ("--temperature", "0.2"), ("--seed", "5"), ("--contract", "panel"), ("--scope", "file"), ("--context", "4096"),
    ("--buckets", "combined"), ("--frequent", "0.9"), ("--canaries",), ("--ignore", "*.md"), ("--reply-tokens", "512"),
)  # fmt: skip


def test_another_question_is_asked_again(repo: Repo, backend: str) -> None:
    hook(repo, backend)
    assert {words: is_cached(hook(repo, backend, *words)) for words in OTHER} == dict.fromkeys(OTHER, False)
    assert is_cached(hook(repo, backend))


def test_another_change_or_other_criteria_are_asked_again(repo: Repo, backend: str, tmp_path: Path) -> None:
    criteria = tmp_path / "own.yml"
    text = "buckets:\n  - name: security\n    checks: [SQL is built with bound parameters.]\n"
    criteria.write_text(text)
    own = ("--criteria", str(criteria))
    hook(repo, backend, *own)
    assert is_cached(hook(repo, backend, *own))
    criteria.write_text(text.replace("bound", "bound, typed"))
    assert not is_cached(hook(repo, backend, *own))
    criteria.write_text(text)
    assert is_cached(hook(repo, backend, *own))
    repo.add(app__py=AFTER + "\n")
    assert not is_cached(hook(repo, backend, *own))


def test_another_model_of_the_same_name_is_asked_again(repo: Repo, tmp_path: Path) -> None:
    backend = script(tmp_path / "one.json", FOUND, digest="a" * 64)
    hook(repo, backend)
    assert is_cached(hook(repo, backend))
    script(tmp_path / "one.json", FOUND, digest="b" * 64)
    assert not is_cached(hook(repo, backend))
    assert is_cached(hook(repo, backend))


def test_a_shorter_budget_is_no_other_question(repo: Repo, backend: str) -> None:
    hook(repo, backend)
    assert is_cached(hook(repo, backend, "--max-time", "1"))


def test_an_answer_that_is_not_final_is_asked_for_again(repo: Repo, tmp_path: Path) -> None:
    failing = script(tmp_path / "failing.json", [{"run": 3, "text": "no JSON"}, {"findings": []}])
    for _ in range(2):
        assert not is_cached(hook(repo, failing))
    slow = script(tmp_path / "slow.json", [{"run": "0-2", "findings": []}, {"delay_ms": 600_000, "findings": []}])
    for _ in range(2):
        assert not is_cached(hook(repo, slow, "--max-time", "2"))


@pytest.mark.parametrize(
    "harm", ["record gone", "record damaged", "entry damaged", "entry of another", "entry a link", "record cut"]
)
def test_what_is_missing_or_damaged_is_asked_for_again(repo: Repo, backend: str, harm: str) -> None:
    hook(repo, backend)
    (record,), (entry,) = records(repo), index(repo)
    match harm:
        case "record gone":
            record.unlink()
        case "record damaged":
            record.write_bytes(record.read_bytes().replace(b"high", b"low", 1))
        case "record cut":
            record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
        case "entry damaged":
            entry.write_text("../../../etc/passwd\n")
        case "entry of another":
            entry.write_text(f"{record.name} {'0' * 64}\n")
        case "entry a link":
            entry.rename(repo.root / "real")
            entry.symlink_to(repo.root / "real")
    done = hook(repo, backend)
    assert (done.code, is_cached(done)) == (0, False)
    assert "app.py:9" in done.out
    assert is_cached(hook(repo, backend))


def test_a_model_that_is_gone_leaves_the_answers_it_gave(repo: Repo, tmp_path: Path) -> None:
    backend = script(tmp_path / "one.json", FOUND, digest="a" * 64)
    first = hook(repo, backend)
    (tmp_path / "one.json").write_text(json.dumps({"unavailable": "the machine is off"}))
    again = hook(repo, backend)
    assert (again.code, again.out) == (0, first.out)
    assert "the model itself was not reached: the machine is off" in again.err


def test_ollama_is_asked_for_a_digest_only_when_the_answer_is_known(repo: Repo) -> None:
    with Ollama() as server:
        words = ("--host", server.url, "--model", MODEL)
        assert hook(repo, "ollama", *words).code == 0
        loads, asked = len(server.loads), len(server.asked("/api/chat"))
        assert is_cached(hook(repo, "ollama", *words))
        assert (len(server.loads), len(server.asked("/api/chat"))) == (loads, asked)
        server.tag["digest"] = server.running["digest"] = "e" * 64
        assert not is_cached(hook(repo, "ollama", *words))
    gone = hook(repo, "ollama", *words)
    assert is_cached(gone)
    assert "not reached" in gone.err


def test_hooks_that_run_together_do_not_disturb_each_other(repo: Repo, backend: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: hook(repo, backend), range(4)))
    assert [one.code for one in done] == [0] * 4
    assert len({one.out for one in done}) == 1
    assert is_cached(hook(repo, backend))
    assert [path.name for path in index(repo) if path.name.startswith(".")] == []


def test_a_folder_that_cannot_be_written_costs_only_the_cache(repo: Repo, backend: str) -> None:
    folder = repo.root / ".venire" / "records"
    folder.mkdir(parents=True)
    (folder / "cache").write_text("a file where the folder should be")
    for _ in range(2):
        done = hook(repo, backend)
        assert (done.code, is_cached(done)) == (0, False)


def test_a_zero_or_a_hostile_cache_folder_is_not_followed(repo: Repo, backend: str, tmp_path: Path) -> None:
    folder = repo.root / ".venire" / "records"
    folder.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (folder / "cache").symlink_to(tmp_path / "elsewhere")
    assert hook(repo, backend).code == 0
    assert os.listdir(tmp_path / "elsewhere") == []
