"""What is asked: criteria files → a panel of buckets, targets → prompts, replies → claims and verdicts."""

from venire.panel.answers import Answer, answer, expected, feedback
from venire.panel.criteria import faults, files, load
from venire.panel.findings import parse
from venire.panel.keys import COMBINED, shown
from venire.panel.modes import MODES, merged
from venire.panel.prompt import prompts, window_budget
from venire.panel.remarks import Remarks
from venire.panel.strict import ContractFault
from venire.panel.when import applicable

__all__ = [
    "COMBINED",
    "MODES",
    "Answer",
    "ContractFault",
    "Remarks",
    "answer",
    "applicable",
    "expected",
    "faults",
    "feedback",
    "files",
    "load",
    "merged",
    "parse",
    "prompts",
    "shown",
    "window_budget",
]
