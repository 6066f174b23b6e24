"""The panel's checks as SARIF rules: every check that was asked has one, whether it has a result or not."""

import re
from typing import Any

from venire.model import OTHER, Bucket, Check, Pool
from venire.panel import merged, shown
from venire.report.footer import caveat
from venire.report.inert import plain
from venire.report.notice import UNLABELLED, rule
from venire.report.sarif_results import unlinked

TEXT = 1_024
"""Characters that GitHub allows a rule's descriptions."""

TAGS = 10
"""GitHub keeps so many tags of a rule."""

RULES = 25_000
"""GitHub allows so many rules in a run."""

_CWE = re.compile(r"CWE-(\d{1,6})", re.ASCII)


def rules(pool: Pool) -> list[dict[str, Any]]:
    """Each id once, never none: GitHub refuses a driver without rules."""
    told = [one for bucket in merged(pool.audit.panel) for one in _bucket(bucket, pool)]
    known = {one["id"]: one for one in [*told, _rule(UNLABELLED, "A place that no check names", [], {}, pool)]}
    return list(known.values())[:RULES]


def _bucket(bucket: Bucket, pool: Pool) -> list[dict[str, Any]]:
    named = [_check(check, pool) for check in bucket.checks]
    other = f"A problem that no check of {unlinked(plain(bucket.name))} names"
    return [*named, _rule(rule(bucket.name, ""), other, [], {"venire/check": shown(bucket.name, OTHER)}, pool)]


def _check(check: Check, pool: Pool) -> dict[str, Any]:
    facts = {"venire/check": shown(check.bucket, check.id), "venire/content": check.content, "venire/family": check.family}
    return _rule(
        rule(check.bucket, check.content),
        unlinked(plain(check.text, TEXT // 2)),
        [_tag(tag) for tag in check.tags[:TAGS]],
        facts,
        pool,
    )


def _rule(id: str, text: str, tags: list[str], facts: dict[str, str], pool: Pool) -> dict[str, Any]:
    return {
        "id": id,
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {"text": f"{text}\n\n{caveat(pool)}"},
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": tags, "precision": "low", "problem.severity": "recommendation", **facts},
    }


def _tag(tag: str) -> str:
    """A weakness by number in the form GitHub knows; any other tag as it is."""
    found = _CWE.fullmatch(tag)
    return f"external/cwe/cwe-{found[1]:0>3}" if found else plain(tag)
