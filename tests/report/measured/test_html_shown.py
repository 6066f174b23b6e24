"""The HTML page in a real browser: no complaint, figures in sight, nothing wider than a telephone, and it prints."""

import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import CHROMIUM, Tab, View, tab
from support.measures import measures, study
from support.pools import FRAGMENTS, poison

from venire.model.measures import Measures
from venire.report.measured import render_measures

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here (Debian: apt install chromium)")

WIDE = """[...document.querySelectorAll("body *")].filter(one => !one.closest("svg") && !one.closest(".scroll > *")
    && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(one => one.outerHTML.slice(0, 80))"""
FIGURES = """[...document.querySelectorAll("figure svg")].map(one => {
    const box = one.getBoundingClientRect(); return [box.width, box.height] })"""
BARS = """[...document.querySelectorAll('svg.votes path[fill="#0b4f8a"]')].map(one => {
    const box = one.getBoundingClientRect(); return [box.width > 0, box.height > 0, getComputedStyle(one).fill] })"""
UNREADABLE = """[...document.querySelectorAll("svg text")].filter(one => {
    const box = one.getBoundingClientRect(), whole = one.closest("svg").getBoundingClientRect();
    return box.height < 6 || box.left < whole.left - 1 || box.right > whole.right + 1 }).map(one => one.textContent)"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with tab(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of plain cells, and one with every known attack in every text."""
    folder = tmp_path_factory.mktemp("pages")
    hostile = Measures((poison(study(), "".join(FRAGMENTS)), poison(study(), "w" * 600)), warnings=("x" * 900,))
    for name, value in (("plain", measures()), ("hostile", hostile)):
        (folder / f"{name}.html").write_text(render_measures(value, "html"), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in ("plain", "hostile")}


@pytest.mark.parametrize("name", ["plain", "hostile"])
@pytest.mark.parametrize("view", [View(1200), View(400), View(400, is_dark=True)], ids=["desktop", "telephone", "dark"])
def test_a_page_is_shown_whole_and_without_complaint(name: str, view: View, browser: Tab, files: dict[str, Path]) -> None:
    browser.errors.clear()
    browser.show(files[name], view)
    assert browser.ask("document.documentElement.clientWidth") == view.width
    assert browser.ask("document.documentElement.scrollWidth") <= view.width
    assert browser.ask(WIDE) == []
    figures = browser.ask(FIGURES)
    assert len(figures) == (5 if name == "plain" else 4)
    assert all(width > 250 and height > 50 for width, height in figures)
    assert browser.ask(UNREADABLE) == []
    assert browser.ask("document.scripts.length + document.images.length") == 0
    assert browser.errors == []


def test_a_table_wider_than_a_telephone_scrolls_in_its_own_box(browser: Tab, files: dict[str, Path]) -> None:
    browser.show(files["plain"], View(400))
    inside = browser.ask('[...document.querySelectorAll(".scroll")].some(box => box.scrollWidth > box.clientWidth)')
    outside = browser.ask('[...document.querySelectorAll(".scroll")].every(box => box.getBoundingClientRect().right <= 400)')
    assert (inside, outside) == (True, True)


def test_the_policy_lets_the_page_have_its_style_and_its_dark_one(browser: Tab, files: dict[str, Path]) -> None:
    """Bars have a size and the colour of the scheme, so style sheet and attributes both came through."""
    seen = []
    for is_dark in (False, True):
        browser.show(files["plain"], View(is_dark=is_dark))
        bars = browser.ask(BARS)
        assert bars
        assert all(wide and high for wide, high, _ in bars)
        assert len({fill for _, _, fill in bars}) == 1
        seen.append((bars[0][2], browser.ask("getComputedStyle(document.body).backgroundColor")))
    assert seen == [("rgb(11, 79, 138)", "rgb(255, 255, 255)"), ("rgb(108, 180, 245)", "rgb(20, 23, 27)")]


def test_a_page_prints_light_and_on_more_than_one_sheet(browser: Tab, files: dict[str, Path]) -> None:
    browser.show(files["plain"], View(is_dark=True))
    paper = b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    assert paper.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) >= 3
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    printed = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.call("Emulation.setEmulatedMedia", media="")
    assert printed == "rgb(255, 255, 255)"


def test_a_script_in_a_page_would_be_stopped_and_noticed(browser: Tab, tmp_path: Path) -> None:
    """The tests above can fail: what the policy forbids is not run, and the console says so."""
    changed = render_measures(Measures(()), "html").replace("</main>", "<script>document.title = 'run'</script></main>")
    file = tmp_path / "changed.html"
    file.write_text(changed, encoding="utf-8")
    browser.errors.clear()
    browser.show(file, View())
    assert browser.ask("document.title") != "run"
    assert any("Content Security Policy" in error for error in browser.errors)
