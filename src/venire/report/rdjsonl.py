"""The pool as Reviewdog Diagnostic Format, one JSON object a line (``Diagnostic`` of reviewdog's ``reviewdog.proto``)."""

from venire.model import Candidate, Lane, Pool
from venire.report import notice
from venire.report.inert import encoded, span

SOURCE = {"name": "venire"}


def report(pool: Pool) -> str:
    """One line a candidate, those a person dismissed left out; an audit that is not complete has a line of its own."""
    kept = [candidate for candidate in pool.candidates if candidate.lane is not Lane.DISMISSED]
    rows = [*map(_remark, notice.remarks(pool)), *map(_diagnostic, kept)]
    return "".join(encoded(row) + "\n" for row in rows)


def _diagnostic(candidate: Candidate) -> dict[str, object]:
    """Without columns a range is of whole lines, the last one included. Never an ERROR, which may fail a build."""
    first, last = notice.spot(candidate)
    return {
        "message": notice.message(candidate, span),
        "location": {"path": candidate.path, "range": {"start": {"line": first}, "end": {"line": last}}},
        "severity": "WARNING" if candidate.lane is Lane.SEVERE else "INFO",
        "source": SOURCE,
        "code": {"value": notice.leading(candidate)},
    }


def _remark(remark: notice.Remark) -> dict[str, object]:
    return {
        "message": remark.text,
        "location": {"path": remark.path},
        "severity": "WARNING",
        "source": SOURCE,
        "code": {"value": remark.rule},
    }
