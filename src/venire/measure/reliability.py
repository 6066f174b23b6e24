"""How much the runs of a cell agree, without any ground truth."""

import numpy as np

from venire.measure.matching import matched, shared
from venire.measure.resample import interval, mean_of_pairs, ratio, weights
from venire.measure.table import Ballots, Flags, Floats, Ints, Table, by_key
from venire.model import Agreement, Cell, Estimate, Reliability


def reliability(cell: Cell, at: Table) -> Reliability:
    """Jaccard, silence and alpha of one cell; what rests on regions is left out where the target's text is not known."""
    strict = by_key(at, "line0")
    held = np.bincount(strict.run, minlength=at.runs)
    agreements = [
        _agreement("strict", shared(strict), held),
        _agreement("relaxed2", matched(at, 2), held),
        _agreement("relaxed5", matched(at, 5), held),
    ]
    regions = by_key(at, "region") if at.is_placed else None
    if regions is not None:
        agreements.append(_agreement("region", shared(regions), np.bincount(regions.run, minlength=at.runs)))
    return Reliability(
        runs=at.runs,
        valid=int(at.valid.sum()),
        empty=int((held == 0).sum()),
        mean_findings=float(held.mean()) if at.runs else 0.0,
        agreements=tuple(agreements),
        alpha=alpha(regions, at.valid) if regions is not None else Estimate(None),
        distinct=len({draw.digest for draw in cell.draws if draw.digest}),
    )


def _agreement(key: str, both: Floats, held: Ints) -> Agreement:
    """Jaccard of every pair of runs: matched over matched and unmatched; two silent runs agree fully."""
    either = held[:, None] + held[None, :] - both
    values = np.divide(both, either, out=np.ones_like(both), where=either > 0)
    spoken = np.outer(held > 0, held > 0).astype(np.float64)
    point, ends = mean_of_pairs(values, np.ones_like(values))
    voices = int((held > 0).sum())
    return Agreement(
        key=key,
        all=Estimate(1.0 if point is None else point, ends),  # one run agrees with itself, as the experiment has it
        spoken=Estimate(*mean_of_pairs(values, spoken)),
        pairs=voices * (voices - 1) // 2,
    )


def alpha(regions: Ballots, valid: Flags) -> Estimate:
    """Krippendorff's alpha of valid runs over the regions that any of them names; None without two runs or any difference.

    1 - D_o / D_e for nominal data without gaps (Krippendorff 2004, *Content Analysis*, chapter 11), with D_o the share of
    differing pairs of values in a region and D_e that of all pairs of values. Resamples keep the regions, as they are the
    things rated, and leave out pairs of a run with itself.
    """
    names = np.zeros((len(valid), regions.size))
    names[regions.run, regions.item] = 1.0
    here = valid.astype(np.float64)
    point = _alphas(here[None, :], names)[0]
    resampled = _alphas(weights(len(valid)) * here, names) if len(valid) else np.empty(0)
    return Estimate(None) if np.isnan(point) else Estimate(float(point), interval(resampled))


def _alphas(held: Floats, names: Floats) -> Floats:
    """Alpha for each row of weights over runs; NaN where it is not defined."""
    named = held @ names
    runs = held.sum(axis=1)
    differing = 2 * (named * (runs[:, None] - named)).sum(axis=1)
    pairs = runs**2 - (held**2).sum(axis=1)
    regions = names.shape[1]
    ones, values = named.sum(axis=1), regions * runs
    expected = ratio(2 * ones * (values - ones), values * (values - 1))
    return 1 - ratio(ratio(differing, regions * pairs), expected)
