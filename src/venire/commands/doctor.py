"""What an audit would use here, why, and how fast it is; for everything that is missing, the line that fixes it."""

import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from venire import __version__
from venire.commands.forecast import forecast
from venire.config import Settings
from venire.deliver import deliver, note
from venire.errors import BackendFailure, Exit, VenireError
from venire.model import ModelInfo, Seat
from venire.panel import load
from venire.sample import Backend, open_backend, survey
from venire.sample.choose import Survey
from venire.sample.examine import Speed, measure
from venire.visible import visible

Row = tuple[bool, str, str, str]
"""Is it well; what; what is said of it; the line that fixes it."""

ESSENTIAL = ("would use", "model", "probe")
"""Without these nothing can be audited."""


def doctor(settings: Settings, *, probe: bool = False) -> Exit:
    """Print a row for every part; exit 4 when a model cannot be used, 2 when the panel is broken, 0 otherwise.

    A server is asked a few short questions, by which it loads the model. The embedded model, which would be loaded for this
    alone, and a script of replies are asked with ``probe`` only.
    """
    panel = _panel(settings)
    rows = [
        (True, "venire", f"{__version__}, Python {sys.version.split()[0]}", ""),
        _git(),
        (True, "root", str(settings.root), ""),
        (True, "settings", ", ".join(f"{name} from {place}" for name, place in settings.origin) or "all at their defaults", ""),
        panel,
    ]
    for seat in settings.seats:
        rows += _seat(settings, seat, is_asked=probe)
    deliver("".join(f"{visible(line)}\n" for row in rows for line in _lines(row)))
    if any(not is_well and name in ESSENTIAL for is_well, name, _, _ in rows):
        return Exit.UNAVAILABLE
    return Exit.OK if panel[0] else Exit.USAGE


def _seat(settings: Settings, seat: Seat, *, is_asked: bool) -> list[Row]:
    """Everything about one model of the panel."""
    own = replace(settings, model=seat.model, backend=seat.backend, runs=seat.runs)
    found = survey(own)
    rows = [*_models(found), _choice(found)]
    if not found.chosen:
        return rows
    if found.chosen == "embedded" and not is_asked:
        return [*rows, (True, "probe", "not made, since it loads the model", "venire doctor --probe")]
    return [*rows, *_reached(own, seat, is_asked=is_asked or found.chosen != "scripted")]


def _reached(settings: Settings, seat: Seat, *, is_asked: bool) -> Iterator[Row]:
    try:
        note("asking the model, which may have to be loaded first")
        with closing(open_backend(settings, note)) as backend:
            info = backend.describe()
            yield from _facts(info, settings.context)
            if is_asked:
                yield from _probed(backend, settings, seat, info)
            else:
                yield True, "probe", "not made, since the replies come from a file", "venire doctor --probe"
    except VenireError as error:
        yield False, "model", error.message, error.remedy


def _facts(info: ModelInfo, asked: int) -> Iterator[Row]:
    """What the engine states of itself and the model."""
    digest = f"digest {info.digest.removeprefix('sha256:')[:12]}" if info.digest else "digest not stated"
    size = f"{info.parameters} parameters" if info.parameters else "size not stated"
    yield True, "model", f"{info.name}, {digest}, {info.quantization or 'quantization not stated'}, {size}", ""
    yield True, "engine", info.engine or "not stated", ""
    less = "ask for no more with --context, or take a model that has more" if 0 < info.context < asked else ""
    yield (
        not less,
        "context",
        f"{asked:,} tokens asked, {f'{info.context:,}' if info.context else 'not stated how many'} granted",
        less,
    )
    yield _gpu(info)
    for warning in info.warnings:
        text, _, remedy = warning.rpartition(": ")
        yield False, "warning", text or remedy, remedy if text else "take another model or server; a report will say this too"


def _gpu(info: ModelInfo) -> Row:
    share = info.gpu_share
    if share is None:
        return True, "GPU", "not stated how much of the model is in its memory", ""
    if share == 0 and info.backend == "embedded":
        return True, "GPU", "none: this engine runs on the processor", ""
    remedy = "free GPU memory, or take a smaller model or context; the server's log says why" if share < 1 else ""
    return share == 1, "GPU", f"{share:.0%} of the model is in its memory", remedy


def _probed(backend: Backend, settings: Settings, seat: Seat, info: ModelInfo) -> Iterator[Row]:
    """How fast the model is, and what that means for the change at hand."""
    try:
        speed = measure(backend, settings.plan, secrets.token_hex(6))
    except BackendFailure as failure:
        yield (
            False,
            "probe",
            f"no sound reply ({failure.kind}: {failure.message})",
            "look into the engine's log, or take another model",
        )
        return
    yield True, "probe", f"{speed.ms / 1000:.1f} s for a short reply to {speed.prompt_tokens:,} prompt tokens", ""
    yield True, "speed", _speed(speed), ""
    try:
        yield True, "estimate", forecast(settings, seat, info, speed), ""
    except VenireError as error:
        yield False, "estimate", error.message.split("\n")[0], error.remedy or "mend that first"


def _speed(speed: Speed) -> str:
    rates = (("a new prompt", speed.new), ("a prompt just read", speed.known), ("a reply", speed.reply))
    return ", ".join(f"{what} {f'{rate:,.0f} tokens/s' if rate else 'too fast to tell'}" for what, rate in rates)


def _lines(row: Row) -> list[str]:
    is_well, name, text, remedy = row
    lines = [f"{'ok' if is_well else '--'}  {name:10} {text}"]
    return lines + [f"    {'':10} → {line}" for line in remedy.split("\n") if line]


def _git() -> Row:
    if path := shutil.which("git"):
        return True, "git", path, ""
    return False, "git", "not found; only whole files and patches can be audited", "install git"


def _panel(settings: Settings) -> Row:
    try:
        buckets = load([Path(path) for path in settings.criteria], settings.buckets).buckets
    except VenireError as error:
        return False, "criteria", error.message.split("\n")[0], "venire criteria check"
    checks = ", ".join(f"{bucket.name} ({len(bucket.checks)} checks)" for bucket in buckets)
    return True, "criteria", f"{', '.join(settings.criteria) or 'the default panel'}: {checks}", ""


def _models(found: Survey) -> list[Row]:
    """A row for each engine that was looked at; the remedies stand with the choice."""
    rows: list[Row] = []
    if server := found.ollama:
        said = (
            f"{server.version} at {server.url}, {len(server.models)} models"
            if server.version
            else f"{server.url}: {server.problem}"
        )
        rows.append((server.is_ready, "ollama", said, ""))
    if found.chosen != "ollama" and found.chosen != "scripted":
        engine = "xllamacpp is installed" if found.has_engine else "xllamacpp is not installed"
        weights = f"model file {found.weights}" if found.weights else "no model file"
        rows.append((found.has_engine and found.weights is not None, "embedded", f"{engine}; {weights}", ""))
    return rows


def _choice(found: Survey) -> Row:
    if found.chosen:
        return True, "would use", f"{found.chosen} with {found.model}: {found.why}", ""
    return False, "would use", f"nothing: {found.why}", "\n".join(found.remedies)
