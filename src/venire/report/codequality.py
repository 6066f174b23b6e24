"""The pool as GitLab Code Quality: a JSON array of the fields GitLab reads. https://docs.gitlab.com/ci/testing/code_quality"""

import hashlib

from venire.model import Candidate, Lane, Pool
from venire.report import notice
from venire.report.inert import encoded, span

SEVERITY = "info"
"""The least of GitLab's: votes say how often a model repeats itself, not how bad a thing is."""

DOUBT = "major"
"""Of the entry that says that the audit is not complete."""


def report(pool: Pool) -> str:
    """One entry a candidate, those a person dismissed left out: GitLab has no word for them. An audit that is not complete has
    an entry of its own, new in every report, since an empty array reads as clean."""
    kept = [candidate for candidate in pool.candidates if candidate.lane is not Lane.DISMISSED]
    doubts = [_doubt(pool, text)] if (text := notice.doubt(pool)) else []
    return encoded(doubts + [_entry(candidate) for candidate in kept], indent=2) + "\n"


def _entry(candidate: Candidate) -> dict[str, object]:
    first, last = notice.spot(candidate)
    return {
        "description": notice.message(candidate, span),
        "check_name": notice.leading(candidate),
        "fingerprint": _fingerprint("candidate", candidate.path, candidate.id),
        "severity": SEVERITY,
        "location": {"path": candidate.path, "lines": {"begin": first, "end": last}},
    }


def _doubt(pool: Pool, text: str) -> dict[str, object]:
    return {
        "description": text,
        "check_name": "venire/status",
        "fingerprint": _fingerprint("status", pool.audit.id),
        "severity": DOUBT,
        "location": {"path": notice.home(pool), "lines": {"begin": 1, "end": 1}},
    }


def _fingerprint(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()
