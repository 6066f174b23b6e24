"""What a newcomer, a pull request or an unset variable may do without harm."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from support.cli import VENIRE, Done, script, venire
from support.git import Repo

CODE = "def f(x):\n    return x\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py=CODE)
    made.write("app.py", CODE + "\n\nx = 1\n")
    return made


@pytest.fixture
def silent(tmp_path: Path) -> str:
    return script(tmp_path / "silent.json", [{"findings": []}])


def refused(done: Done, *parts: str, code: int = 2) -> None:
    assert (done.code, done.out) == (code, ""), done
    assert all(part in done.err for part in parts), done.err
    assert "Traceback" not in done.err


def record(repo: Repo, silent: str) -> Path:
    assert venire("audit", "--backend", silent, "-n", "1", cwd=repo.root).code == 0
    return next((repo.root / ".venire/records").iterdir())


def test_a_report_never_takes_the_place_of_its_record(repo: Repo, silent: str) -> None:
    path = record(repo, silent)
    before = path.read_bytes()
    refused(venire("replay", path, "-o", path, cwd=repo.root), "record's place")
    assert path.read_bytes() == before


def test_a_report_is_written_into_a_pipe_and_through_a_link_and_to_standard_output(
    repo: Repo, silent: str, tmp_path: Path
) -> None:
    path = record(repo, silent)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert venire("replay", path, "-o", tmp_path / "link", cwd=repo.root).code == 0
    assert (tmp_path / "link").is_symlink()
    assert "No candidates" in (tmp_path / "real").read_text()
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE) as reader:
        assert venire("replay", path, "-o", tmp_path / "pipe", cwd=repo.root).code == 0
        assert reader.stdout
        assert b"No candidates" in reader.stdout.read()
    assert (tmp_path / "pipe").is_fifo()
    assert "No candidates" in venire("replay", path, "-o", "-", cwd=repo.root).out
    assert not (repo.root / "-").exists()


def test_a_report_keeps_the_rights_of_the_file_it_replaces(repo: Repo, silent: str, tmp_path: Path) -> None:
    path = record(repo, silent)
    old = tmp_path / "old"
    old.write_text("")
    old.chmod(0o640)
    venire("replay", path, "-o", old, cwd=repo.root)
    assert old.stat().st_mode & 0o777 == 0o640


def test_a_report_that_cannot_be_written_is_found_out_before_the_audit(repo: Repo, silent: str) -> None:
    refused(venire("audit", "--backend", silent, "-o", "no/such/report", cwd=repo.root), "no/such/report")
    assert not (repo.root / ".venire").exists()


def test_a_report_in_the_repository_is_no_part_of_the_next_change(repo: Repo, silent: str) -> None:
    for _ in range(2):
        done = venire("audit", "--backend", silent, "-n", "1", "--format", "json", "-o", "report.json", cwd=repo.root)
        assert done.code == 0
    assert [c["path"] for c in json.loads((repo.root / "report.json").read_text())["coverage"]] == ["app.py"]


@pytest.mark.parametrize("words", [["--diff", ""], ["--patch", ""], ["--resume", ""], [""]])
def test_an_unset_variable_does_not_audit_something_else(repo: Repo, silent: str, words: list[str]) -> None:
    refused(venire("audit", "--backend", silent, *words, cwd=repo.root), "is empty")


def test_an_empty_head_is_no_anchor(repo: Repo, silent: str) -> None:
    refused(venire("verify", record(repo, silent), "--head", "", cwd=repo.root), "--head is empty")


def test_one_ref_is_no_range(repo: Repo, silent: str) -> None:
    refused(venire("audit", "--backend", silent, "--diff", "HEAD", cwd=repo.root), "HEAD...HEAD")


@pytest.mark.parametrize("stream", ["/dev/full", "closed"])
def test_standard_output_that_takes_nothing_is_an_error_and_no_traceback(repo: Repo, silent: str, stream: str) -> None:
    path = record(repo, silent)
    to = ">&-" if stream == "closed" else f"> {stream}"
    for command in (f"replay {path}", f"verify {path}", "criteria list", f"audit --backend {silent} -n 1"):
        done = subprocess.run(["sh", "-c", f"{VENIRE} {command} {to}"], cwd=repo.root, capture_output=True, text=True)
        assert done.returncode == 2, (command, done)
        assert "Traceback" not in done.stderr


def test_a_folder_that_is_gone_is_an_error_and_no_traceback(tmp_path: Path) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && {VENIRE} audit"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_configuration_that_is_a_link_is_not_read(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("root:x:0:0\n")
    (repo.root / "venire.yml").symlink_to(tmp_path / "secret")
    done = venire("audit", cwd=repo.root)
    refused(done, "venire.yml: not a plain file")
    assert "root" not in done.err.replace(str(repo.root), "")


@pytest.mark.parametrize("text", ["criteria: /etc/passwd\n", "criteria: ../secret.yml\n", "record: .git/hooks\n"])
def test_a_repository_s_file_names_nothing_outside_the_repository(repo: Repo, silent: str, text: str) -> None:
    repo.write("venire.yml", text)
    refused(venire("audit", "--backend", silent, cwd=repo.root), "venire.yml" if "record" in text else "outside the repository")


def test_a_change_that_no_check_applies_to_is_nothing_to_audit(repo: Repo, silent: str, tmp_path: Path) -> None:
    (tmp_path / "go.yml").write_text("when: {language: [go]}\nbuckets:\n  - name: a\n    checks: [Errors are checked.]\n")
    done = venire("audit", "--backend", silent, "--criteria", tmp_path / "go.yml", "--format", "json", cwd=repo.root)
    assert (done.code, done.json["status"]) == (0, "nothing"), done.err
    assert "no check of the panel applies" in " ".join(done.json["reasons"])
    assert not (repo.root / ".venire").exists()


def test_settings_that_a_resumed_record_cannot_take_are_refused(repo: Repo, tmp_path: Path) -> None:
    deadly = script(tmp_path / "deadly.json", [{"bucket": "correctness", "crash": True}, {"findings": []}])
    venire("audit", "--backend", deadly, "-n", "2", cwd=repo.root)
    (part,) = (repo.root / ".venire/records").glob("*.part")
    refused(venire("audit", "--resume", part, "-n", "3", "--backend", deadly, cwd=repo.root), "--runs cannot go with --resume")


def test_a_file_name_cannot_forge_a_line_of_progress(repo: Repo, silent: str) -> None:
    repo.write("x\nerror: forged.py", CODE)
    done = venire("audit", "--backend", silent, "-n", "1", cwd=repo.root)
    assert done.code == 0
    assert not any(line.startswith("venire: error") for line in done.err.splitlines())


def test_a_mistyped_option_gets_a_suggestion(repo: Repo) -> None:
    refused(venire("audit", "--formt=json", cwd=repo.root), "did you mean --format?")
