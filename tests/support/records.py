"""Short builders: the values of a record with sensible defaults, and a small sealed record on the disk."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from venire.model import (
    Attempt,
    Audit,
    Bucket,
    Check,
    ModelInfo,
    Panel,
    Plan,
    Prompt,
    Record,
    Run,
    Severity,
    Skipped,
    Source,
    Target,
    Window,
)
from venire.record import Writer, digest

MODEL = "tiny"
TEXT = "import os\n\n\ndef read(name):\n    return os.popen(name).read()\n"
EMPTY = '{"findings":[]}'
REPORT = sha256(b"report").hexdigest()


def check(number: int = 1, *, bucket: str = "security", text: str = "No input reaches a shell.", **fields: object) -> Check:
    """A check; ``fields`` replace severity (high), family (injection), tags, when."""
    content = sha256(f"{bucket}\0{text}".encode()).hexdigest()[:12]
    made = Check(bucket, f"check_{number}", content, text, Severity.HIGH, "injection")
    return replace(made, **fields)


def panel(*checks: Check) -> Panel:
    """A panel of these checks (by default one), a bucket for each bucket name in order of first use."""
    checks = checks or (check(),)
    names = dict.fromkeys(c.bucket for c in checks)
    return Panel(tuple(Bucket(name, tuple(c for c in checks if c.bucket == name)) for name in names))


def audit(runs: int = 3, *, panel: Panel = panel(), **fields: object) -> Audit:  # noqa: B008  (frozen)
    """A header; ``fields`` replace id, tool, started, source, plan."""
    made = Audit("a1", "venire 0", "2026-01-02T03:04:05Z", Source("worktree"), Plan(runs=runs), panel)
    return replace(made, **fields)


def model(name: str = MODEL, **fields: object) -> ModelInfo:
    return replace(ModelInfo("scripted", name), **fields)


def target(path: str = "app.py", text: str = TEXT, **fields: object) -> Target:
    """A target, changed everywhere and shown in one window; ``fields`` replace language (python), changed, windows, …"""
    made = Target(path, sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), text, "python", ())
    whole = ((1, max(1, len(made.lines))),)
    return replace(made, **({"changed": whole, "windows": (Window(0, whole),)} | fields))


def prompt(about: Target | str = "app.py", *, window: int = 0, bucket: str = "security", **fields: object) -> Prompt:
    path = about if isinstance(about, str) else about.path
    return replace(Prompt(path, window, bucket, "You audit.", "1: code", "{}", 256, model=MODEL), **fields)


def findings(about: Target, *claims: tuple[int, str, str, str]) -> str:
    """The reply text that makes these claims (line, problem, check id, severity) about a target."""
    said = [
        {"line": f"{line}: {about.lines[line - 1]}", "problem": problem, "check": name, "severity": severity}
        for line, problem, name, severity in claims
    ]
    return json.dumps({"findings": said}, separators=(",", ":"))


def attempt(text: str = EMPTY, *, raw: str | None = None, **fields: object) -> Attempt:
    """An attempt whose raw body is, unless given, the text; ``fields`` replace done, seed, counts, ms, error, fault."""
    raw = text if raw is None else raw
    return replace(Attempt(text, raw, digest(raw), "stop", 7, 20, 5, 40), **fields)


def run(
    of: Prompt, number: int = 1, *texts: str, model: str = MODEL, attempts: Sequence[Attempt] = (), status: str = "valid"
) -> Run:
    """A run of a prompt with one attempt a text (by default one that finds nothing), or with ``attempts``."""
    made = tuple(attempts) or tuple(attempt(text) for text in texts or (EMPTY,))
    return Run(of.path, of.window, of.bucket, model, number, made, status)  # type: ignore[arg-type]


def failed(of: Prompt, number: int = 1, *, fault: str = "not JSON", model: str = MODEL) -> Run:
    """A run none of whose four attempts was valid."""
    return run(of, number, model=model, attempts=[attempt("?", fault=fault)] * 4, status="failed")


def record(
    targets: Iterable[Target],
    prompts: Iterable[Prompt],
    runs: Iterable[Run],
    *,
    header: Audit | None = None,
    stop: Literal["complete", "max-time"] | None = "complete",
    **fields: object,
) -> Record:
    """A whole record in memory, as reading gives it; ``fields`` replace models, skipped, warmups, head, ms, report."""
    header = header or audit()
    made = Record(header, (model(),), tuple(targets), (), tuple(prompts), tuple(runs), "0" * 64, (), stop, 1000)
    return replace(made, **fields)


def write(folder: Path, made: Record) -> Writer:
    """An open writer of a new record that holds these values."""
    writer = Writer.create(folder, made.audit)
    for value in (*made.models, *made.targets, *made.skipped, *made.prompts):
        writer.append(value)
    for warmup in made.warmups:
        writer.append_warmup(warmup)
    for sample in made.runs:
        writer.append(sample)
    return writer


def small() -> Record:
    """One target, one prompt, two runs, a skipped file and a warm-up: every kind of entry once at least."""
    ask = prompt()
    said = findings(target(), (5, "The name reaches a shell.", "check_1", "high"))
    runs = (run(ask, 1, said), run(ask, 2, attempts=[attempt("{", fault="not JSON"), attempt()]))
    skipped, warmups = (Skipped("logo.png", "binary"),), (attempt("{"),)
    return record([target()], [ask], runs, header=audit(2), skipped=skipped, warmups=warmups, report=REPORT)


def small_record(folder: Path) -> Path:
    """``small`` written and sealed: the same bytes every time."""
    with write(folder, small()) as writer:
        writer.seal("complete", REPORT, 1000)
        return writer.path
