"""The seed experiment's log is read as its definitions have it, and a broken one is refused by line."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import pytest

from venire.errors import UsageError
from venire.measure.axiom import cells
from venire.model import Cell

TEXT = "import os\n\n\ndef run(cmd):\n    os.system(cmd)\n    return eval(cmd)\n"


def issue(line: object, category: object = "CodeInjection") -> dict[str, Any]:
    return {"line_number": line, "category": category, "severity": "High", "description": "d"}


def run(number: object, *issues: object, valid: object = True, cell: str = "c") -> dict[str, Any]:
    return {"type": "run", "cell": cell, "run_id": number, "raw_sha": f"s{number}", "schema_valid": valid, "issues": list(issues)}


def head(cell: str = "c", temp: float = 0.7, **more: Any) -> dict[str, Any]:
    return {"type": "provenance", "cell": cell, "target": "target_x.py", "model": "m", "temp": temp, **more}


def read(entries: Iterable[object], texts: dict[str, str] | None = None) -> tuple[Cell, ...]:
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in entries]
    return cells(lines, {"target_x.py": TEXT} if texts is None else texts, "log.jsonl")


def test_a_cell_is_its_provenance_and_its_runs() -> None:
    (made,) = read([head(num_ctx=4096), run(0, issue(5)), run(1)])

    assert (made.name, made.target, made.model, made.lines) == ("c", "target_x.py", "m", 6)
    assert [(d.number, d.is_valid, d.digest) for d in made.draws] == [(0, True, "s0"), (1, True, "s1")]
    assert ("num_ctx", "4096") in made.facts
    assert made.statements == ((1, 1), (4, 4), (5, 5), (6, 6))


def test_more_runs_than_can_be_paired_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("venire.measure.axiom.MOST", 2)

    assert len(read([head(), run(0), run(1)])[0].draws) == 2
    with pytest.raises(UsageError, match=r"log.jsonl:4: more than 2 runs of cell 'c'"):
        read([head(), run(0), run(1), run(2)])


def test_lines_of_another_kind_are_passed_over() -> None:
    assert len(read([head(), {"type": "note"}, "", run(0)])[0].draws) == 1


def test_greedy_means_pinned() -> None:
    assert [cell.is_pinned for cell in read([head("a", 0), head("b", 0.7)])] == [True, False]


def test_issues_without_a_usable_line_are_left_out() -> None:
    odd = [None, "", "x", [], True, 10**30, float("1e300"), {}]
    (made,) = read([head(), run(0, *map(issue, odd), issue("5"), issue(6.0), issue(-1))])

    assert sorted(s.line for s in made.draws[0].sightings) == [-1, 5, 6]


def test_categories_are_trimmed_and_regions_know_their_families() -> None:
    (made,) = read(
        [head(), run(0, issue(5, " CodeInjection ")), run(1, issue(6, "CommandInjection")), run(2, issue(5, "Unclear"))]
    )
    seen = [draw.sightings[0] for draw in made.draws]

    assert seen[0].label == "CodeInjection"
    assert {s.region for s in seen} == {0}
    assert [s.statement for s in seen] == [2, 3, 2]


def test_regions_are_numbered_by_support() -> None:
    (made,) = read([head(), *(run(n, issue(1, "Secret"), issue(5)) for n in range(2)), run(2, issue(5))])

    assert {s.label: s.region for s in made.draws[0].sightings} == {"CodeInjection": 0, "Secret": 1}


def test_a_run_that_is_not_schema_valid_says_nothing() -> None:
    (made,) = read([head(), run(0, issue(5), valid=False), run(1, issue(5), valid="yes")])

    assert [(draw.is_valid, draw.sightings) for draw in made.draws] == [(False, ()), (False, ())]


def test_without_the_text_there_are_no_statements() -> None:
    (made,) = read([head(), run(0, issue(5))], texts={})

    assert (made.lines, made.statements) == (0, ())
    assert (made.draws[0].sightings[0].statement, made.draws[0].sightings[0].region) == (-1, -1)


def test_another_text_than_the_audited_one_is_refused() -> None:
    true = hashlib.sha256(TEXT.encode()).hexdigest()[:12]

    assert read([head(target_hash=true)])
    with pytest.raises(UsageError, match=r"target_x.py: its sha256 begins"):
        read([head(target_hash="0" * 12)])


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "log.jsonl: no cells"),
        (["{"], "log.jsonl:1: not JSON"),
        (["[" * 100_000], "log.jsonl:1: not JSON"),
        ([head(), "7"], "log.jsonl:2: not a JSON object"),
        ([head(""), run(0)], "log.jsonl:1: the cell is ''"),
        ([head(), {**run(0), "cell": None}], "log.jsonl:2: the cell is None"),
        ([run(0)], "log.jsonl:1: a run of cell 'c', which has no provenance line yet"),
        ([head(), run(0), head()], "log.jsonl:3: cell 'c' begins a second time"),
        ([head(), run("x")], "log.jsonl:2: run_id is 'x'"),
        ([head(), run(0), run(0)], "log.jsonl:3: run 0 of cell 'c' is there twice"),
        ([head(), {**run(0), "issues": "x"}], "log.jsonl:2: issues is not a list"),
        ([head(), {**run(0), "issues": ["x"]}], "log.jsonl:2: issues is not a list"),
    ],
)
def test_a_broken_log_is_refused_by_line(entries: list[object], message: str) -> None:
    with pytest.raises(UsageError) as error:
        read(entries)

    assert message in error.value.message
    assert error.value.remedy
