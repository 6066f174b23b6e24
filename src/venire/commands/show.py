"""An assessed record → a delivered report and an exit code. What audit, replay and resume have in common."""

import hashlib

from venire.assess import assess
from venire.config import Settings
from venire.deliver import deliver, paper
from venire.errors import Exit
from venire.model import Pool, Record
from venire.report import render

EXITS = {
    "complete": Exit.OK,
    "partial": Exit.OK,
    "nothing": Exit.OK,
    "inconclusive": Exit.INCONCLUSIVE,
    "unfinished": Exit.INCONCLUSIVE,
}


def show(record: Record, settings: Settings) -> Exit:
    """Assess, render in the form asked for, deliver; the exit code says what the audit is worth."""
    pool = assess(record)
    around = settings.surroundings
    width, color = paper(
        columns=around.columns, no_color=around.no_color, force_color=around.force_color, is_captured=around.is_captured
    )
    text = render(pool, settings.format, width=width, color=color and not settings.output)
    deliver(text, settings.output)
    return EXITS[pool.status]


def report_digest(pool: Pool) -> str:
    """SHA-256 of the JSON report: what a seal keeps, so that a replay can be compared with the live report."""
    return hashlib.sha256(render(pool, "json").encode()).hexdigest()
