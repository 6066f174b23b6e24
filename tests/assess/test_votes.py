"""Every check gets one vote a run; silence is a no_vote, never evidence."""

from hypothesis import given
from hypothesis import strategies as st
from support.places import PANEL, attempt, claim, failed, prompt, prompts, record, reply, run, target

from venire.assess import assess
from venire.assess.labels import labels
from venire.assess.replies import readings
from venire.assess.votes import asked, cast, failures
from venire.model import OTHER, Bucket, Check, Failure, ModelInfo, Panel, Plan, Run, Severity, Vote

ABOUT = target("x = 1\ny = 2\n")
(ASK,) = prompts([ABOUT], PANEL)


def votes(*runs: Run) -> dict[tuple[str, int], tuple[str, str]]:
    """Outcome and source by check and run."""
    heard = readings(record([ABOUT], [ASK], runs))
    return {(vote.check, vote.run): (vote.outcome, vote.source) for vote in cast([ASK], heard, labels(PANEL), lambda asked: 2)}


def test_a_claim_fails_its_check_and_passes_the_others() -> None:
    made = votes(run(ASK, 1, reply(ABOUT, claim(1, "check_2"), claim(2, "check_2"))), run(ASK, 2, reply(ABOUT)))

    assert made["check_2", 1] == ("fail", "observed")
    assert made["check_1", 1] == made["check_2", 2] == ("pass", "observed")
    assert len(made) == 8


def test_a_failed_run_and_one_that_never_started_cast_synthesized_no_votes() -> None:
    made = votes(failed(ASK, 1))

    assert set(made.values()) == {("no_vote", "synthesized")}
    assert len(made) == 8


def test_a_claim_on_other_fails_no_check() -> None:
    made = votes(run(ASK, 1, reply(ABOUT, claim(1, OTHER))))

    assert {outcome for (_, number), (outcome, _) in made.items() if number == 1} == {"pass"}


def test_only_the_checks_a_prompt_allows_are_voted_on() -> None:
    some = prompt(ABOUT, PANEL.buckets[0].checks[1:3])

    assert [check.id for check in asked(some, labels(PANEL))] == ["check_2", "check_3"]


def test_one_id_in_two_buckets_is_two_checks() -> None:
    both = Panel(
        tuple(Bucket(name, (Check(name, "check_1", name, f"{name} holds", Severity.LOW, name),)) for name in ("b::1", "[b] 2"))
    )
    first, second = prompts([ABOUT], both)
    made = record(
        [ABOUT], [second, first], [run(first, 1, reply(ABOUT, claim(1))), run(second, 1, reply(ABOUT))], plan=Plan(1), panel=both
    )
    pool = assess(made)

    assert [(score.bucket, score.content, score.passed, score.failed) for score in pool.scores] == [
        ("b::1", "b::1", 0, 1),
        ("[b] 2", "[b] 2", 1, 0),
    ]
    assert [label.text for label in pool.candidates[0].labels] == ["b::1 holds"]


def test_a_failure_keeps_its_reason_and_its_attempts() -> None:
    heard = readings(record([ABOUT], [ASK], [failed(ASK, 2), run(ASK, 1, reply(ABOUT))]))

    assert failures(heard) == (Failure("app.py", 0, "b", "tiny", 2, 4, heard[1].fault),)


kinds = st.sampled_from(["empty", "claims", "rubbish", "error", "length", "absent"])
TEXTS = {"empty": reply(ABOUT), "claims": reply(ABOUT, claim(1), claim(2, OTHER), claim(1)), "rubbish": "{", "length": "{"}


def made_run(kind: str, number: int, model: str) -> list[Run]:
    if kind == "absent":
        return []
    done = "length" if kind == "length" else "stop"
    last = attempt(TEXTS.get(kind, ""), error="refused: no" if kind == "error" else "", done=done)
    return [Run(ASK.path, ASK.window, ASK.bucket, model, number, (last,), "valid" if kind in ("empty", "claims") else "failed")]


@given(st.lists(st.tuples(kinds, kinds), min_size=1, max_size=6))
def test_the_number_of_votes_is_constant_under_every_fault(faults: list[tuple[str, str]]) -> None:
    """Two models; whatever becomes of the runs, each check's votes add up to runs × models, and no fault makes a finding."""
    models = ("one", "two")
    runs = [
        made for number, pair in enumerate(faults, 1) for name, kind in zip(models, pair, strict=True)
        for made in made_run(kind, number, name)
    ]  # fmt: skip
    infos = tuple(ModelInfo("scripted", name) for name in models)
    pool = assess(record([ABOUT], [ASK], runs, plan=Plan(len(faults)), models=infos))
    valid = sum(kind in ("empty", "claims") for pair in faults for kind in pair)

    assert {score.passed + score.failed + score.no_vote for score in pool.scores} == {pool.asked} == {2 * len(faults)}
    assert {score.no_vote for score in pool.scores} == {pool.asked - valid}
    assert pool.counts.findings == 3 * sum(kind == "claims" for pair in faults for kind in pair)
    assert all(candidate.support <= candidate.valid <= candidate.asked for candidate in pool.candidates)
    assert pool.counts.samples == pool.asked
    assert pool.counts.valid == valid


def test_a_vote_is_a_value_of_its_own() -> None:
    (vote, *_) = cast([ASK], (), labels(PANEL), lambda asked: 1)

    assert vote == Vote("app.py", 0, "tiny", "b", "check_1", 1, "no_vote", "synthesized")
