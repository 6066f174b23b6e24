"""With trust ``base`` nothing that a change brings along steers its own audit, and every such file is a finding of its own."""

from pathlib import Path

import pytest
from support.cli import Done, venire
from support.git import Repo
from support.judging import ADDED, BEFORE, SQL, audit, backend, decide, found, ids, records, replay, repository

RANGE = ("--diff", "main...change")
CHECKS = "buckets:\n  - name: own\n    checks:\n      - {text: 'The change keeps its promise.', severity: high}\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """main has settings of its own; on ``change`` somebody weakens whatever there is."""
    made = Repo(tmp_path / "repo")
    made.git("config", "user.name", "A. Author")
    made.write("checks/own.yml", CHECKS)
    made.write("venire.yml", "runs: 2\ngate: acknowledge\ncriteria: [checks/]\n")
    made.commit("first", app__py=BEFORE)
    made.git("checkout", "-q", "-b", "change")
    made.write("app.py", BEFORE + ADDED)
    return made


@pytest.fixture
def model(tmp_path: Path) -> str:
    from support.cli import script

    one = {"bucket": "own", "path": "app.py", "findings": [found(SQL)]}
    return script(tmp_path / "replies.json", [one, {"findings": []}])


def call(repo: Repo, model: str, *words: str) -> Done:
    return venire("audit", "--backend", model, "-q", "--format", "json", *words, cwd=repo.root)


def weaken(repo: Repo) -> None:
    repo.write("venire.yml", 'runs: 1\ngate: advisory\ncriteria: [checks/]\nignore: ["**"]\n')
    repo.write("checks/own.yml", CHECKS.replace("The change keeps its promise.", "Everything is fine."))
    repo.commit("weakened")


def test_configuration_and_criteria_are_those_of_the_base_revision(repo: Repo, model: str) -> None:
    weaken(repo)
    done = call(repo, model, *RANGE, "--trust", "base")
    assert done.code == 1, done.err
    report = done.json
    assert (report["asked"], report["gate"]["is_reached"]) == (2, True)
    assert [check["text"] for bucket in report["audit"]["panel"] for check in bucket["checks"]] == [
        "The change keeps its promise."
    ]
    assert (report["altered"], report["trust"]) == (["checks/own.yml", "venire.yml"], "base")


def test_without_it_the_change_has_its_way_and_the_report_says_so(repo: Repo, model: str) -> None:
    weaken(repo)
    report = call(repo, model, *RANGE).json
    assert (report["status"], report["altered"], report["trust"]) == ("nothing", ["checks/own.yml", "venire.yml"], "worktree")


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_every_report_begins_with_the_alarm(repo: Repo, model: str, form: str) -> None:
    weaken(repo)
    done = venire(
        "audit", "--backend", model, "-q", "--format", form, *RANGE, "--trust", "base", cwd=repo.root, env={"COLUMNS": "200"}
    )
    assert done.out.lstrip("*").startswith("THIS CHANGE ALTERS WHAT STEERS ITS OWN AUDIT, 2 files: ")
    assert "those of the base revision were in force" in done.out.split("\n", 1)[0]


def test_a_dismissal_that_the_change_brings_along_counts_for_nothing(repo: Repo, model: str) -> None:
    repo.commit("second")
    one = ids(call(repo, model, *RANGE))[SQL]
    assert decide(repo, one, "dismiss", "--why", "trust me").code == 0
    repo.commit("a convenient decision")
    done = call(repo, model, *RANGE, "--trust", "base")
    assert (done.code, done.json["counts"]["lanes"]["severe"], done.json["altered"]) == (1, 1, [".venire/decisions.yml"])
    assert replay(repo).code == 0
    assert replay(repo, "--trust", "base").code == 1
    assert replay(repo, env={"VENIRE_TRUST": "base"}).json["altered"] == [".venire/decisions.yml"]

    repo.git("checkout", "-q", "main")
    repo.git("checkout", "-q", "change", "--", ".venire/decisions.yml")
    repo.commit("agreed upon")
    repo.git("checkout", "-q", "change")
    assert call(repo, model, *RANGE, "--trust", "base").code == 0


def test_links_put_in_place_of_trusted_files_lead_nowhere(repo: Repo, model: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yml"
    secret.write_text("api_key: 123\n")
    for name in ("venire.yml", "checks/own.yml"):
        (repo.root / name).unlink()
        (repo.root / name).symlink_to(secret)
    repo.commit("links")
    done = call(repo, model, *RANGE, "--trust", "base")
    assert (done.code, done.json["asked"]) == (1, 2)
    assert done.json["altered"] == ["checks/own.yml", "venire.yml"]


def test_criteria_named_by_a_flag_are_the_base_s_when_they_lie_in_the_repository(repo: Repo, model: str, tmp_path: Path) -> None:
    weaken(repo)
    texts = [
        check["text"]
        for words in (("checks/own.yml",), ("./checks",))
        for bucket in call(repo, model, *RANGE, "--trust", "base", "--criteria", *words).json["audit"]["panel"]
        for check in bucket["checks"]
    ]
    assert texts == ["The change keeps its promise."] * 2
    (tmp_path / "mine.yml").write_text(CHECKS.replace("promise", "word"))
    mine = call(repo, model, *RANGE, "--trust", "base", "--criteria", str(tmp_path / "mine.yml")).json
    assert mine["audit"]["panel"][0]["checks"][0]["text"] == "The change keeps its word."


def test_where_there_is_no_base_no_file_of_the_checkout_is_read(repo: Repo, model: str) -> None:
    weaken(repo)
    repo.write("venire.yml", "nonsense: [\n")
    assert venire("criteria", "check", cwd=repo.root).code == 2
    assert venire("criteria", "check", cwd=repo.root, env={"VENIRE_TRUST": "base"}).code == 0
    whole = call(repo, model, "app.py", "--trust", "base")
    assert (whole.code, whole.json["asked"]) == (0, 5)
    refused = call(repo, model, "app.py", "--trust", "base", "--criteria", "checks")
    assert (refused.code, "no base revision to read it from" in refused.err) == (2, True)


def test_a_staged_change_is_audited_under_the_settings_of_head(repo: Repo, model: str) -> None:
    repo.write("venire.yml", "runs: 9\n")
    repo.git("add", "--all")
    done = call(repo, model, "--staged", "--trust", "base")
    assert (done.json["asked"], done.json["altered"]) == (2, ["venire.yml"])
    assert "altered" not in call(repo, model, "--staged", "-n", "1").json


def test_a_change_of_dependencies_is_no_change_of_settings(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    table = "[tool.venire]\nruns = 2\n"
    repo.commit("first", app__py=BEFORE, pyproject__toml=f"[project]\nname = 'a'\n{table}")
    repo.git("checkout", "-q", "-b", "change")
    repo.commit("second", app__py=BEFORE + ADDED, pyproject__toml=f"[project]\nname = 'b'\n{table}")
    model = backend(tmp_path, found(SQL), path="app.py")
    assert "altered" not in call(repo, model, *RANGE, "--trust", "base").json
    for text in ("runs = 1\n", "runs = [\n", ""):
        repo.commit("other", pyproject__toml=f"[project]\nname = 'b'\n[tool.venire]\n{text}" if text else "tool = 3\n")
        report = call(repo, model, *RANGE, "--trust", "base").json
        assert (report["altered"], report["asked"]) == (["pyproject.toml"], 2), text


def test_a_replay_outside_any_repository_says_that_nothing_was_read(repo: Repo, model: str, tmp_path: Path) -> None:
    repo.commit("second")
    call(repo, model, *RANGE)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "venire.yml").write_text("gate: acknowledge\n")
    done = venire("replay", records(repo)[-1], "--trust", "base", "--format", "json", cwd=elsewhere)
    assert done.code == 0
    assert "this is no repository, so no configuration file and no decisions of it were read" in done.err


def test_trust_worktree_is_the_default_and_anything_else_is_refused(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    done = audit(repo, backend(tmp_path), *RANGE, "--trust", "head")
    assert (done.code, "--trust: trust must be one of worktree, base" in done.err) == (2, True)
