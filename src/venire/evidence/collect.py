"""SARIF files on the disk → evidence, and a count of what says nothing about a place, by reason."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from venire.errors import UsageError
from venire.evidence.place import path_of
from venire.evidence.sarif import REMEDY, Component, Physical, Reference, Result, Run, parse
from venire.model import Evidence

LIMIT = 200_000_000  # bytes
MESSAGE = 1000
"""Characters of a message that are kept."""

NAME = 200
"""Characters of a tool's or a rule's name that are kept."""


@dataclass(frozen=True, slots=True)
class Findings:
    """``left_out``: reasons and how many findings each left out."""

    evidence: tuple[Evidence, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


def read(paths: Sequence[str], root: Path) -> Findings:
    """The findings of all files. ``root`` is the folder the audit's paths count from. UsageError names file and place."""
    found: dict[Evidence, None] = {}
    left_out: Counter[str] = Counter()
    tops = (root.absolute().as_posix(), root.resolve().as_posix())
    for path in paths:
        log = parse(_bytes(Path(path)), path)
        for run in log.runs or ():
            for result in run.results or ():
                said = list(_evidence(result, run, tops))
                found.update((item, None) for item in said if isinstance(item, Evidence))
                left_out.update(item for item in said if isinstance(item, str))
    return Findings(tuple(found), tuple(sorted(left_out.items())))


def _evidence(result: Result, run: Run, roots: tuple[str, ...]) -> Iterator[Evidence | str]:
    """Evidence for every place a result names, or why there is none."""
    if reason := _idle(result, run):
        yield reason
        return
    places = [location.physicalLocation for location in result.locations or () if location.physicalLocation]
    if not places:
        yield "without a place"
    for place in places:
        yield _at(place, result, run, roots)


def _idle(result: Result, run: Run) -> str:
    """Why a result is no evidence: it is venire's own (votes are none), of a ``kind`` other than fail, suppressed, or bygone."""
    if run.tool.driver.name == "venire":
        return "venire's own"
    if result.kind not in (None, "fail"):
        return "not a failure"
    if any(suppression.status in (None, "accepted") for suppression in result.suppressions or ()):
        return "suppressed"
    return "absent since a baseline" if result.baselineState == "absent" else ""


def _at(place: Physical, result: Result, run: Run, roots: tuple[str, ...]) -> Evidence | str:
    path = path_of(place.artifactLocation, run, roots) if place.artifactLocation else ""
    region = place.region
    if not path:
        return "about files outside this folder"
    if not region or not region.startLine or region.startLine < 1:
        return "without a line"
    last = max(region.endLine or region.startLine, region.startLine)
    if region.endColumn == 1 and last > region.startLine:  # it ends before the first character of that line
        last -= 1
    message = result.message
    said = (message.text or message.markdown or message.id or "") if message else ""
    return Evidence(
        run.tool.driver.name[:NAME], _rule(result, run)[:NAME], path, region.startLine, last, " ".join(said[:MESSAGE].split())
    )


def _rule(result: Result, run: Run) -> str:
    """The rule's id: as the result gives it, else by its position in the rules of the tool or of one of its extensions."""
    rule = result.rule or Reference()
    if known := result.ruleId or rule.id:
        return known
    index = result.ruleIndex if result.ruleIndex is not None else rule.index
    rules = _component(rule.toolComponent, run).rules or []
    return (rules[index].id or "") if index is not None and 0 <= index < len(rules) else ""


def _component(reference: Reference | None, run: Run) -> Component:
    others = run.tool.extensions or []
    if reference is None:
        return run.tool.driver
    if reference.index is not None and 0 <= reference.index < len(others):
        return others[reference.index]
    return next((other for other in others if other.name == reference.id), run.tool.driver)


def _bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path}: not a file", REMEDY)
        if path.stat().st_size > LIMIT:
            raise UsageError(f"{path}: larger than {LIMIT:,} bytes", "give the analyser fewer files, or one rule set at a time")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", REMEDY) from None
