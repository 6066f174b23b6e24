"""Every statement of the seed experiment that its files can support, and the figures its own program printed."""

import json
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from venire.errors import RecordDamaged, UsageError
from venire.recount import cells as frozen
from venire.recount import seed, tables
from venire.recount.cells import Cell
from venire.recount.resample import interval
from venire.recount.seed import SENTENCES, Checked

pytestmark = pytest.mark.corpus

CELLS = (
    "d_15b_a", "d_15b_clean", "d_15b_decoy", "d_15b_easy", "d_7b_a", "d_7b_clean", "d_7b_decoy", "d_7b_easy",
    "a_15b_a", "a_15b_easy", "a_7b_a", "a_7b_easy",
)  # fmt: skip


@cache
def checked(folder: Path) -> list[Checked]:
    return seed.check(folder)


@pytest.mark.parametrize("number", range(len(SENTENCES)), ids=[sentence.words for sentence in SENTENCES])
def test_the_article_says_what_its_files_say(corpus: Path, number: int) -> None:
    one = checked(corpus)[number]

    assert one.holds, f"{one.words}: {one.said}, recounted {one.found}"


@cache
def cells(folder: Path) -> dict[str, Cell]:
    return frozen.corpus(folder)


@pytest.mark.parametrize("name", CELLS)
def test_the_figures_of_its_summary_are_recounted_to_the_printed_digit(corpus: Path, name: str) -> None:
    cell = cells(corpus)[name]
    printed: dict[str, Any] = json.loads((corpus / "m2_summary.json").read_text("utf-8"))[name]
    near = {"strict": 0, "relaxed2": 2, "relaxed5": 5}

    assert printed["N"] == len(cell.runs)
    assert printed["schema_valid_rate"] == round(mean(cell.valid), 3)
    assert printed["empty_rate"] == round(mean(not run for run in cell.runs), 3)
    assert printed["mean_issues"] == round(mean(map(len, cell.runs)), 2)
    assert printed["jaccard"] == {key: round(tables.agreement(cell, w), 3) for key, w in near.items()}
    intervals = {key: [round(end, 3) for end in interval(cell, w)] for key, w in near.items()}
    assert printed["jaccard_ci95"] == intervals
    if cell.truths:
        named = tables.found_from(cell)
        assert printed["recall"] == pytest.approx(tables.recall(cell), abs=0.0005)
        assert printed["precision"] == pytest.approx(tables.precision(cell), abs=0.0005)
        assert printed["recall_line_only"] == pytest.approx(tables.recall(cell, is_strict=False), abs=0.0005)
        assert (printed["detected_gt"], printed["drift_gt"]) == (len(named), sum(len(lines) > 1 for lines in named.values()))
    assert printed["fp_per_run"] == pytest.approx(mean(tables.hits(cell, run)[1] for run in cell.runs), abs=0.005)


@pytest.mark.parametrize("name", CELLS)
def test_the_surface_is_recounted(corpus: Path, name: str) -> None:
    cell = cells(corpus)[name]
    printed = json.loads((corpus / "m2_summary.json").read_text("utf-8"))[name]["surface"]

    for near in (0, 2, 5):
        for k in range(1, len(cell.runs) + 1):
            hits, false = tables.surviving(cell, near, k)
            assert point(printed, near, k) == (hits, false, len(cell.truths) - hits)


def point(printed: Any, near: int, k: int) -> tuple[int, int, int]:
    found = printed[str(near)][k - 1]
    assert found["k"] == k
    return found["TP"], found["FP"], found["FN"]


def test_a_changed_vote_is_noticed(corpus: Path, tmp_path: Path) -> None:
    """One run of the 7B model that reports the leak on line 16 says line 17 instead."""
    for file in corpus.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "audit_logs.jsonl"
    path.chmod(0o600)
    lines = path.read_text("utf-8").splitlines()
    vote = '"line_number": {}, "category": "ResourceLeak"'.format
    at = next(n for n, line in enumerate(lines) if '"d_7b_a"' in line and vote(16) in line)
    lines[at] = lines[at].replace(vote(16), vote(17))
    path.write_text("\n".join(lines), "utf-8")

    wrong = {one.words for one in seed.check(tmp_path) if not one.holds}
    assert {"26 on line 16 and 19 on line 17", "k=26: line 16 survives by one vote"} <= wrong


def test_files_that_are_not_the_experiment_s_are_refused(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "gt.csv").write_bytes((corpus / "gt.csv").read_bytes())
    for text, error in (("{}", RecordDamaged), ('{"cell":"a"}', RecordDamaged), ("[1]", RecordDamaged), ("", UsageError)):
        (tmp_path / "audit_logs.jsonl").write_text(text)
        with pytest.raises(error):
            seed.check(tmp_path)
