"""The figures of a results table, on cells small enough to count by hand, and beside an oracle that tries everything."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.recount import tables
from venire.recount.cells import Cell, Key, Spot, Truth

LEAK = Truth("leak", 4, 5, frozenset({"leak", "b::check_1"}))
SQL = Truth("sql", 9, 9, frozenset({"sql"}))
CODE = "import os\n\n\ndef f(a):\n    b = a\n    c = b\n    d = c\n    # note\n    e = d\n    return e\n"


def cell(*runs: set[Key], truths: tuple[Truth, ...] = (LEAK, SQL), cards: tuple[tuple[Spot, ...], ...] = ()) -> Cell:
    return Cell("c", "app.py", tuple(map(frozenset, runs)), tuple(True for _ in runs), CODE, truths, cards=cards)


def spot(*spans: tuple[int, int], runs: int = 1, label: str = "leak") -> Spot:
    return Spot(spans, frozenset({label}), frozenset(("m", n) for n in range(runs)))


def test_agreement_is_over_pairs_and_silent_runs_agree() -> None:
    runs = {(1, "x"), (5, "x")}, {(2, "x")}, set(), set()

    assert tables.jaccard(frozenset(runs[0]), frozenset(runs[1]), 1) == 0.5
    assert tables.agreement(cell(*runs), 1) == pytest.approx((0.5 + 0 * 4 + 1) / 6)
    assert tables.agreement(cell(*runs), 1, spoken=True) == 0.5
    assert tables.agreement(cell({(1, "x")})) == 1.0


def test_matching_is_the_largest_not_the_first() -> None:
    """Taking the nearest first leaves one pair; two can be made."""
    assert tables.matched({(3, "x"), (5, "x")}, {(4, "x"), (6, "x")}, 2) == 2
    assert tables.matched({(4, "x"), (2, "x")}, {(4, "x"), (6, "x")}, 2) == 2
    assert tables.matched({(1, "x")}, {(1, "y")}, 5) == 0


@given(*(st.frozensets(st.tuples(st.integers(1, 9), st.sampled_from("xy")), max_size=4) for _ in range(2)), st.integers(0, 3))
def test_matching_finds_what_trying_every_order_finds(a: frozenset[Key], b: frozenset[Key], near: int) -> None:
    def fits(left: Key, right: Key | None) -> bool:
        return right is not None and left[1] == right[1] and abs(left[0] - right[0]) <= near

    padded: list[Key | None] = [*b, *[None] * len(a)]
    best = max(sum(map(fits, a, order)) for order in permutations(padded, len(a)))
    assert tables.matched(a, b, near) == tables.matched(b, a, near) == best


def test_a_key_credits_the_first_truth_and_a_run_each_truth_once() -> None:
    one = cell({(4, "leak"), (7, "leak"), (3, "b::check_1"), (20, "leak"), (9, "leak")}, set())
    hits, stray = tables.hits(one, one.runs[0])

    assert (hits, stray) == ({LEAK}, 2)
    assert tables.recall(one) == 0.25
    assert tables.precision(one) == pytest.approx(1 / 3)
    assert tables.recall(one, is_strict=False) == 0.5
    assert tables.found_from(one) == {"leak": {3, 4, 7}}
    assert tables.precision(cell(set())) is None
    assert tables.recall(cell({(1, "x")}, truths=())) is None


def test_clusters_are_cut_at_gaps_and_a_run_counts_once_in_each() -> None:
    one = cell({(1, "leak"), (3, "leak")}, {(3, "leak"), (7, "leak")})

    assert tables.clusters(one, 2) == [("leak", [1, 3], 2), ("leak", [7], 1)]
    assert tables.surviving(one, 2, 1) == (1, 0)
    assert tables.surviving(one, 0, 2) == (0, 1)
    assert tables.cluster_support(one, LEAK, 2) == 0
    assert tables.cluster_support(one, Truth("x", 7, 7, frozenset({"leak"})), 0) == 1


def test_support_is_of_the_best_candidate_at_the_defect() -> None:
    cards = ((spot((9, 9), runs=5, label="leak"), spot((9, 9), runs=2, label="sql")), (spot((4, 4), runs=3),))
    one = cell(set(), cards=cards)

    assert (tables.support(one, SQL), tables.named_support(one, SQL), tables.standing(one, SQL)) == (5, 2, 1)
    assert (tables.support(one, LEAK), tables.named_support(one, LEAK), tables.standing(one, LEAK)) == (3, 3, 2)
    assert tables.pooled_recall(one) == 1
    assert tables.pooled_recall(cell(set(), cards=cards[1:])) == Fraction(1, 2)


def test_one_region_pools_one_defect() -> None:
    two = Truth("a", 4, 4, frozenset({"leak"})), Truth("b", 5, 5, frozenset({"leak"}))

    assert tables.pooled_recall(cell(set(), truths=two, cards=((spot((4, 5)),),))) == Fraction(1, 2)


def test_exam_is_the_share_of_the_other_code_read_before_the_defect() -> None:
    """Code is on lines 4 to 7, 9 and 10; the defect on line 9, so five others."""
    assert tables.exam(cell(set()), SQL) == Fraction(1, 2)
    assert tables.exam(cell(set(), cards=((spot((9, 9)),),)), SQL) == 0
    assert tables.exam(cell(set(), cards=((spot((4, 5)),), (spot((9, 10)),))), SQL) == Fraction(2 * 2 + 1, 2 * 5)
    assert tables.exam(cell(set(), cards=((spot((4, 5)),),)), SQL) == (2 + Fraction(3, 2)) / 5
    assert tables.exam(cell(set()), LEAK) == Fraction(4, 3) / 4


def test_exam_by_support_goes_line_by_line() -> None:
    one = cell({(9, "x"), (1, "y")}, {(1, "y"), (2, "z")})

    assert tables.exam_by_support(one, SQL, 0) == (1 + Fraction(1, 2)) / 10
    assert tables.exam_by_support(one, LEAK, 0) == (3 + Fraction(5, 3)) / 10
