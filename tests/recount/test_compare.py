"""A figure that is wrong on either side is found, and named."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from venire.assess import assess
from venire.record import read
from venire.recount import recount
from venire.recount.compare import compare, read_off
from venire.recount.count import Count
from venire.recount.entries import load
from venire.recount.figures import figures
from venire.report import render

DEMO = Path(__file__).parent.parent.parent / "records" / "demo.jsonl"
REPORT: dict[str, Any] = json.loads(render(assess(read(DEMO)), "json"))

# What a report says beside figures: texts, names, what the audit was set out to do.
NO_FIGURES = re.compile(
    r"schema_version|status|headline|head|reasons|warnings|caveat|models|audit|skipped|scores\.\d+\.content"
    r"|coverage\.\d+\.(language|uncovered|notes)|failures\.\d+\.(attempts|reason)"
    r"|candidates\.\d+\.(id|problem|problems\.\d+|code|labels\.\d+\.(content|text|family|tags)|anchors\.\d+\.(fp.|scope|is_weak))"
)


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, f"{place}.{key}".removeprefix("."))
    else:
        yield place, value


def changed(report: dict[str, Any], place: str) -> dict[str, Any]:
    """A copy of the report in which one leaf says something else."""
    made = copy.deepcopy(report)
    at: Any = made
    *path, last = (int(key) if key.isdigit() else key for key in place.split("."))
    for key in path:
        at = at[key]
    at[last] = _other(at[last])
    return made


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case None:
            return 1.5
    return value + "x"


FIGURES = [place for place, _ in leaves(REPORT) if not NO_FIGURES.match(place)]
LANES = [place for place in FIGURES if not place.startswith("counts.lanes.dismissed")]


@pytest.mark.parametrize("place", LANES)
def test_a_flipped_figure_is_found(place: str) -> None:
    done = recount(DEMO, changed(REPORT, place))

    assert "the report says" in done.difference


def test_the_report_is_covered_down_to_its_figures() -> None:
    assert len(FIGURES) > 200


@pytest.mark.parametrize("part", ["candidates", "scores", "coverage"])
def test_what_a_report_leaves_out_or_adds_is_found(part: str) -> None:
    short = REPORT | {part: REPORT[part][:-1]}
    one = copy.deepcopy(REPORT[part][-1])
    long = REPORT | {part: [*REPORT[part], one | {"path": "other.py"}]}

    assert "nothing" in recount(DEMO, short).difference or "ranking" in recount(DEMO, short).difference
    assert "nothing" in recount(DEMO, long).difference or "ranking" in recount(DEMO, long).difference


def test_candidates_in_another_order_are_found() -> None:
    assert recount(DEMO, REPORT | {"candidates": REPORT["candidates"][::-1]}).difference.startswith("ranking: the report says")


def test_the_first_difference_names_the_figure_and_both_values() -> None:
    wrong = changed(REPORT, "candidates.0.support")

    assert recount(DEMO, wrong).difference.startswith("ranking")
    assert compare(wrong, {**figures(Count(load(DEMO))), "ranking": read_off(wrong)["ranking"]}).difference == (
        "candidate jobs.py:21-21 support: the report says 4, the recount 3"
    )
