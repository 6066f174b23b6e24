"""A run counts by its last attempt, parsed again from its text."""

from dataclasses import replace

import pytest
from support.places import PANEL, attempt, audit, claim, prompts, reply, run, target

from venire.assess.replies import read, readings
from venire.model import Attempt, Run

ABOUT = target("x = 1\ny = 2\n")
(ASK,) = prompts([ABOUT], PANEL)
GOOD = reply(ABOUT, claim(2, problem="It is two."))


def heard(*attempts: Attempt, status: str = "valid") -> Run:
    return Run(ASK.path, ASK.window, ASK.bucket, "tiny", 1, attempts, status)  # type: ignore[arg-type]


def test_a_valid_reply_gives_its_claims() -> None:
    reading = read(run(ASK, 1, GOOD), ASK)

    assert [(c.line, c.check, c.problem) for c in reading.claims] == [(2, "check_1", "It is two.")]
    assert reading.is_valid
    assert reading.voter == ("tiny", 1)


def test_the_last_attempt_alone_counts() -> None:
    assert read(heard(attempt("?", fault="bad"), attempt(GOOD)), ASK).is_valid
    assert not read(heard(attempt(GOOD), attempt("?", fault="bad")), ASK).is_valid


@pytest.mark.parametrize(
    ("last", "fault"),
    [
        pytest.param(attempt("", error="timeout: no reply in 300 s"), "timeout: no reply in 300 s", id="backend failure"),
        pytest.param(attempt(GOOD, done="length"), "the reply did not end by itself (length)", id="cut by tokens"),
        pytest.param(attempt(GOOD, error="crashed: gone"), "crashed: gone", id="an error with a text"),
    ],
)
def test_a_reply_that_did_not_arrive_whole_is_none(last: Attempt, fault: str) -> None:
    reading = read(heard(last), ASK)

    assert (reading.claims, reading.fault) == ((), fault)


@pytest.mark.parametrize("text", ["", "[]", "{}", GOOD + GOOD, GOOD.replace("check_1", "check_9"), GOOD.replace('"2: ', '"7: ')])
def test_a_reply_that_breaks_the_contract_is_none_whatever_the_record_calls_it(text: str) -> None:
    reading = read(run(ASK, 1, text), ASK)

    assert not reading.is_valid
    assert reading.fault


def test_a_run_without_attempts_says_why() -> None:
    assert read(heard(status="failed"), ASK).fault == "no reply was asked for"


def test_readings_are_in_the_order_of_their_keys() -> None:
    made = audit("x = 1\n", {1: [], 2: [claim(1)], 3: []})
    backwards = replace(made, runs=made.runs[::-1])

    assert readings(made) == readings(backwards)
    assert [reading.run.number for reading in readings(backwards)] == [1, 2, 3]
