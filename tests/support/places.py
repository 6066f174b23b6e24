"""Builders for what is said about places: a panel of labels, findings without a model, records of scripted replies."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from venire.assess.anchors import Layout, lay_out
from venire.assess.cards import gather
from venire.assess.findings import place
from venire.assess.labels import labels
from venire.assess.locate import locate
from venire.assess.regions import Rule, count, form
from venire.assess.replies import Reading
from venire.model import (
    OTHER,
    Attempt,
    Audit,
    Bucket,
    Check,
    Claim,
    Finding,
    ModelInfo,
    Panel,
    Plan,
    Prompt,
    Record,
    Region,
    Run,
    Severity,
    Source,
    Target,
    Window,
)

MODEL = "tiny"
PATH = "app.py"

Said = tuple[int, str]
"""A line and a check id."""


def panel(families: Mapping[str, str], bucket: str = "b", floor: Severity = Severity.LOW) -> Panel:
    """One bucket with a check for each id, in this order, of these families."""
    return Panel(
        (Bucket(bucket, tuple(Check(bucket, id_, f"c-{id_}", f"text of {id_}", floor, f) for id_, f in families.items())),)
    )


PANEL = panel({"check_1": "x", "check_2": "x", "check_3": "y", "check_4": "z"})


@cache
def layout(text: str, language: str = "python") -> Layout:
    return lay_out(target(text, language=language).lines, language)


def target(text: str, path: str = PATH, *, language: str = "python", **fields: object) -> Target:
    """A target, changed everywhere and shown in one window."""
    bare = Target(path, "0" * 64, text, language, ())
    whole = ((1, max(1, len(bare.lines))),)
    return Target(path, "0" * 64, text, language, **({"changed": whole, "windows": (Window(0, whole),)} | fields))  # type: ignore[arg-type]


def finding(text: str, run: int, line: int, check: str = "check_1", *, bucket: str = "b", model: str = MODEL) -> Finding:
    """A finding of a run at a line, located as ``assess`` would."""
    anchor, how = locate(layout(text), target(text).lines, line)
    return Finding((model, run), PATH, 0, bucket, check, line, anchor, how, Severity.LOW, "")


def findings(text: str, runs: Mapping[int, Iterable[Said]]) -> list[Finding]:
    """The findings of several runs, each given as (line, check)."""
    return [finding(text, run, line, check) for run, said in runs.items() for line, check in said]


def regions(
    text: str, found: Iterable[Finding], *, asked: Panel = PANEL, voters: int = 51, lift: float = 0.5
) -> tuple[Region, ...]:
    known = labels(asked)
    return form(PATH, count(found, known), Rule(layout(text), voters, lift))


def cards(text: str, found: Iterable[Finding], *, asked: Panel = PANEL, voters: int = 51) -> tuple[tuple[Region, ...], ...]:
    return gather(regions(text, found, asked=asked, voters=voters), labels(asked))


def placed(text: str, *claims: Claim, asked: Panel = PANEL, bucket: str = "b") -> tuple[Finding, ...]:
    """The findings of one run that makes these claims."""
    about = target(text)
    reading = Reading(Run(PATH, 0, bucket, MODEL, 1, (), "valid"), claims)
    return place([reading], layout(text), about.lines, labels(asked))


# ---------------------------------------------------------------- whole records


def prompt(about: Target, checks: Sequence[Check], *, window: int = 0, bucket: str = "b") -> Prompt:
    """A question about a window whose schema allows its lines and these checks."""
    shown = next(w.shown for w in about.windows if w.index == window)
    lines = [f"{n}: {about.lines[n - 1]}".rstrip() for low, high in shown for n in range(low, high + 1)]
    fields = {
        "line": {"type": "string", "enum": lines},
        "problem": {"type": "string"},
        "check": {"type": "string", "enum": [*(check.id for check in checks), OTHER]},
        "severity": {"type": "string", "enum": ["low", "medium", "high"]},
    }
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"findings": {"type": "array", "items": item}},
        "required": ["findings"],
        "additionalProperties": False,
    }
    return Prompt(about.path, window, bucket, "You audit.", "code", json.dumps(schema, separators=(",", ":")), 256, model=MODEL)


def prompts(targets: Iterable[Target], asked: Panel) -> tuple[Prompt, ...]:
    """Every bucket about every window."""
    return tuple(
        prompt(about, bucket.checks, window=window.index, bucket=bucket.name)
        for about in targets
        for window in about.windows
        for bucket in asked.buckets
    )


def claim(line: int, check: str = "check_1", severity: str = "low", problem: str = "It breaks.") -> Claim:
    return Claim(line, problem, check, Severity(severity))


def reply(about: Target, *claims: Claim) -> str:
    """The text of a valid reply that makes these claims."""
    said = [
        {
            "line": f"{c.line}: {about.lines[c.line - 1]}".rstrip(),
            "problem": c.problem,
            "check": c.check,
            "severity": c.severity.value,
        }
        for c in claims
    ]
    return json.dumps({"findings": said}, separators=(",", ":"))


def attempt(text: str, *, error: str = "", done: str = "stop", fault: str = "") -> Attempt:
    return Attempt(text, text, "0" * 64, done, 7, 20, 5, 40, error, fault)


def run(of: Prompt, number: int, text: str, *, model: str = MODEL) -> Run:
    """A run whose first reply was valid."""
    return Run(of.path, of.window, of.bucket, model, number, (attempt(text),), "valid")


def failed(of: Prompt, number: int, fault: str = "the reply is not one JSON object") -> Run:
    return Run(of.path, of.window, of.bucket, MODEL, number, (attempt("?", fault=fault),) * 4, "failed")


def record(
    targets: Sequence[Target],
    asked: Sequence[Prompt],
    runs: Iterable[Run],
    *,
    plan: Plan | None = None,
    panel: Panel = PANEL,
    stop: str | None = "complete",
    **fields: object,
) -> Record:
    """A whole record in memory, every prompt put to every model there is; ``fields`` replace models and skipped."""
    runs = tuple(runs)
    header = Audit("a1", "venire 0", "2026-01-02T03:04:05Z", Source("worktree"), plan or Plan(runs=3), panel)
    rest = {"models": (ModelInfo("scripted", MODEL),), "skipped": ()} | fields
    names = sorted({info.name for info in rest["models"]} | {run.model for run in runs})
    put = tuple(replace(prompt, model=name) for prompt in asked for name in names)
    return Record(header, targets=tuple(targets), prompts=put, runs=runs, head="h", stop=stop, **rest)  # type: ignore[arg-type]


def audit(text: str, said: Mapping[int, Sequence[Claim]], *, plan: Plan | None = None, asked: Panel = PANEL) -> Record:
    """A complete record of one file, one window and one bucket: the claims of each run, by run number from 1."""
    about = target(text)
    (question,) = prompts([about], asked)
    runs = [run(question, number, reply(about, *claims)) for number, claims in said.items()]
    return record([about], [question], runs, plan=plan or Plan(runs=len(said)), panel=asked)
