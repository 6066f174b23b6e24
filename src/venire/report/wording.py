"""What every form says about an audit, in one wording. ``show`` makes foreign text inert for the form that asks."""

from dataclasses import replace

from venire.model import Candidate, Lane, ModelInfo, Pool, Sampling, Source
from venire.panel import merged
from venire.report.inert import Show

Fact = tuple[str, str]
"""A short name and what is said under it."""

GLANCE = 12
"""Severe candidates listed before the first card: the strongest half and the rarest half, all on the first screen."""

REASONS = 3
"""Reasons shown above the cards; when there are more, all follow below."""

REASON = 90
"""Characters of a reason above the cards: one line."""

LANES = {Lane.SEVERE: "severe", Lane.FREQUENT: "frequent", Lane.REST: "rest", Lane.OUTSIDE: "outside the change"}
ASIDE = {Lane.DISMISSED: "dismissed"}
"""The lane that is named only when it holds something: without decisions there is none."""

_MODES = {
    "worktree": "working tree", "staged": "staged change", "range": "range", "patch": "patch", "paths": "whole files",
}  # fmt: skip
_UNSAID = "not stated"


def count(number: int, noun: str, many: str = "") -> str:
    """``3 runs``; ``many`` where the plural is not just an s."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


# ---------------------------------------------------------------- status and lanes


def lanes(pool: Pool) -> str:
    """``8 candidates: 2 severe, …``, every lane, also the empty ones."""
    numbers = dict(pool.counts.lanes)
    named = LANES | (ASIDE if numbers.get(Lane.DISMISSED) else {})
    return f"{count(pool.counts.candidates, 'candidate')}: " + ", ".join(
        f"{numbers.get(lane, 0):,} {name}" for lane, name in named.items()
    )


def runs(pool: Pool) -> str:
    return f"{pool.valid:,} of {count(pool.asked, 'run')} valid"


def _silent(pool: Pool) -> str:
    if failed := sum(score.failed for score in pool.scores):
        votes = f"{count(failed, 'vote')} {'fails' if failed == 1 else 'fail'}"
        return f"No candidates, and not clean: {votes} a check at no single line"
    if pool.valid == pool.asked == 1:
        return "No candidates: the only run was silent"
    kind = "" if pool.valid == pool.asked else "valid "
    return f"No candidates: all {pool.valid:,} {kind}runs were silent" + (f" ({pool.asked:,} asked)" if kind else "")


def headline(pool: Pool) -> str:
    """The status in words nobody can misread. Only a complete audit may say that there are no candidates and stop there."""
    match pool.status:
        case "complete":
            return lanes(pool) if pool.candidates else _silent(pool)
        case "nothing":
            return "Nothing to audit" + (f": {count(len(pool.skipped), 'file')} skipped" if pool.skipped else "")
        case "partial":
            return f"PARTIAL: {runs(pool)}, this is not a {'complete' if pool.candidates else 'clean'} result"
        case "unfinished":
            return f"UNFINISHED: {runs(pool)} so far, this is not a clean result; --resume completes it"
        case "inconclusive":
            return f"INCONCLUSIVE: {runs(pool)}, this is not a clean result"


def subhead(pool: Pool) -> str:
    """The counts of the lanes, where the headline does not give them."""
    return lanes(pool) if pool.candidates and pool.status != "complete" else ""


def reasons(pool: Pool) -> tuple[list[str], list[str]]:
    """Foreign text: what to show above the cards, and what to list in full below because it was cut or left out there."""
    is_cut = len(pool.reasons) > REASONS or any(len(reason) > REASON for reason in pool.reasons)
    return list(pool.reasons[:REASONS]), list(pool.reasons) if is_cut else []


def lane_title(pool: Pool, lane: Lane) -> Fact:
    """The name of a lane, and what puts a candidate there."""
    return (LANES | ASIDE)[lane].capitalize(), {
        Lane.SEVERE: "severity high, shown in full however few runs report it",
        Lane.FREQUENT: f"in at least {pool.audit.plan.frequent:.0%} of the valid runs",
        Lane.REST: "in fewer runs",
        Lane.OUTSIDE: "on lines the change does not touch",
        Lane.DISMISSED: "by a person, with a reason; still counted",
    }[lane]


def in_lane(pool: Pool, lane: Lane) -> tuple[Candidate, ...]:
    return tuple(candidate for candidate in pool.candidates if candidate.lane is lane)


def glance(candidates: tuple[Candidate, ...]) -> tuple[tuple[Candidate, ...], int, tuple[Candidate, ...]]:
    """The strongest, how many are left out between, and the rarest. Nothing for a single candidate: its card is in sight."""
    if len(candidates) <= GLANCE:
        return (candidates if len(candidates) > 1 else ()), 0, ()
    half = GLANCE // 2
    return candidates[:half], len(candidates) - 2 * half, candidates[-half:]


# ---------------------------------------------------------------- header facts


def duration(ms: int) -> str:
    if ms < 59_950:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes} min {seconds} s"


def _digest(digest: str, digits: int) -> str:
    return digest.removeprefix("sha256:")[:digits]


def _model(model: ModelInfo, show: Show) -> str:
    share = "GPU share not stated" if model.gpu_share is None else f"{model.gpu_share:.0%} in GPU memory"
    parts = [
        show(model.name),
        f"quantization {show(model.quantization) if model.quantization else _UNSAID}",
        f"digest {show(_digest(model.digest, 12)) if model.digest else _UNSAID}",
        f"{show(model.parameters)} parameters" if model.parameters else "",
        f"engine {show(model.engine) if model.engine else _UNSAID} through {show(model.backend)}",
        f"context {model.context:,} tokens" if model.context else "context not stated",
        share,
    ]
    return ", ".join(filter(None, parts))


def _sampling(sampling: Sampling) -> str:
    if sampling.pinned:
        return f"pinned: temperature 0, top_k 1, top_p 1, seed {sampling.seed} in every run"
    return f"temperature {sampling.temperature:g}, top_k {sampling.top_k}, top_p {sampling.top_p:g}, first seed {sampling.seed}"


def change(source: Source, show: Show) -> str:
    """Mode, what was asked for, and the short object names."""
    ends = f"{source.base[:12]}..{source.head[:12]}" if source.base or source.head else ""
    return " ".join(filter(None, [_MODES[source.mode], source.spec and show(source.spec), ends and show(ends)]))


def coverage(pool: Pool) -> str:
    """Files, changed lines and windows, and what no prompt showed."""
    left_out = sum(last - first + 1 for target in pool.coverage for first, last in target.uncovered)
    return (
        f"{count(len(pool.coverage), 'file')}, {count(sum(target.changed for target in pool.coverage), 'changed line')}, "
        f"{count(sum(target.windows for target in pool.coverage), 'window')}, {count(left_out, 'line')} uncovered, "
        f"{count(len(pool.skipped), 'file')} skipped"
    )


def _replies(pool: Pool) -> str:
    """What a reply is, by contract: the fields of a finding in their order, or a verdict on every check."""
    orders = dict.fromkeys(bucket.fields for bucket in merged(pool.audit.panel))
    contracts = {seat.contract for seat in pool.audit.seats} or {"findings"}
    findings = [f"findings: {' / '.join(', '.join(fields) for fields in orders)}"] if "findings" in contracts else []
    others = {"panel": "panel: a verdict on every check", "issues": "issues: line number, category, severity, description"}
    return "; ".join([*findings, *(words for contract, words in others.items() if contract in contracts)])


def facts(pool: Pool, show: Show, digits: int = 64) -> list[Fact]:
    """Everything that went into the audit, by name. ``digits`` of the record's head are shown."""
    audit, counts = pool.audit, pool.counts
    panel = ", ".join(f"{show(bucket.name)} {count(len(bucket.checks), 'check')}" for bucket in merged(audit.panel))
    each = f", {duration(round(pool.ms / counts.candidates))} a candidate" if counts.candidates and pool.ms else ""
    tokens = f"{count(counts.prompt_tokens, 'prompt token')}, {count(counts.reply_tokens, 'reply token')}"
    cost = f"{duration(pool.ms)}, {tokens}{each}"
    stopped = f", stopped by {show(pool.stop)}" if pool.stop not in ("", "complete") else ""
    return [
        *(("model", _model(model, show)) for model in pool.models),
        *([] if pool.models else [("model", "none was asked")]),
        *([("models", effective(pool))] if pool.effective is not None else []),
        ("runs", f"{runs(pool)}, {counts.valid:,} of {count(counts.samples, 'sample')}{stopped}"),
        ("sampling", _sampling(audit.plan.sampling)),
        ("panel", panel or "no checks"),
        ("replies", show(_replies(pool)) if audit.panel.buckets else "none"),
        ("change", f"{change(audit.source, show)}, scope: {audit.plan.scope}"),
        ("coverage", coverage(pool)),
        ("cost", cost),
        ("record", f"head {show(pool.head[:digits])}"),
        ("audit", f"{show(audit.id)}, started {show(audit.started)}, by {show(audit.tool)}"),
    ]


def model_names(pool: Pool) -> tuple[str, ...]:
    """The models that were asked, each once: its facts stand in the pool again when they changed in between."""
    return tuple(dict.fromkeys(model.name for model in pool.models))


def effective(pool: Pool) -> str:
    """What several models are worth together."""
    return f"{len(model_names(pool))} models that weigh as about {pool.effective:.1f} independent ones here (Kish)"


def gist(pool: Pool, show: Show) -> str:
    """The one line under the status: who was asked, how often, about what. A status other than complete told the runs already."""
    names = ", ".join(show(name, 60) for name in model_names(pool)) or "no model asked"
    lines = count(sum(target.changed for target in pool.coverage), "changed line")
    source = pool.audit.source
    asked = change(replace(source, base="", head="") if source.spec else source, show)
    return " · ".join(
        [names, *([runs(pool)] if pool.status == "complete" else []), asked, f"{count(len(pool.coverage), 'file')}, {lines}"]
    )
