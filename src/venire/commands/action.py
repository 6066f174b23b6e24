"""Audit what a GitHub workflow run is about, and say in the step's outputs what came of it. No token is needed for that."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from venire.commands.audit import Request, audit
from venire.commands.judge import judged
from venire.commands.post import told
from venire.config import GitHub, Settings, occasion
from venire.deliver import deliver
from venire.deliver.github import outputs, summarise
from venire.errors import Exit, UsageError, VenireError
from venire.model import Source
from venire.record import read
from venire.report import render


def action(settings: Settings, source: Source) -> Exit:
    """The audit's own exit code. Record and JSON report go to a new folder of the runner's, outside the checkout."""
    folder = Path(tempfile.mkdtemp(prefix="venire-", dir=settings.surroundings.github.temp or None))
    try:
        code = audit(replace(settings, record=str(folder)), Request(source))
    except VenireError as error:
        _say_failed(settings, error)
        raise
    _say(settings, folder)
    return code


def change_of(base: str, job: GitHub) -> Source:
    """The change a run is about: from ``base``, or else from where its event says, to what is checked out."""
    base = base or occasion(job).base
    if not base:
        raise UsageError("the workflow's event names no commit to audit against", "give the input base: a branch, tag or commit")
    if ".." in base:
        raise UsageError(f"{base}: the base is one commit, not a range", "give a branch, tag or commit")
    return Source("range", f"{base}...HEAD")


def _say(settings: Settings, folder: Path) -> None:
    """The outputs of an audit that came to an end. One with nothing to audit leaves no record."""
    values = {"status": "nothing", "candidates": "0", "severe": "0", "head": "", "record": "", "report": ""}
    for record in folder.glob("*.jsonl"):
        pool, _ = judged(read(record), settings)
        report = folder / "report.json"
        deliver(render(pool, "json"), str(report))
        values |= {**told(pool), "record": str(record), "report": str(report)}
    _output(settings, values | _judging(settings, folder))


def _judging(settings: Settings, folder: Path) -> dict[str, str]:
    """What was laid over the report, for the step that posts it: that one sees neither the checkout nor its settings."""
    ledger = folder / "decisions.yml"
    if settings.ledger.is_file():
        ledger.write_bytes(settings.ledger.read_bytes())
    return {
        "decisions": str(ledger) if ledger.exists() else "",
        "evidence": os.pathsep.join(settings.evidence),
        "since": settings.since,
        "gate": settings.gate,
        "gate-severities": os.pathsep.join(settings.gate_severities),
        "gate-paths": os.pathsep.join(settings.gate_paths),
    }


def _say_failed(settings: Settings, error: VenireError) -> None:
    """Nothing was audited: in the outputs, and where people look first. The message itself, foreign text in it, is in the log."""
    _output(settings, {"status": "failed", "candidates": "", "severe": "", "head": "", "record": "", "report": ""})
    if summary := settings.surroundings.github.summary:
        summarise(summary, f"## venire: nothing was audited\n\nThe step ended with exit code {error.exit}; its log says why.\n")


def _output(settings: Settings, values: dict[str, str]) -> None:
    if output := settings.surroundings.github.output:
        outputs(output, values)
