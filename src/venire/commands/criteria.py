"""The panel as it stands: its checks with their ids, one check in full, or every fault."""

from pathlib import Path

from venire.config import Settings
from venire.deliver import deliver
from venire.errors import Exit, UsageError
from venire.model import Check, When
from venire.panel import load, shown
from venire.visible import visible


def _checks(settings: Settings) -> list[Check]:
    panel = load([Path(path) for path in settings.criteria], settings.buckets)
    return [check for bucket in panel.buckets for check in bucket.checks]


def list_checks(settings: Settings) -> Exit:
    """Every check: key, content id, severity floor, family, text."""
    rows = [(shown(c.bucket, c.id), c.content, c.severity.value, c.family, c.text) for c in _checks(settings)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4]]) for row in rows]
    deliver("".join(f"{visible(line)}\n" for line in lines))
    return Exit.OK


def check(settings: Settings) -> Exit:
    """Faults are an error that lists them all; otherwise the counts."""
    checks = _checks(settings)
    buckets = len({check.bucket for check in checks})
    deliver(f"{buckets} buckets, {len(checks)} checks, no faults\n")
    return Exit.OK


def show(settings: Settings, wanted: str) -> Exit:
    """One check, found by bucket::id or by content id."""
    checks = _checks(settings)
    found = [c for c in checks if wanted in (shown(c.bucket, c.id), c.content)]
    if not found:
        raise UsageError(f"no check {wanted!r}", "see: venire criteria list")
    for c in found:
        facts = {
            "check": shown(c.bucket, c.id),
            "content id": c.content,
            "text": c.text,
            "family": c.family,
            "severity floor": c.severity.value,
            "tags": ", ".join(c.tags) or "none",
            "when": _when(c.when),
        }
        deliver("".join(f"{name:15} {visible(value)}\n" for name, value in facts.items()))
    return Exit.OK


def _when(when: When) -> str:
    fields = (("language", when.language), ("path", when.path), ("model", when.model))
    return "; ".join(f"{name}: {', '.join(values)}" for name, values in fields if values) or "always"
