"""The pool as GitLab Code Quality: a JSON array of the fields GitLab reads. https://docs.gitlab.com/ci/testing/code_quality"""

import hashlib

from venire.model import Candidate, Lane, Pool
from venire.report import notice
from venire.report.inert import encoded, span

SEVERITY = "info"
"""The least of GitLab's: votes say how often a model repeats itself, not how bad a thing is."""

GRAVE = "major"
"""Of an entry about the audit itself."""


def report(pool: Pool) -> str:
    """One entry a candidate, those a person dismissed left out: GitLab has no word for them. An audit that is not complete has
    an entry of its own, since an empty array reads as clean."""
    kept = [candidate for candidate in pool.candidates if candidate.lane is not Lane.DISMISSED]
    remarks = [_remark(remark, pool) for remark in notice.remarks(pool)]
    return encoded(remarks + [_entry(candidate) for candidate in kept], indent=2) + "\n"


def _entry(candidate: Candidate) -> dict[str, object]:
    first, last = notice.spot(candidate)
    return {
        "description": notice.message(candidate, span),
        "check_name": notice.leading(candidate),
        "fingerprint": _fingerprint("candidate", candidate.path, candidate.id),
        "severity": SEVERITY,
        "location": {"path": candidate.path, "lines": {"begin": first, "end": last}},
    }


def _remark(remark: notice.Remark, pool: Pool) -> dict[str, object]:
    """New in every report, so that GitLab does not take it for one that the target branch has too."""
    return {
        "description": remark.text,
        "check_name": remark.rule,
        "fingerprint": _fingerprint(remark.rule, remark.path, pool.audit.id),
        "severity": GRAVE,
        "location": {"path": remark.path, "lines": {"begin": 1, "end": 1}},
    }


def _fingerprint(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()
