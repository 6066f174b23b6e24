"""Figures read back: what is drawn where, that it is the same everywhere, and that it is well formed whatever a label holds."""

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given, settings
from support.measures import bars, cell, clean, points, silent, study, surfaces, untold
from support.pools import evil, poison

from venire.errors import UsageError
from venire.model.measures import Bar, Study, Surface
from venire.report.measured import figure
from venire.report.measured.figure_votes import BARS
from venire.report.measured.figures import PANELS
from venire.report.measured.inline import drawn
from venire.report.measured.sheet import KNOWN, MARK, OTHER, UNTOLD

ALLOWED = {"svg", "defs", "style", "g", "path", "clipPath", "rect", "pattern", "use", "metadata"}
PNG = b"\x89PNG\r\n\x1a\n"


def parsed(image: str | bytes) -> Element:
    return fromstring(image)  # noqa: S314  (our own)


def texts(one: Study, kind: str = "votes") -> list[str]:
    """The words of a figure, in the order they are drawn in."""
    return [text.text or "" for text in parsed(drawn(one, kind, 1)).iter("text")]  # type: ignore[arg-type]


def boxes(one: Study, look: str) -> list[float]:
    """Right ends of the bars with a fill, without the legend's; the fill is a colour or, for a hatch, a pattern."""
    found = re.findall(r'<path d="M \S+ \S+ +L (\S+) [^"]*"[^>]* fill="([^"]*)"', drawn(one, "votes", 1))
    return [float(end) for end, fill in found if fill.startswith(look)][1:]


def test_every_finding_is_drawn_by_votes_with_its_line() -> None:
    words = texts(study())
    labels = [word for word in words if word in {bar.label for bar in bars()}]
    assert labels == ["SQLInjection", "ResourceLeak", "ResourceLeak", "OffByOne", "OffByOne", "ResourceLeak", "Unclear"]
    assert [word for word in words if word.startswith("line ")] == [f"line {at}" for at in (9, 16, 17, 23, 25, 12, 15)]
    assert "majority: 26 of 51" in words
    assert "Votes measure persistence, not correctness." in words


def test_known_and_other_findings_have_looks_of_their_own() -> None:
    assert len(boxes(study(), KNOWN.fill)) == 4
    assert len(boxes(study(), "url(")) == 3
    assert drawn(study(), "votes", 1).count("<pattern") == 1


def test_without_truths_no_finding_is_called_known_or_other() -> None:
    assert boxes(untold(), KNOWN.fill) == []
    assert len(boxes(untold(), UNTOLD.fill)) == 1
    assert "known defect" not in texts(untold())
    assert "no ground truth given" in texts(untold())
    assert "no ground truth given" not in texts(study())


def test_exactly_the_bars_that_reach_the_majority_cross_its_line() -> None:
    edge = study(bars=tuple(Bar("x", votes, votes, True) for votes in (51, 27, 26, 25, 24, 1)))
    at = [float(x) for x in re.findall(rf'<path d="M (\S+) [^"]*"[^>]*stroke="{MARK}"', drawn(edge, "votes", 1))]
    assert len(at) == 2  # the legend's, and the panel's
    assert [end > at[-1] for end in boxes(edge, KNOWN.fill)] == [True, True, True, False, False, False]


def test_more_findings_than_fit_are_counted() -> None:
    many = study(bars=tuple(Bar(f"check_{n}", n, max(1, 51 - n), False) for n in range(BARS + 30)))
    words = texts(many)
    assert sum(word.startswith("check_") for word in words) == BARS
    assert "and 30 more findings, none above 1 vote" in words


def test_a_cell_without_findings_says_so() -> None:
    assert "no finding in 51 runs" in texts(silent())


def test_the_surface_shows_each_key_and_its_values_at_the_majority() -> None:
    words = texts(study(), "surface")
    assert [word for word in words if word in ("line ±0", "line ±2", "line ±5", "statement", "region")] == [
        "line ±0", "line ±2", "line ±5", "statement", "region",
    ]  # fmt: skip
    at = [index for index, word in enumerate(words) if word == "at 26"]
    assert len(at) == 2
    assert [word for word in words if re.fullmatch(r"\d+\*?", word)][:5] == ["2", "2", "3*", "2", "2"]
    assert "A threshold is a trade, not a truth filter. *: one survivor, several defects." in words


def test_the_value_at_the_majority_is_that_of_the_threshold_itself() -> None:
    edge = study(surfaces=(Surface("line0", points(51, [[27], [26], [25]], []), None, None),))
    assert next(word for word in texts(edge, "surface") if word.isdecimal()) == "2"


def test_a_key_without_false_survivors_has_no_steps_there() -> None:
    right = study(surfaces=(Surface("line0", points(51, [[51]], []), 1.0, 0.1),))
    assert "<pattern" not in drawn(right, "surface", 1)
    assert KNOWN.fill in drawn(right, "surface", 1)
    wrong = study(surfaces=(Surface("line0", points(51, [], [51]), None, None),))
    assert "<pattern" in drawn(wrong, "surface", 1)
    assert f'fill="{KNOWN.fill}"' not in drawn(wrong, "surface", 1)


@pytest.mark.parametrize("form", ["svg", "png"])
@pytest.mark.parametrize("kind", ["votes", "surface"])
def test_a_figure_is_what_its_form_says(kind: str, form: str) -> None:
    image = figure([study(), clean()], kind, form)  # type: ignore[arg-type]
    if form == "png":
        assert image.startswith(PNG)
        assert image.endswith(b"IEND\xaeB`\x82")
    else:
        assert parsed(image).tag == "{http://www.w3.org/2000/svg}svg"


SAME = """
import hashlib, sys
sys.path[:0] = [{tests!r}]
from support.measures import clean, study
from venire.report.measured import figure
for kind in ("votes", "surface"):
    for form in ("svg", "png"):
        print(hashlib.sha256(figure([study(), clean()], kind, form)).hexdigest())
"""


def test_the_bytes_are_the_same_in_another_process_whatever_the_user_has_set(tmp_path: Path) -> None:
    """Another hash seed, time zone, backend and a style of the user's own change nothing."""
    (tmp_path / "matplotlibrc").write_text(
        "savefig.bbox: tight\nlines.scale_dashes: False\ntext.hinting: none\npatch.antialiased: False\nfont.family: monospace\n"
    )
    here = [
        hashlib.sha256(figure([study(), clean()], kind, form)).hexdigest()
        for kind in ("votes", "surface")
        for form in ("svg", "png")
    ]  # type: ignore[arg-type]
    script = SAME.format(tests=str(Path(__file__).parents[2]))
    there = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "MATPLOTLIBRC": str(tmp_path), "SOURCE_DATE_EPOCH": "1"},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert there.stdout.split() == here


def test_a_figure_leaves_matplotlib_as_it_was() -> None:
    import matplotlib

    with matplotlib.rc_context({"lines.linewidth": 7.5}):
        figure([study()], "votes", "svg")
        assert matplotlib.rcParams["lines.linewidth"] == 7.5


def test_no_date_machine_or_version_is_in_a_figure() -> None:
    for form in ("svg", "png"):
        image = figure([study()], "votes", form)  # type: ignore[arg-type]
        assert not re.search(rb"matplotlib|20\d\d-\d\d|<dc:|Software", image, re.IGNORECASE)


@given(evil)
@settings(max_examples=6, deadline=None)
def test_no_label_is_more_than_letters(text: str) -> None:
    hostile = poison(study(), text)
    for kind in ("votes", "surface"):
        image = figure([hostile], kind, "svg")  # type: ignore[arg-type]
        assert {element.tag.rpartition("}")[2] for element in parsed(image).iter()} <= ALLOWED
        assert not re.search(rb'href="(?!#)', image)
        assert figure([hostile], kind, "png").startswith(PNG)  # type: ignore[arg-type]


def test_a_dollar_is_a_dollar() -> None:
    assert "$\\frac{a}{b}$" in texts(study(bars=(Bar("$\\frac{a}{b}$", 1, 3, True),)))


def height(image: bytes) -> int:
    """Of a PNG, from its header."""
    return int.from_bytes(image[20:24])


def test_a_full_figure_stays_within_what_a_png_can_be() -> None:
    """matplotlib draws at most 2 ** 16 dots a side; every panel is as high as the first."""
    full = study(bars=tuple(Bar("x", n, 1, False) for n in range(BARS + 1)))
    one, two = (height(figure([full] * panels, "votes", "png")) for panels in (1, 2))
    assert one + (PANELS - 1) * (two - one + 1) < 2**16


def test_more_cells_than_a_figure_holds_are_counted() -> None:
    image = figure([silent()] * (PANELS + 3), "votes", "svg").decode()
    assert image.count("<!-- no finding in 51 runs -->") == PANELS
    assert "3 more cells not drawn" in image


def test_cells_without_truths_have_no_surface() -> None:
    with pytest.raises(UsageError, match="ground truth"):
        figure([untold()], "surface", "svg")
    with pytest.raises(UsageError, match="at least one cell"):
        figure([], "votes", "svg")
    assert figure([untold(), study()], "surface", "svg") == figure([study()], "surface", "svg")


def test_no_run_and_no_threshold_can_be_drawn() -> None:
    none = study(
        reliability=replace(study().reliability, runs=0), pivots=(), bars=(), surfaces=(Surface("line0", (), None, None),)
    )
    assert "no finding in 0 runs" in texts(none)
    assert "line ±0" in texts(none, "surface")


def test_one_run_and_a_thousand_runs_can_be_drawn() -> None:
    for runs in (1, 2, 1000):
        reliability = replace(study().reliability, runs=runs)
        one = study(reliability=reliability, pivots=(), bars=(Bar("x", 1, runs, True),), cell=cell(name="n" * 500))
        flat = replace(one, surfaces=(Surface("line0", points(runs, [[runs]], [1]), None, None), *surfaces(runs)[1:]))
        assert figure([flat], "surface", "png").startswith(PNG)
        assert str(runs) in texts(flat)
        assert OTHER.edge in drawn(flat, "surface", 1)
