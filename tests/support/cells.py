"""Builders for cells of runs, by hand and at random, with regions that need no text."""

import random
from collections.abc import Iterable, Sequence

from venire.model import Cell, Draw, Lines, Sighting, Truth

TARGET = "app.py"
LABELS = ("A", "B", "C")
LINES = 20
STATEMENTS: tuple[Lines, ...] = tuple((first, first + 1) for first in range(1, LINES, 2))
"""Ten statements of two lines each."""

Said = tuple[int, str]
"""A line and a label."""


def sighting(line: int, label: str) -> Sighting:
    """Put on its statement; a region is a label on two neighbouring statements."""
    statement = min(max(line, 1), LINES) // 2 - (min(max(line, 1), LINES) % 2 == 0)
    return Sighting(line, label, statement, statement // 2 * len(LABELS) + LABELS.index(label))


def cell(
    runs: Iterable[Sequence[Said] | None],
    *,
    is_pinned: bool = False,
    digests: Sequence[str] = (),
    is_placed: bool = True,
    target: str = TARGET,
) -> Cell:
    """A cell of these runs; None is an invalid one."""
    draws = tuple(
        Draw(
            number,
            said is not None,
            tuple(sighting(*one) if is_placed else Sighting(*one) for one in said or ()),
            digests[number] if digests else "",
        )
        for number, said in enumerate(runs)
    )
    return Cell(
        "cell", target, "tiny", "findings", is_pinned, draws, LINES if is_placed else 0, (), STATEMENTS if is_placed else ()
    )


def truth(first: int, last: int, *labels: str, name: str = "", target: str = TARGET) -> Truth:
    return Truth(target, name or f"{labels[0]}{first}", labels, (first, last))


def random_cell(seed: int) -> tuple[Cell, tuple[Truth, ...]]:
    """A cell with what breaks counts: ties, repeats, silent runs, invalid runs, even and small N, lines off the file."""
    rng = random.Random(seed)
    size = rng.choice((1, 2, 3, 4, 5, 8, 11, 13))
    spots = [(rng.randint(-1, LINES + 2), rng.choice(LABELS)) for _ in range(rng.choice((1, 3, 6)))]

    def said() -> list[Said] | None:
        kind = rng.random()
        if kind < 0.1:
            return None
        if kind < 0.25:
            return []
        near = [
            (line + rng.choice((-3, -2, -1, 0, 0, 0, 1, 2, 5)), label) for line, label in rng.choices(spots, k=rng.randint(1, 6))
        ]
        return near + rng.choices(near, k=rng.randint(0, 2))

    truths = [
        Truth(TARGET, f"t{n}", tuple(rng.sample(LABELS, rng.choice((1, 1, 2)))), (low, min(low + rng.randint(0, 4), LINES)))
        for n, low in enumerate(rng.choices(range(1, LINES + 1), k=rng.randint(0, 4)))
    ]
    return cell([said() for _ in range(size)]), tuple(truths)
