"""The independent recount: a record, the seed experiment's files, or a file of claims → figures, counted a second time.

It shares no code with what it checks. Of venire it imports the errors and nothing else, and beside them the standard library
alone; a test holds it to that.
"""

from pathlib import Path
from typing import Any

from venire.recount.claims import Claim as Claim
from venire.recount.claims import Fault as Fault
from venire.recount.claims import claims as claims
from venire.recount.claims import faults as faults
from venire.recount.compare import Comparison as Comparison
from venire.recount.compare import compare
from venire.recount.count import Count
from venire.recount.entries import load
from venire.recount.figures import figures
from venire.recount.seed import Checked as Checked
from venire.recount.seed import check as check

__all__ = ["Checked", "Claim", "Comparison", "Fault", "check", "claims", "faults", "recount"]


def recount(record: Path, report: dict[str, Any]) -> Comparison:
    """Count a sealed record again and compare every figure with those of its JSON report."""
    return compare(report, figures(Count(load(record))))
