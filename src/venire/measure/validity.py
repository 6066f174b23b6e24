"""How right the runs of a cell are, against the truths of its target."""

from collections.abc import Sequence

import numpy as np

from venire.measure.credit import met, named, near, of_items, one_to_one
from venire.measure.resample import Dice, ratio
from venire.measure.table import Flags, Ints, Table
from venire.model import Estimate, Truth, Validity

NEAR = 2
"""Lines by which a truth is widened on either side."""


def validity(at: Table, truths: Sequence[Truth], dice: Dice, reach: int = NEAR) -> Validity:
    """Means over runs of what a run's distinct (label, line) are worth.

    A key is credited to the first truth, in the order given, that it names. Precision is undefined for a run without keys;
    precision and recall are undefined without truths.
    """
    by_line = near(at, truths, reach)
    by_name = by_line & named(at, truths)
    strict, rough = _first(by_name), _first(by_line)
    keys = at.ballots["line0"]
    of_keys = np.full(keys.size, -1, dtype=np.int64)
    of_keys[keys.rows] = strict
    false = np.bincount(keys.run[of_keys[keys.item] < 0], minlength=at.runs).astype(np.float64)
    hits, rough_hits = _hits(at, strict, len(truths)), _hits(at, rough, len(truths))
    total, credited = len(truths), hits.sum(axis=1)
    # One after the other, as in the experiment, which draws for precision even where it then leaves it open.
    precision = dice.mean(ratio(credited, credited + false))
    recall = dice.mean(credited / total) if total else Estimate(None)
    return Validity(
        near=reach,
        truths=total,
        precision=precision if total else Estimate(None),
        recall=recall,
        false_positives=dice.mean(false),
        recall_by_line=dice.mean(rough_hits.sum(axis=1) / total) if total else Estimate(None),
        found=_ids(truths, hits.sum(axis=0) > 0),
        found_by_line=_ids(truths, rough_hits.sum(axis=0) > 0),
        drifted=_ids(truths, _spread(at, strict, total)),
        pooled_recall=_pooled(at, truths) if total and at.is_placed else None,
    )


def _first(credit: Flags) -> Ints:
    """For each row the first truth credited, -1 for none."""
    if not credit.shape[1]:
        return np.full(len(credit), -1, dtype=np.int64)
    return np.where(credit.any(axis=1), credit.argmax(axis=1), -1)


def _hits(at: Table, credited: Ints, total: int) -> Flags:
    """Runs × truths: whether any key of the run is credited to the truth."""
    hits = np.zeros((at.runs, total), dtype=bool)
    hits[at.run[credited >= 0], credited[credited >= 0]] = True
    return hits


def _spread(at: Table, credited: Ints, total: int) -> Flags:
    """Whether a truth is credited from more than one line."""
    pairs = {(truth, line) for truth, line in zip(credited.tolist(), at.line.tolist(), strict=True) if truth >= 0}
    lines = np.bincount([truth for truth, _ in pairs], minlength=total) if pairs else np.zeros(total)
    return lines > 1


def _ids(truths: Sequence[Truth], is_so: Flags) -> tuple[str, ...]:
    return tuple(truths[n].id for n in np.flatnonzero(is_so).tolist())


def _pooled(at: Table, truths: Sequence[Truth]) -> float:
    """Truths that the pool of all regions names, one region one truth, over truths."""
    regions = at.ballots["region"]
    credit = of_items(named(at, truths), regions) & of_items(met(at, truths), regions)
    return int((one_to_one(credit, regions.support) >= 0).sum()) / len(truths)
