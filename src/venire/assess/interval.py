"""k of n → an interval for the rate behind it."""

from math import sqrt

Z95 = 1.959963984540054
"""The normal quantile that leaves 2.5 % above it."""


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % score interval for k successes in n trials, within 0 and 1; (0, 1) when nothing was tried.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927), pages 209–212. The bounds are the rates p at which |k/n - p| is z·sqrt(p(1-p)/n).
    It takes the runs for independent draws of one model: it says nothing about other models, prompts or files.
    """
    if n == 0:
        return 0.0, 1.0
    rate, shrink = k / n, Z95 * Z95 / n
    middle = (rate + shrink / 2) / (1 + shrink)
    reach = Z95 * sqrt(rate * (1 - rate) / n + shrink / (4 * n)) / (1 + shrink)
    low = 0.0 if k == 0 else max(0.0, middle - reach)  # exact at the ends, where rounding would leave a trace
    return low, 1.0 if k == n else min(1.0, middle + reach)
