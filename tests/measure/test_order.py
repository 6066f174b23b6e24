"""The places of a file under three keys, from the same runs, and the same runs again when fewer are taken."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import audit, claim, failed, prompts, record, reply, run, target

from venire.assess import assess
from venire.errors import UsageError
from venire.measure.order import Key, Place, of_pool, of_record, restrict
from venire.measure.ranking import rank, rank_records
from venire.model import Mutant, Plan, Record, Seat
from venire.model.panel import Claim

TEXT = "def f(a):\n    b = a\n    c = b\n    d = c\n    e = d\n    g = e\n    return g\n"
KEYS: tuple[Key, ...] = ("line0", "line2", "region")
LINES = st.tuples(st.integers(1, 7), st.sampled_from(["check_1", "check_2", "check_3"]), st.sampled_from(["low", "high"]))
RUNS = st.lists(st.lists(LINES.map(lambda said: claim(*said)), max_size=4), min_size=1, max_size=5)


def audited(runs: list[list[Claim]]) -> Record:
    return audit(TEXT, dict(enumerate(runs, start=1)))


def places(made: Record, key: Key) -> list[tuple[int, int, float]]:
    return [(*place.lines, round(place.share, 3)) for place in of_record(made, key)["app.py"].places]


DRIFTED = audited(
    [[claim(3)], [claim(4)], [claim(3), claim(7, "check_3")], [claim(4)], [claim(7, "check_3")], [claim(7, "check_3")]]
)


def test_votes_on_one_place_are_split_by_lines_and_joined_by_the_other_keys() -> None:
    assert places(DRIFTED, "line0") == [(7, 7, 0.5), (3, 3, 0.333), (4, 4, 0.333)]
    assert places(DRIFTED, "line2") == [(3, 4, 0.667), (7, 7, 0.5)]
    assert places(DRIFTED, "region") == [(3, 4, 0.667), (7, 7, 0.5)]


def test_votes_are_joined_for_one_check_and_from_the_strongest_line_on_only() -> None:
    """Lines 2, 4 and 6 are a chain of steps of two; it does not become one place. Another check never joins."""
    made = audited([[claim(4), claim(2)], [claim(4), claim(6)], [claim(4), claim(5, "check_2")], [claim(7)], [claim(7)]])
    assert places(made, "line2") == [(2, 6, 0.6), (7, 7, 0.4), (5, 5, 0.2)]
    made = audited([[claim(2)], [claim(2)], [claim(4)], [claim(6)]])
    assert places(made, "line2") == [(2, 4, 0.75), (6, 6, 0.25)]


def test_a_severe_finding_comes_first_under_every_key() -> None:
    made = audited([[claim(2)], [claim(2)], [claim(6, severity="high")]])
    assert {key: places(made, key)[0] for key in KEYS} == dict.fromkeys(KEYS, (6, 6, 0.333))


@given(RUNS)
def test_regions_of_a_record_are_those_of_its_pool(runs: list[list[Claim]]) -> None:
    made = audited(runs)
    found, pooled = of_record(made, "region")["app.py"], of_pool(assess(made))["app.py"]
    assert (found.places, found.valid, found.lines) == (pooled.places, pooled.valid, pooled.lines)
    assert set(pooled.shown) <= set(found.shown)


@pytest.mark.parametrize("key", KEYS)
def test_a_record_knows_the_whole_text_that_was_audited(key: Key) -> None:
    found = of_record(audited([[]]), key)["app.py"]
    assert found.is_of(TEXT)
    assert not found.is_of(TEXT.replace("return g", "return a"))


@given(RUNS, st.sampled_from(KEYS), st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_nothing(runs: list[list[Claim]], key: Key, draws: object) -> None:
    made = audited(runs)
    mixed = list(made.runs)
    draws.shuffle(mixed)  # type: ignore[attr-defined]
    assert of_record(replace(made, runs=tuple(mixed)), key) == of_record(made, key)


@given(RUNS, st.sampled_from(KEYS))
def test_every_claimed_line_is_in_a_place_and_no_place_has_more_than_all_runs(runs: list[list[Claim]], key: Key) -> None:
    found = of_record(audited(runs), key)["app.py"]
    assert found.valid == len(runs)
    assert all(0 < place.share <= 1 for place in found.places)
    lines = {row for place in found.places for row in range(place.lines[0], place.lines[1] + 1)}
    assert {said.line for run in runs for said in run} <= lines


@given(RUNS, st.data())
def test_a_record_of_fewer_runs_is_what_fewer_runs_would_have_recorded(runs: list[list[Claim]], data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.integers(1, len(runs)), min_size=1))
    few = restrict(audited(runs), kept)
    assert assess(few) == assess(audited([runs[number - 1] for number in sorted(kept)]))


def test_a_seat_keeps_no_more_runs_than_are_left() -> None:
    made = audited([[claim(2)]] * 5)
    seated = replace(made, audit=replace(made.audit, seats=(Seat("tiny", runs=4), Seat("other", runs=2), Seat("rest"))))
    assert [seat.runs for seat in restrict(seated, range(1, 4)).audit.seats] == [3, 2, 0]


@pytest.mark.parametrize("runs", [[], [0], [1, 4]])
def test_runs_that_were_not_planned_are_refused(runs: list[int]) -> None:
    with pytest.raises(UsageError, match=r"runs .* of 3"):
        restrict(audited([[claim(2)]] * 3), runs)


def test_files_of_one_record_are_told_apart_and_a_failed_one_was_not_heard() -> None:
    clean, broken = target(TEXT, "t0001.py"), target(TEXT, "t0002.py")
    one, other = prompts([clean, broken], audited([[]]).audit.panel)
    made = record([clean, broken], [one, other], [run(one, 1, reply(clean, claim(3))), failed(other, 1)], plan=Plan(runs=1))
    for key in KEYS:
        found = of_record(made, key)
        assert found["t0001.py"].places == (Place((3, 3), 1.0),)
        assert (found["t0002.py"].places, found["t0002.py"].valid) == ((), 0)


def test_records_and_their_pools_give_the_same_ranking() -> None:
    """The drifted place is the third under the strict key and the first under the others."""
    mutant = Mutant("t0001.py", "t0002.py", TEXT, TEXT, "wrong variable", (4, 4), "m.f", "", "")
    files = [target(TEXT, "t0001.py"), target(TEXT, "t0002.py")]
    asked = prompts(files, DRIFTED.audit.panel)
    runs = [replace(one, path=question.path) for question in asked for one in DRIFTED.runs]
    made = record(files, asked, runs, plan=Plan(runs=6))
    pool = assess(made)
    found = {key: rank_records([made], [mutant], "s", key) for key in KEYS}
    assert rank({"t0001.py": pool, "t0002.py": pool}, [mutant], "s") == found["region"]
    assert {key: one.exam.value for key, one in found.items()} == {
        "line0": pytest.approx(2 / 6),  # 7, 3
        "line2": pytest.approx(0.5 / 6),  # 3 or 4
        "region": pytest.approx(0.5 / 6),
    }
    assert {key: one.twin_candidates.value for key, one in found.items()} == {"line0": 3, "line2": 2, "region": 2}
