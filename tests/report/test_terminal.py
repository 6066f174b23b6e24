"""The terminal report fits its width, opens with what matters and drops nothing."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pools import POOLS, candidate, evil, poison, pool, rare_and_severe, severe_among_frequent, troubled

from venire.model import Lane
from venire.report import render
from venire.report.flow import columns

STYLE = re.compile(r"\x1b\[[\d;]*m")


def screen(text: str) -> str:
    return "\n".join(text.splitlines()[:24])


def test_a_severe_candidate_of_one_run_is_on_the_first_screen() -> None:
    """Also behind 40 frequent candidates and 30 skipped files."""
    text = render(severe_among_frequent(), "terminal", width=100)
    assert "src/query.py:9 · high · 1 of 51 runs" in screen(text)
    assert "cursor.execute(" in screen(text)


def test_the_rarest_of_many_severe_candidates_is_on_the_first_screen() -> None:
    many = [candidate(51 - number, lane=Lane.SEVERE, first=10 * number) for number in range(1, 12)]
    crowd = pool(*many, rare_and_severe(), reasons=("r" * 300,) * 30, status="partial")
    assert "1 of 51  src/query.py:9" in screen(render(crowd, "terminal", width=100))


def test_of_many_severe_candidates_the_strongest_and_the_rarest_are_on_the_first_screen() -> None:
    many = [candidate(51 - number, lane=Lane.SEVERE, first=10 * number) for number in range(1, 30)]
    top = screen(render(pool(*many, rare_and_severe()), "terminal", width=100))
    assert "50 of 51  src/store.py:10-11" in top
    assert "and 18 more between" in top
    assert "1 of 51  src/query.py:9" in top


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("width", [40, 80, 100, 120])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    text = STYLE.sub("", render(POOLS[name](), "terminal", width=width, color=True))
    assert max(map(columns, text.splitlines())) <= width


@given(st.integers(40, 130), evil)
@settings(max_examples=25, deadline=None)
def test_no_foreign_text_makes_a_line_wider(width: int, text: str) -> None:
    for line in render(poison(troubled(), text), "terminal", width=width).splitlines():
        broken = 3 * len(re.findall(r"\\x3a|\\x23", line))  # what breaking a command adds
        assert columns(line) <= width + broken


@pytest.mark.parametrize("name", POOLS)
def test_color_adds_styles_and_nothing_else(name: str) -> None:
    plain, colored = (render(POOLS[name](), "terminal", color=color) for color in (False, True))
    assert "\x1b" not in plain
    assert [line.rstrip() for line in STYLE.sub("", colored).splitlines()] == plain.splitlines()
    assert colored != plain


def test_every_candidate_is_there() -> None:
    """Severe and frequent ones as cards, the others one line each."""
    text = render(severe_among_frequent(), "terminal")
    assert all(f"· {one.id}\n" in text for one in severe_among_frequent().candidates)
    short = render(troubled(), "terminal")
    assert all(re.search(f"^  +1 of 3 .*{place}.*{id}", short, re.MULTILINE)
               for place, id in (("deploy/run.sh:12-14", "c-0000beef"), ("src/store.py:80", "c-0000f00d")))  # fmt: skip


def test_a_candidate_in_one_line_stays_in_one_line() -> None:
    long = candidate(1, lane=Lane.REST, labels=(), problem="word " * 60)
    lines = render(pool(long), "terminal").splitlines()
    at = next(index for index, line in enumerate(lines) if "c-3fa91b2c" in line)
    assert lines[at].endswith("…")
    assert lines[at + 1] == ""


def test_each_skipped_file_is_listed() -> None:
    text = render(severe_among_frequent(), "terminal")
    assert text.count(".bin: binary\n") == 30


def test_reasons_too_long_for_the_top_follow_in_full() -> None:
    reason = "because " * 40
    text = render(pool(status="inconclusive", reasons=(reason.strip(),) * 5), "terminal")
    assert "and 2 more reasons, below" in screen(text)
    assert re.sub(r"\s+", " ", text).count(reason.strip()) == 5
