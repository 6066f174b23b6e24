"""A target → the windows that show its changed lines, each within a budget, and the changed lines that no window can hold."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from venire.change.blocks import Layout, known_runs, layout
from venire.change.content import HUNKS_ONLY
from venire.change.diff import merged
from venire.model import Lines, Target, Window

PREAMBLE_SHARE = 4
"""The file's beginning is repeated where it takes no more than one part in so many of a window; headers may take two."""


def cut(target: Target, budget: int) -> Target:
    """The target with its windows: one that shows everything when it fits, else top-level definitions that hold changed lines.

    ``budget`` is in UTF-8 bytes of the lines as a prompt shows them, ``"{n}: {line}\\n"``. A definition that does not fit is cut
    between statements, its header repeated. Every changed line is in a window or in ``uncovered``.
    """
    lines = target.lines
    cutter = _Cutter(target, lines, budget)
    shown = [merged(ranges) for ranges in cutter.windows() if ranges]
    windows = tuple(Window(index, ranges) for index, ranges in enumerate(shown))
    everywhere = merged(item for ranges in shown for item in ranges)
    return replace(target, windows=windows, uncovered=_without(target.changed, everywhere))


class _Cutter:
    """One file being cut. Costs are looked up as differences of running totals."""

    def __init__(self, target: Target, lines: Sequence[str], budget: int) -> None:
        self.target = target
        self.lines = lines
        self.budget = budget
        self.totals = [0, *accumulate(len(f"{number}: {line}\n".encode()) for number, line in enumerate(lines, 1))]

    def cost(self, ranges: Iterable[Lines]) -> int:
        return sum(self.totals[last] - self.totals[first - 1] for first, last in merged(ranges))

    def windows(self) -> list[list[Lines]]:
        is_pieced = HUNKS_ONLY in self.target.notes
        whole = tuple(known_runs(self.lines)) if is_pieced else ((1, len(self.lines)),) if self.lines else ()
        if self.cost(whole) <= self.budget:
            return [list(whole)]
        plan = Layout(whole, None, (), ()) if is_pieced else layout(self.target, self.lines)
        return self._packed(plan)

    def _packed(self, plan: Layout) -> list[list[Lines]]:
        """Blocks in order, as many to a window as fit behind the preamble."""
        start = self._preamble(plan)
        windows: list[list[Lines]] = []
        for block in self._needed(plan.blocks):
            if windows and self.cost([*windows[-1], block]) <= self.budget:
                windows[-1] = list(merged([*windows[-1], block]))
            elif self.cost([*start, block]) <= self.budget:
                windows.append([*start, block])
            elif self.cost([block]) <= self.budget:
                windows.append([block])
            else:
                windows += self._needed_pieces(plan, block)
        return windows

    def _preamble(self, plan: Layout) -> list[Lines]:
        fits = plan.preamble and self.cost([plan.preamble]) <= self.budget // PREAMBLE_SHARE
        return [plan.preamble] if fits and plan.preamble else []

    def _needed(self, blocks: Iterable[Lines]) -> Iterator[Lines]:
        changed = list(self.target.changed)
        for first, last in blocks:
            while changed and changed[0][1] < first:
                changed.pop(0)
            if changed and changed[0][0] <= last:
                yield first, last

    def _needed_pieces(self, plan: Layout, block: Lines) -> list[list[Lines]]:
        pieces = list(self._pieces(plan, block))
        needed = set(self._needed(piece for _, piece in pieces))
        return [[*headers, piece] for headers, piece in pieces if piece in needed]

    def _pieces(self, plan: Layout, block: Lines) -> Iterator[tuple[list[Lines], Lines]]:
        """A block that does not fit, from its first line to its last; a line above the budget is left out."""
        first, last = block
        while first <= last:
            headers = self._headers(plan, first)
            end = self._reach(headers, first, last)
            if end < first:
                first += 1
                continue
            if end < last:
                stop = plan.stop(first + (end - first) // 2 + 1, end + 1)
                end = stop - 1 if stop else end
            yield headers, (first, end)
            first = end + 1

    def _headers(self, plan: Layout, line: int) -> list[Lines]:
        """Headers of what the line stands in, outermost first, while they leave half of the window and the line itself fits."""
        taken: list[Lines] = []
        for number in plan.headers(line):
            wanted = [*taken, (number, number)]
            if self.cost(wanted) <= 2 * self.budget // PREAMBLE_SHARE and self.cost([*wanted, (line, line)]) <= self.budget:
                taken = wanted
        return taken

    def _reach(self, headers: list[Lines], first: int, last: int) -> int:
        """The last line up to which a piece from ``first`` fits; the line before ``first`` when not even one does."""
        low, high = first - 1, last
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.cost([*headers, (first, middle)]) <= self.budget else (low, middle - 1)
        return low


def _without(ranges: Iterable[Lines], shown: Sequence[Lines]) -> tuple[Lines, ...]:
    """The lines of ``ranges`` that are in none of the shown ones. Both are sorted and disjoint."""
    left: list[Lines] = []
    for first, last in ranges:
        for begin, end in shown:
            if end < first or begin > last:
                continue
            if begin > first:
                left.append((first, begin - 1))
            first = end + 1
        if first <= last:
            left.append((first, last))
    return tuple(left)
