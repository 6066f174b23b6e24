"""Studies in, one figure out: votes a finding, or what each threshold keeps. SVG or PNG bytes."""

from collections.abc import Sequence
from typing import Literal

from venire.errors import UsageError
from venire.model.measures import Study
from venire.report.measured.sheet import Form, look

Kind = Literal["votes", "surface"]

WIDTH = 540
"""Points: a figure of its own, as for a README."""

PANELS = 12
"""Cells one figure shows; it says how many it leaves out."""


def figure(studies: Sequence[Study], kind: Kind, form: Form, *, width: float = WIDTH) -> bytes:
    """One panel a study, in their order; ``width`` in points.

    ``UsageError`` when there is nothing to draw: no study, or, for the surface, none with a truth.
    """
    from venire.report.measured import figure_surface, figure_votes

    drawn = [study for study in studies if study.surfaces] if kind == "surface" else list(studies)
    if not drawn:
        lacking = "ground truth: no cell has a surface" if studies else "at least one cell"
        raise UsageError(f"the {kind} figure needs {lacking}", remedy="give --truth FILE" if studies else "name a record")
    draw = figure_surface.draw if kind == "surface" else figure_votes.draw
    with look(f"venire {kind}"):
        return draw(drawn[:PANELS], len(drawn) - PANELS, width).printed(form)
