"""A sheet to draw on, in points from its top left corner: one look for every figure, the same bytes from the same matplotlib."""

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from venire.errors import UsageError
from venire.report.inert import plain

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import Patch

Form = Literal["svg", "png"]

PAPER, INK, MUTED, GRID, MARK = "#ffffff", "#1b1f24", "#57606a", "#d5dbe1", "#a12312"
"""Background, text, lesser text, rules, and the majority line."""

DPI = 160
"""Dots an inch of a PNG."""


class Look(NamedTuple):
    """Fill, outline and hatch. Looks differ in shade and in hatch, so they are told apart in grey and without colour vision."""

    fill: str
    edge: str
    hatch: str = ""


KNOWN = Look("#0b4f8a", "#0b4f8a")
OTHER = Look("#f8d3a6", "#8a4b00", "/////")
UNTOLD = Look("#8b97a5", "#57606a")
"""A known defect, a finding that names none, and a finding where no truth is given."""


class _Bytes:
    """The least of a file that matplotlib and Pillow write to; a pure stage opens none."""

    def __init__(self) -> None:
        self.written = bytearray()

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)

    def flush(self) -> None: ...

    def seek(self, offset: int, whence: int = 0) -> int:
        raise OSError("written once, from its start to its end")


@contextmanager
def look(salt: str, *, has_outlines: bool = True) -> Iterator[None]:
    """matplotlib as it is out of the box, whatever the user's matplotlibrc says; ``UsageError`` when there is none.

    ``salt`` decides the ids in an SVG. Letters are outlines there, since a reader's machine may lack the font, or text.
    """
    try:
        import matplotlib
    except ImportError:
        raise UsageError("figures are drawn by matplotlib, which is not installed", "pip install 'venire[stats]'") from None

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        letters = "path" if has_outlines else "none"
        matplotlib.rcParams.update({"svg.hashsalt": salt, "svg.fonttype": letters, "hatch.linewidth": 0.7})
        yield


@cache
def _font(size: float, bold: bool) -> "FontProperties":
    """The font that comes with matplotlib, by its file: a search would find another one on another machine."""
    import matplotlib
    from matplotlib.font_manager import FontProperties

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FontProperties(fname=f"{matplotlib.get_data_path()}/fonts/ttf/{name}", size=size, weight="bold" if bold else "normal")


@cache
def _drawable(bold: bool) -> frozenset[int]:
    from matplotlib.font_manager import get_font

    return frozenset(get_font(str(_font(9, bold).get_file())).get_charmap())


def inert(text: str, *, bold: bool = False) -> str:
    """Foreign text as a figure shows it: ``plain``, and what the font lacks or what piles up on its neighbour as its number."""
    known = _drawable(bold)
    return "".join(
        char if ord(char) in known and not unicodedata.combining(char) else f"\\u{{{ord(char):x}}}"
        for char in plain(text) or "(empty)"
    )


@lru_cache(4096)
def extent(text: str, size: float, *, bold: bool = False) -> float:
    """Width in points."""
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, _font(size, bold), ismath=False)
    return float(width)


def fitted(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """The text, cut with an ellipsis to ``room`` points."""
    if extent(text, size, bold=bold) < room + 0.1:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if extent(text[:middle] + "…", size, bold=bold) <= room else (low, middle - 1)
    return text[:low] + "…"


class Sheet:
    """``width`` and ``height`` in points; y grows downwards. To be used inside ``look``."""

    def __init__(self, width: float, height: float) -> None:
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self._figure = Figure(figsize=(width / 72, height / 72), facecolor=PAPER)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set(xlim=(0, width), ylim=(height, 0))
        self._axes.set_axis_off()

    def say(
        self, x: float, y: float, text: str, *, size: float = 9, bold: bool = False, align: str = "left", color: str = INK
    ) -> None:
        """``y`` is the middle of the line. A dollar sign is a dollar sign."""
        # Clipped to the sheet, so that no text can make it grow.
        self._axes.text(
            x, y, text, fontproperties=_font(size, bold), ha=align, va="center_baseline", color=color, parse_math=False,
            clip_on=True,
        )  # fmt: skip

    def rule(self, start: tuple[float, float], end: tuple[float, float], *, color: str = GRID) -> None:
        """A thin line below everything else."""
        self._line(start, end, color=color, linewidth=0.7, zorder=0)

    def mark(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """The majority line, dashed, above bars and steps; its gaps are paper, so it shows on any of them."""
        self._line(start, end, color=PAPER, linewidth=1.9, zorder=2)
        self._line(start, end, color=MARK, linewidth=1.3, zorder=2, linestyle=(0, (4, 2.5)))

    def _line(self, start: tuple[float, float], end: tuple[float, float], **how: Any) -> None:
        self._axes.plot([start[0], end[0]], [start[1], end[1]], solid_capstyle="butt", dash_capstyle="butt", **how)

    def box(self, x: float, y: float, width: float, height: float, look: Look) -> None:
        from matplotlib.patches import Rectangle

        self._add(Rectangle((x, y), width, height), look)

    def area(self, corners: Sequence[tuple[float, float]], look: Look) -> None:
        from matplotlib.patches import Polygon

        self._add(Polygon(corners, closed=True), look)

    def _add(self, patch: "Patch", look: Look) -> None:
        patch.set(facecolor=look.fill, edgecolor=look.edge, linewidth=0.8, hatch=look.hatch or None, joinstyle="miter")
        self._axes.add_patch(patch)

    def printed(self, form: Form) -> bytes:
        """The file's bytes: no date, no version, no name of a machine in them."""
        file: Any = _Bytes()
        left_out = ("Creator", "Date", "Format", "Type") if form == "svg" else ("Software",)
        self._figure.savefig(file, format=form, dpi=DPI, metadata=dict.fromkeys(left_out))
        return bytes(file.written)
