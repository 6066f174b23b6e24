"""A small change with a place to find in it, and scripts that find it, find nothing, or cannot."""

import json
from pathlib import Path

from support.cli import script

CODE = (
    "def first(items):\n    return items[0]\n\n\ndef find(db, name):\n"
    '    q = "SELECT 1 FROM t WHERE name = \'" + name + "\'"\n    return db.execute(q)\n'
)
JOINED = {"line": 6, "problem": "The name is joined into the SQL.", "check": "check_1", "severity": "high"}


def finds(folder: Path) -> dict[str, str]:
    """A model that sees the place in two of three runs."""
    return _by(script(folder / "finds.json", [{"bucket": "security", "run": "1-2", "findings": [JOINED]}, {"findings": []}]))


def silent(folder: Path) -> dict[str, str]:
    return _by(script(folder / "silent.json", [{"findings": []}]))


def slow(folder: Path) -> dict[str, str]:
    """A model that gives two runs, and no third within any budget."""
    replies = [{"run": "0-2", "findings": [JOINED]}, {"delay_ms": 600_000, "findings": []}]
    return _by(script(folder / "slow.json", replies))


def gone(folder: Path) -> dict[str, str]:
    (folder / "gone.json").write_text(json.dumps({"unavailable": "the machine is off"}))
    return _by(f"scripted:{folder / 'gone.json'}")


def _by(backend: str) -> dict[str, str]:
    return {"VENIRE_BACKEND": backend, "VENIRE_RUNS": "3", "VENIRE_MAX_TIME": "200"}  # so that a slow machine is no other case
