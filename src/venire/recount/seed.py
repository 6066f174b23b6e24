"""The seed experiment's own files → every statement of its article that they can support, worked out once more.

Each statement is a row: the article's words, what they say, and how it is counted. What the files cannot support (byte-identical
replies over several seeds, the category flip on a cold start) is not here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import floor
from pathlib import Path
from typing import Any

from venire.errors import UsageError
from venire.recount import tables
from venire.recount.cells import Cell, corpus
from venire.recount.grouping import supports
from venire.recount.resample import interval

Cells = Mapping[str, Cell]
A, EASY, CLEAN, DECOY = "d_7b_a", "d_7b_easy", "d_7b_clean", "d_7b_decoy"
SMALL = "d_15b_a"
SAMPLED, PINNED = 51, 11
LEAK = "ResourceLeak"


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words of the article, the figures in them, and their recount."""

    words: str
    said: Any
    count: Callable[[Cells], Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence and what the recount found."""

    words: str
    said: Any
    found: Any

    @property
    def holds(self) -> bool:
        return bool(self.said == self.found)


def check(folder: Path) -> list[Checked]:
    """Every sentence, recounted from the files in ``folder``."""
    cells = corpus(folder)
    if missing := sorted({A, EASY, CLEAN, DECOY, SMALL} - cells.keys()):
        raise UsageError(f"{folder}: no cell {', '.join(missing)}", "name the folder with the experiment's own files")
    return [Checked(s.words, s.said, s.count(cells)) for s in SENTENCES]


# ---------------------------------------------------------------- counting


def votes(cell: Cell, line: int, label: str) -> int:
    """The runs that report a label on exactly this line."""
    return cell.votes.get((line, label), 0)


def naming(cell: Cell, label: str) -> int:
    """The runs that report a label anywhere."""
    return sum(any(name == label for _, name in run) for run in cell.runs)


def lines_of(cell: Cell, label: str) -> list[int]:
    """The lines on which any run reports a label."""
    return sorted(line for line, name in cell.votes if name == label)


def drifted(cell: Cell) -> tuple[int, int]:
    """Truths named from more than one line, of those named at all."""
    named = tables.found_from(cell)
    return sum(len(lines) > 1 for lines in named.values()), len(named)


def kept(cell: Cell, k: int) -> list[int]:
    """The lines of the leak that a vote over (line, category) keeps at threshold ``k``."""
    return [line for line in lines_of(cell, LEAK) if votes(cell, line, LEAK) >= k]


def credit(cell: Cell, near: int) -> list[list[str]]:
    """For each cluster of leaks above the majority, the truths it is credited to."""
    return [
        [t.id for t in cell.truths if label in t.labels and any(t.holds(line, near) for line in lines)]
        for label, lines, runs in tables.clusters(cell, near)
        if label == LEAK and runs >= cell.majority
    ]


def two(value: float | None) -> float | None:
    """Two digits, as the article prints."""
    return None if value is None else round(value, 2)


LEAKS = {"leak_file": 46, "sqli_get_user": 51, "offbyone_get_item": 10}
ON_EASY = {"easy_cmdinj": 51, "easy_sqli": 50, "easy_codeinj": 30, "easy_secret": 27, "easy_leak": 16}


def _at(cell: Cell, ids: Mapping[str, int], *, is_wild: bool = False) -> dict[str, int]:
    found = supports(cell, is_wild=is_wild)
    return {name: found[name] for name in ids}


def _interval(cell: Cell) -> tuple[float, float]:
    """Two digits made of the three that its program printed, as in the article: 0.58492 became 0.585, and that 0.59."""
    low, high = (floor(round(end, 3) * 100 + 0.5 + 1e-9) / 100 for end in interval(cell))
    return low, high


def _surface(cell: str) -> Callable[[Cells], Any]:
    return lambda c: [tables.surviving(c[cell], near, c[cell].majority) for near in (0, 2, 5)]


def _recalls(cell: str) -> Callable[[Cells], Any]:
    return lambda c: (two(tables.recall(c[cell])), two(tables.recall(c[cell], is_strict=False)))


def _pinned(cells: Cells) -> Iterator[Cell]:
    return (cell for name, cell in cells.items() if name.startswith("a_"))


# ---------------------------------------------------------------- sentences

SETUP = (
    Sentence("N=51 repeated audits", {SAMPLED}, lambda c: {len(cell.runs) for name, cell in c.items() if name[0] == "d"}),
    Sentence("temp-0 baseline: N=11 per condition", [PINNED] * 4, lambda c: [len(cell.runs) for cell in _pinned(c)]),
    Sentence("target_a (7 seeded defects)", 7, lambda c: len(c[A].truths)),
    Sentence("easy (6 obvious defects)", 6, lambda c: len(c[EASY].truths)),
    Sentence("clean (no defects), decoy", (0, 0), lambda c: (len(c[CLEAN].truths), len(c[DECOY].truths))),
    Sentence("majority vote = findings in ≥ 26 of 51 runs", 26, lambda c: c[A].majority),
)

RELIABILITY = (
    Sentence(
        "Jaccard 1.00 at every tolerance level in all four temp-0 conditions",
        [1.0] * 12,
        lambda c: [tables.agreement(cell, near) for cell in _pinned(c) for near in (0, 2, 5)],
    ),
    Sentence(
        "temp 0: the same bytes in every run of a condition", [1] * 4, lambda c: [len(set(cell.raw)) for cell in _pinned(c)]
    ),
    Sentence("run-to-run Jaccard 0.52 for 7B", 0.52, lambda c: two(tables.agreement(c[A]))),
    Sentence("… [0.47, 0.59]", (0.47, 0.59), lambda c: _interval(c[A])),
    Sentence("run-to-run Jaccard 0.07 for 1.5B", 0.07, lambda c: two(tables.agreement(c[SMALL]))),
    Sentence("… [0.04, 0.11]", (0.04, 0.11), lambda c: _interval(c[SMALL])),
    Sentence("±2 lines of tolerance recovers 0.52 → 0.80", 0.80, lambda c: two(tables.agreement(c[A], 2))),
    Sentence(
        "over half of the disagreement is the same bug on a different line",
        True,
        lambda c: (tables.agreement(c[A], 2) - tables.agreement(c[A])) / (1 - tables.agreement(c[A])) > 0.5,
    ),
    Sentence("no empty runs on target_a (0/51)", 0, lambda c: sum(not run for run in c[A].runs)),
    Sentence("clean: silent in 37/51 runs", 37, lambda c: sum(not run for run in c[CLEAN].runs)),
    Sentence("… (72.5 %)", 72.5, lambda c: round(100 * sum(not run for run in c[CLEAN].runs) / len(c[CLEAN].runs), 1)),
    Sentence("non-empty clean runs agree at just 0.12", 0.12, lambda c: two(tables.agreement(c[CLEAN], spoken=True))),
    Sentence("the unconditional mean is 0.53", 0.53, lambda c: two(tables.agreement(c[CLEAN]))),
)

VALIDITY = (
    Sentence("target_a, 7B: recall 0.31 strict, 0.31 line-only", (0.31, 0.31), _recalls(A)),
    Sentence("target_a, 1.5B: recall 0.05 strict, 0.18 line-only", (0.05, 0.18), _recalls(SMALL)),
    Sentence("easy, 7B: recall 0.42 strict, 0.81 line-only", (0.42, 0.81), _recalls(EASY)),
    Sentence("precision was 0.98", 0.98, lambda c: two(tables.precision(c[A]))),
    Sentence(
        "1.5B hit 25 of the file's 32 lines", (25, 32), lambda c: (len({line for line, _ in c[SMALL].votes}), c[SMALL].lines)
    ),
    Sentence("2 of the 5 defects that 7B detected showed line drift", (2, 5), lambda c: drifted(c[A])),
)

SPLIT = (
    Sentence("26 on line 16 and 19 on line 17", (26, 19), lambda c: (votes(c[A], 16, LEAK), votes(c[A], 17, LEAK))),
    Sentence(
        "no single run reported both, so 26+19 is 45 distinct runs",
        (45, 0),
        lambda c: (
            sum((16, LEAK) in run or (17, LEAK) in run for run in c[A].runs),
            sum((16, LEAK) in run and (17, LEAK) in run for run in c[A].runs),
        ),
    ),
    Sentence("ResourceLeak at all, anywhere: 49/51", (49, 51), lambda c: (naming(c[A], LEAK), len(c[A].runs))),
    Sentence("… on lines 12, 15, 16, 17, 18, 21", [12, 15, 16, 17, 18, 21], lambda c: lines_of(c[A], LEAK)),
    Sentence("k=19: both lines survive", [16, 17], lambda c: kept(c[A], 19)),
    Sentence("k=26: line 16 survives by one vote", [16], lambda c: kept(c[A], 26)),
    Sentence("k=27: a defect reported in 45/51 runs is gone", [], lambda c: kept(c[A], 27)),
    Sentence("SQL injection on line 9: 51/51", 51, lambda c: votes(c[A], 9, "SQLInjection")),
)

GREY = (
    Sentence('eval("2 + 2") on the decoy: 33/51', 33, lambda c: votes(c[DECOY], 15, "CodeInjection")),
    Sentence("shell=True on the decoy: 28/51, labelled CodeInjection", 28, lambda c: votes(c[DECOY], 7, "CodeInjection")),
    Sentence(
        "… rather than CommandInjection",
        True,
        lambda c: votes(c[DECOY], 7, "CommandInjection") < votes(c[DECOY], 7, "CodeInjection"),
    ),
    Sentence("md5 got 0 votes in 51 runs", 0, lambda c: sum(any(line == 11 for line, _ in run) for run in c[DECOY].runs)),
)

SURFACE = (
    Sentence("clean: FP 0, 0, 0 at w ±0, ±2, ±5", [(0, 0)] * 3, _surface(CLEAN)),
    Sentence("decoy: 2, 2, 2 persistent", [(0, 2)] * 3, _surface(DECOY)),
    Sentence("target_a: TP 2, 2, 3", [(2, 0), (2, 0), (3, 0)], _surface(A)),
    Sentence("easy: TP 2 / FP 1, 3 / 2, 3 / 1", [(2, 1), (3, 2), (3, 1)], _surface(EASY)),
    Sentence("±5: one cluster is credited to both leaks", [["leak_conn", "leak_file"]], lambda c: credit(c[A], 5)),
    Sentence("… and at ±2 to the file leak alone", [["leak_file"]], lambda c: credit(c[A], 2)),
    Sentence("no ResourceLeak vote inside lines 6-11", 0, lambda c: sum(votes(c[A], line, LEAK) for line in range(6, 12))),
    Sentence("the nearest was a single vote at line 12", 1, lambda c: votes(c[A], 12, LEAK)),
)

REGIONS = (
    Sentence("by region, without wildcards: leak 46, SQL injection 51, off-by-one 10", LEAKS, lambda c: _at(c[A], LEAKS)),
    Sentence("… easy: 51, 50, 30, 27, 16", ON_EASY, lambda c: _at(c[EASY], ON_EASY)),
    Sentence("by region, with wildcards: leak 47", LEAKS | {"leak_file": 47}, lambda c: _at(c[A], LEAKS, is_wild=True)),
    Sentence(
        "… easy: code injection 51, leak 20",
        ON_EASY | {"easy_codeinj": 51, "easy_leak": 20},
        lambda c: _at(c[EASY], ON_EASY, is_wild=True),
    ),
)
"""What the project's own key makes of the same runs: the figures of its design page on regions."""

SENTENCES = (*SETUP, *RELIABILITY, *VALIDITY, *SPLIT, *GREY, *SURFACE, *REGIONS)
