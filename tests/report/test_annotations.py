"""Workflow commands: the most severe first, within the runner's limits, the rest counted."""

from collections import Counter
from dataclasses import replace

import pytest
from support.gfm import Command, commands
from support.pools import POOLS, candidate, clean, crowd, inconclusive, judged, pool, rare_and_severe, troubled

from venire.model import Pool
from venire.report import render
from venire.report.annotations import EACH


def told(pool: Pool) -> list[Command]:
    return commands(render(pool, "annotations"))


@pytest.mark.parametrize("made", [*POOLS.values(), judged, crowd, lambda: crowd(40, 40, 40)])
def test_no_level_has_more_than_the_runner_shows(made: object) -> None:
    counts = Counter(command.name for command in told(made()))  # type: ignore[operator]
    assert set(counts) <= {"warning", "notice"}
    assert max(counts.values()) <= EACH


def test_a_candidate_stands_at_its_statement_under_its_votes() -> None:
    first, _ = told(pool(rare_and_severe()))
    assert first.name == "warning"
    assert dict(first.properties)["title"] == "high, 1 of 51 runs, c-0badc0de"
    assert first.data.startswith("The user's name is put into the SQL text. (SQL statements are built with bound")


def test_the_most_severe_come_first_and_the_rest_is_counted_in_the_last_line() -> None:
    lines = told(crowd(severe=14, frequent=20, rest=30))
    assert [command.name for command in lines] == ["warning"] * 10 + ["notice"] * 10
    assert lines[-1].data == (
        "64 candidates: 14 severe, 20 frequent, 30 rest, 0 outside the change; 45 candidates without an annotation here"
    )
    assert [dict(command.properties)["title"].split(",")[1] for command in lines[:4]] == [
        " 51 of 51 runs", " 39 of 51 runs", " 27 of 51 runs", " 15 of 51 runs",
    ]  # fmt: skip


def test_candidates_outside_the_change_and_dismissed_ones_have_none() -> None:
    places = {dict(command.properties).get("line") for command in told(troubled())}
    assert "80" not in places
    assert not any("settings.py" in str(command.properties) for command in told(judged()))


def test_a_failed_audit_opens_with_a_warning() -> None:
    first, last = told(inconclusive())
    assert first == Command("warning", (("title", "venire"),), "INCONCLUSIVE: 1 of 5 runs valid, this is not a clean result")
    assert last.name == "notice"


def test_a_clean_audit_is_one_notice() -> None:
    assert render(clean(), "annotations") == "::notice title=venire::No candidates: all 5 runs were silent\n"


def test_a_long_path_is_given_whole_since_the_runner_needs_it() -> None:
    path = "src/" + "long/" * 100 + "file.py"
    assert dict(told(pool(candidate(path=path)))[0].properties)["file"] == path


def test_evidence_is_told() -> None:
    assert told(judged())[2].data.endswith("; also reported by bandit B608 on line 9")


def test_a_file_that_steers_the_audit_and_is_altered_is_warned_of_first() -> None:
    first = told(judged())[0]
    assert first == Command(
        "warning", (("file", "venire.yml"), ("line", "1"), ("title", "venire")),
        "This change alters what decides how changes are audited",
    )  # fmt: skip


def test_warnings_about_the_audit_leave_room_for_severe_candidates() -> None:
    steered = replace(crowd(severe=20), altered=tuple(f"criteria/{n}.yml" for n in range(50)), status="partial")
    assert sum("high, " in str(command.properties) for command in told(steered)) == 6
