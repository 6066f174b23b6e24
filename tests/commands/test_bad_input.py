"""Bad input gets a message that names the place and the remedy, and its own exit code; nothing is half written."""

import json
import subprocess
from pathlib import Path

import pytest
from support.cli import Done, script, venire
from support.git import Repo

CODE = "def f(x):\n    return x\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py=CODE)
    return made


@pytest.fixture
def silent(tmp_path: Path) -> str:
    return script(tmp_path / "silent.json", [{"findings": []}])


def audit(folder: Path, backend: str, *words: str | Path) -> Done:
    return venire("audit", "--backend", backend, "-n", "1", "--format", "json", *words, cwd=folder)


def refused(done: Done, *parts: str, code: int = 2) -> None:
    """Exit code, no report, and every part of the message."""
    assert done.code == code, done
    assert done.out == ""
    for part in parts:
        assert part in done.err, done.err
    assert "Traceback" not in done.err


def skips(done: Done) -> dict[str, str]:
    return {s["path"]: s["reason"] for s in done.json["skipped"]}


def test_not_a_repository(tmp_path: Path, silent: str) -> None:
    refused(audit(tmp_path, silent), "not a git repository")


def test_a_bare_repository_is_called_one(tmp_path: Path, silent: str) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare")], check=True)
    refused(audit(tmp_path / "bare", silent), "is a bare repository", "git worktree add")


def test_unborn_head_audits_what_is_there_and_a_range_is_refused(tmp_path: Path, silent: str) -> None:
    repo = Repo(tmp_path / "new")
    repo.write("app.py", CODE)
    repo.git("add", "--all")
    for words in ([], ["--staged"]):
        done = audit(repo.root, silent, *words)
        assert (done.code, [c["path"] for c in done.json["coverage"]]) == (0, ["app.py"]), done
    refused(audit(repo.root, silent, "--diff", "HEAD~1..HEAD"), "HEAD")


def test_no_merge_base(repo: Repo, silent: str) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("unrelated", b__py=CODE)
    refused(audit(repo.root, silent, "--diff", "main...other"), "common ancestor", "A..B")


def test_shallow_clone(repo: Repo, silent: str, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", b__py=CODE)
    repo.git("checkout", "-q", "main")
    repo.commit("main", c__py=CODE)
    shallow = tmp_path / "shallow"
    clone = ["git", "clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo.root}", str(shallow)]
    subprocess.run(clone, check=True, capture_output=True)
    refused(audit(shallow, silent, "--diff", "origin/main...origin/side"), "shallow", "fetch")


@pytest.mark.parametrize("ref", ["nope...HEAD", "HEAD..nope", "--output=x..HEAD", "nope"])
def test_unknown_ref(repo: Repo, silent: str, ref: str) -> None:
    refused(audit(repo.root, silent, f"--diff={ref}"), "nope" if "nope" in ref else "--output=x")
    assert not (repo.root / "x").exists()


def test_an_empty_diff_is_nothing_to_audit_and_needs_no_model(repo: Repo) -> None:
    done = venire("audit", "--format", "json", "--backend", "ollama", "--host", "127.0.0.1:9", cwd=repo.root)
    assert (done.code, done.json["status"], done.json["candidates"]) == (0, "nothing", [])
    text = venire("audit", cwd=repo.root)
    assert (text.code, "othing to audit" in text.out) == (0, True)
    assert not (repo.root / ".venire").exists()


def test_files_that_cannot_be_audited_are_listed_with_their_reason(repo: Repo, silent: str) -> None:
    repo.commit("gone", gone__py=CODE, run__sh="echo hello\n")
    (repo.root / "gone.py").unlink()
    (repo.root / "run.sh").chmod(0o755)
    repo.write("image.png", b"\x89PNG\r\n\x00\x00")
    (repo.root / "link").symlink_to("/etc/passwd")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    repo.git("add", "image.png", "link", "gone.py", "run.sh")
    done = audit(repo.root, silent, "--staged")
    assert done.code == 0, done
    assert skips(done) == {
        "gone.py": "deleted",
        "image.png": "binary",
        "link": "symlink",
        "module": "submodule",
        "run.sh": "mode only",
    }
    assert done.json["status"] == "nothing"


def test_a_line_of_50_mb_is_left_out_and_the_audit_is_not_called_complete(repo: Repo, silent: str) -> None:
    repo.write("big.js", b"x" * 50_000_000 + b"\n")
    done = audit(repo.root, silent)
    assert (done.code, skips(done)) == (3, {"big.js": "too large"})
    assert done.json["status"] == "inconclusive"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a = 1\r\nb = 2\r\n", 2),
        (b"\xef\xbb\xbfa = 1\nb = 2\n", 2),
        (b"# caf\xe9\nb = 2\n", 2),
        (b"a = '\xc2\x85\x0c\xe2\x80\xa8'\nb = 2", 2),
    ],
    ids=["CRLF", "BOM", "Latin-1", "odd separators"],
)
def test_odd_text_keeps_true_line_numbers(repo: Repo, tmp_path: Path, data: bytes, lines: int) -> None:
    repo.write("odd.py", data)
    finding = {"line": 2, "problem": "Wrong.", "check": "check_1", "severity": "low"}
    done = audit(repo.root, script(tmp_path / "two.json", [{"bucket": "security", "findings": [finding]}, {"findings": []}]))
    assert done.code == 0, done
    assert [(c["first"], c["last"]) for c in done.json["candidates"]] == [(2, 2)]
    assert done.json["coverage"][0]["lines"] == lines


def test_nul_bytes_make_a_file_binary(repo: Repo, silent: str) -> None:
    repo.write("nul.py", b"a = 1\n\x00\n")
    assert skips(audit(repo.root, silent)) == {"nul.py": "binary"}


@pytest.mark.parametrize(
    "name", ["with space.py", "new\nline.py", 'quo"te.py', "-x.py", "ünïcode.py", ":(glob)*.py", "$(touch y).py"]
)
@pytest.mark.parametrize("words", [[], ["--staged"], ["--diff", "HEAD~1..HEAD"]], ids=["working tree", "staged", "range"])
def test_odd_file_names_are_only_names(repo: Repo, silent: str, name: str, words: list[str]) -> None:
    repo.write(name, CODE)
    repo.git("add", "--all")
    if "--diff" in words:
        repo.commit("odd name")
    done = audit(repo.root, silent, *words)
    assert (done.code, [c["path"] for c in done.json["coverage"]]) == (0, [name]), done
    assert all(line.startswith("venire: ") for line in done.err.splitlines())
    for form in ("terminal", "markdown"):
        assert audit(repo.root, silent, *words, "--format", form).code == 0


def test_a_renamed_file_is_audited_where_it_changed(repo: Repo, silent: str) -> None:
    repo.commit("long", long__py="".join(f"a{n} = {n}\n" for n in range(40)))
    repo.git("mv", "long.py", "moved.py")
    done = audit(repo.root, silent, "--staged")
    assert (done.code, done.json["coverage"]) == (0, [])
    assert "moved.py" in skips(done)
    repo.write("moved.py", "".join(f"a{n} = {n}\n" for n in range(40)) + "b = 1\n")
    repo.git("add", "--all")
    (coverage,) = audit(repo.root, silent, "--staged").json["coverage"]
    assert (coverage["path"], coverage["changed"]) == ("moved.py", 1)


def test_broken_configuration(repo: Repo, silent: str) -> None:
    (repo.root / "venire.yml").write_text("runs: 5\nmodle: x\n")
    refused(audit(repo.root, silent), "venire.yml:2", "modle", "did you mean model?")
    (repo.root / "venire.yml").write_text("runs: [1\n")
    refused(audit(repo.root, silent), "venire.yml:2")


@pytest.mark.parametrize("runs", ["0", "-1", "many"])
def test_a_senseless_number_of_runs(repo: Repo, silent: str, runs: str) -> None:
    refused(audit(repo.root, silent, f"--runs={runs}"), "--runs")


def test_broken_criteria(repo: Repo, silent: str) -> None:
    repo.write("app.py", CODE + "\n\nx = 1\n")
    (repo.root / "checks.yml").write_text(
        "buckets:\n  - name: a\n    chekcs: []\n  - name: a\n    checks: [One holds., One holds.]\n"
    )
    done = audit(repo.root, silent, "--criteria", "checks.yml")
    refused(done, "checks.yml:3", "did you mean", "checks.yml:5")
    assert not (repo.root / ".venire").exists()
    check = venire("criteria", "check", "--criteria", "checks.yml", cwd=repo.root)
    refused(check, "checks.yml:3", "checks.yml:5")
    refused(audit(repo.root, silent, "--criteria", "none.yml"), "none.yml")


def test_options_that_exclude_each_other_and_unknown_ones(repo: Repo, silent: str) -> None:
    refused(audit(repo.root, silent, "--staged", "--diff", "a..b"), "not allowed with")
    refused(audit(repo.root, silent, "--staged", "app.py"), "paths cannot go with")
    refused(audit(repo.root, silent, "--rnus=3"), "--rnus=3", "venire")
    refused(audit(repo.root, silent, "no.py"), "no.py")


def test_a_broken_patch_names_the_line(repo: Repo, silent: str, tmp_path: Path) -> None:
    (tmp_path / "bad.patch").write_text("--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,3 @@\n def f(x):\n")
    refused(audit(repo.root, silent, "--patch", tmp_path / "bad.patch"), "patch")
    refused(audit(repo.root, silent, "--patch", tmp_path / "none.patch"), "none.patch")


def test_no_server_is_exit_4_with_the_line_that_helps(repo: Repo) -> None:
    repo.write("app.py", CODE + "x = 1\n")
    done = venire("audit", "--backend", "ollama", "--host", "127.0.0.1:9", cwd=repo.root)
    refused(done, "ollama serve", code=4)
    assert not (repo.root / ".venire").exists()


def test_auto_without_any_model_gives_both_lines_that_would_help(repo: Repo, tmp_path: Path) -> None:
    repo.write("app.py", CODE + "x = 1\n")
    nowhere = {"VENIRE_CACHE": str(tmp_path / "empty"), "VENIRE_HOST": "127.0.0.1:9"}
    done = venire("audit", cwd=repo.root, env=nowhere)
    refused(done, "nothing was audited", "ollama pull qwen2.5-coder:7b", "venire fetch", code=4)
    doctor = venire("doctor", cwd=repo.root, env=nowhere)
    assert doctor.code == 4
    assert "ollama pull qwen2.5-coder:7b" in doctor.out
    assert "venire fetch" in doctor.out


def test_a_foreign_host_is_refused_before_anything_is_sent(repo: Repo) -> None:
    repo.write("app.py", CODE + "x = 1\n")
    refused(venire("audit", "--host", "http://198.51.100.7:11434", cwd=repo.root), "198.51.100.7", "allow-hosts")


def test_a_broken_script_of_replies(repo: Repo, tmp_path: Path) -> None:
    repo.write("app.py", CODE + "x = 1\n")
    (tmp_path / "broken.json").write_text(json.dumps({"replies": [{"findigs": []}]}))
    refused(audit(repo.root, f"scripted:{tmp_path / 'broken.json'}"), "broken.json", "findigs")


def test_replay_and_verify_of_something_that_is_no_record(tmp_path: Path) -> None:
    for command in ("replay", "verify"):
        refused(venire(command, "none.jsonl", cwd=tmp_path), "none.jsonl")
        (tmp_path / "text.jsonl").write_text("hello\n")
        refused(venire(command, "text.jsonl", cwd=tmp_path), "line 1", code=5)


def test_a_failed_audit_never_looks_clean(repo: Repo, tmp_path: Path) -> None:
    """Every failure of a backend, in every form: the exit code is not 0 or the report says what is missing."""
    repo.write("app.py", CODE + "x = 1\n")
    for error in ("timeout", "refused", "crashed", "transport", "rubbish", "length", "unfinished", "context"):
        failing = script(tmp_path / "failing.json", [{"error": error}])
        for form in ("terminal", "markdown", "json"):
            done = audit(repo.root, failing, "--format", form)
            assert done.code == 3, (error, form, done)
            assert "inconclusive" in done.out.lower()
            assert "no candidates" not in done.out.lower() or "not a clean" in " ".join(done.out.split()).lower()


@pytest.mark.parametrize("words", [("verify",), ("replay",), ("verify", "--recount"), ("replay", "--check")])
def test_a_record_that_verifies_and_is_none_of_an_audit_is_told_as_damaged(words: tuple[str, ...], tmp_path: Path) -> None:
    """Its chain is whole, and its prompt's schema is no contract: somebody else wrote it."""
    golden = next((Path(__file__).parent.parent / "record" / "golden").glob("*.jsonl"))
    done = venire(*words, golden, cwd=tmp_path)
    assert done.code == 5, done
    assert "Traceback" not in done.err


def test_a_report_does_not_take_the_place_of_what_it_is_made_from(tmp_path: Path) -> None:
    demo = Path(__file__).parents[2] / "records" / "demo.jsonl"
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_bytes(demo.read_bytes())
    done = venire("replay", demo, "--since", earlier, "-o", earlier, cwd=tmp_path)
    assert (done.code, earlier.read_bytes() == demo.read_bytes()) == (2, True), done


def test_no_paths_at_all_is_not_taken_for_a_gate_that_looks_nowhere(tmp_path: Path) -> None:
    done = venire("replay", "--example", "--gate", "acknowledge", "--gate-paths=", cwd=tmp_path)
    assert (done.code, "must name paths" in done.err) == (2, True), done


def test_venire_s_own_report_is_no_evidence(tmp_path: Path) -> None:
    """Votes alone never reach a gate, however often they are counted."""
    assert venire("replay", "--example", "--format", "sarif", "-o", "own.sarif", cwd=tmp_path).code == 0
    done = venire("replay", "--example", "--evidence", "own.sarif", "--gate", "evidence", cwd=tmp_path)
    assert (done.code, "venire's own" in done.err) == (0, True), done.err


def test_resuming_a_folder_is_wrong_usage(tmp_path: Path) -> None:
    assert venire("audit", "--resume", ".", cwd=tmp_path).code == 2
