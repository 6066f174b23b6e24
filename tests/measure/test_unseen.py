"""What one more run would bring is estimated from rare findings, and refused where that would mislead."""

import pytest
from support.cells import cell, sighting

from venire.measure import study
from venire.model import Cell, Draw

RUNS = [[(1, "A"), (5, "A")], [(1, "A"), (5, "A")], [(1, "A"), (9, "B")], [(1, "A"), (13, "C")], [(1, "A"), (17, "C")]]
"""Five runs; five (statement, label): one in all, one in two, three in one."""


def test_the_formulas_by_hand() -> None:
    found = study(cell(RUNS)).unseen

    assert (found.seen, found.refused) == (5, "")
    assert found.next == pytest.approx(3 / 5)
    assert found.chao2 == pytest.approx(5 + 4 / 5 * 3 * 2 / (2 * 2))
    assert found.jackknife == pytest.approx(5 + 3 * 7 / 5 - 1 * 9 / 20)


def test_two_lines_of_one_statement_are_one_species() -> None:
    assert study(cell([[(1, "A")], [(2, "A")], [(1, "A")], [(2, "A")]])).unseen.seen == 1


def test_two_statements_of_one_region_are_two_species() -> None:
    """Regions depend on the data, so Q1/n would be biased on them."""
    runs = [[(1, "A")], [(3, "A")], [(1, "A")], [(3, "A")]]

    assert {sighting(*said).region for run in runs for said in run} == {0}
    assert study(cell(runs)).unseen.seen == 2


def test_no_estimate_is_below_what_was_seen() -> None:
    found = study(cell([[(1, "A"), (5, "A"), (9, "A")]] * 2 + [[]] * 3)).unseen

    assert (found.jackknife, found.chao2, found.seen) == (3.0, 3.0, 3)


def test_expected_news_of_one_more_run_is_what_each_run_alone_brought() -> None:
    """Q1/n is, exactly, the mean over runs of what nobody else said."""
    alone = [{(s.statement, s.label) for said in run for s in [sighting(*said)]} for run in RUNS]
    news = [len(run - set().union(*(other for other in alone if other is not run))) for run in alone]

    assert study(cell(RUNS)).unseen.next == pytest.approx(sum(news) / len(news))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (cell(RUNS[:3]), "3 valid runs"),
        (cell([*RUNS[:3], None, None]), "3 valid runs"),
        (cell(RUNS, is_pinned=True), "pinned"),
        (cell([RUNS[0]] * 5, digests="xxxxx"), "same bytes"),
        (cell(RUNS, is_placed=False), "text is not known"),
    ],
)
def test_it_is_refused_where_it_would_mislead(made: Cell, why: str) -> None:
    found = study(made).unseen

    assert why in found.refused
    assert (found.next, found.chao2, found.jackknife, found.seen) == (None, None, None, 0)


def test_replies_whose_bytes_are_not_known_are_not_taken_for_copies() -> None:
    runs = tuple(Draw(n, True, (sighting(1, "A"),)) for n in range(5))

    assert study(Cell("c", "app.py", "m", "findings", False, runs, 20)).unseen.refused == ""
