"""Regions: one place each, whatever the order; never two functions, never a chain."""

import random
from collections.abc import Mapping
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import Said, findings, layout, panel, regions

from venire.assess.labels import labels
from venire.assess.regions import Rule, count, form
from venire.model import WILDCARD, Region

TEXT = """\
import os

class A:
    y = 1

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        self._x = v

def f(p):
    try:
        h = open(p)
        return h.read()
    except OSError:
        return None
    finally:
        g()

def g():
    a = 1

    b = 2
    c = 3; d = 4
    return (a,
            b)
"""
LAST = TEXT.count("\n")
WILD = panel({"check_1": "x", "check_2": "x", "check_3": "y", "other_1": WILDCARD, "other_2": WILDCARD})

claims = st.tuples(st.integers(1, LAST), st.sampled_from(["check_1", "check_2", "check_3", "other_1", "other_2"]))
audits = st.dictionaries(st.integers(1, 7), st.lists(claims, max_size=6), min_size=1, max_size=7)


def shape(made: tuple[Region, ...]) -> list[tuple[list[int], int]]:
    """The anchors and the support of each region."""
    return [(sorted(region.anchors), len(region.runs)) for region in made]


@given(audits, st.randoms(use_true_random=False))
def test_the_order_of_findings_changes_nothing(said: Mapping[int, list[Said]], rng: random.Random) -> None:
    found = findings(TEXT, said)

    assert regions(TEXT, rng.sample(found, len(found)), asked=WILD) == regions(TEXT, found, asked=WILD)


@given(audits)
def test_every_ballot_is_in_one_region_and_every_run_once(said: Mapping[int, list[Said]]) -> None:
    found = findings(TEXT, said)
    made = regions(TEXT, found, asked=WILD)
    ballots = [ballot for region in made for ballot in region.ballots]

    assert sorted(b[:3] for b in ballots) == sorted({(f.anchor, f.bucket, f.check) for f in found})
    for region in made:
        assert region.runs == frozenset().union(*(b[3] for b in region.ballots))
        assert len(region.runs) <= len(said)
    assert regions(TEXT, [*found, *found], asked=WILD) == made


@given(audits)
def test_no_region_spans_two_scopes_or_more_than_three_statements(said: Mapping[int, list[Said]]) -> None:
    where = layout(TEXT)
    for region in regions(TEXT, findings(TEXT, said), asked=WILD):
        low, high = min(region.anchors), max(region.anchors)
        assert high - low <= 2
        assert len({where.homes[n] for n in range(low, high + 1)}) == 1
        assert len({where.anchors[n].scope for n in region.anchors}) == 1


@given(audits)
def test_a_region_is_of_one_family_and_its_wildcards(said: Mapping[int, list[Said]]) -> None:
    family = {key: check.family for key, check in labels(WILD).checks.items()}
    for region in regions(TEXT, findings(TEXT, said), asked=WILD):
        known = {family[bucket, check] for _, bucket, check, _ in region.ballots}
        assert known - {WILDCARD} <= {region.family}


@given(audits, st.lists(claims, max_size=6))
def test_one_more_run_never_lowers_a_ballot_or_an_anchor(said: Mapping[int, list[Said]], more: list[Said]) -> None:
    known = labels(WILD)
    before = {(b.anchor, b.rank): b.runs for b in count(findings(TEXT, said), known)}
    after = {(b.anchor, b.rank): b.runs for b in count(findings(TEXT, {**said, 99: more}), known)}

    assert all(runs <= after[key] for key, runs in before.items())
    for anchor in {anchor for anchor, _ in before}:
        old, new = ({run for (at, _), runs in boxes.items() if at == anchor for run in runs} for boxes in (before, after))
        assert old <= new


def test_sixty_statements_with_one_vote_each_are_twenty_regions_of_three() -> None:
    text = "".join(f"x{n} = {n}\n" for n in range(60))
    made = regions(text, findings(text, {run: [(run, "check_1")] for run in range(1, 61)}), voters=60)

    assert shape(made) == [([n, n + 1, n + 2], 3) for n in range(0, 60, 3)]


def test_a_region_keeps_within_three_lines_of_code() -> None:
    near, far = "x = 1\n\n\ny = 2\n", "x = 1\n\n\n\ny = 2\n"

    assert len(regions(near, findings(near, {1: [(1, "check_1")], 2: [(4, "check_1")]}))) == 1
    assert len(regions(far, findings(far, {1: [(1, "check_1")], 2: [(5, "check_1")]}))) == 2


@pytest.mark.parametrize(
    "lines", [(8, 10), (12, 14), (18, 23)], ids=["getter and setter", "method and function", "two functions"]
)
def test_neighbours_in_two_functions_stay_apart(lines: tuple[int, int]) -> None:
    made = regions(TEXT, findings(TEXT, {1: [(lines[0], "check_1")], 2: [(lines[1], "check_1")]}))

    assert len(made) == 2


def test_a_region_does_not_reach_across_a_function() -> None:
    text = "x = 1\ndef f(): pass\ny = 2\n"

    assert len(regions(text, findings(text, {1: [(1, "check_1")], 2: [(3, "check_1")]}))) == 2


def test_a_header_and_its_body_are_one_place() -> None:
    assert shape(regions(TEXT, findings(TEXT, {1: [(14, "check_1")], 2: [(15, "check_1")]}))) == [([7, 8], 2)]


def test_flutter_inside_a_family_is_one_region_and_another_family_stays_apart() -> None:
    """Three runs say check_1, two check_2 of the same family, four check_3."""
    said = {run: [(1, "check_1")] for run in (1, 2, 3)} | {run: [(1, "check_2")] for run in (4, 5)}
    said |= {run: [(1, "check_3")] for run in (6, 7, 8, 9)}

    assert shape(regions("eval(x)\n", findings("eval(x)\n", said))) == [([0], 4), ([0], 5)]


def test_what_the_same_runs_report_together_is_two_defects() -> None:
    said = {run: [(1, "check_1"), (1, "check_2")] for run in (1, 2, 3, 4)}

    assert shape(regions("eval(x)\n", findings("eval(x)\n", said))) == [([0], 4), ([0], 4)]


def test_the_lift_that_separates_can_be_set() -> None:
    said = {run: [(1, "check_1"), (1, "check_2")] for run in (1, 2, 3, 4)}

    assert len(regions("eval(x)\n", findings("eval(x)\n", said), voters=4, lift=1.5)) == 1


@pytest.mark.parametrize("strong", ["other_1", "check_1", "check_3"])
def test_a_wildcard_never_brings_two_families_into_one_region(strong: str) -> None:
    """However many votes the wildcard has, the second family does not go with the first."""
    names = ["other_1", "check_1", "check_3"]
    said: dict[int, list[Said]] = {}
    for name in names:
        for _ in range(3 if name == strong else 2):
            said[len(said) + 1] = [(1, name)]
    made = regions("eval(x)\n", findings("eval(x)\n", said), asked=WILD)

    families = [{check for _, _, check, _ in region.ballots} - {"other_1"} for region in made]
    assert all(len(family) <= 1 for family in families)
    assert sorted(region.family for region in made) == ["x", "y"]


def test_two_wildcards_go_together_and_the_region_has_no_family() -> None:
    (made,) = regions("eval(x)\n", findings("eval(x)\n", {1: [(1, "other_1")], 2: [(1, "other_2")]}), asked=WILD)

    assert made.family == WILDCARD


def test_the_anchor_with_most_votes_leads() -> None:
    said = {1: [(24, "check_1")], 2: [(26, "check_1")], 3: [(26, "check_1")]}
    (made,) = regions(TEXT, findings(TEXT, said))

    assert [layout(TEXT).anchors[n].first for n in made.anchors] == [26, 24]


def test_grouping_what_is_grouped_changes_nothing() -> None:
    said = {run: [(line, "check_1")] for run, line in enumerate((15, 16, 17, 24, 26, 27), start=1)}
    found = findings(TEXT, said)
    for region in regions(TEXT, found):
        inside = [f for f in found if f.anchor in region.anchors]
        assert regions(TEXT, inside) == (region,)


def test_few_findings_in_every_order() -> None:
    found = findings(TEXT, {1: [(15, "check_1")], 2: [(16, "check_2")], 3: [(17, "check_3")], 4: [(18, "check_1")]})

    assert len({regions(TEXT, order) for order in permutations(found)}) == 1


@given(audits, st.randoms(use_true_random=False))
def test_the_order_of_ballots_changes_nothing(said: Mapping[int, list[Said]], rng: random.Random) -> None:
    ballots = count(findings(TEXT, said), labels(WILD))
    rule = Rule(layout(TEXT), 7, 0.5)

    assert form("app.py", rng.sample(ballots, len(ballots)), rule) == form("app.py", ballots, rule)


def test_of_equal_ballots_on_one_statement_the_panels_order_decides() -> None:
    """Not the alphabet: check_10 comes after check_9."""
    asked = panel({f"check_{n}": "x" for n in range(1, 11)})
    (made,) = regions("eval(x)\n", findings("eval(x)\n", {1: [(1, "check_10")], 2: [(1, "check_9")]}), asked=asked)

    assert [check for _, _, check, _ in made.ballots] == ["check_9", "check_10"]
