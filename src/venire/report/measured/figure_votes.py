"""Votes of every finding as bars, with the majority threshold: what voting keeps and what it drops."""

from collections.abc import Sequence
from typing import NamedTuple

from venire.model.measures import Bar, Study
from venire.report.measured.numbers import majority, ranked, runs
from venire.report.measured.sheet import GRID, KNOWN, MARK, MUTED, OTHER, UNTOLD, Look, Sheet, extent, fitted, inert
from venire.report.wording import count

BARS = 60
"""Findings a panel shows; it says how many it leaves out."""

_ROW, _BAR = 16.0, 10.5
_HEAD, _TITLE, _AXIS, _GAP, _FOOT = 28.0, 48.0, 30.0, 12.0, 22.0
_EDGE = 12.0


class _Frame(NamedTuple):
    """Where the columns of every panel stand: the lines' right end, the bars' left and right ends."""

    lines: float
    left: float
    right: float


def draw(studies: Sequence[Study], left_out: int, width: float) -> Sheet:
    """A sheet with one panel a study; ``left_out`` more cells are only counted when it is above 0."""
    sheet = Sheet(width, _HEAD + sum(map(_height, studies)) + _FOOT)
    frame = _frame(studies, width)
    _legend(sheet, studies)
    top = _HEAD
    for study in studies:
        _panel(sheet, study, top, frame)
        top += _height(study)
    more = f" {count(left_out, 'more cell')} not drawn." if left_out > 0 else ""
    sheet.say(_EDGE, top + _FOOT / 2 - 4, f"Votes measure persistence, not correctness.{more}", size=8, color=MUTED)
    return sheet


def _rows(study: Study) -> int:
    """Lines of a panel: its bars, and one line for what is left out or for there being none."""
    return min(len(study.bars), BARS) + (len(study.bars) > BARS or not study.bars)


def _height(study: Study) -> float:
    return _TITLE + _ROW * _rows(study) + (_AXIS if study.bars else 0) + _GAP


def _frame(studies: Sequence[Study], width: float) -> _Frame:
    shown = [bar for study in studies for bar in ranked(study.bars)[:BARS]]
    names = max((extent(inert(bar.label), 9) for bar in shown), default=0)
    lines = max((extent(f"line {bar.line}", 8) for bar in shown), default=0)
    label = min(names, 0.36 * width)
    end = _EDGE + label + 8 + lines
    return _Frame(end, end + 8, width - _EDGE - 22)


def _legend(sheet: Sheet, studies: Sequence[Study]) -> None:
    """The looks that occur, and the majority's line."""
    judged = [(KNOWN, "known defect"), (OTHER, "not in the ground truth")] if any(study.validity for study in studies) else []
    looks = judged + ([] if all(study.validity for study in studies) else [(UNTOLD, "no ground truth given")])
    x = _EDGE
    for shade, name in looks:
        sheet.box(x, _HEAD / 2 - 1, 14, 9, shade)
        sheet.say(x + 19, _HEAD / 2 + 3.5, name, size=8.5)
        x += 19 + extent(name, 8.5) + 16
    sheet.mark((x, _HEAD / 2 + 3.5), (x + 18, _HEAD / 2 + 3.5))
    sheet.say(x + 23, _HEAD / 2 + 3.5, "majority", size=8.5)


def _panel(sheet: Sheet, study: Study, top: float, frame: _Frame) -> None:
    room = sheet.width - 2 * _EDGE
    sheet.say(_EDGE, top + 12, fitted(inert(study.cell.name, bold=True), room, 10, bold=True), size=10, bold=True)
    sheet.say(_EDGE, top + 26, fitted(_about(study), room, 8), size=8, color=MUTED)
    first = top + _TITLE
    bars = ranked(study.bars)
    foot = first + _ROW * len(bars[:BARS])
    if bars:
        _axis(sheet, study, (first, foot), top + _height(study) - _GAP - _AXIS, frame)
        _majority(sheet, study, (first, foot), frame)
    for row, bar in enumerate(bars[:BARS]):
        _bar(sheet, study, bar, first + _ROW * row, frame)
    if note := _note(study, bars):
        sheet.say(_EDGE, foot + _ROW / 2, note, size=8, color=MUTED)


def _note(study: Study, bars: Sequence[Bar]) -> str:
    if len(bars) > BARS:
        return f"and {count(len(bars) - BARS, 'more finding')}, none above {count(bars[BARS].support, 'vote')}"
    return "" if bars else f"no finding in {count(runs(study), 'run')}"


def _about(study: Study) -> str:
    known = f", {count(study.validity.truths, 'known defect')}" if study.validity else ""
    return f"{inert(study.cell.target)} · {inert(study.cell.model)} · {count(runs(study), 'run')}{known}"


def _at(study: Study, votes: float, frame: _Frame) -> float:
    return frame.left + (frame.right - frame.left) * votes / max(1, runs(study))


def _axis(sheet: Sheet, study: Study, rows: tuple[float, float], y: float, frame: _Frame) -> None:
    from matplotlib.ticker import MaxNLocator

    top = max(1, runs(study))
    ticks = [round(tick) for tick in MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]).tick_values(0, top) if tick < 0.9 * top]
    for votes in [*ticks, top]:
        x = _at(study, votes, frame)
        sheet.rule((x, rows[0]), (x, rows[1]), color=MUTED if votes == 0 else GRID)
        sheet.say(x, y + 9, str(votes), size=8, align="center", color=MUTED)
    sheet.say((frame.left + frame.right) / 2, y + 22, "votes (runs that report it)", size=8, align="center", color=MUTED)


def _bar(sheet: Sheet, study: Study, bar: Bar, y: float, frame: _Frame) -> None:
    middle = y + _ROW / 2
    lines = extent(f"line {bar.line}", 8)
    room = min(0.36 * sheet.width, frame.lines - lines - 8 - _EDGE)
    sheet.say(_EDGE, middle, fitted(inert(bar.label), room, 9), size=9)
    sheet.say(frame.lines, middle, f"line {bar.line}", size=8, align="right", color=MUTED)
    end = _at(study, bar.support, frame)
    sheet.box(frame.left, middle - _BAR / 2, end - frame.left, _BAR, _look(study, bar))
    is_kept = bar.support >= majority(study)
    line = _at(study, majority(study) - 0.5, frame)
    is_hidden = not is_kept and end + 6 + extent(str(bar.support), 8.5) > line
    sheet.say(line + 4 if is_hidden else end + 4, middle, str(bar.support), size=8.5, bold=is_kept)


def _look(study: Study, bar: Bar) -> Look:
    if study.validity is None:
        return UNTOLD
    return KNOWN if bar.is_seeded else OTHER


def _majority(sheet: Sheet, study: Study, rows: tuple[float, float], frame: _Frame) -> None:
    """Half a vote before the threshold, so that every bar that reaches the threshold crosses the line."""
    x = _at(study, majority(study) - 0.5, frame)
    sheet.mark((x, rows[0] - 3), (x, rows[1]))
    words = f"majority: {majority(study)} of {runs(study)}"
    sheet.say(min(x, sheet.width - _EDGE - extent(words, 8) / 2), rows[0] - 9, words, size=8, align="center", color=MARK)
