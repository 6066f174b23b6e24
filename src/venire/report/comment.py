"""The pool as the body of one sticky pull request comment, within a forge's limit."""

from venire.model import Pool
from venire.report import sheet, wording
from venire.report.fit import GAP, fitted, units
from venire.report.inert import unspoken
from venire.report.stamp import Stamp, read_stamp

__all__ = ["LEAST", "LIMIT", "Stamp", "comment", "read_stamp"]

LIMIT = 60_000
"""GitHub refuses a body above 65,536 characters. It does not say whether these are code points or UTF-16 units."""

LEAST = 2_000
"""A limit below this would not hold the head of every report."""


def comment(pool: Pool, stamp: Stamp, *, limit: int = LIMIT) -> str:
    """The whole body: first the stamp's marker, last where the whole report is. Neither its code points nor its UTF-16 units
    exceed ``limit`` (ValueError below ``LEAST``). Candidates are cut from the bottom of the least lane, and counted."""
    if limit < LEAST:
        raise ValueError(f"a comment needs a limit of {LEAST} characters at least, not {limit}")
    head, foot = f"{stamp.marker}\n{unspoken(sheet.head(pool))}", unspoken(_foot(pool, stamp))
    frame = units(head) + units(foot) + 2 * GAP
    parts = list(fitted(sheet.sections(pool, is_whole=False), limit - frame, units))
    body = "\n\n".join([head, *parts, foot]) + "\n"
    return body if units(body) <= limit else _least(pool, stamp, limit)


def _foot(pool: Pool, stamp: Stamp) -> str:
    return "\n\n".join(
        filter(None, [*sheet.gone(pool), *sheet.warnings(pool), sheet.about(pool), sheet.advice(pool), stamp.where])
    )


def _least(pool: Pool, stamp: Stamp, limit: int) -> str:
    """What is said when not even the head has room: the status, and that everything else is elsewhere."""
    cut = f"**{wording.lanes(pool)}. None is shown here: the report does not fit into {limit:,} characters.**"
    where = stamp.where if units(stamp.where) <= LEAST // 2 else ""
    return "\n\n".join(filter(None, [f"{stamp.marker}\n## venire: {wording.headline(pool)}", cut, where])) + "\n"
