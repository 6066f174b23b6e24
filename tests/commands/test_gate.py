"""The gate, evidence and history on the command line: exit codes, and the last line that gives the reason."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import script, venire
from support.git import Repo
from support.judging import AFTER, LEAK, SQL, audit, backend, decide, found, ids, records, replay, repository


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return repository(tmp_path)


def last(text: str) -> str:
    return text.rstrip("\n").rsplit("\n", 1)[-1]


def test_acknowledge_ends_with_1_until_a_person_has_decided(repo: Repo, tmp_path: Path) -> None:
    repo.write("venire.yml", "gate: acknowledge\n")
    done = audit(repo, backend(tmp_path, found(SQL)))
    one = ids(done)[SQL]
    assert done.code == 1
    assert done.json["gate"] == {"policy": "acknowledge", "is_reached": True, "reasons": done.json["gate"]["reasons"]}
    assert last(done.err) == (
        f"venire: gate acknowledge reached: {one} at app.py:{SQL} (high) has no decision; "
        f"venire decide {one} confirm|dismiss|defer --why TEXT"
    )
    assert replay(repo).code == 1
    assert replay(repo, "--gate", "advisory").code == 0
    assert replay(repo, env={"VENIRE_GATE_PATHS": "lib/**"}).code == 0
    assert replay(repo, "--gate-severities", "low").code == 0

    command = last(done.err).rsplit("; venire ", 1)[1].replace("confirm|dismiss|defer", "confirm").replace("TEXT", "seen")
    assert venire(*command.split(), cwd=repo.root).code == 0
    settled = replay(repo)
    assert (settled.code, settled.json["gate"]["is_reached"]) == (0, False)
    confirmed = replay(repo, "--gate", "evidence")
    assert confirmed.code == 1
    assert "is confirmed by A. Author" in last(confirmed.err)


def test_evidence_marks_the_candidate_and_removes_nothing(repo: Repo, tmp_path: Path) -> None:
    bandit = pytest.importorskip("bandit")
    assert bandit
    sarif = tmp_path / "bandit.sarif"
    command = [Path(sys.executable).parent / "bandit", "-q", "-f", "sarif", "-o", sarif, "app.py"]
    subprocess.run(command, cwd=repo.root, capture_output=True)
    done = audit(repo, backend(tmp_path, found(SQL), found(LEAK, "low", "other")))
    assert done.code == 0
    with_it = replay(repo, "--evidence", sarif, "--gate", "evidence")
    bare = {c["id"]: c for c in done.json["candidates"]}
    assert {c["id"]: {k: v for k, v in c.items() if k != "evidence"} for c in with_it.json["candidates"]} == bare
    (card,) = (c for c in with_it.json["candidates"] if c.get("evidence"))
    assert (card["first"], card["evidence"][0]["tool"], card["evidence"][0]["rule"]) == (SQL, "Bandit", "B608")
    assert with_it.code == 1
    assert "has a finding of Bandit B608" in last(with_it.err)
    assert "evidence: 1 of 1 findings begin in a candidate's statements" in with_it.err
    assert "Bandit B608" in replay(repo, "--evidence", sarif, form="terminal").out
    assert decide(repo, card["id"], "dismiss", "--why", "a constant").code == 0
    assert replay(repo, "--evidence", sarif, "--gate", "evidence").code == 0


def test_a_bad_evidence_file_ends_an_audit_before_any_sample(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "bad.sarif").write_text("{}")
    done = audit(repo, backend(tmp_path, found(SQL)), "--evidence", tmp_path / "bad.sarif")
    assert (done.code, done.out, records(repo)) == (2, "", [])
    assert "bad.sarif: version" in done.err


def test_what_is_new_still_there_or_not_reported_since_an_earlier_record(repo: Repo, tmp_path: Path) -> None:
    assert audit(repo, backend(tmp_path, found(SQL))).code == 0
    (earlier,) = records(repo)
    repo.commit("more", app__py="# a line\n" + AFTER)
    more = backend(tmp_path, found(SQL + 1), found(LEAK + 1, "low", "other"), name="more.json")
    done = audit(repo, more, "--diff", "main...change", "--since", earlier)
    assert {c["first"]: c["since"] for c in done.json["candidates"]} == {SQL + 1: "still", LEAK + 1: "new"}
    assert (
        "Since the earlier audit: 1 new, 1 still there, 0 moved, 0 not reported any more"
        in replay(repo, "--since", earlier, form="terminal").out
    )
    latest = records(repo)[-1]
    back = replay(repo, "--since", latest, record=earlier, form="markdown").out
    assert "Not reported this time: 1 candidate of the earlier audit" in back
    assert "not seen in 1 of 1 run" in back
    assert "fixed" not in back


def test_an_inconclusive_audit_passes_no_gate(repo: Repo, tmp_path: Path) -> None:
    failing = script(tmp_path / "f.json", [{"error": "timeout"}])
    done = audit(repo, failing, "--diff", "main...change", "--gate", "acknowledge")
    assert done.code == 3
    assert last(done.err).startswith("venire: exit code 3: INCONCLUSIVE")
    assert last(done.err).endswith("gate acknowledge is neither reached nor passed")
    half = script(tmp_path / "h.json", [{"bucket": "security", "findings": [found(SQL)]}, {"error": "timeout"}])
    both = audit(repo, half, "--diff", "main...change", "--gate", "acknowledge")
    assert (both.json["status"], both.code) == ("inconclusive", 1)
    assert "gate acknowledge reached" in last(both.err)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("gate: strict", "venire.yml:1: gate must be one of advisory, acknowledge, evidence, not 'strict'"),
        ("gate_severities: [grave]", "venire.yml:1: gate_severities may hold low, medium, high"),
        ("gate_paths: 3", "venire.yml:1: gate_paths must be a list of texts"),
        ("gate_paths: ['!']", "venire.yml:1: gate_paths: "),
        ("trust: base", "venire.yml:1: trust cannot be set in a repository's file"),
        ("decisions: x.yml", "venire.yml:1: decisions cannot be set in a repository's file"),
    ],
)
def test_settings_of_the_gate_are_checked_with_their_place(repo: Repo, tmp_path: Path, line: str, message: str) -> None:
    repo.write("venire.yml", f"{line}\n")
    done = audit(repo, backend(tmp_path))
    assert (done.code, message in done.err) == (2, True), done.err


def test_a_resumed_audit_is_judged_as_well(repo: Repo, tmp_path: Path) -> None:
    crash = script(
        tmp_path / "c.json",
        [{"bucket": "correctness", "crash": True}, {"bucket": "security", "findings": [found(SQL)]}],
        digest="d" * 64,
    )
    audit(repo, crash)
    (part,) = (repo.root / ".venire" / "records").glob("*.part")
    whole = script(tmp_path / "w.json", [{"bucket": "security", "findings": [found(SQL)]}, {"findings": []}], digest="d" * 64)
    words = ("audit", "--resume", part, "--backend", whole, "-q", "--format", "json", "--gate", "acknowledge")
    done = venire(*words, cwd=repo.root)
    assert done.code == 1, done.err
    assert json.loads(done.out)["gate"]["is_reached"]
