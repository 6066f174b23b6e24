"""A cell → the figures of a results table, each by its definition and by plain counting; nothing is vectorised or cached.

Pairs are matched by augmenting paths (Berge 1957), one key at a time, which gives the maximum whatever the order.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import mean
from typing import Any

from venire.recount.cells import Card, Cell, Key, Truth
from venire.recount.places import Run
from venire.recount.statements import code_lines

NEAR = 2  # lines a truth's range is widened by, unless said otherwise


# ---------------------------------------------------------------- agreement


def paired(may: Mapping[Any, Collection[Any]]) -> int:
    """The most pairs that can be made, each left with one of the rights it ``may`` have, and no right twice."""
    partner: dict[Any, Any] = {}

    def finds(left: Any, tried: set[Any]) -> bool:
        for right in may[left]:
            if right in tried:
                continue
            tried.add(right)
            if right not in partner or finds(partner[right], tried):
                partner[right] = left
                return True
        return False

    return sum(finds(left, set()) for left in may)


def matched(a: Iterable[Key], b: Iterable[Key], near: int) -> int:
    """The most pairs of equal label, at most ``near`` lines apart, that can be made of two runs."""
    rights = sorted(b)
    return paired({left: [r for r in rights if r[1] == left[1] and abs(r[0] - left[0]) <= near] for left in sorted(a)})


def jaccard(a: frozenset[Key], b: frozenset[Key], near: int) -> float:
    """What two runs have in common of all they report; two silent runs agree fully."""
    both = matched(a, b, near)
    return both / (len(a) + len(b) - both) if a or b else 1.0


def agreement(cell: Cell, near: int = 0, spoken: bool = False) -> float:
    """The mean Jaccard over pairs of runs; with ``spoken``, over pairs of which neither is silent. 1 without a pair."""
    runs = [run for run in cell.runs if run] if spoken else cell.runs
    pairs = [jaccard(a, b, near) for a, b in combinations(runs, 2)]
    return mean(pairs) if pairs else 1.0


# ---------------------------------------------------------------- truth


def credited(key: Key, truths: Sequence[Truth], near: int, is_strict: bool) -> Truth | None:
    """The first truth, in the order of the file, that a key names: by line, and by label where ``is_strict``."""
    return next((t for t in truths if t.holds(key[0], near) and (not is_strict or key[1] in t.labels)), None)


def hits(cell: Cell, run: Iterable[Key], near: int = NEAR, is_strict: bool = True) -> tuple[set[Truth], int]:
    """The truths a run names, and how many of its keys name none."""
    named = [credited(key, cell.truths, near, is_strict) for key in run]
    return {truth for truth in named if truth}, named.count(None)


def recall(cell: Cell, near: int = NEAR, is_strict: bool = True) -> float | None:
    """The share of truths a run names, the mean over all runs; None when there is no truth."""
    if not cell.truths:
        return None
    return mean(len(hits(cell, run, near, is_strict)[0]) / len(cell.truths) for run in cell.runs)


def precision(cell: Cell, near: int = NEAR) -> float | None:
    """Truths named over those and keys that name none, the mean over runs that report something; None when none does."""
    told = [hits(cell, run, near) for run in cell.runs if run]
    return mean(len(named) / (len(named) + stray) for named, stray in told) if told else None


def found_from(cell: Cell, near: int = NEAR) -> dict[str, set[int]]:
    """For each truth that any run names, the lines it was named from."""
    lines: dict[str, set[int]] = {}
    for line, label in cell.votes:
        truth = credited((line, label), cell.truths, near, True)
        if truth:
            lines.setdefault(truth.id, set()).add(line)
    return lines


# ---------------------------------------------------------------- votes


def reported_lines(cell: Cell) -> int:
    """The lines that any run reports, outside the file or in it."""
    return len({line for line, _ in cell.votes})


def clusters(cell: Cell, near: int) -> list[tuple[str, list[int], int]]:
    """By label, the lines reported, cut where the gap exceeds ``near``: label, lines, runs behind them."""
    made = []
    for label in sorted({label for _, label in cell.votes}):
        lines = sorted(line for line, name in cell.votes if name == label)
        cuts = [n for n, (low, high) in enumerate(pairwise(lines), 1) if high - low > near]
        for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True):
            part = lines[start:end]
            made.append((label, part, sum(any((line, label) in run for line in part) for run in cell.runs)))
    return made


def cluster_support(cell: Cell, truth: Truth, near: int) -> int:
    """The runs behind the best cluster that has a label of the defect and one of its lines."""
    made = [
        runs for label, lines, runs in clusters(cell, near) if label in truth.labels and any(truth.holds(n, 0) for n in lines)
    ]
    return max(made, default=0)


def surviving(cell: Cell, near: int, k: int) -> tuple[int, int]:
    """What a vote with threshold ``k`` keeps: truths credited (one cluster may credit several), clusters crediting none."""
    kept, strays = set(), 0
    for label, lines, runs in clusters(cell, near):
        named = {t.id for t in cell.truths if label in t.labels and any(t.holds(line, near) for line in lines)}
        if runs >= k:
            kept |= named
            strays += not named
    return len(kept), strays


# ---------------------------------------------------------------- places


def support(cell: Cell, truth: Truth) -> int:
    """The runs behind the best candidate whose lines, first to last, hold one of the defect's, whatever its labels."""
    return max((backing(card) for card in cell.cards if _reaches(card, truth)), default=0)


def named_support(cell: Cell, truth: Truth) -> int:
    """The runs behind the best region on a line of the defect that has one of its labels."""
    spots = [spot for card in cell.cards for spot in card if spot.labels & truth.labels and spot.meets(truth)]
    return max((len(spot.runs) for spot in spots), default=0)


def standing(cell: Cell, truth: Truth) -> int:
    """The place of the first candidate whose lines hold one of the defect's, from 1; 0 when there is none."""
    return next((n for n, card in enumerate(cell.cards, 1) if _reaches(card, truth)), 0)


def pooled_recall(cell: Cell) -> Fraction:
    """The share of truths that regions of the pool name, by label and statement, one region one truth."""
    spots = [spot for card in cell.cards for spot in card]
    naming = {t.id: {n for n, s in enumerate(spots) if s.labels & t.labels and s.meets(t)} for t in cell.truths}
    return Fraction(paired(naming), len(cell.truths))


def exam(cell: Cell, truth: Truth) -> Fraction:
    """The share of the other lines of code that a reader goes through before the first line of the defect; 0.5 is chance.

    Candidates are read in their order and then the rest, no line twice; within a candidate, and in the rest, in any order: of s
    lines h of which are the defect's, (s - h) / (h + 1) come before the first of those on average. Imports, docstrings and lines
    without code are not read. Source: EXAM, Wong et al., IEEE TSE 42(8), 2016, with the defect's own lines left out.
    """
    code = code_lines(cell.text)
    wanted = set(range(truth.first, truth.last + 1)) & code or set(range(truth.first, truth.last + 1))
    left, read = code | wanted, 0
    others = len(left - wanted)
    for block in (*({*_extent(card)} for card in cell.cards), code | wanted):
        here = block & left
        if hits := len(here & wanted):
            return (read + Fraction(len(here) - hits, hits + 1)) / others if others else Fraction(0)
        read, left = read + len(here), left - block
    return Fraction(1)


def exam_by_support(cell: Cell, truth: Truth, near: int) -> Fraction:
    """As ``exam``, line by line over the whole file, in the order of the strongest cluster that has the line."""
    strength = dict.fromkeys(range(1, cell.lines + 1), 0)
    for _, lines, runs in clusters(cell, near):
        strength |= {line: max(strength[line], runs) for line in lines if line in strength}
    own = [strength[line] for line in range(truth.first, truth.last + 1) if line in strength]
    above = sum(runs > max(own) for runs in strength.values())
    tied, mine = sum(runs == max(own) for runs in strength.values()), own.count(max(own))
    return (above + Fraction(tied - mine, mine + 1)) / cell.lines


def backing(card: Card) -> int:
    """The runs behind a candidate."""
    return len(frozenset[Run]().union(*(spot.runs for spot in card)))


def _extent(card: Card) -> range:
    spans = [span for spot in card for span in spot.spans]
    return range(min(first for first, _ in spans), max(last for _, last in spans) + 1)


def _reaches(card: Card, truth: Truth) -> bool:
    return any(line in _extent(card) for line in range(truth.first, truth.last + 1))
