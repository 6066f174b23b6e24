"""The pool as a GitHub job summary: every candidate as a card, as far as the limit of a step's summary allows."""

from venire.model import Pool
from venire.report import footer, sheet
from venire.report.fit import GAP, fitted, octets
from venire.report.inert import span, unspoken

LIMIT = 1_000_000
"""Bytes. GitHub refuses a step's summary above 1 MiB; the rest is left for what else the step may write."""


def report(pool: Pool, *, limit: int = LIMIT) -> str:
    """The whole summary; candidates are cut from the bottom of the least lane, and counted."""
    head = unspoken(sheet.head(pool))
    foot = unspoken("\n\n".join([*sheet.gone(pool), *_notes(pool), sheet.about(pool), sheet.advice(pool)]))
    frame = octets(head) + octets(foot) + 2 * GAP
    parts = fitted(sheet.sections(pool, is_whole=True), limit - frame, octets)
    return "\n\n".join([head, *parts, foot]) + "\n"


def _notes(pool: Pool) -> list[str]:
    """Failed samples, skipped files and the like; a list of thousands is cut and counted."""
    return [sheet.folded(title, sheet.items(_first(rows))) for title, rows in footer.footnotes(pool, span)]


def _first(rows: list[str], most: int = 200) -> list[str]:
    return rows if len(rows) <= most else [*rows[:most], f"and {len(rows) - most:,} more"]
