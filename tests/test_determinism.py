"""The same replies give the same bytes, whatever goes wrong, however many samples are in flight, however often it is done."""

import json
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.cli import venire
from support.git import Repo
from support.panels import CODE, CRITERIA, Court, Member, finding, reports, target

from venire.assess import assess
from venire.errors import BackendFailure
from venire.model import Ask, ModelInfo, Plan, Reply
from venire.record import read, verify
from venire.report import FORMS

RUNS, CHECKS = 5, 5
EVERY = [1, 2, 3, 4, 5]

ONE = [
    {"path": "app.py", "bucket": "security", "run": [1], "attempt": 1, "text": '{"findings":['},
    {"path": "app.py", "bucket": "security", "run": [1], "findings": [finding()]},
    {"path": "app.py", "bucket": "security", "run": [2], "error": "timeout", "message": "no reply within 300 s"},
    {"path": "app.py", "bucket": "security", "run": [3], "attempt": 1, "error": "transport", "transient": True},
    {"path": "app.py", "bucket": "security", "run": [3], "findings": [finding(6, severity="high"), finding()]},
    {"path": "app.py", "bucket": "security", "run": [4], "error": "length"},
    {"path": "app.py", "bucket": "security", "run": [5], "findings": [finding(check=f"check_{n}") for n in (3, 2, 1)]},
    {"path": "app.py", "bucket": "logic", "run": [2], "text": "prose"},
    {"path": "app.py", "bucket": "logic", "run": [3], "error": "refused"},
    {"bucket": "logic", "run": [4, 5], "findings": [finding(6, problem="There may be one row only.")]},
    {"path": "long.py", "window": 1, "run": [1, 2, 3], "error": "crashed", "transient": True},
    {"run": EVERY, "findings": []},
]
BROKEN = {"line": 5, "reasoning": "The path is joined into the SQL."}
TWO = [
    {"path": "app.py", "bucket": "security", "run": [1], "attempt": 1, "verdicts": {"check_2": None, "check_1": BROKEN}},
    {"path": "app.py", "bucket": "security", "run": [1], "verdicts": {"check_3": False}},
    {"path": "app.py", "bucket": "security", "run": [2], "verdicts": {"check_3": None, "check_1": BROKEN}},
    {"path": "app.py", "bucket": "security", "run": [3], "text": "prose"},
    {"path": "app.py", "bucket": "security", "run": [4], "attempt": [1, 3], "verdicts": {"check_1": None, "check_2": None}},
    {"path": "app.py", "bucket": "security", "run": [4], "error": "timeout"},
    {"path": "app.py", "bucket": "security", "run": [5], "attempt": 1, "verdicts": {"check_9": True, "check_1": BROKEN}},
    {"path": "app.py", "bucket": "logic", "run": [1], "error": "refused"},
    {"path": "app.py", "bucket": "logic", "run": [2], "attempt": 1, "error": "status", "transient": True},
    {
        "path": "app.py",
        "bucket": "logic",
        "run": [2, 3],
        "verdicts": {"check_1": {"line": 6, "reasoning": "Row 1 may miss."}},
    },
    {"path": "long.py", "run": [5], "error": "length"},
    {"run": EVERY, "verdicts": {}},
]
LONG = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(2))


def slowed(replies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same replies for each run; the later a run begins, the sooner it ends."""
    return [{**entry, "run": n, "delay_ms": RUNS - n} for n in EVERY for entry in replies if n in entry["run"]]


@pytest.fixture
def court(tmp_path: Path) -> Court:
    members = (Member("one", slowed(ONE)), Member("two", slowed(TWO), "panel"))
    return Court(tmp_path, members, targets=(target(), target("long.py", LONG, 60)), plan=Plan(runs=RUNS))


def again(court: Court, name: str) -> Court:
    return Court(court.folder / name, court.members, court.criteria, court.targets, court.plan)


def test_the_panel_meets_every_fault_it_is_said_to_meet(court: Court) -> None:
    """What the tests below rely on: both contracts, two buckets, several windows, and each kind of failure."""
    record = court.record()
    attempts = [attempt for run in record.runs for attempt in run.attempts]
    errors = {attempt.error.partition(":")[0] for attempt in attempts if attempt.error}

    assert errors == {"timeout", "transport", "length", "refused", "crashed", "status"}
    assert {p.contract for p in record.prompts} == {"findings", "panel"}
    assert len({(p.path, p.window) for p in record.prompts}) >= 3
    for words in ("one JSON object", "missing ids: [check_2]", "extra ids: [check_9]", "missing ids: [check_3]"):
        assert any(words.lower() in attempt.fault.lower() for attempt in attempts), words
    assert {(run.status, len(run.attempts)) for run in record.runs} >= {("valid", 1), ("valid", 2), ("failed", 1), ("failed", 4)}
    pool = assess(record)
    assert {score.passed + score.failed + score.no_vote for score in pool.scores} == {2 * RUNS}
    assert pool.candidates


def test_p38_five_times_and_with_1_2_and_8_in_flight_the_reports_and_the_record_have_the_same_bytes(court: Court) -> None:
    found = set()
    for parallel in (1, 2, 8):
        for turn in range(5):
            path = again(court, f"{parallel}-{turn}").audit(parallel=parallel)
            found.add((path.read_bytes(), *reports(assess(read(path)), FORMS).values()))

    assert len(found) == 1


def test_p38_a_server_that_refuses_even_its_warm_ups_changes_nothing_but_the_head(court: Court) -> None:
    """Warm-ups that failed are tried again, more often when samples are drawn one by one, and the record keeps each."""
    gone = [{"run": "0-5", "error": "refused", "transient": True}]
    court = Court(court.folder, (court.members[0], Member("two", gone, "panel")), targets=court.targets, plan=court.plan)
    found = set()
    for parallel in (1, 2, 8):
        record = again(court, f"{parallel}").record(parallel=parallel)
        texts = reports(assess(record), FORMS).values()
        found.add((record.runs, *(text.replace(record.head, "").replace(record.head[:16], "") for text in texts)))

    assert len(found) == 1


@dataclass
class Fragile:
    """An engine that crashes under each first attempt and is loaded again before the next."""

    loads: int = 0
    width: int = 8
    gate: threading.Barrier = field(default_factory=lambda: threading.Barrier(4))

    def describe(self) -> ModelInfo:
        return ModelInfo("fragile", "one")

    recheck = describe

    def reply(self, ask: Ask) -> Reply:
        if ask.run and ask.attempt == 1:
            self.gate.wait(30)
            self.loads = 1
            self.gate.wait(30)
            raise BackendFailure("crashed", "gone", is_transient=True)
        return Reply('{"findings":[]}', '{"findings":[]}')

    def close(self) -> None:
        """Nothing to let go of."""


def test_an_engine_lost_under_several_samples_is_warmed_up_once_and_the_record_stays_whole(tmp_path: Path) -> None:
    court = Court(tmp_path, (Member("one", ()),), criteria="buckets: [{name: a, checks: [A.]}]", plan=Plan(runs=4))
    path = court.audit(parallel=4, around=lambda backend: Fragile())

    assert verify(path).status == "sealed"
    record = read(path)
    assert [(run.number, len(run.attempts), run.status) for run in record.runs] == [(n, 2, "valid") for n in (1, 2, 3, 4)]
    assert len(record.warmups) == 2


# ---------------------------------------------------------------- the command line

VOLATILE = {"id", "started", "head", "ms"}


def essence(value: Any) -> Any:
    """A report without what differs between any two audits, wherever it stands."""
    if isinstance(value, dict):
        is_audit = "started" in value
        return {key: essence(item) for key, item in value.items() if key not in VOLATILE or (key == "id" and not is_audit)}
    return [essence(item) for item in value] if isinstance(value, list) else value


def plain(text: str, report: dict[str, Any]) -> str:
    """A report for people, its volatile words taken out."""
    for word in (report["head"], report["head"][:16], report["audit"]["id"], report["audit"]["started"]):
        text = text.replace(word, "-")
    return re.sub(r"\b\d+\.\d s\b", "- s", text)


def test_p38_by_the_command_line_only_id_start_head_and_time_differ(tmp_path: Path) -> None:
    """Each audit is a process of its own, and so has a hash seed of its own."""
    repo = Repo(tmp_path / "repo")
    repo.commit("first", a__py="x = 1\n")
    repo.write("app.py", CODE)
    repo.write("long.py", LONG)
    repo.write("criteria.yml", CRITERIA)
    rows = []
    for name, replies, contract in (("one", ONE, "findings"), ("two", TWO, "panel")):
        model = {"name": name, "digest": name * 10}
        (tmp_path / f"{name}.json").write_text(json.dumps({"model": model, "replies": [*slowed(replies), {"text": "{}"}]}))
        rows.append(f"  - {{model: {name}, backend: 'scripted:../{name}.json', contract: {contract}}}\n")
    repo.write("venire.yml", f"models:\n{''.join(rows)}criteria: [criteria.yml]\nignore: [venire.yml, criteria.yml]\n")
    found = set()
    for turn, parallel in enumerate((1, 1, 2, 8, 8)):
        folder = tmp_path / f"{turn}"
        done = venire("audit", "--format", "json", "-q", "--parallel", f"{parallel}", "--record", folder, cwd=repo.root)
        assert done.code in (0, 3), done.err
        (record,) = folder.glob("*.jsonl")
        people = [venire("replay", record, "--format", form, cwd=tmp_path).out for form in ("terminal", "markdown")]
        found.add((json.dumps(essence(done.json)), *(plain(text, done.json) for text in people)))

    assert len(found) == 1
    assert {s["passed"] + s["failed"] + s["no_vote"] for s in done.json["scores"]} == {2 * RUNS}
    assert len(done.json["scores"]) == 2 * CHECKS
