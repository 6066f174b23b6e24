"""How far an audit got is said in plain sentences; clean is said only after a complete one."""

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from support.places import PANEL, claim, failed, prompts, record, reply, run, target

from venire.assess import assess
from venire.assess.standing import RELOAD_MS
from venire.model import ModelInfo, Plan, Pool, Run, Sampling, Skipped, Window

ABOUT = target("x = 1\ny = 2\n")
(ASK,) = prompts([ABOUT], PANEL)
FIVE = Plan(runs=5)


def good(numbers: Iterable[int], *, vary: bool = True) -> list[Run]:
    return [run(ASK, n, reply(ABOUT, claim(1, problem=f"It breaks {n if vary else 0} times."))) for n in numbers]


def pool(runs: Iterable[Run], **fields: object) -> Pool:
    return assess(record([ABOUT], [ASK], runs, **({"plan": FIVE} | fields)))  # type: ignore[arg-type]


def test_all_samples_valid_is_complete_without_reasons_or_warnings() -> None:
    made = pool(good(range(1, 6)))

    assert (made.status, made.reasons, made.warnings, made.valid, made.asked) == ("complete", (), (), 5, 5)


def test_the_time_budget_gives_a_partial_audit_that_says_how_many_runs() -> None:
    made = pool(good(range(1, 4)), stop="max-time")

    assert made.status == "partial"
    assert made.reasons == ("the time budget ended sampling: 3 of 5 runs are complete", "app.py: of 5 samples 2 were not drawn")


def test_failed_samples_and_those_never_drawn_are_told_apart() -> None:
    made = pool([*good(range(1, 4)), failed(ASK, 4)])

    assert made.status == "partial"
    assert made.reasons == ("app.py: of 5 samples 1 gave no valid reply, 1 were not drawn",)
    assert [failure.run for failure in made.failures] == [4]


@pytest.mark.parametrize(("valid", "status"), [(3, "partial"), (2, "inconclusive"), (0, "inconclusive")])
def test_fewer_than_half_of_the_runs_is_inconclusive(valid: int, status: str) -> None:
    made = pool(good(range(1, valid + 1)))

    assert made.status == status
    if status == "inconclusive":
        assert made.reasons[0] == f"app.py, b: {valid} of 5 runs gave a valid reply, fewer than half"


def test_one_thin_prompt_among_good_ones_is_inconclusive_and_named_by_its_lines() -> None:
    about = target("x = 1\ny = 2\n", windows=(Window(0, ((1, 1),)), Window(1, ((2, 2),))))
    asks = prompts([about], PANEL)
    made = assess(record([about], asks, [run(asks[0], n, reply(about)) for n in (1, 2, 3)]))

    assert made.status == "inconclusive"
    assert made.reasons[0] == "app.py lines 2, b: 0 of 3 runs gave a valid reply, fewer than half"
    assert made.valid == 0


def test_an_unfinished_record_says_so_first() -> None:
    made = pool(good([1]), stop=None)

    assert (made.status, made.reasons[0], made.stop) == ("unfinished", "the audit did not finish", "")


def test_a_skipped_file_that_should_have_been_audited_is_a_gap() -> None:
    gap = Skipped("big.py", "too large", "9 MB", is_gap=True)
    made = pool(good(range(1, 6)), skipped=(gap, Skipped("logo.png", "binary")))

    assert (made.status, made.reasons) == ("inconclusive", ("big.py: not audited (too large: 9 MB)",))
    assert [skipped.path for skipped in made.skipped] == ["big.py", "logo.png"]


@pytest.mark.parametrize(
    ("scope", "uncovered", "status"),
    [("changed", ((2, 2),), "inconclusive"), ("changed", ((1, 1),), "complete"), ("file", ((1, 1),), "inconclusive")],
)
def test_changed_lines_that_no_window_shows_are_a_gap(scope: str, uncovered: tuple[tuple[int, int], ...], status: str) -> None:
    about = replace(ABOUT, changed=((2, 2),), uncovered=uncovered)
    made = assess(record([about], [ASK], good(range(1, 6)), plan=Plan(runs=5, scope=scope)))  # type: ignore[arg-type]

    assert made.status == status
    if status == "inconclusive":
        assert made.reasons == (f"app.py: lines {uncovered[0][0]} were not shown to a model",)


def test_nothing_to_audit() -> None:
    made = assess(record([], [], [], skipped=(Skipped("gone.py", "deleted"),)))

    assert (made.status, made.reasons, made.candidates, made.valid) == ("nothing", (), (), 0)


def test_nothing_audited_because_of_a_gap_is_not_nothing_to_audit() -> None:
    assert assess(record([], [], [], skipped=(Skipped("big.py", "too large", is_gap=True),))).status == "inconclusive"


def test_a_panel_that_asks_nothing_is_said() -> None:
    made = assess(record([ABOUT], [], []))

    assert (made.status, made.reasons) == ("nothing", ("no check of the panel applies to the changed files",))


def test_a_file_no_check_applies_to_is_said() -> None:
    notes = target("words\n", "notes.txt", language="text")
    made = assess(record([notes, ABOUT], [ASK], good(range(1, 6)), plan=FIVE))

    assert (made.status, made.warnings) == ("complete", ("notes.txt: no check of the panel applies to it",))
    assert [(item.path, item.asked, item.valid, item.complete_runs) for item in made.coverage] == [
        ("app.py", 5, 5, 5),
        ("notes.txt", 0, 0, 0),
    ]


def test_the_same_bytes_from_every_run_do_not_show_independence() -> None:
    same = good(range(1, 6), vary=False)

    assert pool(same).warnings == ("tiny: independence not shown: all runs gave the same bytes at temperature 0.7",)
    assert pool(same, plan=replace(FIVE, sampling=Sampling(temperature=0.0))).warnings == ()
    assert pool(same, plan=replace(FIVE, sampling=Sampling(pinned=True))).warnings == ()


def test_runs_that_all_find_nothing_are_no_copies() -> None:
    assert pool([run(ASK, n, reply(ABOUT)) for n in range(1, 6)]).warnings == ()


def test_fewer_than_three_valid_runs_is_said_and_an_even_number_is_not() -> None:
    assert pool(good(range(1, 5)), plan=Plan(runs=4)).warnings == ()
    assert pool(good(range(1, 3)), plan=Plan(runs=2)).warnings == (
        "2 runs are valid in every prompt; frequency says little below 3",
    )
    assert pool(good([1]), plan=Plan(runs=1)).warnings == ("1 run is valid in every prompt; frequency says little below 3",)


def test_a_model_that_changed_and_its_own_warnings_are_said_once() -> None:
    infos = tuple(ModelInfo("ollama", "tiny", digest=digest, warnings=("half of it is on the CPU",)) for digest in "aab")
    made = pool(good(range(1, 6)), models=infos)

    assert made.asked == 5
    assert made.warnings == ("tiny: half of it is on the CPU",)
    assert made.status == "inconclusive"
    assert made.reasons == ("tiny: the model changed during the audit (2 digests); its runs are not one sample",)


def test_a_reload_before_a_counted_sample_is_told() -> None:
    runs = good(range(1, 6))
    late = replace(runs[2], attempts=(replace(runs[2].attempts[0], load_ms=RELOAD_MS),))

    assert pool([*runs[:2], late, *runs[3:]]).warnings == ("tiny: the model was loaded again before 1 of the counted samples",)


def test_every_attempt_counts_in_tokens_and_time() -> None:
    counts = pool([*good([1, 2]), failed(ASK, 3)]).counts

    assert (counts.prompt_tokens, counts.reply_tokens, counts.ms) == (6 * 20, 6 * 5, 6 * 40)


# ---------------------------------------------------------------- planted defects

CANARIES = ("H1: value_0 = eval(input()) / 0", "T1: total_0 = eval(input()) / 0")


def planted(*said: tuple[str, ...], plan: Plan = FIVE) -> Pool:
    """Runs of a prompt with canaries; each reports these lines, all of them in words of its own."""
    asked = replace(ASK, schema=ASK.schema.replace('"1: x = 1"', f'"{CANARIES[0]}","1: x = 1"', 1))
    asked = replace(asked, schema=asked.schema.replace('"2: y = 2"', f'"2: y = 2","{CANARIES[1]}"', 1))
    runs = [
        run(asked, number, json.dumps({"findings": [found(line, number) for line in lines]}))
        for number, lines in enumerate(said, 1)
    ]
    return assess(record([ABOUT], [asked], runs, plan=plan))


def found(line: str, number: int) -> dict[str, str]:
    return {"line": line, "problem": f"Run {number} says so.", "check": "check_1", "severity": "low"}


def test_samples_that_miss_both_planted_defects_are_counted_in_a_warning_and_stay_valid() -> None:
    made = planted(CANARIES, CANARIES[:1], CANARIES[1:], (), ("1: x = 1",))

    assert made.warnings == ("tiny: 2 of 5 samples did not report the planted defects",)
    assert (made.status, made.valid, made.failures) == ("complete", 5, ())


def test_planted_defects_are_no_candidates_and_fail_no_check() -> None:
    made = planted(CANARIES, CANARIES, CANARIES, CANARIES, (*CANARIES, "1: x = 1"))

    assert made.warnings == ()
    assert [(card.first, card.support) for card in made.candidates] == [(1, 1)]
    assert [score.failed for score in made.scores if score.check == "check_1"] == [1]


def test_a_sample_without_a_valid_reply_is_not_said_to_miss_them() -> None:
    made = planted(CANARIES, CANARIES, CANARIES, ("3: z",))

    assert not any("planted" in warning for warning in made.warnings)
    assert len(made.failures) == 1
