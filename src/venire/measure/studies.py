"""Cells and truths → every figure. Pure: order of runs and findings changes nothing."""

from collections.abc import Iterable, Iterator, Sequence

from venire.measure.reliability import reliability
from venire.measure.resample import Dice
from venire.measure.surface import surfaces
from venire.measure.table import table
from venire.measure.unseen import unseen
from venire.measure.validity import validity
from venire.measure.votes import bars, pivots
from venire.model import Cell, Measures, Reliability, Study, Truth

FEW = 4
"""Runs below which agreement says little."""


def measure(cells: Iterable[Cell], truths: Sequence[Truth] | None = None) -> Measures:
    """A study of each cell. Without ``truths`` there is no validity; a truth no cell is about is warned of."""
    studies = tuple(study(cell, truths) for cell in cells)
    targets = {each.cell.target for each in studies}
    strays = dict.fromkeys(truth.target for truth in truths or () if truth.target not in targets)
    return Measures(studies, warnings=tuple(f"no run is about {target}, which the truth file names" for target in strays))


def study(cell: Cell, truths: Sequence[Truth] | None = None) -> Study:
    """Every figure of one cell; ``truths`` may be those of other targets too, None means that nothing is known."""
    at, dice = table(cell), Dice()
    known = [truth for truth in truths or () if truth.target == cell.target]
    figures = reliability(cell, at, dice)
    is_judged = truths is not None
    return Study(
        cell=cell,
        reliability=figures,
        unseen=unseen(cell, at),
        validity=validity(at, known, dice) if is_judged else None,
        surfaces=surfaces(cell, at, known) if is_judged else (),
        pivots=pivots(at),
        bars=bars(at, known),
        warnings=tuple(_warnings(cell, figures, bool(known) or not is_judged)),
    )


def _warnings(cell: Cell, figures: Reliability, is_named: bool) -> Iterator[str]:
    """What a reader must know before trusting the figures."""
    if figures.runs < FEW:
        yield f"{figures.runs} runs: agreement says little below {FEW}"
    if figures.runs % 2 == 0 and figures.runs:
        yield f"{figures.runs} runs: an even number can tie; a majority is {figures.runs // 2 + 1}"
    if figures.distinct == 1 and figures.runs > 1:
        yield f"all {figures.runs} replies are the same bytes: their agreement is that of one reply with itself"
    if figures.valid < figures.runs:
        yield f"{figures.runs - figures.valid} of {figures.runs} runs gave no valid reply and count as silent"
    if not is_named:
        yield f"no truth is about {cell.target}: it counts as free of defects, every finding as false"
