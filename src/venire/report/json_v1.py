"""The pool as JSON, version 1: everything a pool holds, in full, in a fixed order of keys."""

from collections.abc import Mapping

from venire.model import (
    AnchorVotes,
    Aside,
    Audit,
    Bucket,
    Candidate,
    Check,
    Counts,
    Coverage,
    Decision,
    Evidence,
    Failure,
    Gate,
    Label,
    Lane,
    ModelInfo,
    Plan,
    Pool,
    Score,
    Seat,
    Severity,
    Skipped,
    Source,
    Strict,
    When,
)
from venire.report import json_types as t
from venire.report.footer import caveat
from venire.report.inert import encoded
from venire.report.wording import headline


def report(pool: Pool) -> str:
    """The whole report, ASCII only; 1 and 1.0 are written alike where a number is real."""
    return encoded(document(pool), indent=2) + "\n"


def document(pool: Pool) -> t.ReportJson:
    """The value that ``report`` writes."""
    return {**_assessed(pool), **_overlay(pool)}


def _assessed(pool: Pool) -> t.ReportJson:
    """What the record alone says. Its form is what a seal's digest is of."""
    return {
        "schema_version": 1,
        "status": pool.status,
        "headline": headline(pool),
        "asked": pool.asked,
        "valid": pool.valid,
        "head": pool.head,
        "counts": _counts(pool.counts),
        "candidates": [_candidate(candidate) for candidate in pool.candidates],
        "reasons": list(pool.reasons),
        "warnings": list(pool.warnings),
        "caveat": caveat(pool),
        "stop": pool.stop,
        "ms": pool.ms,
        "effective": None if pool.effective is None else float(pool.effective),
        "models": [_model(model) for model in pool.models],
        "audit": _audit(pool.audit),
        "coverage": [_coverage(target) for target in pool.coverage],
        "failures": [_failure(failure) for failure in pool.failures],
        "skipped": [_skipped(file) for file in pool.skipped],
        "scores": [_score(score) for score in pool.scores],
    }


def _overlay(pool: Pool) -> t.OverlayJson:
    """What is laid over the record: only what there is, so that a bare record's report stays as it was sealed."""
    over: t.OverlayJson = {}
    if pool.asides:
        over["asides"] = [_aside(aside) for aside in pool.asides]
    if pool.gone:
        over["gone"] = [{"candidate": _candidate(g.candidate), "valid": g.valid, "asked": g.asked} for g in pool.gone]
    if pool.gate:
        over["gate"] = _gate(pool.gate)
    if pool.altered:
        over["altered"] = list(pool.altered)
        over["trust"] = pool.trust
    return over


def _aside(aside: Aside) -> t.AsideJson:
    return {
        "path": aside.path,
        "kind": aside.kind,
        "bucket": aside.bucket,
        "check": aside.check,
        "text": aside.text,
        "runs": aside.runs,
    }


def _gate(gate: Gate) -> t.GateJson:
    return {"policy": gate.policy, "is_reached": gate.is_reached, "reasons": list(gate.reasons)}


def _counts(counts: Counts) -> t.CountsJson:
    return {
        "samples": counts.samples,
        "valid": counts.valid,
        "findings": counts.findings,
        "repeats": counts.repeats,
        "votes": counts.votes,
        "regions": counts.regions,
        "candidates": counts.candidates,
        "lanes": _lanes(dict(counts.lanes)),
        "prompt_tokens": counts.prompt_tokens,
        "reply_tokens": counts.reply_tokens,
        "ms": counts.ms,
    }


def _lanes(lanes: Mapping[Lane, int]) -> t.LaneCounts:
    counted: t.LaneCounts = {
        "severe": lanes.get(Lane.SEVERE, 0),
        "frequent": lanes.get(Lane.FREQUENT, 0),
        "rest": lanes.get(Lane.REST, 0),
        "outside": lanes.get(Lane.OUTSIDE, 0),
    }
    if lanes.get(Lane.DISMISSED):
        counted["dismissed"] = lanes[Lane.DISMISSED]
    return counted


def _candidate(c: Candidate) -> t.CandidateJson:
    told = _told(c)
    if c.decision:
        told["decision"] = _decision(c.decision)
    if c.evidence:
        told["evidence"] = [_evidence(item) for item in c.evidence]
    if c.since:
        told["since"] = c.since
    if c.reopened:
        told["reopened"] = c.reopened
    return told


def _decision(decision: Decision) -> t.DecisionJson:
    return {
        "candidate": decision.candidate,
        "verdict": decision.verdict,
        "who": decision.who,
        "when": decision.when,
        "why": decision.why,
        "path": decision.path,
        "anchors": [{"fp1": fp1, "fp2": fp2} for fp1, fp2 in decision.anchors],
        "severity": decision.severity,
        "scope": decision.scope,
        "statement": decision.statement,
    }


def _evidence(item: Evidence) -> t.EvidenceJson:
    return {
        "tool": item.tool,
        "rule": item.rule,
        "path": item.path,
        "first": item.first,
        "last": item.last,
        "message": item.message,
    }


def _told(c: Candidate) -> t.CandidateJson:
    return {
        "id": c.id,
        "path": c.path,
        "scope": c.scope,
        "first": c.first,
        "last": c.last,
        "lane": c.lane,
        "support": c.support,
        "valid": c.valid,
        "asked": c.asked,
        "interval": {"low": float(c.interval[0]), "high": float(c.interval[1])},
        "severity": c.severity,
        "severities": _severities(c),
        "problem": c.problem,
        "problem_runs": c.problem_runs,
        "problems": list(c.problems),
        "labels": [_label(label) for label in c.labels],
        "lines": [{"line": line, "runs": runs} for line, runs in c.lines],
        "located": _located(c),
        "strict": _strict(c.strict),
        "models": [{"model": model, "runs": runs, "valid": valid} for model, runs, valid in c.models],
        "anchors": [_anchor(anchor) for anchor in c.anchors],
        "code": [{"line": line, "text": text} for line, text in c.code],
        "findings": c.findings,
        "is_weak": c.is_weak,
    }


def _severities(candidate: Candidate) -> t.SeverityCounts:
    runs = dict(candidate.severities)
    return {"low": runs.get(Severity.LOW, 0), "medium": runs.get(Severity.MEDIUM, 0), "high": runs.get(Severity.HIGH, 0)}


def _located(candidate: Candidate) -> t.LocatedCounts:
    how = dict(candidate.located)
    return {
        "exact": how.get("exact", 0),
        "snapped": how.get("snapped", 0),
        "clamped": how.get("clamped", 0),
        "file": how.get("file", 0),
    }


def _label(label: Label) -> t.LabelJson:
    return {
        "bucket": label.bucket,
        "check": label.check,
        "content": label.content,
        "text": label.text,
        "family": label.family,
        "tags": list(label.tags),
        "support": label.support,
    }


def _strict(strict: Strict) -> t.StrictJson:
    return {
        "line": strict.line,
        "bucket": strict.bucket,
        "check": strict.check,
        "support": strict.support,
        "is_kept": strict.is_kept,
        "ballots": strict.ballots,
    }


def _anchor(anchor: AnchorVotes) -> t.AnchorJson:
    return {
        "fp1": anchor.fp1,
        "fp2": anchor.fp2,
        "scope": anchor.scope,
        "first": anchor.first,
        "last": anchor.last,
        "support": anchor.support,
        "is_weak": anchor.is_weak,
    }


def _model(model: ModelInfo) -> t.ModelJson:
    return {
        "backend": model.backend,
        "name": model.name,
        "engine": model.engine,
        "digest": model.digest,
        "quantization": model.quantization,
        "parameters": model.parameters,
        "context": model.context,
        "gpu_share": None if model.gpu_share is None else float(model.gpu_share),
        "warnings": list(model.warnings),
    }


def _audit(audit: Audit) -> t.AuditJson:
    return {
        "id": audit.id,
        "tool": audit.tool,
        "started": audit.started,
        "source": _source(audit.source),
        "plan": _plan(audit.plan),
        "prompts": audit.prompts,
        "seats": [_seat(seat) for seat in audit.seats],
        "panel": [_bucket(bucket) for bucket in audit.panel.buckets],
    }


def _seat(seat: Seat) -> t.SeatJson:
    return {"model": seat.model, "backend": seat.backend, "host": seat.host, "runs": seat.runs, "contract": seat.contract}


def _source(source: Source) -> t.SourceJson:
    return {"mode": source.mode, "spec": source.spec, "base": source.base, "head": source.head}


def _plan(plan: Plan) -> t.PlanJson:
    sampling = plan.sampling
    return {
        "runs": plan.runs,
        "scope": plan.scope,
        "sampling": {
            "temperature": float(sampling.temperature),
            "top_k": sampling.top_k,
            "top_p": float(sampling.top_p),
            "seed": sampling.seed,
            "pinned": sampling.pinned,
        },
        "max_time": float(plan.max_time),
        "sample_time": float(plan.sample_time),
        "context": plan.context,
        "reply_tokens": plan.reply_tokens,
        "frequent": float(plan.frequent),
        "lift": float(plan.lift),
        "canaries": plan.canaries,
    }


def _bucket(bucket: Bucket) -> t.BucketJson:
    return {
        "name": bucket.name,
        "instruction": bucket.instruction,
        "fields": list(bucket.fields),
        "cap": bucket.cap,
        "when": _when(bucket.when),
        "checks": [_check(check) for check in bucket.checks],
    }


def _check(check: Check) -> t.CheckJson:
    return {
        "bucket": check.bucket,
        "id": check.id,
        "content": check.content,
        "text": check.text,
        "severity": check.severity,
        "family": check.family,
        "tags": list(check.tags),
        "when": _when(check.when),
    }


def _when(when: When) -> t.WhenJson:
    return {"language": list(when.language), "path": list(when.path), "model": list(when.model)}


def _coverage(target: Coverage) -> t.CoverageJson:
    return {
        "path": target.path,
        "language": target.language,
        "lines": target.lines,
        "changed": target.changed,
        "windows": target.windows,
        "asked": target.asked,
        "valid": target.valid,
        "complete_runs": target.complete_runs,
        "uncovered": [{"first": first, "last": last} for first, last in target.uncovered],
        "notes": list(target.notes),
    }


def _failure(failure: Failure) -> t.FailureJson:
    return {
        "path": failure.path,
        "window": failure.window,
        "bucket": failure.bucket,
        "model": failure.model,
        "run": failure.run,
        "attempts": failure.attempts,
        "reason": failure.reason,
    }


def _skipped(file: Skipped) -> t.SkippedJson:
    return {"path": file.path, "reason": file.reason, "detail": file.detail, "is_gap": file.is_gap}


def _score(score: Score) -> t.ScoreJson:
    return {
        "path": score.path,
        "window": score.window,
        "bucket": score.bucket,
        "check": score.check,
        "content": score.content,
        "passed": score.passed,
        "failed": score.failed,
        "no_vote": score.no_vote,
    }
