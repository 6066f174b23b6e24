"""A study's figures as SVG inside an HTML page: its colours follow the page's, its letters are text."""

import html
import re

from venire.model.measures import Study
from venire.report.measured.figures import Kind
from venire.report.measured.sheet import GRID, INK, KNOWN, MARK, MUTED, OTHER, PAPER, UNTOLD, look

WIDTH = 340
"""Points: narrow enough for a telephone, where it is scaled little."""

COLORS = {
    PAPER: "paper", INK: "ink", MUTED: "muted", GRID: "grid", MARK: "mark", KNOWN.fill: "known", OTHER.fill: "other",
    OTHER.edge: "edge", UNTOLD.fill: "untold",
}  # fmt: skip
"""The ink of a figure, and the page's name for it. A style sheet wins over the attributes that name the ink."""

_TAG = re.compile(r"<[^>]*>")
_STYLE = re.compile(r' style="([^"]*)"')
_UNUSED = re.compile(r' id="(?![hp][0-9a-f]{10}")[^"]*"| transform="rotate\(-0 [^"]*\)"')


def drawn(study: Study, kind: Kind, number: int) -> str:
    """The figure as one ``svg`` element; ``number`` keeps its ids apart from those of others on the page."""
    from venire.report.measured import figure_surface, figure_votes

    draw = figure_surface.draw if kind == "surface" else figure_votes.draw
    with look(f"venire {kind} {number}", has_outlines=False):
        whole = draw([study], 0, WIDTH).printed("svg").decode()
    inside = whole[whole.index(">", whole.index("<svg ")) + 1 :]
    inside = re.sub(r"<style.*?</style>", "", inside, count=1, flags=re.DOTALL)
    height = re.search(r'viewBox="0 0 \S+ (\S+)"', whole)
    label = html.escape(f"{'What each threshold keeps' if kind == 'surface' else 'Votes of each finding'}: figure {number}")
    box = f'viewBox="0 0 {WIDTH} {height.group(1) if height else WIDTH}"'
    return f'<svg class="figure {kind}" role="img" aria-label="{label}" {box}>{_TAG.sub(_plain, inside)}'.replace("\n", " ")


def _plain(tag: re.Match[str]) -> str:
    """A tag without a ``style``, which a strict policy forbids: each property as the attribute of its name (SVG 1.1, 6.4)."""
    return _UNUSED.sub("", _STYLE.sub(_attributes, tag.group()))


def _attributes(style: re.Match[str]) -> str:
    pairs = (one.split(":", 1) for one in style.group(1).split(";") if ":" in one)
    # The page says which font; matplotlib's long list of them is left out.
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs if name.strip() != "font-family")
