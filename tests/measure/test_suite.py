"""The suite and the ranking together: readers whose figures are known beforehand get them."""

import random
from functools import cache
from statistics import fmean

import pytest
from support.places import PANEL, claim, prompts, record, reply, run, target

from venire.assess import assess
from venire.measure.functions import suite
from venire.measure.order import Heard, Key, Place
from venire.measure.ranking import Outcome, lines_of_code, outcomes, rank, rank_records
from venire.model import Mutant, Plan, Record


@cache
def mutants() -> tuple[Mutant, ...]:
    return suite(20, 3)


def read_at_random(seed: int, votes: int) -> tuple[Outcome, ...]:
    """A reader that names so many different lines of code of each file, drawn at random."""
    draws = random.Random(seed)
    found = {}
    for mutant in mutants():
        for name, text in ((mutant.name, mutant.text), (mutant.twin, mutant.clean)):
            code = lines_of_code(text)
            found[name] = Heard(tuple(Place((row, row), 0.2) for row in draws.sample(code, min(votes, len(code)))), 5)
    return outcomes(found, mutants())


@pytest.mark.parametrize("votes", [1, 4])
def test_who_points_at_random_gets_what_chance_gives(votes: int) -> None:
    """Over 60 readers of 20 mutants, so that a bias of a twentieth would show."""
    found = [one for seed in range(60) for one in read_at_random(seed, votes)]
    assert fmean(one.exam for one in found) == pytest.approx(fmean(one.chance_exam for one in found), abs=0.03)
    assert fmean(one.is_pooled for one in found) == pytest.approx(fmean(one.chance_pooled for one in found), abs=0.04)
    assert fmean(one.is_top for one in found) == pytest.approx(fmean(one.chance_top for one in found), abs=0.04)


@cache
def seen_by_who_knows() -> Record:
    """Three runs that name the defect of each mutant and nothing in a twin."""
    files = [target(text, name) for m in mutants() for name, text in ((m.name, m.text), (m.twin, m.clean))]
    defects = {m.name: next(row for row in lines_of_code(m.text) if m.lines[0] <= row <= m.lines[1]) for m in mutants()}
    said = {file.path: [claim(defects[file.path])] if file.path in defects else [] for file in files}
    asked = prompts(files, PANEL)
    runs = [run(one, n, reply(file, *said[file.path])) for file, one in zip(files, asked, strict=True) for n in (1, 2, 3)]
    return record(files, asked, runs, plan=Plan(runs=3))


@pytest.mark.parametrize("key", ["line0", "line2"])
def test_who_knows_the_defect_reads_nothing_else(key: Key) -> None:
    found = rank_records([seen_by_who_knows()], mutants(), "knows", key)
    assert (found.exam.value, found.pooled.value, found.top3.value) == (0, 1, 1)
    assert (found.twin_candidates.value, found.twin_support.value, found.unheard) == (0, 0, 0)


def test_who_knows_the_defect_reads_its_statement_where_places_are_statements() -> None:
    pool = assess(seen_by_who_knows())
    found = rank({name: pool for m in mutants() for name in (m.name, m.twin)}, mutants(), "knows")
    assert (found.pooled.value, found.top3.value) == (1, 1)
    assert (found.exam.value or 0) < 0.1
    assert found.chance_exam > 0.4
