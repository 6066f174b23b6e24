"""A cell → the figures of a results table, each by its definition and by plain counting; nothing is vectorised or cached.

Pairs are matched by augmenting paths (Berge 1957), one key at a time, which gives the maximum whatever the order.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import mean

from venire.recount.cells import Card, Cell, Key, Truth
from venire.recount.places import Run

NEAR = 2  # lines a truth's range is widened by, unless said otherwise


# ---------------------------------------------------------------- agreement


def matched(a: Iterable[Key], b: Iterable[Key], near: int) -> int:
    """The most pairs of equal label, at most ``near`` lines apart, that can be made of two runs."""
    rights = sorted(b)
    partner: dict[Key, Key] = {}

    def finds(left: Key, tried: set[Key]) -> bool:
        for right in rights:
            if right[1] != left[1] or abs(right[0] - left[0]) > near or right in tried:
                continue
            tried.add(right)
            if right not in partner or finds(partner[right], tried):
                partner[right] = left
                return True
        return False

    return sum(finds(left, set()) for left in sorted(a))


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
    """The runs behind the best candidate on a line of the defect, whatever its labels."""
    return max((backing(card) for card in cell.cards if any(spot.meets(truth) for spot in card)), default=0)


def named_support(cell: Cell, truth: Truth) -> int:
    """The runs behind the best region on a line of the defect that has one of its labels."""
    spots = [spot for card in cell.cards for spot in card if spot.labels & truth.labels and spot.meets(truth)]
    return max((len(spot.runs) for spot in spots), default=0)


def standing(cell: Cell, truth: Truth) -> int:
    """The place of the first candidate on a line of the defect among all, from 1; 0 when there is none."""
    return next((n for n, card in enumerate(cell.cards, 1) if any(spot.meets(truth) for spot in card)), 0)


def exam(cell: Cell, truth: Truth) -> Fraction:
    """The share of the file's lines a reader goes through before the first line of the defect: 0 is at once, 0.5 is chance.

    Candidates are read in their order, each from its first line to its last and every line once. The lines that no candidate
    covers follow in any order: of r of them, m the defect's, (r - m) / (m + 1) come before the first of those m on average.
    """
    wanted = set(range(truth.first, truth.last + 1))
    order = dict.fromkeys(line for card in cell.cards for line in _extent(card))
    before = next((n for n, line in enumerate(order) if line in wanted), None)
    if before is not None:
        return Fraction(before, cell.lines)
    rest = cell.lines - len(order)
    return Fraction(len(order), cell.lines) + Fraction(rest - len(wanted), (len(wanted) + 1) * cell.lines)


def backing(card: Card) -> int:
    """The runs behind a candidate."""
    return len(frozenset[Run]().union(*(spot.runs for spot in card)))


def _extent(card: Card) -> range:
    spans = [span for spot in card for span in spot.spans]
    return range(min(first for first, _ in spans), max(last for _, last in spans) + 1)
