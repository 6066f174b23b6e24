"""How much several models are worth together: Kish's effective size over the places they reported."""

from collections.abc import Sequence
from itertools import combinations

from venire.model import Candidate

LEAST = 3
"""Places below which a correlation says nothing."""


def effective_size(candidates: Sequence[Candidate], models: Sequence[str]) -> float | None:
    """n / (1 + (n - 1) r), 1 to n, for n models whose shares of runs over the places correlate by r on average.

    Kish 1965, *Survey Sampling*, section 5.4, with the mean pairwise correlation in place of the intraclass one, as
    arXiv:2605.29800 applies it to panels of judges. ``None`` for one model, few places, or a model that says the same everywhere.
    """
    if len(models) < 2 or len(candidates) < LEAST:
        return None
    shares = [[_share(candidate, model) for candidate in candidates] for model in models]
    pairs = [_correlation(a, b) for a, b in combinations(shares, 2)]
    known = [r for r in pairs if r is not None]
    if len(known) < len(pairs):
        return None
    size, mean = len(models), sum(known) / len(known)
    return round(min(size, max(1.0, size / (1 + (size - 1) * mean))) if mean > 0 else float(size), 4)


def _share(candidate: Candidate, model: str) -> float:
    return next((support / valid for name, support, valid in candidate.models if name == model and valid), 0.0)


def _correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Pearson's r; ``None`` when one of the two does not vary."""
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    top = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    bottom = (sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)) ** 0.5
    return top / bottom if bottom > 1e-12 else None
