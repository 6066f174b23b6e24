"""Whole pages of measures, compared with reviewed ones; foreign text is inert in every form."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from support.measures import measures, reliability, silent, study
from support.pools import FRAGMENTS, evil, poison

from venire.errors import UsageError
from venire.model.measures import Measures, Study, Surface
from venire.report.measured import SHOWN, render_measures

FOLDER = "tests/snapshots/measured"
DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)
STYLE = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture(autouse=True)
def no_figures(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Figures have tests of their own; what matplotlib writes differs with its version."""
    monkeypatch.setattr("venire.report.measured.html.drawn", lambda study, kind, number: f"<svg>{kind} {number}</svg>")


@pytest.mark.parametrize(
    ("name", "form", "width", "color"),
    [
        ("measures.txt", "terminal", 100, False),
        ("narrow.txt", "terminal", 40, False),
        ("color.ansi", "terminal", 100, True),
        ("measures.md", "markdown", 100, False),
        ("measures.html", "html", 100, False),
    ],
)
def test_the_whole_page(name: str, form: str, width: int, color: bool, expect: Callable[[str, str], None]) -> None:
    expect(f"{FOLDER}/{name}", render_measures(measures(), form, width=width, color=color))  # type: ignore[arg-type]


@pytest.mark.parametrize("form", SHOWN)
def test_the_same_measures_give_the_same_bytes(form: str) -> None:
    assert render_measures(measures(), form) == render_measures(measures(), form)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", SHOWN)
def test_nothing_measured_is_said_not_shown_as_a_blank(form: str) -> None:
    assert "Nothing measured" in render_measures(Measures(()), form)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", SHOWN)
def test_what_is_undefined_is_never_a_zero(form: str) -> None:
    """Precision and recall of a cell without truths or findings."""
    page = render_measures(measures(), form)  # type: ignore[arg-type]
    clean = page[page.rindex("d_7b_clean") :]
    row = next(line for line in clean.splitlines() if "recall of a run" in line)
    assert "undefined" in row
    assert "0.00" not in row


@pytest.mark.parametrize("form", SHOWN)
def test_one_cell_has_no_overview_and_no_truth_gives_no_validity(form: str) -> None:
    page = render_measures(Measures((silent(),)), form)  # type: ignore[arg-type]
    assert "side by side" not in page
    assert "Validity" not in page
    assert "No finding in 51 runs" in page


def refused(reason: str) -> Study:
    """Whatever figures come along with the reason."""
    return study(unseen=replace(study().unseen, refused=reason))


@pytest.mark.parametrize("form", SHOWN)
def test_an_estimate_of_what_is_unseen_never_speaks_for_defects(form: str) -> None:
    told = render_measures(Measures((study(),)), form, width=400)  # type: ignore[arg-type]
    assert "About 0.32 more distinct reports expected from one more run of this model and prompt; " in told
    assert "says nothing about defects it never reports" in told
    none = render_measures(Measures((refused("fewer than 4 runs"),)), form, width=400)  # type: ignore[arg-type]
    assert "fewer than 4 runs" in none
    assert "more distinct reports" not in none


@pytest.mark.parametrize("form", SHOWN)
def test_beside_a_figure_stands_what_it_does_not_tell(form: str) -> None:
    page = render_measures(measures(), form, width=400)  # type: ignore[arg-type]
    for words in (
        "agreement is persistence, not correctness",
        "not quality",
        "a finding outside it may still be right",
        "chance",
    ):
        assert words in page


def test_an_unknown_form_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as raised:
        render_measures(measures(), "pdf")  # type: ignore[arg-type]
    assert "terminal, markdown, html" in raised.value.remedy


@pytest.mark.parametrize("form", SHOWN)
def test_a_cell_of_no_runs_or_without_figures_is_shown_all_the_same(form: str) -> None:
    """A record that stopped before its first reply, and a surface without a threshold."""
    no_runs = study(reliability=reliability(runs=0, valid=0, empty=0, mean_findings=0.0, agreements=()), pivots=(), bars=())
    no_points = study(surfaces=(Surface("line0", (), None, None),), pivots=())
    page = render_measures(Measures((no_runs, no_points)), form)  # type: ignore[arg-type]
    assert "No finding in 0 runs" in page
    assert "0 of 0 runs silent (undefined)" in page


def everywhere(text: str) -> list[str]:
    hostile = poison(measures(), text)
    colored = STYLE.sub("", render_measures(hostile, "terminal", color=True))
    return [colored, *(render_measures(hostile, form) for form in ("terminal", "markdown", "html"))]


def check(text: str) -> None:
    """No character a terminal obeys or a reader misses, and no line a CI runner obeys."""
    for page in everywhere(text):
        assert not re.search(
            "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\U000e0000-\U0010ffff]", page
        )
        assert not [line for line in page.splitlines() if line.lstrip().startswith("::") or "##[" in line]


@pytest.mark.parametrize("text", FRAGMENTS)
def test_every_known_attack_is_inert_in_every_form(text: str) -> None:
    check(text)


@given(evil)
@settings(max_examples=25, deadline=None)
def test_no_text_is_a_command_in_any_form(text: str) -> None:
    check(text)
