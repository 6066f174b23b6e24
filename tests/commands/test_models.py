"""Several models on one panel: each asked its own runs, counted apart, and never called independent reviewers."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.cli import Done, script, venire
from support.git import Repo

CODE = 'def find(db, name):\n    q = "SELECT 1 FROM t WHERE name = \'" + name + "\'"\n    return db.execute(q)\n'
JOINED = {"line": 2, "problem": "The name is joined into the SQL.", "check": "check_1", "severity": "high"}
EMPTY = {"line": 3, "problem": "The result may be empty.", "check": "check_1", "severity": "medium"}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", a__py="x = 1\n")
    made.write("app.py", CODE)
    return made


def seats(repo: Repo, first: list[dict[str, Any]], second: list[dict[str, Any]], runs: tuple[int, int] = (5, 3)) -> None:
    for name, replies in (("one", first), ("two", second)):
        (repo.root.parent / f"{name}.json").write_text(json.dumps({"model": {"name": name}, "replies": replies}))
    repo.write(
        "venire.yml",
        f"models:\n  - {{model: one, backend: 'scripted:../one.json', runs: {runs[0]}}}\n"
        f"  - {{model: two, backend: 'scripted:../two.json', runs: {runs[1]}}}\nignore: [venire.yml]\n",
    )


def audit(repo: Repo, *words: str) -> Done:
    return venire("audit", "--format", "json", *words, cwd=repo.root)


def test_every_model_votes_with_its_own_runs_and_is_counted_apart(repo: Repo) -> None:
    said = [{"bucket": "security", "run": "1-3", "findings": [JOINED]}, {"findings": []}]
    seats(repo, said, [{"findings": []}])
    done = audit(repo)
    assert done.code == 0, done.err
    (candidate,) = done.json["candidates"]
    assert (candidate["support"], candidate["asked"]) == (3, 8)
    assert candidate["models"] == [{"model": "one", "runs": 3, "valid": 5}, {"model": "two", "runs": 0, "valid": 3}]
    assert {s["passed"] + s["failed"] + s["no_vote"] for s in done.json["scores"]} == {8}
    text = venire("replay", next((repo.root / ".venire/records").iterdir()), cwd=repo.root).out
    assert "one 3 of 5, two 0 of 3; dissent: two never points here" in " ".join(text.replace("┃", " ").split())
    assert "runs of one model are one reviewer" in " ".join(text.split())


def test_a_model_that_cannot_answer_keeps_its_votes_as_no_votes(repo: Repo) -> None:
    seats(repo, [{"bucket": "security", "findings": [JOINED]}, {"findings": []}], [{"error": "refused"}])
    done = audit(repo)
    assert (done.code, done.json["status"]) == (3, "inconclusive")
    assert {(s["passed"] + s["failed"] + s["no_vote"], s["no_vote"]) for s in done.json["scores"]} == {(8, 3)}
    assert "by two: 0 of 3 runs" in " ".join(done.json["reasons"])


def test_several_models_show_their_effective_size(repo: Repo) -> None:
    say = [{"line": n, "problem": f"P{n}.", "check": "check_7", "severity": "low"} for n in (1, 2, 3)]
    first = [{"bucket": "security", "run": r, "findings": say[:r]} for r in (1, 2, 3)] + [{"findings": []}]
    repo.write("app.py", "def a(x):\n    return 1\n\n\ndef b(x):\n    return 2\n\n\ndef c(x):\n    return 3\n")
    say = [{"line": n, "problem": f"P{n}.", "check": "check_7", "severity": "low"} for n in (2, 6, 10)]
    first = [{"bucket": "security", "run": r, "findings": say[:r]} for r in (1, 2, 3)] + [{"findings": []}]
    seats(repo, first, first)
    assert audit(repo).json["effective"] == pytest.approx(1.0, abs=0.1)
    other = [{"bucket": "security", "run": r, "findings": say[3 - r :]} for r in (1, 2, 3)] + [{"findings": []}]
    seats(repo, first, other)
    assert audit(repo).json["effective"] == pytest.approx(2.0)


def test_a_flag_for_one_model_takes_the_place_of_the_list(repo: Repo) -> None:
    seats(repo, [{"findings": []}], [{"findings": []}])
    alone = script(repo.root.parent / "alone.json", [{"findings": []}])
    done = audit(repo, "--model", "alone", "--backend", alone, "-n", "2")
    assert [seat["runs"] for seat in done.json["audit"]["seats"]] == [2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models: one\n", "venire.yml:1: models must be a list of models"),
        ("models: []\n", "no model in models"),
        ("models: [{runs: 3}]\n", "model 1 of models must be a mapping with at least `model`"),
        ("models: [{model: a, rusn: 3}]\n", "model 1 of models: unknown key 'rusn'"),
        ("models: [{model: a, runs: 0}]\n", "model 1 of models: runs must be 1 to 1000"),
        ("models: [{model: a, contract: votes}]\n", "contract must be one of findings, panel"),
        ("models: [{model: a}, {model: a}]\n", "venire.yml:1: a in models"),
    ],
)
def test_a_wrong_list_of_models_is_refused_with_its_place(repo: Repo, text: str, message: str) -> None:
    repo.write("venire.yml", text)
    done = audit(repo)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_killed_panel_of_models_resumes_to_the_same_result(repo: Repo) -> None:
    replies: list[dict[str, Any]] = [{"bucket": "security", "findings": [JOINED]}, {"findings": []}]
    facts = {"name": "two", "digest": "d" * 64}
    seats(repo, replies, replies)
    (repo.root.parent / "two.json").write_text(json.dumps({"model": facts, "replies": [{"run": 2, "crash": True}, *replies]}))
    assert audit(repo).code in (137, -9)
    (record,) = (repo.root / ".venire/records").glob("*.part")
    (repo.root.parent / "two.json").write_text(json.dumps({"model": facts, "replies": replies}))
    refused = venire("audit", "--resume", record, cwd=repo.root)
    assert (refused.code, "--backend scripted:FILE" in refused.err) == (2, True)
