"""The statistics and the recount, which share no code, give the same figures of any runs and of any record."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.audits import audits, seal

from venire import model
from venire.model import Record
from venire.record import read
from venire.recount import tables
from venire.recount.cells import Cell, Key, Spot, Truth, recorded

studies = pytest.importorskip("venire.measure.studies")
records = pytest.importorskip("venire.measure.records")

LINES = 14
NEAR = {"strict": 0, "relaxed2": 2, "relaxed5": 5}
SURFACES = {"line0": 0, "line2": 2, "line5": 5}

keys = st.tuples(st.integers(1, LINES), st.sampled_from(("leak", "sql", "x")))
runs = st.lists(st.tuples(st.frozensets(keys, max_size=5), st.booleans() | st.just(True)), min_size=1, max_size=9)
spans = st.tuples(st.integers(1, LINES), st.integers(0, 4), st.sets(st.sampled_from(("leak", "sql", "y")), min_size=1))


def both(said: Sequence[tuple[frozenset[Key], bool]], known: Sequence[tuple[int, int, set[str]]]) -> tuple[Cell, Any]:
    """The same runs as a cell of the recount and as a study of the statistics. What an invalid run says counts for nothing."""
    ends = [(first, min(first + more, LINES), names) for first, more, names in known]
    truths = tuple(Truth(f"t{n}", first, last, frozenset(names)) for n, (first, last, names) in enumerate(ends))
    held = [run if is_valid else frozenset[Key]() for run, is_valid in said]
    flags = tuple(is_valid for _, is_valid in said)
    cell = Cell("c", "a.py", tuple(held), flags, "\n" * LINES, truths)
    draws = tuple(
        model.Draw(number, is_valid, tuple(model.Sighting(*key) for key in sorted(run)))
        for number, (run, is_valid) in enumerate(said)
    )
    stated = [model.Truth("a.py", f"t{n}", tuple(sorted(names)), (first, last)) for n, (first, last, names) in enumerate(ends)]
    return cell, studies.study(model.Cell("c", "a.py", "m", "findings", False, draws, LINES), stated)


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9)


@settings(max_examples=80)
@given(said=runs, known=st.lists(spans, max_size=4))
def test_runs_agree_as_recounted(said: list[tuple[frozenset[Key], bool]], known: list[tuple[int, int, set[str]]]) -> None:
    cell, study = both(said, known)
    told = study.reliability

    assert (told.runs, told.valid) == (len(cell.runs), sum(cell.valid))
    assert (told.empty, told.mean_findings) == (sum(not run for run in cell.runs), close(mean(map(len, cell.runs))))
    for agreement in told.agreements:
        if agreement.key in NEAR:
            near = NEAR[agreement.key]
            assert agreement.all.value == close(tables.agreement(cell, near))
            if agreement.pairs:
                assert agreement.spoken.value == close(tables.agreement(cell, near, spoken=True))


@settings(max_examples=80)
@given(said=runs, known=st.lists(spans, min_size=1, max_size=4), near=st.just(2))
def test_runs_are_right_as_recounted(
    said: list[tuple[frozenset[Key], bool]], known: list[tuple[int, int, set[str]]], near: int
) -> None:
    cell, study = both(said, known)
    told, named = study.validity, tables.found_from(cell, near)

    expected = tables.precision(cell, near)
    assert told.precision.value == (None if expected is None else close(expected))
    assert told.recall.value == close(tables.recall(cell, near))
    assert told.recall_by_line.value == close(tables.recall(cell, near, is_strict=False))
    assert told.false_positives.value == close(mean(tables.hits(cell, run, near)[1] for run in cell.runs))
    assert sorted(told.found) == sorted(named)
    assert sorted(told.drifted) == sorted(name for name, lines in named.items() if len(lines) > 1)


@settings(max_examples=80)
@given(said=runs, known=st.lists(spans, min_size=1, max_size=4))
def test_a_vote_keeps_what_is_recounted(said: list[tuple[frozenset[Key], bool]], known: list[tuple[int, int, set[str]]]) -> None:
    cell, study = both(said, known)

    for surface in study.surfaces:
        if surface.key in SURFACES:
            near = SURFACES[surface.key]
            kept = [tables.surviving(cell, near, k) for k in range(1, len(cell.runs) + 1)]
            assert [(point.hits, point.false) for point in surface.points] == kept
            assert surface.exam == close(float(mean(tables.exam_by_support(cell, truth, near) for truth in cell.truths)))


@settings(max_examples=30)
@given(made=audits(), known=st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=3))
def test_a_record_gives_the_runs_and_the_pooled_recall_that_are_recounted(made: Record, known: list[tuple[int, int]]) -> None:
    label = "security::check_1"
    for_each = {
        target.path: tuple(Truth(f"t{n}", first, first + more, frozenset({label})) for n, (first, more) in enumerate(known))
        for target in made.targets
    }
    stated = [model.Truth(path, t.id, (label,), (t.first, t.last)) for path, rows in for_each.items() for t in rows]
    with tempfile.TemporaryDirectory() as folder:
        path = seal(Path(folder), made)
        ours = {(cell.target, cell.name.split()[-1]): cell for cell in recorded(path, for_each) if cell.runs}
        theirs = {(cell.target, cell.model): cell for cell in records.cells(read(path))}
    assert ours.keys() == theirs.keys()
    for where, cell in theirs.items():
        own = ours[where]
        assert tuple(draw.is_valid for draw in cell.draws) == own.valid
        assert [{(s.line, s.label) for s in draw.sightings} for draw in cell.draws] == [set(run) for run in own.runs]
        if len({name for _, name in ours}) == 1 and all(own.valid):  # else the report's regions hold other runs too
            assert studies.study(cell, stated).validity.pooled_recall == close(float(tables.pooled_recall(own)))


places = st.tuples(st.integers(1, 4), st.integers(0, 2), st.sampled_from(("leak", "sql")), st.sets(st.integers(0, 3), min_size=1))
close_by = st.tuples(st.integers(1, 4), st.integers(0, 2), st.sampled_from(({"leak"}, {"leak", "sql"})))


@settings(max_examples=80)
@given(drawn=st.lists(places, min_size=1, max_size=4), known=st.lists(close_by, min_size=1, max_size=4))
def test_one_region_names_one_truth_as_recounted(
    drawn: list[tuple[int, int, str, set[int]]], known: list[tuple[int, int, set[str]]]
) -> None:
    truths = tuple(Truth(f"t{n}", first, first + more, frozenset(names)) for n, (first, more, names) in enumerate(known))
    stated = [model.Truth("a.py", t.id, tuple(sorted(t.labels)), (t.first, t.last)) for t in truths]
    lines = tuple((first, first + more) for first, more, _, _ in drawn)
    cards = tuple(
        (Spot((span,), frozenset({label}), frozenset(("m", n) for n in runs)),)
        for span, (_, _, label, runs) in zip(lines, drawn, strict=True)
    )
    draws = tuple(
        model.Draw(n, True, tuple(model.Sighting(one[0], one[2], at, at) for at, one in enumerate(drawn) if n in one[3]))
        for n in range(4)
    )
    told = studies.study(model.Cell("c", "a.py", "m", "findings", False, draws, 20, statements=lines), stated)
    cell = Cell("c", "a.py", (frozenset[Key](),), (True,), "", truths, cards=cards)

    assert told.validity.pooled_recall == close(float(tables.pooled_recall(cell)))
