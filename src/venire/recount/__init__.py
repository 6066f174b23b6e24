"""The independent recount: a record, or the seed experiment's files → figures. It shares no code with what it checks.

Of venire it imports the errors and nothing else, and beside that the standard library alone; a test holds it to that.
"""

from pathlib import Path
from typing import Any

from venire.recount.compare import Comparison as Comparison
from venire.recount.compare import compare
from venire.recount.count import Count
from venire.recount.entries import load
from venire.recount.figures import figures

__all__ = ["Comparison", "recount"]


def recount(record: Path, report: dict[str, Any]) -> Comparison:
    """Count a sealed record again and compare every figure with those of its JSON report."""
    return compare(report, figures(Count(load(record))))
