"""Valid readings of one file → findings: every claim, put on its statement."""

from collections.abc import Iterable, Sequence

from venire.assess.anchors import Layout
from venire.assess.labels import Labels
from venire.assess.locate import locate
from venire.assess.replies import Reading
from venire.model import Claim, Finding


def place(heard: Iterable[Reading], layout: Layout, lines: Sequence[str], labels: Labels) -> tuple[Finding, ...]:
    """One finding a claim, none dropped; severity is the claim's, raised to the floor of its check."""
    return tuple(_finding(reading, claim, layout, lines, labels) for reading in heard for claim in reading.claims)


def _finding(reading: Reading, claim: Claim, layout: Layout, lines: Sequence[str], labels: Labels) -> Finding:
    run = reading.run
    anchor, located = locate(layout, lines, claim.line, claim.quote)
    floor = labels.checks[run.bucket, claim.check].severity
    return Finding(
        run=reading.voter,
        path=run.path,
        window=run.window,
        bucket=run.bucket,
        check=claim.check,
        line=claim.line,
        anchor=anchor,
        located=located,
        severity=max(claim.severity, floor, key=lambda severity: severity.rank),
        problem=claim.problem,
        quote=claim.quote,
    )
