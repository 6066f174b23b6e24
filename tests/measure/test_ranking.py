"""How far a reader has to read: the formula against enumeration, chance against every shift, figures against a count by hand."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.library import originals
from support.pools import candidate, coverage, pool

from venire.assess.interval import wilson
from venire.errors import UsageError
from venire.measure.mutate import mutations
from venire.measure.order import Heard, Place
from venire.measure.ranking import by_chance, difference, exam, gather, lines_of_code, outcomes, rank
from venire.model import Mutant, Pool

TEXT = (
    "import os\n\n\ndef f(a):\n    '''Says.'''\n    b = a\n    # of a\n    c = b\n    d = c\n    return d\n"  # code: 4 6 8 9 10
)
MUTANT = Mutant("t0001.py", "t0002.py", TEXT, TEXT, "wrong variable", (8, 8), "m.f", "", "")


def expected(blocks: Sequence[Sequence[int]], defect: set[int]) -> Fraction:
    """The share of other lines before the first of the defect, over every order of the lines inside each block."""
    others = sum(line not in defect for block in blocks for line in block)
    orders = list(product(*(list(permutations(block)) for block in blocks)))
    total = 0
    for order in orders:
        lines = [line for block in order for line in block]
        total += min(n for n, line in enumerate(lines) if line in defect)
    return Fraction(total, len(orders) * others)


@st.composite
def readings(draw: st.DrawFn) -> tuple[list[set[int]], set[int], set[int]]:
    """Places that may overlap, a defect, and code of a few lines."""
    code = set(range(1, draw(st.integers(2, 6)) + 1))
    lines = st.sets(st.sampled_from(sorted(code)), min_size=1, max_size=3)
    defect = draw(lines.filter(lambda found: found != code))
    return draw(st.lists(lines, max_size=4)), defect, code


@given(readings())
def test_the_share_read_is_the_mean_over_every_order(drawn: tuple[list[set[int]], set[int], set[int]]) -> None:
    places, defect, code = drawn
    blocks, left = [], set(code)
    for place in places:
        blocks.append(sorted(place & left))
        left -= place
    assert exam(places, defect, code) == pytest.approx(float(expected([*blocks, sorted(left)], defect)))


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_random_order_of_lines_reads_half_before_a_defect_of_one_line(lines: int) -> None:
    code = list(range(1, 7))
    found = [exam([{line} for line in order], set(code[:lines]), set(code)) for order in permutations(code)]
    assert fmean(found) == pytest.approx(1 / (lines + 1))
    assert exam([], set(code[:lines]), set(code)) == pytest.approx(1 / (lines + 1))


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.data())
def test_a_random_order_of_places_of_any_size_reads_half(sizes: list[int], data: st.DataObject) -> None:
    """Whichever line is wrong, and however the code is cut into places."""
    code = list(range(1, max(sum(sizes), 2) + 1))
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    places = [set(code[start : start + size]) for start, size in zip(starts, sizes, strict=True)]
    places += [{line} for line in code if not any(line in place for place in places)]
    wrong = data.draw(st.sampled_from(code))
    assert fmean(exam(order, {wrong}, set(code)) for order in permutations(places)) == pytest.approx(0.5)


def test_simulated_readers_agree_with_the_formula() -> None:
    """A reader that draws lines, over a longer text than can be enumerated."""
    draws = random.Random(7)
    code, places, defect = list(range(40)), [{3, 4, 5}, {20}, {5, 6, 30}], {6, 31}
    counts = []
    for _ in range(20_000):
        seen: list[int] = []
        for block in (*places, set(code)):
            fresh = sorted(block - set(seen))
            seen += draws.sample(fresh, len(fresh))
        counts.append(min(seen.index(line) for line in defect) / 38)
    assert exam(places, defect, set(code)) == pytest.approx(fmean(counts), abs=0.002)


def test_the_best_and_the_worst_that_can_be() -> None:
    code = {1, 2, 3, 4}
    assert exam([{2}], {2}, code) == 0
    assert exam([{1}, {3}, {4}], {2}, code) == 1
    assert exam([], code, code) == 0  # nothing else to read
    with pytest.raises(ValueError, match="no line of code"):
        exam([{1}], {9}, code)


@given(readings())
def test_chance_is_the_share_of_all_shifts(drawn: tuple[list[set[int]], set[int], set[int]]) -> None:
    places, defect, code = drawn
    rows = sorted(code)
    hits = 0
    for shift in range(len(rows)):
        moved = [{rows[(rows.index(line) + shift) % len(rows)] for line in place} for place in places]
        hits += any(place & defect for place in moved)
    assert by_chance(places, defect, rows) == pytest.approx(hits / len(rows))


def test_chance_of_one_line_is_the_share_of_code_that_is_covered() -> None:
    assert by_chance([{1}, {2, 3}, {3}], {9}, range(1, 11)) == pytest.approx(0.3)
    assert by_chance([], {9}, range(1, 11)) == 0
    assert by_chance([set(range(1, 11))], {9}, range(1, 11)) == 1


def test_lines_of_code_are_without_imports_docstrings_comments_and_blank_lines() -> None:
    assert lines_of_code(TEXT) == (4, 6, 8, 9, 10)
    assert lines_of_code("a = '''x\ny\n'''\n(\n)\n") == (1, 4, 5)


def test_every_real_defect_has_a_line_of_code() -> None:
    for original in originals()[::60]:
        for made in mutations(original.text):
            first, last = made.lines
            assert any(first <= row <= last for row in lines_of_code(made.text))


def heard(*places: tuple[int, int], share: float = 0.4, valid: int = 5) -> Heard:
    return Heard(tuple(Place(lines, share) for lines in places), valid)


def test_one_mutant_by_hand() -> None:
    """Read: 4, then 9 and 10; 6 and 8 are left, half of 6 comes first. 3.5 of 4 other lines."""
    (one,) = outcomes({"t0001.py": heard((4, 5), (9, 10)), "t0002.py": heard((4, 4), (6, 6), share=0.6)}, [MUTANT])
    assert one.exam == pytest.approx(3.5 / 4)
    assert (one.places, one.is_pooled, one.is_top) == (2, False, False)
    assert (one.chance_exam, one.chance_pooled, one.chance_top) == (0.5, pytest.approx(0.6), pytest.approx(0.6))
    assert (one.twin_places, one.twin_share, one.unheard) == (2, 0.6, 0)


def test_a_wider_defect_is_reached_sooner_and_by_chance_too() -> None:
    found = {"t0001.py": heard((4, 5), (9, 10)), "t0002.py": heard()}
    (one,) = outcomes(found, [MUTANT], near=2)  # 6, 8, 9 and 10 are the defect
    assert (one.exam, one.is_pooled, one.is_top) == (1.0, True, True)  # the one other line was read first
    assert (one.chance_exam, one.chance_pooled) == (0.2, 1.0)


def test_a_hit_in_the_third_place_is_among_the_first_and_one_in_the_fourth_is_not() -> None:
    (one,) = outcomes({"t0001.py": heard((4, 4), (6, 6), (9, 9), (8, 8)), "t0002.py": heard()}, [MUTANT])
    assert (one.is_pooled, one.is_top) == (True, False)
    assert (one.chance_pooled, one.chance_top) == (pytest.approx(0.8), pytest.approx(0.6))
    (one,) = outcomes({"t0001.py": heard((4, 4), (6, 6), (8, 8), (9, 9)), "t0002.py": heard()}, [MUTANT])
    assert (one.is_pooled, one.is_top) == (True, True)


def test_a_file_without_a_valid_run_is_not_taken_for_a_clean_one() -> None:
    (one,) = outcomes({"t0001.py": heard(valid=0), "t0002.py": heard(valid=0)}, [MUTANT])
    assert (one.exam, one.is_pooled, one.twin_places, one.twin_share, one.unheard) == (0.5, False, None, None, 2)
    ranking = gather([one], "s", "region", 0)
    assert (ranking.mutants, ranking.twins, ranking.unheard, ranking.twin_candidates.value) == (1, 0, 2, None)


def test_a_silent_twin_is_a_clean_one() -> None:
    (one,) = outcomes({"t0001.py": heard(), "t0002.py": heard()}, [MUTANT])
    assert (one.twin_places, one.twin_share) == (0, 0.0)


def audited(path: str, *lines: tuple[int, int, int]) -> Pool:
    """A pool of one file whose cards have these lines and this support, of five runs."""
    rows = TEXT.split("\n")
    cards = [candidate(n, 5, first, path=path, last=last, code=((first, rows[first - 1]),)) for first, last, n in lines]
    made = pool(*cards, runs=5)
    return replace(made, coverage=(coverage(path=path, lines=10, asked=5, valid=5, complete_runs=5),))


def test_pools_are_ranked_in_the_order_of_their_cards() -> None:
    pools = {"t0001.py": audited("t0001.py", (8, 8, 4), (4, 4, 2)), "t0002.py": audited("t0002.py", (4, 4, 3))}
    found = rank(pools, [MUTANT], "small, N = 5")
    assert (found.setting, found.key, found.mutants, found.twins, found.unheard) == ("small, N = 5", "region", 1, 1, 0)
    assert (found.exam.value, found.pooled.value, found.top3.value) == (0, 1, 1)
    assert found.pooled.interval == wilson(1, 1)
    assert found.chance_pooled == pytest.approx(0.4)
    assert (found.candidates.value, found.twin_candidates.value, found.twin_support.value) == (2, 1, 0.6)


def test_a_file_of_the_suite_without_an_audit_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"t0002\.py of the suite was not audited"):
        rank({"t0001.py": audited("t0001.py", (8, 8, 4))}, [MUTANT], "s")


@pytest.mark.parametrize("text", [TEXT + "\n", TEXT.replace("c = b", "c = a"), TEXT.replace("    return d\n", "")])
def test_an_audit_of_another_suite_is_not_counted_for_this_one(text: str) -> None:
    """Names are the same in every suite; a line the report shows, or the number of lines, tells them apart."""
    pools = {"t0001.py": audited("t0001.py", (8, 8, 4)), "t0002.py": audited("t0002.py")}
    with pytest.raises(UsageError, match=r"t0001\.py was audited with another text"):
        rank(pools, [replace(MUTANT, text=text)], "s")


def test_means_have_intervals_that_are_the_same_every_time() -> None:
    found = [
        one
        for n in range(30)
        for one in outcomes({"t0001.py": heard(((4, 4), (6, 6), (8, 8))[n % 3]), "t0002.py": heard()}, [MUTANT])
    ]
    ranking = gather(found, "s", "region", 0)
    assert ranking.exam.value == pytest.approx(fmean(one.exam for one in found))
    low, high = ranking.exam.interval or (1, 0)
    assert 0 <= low < (ranking.exam.value or 0) < high <= 1
    assert gather(found, "s", "region", 0) == ranking
    spread = (fmean((one.exam - (ranking.exam.value or 0)) ** 2 for one in found) / len(found)) ** 0.5
    assert high - low == pytest.approx(2 * 1.96 * spread, rel=0.1)


def test_nothing_measured_has_no_figure() -> None:
    ranking = gather([], "s", "region", 0)
    assert (ranking.exam.value, ranking.pooled.value, ranking.twin_support.value) == (None, None, None)


def test_two_settings_are_compared_mutant_by_mutant() -> None:
    """One is better by a little on every mutant: the difference is sure although each figure is not."""
    silent = {"t0002.py": heard()}
    near = [
        one for _ in range(5) for row in (6, 9) for one in outcomes({"t0001.py": heard((8, 8), (row, row))} | silent, [MUTANT])
    ]
    far = [
        one for _ in range(5) for row in (6, 9) for one in outcomes({"t0001.py": heard((row, row), (8, 8))} | silent, [MUTANT])
    ]
    found = difference(near, far)
    assert found.value == pytest.approx(-0.25)
    assert found.interval == (pytest.approx(-0.25), pytest.approx(-0.25))
    assert difference(far, far).value == 0
    with pytest.raises(ValueError, match="zip"):
        difference(near, far[1:])
