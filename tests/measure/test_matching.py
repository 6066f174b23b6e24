"""The findings two runs share are as many as can be paired, whatever their order."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cells import Said, cell
from support.plainly import largest

from venire.measure.matching import matched, shared
from venire.measure.table import REACH, Key, table

RUN = st.lists(st.tuples(st.integers(-2, 14), st.sampled_from("AB")), max_size=6)
KEYS: tuple[Key, ...] = ("line0", "line2", "line5")


def pairs(one: list[Said], two: list[Said], key: Key) -> int:
    return int(matched(table(cell([one, two])), key)[0, 1])


def by_permutation(one: list[Said], two: list[Said], reach: int) -> int:
    """Try every order in which the shorter run's findings can be given to the longer's."""
    short, long_ = sorted((sorted(set(one)), sorted(set(two))), key=len)
    orders = permutations(long_, len(short))
    return max(sum(a[1] == b[1] and abs(a[0] - b[0]) <= reach for a, b in zip(short, order, strict=True)) for order in orders)


@pytest.mark.parametrize("key", KEYS)
@given(one=RUN, two=RUN)
def test_it_is_the_best_of_all_assignments(key: Key, one: list[Said], two: list[Said]) -> None:
    assert pairs(one, two, key) == by_permutation(one, two, REACH[key])


@pytest.mark.parametrize("key", KEYS)
@given(runs=st.lists(RUN, max_size=7))
def test_all_pairs_of_a_cell_are_matched_at_once_as_each_alone(key: Key, runs: list[list[Said]]) -> None:
    both = matched(table(cell(runs)), key)

    for i, one in enumerate(runs):
        for j, two in enumerate(runs):
            fits = lambda a, b: a[1] == b[1] and abs(a[0] - b[0]) <= REACH[key]  # noqa: E731
            assert both[i, j] == largest(sorted(set(one)), sorted(set(two)), fits)


def test_a_greedy_first_match_would_lose_one() -> None:
    """Line 3 taken by the first that may have it leaves line 1 alone."""
    assert pairs([(3, "A"), (1, "A")], [(3, "A"), (5, "A")], "line2") == 2


def test_equal_lines_of_other_labels_do_not_match() -> None:
    assert pairs([(3, "A")], [(3, "B")], "line5") == 0


def test_the_reach_is_included() -> None:
    assert [pairs([(3, "A")], [(line, "A")], "line2") for line in (5, 6)] == [1, 0]


@given(runs=st.lists(RUN, max_size=7))
def test_without_reach_matching_is_what_both_name(runs: list[list[Said]]) -> None:
    at = table(cell(runs))

    assert (shared(at.ballots["line0"]) == matched(at, "line0")).all()


def test_many_runs_of_many_findings_are_matched_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [[((7 * run + 3 * n) % 40, "AB"[n % 2]) for n in range(run % 9)] for run in range(30)]
    whole = matched(table(cell(runs)), "line5")
    monkeypatch.setattr("venire.measure.matching.ROOM", 50)

    assert (matched(table(cell(runs)), "line5") == whole).all()
