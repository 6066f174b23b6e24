"""The pool as the body of one sticky pull request comment: the status, and a line for each candidate."""

import re
from dataclasses import dataclass

from venire.model import Candidate, Pool
from venire.report import cards, wording
from venire.report.inert import span, unspoken

_MARKER = re.compile(
    r"<!-- venire:pool:v1 id=([A-Za-z0-9._-]{1,64}) head_sha=([0-9a-f]{0,64}) record=([0-9a-f]{0,64}) run=([0-9]{1,18}) -->"
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which audit wrote a comment, and of what. ``where``: one line of trusted Markdown on where the whole report is."""

    profile: str
    head_sha: str
    record: str
    run: int
    where: str = ""


def read_stamp(body: str) -> Stamp | None:
    """The stamp in a comment's first line, if that is a whole marker."""
    found = _MARKER.fullmatch(body.partition("\n")[0].rstrip("\r"))
    return Stamp(found[1], found[2], found[3], int(found[4])) if found else None


def comment(pool: Pool, stamp: Stamp, *, limit: int = 60_000) -> str:
    """The body, at most ``limit`` characters; candidates are cut from the bottom of the least lane, and counted."""
    marker = f"<!-- venire:pool:v1 id={stamp.profile} head_sha={stamp.head_sha} record={stamp.record} run={stamp.run} -->"
    head = [marker, f"## venire: {wording.headline(pool)}", "", wording.gist(pool, span), ""]
    lines, left = [], limit - sum(len(line) + 1 for line in head) - len(stamp.where) - 100
    for candidate in pool.candidates:
        line = _line(candidate)
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    if cut := len(pool.candidates) - len(lines):
        lines += ["", f"**{cut:,} of {len(pool.candidates):,} candidates are not shown here.**"]
    return unspoken("\n".join([*head, *lines, "", stamp.where])) + "\n"


def _line(candidate: Candidate) -> str:
    return f"- {cards.support(candidate)}: {span(cards.place(candidate))} {candidate.severity}, {span(candidate.problem)}"
