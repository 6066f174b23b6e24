"""Severity, support and the change → the lane of a candidate, and the order of all of them. Frequency ranks; it never rejects."""

from math import ceil

from venire.model import Candidate, Lane, Plan, Severity

ORDER = (Lane.SEVERE, Lane.FREQUENT, Lane.REST, Lane.OUTSIDE)
LINE = (*ORDER, Lane.DISMISSED)


def lane(severity: Severity, support: int, valid: int, plan: Plan, *, is_outside: bool) -> Lane:
    """Outside the change when the audit is about the change; severe at any support; frequent from a share of the valid runs."""
    if plan.scope == "changed" and is_outside:
        return Lane.OUTSIDE
    if severity is Severity.HIGH:
        return Lane.SEVERE
    enough = ceil(round(plan.frequent * valid, 9))  # 0.1 × 30 must not ask for 4
    return Lane.FREQUENT if support >= max(enough, 1) else Lane.REST


def place_in_line(candidate: Candidate) -> tuple[int, int, int, str, int, str]:
    """A sort key: by lane, then support, severity, path and line. Outside the change severity comes before support."""
    weights = -candidate.support, -candidate.severity.rank
    if candidate.lane is Lane.OUTSIDE:
        weights = weights[1], weights[0]
    return LINE.index(candidate.lane), *weights, candidate.path, candidate.first, candidate.id
