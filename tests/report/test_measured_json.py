"""Measures as JSON: the experiment's names and rounding, what is undefined is null, and foreign text is inert."""

import json
from dataclasses import replace
from typing import Any

from support.cells import cell, truth

from venire.measure import measure, study
from venire.model import Cell, Estimate, Measures, Ranking, Truth
from venire.report.measured_json import report


def one(made: Cell, *truths: Truth, known: bool = True) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(report(Measures((study(made, truths if known else None),))))
    return document[made.name]  # type: ignore[no-any-return]


RUNS = [[(3, "A")], [(3, "A"), (9, "B")], [], None]


def test_without_truths_there_are_no_figures_of_validity() -> None:
    found = one(cell(RUNS), known=False)

    assert not {"precision", "recall", "fp_per_run", "surface", "total_gt"} & set(found)
    assert found["keys"] == {}
    assert [f["seeded"] for f in found["findings"]] == [None, None]


def test_every_point_of_the_surface_has_threshold_and_share() -> None:
    surface = one(cell(RUNS), truth(3, 3, "A"))["surface"]

    assert list(surface) == ["0", "2", "5"]
    assert surface["0"][1] == {"k": 2, "tau": 0.5, "TP": 1, "FP": 0, "FN": 0}


def test_what_the_experiment_lacks_stands_beside_it() -> None:
    found = one(cell(RUNS), truth(3, 3, "A"))

    assert set(found["jaccard"]) == {"strict", "relaxed2", "relaxed5"}
    assert set(found["agreement"]) == {"strict", "relaxed2", "relaxed5", "region"}
    assert found["keys"]["region"]["survivors"] == [2, 1, 0, 0]
    assert found["pooled_recall"] == 1.0


def test_a_target_free_of_defects_has_the_experiments_open_precision() -> None:
    found = one(cell(RUNS))

    assert (found["precision"], found["precision_ci95"]) == (None, [0.0, 0.0])
    assert (found["recall"], found["recall_ci95"]) == (None, [None, None])
    assert (found["line_drift_rate"], found["total_gt"]) == (None, 0)


def test_precision_of_silent_runs_is_null_and_so_is_its_interval() -> None:
    found = one(cell([[], [], []]), truth(3, 3, "A"))

    assert (found["precision"], found["precision_ci95"], found["recall"]) == (None, [None, None], 0.0)


def test_a_refused_estimate_says_why() -> None:
    assert one(cell(RUNS))["unseen"] == {
        "next": None,
        "chao2": None,
        "jackknife2": None,
        "seen": 0,
        "refused": "3 valid runs: below 4 no estimate is accurate",
    }


def test_only_what_there_is_stands_beside_the_cells() -> None:
    found = measure([cell([[(3, "A")]] * 5)], [truth(1, 1, "A", target="other.py")])
    estimate = Estimate(0.12345, (0.1, 0.2))
    ranking = Ranking("default", 40, 40, estimate, estimate, estimate, 0.5, 0.1, Estimate(None), estimate)
    ranking = replace(ranking, candidates=Estimate(4.3))
    document = json.loads(report(replace(found, rankings=(ranking,), seeds=(("app.py", "one seed", 6, 1),))))

    assert list(document) == ["cell", "venire"]
    assert document["venire"]["warnings"] == list(found.warnings)
    assert document["venire"]["seed_probe"] == [{"target": "app.py", "probe": "one seed", "replies": 6, "distinct": 1}]
    assert document["venire"]["rankings"][0]["exam"] == 0.123
    assert document["venire"]["rankings"][0]["candidates"] == 4.3
    assert document["venire"]["rankings"][0]["twin_candidates_ci95"] == [None, None]
    assert list(json.loads(report(Measures(found.studies)))) == ["cell"]


def test_foreign_text_is_inert_and_ascii() -> None:
    made = replace(cell(RUNS), name="##[error]\x7f\u202e", model="\x1b[31m\ud800", facts=(("engine", "##[debug]"),))
    text = report(Measures((study(made),)))

    assert text.isascii()
    assert text.endswith("}\n")
    assert not any(sign in text for sign in ("##[", "\x7f", "\x1b"))
    assert list(json.loads(text)) == [made.name]


def test_no_cells_are_an_empty_object() -> None:
    assert json.loads(report(Measures(()))) == {}
