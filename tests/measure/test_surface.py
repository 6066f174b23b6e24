"""What a threshold keeps, what it is credited with, and how well support ranks."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cells import LINES, cell, truth
from support.plainly import largest

from venire.measure import study
from venire.measure.credit import one_to_one
from venire.measure.surface import average_precision, exam
from venire.model import Point, Surface, Truth


def surface(key: str, runs: list[list[tuple[int, str]]], *truths: Truth) -> Surface:
    return next(s for s in study(cell(runs), truths).surfaces if s.key == key)


def point(at: Surface, k: int) -> tuple[int, int, int, int, int]:
    p = at.points[k - 1]
    return p.hits, p.false, p.missed, p.survivors, p.duplicates


CREDIT = st.integers(1, 6).flatmap(
    lambda items: st.integers(1, 4).flatmap(
        lambda truths: st.tuples(
            st.lists(st.lists(st.booleans(), min_size=truths, max_size=truths), min_size=items, max_size=items),
            st.lists(st.integers(1, 9), min_size=items, max_size=items),
        )
    )
)


@given(CREDIT)
def test_one_assignment_is_the_largest_at_every_threshold(drawn: tuple[list[list[bool]], list[int]]) -> None:
    rows, votes = drawn
    credit, support = np.array(rows), np.array(votes)
    mates = one_to_one(credit, support)
    given_ = [(item, mate) for item, mate in enumerate(mates.tolist()) if mate >= 0]

    assert all(credit[item, mate] for item, mate in given_)
    assert len({mate for _, mate in given_}) == len(given_)
    for k in range(1, 10):
        kept = [(item, "") for item in range(len(rows)) if votes[item] >= k]
        best = largest(kept, [(n, "") for n in range(len(rows[0]))], lambda a, b: rows[a[0]][b[0]])
        assert sum(votes[item] >= k for item, _ in given_) == best


def test_two_clusters_of_one_defect_are_one_hit_and_a_duplicate() -> None:
    """The split leak of the seed experiment in small: 3 and 2 votes on two lines of one defect."""
    strict = surface("line0", [[(4, "A")]] * 3 + [[(5, "A")]] * 2, truth(4, 5, "A"))

    assert [point(strict, k) for k in (1, 2, 3, 4)] == [(1, 0, 0, 2, 1), (1, 0, 0, 2, 1), (1, 0, 0, 1, 0), (0, 0, 1, 0, 0)]


def test_a_wide_cluster_is_credited_with_two_defects_and_a_region_with_one() -> None:
    runs = [[(5, "A")]] * 3
    two = truth(1, 2, "A"), truth(5, 6, "A")

    assert point(surface("line5", runs, *two), 1)[:3] == (2, 0, 0)
    assert point(surface("region", runs, *two), 1)[:3] == (1, 0, 1)


def test_one_region_over_two_defects_is_credited_with_one() -> None:
    runs = [[(1, "A"), (3, "A")]] * 3
    both = truth(1, 2, "A"), truth(3, 4, "A")

    assert point(surface("statement", runs, *both), 3) == (2, 0, 0, 2, 0)
    assert point(surface("region", runs, *both), 3) == (1, 0, 1, 1, 0)


def test_any_of_a_truths_labels_names_it() -> None:
    assert point(surface("line0", [[(4, "B")]] * 3, truth(4, 4, "A", "B")), 3)[:3] == (1, 0, 0)


def test_the_threshold_itself_is_enough() -> None:
    at = surface("line0", [[(4, "A")]] * 3 + [[]] * 2, truth(4, 4, "A"))

    assert [p.hits for p in at.points] == [1, 1, 1, 0, 0]


def test_average_precision_by_hand() -> None:
    """At 5 runs a false item alone; at 3 a hit joins it: 1/2 · 1/2. At 1 the second hit and a duplicate: 1/2 · 2/4."""
    points = [Point(1, 2, 1, 0, 4, 1), Point(2, 1, 1, 1, 2, 0), Point(3, 1, 1, 1, 2, 0), Point(4, 0, 1, 2, 1, 0)]

    assert average_precision(points, 2) == pytest.approx(1 / 2 * 1 / 2 + 1 / 2 * 2 / 4)
    assert average_precision(points, 0) is None


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.data())
def test_exam_is_the_mean_over_every_order_of_reading(support: list[int], data: st.DataObject) -> None:
    low = data.draw(st.integers(1, len(support)))
    high = data.draw(st.integers(low, len(support)))
    orders = [o for o in permutations(range(len(support))) if all(support[a] >= support[b] for a, b in pairwise(o))]
    before = [min(order.index(n - 1) for n in range(low, high + 1)) for order in orders]

    assert exam(np.array(support), [truth(low, high, "A")]) == pytest.approx(sum(before) / len(orders) / len(support))


def test_exam_by_chance_is_near_a_half_for_one_line() -> None:
    assert exam(np.zeros(LINES, dtype=int), [truth(7, 7, "A")]) == pytest.approx((LINES - 1) / 2 / LINES)
    assert exam(np.zeros(LINES, dtype=int), []) is None
    assert exam(np.zeros(0, dtype=int), [truth(7, 7, "A")]) is None


def test_exam_reads_the_place_whatever_it_is_called() -> None:
    runs = [[(7, "B")]] * 3

    assert surface("line0", runs, truth(7, 7, "A")).exam == 0.0
    assert surface("line0", runs, truth(7, 7, "A")).precision == 0.0


def test_lines_outside_the_file_are_read_by_nobody() -> None:
    runs = [[(-1, "A"), (LINES + 2, "A"), (7, "A")]] * 3

    assert surface("line0", runs, truth(7, 7, "A")).exam == 0.0


def test_truths_of_other_targets_do_not_matter() -> None:
    runs = [[(7, "A")]] * 3
    one, other = truth(7, 7, "A"), truth(9, 9, "A", target="other.py")

    assert study(cell(runs), [one, other]).surfaces == study(cell(runs), [one]).surfaces


def test_every_point_adds_up() -> None:
    for line, label in product((4, 9), "AB"):
        for at in study(cell([[(4, "A"), (line, label)]] * 2 + [[(5, "A")]]), [truth(4, 4, "A")]).surfaces:
            assert all(p.hits + p.missed == 1 for p in at.points)
            assert all(p.survivors == p.false + p.duplicates + p.hits for p in at.points)
