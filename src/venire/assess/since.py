"""A pool beside an earlier record → what is new, still there or moved, and what no run reported this time."""

from collections.abc import Mapping
from dataclasses import replace

from venire.assess.matching import Match, match
from venire.assess.replies import readings
from venire.assess.standing import Standing, stand
from venire.assess.versions import Versions, versions
from venire.model import Candidate, Gone, Pool, Record, Target


def compare(record: Record, pool: Pool, earlier: Record, before: Pool) -> Pool:
    """``pool`` with ``since`` on every candidate and the earlier candidates that nobody reported; both pools as assessed."""
    wanted = {candidate.path for candidate in before.candidates} | {candidate.path for candidate in pool.candidates}
    files = versions(earlier, record, wanted)
    found = match(before.candidates, pool.candidates, files)
    kept = {pair.old.id for pair in found.values()}
    at = stand(record, readings(record))
    gone = tuple(_gone(candidate, files, at) for candidate in before.candidates if candidate.id not in kept)
    return replace(pool, candidates=tuple(_told(candidate, found) for candidate in pool.candidates), gone=gone)


def _told(candidate: Candidate, found: Mapping[str, Match]) -> Candidate:
    pair = found.get(candidate.id)
    return replace(candidate, since="moved" if pair and pair.is_moved else "still" if pair else "new")


def _gone(candidate: Candidate, files: Mapping[str, Versions], at: Standing) -> Gone:
    """With the runs that were to look at the place as it is now, and those of them that gave a valid reply about it."""
    file = files.get(candidate.path)
    target = next((target for target in at.record.targets if file and target.path == file.path), None)
    if not file or not target:
        return Gone(candidate, valid=0)
    first, last = _place(candidate, file)
    shown = _windows(target, first, last)
    prompts = [prompt for prompt in at.record.prompts if prompt.path == target.path and prompt.window in shown]
    valid = frozenset().union(*map(at.valid, prompts))
    return Gone(candidate, len(valid), sum(at.record.audit.runs(model) for model in {prompt.model for prompt in prompts}))


def _place(candidate: Candidate, file: Versions) -> tuple[int, int]:
    """The lines of an earlier candidate in the new version; where they are gone, the lines they stood between."""
    spans = (range(anchor.first, anchor.last + 1) for anchor in candidate.anchors)
    mapped = [file.lines[line] for span in spans for line in span if line in file.lines]
    if mapped:
        return min(mapped), max(mapped)
    above, below = file.around(candidate.anchors[0].first)
    return above, max(above, below)


def _windows(target: Target, first: int, last: int) -> set[int]:
    return {window.index for window in target.windows if any(low <= last and first <= high for low, high in window.shown)}
