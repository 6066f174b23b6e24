"""The job summary: every candidate as a card, within a step's limit."""

import re
from dataclasses import replace

import pytest
from support.pools import POOLS, candidate, crowd, judged, pool, troubled

from venire.report import render
from venire.report.summary import LIMIT, report


@pytest.mark.parametrize("name", POOLS)
def test_every_candidate_has_a_card(name: str) -> None:
    whole = POOLS[name]()
    assert len(re.findall("^#### ", render(whole, "summary"), re.MULTILINE)) == len(whole.candidates)


def test_what_gave_no_vote_is_listed() -> None:
    text = render(troubled(), "summary")
    for title in ("3 failed samples", "2 files skipped", "Not shown to the model, and other notes on files", "Warnings"):
        assert f"<details><summary>{title}</summary>" in text


def test_decisions_and_what_changed_are_told_as_in_the_comment() -> None:
    text = render(judged(), "summary")
    assert "**Since the earlier audit:** 1 new, 2 still there, 1 moved, 1 not reported any more" in text
    assert "- dismissed by `jo` on `2026-11-02`: `Read only at start.`" in text


def test_thousands_of_candidates_stay_within_a_mebibyte_and_the_rest_is_counted() -> None:
    text = report(crowd(severe=100, frequent=1_000, rest=9_000))
    assert len(text.encode()) <= LIMIT < 2**20
    assert len(text.encode()) > LIMIT - 20_000
    assert re.search(r"\*\*[\d,]+ of 9,000 candidates \(rest\) are not shown here\.\*\*", text)


def test_the_limit_counts_bytes() -> None:
    many = pool(*(candidate(40, first=number, problem="🦊" * 400) for number in range(1, 1_000)))
    assert len(report(many, limit=100_000).encode()) <= 100_000


def test_a_list_of_thousands_of_failures_is_cut_and_counted() -> None:
    many = tuple(replace(troubled().failures[0], path=f"src/{number}.py") for number in range(5_000))
    text = render(replace(troubled(), failures=many), "summary")
    assert "and 4,800 more" in text
    assert len(text.encode()) <= LIMIT


def test_long_lists_never_take_the_room_of_candidates() -> None:
    long = troubled().failures[0]
    many = tuple(replace(long, path="宽" * 160, bucket="宽" * 200, model="宽" * 200, reason=f"{n}宽" * 500) for n in range(3_000))
    text = report(replace(troubled(), failures=many), limit=100_000)
    assert len(text.encode()) <= 100_000
    assert len(re.findall("^#### ", text, re.MULTILINE)) == 4
    assert "and 2,998 more" in text
