"""Two hundred random cells, with every figure computed a second time in plain Python; and what must hold for any cell."""

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from support import plainly
from support.cells import LABELS, cell, random_cell, truth

from venire.measure import measure, study
from venire.model import Cell, Estimate, Study, Truth

SEEDS = range(200)


@cache
def examined(seed: int) -> tuple[Cell, tuple[Truth, ...], Study]:
    made, truths = random_cell(seed)
    return made, truths, study(made, truths)


def same(one: float | None, two: float | None) -> bool:
    return one == two if one is None or two is None else one == pytest.approx(two, abs=1e-12)


def holds(estimate: Estimate, value: float | None) -> bool:
    return same(estimate.value, value)


@pytest.mark.parametrize("seed", SEEDS)
def test_agreement_is_that_of_the_plain_count(seed: int) -> None:
    made, _, found = examined(seed)
    figures = found.reliability

    assert (figures.runs, figures.valid) == (len(made.draws), sum(d.is_valid for d in made.draws))
    assert figures.empty == sum(not plainly.keys(d) for d in made.draws)
    assert figures.mean_findings == pytest.approx(plainly.mean(len(plainly.keys(d)) for d in made.draws))
    for agreement, reach in zip(figures.agreements, (0, 2, 5), strict=False):
        everyone, spoken = plainly.agreement(made, reach)
        assert holds(agreement.all, everyone), agreement
        assert holds(agreement.spoken, spoken), agreement
    assert holds(figures.agreements[3].all, plainly.region_agreement(made))
    assert holds(figures.alpha, plainly.alpha(made))


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_intervals_are_those_of_the_plain_bootstrap(seed: int) -> None:
    made, truths, found = examined(seed)
    values = plainly.validity(made, truths)

    generator = random.Random(12345)

    for agreement, reach in zip(found.reliability.agreements, (0, 2, 5), strict=False):
        assert agreement.all.interval == pytest.approx(plainly.pair_interval(made, reach, generator))
    assert found.validity is not None
    for name, estimate in (
        ("precision", found.validity.precision),
        ("recall", found.validity.recall),
        ("false", found.validity.false_positives),
    ):
        expected = plainly.run_interval(values[name], generator)  # type: ignore[arg-type]
        assert (not truths and name != "false") or estimate.interval == pytest.approx(expected), name


@pytest.mark.parametrize("seed", SEEDS)
def test_validity_is_that_of_the_plain_count(seed: int) -> None:
    made, truths, found = examined(seed)
    figures = found.validity
    expected = plainly.validity(made, truths)

    assert figures is not None
    for estimate, name in (
        (figures.precision, "precision"),
        (figures.recall, "recall"),
        (figures.recall_by_line, "by_line"),
        (figures.false_positives, "false"),
    ):
        value = plainly.mean(v for v in expected[name] if v is not None)  # type: ignore[attr-defined]
        assert holds(estimate, value if truths or name == "false" else None), name
    assert set(figures.found) == expected["found"]
    assert set(figures.found_by_line) == expected["found_by_line"]
    assert set(figures.drifted) == expected["drifted"]


@pytest.mark.parametrize("seed", SEEDS)
def test_surfaces_are_those_of_the_plain_count(seed: int) -> None:
    made, truths, found = examined(seed)
    surfaces = {surface.key: surface for surface in found.surfaces}
    runs = len(made.draws)

    for key, reach in plainly.REACHES.items():
        expected = plainly.line_points(plainly.clusters(made, truths, reach), len(truths), runs)
        assert [(p.hits, p.false, p.missed, p.survivors) for p in surfaces[key].points] == expected, key
    for key in ("statement", "region"):
        expected_ = plainly.place_points(plainly.places(made, truths, key), truths, runs)
        assert [(p.hits, p.false, p.missed, p.survivors, p.duplicates) for p in surfaces[key].points] == expected_, key
    for surface in surfaces.values():
        assert [p.k for p in surface.points] == list(range(1, runs + 1))
        assert all(0 <= p.duplicates <= p.survivors - p.false for p in surface.points)


def shuffled(made: Cell, seed: int) -> Cell:
    rng = random.Random(seed)
    draws = [replace(d, sightings=tuple(rng.sample(d.sightings, len(d.sightings)))) for d in made.draws]
    rng.shuffle(draws)
    return replace(made, draws=tuple(draws))


def points(found: Study) -> object:
    """Everything but the intervals, whose resamples pick runs by position."""
    r, v = found.reliability, found.validity
    assert v is not None
    return (
        *(round(value, 12) if value is not None else None for a in r.agreements for value in (a.all.value, a.spoken.value)),
        *(round(e.value, 12) if e.value is not None else None for e in (v.precision, v.recall, v.recall_by_line, r.alpha)),
        (
            r.runs,
            r.valid,
            r.empty,
            r.mean_findings,
            v.false_positives.value,
            v.found,
            v.found_by_line,
            v.drifted,
            v.pooled_recall,
        ),
        (found.surfaces, found.pivots, found.bars, found.unseen, found.warnings),
    )


@pytest.mark.parametrize("seed", range(60))
def test_the_order_of_runs_and_findings_changes_nothing(seed: int) -> None:
    made, truths, found = examined(seed)

    assert points(study(shuffled(made, seed), truths)) == points(found)


@pytest.mark.parametrize("seed", range(60))
def test_one_more_run_never_lowers_a_count(seed: int) -> None:
    made, truths = random_cell(seed)
    growing = [study(replace(made, draws=made.draws[:n]), truths) for n in range(1, len(made.draws) + 1)]

    for less, more in pairwise(growing):
        assert less.validity is not None
        assert more.validity is not None
        assert set(less.validity.found) <= set(more.validity.found)
        assert set(less.validity.drifted) <= set(more.validity.drifted)
        assert (less.validity.pooled_recall or 0) <= (more.validity.pooled_recall or 0)
        votes = {(bar.line, bar.label): bar.support for bar in more.bars}
        assert all(bar.support <= votes[bar.line, bar.label] for bar in less.bars)
        for one, two in zip(less.surfaces, more.surfaces, strict=True):
            assert all(a.hits <= b.hits for a, b in zip(one.points, two.points, strict=False)), one.key


def test_nothing_is_judged_without_truths() -> None:
    found = study(cell([[(3, "A")], [(3, "A")], [(4, "A")], []]))

    assert found.validity is None
    assert found.surfaces == ()
    assert not any(bar.is_seeded for bar in found.bars)


def test_a_cell_without_text_has_no_figure_that_rests_on_statements() -> None:
    found = study(cell([[(3, "A")]] * 5 + [[(4, "A")]] * 2, is_placed=False), [truth(3, 3, "A")])

    assert [a.key for a in found.reliability.agreements] == ["strict", "relaxed2", "relaxed5"]
    assert found.reliability.alpha == Estimate(None)
    assert [s.key for s in found.surfaces] == ["line0", "line2", "line5"]
    assert [s.exam for s in found.surfaces] == [None] * 3
    assert found.validity is not None
    assert found.validity.pooled_recall is None
    assert "text is not known" in found.unseen.refused


def test_a_cell_without_runs_is_empty_not_wrong() -> None:
    found = study(cell([]), [truth(3, 3, "A")])

    assert found.reliability.runs == 0
    assert found.validity is not None
    assert found.validity.recall.value is None
    assert all(surface.points == () for surface in found.surfaces)


def test_a_silent_run_has_no_precision_and_does_not_lower_it() -> None:
    found = study(cell([[(3, "A")], [], []]), [truth(3, 3, "A")]).validity

    assert found is not None
    assert found.precision.value == 1.0
    assert found.recall.value == pytest.approx(1 / 3)


def test_an_invalid_run_counts_as_silent_but_not_in_alpha() -> None:
    valid = [[(3, "A")], [(3, "A")], [(9, "B")]]
    found = study(cell([*valid, None]))

    assert (found.reliability.runs, found.reliability.valid, found.reliability.empty) == (4, 3, 1)
    assert found.reliability.alpha.value == study(cell(valid)).reliability.alpha.value
    assert "1 of 4 runs gave no valid reply and count as silent" in found.warnings


def test_what_an_invalid_run_said_is_not_heard() -> None:
    made = cell([[(3, "A")], [(3, "A")], [(9, "B")]])
    deaf = replace(made, draws=(*made.draws[:2], replace(made.draws[2], is_valid=False)))
    found = study(deaf, [truth(9, 9, "B")])

    assert [(bar.label, bar.line) for bar in found.bars] == [("A", 3)]
    assert (found.reliability.empty, found.validity and found.validity.found) == (1, ())


def test_warnings_of_few_runs_even_numbers_and_copies() -> None:
    said = [[(3, "A")]] * 2
    few = study(cell(said, digests=["x", "x"])).warnings
    odd = study(cell([[(3, "A")]] * 5, digests=list("vwxyz"))).warnings

    assert [w.split(":")[0] for w in few] == ["2 runs", "2 runs", "all 2 replies are the same bytes"]
    assert odd == ()


def test_one_run_is_not_called_a_copy_of_itself() -> None:
    assert [w.split(":")[0] for w in study(cell([[(3, "A")]], digests=["x"])).warnings] == ["1 runs"]


def test_a_target_without_truths_is_said_to_count_as_clean() -> None:
    found = measure([cell([[(3, "A")]] * 5)], [truth(3, 3, "A", target="other.py")])

    assert "no truth is about app.py" in found.studies[0].warnings[0]
    assert found.warnings == ("no run is about other.py, which the truth file names",)


def test_findings_one_vote_from_the_majority_are_pointed_out() -> None:
    runs = [[(3, "A"), (9, "B")]] * 2 + [[(3, "A")], [(15, "C")], []]
    strict = [(p.label, p.line, p.support, p.majority) for p in study(cell(runs)).pivots if p.key == "line0"]

    assert strict == [("A", 3, 3, 3), ("B", 9, 2, 3)]


def test_half_of_an_even_number_is_no_majority() -> None:
    strict = [(p.support, p.majority) for p in study(cell([[(3, "A")]] * 2 + [[]] * 2)).pivots if p.key == "line0"]

    assert strict == [(2, 3)]


def test_bars_are_all_findings_and_tell_the_seeded_ones() -> None:
    runs = [[(4, "A"), (9, "B")], [(4, "A"), (4, "B")], [(4, "A")]]
    bars = [(b.label, b.line, b.support, b.is_seeded) for b in study(cell(runs), [truth(6, 6, "A")]).bars]

    assert bars == [("A", 4, 3, True), ("B", 4, 1, False), ("B", 9, 1, False)]
    assert set(LABELS) >= {label for label, *_ in bars}
