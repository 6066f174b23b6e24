"""What one more run would bring, judged by what was seen only once or twice."""

import numpy as np

from venire.measure.table import Table
from venire.model import Cell, Unseen

LEAST = 4
"""Runs below which no estimate of this kind is accurate (Briand et al., IEEE TSE 26(6), 2000)."""


def unseen(cell: Cell, at: Table) -> Unseen:
    """Q1/n, bias-corrected Chao2 and the second-order jackknife over (statement, label), which does not depend on the data.

    n: valid runs; S: species seen; Q1, Q2: seen in exactly one and two runs. Chao 1987 and Burnham and Overton 1978, as in
    Chao and Colwell 2017. All are lower bounds on what more runs would *report*; they say nothing of what is never reported.
    """
    runs = int(at.valid.sum())
    if refused := _refusal(cell, at, runs):
        return Unseen(refused=refused)
    support = at.ballots["statement"].support
    seen, once, twice = len(support), int(np.sum(support == 1)), int(np.sum(support == 2))
    chao = seen + (runs - 1) / runs * once * (once - 1) / (2 * (twice + 1))
    knife = seen + once * (2 * runs - 3) / runs - twice * (runs - 2) ** 2 / (runs * (runs - 1))
    return Unseen(next=once / runs, chao2=chao, jackknife=max(knife, float(seen)), seen=seen)


def _refusal(cell: Cell, at: Table, runs: int) -> str:
    """Why no figure is given, or nothing."""
    if runs < LEAST:
        return f"{runs} valid runs: below {LEAST} no estimate is accurate"
    if cell.is_pinned:
        return "the runs are pinned: they repeat one draw, so nothing new in them does not mean nothing left"
    digests = {draw.digest for draw in cell.draws if draw.is_valid}
    if len(digests) == 1 and "" not in digests:
        return "all replies are the same bytes: that they are independent draws is not shown"
    if not at.is_placed:
        return "the target's text is not known, so neither are its statements"
    return ""
