"""Every figure of a cell once more, in plain Python: what the tests compare the measures with. Slow and obvious on purpose."""

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from venire.model import Cell, Draw, Truth

Key = tuple[int, str]
REACHES = {"line0": 0, "line2": 2, "line5": 5}


def keys(draw: Draw) -> set[Key]:
    return {(s.line, s.label) for s in draw.sightings} if draw.is_valid else set()


def largest(one: Sequence[Key], two: Sequence[Key], fits: Callable[[Key, Key], bool]) -> int:
    """The size of a maximum matching, by trying everything: each of ``one`` is left alone or given to one that fits."""
    if not one:
        return 0
    first, rest = one[0], one[1:]
    given = (1 + largest(rest, [*two[:n], *two[n + 1 :]], fits) for n, other in enumerate(two) if fits(first, other))
    return max(largest(rest, two, fits), *given, 0)


def jaccard(one: set[Key], two: set[Key], reach: int) -> float:
    if not one and not two:
        return 1.0
    both = largest(sorted(one), sorted(two), lambda a, b: a[1] == b[1] and abs(a[0] - b[0]) <= reach)
    return both / (len(one) + len(two) - both)


def mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return sum(known) / len(known) if known else None


def agreement(cell: Cell, reach: int) -> tuple[float, float | None]:
    """Over all pairs, and over pairs of runs with findings."""
    runs = [keys(draw) for draw in cell.draws]
    everyone = mean(jaccard(a, b, reach) for a, b in combinations(runs, 2))
    return 1.0 if everyone is None else everyone, mean(jaccard(a, b, reach) for a, b in combinations(filter(None, runs), 2))


def region_agreement(cell: Cell) -> float:
    runs = [{s.region for s in draw.sightings} if draw.is_valid else set() for draw in cell.draws]
    each = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in combinations(runs, 2)]
    return sum(each) / len(each) if each else 1.0


def alpha(cell: Cell) -> float | None:
    """1 - observed over expected disagreement, from every pair of values."""
    runs = [{s.region for s in draw.sightings} for draw in cell.draws if draw.is_valid]
    regions = sorted(set().union(*runs)) if runs else []
    table = [[region in run for run in runs] for region in regions]
    within = [a != b for row in table for a, b in combinations(row, 2)]
    between = [a != b for a, b in combinations([value for row in table for value in row], 2)]
    if not within or not any(between):
        return None
    return 1 - (sum(within) / len(within)) / (sum(between) / len(between))


def resamples(generator: random.Random, size: int) -> list[list[int]]:
    return [[generator.randrange(size) for _ in range(size)] for _ in range(1000)]


def interval(values: Iterable[float | None]) -> tuple[float, float] | None:
    """The value a fortieth from the start, and that a fortieth from the end; the last where there are fewer."""
    known = sorted(value for value in values if value is not None)
    cut = len(known) // 40
    return (known[cut], (known[len(known) - cut :] or known[-1:])[0]) if known else None


def pair_interval(cell: Cell, reach: int, generator: random.Random) -> tuple[float, float] | None:
    runs = [keys(draw) for draw in cell.draws]
    table = {(i, j): jaccard(runs[i], runs[j], reach) for i in range(len(runs)) for j in range(len(runs))}
    return interval(mean(table[a, b] for a, b in combinations(drawn, 2) if a != b) for drawn in resamples(generator, len(runs)))


def run_interval(values: Iterable[float | None], generator: random.Random) -> tuple[float, float] | None:
    """Of the values that are there, drawn among themselves."""
    known = [value for value in values if value is not None]
    return interval(mean(known[i] for i in drawn) for drawn in resamples(generator, len(known))) if known else None


def named(key: Key, truths: Sequence[Truth], reach: int, *, by_name: bool = True) -> list[Truth]:
    line, label = key
    near = [t for t in truths if t.lines[0] - reach <= line <= t.lines[1] + reach]
    return [t for t in near if label in t.labels or not by_name]


def validity(cell: Cell, truths: Sequence[Truth]) -> dict[str, object]:
    runs = [keys(draw) for draw in cell.draws]
    firsts = [{key: [t.id for t in named(key, truths, 2)][:1] for key in run} for run in runs]
    rough = [{t.id for key in run for t in named(key, truths, 2, by_name=False)[:1]} for run in runs]
    hits = [{name for one in first.values() for name in one} for first in firsts]
    false = [sum(not one for one in first.values()) for first in firsts]
    from_lines: dict[str, set[int]] = {}
    for first in firsts:
        for (line, _), one in first.items():
            for name in one:
                from_lines.setdefault(name, set()).add(line)
    precision = [len(h) / (len(h) + f) if h or f else None for h, f in zip(hits, false, strict=True)]
    return {
        "precision": precision,
        "recall": [len(h) / len(truths) for h in hits] if truths else [None],
        "by_line": [len(h) / len(truths) for h in rough] if truths else [None],
        "false": false,
        "found": {name for h in hits for name in h},
        "found_by_line": {name for h in rough for name in h},
        "drifted": {name for name, lines in from_lines.items() if len(lines) > 1},
    }


Item = tuple[int, set[str]]
"""Support, and the ids of the truths it could be credited with."""


def clusters(cell: Cell, truths: Sequence[Truth], reach: int) -> list[Item]:
    runs = [keys(draw) for draw in cell.draws]
    made = []
    for label in sorted({label for run in runs for _, label in run}):
        groups: list[list[int]] = []
        for line in sorted({line for run in runs for line, name in run if name == label}):
            if groups and line - groups[-1][-1] <= reach:
                groups[-1].append(line)
            else:
                groups.append([line])
        for group in groups:
            support = sum(any((line, label) in run for line in group) for run in runs)
            made.append((support, {t.id for line in group for t in named((line, label), truths, reach)}))
    return made


def places(cell: Cell, truths: Sequence[Truth], key: str) -> list[Item]:
    """Statements with a label, or regions: by any of their labels and any of their statements."""
    runs = [draw.sightings if draw.is_valid else () for draw in cell.draws]
    by_item = [[((s.statement, s.label) if key == "statement" else s.region, s) for s in run] for run in runs]
    made = []
    for item in sorted({item for run in by_item for item, _ in run}, key=str):
        members = [s for run in by_item for it, s in run if it == item]
        spans = {cell.statements[s.statement] for s in members}
        could = {
            t.id
            for t in truths
            if {s.label for s in members} & set(t.labels) and any(a <= t.lines[1] and t.lines[0] <= b for a, b in spans)
        }
        made.append((sum(any(it == item for it, _ in run) for run in by_item), could))
    return made


def line_points(items: Sequence[Item], truths: int, runs: int) -> list[tuple[int, int, int, int]]:
    """TP, FP, FN, survivors."""
    made = []
    for k in range(1, runs + 1):
        kept = [could for support, could in items if support >= k]
        hits = len(set().union(*kept))
        made.append((hits, sum(not could for could in kept), truths - hits, len(kept)))
    return made


def place_points(items: Sequence[Item], truths: Sequence[Truth], runs: int) -> list[tuple[int, int, int, int, int]]:
    """TP, FP, FN, survivors, duplicates, where an item is credited with one truth and every truth with one item."""
    made = []
    ids = [(n, t.id) for n, t in enumerate(truths)]
    for k in range(1, runs + 1):
        kept = [could for support, could in items if support >= k]
        hits = largest([(n, "") for n in range(len(kept))], ids, lambda a, b, kept=kept: b[1] in kept[a[0]])  # type: ignore[misc]
        false = sum(not could for could in kept)
        made.append((hits, false, len(truths) - hits, len(kept), len(kept) - false - hits))
    return made
