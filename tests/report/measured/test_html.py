"""The HTML page as a file: one document, nothing loaded, nothing foreign in a tag, and figures under the page's own colours."""

import hashlib
import re
from base64 import b64encode
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from support.measures import cell, measures, study, untold
from support.pools import FRAGMENTS, evil, poison

from venire.model.measures import Measures
from venire.report.measured import html, render_measures
from venire.report.measured.inline import COLORS
from venire.report.measured.sheet import KNOWN

VOID = {"meta"}
DRAWN = {"g", "path", "rect", "use"}  # elements of a drawing that close themselves


class Reader(HTMLParser):
    """Tags with their attributes in order, and the text outside the style sheet."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "drawn", lambda study, kind, number: "<svg></svg>")


def page(value: Measures) -> str:
    return render_measures(value, "html")


def test_the_page_is_one_closed_document_that_loads_nothing() -> None:
    read = Reader(page(measures()))
    assert read.open == []
    names = {name for _, attributes in read.tags for name, _ in attributes}
    assert not names & {"src", "srcset", "style", "action", "data", "xlink:href"}
    assert not [name for name in names if name.startswith("on")]
    assert {tag for tag, _ in read.tags} & {"script", "link", "img", "iframe", "object", "form"} == set()
    for _, attributes in read.tags:
        for name, value in attributes:
            assert name != "href" or re.fullmatch(r"#cell-\d+", value or "")


def test_the_policy_allows_this_style_sheet_and_nothing_else() -> None:
    text = page(measures())
    sheet = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert sheet
    digest = b64encode(hashlib.sha256(sheet.group(1).encode()).digest()).decode()
    policy = next(
        dict(found)["content"] for tag, found in Reader(text).tags if ("http-equiv", "Content-Security-Policy") in found
    )
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_links_lead_to_sections_and_ids_are_unique() -> None:
    read = Reader(page(measures()))
    ids = [value for _, attributes in read.tags for name, value in attributes if name == "id"]
    links = [str(value)[1:] for _, attributes in read.tags for name, value in attributes if name == "href"]
    assert len(set(ids)) == len(ids)
    assert links == ["cell-1", "cell-2", "cell-3"]
    assert set(links) <= set(ids)
    used = re.findall(r"url\(#([^)]*)\)", page(measures()))
    assert used
    assert set(used) <= set(ids)


@pytest.mark.usefixtures("no_figures")
class TestForeignText:
    """With drawings left out: they have tests of their own."""

    def check(self, text: str) -> None:
        hostile = Reader(page(poison(measures(), text)))
        plain = Reader(page(poison(measures(), "x")))
        assert hostile.tags == plain.tags
        assert hostile.open == []

    @pytest.mark.parametrize("text", FRAGMENTS)
    def test_no_known_attack_becomes_a_tag(self, text: str) -> None:
        self.check(text)

    @given(evil)
    @settings(max_examples=25, deadline=None)
    def test_no_text_becomes_a_tag(self, text: str) -> None:
        self.check(text)

    def test_a_reader_sees_the_text_itself(self) -> None:
        assert "<b>&amp;\\u{202e}" in Reader(page(Measures((study(cell=cell(model="<b>&amp;\u202e")),)))).text


def test_every_ink_of_a_figure_follows_the_page() -> None:
    text = page(measures())
    inks = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', text.split("</style>")[1]))
    assert inks
    assert inks <= set(COLORS)
    assert f'svg [fill="{KNOWN.fill}"] {{ fill: var(--known) }}' in text


def test_letters_of_a_figure_keep_their_size() -> None:
    """As attributes: matplotlib before 3.10 wrote one ``font`` property, which is none."""
    letters = re.findall(r"<text ([^>]*)>", page(measures()))
    assert letters
    assert all(re.search(r'font-size="[\d.]+px"', one) for one in letters)


def test_cells_beyond_the_drawn_ones_keep_their_tables_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "FIGURES", 1)
    text = page(Measures((study(), untold())))
    assert text.count("<svg") == 2
    assert text.count("Figures are drawn for the first 1 cell only") == 1
