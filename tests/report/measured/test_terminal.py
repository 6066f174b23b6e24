"""Measures for a terminal: no line is wider than it, and a table too wide is told row by row."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.measures import cell, measures, study
from support.pools import evil, poison

from venire.model.measures import Measures
from venire.report.flow import columns
from venire.report.measured import render_measures


@given(st.integers(40, 160), evil)
@settings(max_examples=25, deadline=None)
def test_no_line_is_wider_than_the_terminal(width: int, text: str) -> None:
    for page in (measures(), poison(measures(), text)):
        shown = render_measures(page, "terminal", width=width).replace("\\x3a:", "::").replace("#\\x23[", "##[")
        assert max(map(columns, shown.splitlines())) <= width  # but for a CI runner's commands, which are broken last


def test_a_table_that_fits_has_one_line_a_row() -> None:
    lines = render_measures(measures(), "terminal", width=100).splitlines()
    assert "  line ±0                  0.52  0.47 to 0.59        0.52  0.46 to 0.58  1,225" in lines


def test_a_table_that_does_not_fit_gives_each_figure_its_name() -> None:
    page = render_measures(measures(), "terminal", width=60)
    assert "\n  line ±0\n    all pairs     0.52\n    95% interval  0.47 to 0.59\n    both spoke    0.52\n" in page


def test_wide_letters_keep_the_columns_in_line() -> None:
    wide = replace(study(), cell=cell(name="宽宽宽"))
    page = render_measures(Measures((wide, study())), "terminal", width=120)
    rows = [line for line in page.splitlines() if line.startswith(("  宽宽宽 ", "  d_7b_a "))]
    assert len({columns(row) for row in rows}) == 1


@pytest.mark.parametrize("width", [1, 39])
def test_a_terminal_narrower_than_forty_columns_gets_forty(width: int) -> None:
    assert render_measures(measures(), "terminal", width=width) == render_measures(measures(), "terminal", width=40)
