"""The lines of two versions of a file → which old line is which new one. Layout counts for nothing; cost is near linear.

Lines that occur once on both sides pin the versions together (Bram Cohen's patience diff: their longest run in both orders);
what is left between two pins is compared with ``difflib`` where it is short. ``difflib`` alone is quadratic, and worse on
repeated lines, so that a long file could hold up a replay.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

SHORT = 100
"""Lines on either side of a gap that ``difflib`` may compare."""

DEPTH = 40
"""How often a gap may be divided by lines that are unique in it; deeper ones stay unmapped."""

Gap = tuple[int, int, int, int]
"""First old line and the one after the last, then the same of the new side; from 0."""


def line_map(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Old line → new line, both from 1, for lines whose words are equal. Order is kept; blank lines are left out."""
    a, b = ([" ".join(line.split()) for line in lines] for lines in (old, new))
    found: dict[int, int] = {}
    waiting: list[tuple[Gap, int]] = [((0, len(a), 0, len(b)), 0)]
    while waiting:
        gap, depth = waiting.pop()
        ends, pairs = _trimmed(gap, a, b)
        found.update(pairs)
        if _is_short(ends):
            found.update(_compared(ends, a, b))
        elif depth < DEPTH and (pins := _pins(ends, a, b)):
            found.update(pins)
            waiting += [(inner, depth + 1) for inner in _between(ends, pins)]
    return {x + 1: y + 1 for x, y in found.items() if a[x]}


def _trimmed(gap: Gap, a: Sequence[str], b: Sequence[str]) -> tuple[Gap, list[tuple[int, int]]]:
    """The gap without what is equal at its two ends, and the pairs of that."""
    low, high, left, right = gap
    pairs = []
    while low < high and left < right and a[low] == b[left]:
        pairs.append((low, left))
        low, left = low + 1, left + 1
    while low < high and left < right and a[high - 1] == b[right - 1]:
        high, right = high - 1, right - 1
        pairs.append((high, right))
    return (low, high, left, right), pairs


def _is_short(gap: Gap) -> bool:
    return gap[1] - gap[0] <= SHORT and gap[3] - gap[2] <= SHORT


def _compared(gap: Gap, a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int]]:
    low, high, left, right = gap
    for x, y, size in SequenceMatcher(None, a[low:high], b[left:right], autojunk=False).get_matching_blocks():
        yield from ((low + x + n, left + y + n) for n in range(size))


def _pins(gap: Gap, a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines that are unique on both sides of the gap, the most that keep their order."""
    low, high, left, right = gap
    mine, yours = Counter(a[low:high]), Counter(b[left:right])
    places = {b[y]: y for y in range(left, right) if yours[b[y]] == 1}
    return _longest([(x, places[a[x]]) for x in range(low, high) if a[x] and mine[a[x]] == 1 and a[x] in places])


def _longest(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, given by their first number, whose second numbers ascend (patience sorting)."""
    tops: list[int] = []  # the least second number that ends a run of each length
    ends: list[int] = []  # the pair it belongs to
    before: list[int] = []
    for n, (_, y) in enumerate(pairs):
        pile = bisect_left(tops, y)
        tops[pile : pile + 1], ends[pile : pile + 1] = [y], [n]
        before.append(ends[pile - 1] if pile else -1)
    run, n = [], ends[-1] if ends else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]


def _between(gap: Gap, pins: Sequence[tuple[int, int]]) -> Iterator[Gap]:
    low, high, left, right = gap
    for x, y in [*pins, (high, right)]:
        if x > low and y > left:
            yield low, x, left, y
        low, left = x + 1, y + 1
