"""The seed experiment's summary, every digit of it, and what its article says in words."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from venire.measure import measure
from venire.measure.axiom import cells
from venire.measure.truth import truths
from venire.model import Study
from venire.report.measured_json import report

pytestmark = pytest.mark.corpus

CELLS = (
    "d_15b_a", "d_15b_clean", "d_15b_decoy", "d_15b_easy", "d_7b_a", "d_7b_clean", "d_7b_decoy", "d_7b_easy",
    "a_15b_a", "a_15b_easy", "a_7b_a", "a_7b_easy",
)  # fmt: skip


@cache
def figures(corpus: Path) -> tuple[dict[str, Study], dict[str, Any], dict[str, Any]]:
    """The studies by cell, the same as JSON, and the experiment's own summary."""
    texts = {path.name.removesuffix(".txt"): path.read_text("utf-8") for path in corpus.glob("target_*.txt")}
    made = cells((corpus / "audit_logs.jsonl").read_text("utf-8").splitlines(), texts)
    found = measure(made, truths((corpus / "gt.csv").read_text("utf-8"), "gt.csv"))
    summary = json.loads((corpus / "m2_summary.json").read_text("utf-8"))
    return {study.cell.name: study for study in found.studies}, json.loads(report(found)), summary


def test_the_cells_are_those_of_the_summary(corpus: Path) -> None:
    _, own, summary = figures(corpus)

    assert set(own) == set(summary) == set(CELLS)


@pytest.mark.parametrize("name", CELLS)
def test_every_figure_of_the_summary_to_its_last_digit(corpus: Path, name: str) -> None:
    """Intervals too: the resamples are drawn as the experiment drew them."""
    _, own, summary = figures(corpus)
    expected = {key: value for key, value in summary[name].items() if key != "prov"}

    assert {key: own[name].get(key) for key in expected} == expected
    assert len(expected) == 21


def test_the_leak_lives_by_one_vote(corpus: Path) -> None:
    study = figures(corpus)[0]["d_7b_a"]
    leaks = {bar.line: bar.support for bar in study.bars if bar.label == "ResourceLeak"}

    assert {16: 26, 17: 19}.items() <= leaks.items()
    assert [(p.key, p.line, p.support) for p in study.pivots if p.label == "ResourceLeak"] == [
        ("line0", 16, 26),
        ("statement", 16, 26),
    ]


def test_by_region_the_leak_is_far_above_the_majority(corpus: Path) -> None:
    surfaces = {surface.key: surface for surface in figures(corpus)[0]["d_7b_a"].surfaces}

    assert [surfaces["region"].points[k - 1].hits for k in (26, 27, 47, 48)] == [2, 2, 2, 1]
    assert [surfaces["line0"].points[k - 1].hits for k in (26, 27)] == [2, 1]


def test_the_silent_and_the_speaking_runs_of_the_clean_file(corpus: Path) -> None:
    clean = figures(corpus)[0]["d_7b_clean"].reliability
    strict = clean.agreements[0]

    assert (clean.empty, clean.runs) == (37, 51)
    assert (round(strict.all.value or 0, 2), round(strict.spoken.value or 0, 2)) == (0.53, 0.12)
    assert strict.pairs == 14 * 13 // 2


def test_grey_findings_outlive_the_vote_and_md5_has_none(corpus: Path) -> None:
    decoy = figures(corpus)[0]["d_7b_decoy"]
    votes = {(bar.line, bar.label): bar.support for bar in decoy.bars}

    assert (votes[15, "CodeInjection"], votes[7, "CodeInjection"]) == (33, 28)
    assert not [line for line, _ in votes if line in (10, 11)]


def test_a_wide_window_credits_one_cluster_with_two_defects_and_a_region_never(corpus: Path) -> None:
    by_key = {surface.key: surface.points[25].hits for surface in figures(corpus)[0]["d_7b_a"].surfaces}

    assert by_key == {"line0": 2, "line2": 2, "line5": 3, "statement": 2, "region": 2}


@pytest.mark.parametrize("name", CELLS)
def test_regions_rank_at_least_as_well_as_lines(corpus: Path, name: str) -> None:
    """Average precision with the same runs; a wider window may do better, at the price of double credit."""
    by_key = {surface.key: surface.precision for surface in figures(corpus)[0][name].surfaces}

    assert (by_key["region"] or 0) >= (by_key["line0"] or 0)


def test_pinned_cells_are_not_extrapolated(corpus: Path) -> None:
    studies = figures(corpus)[0]

    assert all(("pinned" in studies[name].unseen.refused) == name.startswith("a_") for name in CELLS)
    assert all(studies[name].reliability.distinct == 1 for name in CELLS if name.startswith("a_"))
