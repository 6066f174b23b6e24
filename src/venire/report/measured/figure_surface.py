"""What each threshold keeps, as steps: known defects on the left, false survivors on the right, one row a key."""

from collections.abc import Sequence
from typing import NamedTuple

from venire.model.measures import Point, Study, Surface
from venire.report.measured.numbers import KEYS, is_double, majority, runs
from venire.report.measured.sheet import KNOWN, MARK, MUTED, OTHER, Look, Sheet, fitted, inert
from venire.report.wording import count

_STEP, _SPACE = 34.0, 9.0
_TITLE, _AXIS, _GAP, _FOOT = 50.0, 34.0, 12.0, 18.0
_EDGE, _KEYS, _BESIDE = 12.0, 58.0, 11.0


class _Plot(NamedTuple):
    """One column of steps: its ends, the most it can show, the runs along it, and its look."""

    left: float
    right: float
    top: int
    runs: int
    look: Look

    def x(self, k: float) -> float:
        """A threshold's middle; the first one starts half a step to the right of the left end."""
        return self.left + (self.right - self.left) * (k - 0.5) / max(1, self.runs)


def draw(studies: Sequence[Study], left_out: int, width: float) -> Sheet:
    """A sheet with one panel a study that has surfaces; ``left_out`` more cells are only counted when it is above 0."""
    sheet = Sheet(width, sum(map(_height, studies)) + _FOOT)
    top = 0.0
    for study in studies:
        _panel(sheet, study, top)
        top += _height(study)
    points = [point for study in studies for surface in study.surfaces for point in surface.points]
    double = " *: one survivor, several defects." if any(map(is_double, points)) else ""
    more = f" {count(left_out, 'more cell')} not drawn." if left_out > 0 else ""
    sheet.say(_EDGE, top + 4, f"A threshold is a trade, not a truth filter.{double}{more}", size=8, color=MUTED)
    return sheet


def _height(study: Study) -> float:
    return _TITLE + (_STEP + _SPACE) * len(study.surfaces) + _AXIS + _GAP


def _plots(study: Study, width: float) -> tuple[_Plot, _Plot]:
    points = [point for surface in study.surfaces for point in surface.points]
    middle = _EDGE + _KEYS + (width - 2 * _EDGE - _KEYS) / 2
    hits = max([1, *(point.hits + point.missed for point in points)])
    false = max([1, *(point.false for point in points)])
    return (
        _Plot(_EDGE + _KEYS + 14, middle - 24, hits, runs(study), KNOWN),
        _Plot(middle + 18, width - _EDGE - 20, false, runs(study), OTHER),
    )


def _panel(sheet: Sheet, study: Study, top: float) -> None:
    room = sheet.width - 2 * _EDGE
    sheet.say(_EDGE, top + 12, fitted(inert(study.cell.name, bold=True), room, 10, bold=True), size=10, bold=True)
    about = f"{inert(study.cell.target)} · {inert(study.cell.model)} · {count(runs(study), 'run')}"
    sheet.say(_EDGE, top + 26, fitted(about, room, 8), size=8, color=MUTED)
    first = top + _TITLE
    for plot, name in zip(_plots(study, sheet.width), ("known defects kept", "false survivors"), strict=True):
        sheet.say((plot.left + plot.right) / 2, top + 41, name, size=8.5, align="center")
        for row, surface in enumerate(study.surfaces):
            _steps(sheet, surface, plot, first + (_STEP + _SPACE) * row, majority(study))
        _threshold(sheet, study, plot, first)
    for row, surface in enumerate(study.surfaces):
        name = fitted(KEYS.get(surface.key, inert(surface.key)), _KEYS, 9)
        sheet.say(_EDGE, first + (_STEP + _SPACE) * row + _STEP / 2, name, size=9)


def _value(point: Point, plot: _Plot) -> int:
    return point.hits if plot.look is KNOWN else point.false


def _steps(sheet: Sheet, surface: Surface, plot: _Plot, top: float, threshold: int) -> None:
    """The steps of one key, and the value at the threshold beside them."""
    foot = top + _STEP
    sheet.rule((plot.left, top), (plot.right, top))
    sheet.rule((plot.left, foot), (plot.right, foot), color=MUTED)
    points = sorted(surface.points, key=lambda point: point.k)
    ends = [*(point.k for point in points[1:]), plot.runs + 1]
    steps = [(point.k, end, foot - _STEP * _value(point, plot) / plot.top) for point, end in zip(points, ends, strict=False)]
    while steps and steps[-1][2] == foot:  # no outline along the base
        steps.pop()
    if steps:
        tops = [(plot.x(k - 0.5), height) for start, end, height in steps for k in (start, end)]
        sheet.area([(plot.left, foot), *tops, (tops[-1][0], foot)], plot.look)
    if at := [point for point in points if point.k <= threshold]:
        value = f"{_value(at[-1], plot)}{'*' if plot.look is KNOWN and is_double(at[-1]) else ''}"
        sheet.say(plot.right + _BESIDE, foot - _STEP / 2, value, size=9, bold=True, align="center", color=MARK)


def _threshold(sheet: Sheet, study: Study, plot: _Plot, first: float) -> None:
    """The axis below the last row, and the majority line through all rows."""
    foot = first + (_STEP + _SPACE) * len(study.surfaces) - _SPACE
    middle = majority(study)
    x = plot.x(middle)
    sheet.mark((x, first - 3), (x, foot + 3))
    sheet.say(plot.left - 3, first, str(plot.top), size=7.5, align="right", color=MUTED)
    sheet.say(plot.left - 3, first + _STEP, "0", size=7.5, align="right", color=MUTED)
    sheet.say(plot.right + _BESIDE, first - 9, f"at {middle}", size=8, align="center", color=MARK)
    sheet.say(x, foot + 10, str(middle), size=8, bold=True, align="center", color=MARK)
    for k in (1, plot.runs):
        if abs(plot.x(k) - x) > 14:
            sheet.say(plot.x(k), foot + 10, str(k), size=8, align="center", color=MUTED)
    sheet.say((plot.left + plot.right) / 2, foot + 23, "threshold k: votes needed", size=8, align="center", color=MUTED)
