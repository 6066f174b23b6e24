"""How much the runs of a cell agree, without any ground truth."""

import numpy as np

from venire.measure.matching import matched, shared
from venire.measure.resample import Dice, interval, ratio
from venire.measure.table import Ballots, Flags, Floats, Ints, Table
from venire.model import Agreement, Cell, Estimate, Reliability


def reliability(cell: Cell, at: Table, dice: Dice) -> Reliability:
    """Jaccard, silence and alpha of one cell; what rests on regions is left out where the target's text is not known.

    Each line key has resamples of its own, as in the experiment; regions and alpha share the first.
    """
    strict, regions = at.ballots["line0"], at.ballots.get("region")
    held = np.bincount(strict.run, minlength=at.runs)
    first = dice.weights(at.runs)
    agreements = [
        _agreement("strict", shared(strict), held, first),
        _agreement("relaxed2", matched(at, "line2"), held, dice.weights(at.runs)),
        _agreement("relaxed5", matched(at, "line5"), held, dice.weights(at.runs)),
    ]
    if regions is not None:
        agreements.append(_agreement("region", shared(regions), np.bincount(regions.run, minlength=at.runs), first))
    return Reliability(
        runs=at.runs,
        valid=int(at.valid.sum()),
        empty=int((held == 0).sum()),
        mean_findings=float(held.mean()) if at.runs else 0.0,
        agreements=tuple(agreements),
        alpha=alpha(regions, at.valid, first) if regions is not None else Estimate(None),
        distinct=len({draw.digest for draw in cell.draws if draw.digest}),
    )


def _agreement(key: str, both: Floats, held: Ints, weights: Floats) -> Agreement:
    """Jaccard of every pair of runs, averaged: matched over matched and unmatched; two silent runs agree fully.

    One run agrees with itself, as the experiment has it. A resample leaves out pairs of a run with itself.
    """
    either = held[:, None] + held[None, :] - both
    values = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    np.fill_diagonal(values, 0.0)
    voices = held > 0
    (point,), (spoken,) = _means(values, voices, np.ones((1, len(held))))
    resampled = _means(values, voices, weights)
    pairs = int(voices.sum())
    return Agreement(
        key=key,
        all=Estimate(1.0) if np.isnan(point) else Estimate(float(point), interval(resampled[0])),
        spoken=Estimate(None) if np.isnan(spoken) else Estimate(float(spoken), interval(resampled[1])),
        pairs=pairs * (pairs - 1) // 2,
    )


def _means(values: Floats, voices: Flags, held: Floats) -> tuple[Floats, Floats]:
    """For each row of weights over runs, the mean over all pairs and over those of two runs with findings; NaN for no pair."""
    sums = ((held @ values) * held).sum(axis=1)
    everyone = np.ones(len(voices), dtype=bool)
    return ratio(sums + _pairs(held, ~voices), _pairs(held, everyone)), ratio(sums, _pairs(held, voices))


def _pairs(held: Floats, some: Flags) -> Floats:
    """Ordered pairs of different runs, both among ``some``, by weight."""
    return (held @ some) ** 2 - held**2 @ some


def alpha(regions: Ballots, valid: Flags, weights: Floats) -> Estimate:
    """Krippendorff's alpha of valid runs over the regions that any of them names; None without two runs or any difference.

    1 - D_o / D_e for nominal data without gaps (Krippendorff 2004, *Content Analysis*, chapter 11), with D_o the share of
    differing pairs of values in a region and D_e that of all pairs of values. Resamples keep the regions, as they are the
    things rated, and leave out pairs of a run with itself.
    """
    names = np.zeros((len(valid), regions.size))
    names[regions.run, regions.item] = 1.0
    here = valid.astype(np.float64)
    point = _alphas(here[None, :], names)[0]
    return Estimate(None) if np.isnan(point) else Estimate(float(point), interval(_alphas(weights * here, names)))


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
