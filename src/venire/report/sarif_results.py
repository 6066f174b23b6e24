"""Candidates as SARIF results: one place, one result, under the rule of its most frequent label."""

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid5

from venire.model import Candidate, Lane, Pool, Target
from venire.report import notice, overlaid
from venire.report.cards import quarrel
from venire.report.inert import SENTENCE, plain, span
from venire.report.line_hash import line_hashes

Json = dict[str, Any]

_NAMES = UUID("6f9f5b0e-3a51-5c1e-9d4f-5a1c7c0f6b7d")
"""The name space of correlation ids."""

_SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_BASELINE = {"new": "new", "still": "unchanged", "moved": "updated"}


def results(pool: Pool, candidates: Sequence[Candidate]) -> list[Json]:
    """In the pool's order. ``baselineState`` and ``suppressions`` stand in all results or in none, as the standard asks."""
    files = {target.path: target for target in pool.targets}
    hashes = {path: _hashes(files[path]) for path in {one.path for one in candidates} & files.keys()}
    has_since = bool(candidates) and all(one.since for one in candidates)
    has_dismissed = any(one.lane is Lane.DISMISSED for one in candidates)
    told = []
    for one in candidates:
        result = _result(one, files.get(one.path), hashes.get(one.path, ()))
        told.append(result | _baseline(one, has_since) | _suppressions(one, has_dismissed))
    return told


def _hashes(target: Target) -> tuple[str, ...]:
    """GitHub's hash of each line, as its own action would find it; none when the text is not the file byte for byte."""
    data = target.text.encode("utf-8", "backslashreplace")
    return line_hashes(target.text) if hashlib.sha256(data).hexdigest() == target.sha256 else ()


def _result(one: Candidate, target: Target | None, hashes: tuple[str, ...]) -> Json:
    first, _ = notice.spot(one)
    prints = {"venire/stmt/v1": one.anchors[0].fp1, "venire/text/v1": one.anchors[0].fp2} if one.anchors else {}
    if first <= len(hashes):
        prints["primaryLocationLineHash"] = hashes[first - 1]
    return {
        "ruleId": notice.leading(one),
        "level": "note",
        "message": {"text": unlinked(notice.message(one, span))},
        "locations": [{"physicalLocation": {"artifactLocation": _file(one.path), "region": _region(one, target)}}],
        "rank": _rank(one),
        "occurrenceCount": max(1, one.support),
        "correlationGuid": str(uuid5(_NAMES, f"{one.path!a} {one.id!a}")),
        "partialFingerprints": prints,
        "properties": _facts(one),
    }


def _rank(one: Candidate) -> float:
    """The share of the valid runs that point here, from 0 to 100."""
    return round(100 * min(one.support, one.valid) / one.valid, 1) if one.valid else 0.0


def _file(path: str) -> Json:
    """Relative to the repository's root. Every byte that could mean something in a URI is written as its number."""
    data = path.encode("utf-8", "backslashreplace")
    return {"uri": "".join(chr(byte) if byte in _SAFE else f"%{byte:02X}" for byte in data), "uriBaseId": "%SRCROOT%"}


def _region(one: Candidate, target: Target | None) -> Json:
    """Whole lines; the last column only where the line is known."""
    first, last = notice.spot(one)
    known = dict(one.code)
    line = known.get(last) if target is None else (target.lines[last - 1] if last <= len(target.lines) else None)
    ends = {} if line is None else {"endColumn": len(line) + 1}
    return {"startLine": first, "startColumn": 1, "endLine": last, **ends}


def unlinked(text: str) -> str:
    """Brackets that no viewer takes for a link (§3.11.6)."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _facts(one: Candidate) -> Json:
    facts: Json = {
        "venire/id": one.id,
        "venire/lane": one.lane.value,
        "venire/severity": one.severity.value,
        "venire/support": one.support,
        "venire/valid": one.valid,
        "venire/interval": [float(share) for share in one.interval],
        "venire/lines": [one.first, one.last],
        "venire/labels": {f"{label.bucket}::{label.check}": label.support for label in one.labels},
    }
    facts |= {"venire/disagree": told} if (told := quarrel(one)) else {}
    facts |= {"venire/evidence": overlaid.corroboration(one.evidence, plain)} if one.evidence else {}
    facts |= {"venire/decision": overlaid.decision(one.decision, plain)} if one.decision else {}
    return facts


def _baseline(one: Candidate, is_given: bool) -> Json:
    return {"baselineState": _BASELINE[one.since]} if is_given else {}


def _suppressions(one: Candidate, is_given: bool) -> Json:
    """What a person dismissed. GitHub does not read it."""
    if not is_given:
        return {}
    if one.lane is not Lane.DISMISSED:
        return {"suppressions": []}
    why = {"justification": plain(one.decision.why, SENTENCE)} if one.decision and one.decision.why else {}
    return {"suppressions": [{"kind": "external", "status": "accepted", **why}]}
