"""The rows of the stable-id panel (P…), and the faults of its reference implementation (B…), about samples, votes and reports.

Those about what is asked and how a reply is read are in panel/test_rows.py, P38 is in test_determinism.py.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.asking import judged, panel_reply
from support.cli import script, venire
from support.git import Repo
from support.panels import CODE, Court, Member, finding, reports, score, target, words

from venire.assess import assess
from venire.assess.anchors import lay_out
from venire.assess.findings import place
from venire.assess.labels import labels
from venire.assess.replies import readings
from venire.assess.votes import cast
from venire.errors import BackendFailure
from venire.model import (
    Ask,
    Audit,
    Bucket,
    Check,
    Contract,
    Finding,
    Lane,
    ModelInfo,
    Panel,
    Plan,
    Prompt,
    Record,
    Reply,
    Run,
    Seat,
    Severity,
    Source,
    Vote,
)
from venire.panel import expected, prompts
from venire.record import read
from venire.sample import Backend, Sitting, sample

TWO = "buckets: [{name: security, checks: [First holds., Second holds., Third holds.]}]"
BUCKETS = "buckets: [{name: z, checks: [Zed holds., Zoo holds.]}, {name: a, checks: [Ay holds.]}]"
BROKEN = {"line": 5, "reasoning": "The path is joined into the SQL."}
CLEAN = [{"run": [1, 2, 3, 4, 5], "verdicts": {}}]
SILENT = [{"run": [1, 2, 3, 4, 5], "findings": []}]
QUIET = {"panel": CLEAN, "findings": SILENT}


def votes(record: Record) -> tuple[Vote, ...]:
    return cast(record.prompts, readings(record), labels(record.audit.panel), lambda asked: record.audit.runs(asked.model))


def findings(record: Record) -> list[Finding]:
    """All findings of the record's only target."""
    (about,) = record.targets
    known = labels(record.audit.panel)
    return list(place(readings(record), lay_out(about.lines, about.language), about.lines, known))


def totals(record: Record) -> set[int]:
    return {s.passed + s.failed + s.no_vote for s in assess(record).scores}


# ---------------------------------------------------------------- P24: synthesized votes


def test_p24_a_synthesized_vote_is_flagged_shown_as_no_vote_and_never_a_finding_or_a_region(tmp_path: Path) -> None:
    replies = [{"run": 1, "verdicts": {"check_1": BROKEN, "check_2": None}}, *CLEAN]
    record = Court(tmp_path, [Member("two", replies, "panel")], TWO).record()
    pool = assess(record)

    assert {(v.check, v.run): v.outcome for v in votes(record) if v.source == "synthesized"} == {("check_2", 1): "no_vote"}
    assert {v.outcome for v in votes(record) if v.source == "observed"} == {"pass", "fail"}
    assert [label.check for card in pool.candidates for label in card.labels] == ["check_1"]
    assert score(pool)["security", "check_2"] == (4, 0, 1)
    for form, text in reports(pool).items():
        assert '"no_vote": 1' in text if form == "json" else "1 no vote" in words(text)


def test_p24_runs_without_a_vote_make_no_candidate_whatever_they_said(tmp_path: Path) -> None:
    cut_off = panel_reply(judged(1, False, line='5:     rows = db.run("select " + path)'))[:-1]
    replies = [{"run": [1, 2], "text": cut_off}, {"run": [3, 4], "verdicts": {"check_9": BROKEN}}, {"run": 5, "error": "crashed"}]
    pool = Court(tmp_path, [Member("two", replies, "panel")], TWO).pool()

    assert pool.candidates == ()
    assert score(pool) == {("security", f"check_{n}"): (2, 0, 3) for n in (1, 2, 3)}
    assert not words(reports(pool)["terminal"]).startswith("No candidates")


# ---------------------------------------------------------------- P25: a reviewer stays


@pytest.mark.parametrize("contract", ["findings", "panel"])
@pytest.mark.parametrize(
    ("entry", "reason", "attempts"),
    [
        ({"error": "refused", "message": "connection refused"}, "refused: connection refused", 1),
        ({"error": "timeout", "message": "no reply within 300 s"}, "timeout: no reply within 300 s", 1),
        ({"error": "crashed", "transient": True}, "crashed: scripted crashed", 2),
        ({"delay_ms": 400_000, "text": ""}, "timeout: scripted: no reply within 0.01 s", 1),
    ],
    ids=["refused", "timeout", "crash", "too slow"],
)
def test_p25_a_transport_failure_synthesizes_votes_and_the_reviewer_stays(
    tmp_path: Path, contract: Contract, entry: dict[str, Any], reason: str, attempts: int
) -> None:
    healthy = Member("one", [{"run": [1, 2], "findings": [finding()]}, *SILENT])
    plan = Plan(runs=5, sample_time=0.01)
    record = Court(
        tmp_path, [healthy, Member("two", [{"run": [2, 3, 4, 5], **entry}, *QUIET[contract]], contract)], TWO, plan=plan
    )
    pool = record.pool()

    assert (pool.asked, {s.passed + s.failed + s.no_vote for s in pool.scores}) == (10, {10})
    assert {s.no_vote for s in pool.scores} == {4}
    assert {(f.model, f.attempts, f.reason) for f in pool.failures} == {("two", attempts, reason)}
    assert [m[0] for m in pool.candidates[0].models] == ["one", "two"]


class Stopped:
    """A backend that the user interrupts in its third run."""

    def __init__(self, backend: Backend) -> None:
        self.backend, self.width, self.loads = backend, 1, 1
        self.describe, self.recheck, self.close = backend.describe, backend.recheck, backend.close

    def reply(self, ask: Ask) -> Reply:
        if ask.run == 3:
            raise KeyboardInterrupt
        return self.backend.reply(ask)


@pytest.mark.parametrize("contract", ["findings", "panel"])
def test_p25_a_panel_cancelled_after_2_of_5_runs_keeps_all_its_votes(tmp_path: Path, contract: Contract) -> None:
    with pytest.raises(KeyboardInterrupt):
        Court(tmp_path, [Member("two", QUIET[contract], contract)], TWO).audit(around=Stopped)
    (path,) = (tmp_path / "records").glob("*.part")
    pool = assess(read(path))

    assert (pool.status, pool.asked) == ("unfinished", 5)
    assert set(score(pool).values()) == {(2, 0, 3)}
    assert reports(pool)["terminal"].startswith("UNFINISHED: 2 of 5 runs valid so far, this is not a clean result")


# ---------------------------------------------------------------- P28, P30: anchored to what was asked, and counted


def test_p28_every_check_asked_stands_in_the_order_of_the_file_also_one_nobody_voted_on(tmp_path: Path) -> None:
    one = Member("one", [{"bucket": "z", "error": "refused"}, *SILENT])
    two = Member("two", [{"bucket": "z", "verdicts": {"check_2": None}}, {"bucket": "a", "error": "timeout"}], "panel")
    pool = Court(tmp_path, [one, two], BUCKETS).pool()

    assert list(score(pool).items()) == [
        (("z", "check_1"), (5, 0, 5)),
        (("z", "check_2"), (0, 0, 10)),
        (("a", "check_1"), (5, 0, 5)),
    ]
    contents = {(c.bucket, c.id): c.content for b in pool.audit.panel.buckets for c in b.checks}
    assert [s.content for s in pool.scores] == list(contents.values())


def test_p28_an_empty_panel_has_no_score_and_is_no_pass() -> None:
    header = Audit("a", "venire", "2026-01-02T03:04:05Z", Source("worktree"), Plan(), Panel(()))
    pool = assess(Record(header, (), (target(),), (), (), (), "h", stop="complete"))

    assert (pool.status, pool.scores, pool.candidates) == ("nothing", (), ())
    assert reports(pool)["terminal"].startswith("Nothing to audit\n")


@pytest.mark.parametrize(("support", "runs", "lane"), [(1, 2, Lane.FREQUENT), (2, 5, Lane.REST), (3, 5, Lane.FREQUENT)])
def test_p30_a_check_has_k_of_n_votes_and_a_tie_is_frequent_and_no_majority(
    tmp_path: Path, support: int, runs: int, lane: Lane
) -> None:
    replies = [{"run": n, "findings": [finding(severity="low", problem=f"{n}.")]} for n in range(1, support + 1)] + SILENT
    pool = Court(tmp_path, [Member("one", replies)], TWO, plan=Plan(runs=runs)).pool()
    (candidate,) = pool.candidates

    assert score(pool)["security", "check_1"] == (runs - support, support, 0)
    assert (candidate.support, candidate.valid, candidate.lane) == (support, runs, lane)
    assert candidate.strict.is_kept is (2 * support > runs)
    assert f"{support} of {runs} runs" in words(reports(pool)["markdown"])


def test_p30_one_failing_vote_of_any_reviewer_is_kept_and_never_outvoted(tmp_path: Path) -> None:
    members = [Member(f"m{n}", CLEAN, "panel") for n in range(4)] + [
        Member("m4", [{"run": 3, "verdicts": {"check_1": BROKEN}}, *CLEAN], "panel")
    ]
    pool = Court(tmp_path, members, TWO).pool()

    assert score(pool)["security", "check_1"] == (24, 1, 0)
    assert [(c.support, c.valid) for c in pool.candidates] == [(1, 25)]


# ---------------------------------------------------------------- P32: what the report says of the panel


def court_of_dissent(folder: Path) -> Court:
    one = Member("one", [{"run": [1, 2, 3], "findings": [finding(severity="high")]}, {"run": 4, "text": "prose"}, *SILENT])
    return Court(folder, [one, Member("two", CLEAN, "panel", runs=3)], TWO)


def test_p32_the_json_report_holds_every_member_its_votes_and_why_it_gave_none(tmp_path: Path) -> None:
    report = json.loads(reports(court_of_dissent(tmp_path).pool())["json"])

    assert [(s["model"], s["runs"], s["contract"]) for s in report["audit"]["seats"]] == [
        ("one", 0, "findings"),
        ("two", 3, "panel"),
    ]
    assert report["candidates"][0]["models"] == [{"model": "one", "runs": 3, "valid": 4}, {"model": "two", "runs": 0, "valid": 3}]
    assert [(f["model"], f["run"], f["attempts"]) for f in report["failures"]] == [("one", 4, 4)]
    assert report["failures"][0]["reason"]
    assert [(s["passed"], s["failed"], s["no_vote"]) for s in report["scores"]] == [(4, 3, 1), (7, 0, 1), (7, 0, 1)]


def test_p32_people_are_told_per_model_counts_dissent_and_samples_without_a_vote(tmp_path: Path) -> None:
    pool = court_of_dissent(tmp_path).pool()
    for form in ("terminal", "markdown"):
        text = words(reports(pool)[form]).replace("`", "")
        assert "one 3 of 4, two 0 of 3; dissent: two never points here" in text
        assert "1 failed sample" in text
        assert "one, run 4 (4 attempts)" in text
        assert "security: 18 of 24 votes pass, 3 fail, 3 no vote" in text
        assert "runs of one model are one reviewer, however many" in text


def test_p32_what_is_empty_is_left_out(tmp_path: Path) -> None:
    pool = Court(tmp_path, [Member("one", SILENT)], TWO).pool()
    for form in ("terminal", "markdown"):
        text = words(reports(pool)[form])
        assert not [word for word in ("failed sample", "dissent", "skipped</summary>", "Failed at", "Warnings") if word in text]


@pytest.mark.parametrize("failing", [1, 5])
def test_p32_nobody_is_called_silent_when_a_reviewer_fails_a_check_at_no_line(tmp_path: Path, failing: int) -> None:
    """A verdict without a line makes no candidate, and still is no approval."""
    replies = [{"run": list(range(1, failing + 1)), "verdicts": {"check_2": False}}, *CLEAN]
    pool = Court(tmp_path, [Member("one", SILENT), Member("two", replies, "panel")], TWO).pool()

    assert (pool.status, pool.candidates, score(pool)["security", "check_2"]) == ("complete", (), (10 - failing, failing, 0))
    for form, text in reports(pool).items():
        told = words(text).replace("`", "")
        assert "silent" not in told
        assert f"No candidates, and not clean: {failing} vote" in told
        if form != "json":
            assert f"app.py window 0, security::check_2: {failing} of 10 votes fail (Second holds.)" in told


@pytest.mark.parametrize("contract", ["findings", "panel"])
def test_p32_nothing_is_called_approved_and_silence_is_said_of_a_complete_audit_only(tmp_path: Path, contract: Contract) -> None:
    passing = QUIET[contract]
    for name, replies, is_complete in (("clean", passing, True), ("thin", [{"run": 5, "error": "refused"}, *passing], False)):
        texts = reports(Court(tmp_path / name, [Member("two", replies, contract)], TWO).pool())
        for text in texts.values():
            assert "approve" not in text.lower()
            assert ("No candidates: all 5 runs were silent" in text) is is_complete


# ---------------------------------------------------------------- P35, P37


@pytest.mark.parametrize(("reply", "contract"), [({"verdicts": {}}, "panel"), ({"findings": []}, "findings")])
def test_p35_a_stub_reviewer_says_the_same_of_everything(tmp_path: Path, reply: dict[str, Any], contract: Contract) -> None:
    targets = (target(), target("lib/other.py", CODE * 3))
    record = Court(tmp_path, [Member("stub", [reply], contract)], BUCKETS, targets).record()
    texts = {run.attempts[0].text for run in record.runs}

    assert len(record.runs) == 2 * 2 * 5
    assert len(texts) == (2 if contract == "panel" else 1)  # one a bucket, since it names the ids
    assert {(s.passed, s.failed, s.no_vote) for s in assess(record).scores} == {(5, 0, 0)}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", a__py="x = 1\n")
    return made


def test_p37_nothing_to_review_is_never_a_pass(repo: Repo, tmp_path: Path) -> None:
    silent = script(tmp_path / "silent.json", [{"findings": []}])
    (repo.root / "empty").mkdir()
    empty = venire("audit", "--backend", silent, "empty", cwd=repo.root)
    missing = venire("audit", "--backend", silent, "missing", cwd=repo.root)
    repo.write("a.py", "x = 2\n")
    repo.write("go.yml", "{when: {language: go}, buckets: [{name: a, checks: [A.]}]}")
    unasked = venire("audit", "--backend", silent, "--criteria", "go.yml", "a.py", cwd=repo.root)

    assert empty.out.startswith("Nothing to audit")
    assert (missing.code, missing.out) == (2, "")
    assert unasked.out.startswith("Nothing to audit")
    assert "no check of the panel applies" in unasked.out
    assert not list(repo.root.glob(".venire/records/*.jsonl"))
    assert not [done for done in (empty, missing, unasked) if "No candidates" in done.out + done.err]


# ---------------------------------------------------------------- faults of the reference implementation


def test_b03_a_reply_that_is_refused_leaves_the_greatest_score_as_it_is(tmp_path: Path) -> None:
    replies = [{"run": 1, "text": "prose"}, {"run": 2, "verdicts": {"check_7": True, "check_3": None}}, *CLEAN]
    for contract in ("findings", "panel"):
        record = Court(tmp_path / contract, [Member("two", replies, contract)], TWO).record()
        assert totals(record) == {5}
        assert len(votes(record)) == 3 * 5


def test_b06_a_reviewer_that_never_answers_is_counted_and_named(tmp_path: Path) -> None:
    members = [Member("one", SILENT), Member("two", [{"error": "refused"}], "panel"), Member("three", [{"error": "context"}])]
    pool = Court(tmp_path, members, TWO).pool()

    assert set(score(pool).values()) == {(5, 0, 10)}
    assert pool.status == "inconclusive"
    assert {f.model for f in pool.failures} == {"two", "three"}
    assert [f"app.py, security by {name}: 0 of 5 runs" in " ".join(pool.reasons) for name in ("two", "three")] == [True, True]


STRANGE = """\
buckets:
  - {name: "a::check_1", checks: ["[b] begins with a box."]}
  - {name: "b]", checks: ["[a::check_1] names another bucket."]}
  - {name: "[b", checks: ["Third.", "Fourth."]}
"""


@pytest.mark.parametrize("contract", ["findings", "panel"])
def test_b07_votes_and_labels_stay_in_their_bucket_whatever_names_and_texts_look_like(tmp_path: Path, contract: Contract) -> None:
    said = {"verdicts": {"check_1": BROKEN}} if contract == "panel" else {"findings": [finding()]}
    replies = [
        {"bucket": "b]", "run": [1, 2], **said},
        {"bucket": "[b", "run": 3, **said},
        *QUIET[contract],
    ]
    pool = Court(tmp_path, [Member("m", replies, contract)], STRANGE).pool()

    assert list(score(pool).items()) == [
        (("a::check_1", "check_1"), (5, 0, 0)),
        (("b]", "check_1"), (3, 2, 0)),
        (("[b", "check_1"), (4, 1, 0)),
        (("[b", "check_2"), (5, 0, 0)),
    ]
    assert [(x.bucket, x.check, x.text, x.support) for c in pool.candidates for x in c.labels] == [
        ("b]", "check_1", "[a::check_1] names another bucket.", 2),
        ("[b", "check_1", "Third.", 1),
    ]


def test_b08_a_label_is_never_that_of_the_other_bucket_and_no_vote_counts_twice(tmp_path: Path) -> None:
    replies = [{"bucket": "a", "findings": [finding()]}, *SILENT]
    record = Court(tmp_path, [Member("one", replies)], BUCKETS).record()

    assert score(assess(record)) == {("z", "check_1"): (5, 0, 0), ("z", "check_2"): (5, 0, 0), ("a", "check_1"): (0, 5, 0)}
    assert [x.text for c in assess(record).candidates for x in c.labels] == ["Ay holds."]
    assert len(votes(record)) == len(set(votes(record))) == 15


def test_b09_the_order_of_bucketed_results_is_that_of_the_panel_and_not_of_the_record(tmp_path: Path) -> None:
    replies = [{"bucket": "a", "findings": [finding()]}, {"findings": [finding(6, "check_2"), finding(1)]}]
    record = Court(tmp_path, [Member("one", replies), Member("two", CLEAN, "panel")], BUCKETS).record()
    backwards = replace(record, runs=record.runs[::-1], prompts=record.prompts[::-1])

    assert reports(assess(backwards)) == reports(assess(record))
    assert [(s.bucket, s.check) for s in assess(record).scores] == [("z", "check_1"), ("z", "check_2"), ("a", "check_1")]


@dataclass
class Heard:
    """What a backend was asked; it passes everything on."""

    backend: Backend
    asks: list[Ask] = field(default_factory=list)
    width: int = 1
    loads: int = 1

    def __post_init__(self) -> None:
        self.describe, self.recheck, self.close = self.backend.describe, self.backend.recheck, self.backend.close

    def reply(self, ask: Ask) -> Reply:
        if ask.run:
            self.asks.append(ask)
        return self.backend.reply(ask)


def listened(court: Court) -> tuple[Record, list[Ask]]:
    ears: list[Heard] = []
    record = court.record(around=lambda backend: ears.append(Heard(backend)) or ears[-1])  # type: ignore[func-returns-value]
    return record, [ask for ear in ears for ask in ear.asks]


@pytest.mark.parametrize(
    ("entry", "attempts"),
    [
        ({"text": "prose"}, 4),
        ({"verdicts": {"check_2": None}}, 4),
        ({"error": "refused"}, 1),
        ({"error": "status", "transient": True}, 2),
    ],
)
def test_b12_the_attempts_told_are_those_that_were_made_and_each_has_the_whole_time(
    tmp_path: Path, entry: dict[str, Any], attempts: int
) -> None:
    court = Court(tmp_path, [Member("two", [{"run": 2, **entry}, *CLEAN], "panel")], TWO, plan=Plan(runs=3, sample_time=7.0))
    record, asks = listened(court)
    pool = assess(record)

    assert [ask.attempt for ask in asks if ask.run == 2] == list(range(1, attempts + 1))
    assert {ask.deadline for ask in asks} == {7.0}
    assert [f.attempts for f in pool.failures] == [attempts]
    assert f"run 2 ({attempts} attempt{'s' if attempts > 1 else ''}): " in words(reports(pool)["terminal"])


def test_b14_order_and_size_come_from_what_is_asked_and_not_from_the_votes_that_came(tmp_path: Path) -> None:
    """A bucket, and a model, from which nothing ever came, between others from which something did."""
    dead = [{"bucket": "z", "error": "refused"}]
    pools = [
        Court(tmp_path / str(n), [Member("one", [*dead[:n], *SILENT]), Member("two", [*dead, *CLEAN], "panel")], BUCKETS).pool()
        for n in (0, 1)
    ]

    assert [[(s.bucket, s.check) for s in pool.scores] for pool in pools] == [
        [("z", "check_1"), ("z", "check_2"), ("a", "check_1")]
    ] * 2
    assert [list(score(pool).values()) for pool in pools] == [[(5, 0, 5), (5, 0, 5), (10, 0, 0)], [(0, 0, 10)] * 2 + [(10, 0, 0)]]


def test_b15_the_retry_and_the_synthesis_are_driven_to_their_ends(tmp_path: Path) -> None:
    replies = [
        {"run": 1, "attempt": [1, 2, 3], "text": "prose"},
        {"run": 2, "attempt": 1, "verdicts": {"check_2": None, "check_1": BROKEN}},
        {"run": 2, "verdicts": {"check_1": None, "check_3": None}},
        {"run": 3, "verdicts": {"check_2": None, "check_9": True, "check_1": BROKEN}},
        *CLEAN,
    ]
    record, asks = listened(Court(tmp_path, [Member("two", replies, "panel")], TWO, plan=Plan(runs=3)))
    third = [ask for ask in asks if ask.run == 3]

    assert [(run.status, len(run.attempts)) for run in record.runs] == [("valid", 4), ("valid", 2), ("failed", 4)]
    assert [len(ask.messages) for ask in third] == [2, 4, 4, 4]
    assert {ask.messages[3][1].split("\n")[0] for ask in third[1:]} == {
        "Your response is missing ids: [check_2]. Extra ids: [check_9]. Please return exactly: [check_1, check_2, check_3]."
    }
    assert [v.check for v in votes(record) if v.source == "synthesized"] == ["check_2"]
    assert score(assess(record)) == {
        ("security", "check_1"): (1, 2, 0),
        ("security", "check_2"): (2, 0, 1),
        ("security", "check_3"): (3, 0, 0),
    }
    assert [(c.support, c.valid) for c in assess(record).candidates] == [(2, 3)]


# ---------------------------------------------------------------- random faults on random runs

PANEL = Panel(
    tuple(
        Bucket(
            name,
            tuple(Check(name, f"check_{n}", f"{name}-{n}", f"{name} {n}.", Severity.LOW, f"{name}-{n}") for n in range(1, 4)),
        )
        for name in ("[x] y", "a::check_1")
    )
)
ABOUT = target()
SEATS = (Seat("one", "scripted", runs=2), Seat("two", "scripted", runs=3, contract="panel"))
ASKED = [p for s in SEATS for p in prompts(ABOUT, PANEL, Plan(), s.model, s.contract)]
LINES = ("none", "1: import db", '5:     rows = db.run("select " + path)', "6:     return rows[1]", "99: no")
FAILURES = [
    BackendFailure(kind, "scripted", is_transient=t)
    for kind in ("refused", "timeout", "length", "crashed")
    for t in (False, True)
]

ids = st.sampled_from(["check_1", "check_2", "check_3", "check_1", "check_2", "check_3", "check_9", "other", "Check_1", ""])
entries = st.builds(
    lambda id_, passed, line: judged(passed=passed, id=id_, line=line),
    ids,
    st.sampled_from([True, False, False, None]),
    st.sampled_from(LINES),
)
claims = st.builds(lambda id_, line: {**finding(check=id_), "line": line}, ids, st.sampled_from(LINES))
whole = st.permutations([1, 2, 3]).flatmap(
    lambda order: st.lists(st.sampled_from([True, True, False]), min_size=3, max_size=3).map(
        lambda passed: panel_reply(*(judged(n, p, line=LINES[2]) for n, p in zip(order, passed, strict=True)))
    )
)
said = {
    "panel": st.one_of(whole, st.lists(entries, max_size=5).map(lambda e: panel_reply(*e)), st.sampled_from(["", "prose", "{}"])),
    "findings": st.one_of(
        st.lists(claims, max_size=3).map(lambda e: json.dumps({"findings": e})), st.sampled_from(["", "prose", '{"findings":[]}'])
    ),
}


@dataclass
class Random:
    """Gives each ask what was drawn for it, in whatever order the asks come."""

    drawn: dict[tuple[str, int, int], str | BackendFailure]
    width: int = 8
    loads: int = 1

    def describe(self) -> ModelInfo:
        return ModelInfo("scripted", "m")

    recheck = describe

    def reply(self, ask: Ask) -> Reply:
        given = self.drawn[ask.bucket, ask.run, ask.attempt] if ask.run else "{}"
        if isinstance(given, BackendFailure):
            raise given
        return Reply(given, given)

    def close(self) -> None:
        """Nothing to let go of."""


@st.composite
def scripts(draw: st.DrawFn, seat: Seat) -> Random:
    reply = st.one_of(said[seat.contract], said[seat.contract], st.sampled_from(FAILURES))
    keys = [(b.name, run, attempt) for b in PANEL.buckets for run in range(1, seat.runs + 1) for attempt in range(1, 5)]
    return Random(dict(zip(keys, draw(st.lists(reply, min_size=len(keys), max_size=len(keys))), strict=True)))


def sampled(backends: Sequence[Random], parallel: int) -> Record:
    runs: list[Run] = []
    sitting = Sitting(runs.append, lambda warmup: None, lambda step: None, lambda: 0.0, lambda seconds: None)
    for seat, backend in zip(SEATS, backends, strict=True):
        own = [prompt for prompt in ASKED if prompt.model == seat.model]
        sample(own, Plan(runs=seat.runs), backend, sitting, parallel=parallel)
    header = Audit("a", "venire", "2026-01-02T03:04:05Z", Source("worktree"), Plan(), PANEL, len(ASKED), SEATS)
    infos = tuple(ModelInfo("scripted", seat.model) for seat in SEATS)
    return Record(header, infos, (ABOUT,), (), tuple(ASKED), tuple(runs), "h", stop="complete")


def keys(prompt: Prompt) -> Iterator[tuple[str, str]]:
    return ((prompt.bucket, id_) for id_ in expected(prompt))


@settings(max_examples=60)
@given(scripts(SEATS[0]), scripts(SEATS[1]), st.sampled_from([1, 3]), st.randoms())
def test_random_faults_change_no_votes_per_check_no_maximum_no_order_and_no_label(
    one: Random, two: Random, parallel: int, order: Any
) -> None:
    record = sampled([one, two], parallel)
    pool = assess(record)
    texts = {(c.bucket, c.id): (c.text, c.content) for b in PANEL.buckets for c in b.checks}

    assert [(s.bucket, s.check) for s in pool.scores] == list(texts)
    assert {s.passed + s.failed + s.no_vote for s in pool.scores} == {5}
    assert [s.content for s in pool.scores] == [content for _, content in texts.values()]
    for label in (label for card in pool.candidates for label in card.labels if label.check != "other"):
        assert (label.text, label.content) == texts[label.bucket, label.check]
    shuffled = list(record.runs)
    order.shuffle(shuffled)
    assert reports(assess(replace(record, runs=tuple(shuffled)))) == reports(pool)


@settings(max_examples=60)
@given(scripts(SEATS[0]), scripts(SEATS[1]), st.sampled_from([1, 3]))
def test_no_synthesized_vote_makes_a_finding_and_what_gave_none_may_as_well_not_have_been_drawn(
    one: Random, two: Random, parallel: int
) -> None:
    record = sampled([one, two], parallel)
    cast_votes = votes(record)
    failing = {(v.model, v.run, v.bucket, v.check) for v in cast_votes if v.outcome == "fail"}
    mute = {(v.model, v.run, v.bucket, v.check) for v in cast_votes if v.source == "synthesized"}
    found = {(*f.run, f.bucket, f.check) for f in findings(record)}

    assert {key for key in found if key[3] != "other"} <= failing
    assert not found & mute
    assert {v.outcome for v in cast_votes if v.source == "synthesized"} <= {"no_vote"}
    assert "no_vote" not in {v.outcome for v in cast_votes if v.source == "observed"}
    spoke = {reading.run.key for reading in readings(record) if reading.verdicts}
    without = assess(replace(record, runs=tuple(run for run in record.runs if run.key in spoke)))
    assert (without.candidates, without.scores) == (assess(record).candidates, assess(record).scores)
