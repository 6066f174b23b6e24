"""A record → the pool of candidates. Pure: live, replay and everything later go through this one function."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from venire.assess.agreement import effective_size
from venire.assess.anchors import lay_out
from venire.assess.asides import asides
from venire.assess.candidates import Setting, describe
from venire.assess.cards import gather
from venire.assess.findings import place
from venire.assess.labels import Labels, labels
from venire.assess.lanes import ORDER, place_in_line
from venire.assess.regions import Rule, count, form
from venire.assess.replies import Reading, readings
from venire.assess.standing import Standing, stand, status, warnings
from venire.assess.votes import cast, failures, tally
from venire.model import Candidate, Counts, Coverage, Finding, Pool, Record, Region, RunId, Target


def assess(record: Record) -> Pool:
    """What the runs of a record said, by place. The order of its runs, prompts and targets changes nothing."""
    heard = readings(record)
    known = labels(record.audit.panel)
    at = stand(record, heard)
    targets = sorted(record.targets, key=lambda target: target.path)
    assessed = [_file(target, at, known) for target in targets]
    candidates = tuple(sorted((card for _, _, cards in assessed for card in cards), key=place_in_line))
    state, reasons = status(at)
    return Pool(
        audit=record.audit,
        head=record.head,
        status=state,
        reasons=reasons,
        models=tuple(dict.fromkeys(record.models)),  # stated before and after the samples: once when nothing changed
        asked=at.asked,
        valid=len(at.complete()),
        candidates=candidates,
        scores=tally(cast(at.prompts, heard, known, at.runs), known),
        coverage=tuple(_coverage(target, at) for target in targets),
        failures=failures(heard),
        skipped=tuple(sorted(record.skipped, key=lambda item: (item.path, item.reason, item.detail))),
        counts=_counts(at, [f for file in assessed for f in file[0]], sum(len(file[1]) for file in assessed), candidates),
        stop=record.stop or "",
        ms=record.ms,
        warnings=warnings(at),
        effective=effective_size(candidates, at.models),
        asides=asides(reading for reading in _judged(at) if reading.is_valid),
        targets=tuple(targets),
    )


def _judged(at: Standing) -> Iterator[Reading]:
    """The readings of the contract that gives a verdict on every check."""
    return (reading for prompt in at.prompts if prompt.contract == "panel" for reading in at.heard.get(prompt.key, ()))


def _file(target: Target, at: Standing, known: Labels) -> tuple[tuple[Finding, ...], tuple[Region, ...], list[Candidate]]:
    """The findings of one file, its regions, and a candidate for each card of them."""
    lines = target.lines
    layout = lay_out(lines, target.language)
    heard = [reading for prompt in at.of(target.path) for reading in at.heard.get(prompt.key, ())]
    findings = place(heard, layout, lines, known)
    voters = {reading.voter for reading in heard if reading.is_valid}
    regions = form(target.path, count(findings, known), Rule(layout, len(voters), at.record.audit.plan.lift))
    setting = Setting(target, lines, layout, known, at.record.audit.plan, at.asked, at.models, _shown(target, at))
    return findings, regions, [describe(card, _of(card, findings), setting) for card in gather(regions, known)]


def _of(card: Iterable[Region], findings: Sequence[Finding]) -> list[Finding]:
    ballots = {ballot[:3] for region in card for ballot in region.ballots}
    return [finding for finding in findings if (finding.anchor, finding.bucket, finding.check) in ballots]


def _shown(target: Target, at: Standing) -> dict[int, frozenset[RunId]]:
    """For each window the runs with a valid reply to any prompt about it."""
    prompts = at.of(target.path)
    return {
        window.index: frozenset().union(*(at.valid(prompt) for prompt in prompts if prompt.window == window.index))
        for window in target.windows
    }


def _coverage(target: Target, at: Standing) -> Coverage:
    prompts = at.of(target.path)
    return Coverage(
        path=target.path,
        language=target.language,
        lines=len(target.lines),
        changed=sum(last - first + 1 for first, last in target.changed),
        windows=len(target.windows),
        asked=at.samples(target.path),
        valid=sum(len(at.valid(prompt)) for prompt in prompts),
        complete_runs=len(at.complete(target.path)),
        uncovered=target.uncovered,
        notes=target.notes,
    )


def _counts(at: Standing, findings: Sequence[Finding], regions: int, candidates: Sequence[Candidate]) -> Counts:
    """Numbers that add up; tokens and time are of all attempts, warm-ups left out."""
    votes = len({(f.run, f.path, f.anchor, f.bucket, f.check) for f in findings})
    lanes = Counter(candidate.lane for candidate in candidates)
    attempts = [attempt for run in at.record.runs for attempt in run.attempts]
    return Counts(
        samples=at.samples(),
        valid=sum(len(at.valid(prompt)) for prompt in at.record.prompts),
        findings=len(findings),
        repeats=len(findings) - votes,
        votes=votes,
        regions=regions,
        candidates=len(candidates),
        lanes=tuple((lane, lanes[lane]) for lane in ORDER),
        prompt_tokens=sum(attempt.prompt_tokens for attempt in attempts),
        reply_tokens=sum(attempt.reply_tokens for attempt in attempts),
        ms=sum(attempt.ms for attempt in attempts),
    )
