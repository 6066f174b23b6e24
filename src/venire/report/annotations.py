"""The pool as workflow commands: annotations of a GitHub Actions step, the most severe first, within the runner's limits.

``::notice file=…,line=…,endLine=…,title=…::message``, escaped as the runner's toolkit does (``command.ts``).
"""

from collections.abc import Mapping

from venire.model import Candidate, Lane, Pool
from venire.report import cards, notice, overlaid, wording
from venire.report.inert import SENTENCE, plain
from venire.visible import visible

EACH = 10
"""Annotations a step may have of each level; a job shows 50 in all."""

REMARKS = 4
"""Warnings about the audit itself, which leave the other six to severe candidates."""

TITLE = 255
"""Characters of a title."""

_NOTICED = (Lane.FREQUENT, Lane.REST)


def report(pool: Pool) -> str:
    """Severe candidates as warnings, frequent ones and the rest as notices; the last line counts what has no annotation.

    What is to be said of the audit itself comes first. Candidates outside the change and dismissed ones have no annotation.
    """
    remarks = list(map(_remark, notice.remarks(pool)[:REMARKS]))
    severe = wording.in_lane(pool, Lane.SEVERE)[: EACH - len(remarks)]
    others = [one for lane in _NOTICED for one in wording.in_lane(pool, lane)][: EACH - 1]
    lines = [_annotation("warning", one) for one in severe] + [_annotation("notice", one) for one in others]
    return "\n".join([*remarks, *lines, _last(pool, len(severe) + len(others))]) + "\n"


def _remark(remark: notice.Remark) -> str:
    place = {"file": visible(remark.path), "line": "1"} if remark.rule == "venire/altered" else {}
    return _command("warning", {**place, "title": "venire"}, remark.text)


def _last(pool: Pool, shown: int) -> str:
    rest = len(pool.candidates) - shown
    more = f"; {wording.count(rest, 'candidate')} without an annotation here" if rest else ""
    return _command("notice", {"title": "venire"}, f"{wording.headline(pool)}{more}")


def _annotation(level: str, candidate: Candidate) -> str:
    first, last = notice.spot(candidate)
    title = f"{candidate.severity}, {cards.support(candidate)}, {plain(candidate.id)}"
    place = {"file": visible(candidate.path), "line": str(first), "endLine": str(last), "title": title[:TITLE]}
    label = f" ({cards.label(candidate.labels[0], plain)})" if candidate.labels else ""
    found = f"; also reported by {overlaid.corroboration(candidate.evidence, plain)}" if candidate.evidence else ""
    return _command(level, place, f"{plain(candidate.problem, SENTENCE)}{label}{found}")


def _command(level: str, properties: Mapping[str, str], message: str) -> str:
    """Controls in foreign text are written out before, so that nothing decodes to one."""
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {given}::{_data(message)}".replace("##[", "#%23[")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
