"""The pool as SARIF 2.1.0, within what GitHub code scanning reads and allows.

``kind`` is left out: with any but ``fail`` the level would have to be none and the rank absent (§3.27.9, 10, 25).
There is no ``security-severity``: it would make a candidate that nobody looked at a security alert.
"""

from typing import Any

from venire.model import Lane, Pool
from venire.report import footer, notice, overlaid, wording
from venire.report.inert import SENTENCE, encoded, plain
from venire.report.sarif_results import results, unlinked
from venire.report.sarif_rules import rules

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

RESULTS = 5_000
"""GitHub keeps so many results of a run."""

NOTIFICATIONS = 1_000
"""Failed samples, skipped files and the like that are told one by one."""

Json = dict[str, Any]


def report(pool: Pool, *, profile: str = "pool") -> str:
    """The whole file. ``profile`` tells uploads of one commit apart: GitHub replaces the last one of the same category."""
    return encoded(document(pool, profile), indent=2) + "\n"


def document(pool: Pool, profile: str = "pool") -> Json:
    """The value that ``report`` writes."""
    driver: Json = {"name": "venire", "rules": rules(pool)}
    if version := _version(pool):
        driver["semanticVersion"] = version
    tool: Json = {"driver": driver}
    if pool.models:
        tool["extensions"] = [{"name": plain(name)} for name in wording.model_names(pool)[:100]]
    run: Json = {
        "tool": tool,
        "automationDetails": {"id": f"venire/{plain(profile)}/"},
        "invocations": [_invocation(pool)],
        "columnKind": "unicodeCodePoints",
        "results": results(pool, pool.candidates[:RESULTS]),
        "properties": _about(pool),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _version(pool: Pool) -> str:
    """The version of the tool that made the record, where it is one."""
    word = pool.audit.tool.rpartition(" ")[2]
    return word if all(part.isascii() and part.isdigit() for part in word.split(".")) and word.count(".") == 2 else ""


def _about(pool: Pool) -> Json:
    return {
        "venire/status": pool.status,
        "venire/headline": wording.headline(pool),
        "venire/record": pool.head,
        "venire/asked": pool.asked,
        "venire/valid": pool.valid,
        "venire/caveat": footer.caveat(pool),
        **({"venire/since": changes} if (changes := overlaid.changes(pool)) else {}),
    }


def _invocation(pool: Pool) -> Json:
    """GitHub refuses a run whose execution did not succeed, and so keeps the alerts that a run without results would close."""
    is_sound = not notice.doubt(pool) or (pool.status == "partial" and bool(pool.candidates))
    return {"executionSuccessful": is_sound, "toolExecutionNotifications": _notifications(pool, is_sound)}


def _notifications(pool: Pool, is_sound: bool) -> list[Json]:
    level = "warning" if is_sound else "error"
    told = [_note(level, text)] if (text := notice.doubt(pool)) else []
    told += [_note(level, plain(reason, SENTENCE)) for reason in pool.reasons]
    told += [_note("warning", f"{overlaid.ALTERED}: {plain(path)}") for path in pool.altered]
    told += [_note("note", f"left out: {count} beyond {RESULTS:,}")] if (count := _beyond(pool)) else []
    told += [_note("note", f"{count} dismissed by a person")] if (count := _dismissed(pool)) else []
    told += [_note("note", row) for row in (overlaid.gone(one, plain) for one in pool.gone)]
    told += [_note("warning", row) for row in footer.warnings(pool, plain) + footer.failures(pool, plain)]
    told += [_note("warning" if "(a gap: " in row else "note", row) for row in footer.skipped(pool, plain)]
    told += [_note("note", row) for row in footer.uncovered(pool, plain) + footer.placeless(pool, plain)]
    more = [_note("note", f"and {len(told) - NOTIFICATIONS:,} more")] if len(told) > NOTIFICATIONS else []
    return told[:NOTIFICATIONS] + more


def _beyond(pool: Pool) -> str:
    over = len(pool.candidates) - RESULTS
    return wording.count(over, "candidate") if over > 0 else ""


def _dismissed(pool: Pool) -> str:
    found = wording.in_lane(pool, Lane.DISMISSED)
    return wording.count(len(found), "candidate") if found else ""


def _note(level: str, text: str) -> Json:
    return {"level": level, "message": {"text": unlinked(text)}}
