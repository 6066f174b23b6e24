"""The pool as a GitHub job summary: every candidate as a card, as far as the limit of a step's summary allows."""

from venire.model import Pool
from venire.report import footer, sheet
from venire.report.fit import GAP, fitted, octets
from venire.report.inert import span, unspoken

LIMIT = 1_000_000
"""Bytes. GitHub refuses a step's summary above 1 MiB; the rest is left for what else the step may write."""

ROWS = (200, 20, 2)
"""Failed samples, skipped files and the like that are listed, each: the most that leaves three quarters to candidates."""


def report(pool: Pool, *, limit: int = LIMIT) -> str:
    """The whole summary, at most ``limit`` bytes (100,000 at least); candidates are cut from the bottom of the least lane."""
    head, foot = unspoken(sheet.head(pool)), _foot(pool, limit // 4)
    room = limit - octets(head) - octets(foot) - 2 * GAP
    parts = fitted(sheet.sections(pool, is_whole=True), room, octets)
    return "\n\n".join([head, *parts, foot]) + "\n"


def _foot(pool: Pool, limit: int) -> str:
    notes = footer.footnotes(pool, span)
    feet = (_below(pool, notes, most) for most in ROWS)
    return next((foot for foot in feet if octets(foot) <= limit), _below(pool, notes[:0], 0))


def _below(pool: Pool, notes: list[tuple[str, list[str]]], most: int) -> str:
    lists = [sheet.folded(title, sheet.items(_first(rows, most))) for title, rows in notes]
    return unspoken("\n\n".join([*sheet.gone(pool), *lists, sheet.about(pool), sheet.advice(pool)]))


def _first(rows: list[str], most: int) -> list[str]:
    return rows if len(rows) <= most else [*rows[:most], f"and {len(rows) - most:,} more"]
