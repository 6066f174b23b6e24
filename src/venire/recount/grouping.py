"""A cell of the seed experiment → its runs grouped by region, its categories taken for checks."""

from venire.recount.cells import Cell, Truth
from venire.recount.places import Finding, Region, Rules, ballots, put, regions
from venire.recount.replies import Claim
from venire.recount.statements import Sheet, sheet, text_lines

INJECTION = {"CodeInjection", "CommandInjection", "PathTraversal", "SQLInjection"}
"""The categories that are one family; every other is its own."""
UNSURE = {"Other", "Unclear"}
LIFT = 0.5


def family(category: str) -> str:
    """The family of a category."""
    return "injection" if category in INJECTION else category


def supports(cell: Cell, *, is_wild: bool) -> dict[str, int]:
    """For each truth the runs behind the best region of its family on its lines; ``is_wild``: unsure labels go with any."""
    lines = text_lines(cell.text)
    at = sheet(lines, "python")
    findings = [
        Finding(("", number), ("", category), line, put(Claim(line, "", category, "low", ""), at, lines)[0], "", 0, "")
        for number, run in enumerate(cell.runs, 1)
        for line, category in run
    ]
    labels = sorted({finding.label for finding in findings})
    families = {label: "*" if is_wild and label[1] in UNSURE else family(label[1]) for label in labels}
    made = regions(ballots(findings, families), Rules(at, len(cell.runs), LIFT))
    return {truth.id: max((len(r.runs) for r in made if _credits(r, truth, at)), default=0) for truth in cell.truths}


def _credits(region: Region, truth: Truth, at: Sheet) -> bool:
    own = next((ballot.family for ballot in region.ballots if ballot.family != "*"), "*")
    spans = [at.statements[n] for n in region.statements]
    is_akin = own in {family(label) for label in truth.labels}
    return is_akin and any(span.first <= truth.last and truth.first <= span.last for span in spans)
