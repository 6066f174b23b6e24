"""A script file → its model facts and its entries, checked key by key. Every fault names file and place."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from venire.errors import UsageError
from venire.model import Ask, ModelInfo

ERRORS = (
    "context", "crashed", "length", "mismatch", "refused", "rubbish", "status", "timeout", "transport", "unfinished",
)  # fmt: skip
ACTIONS = ("findings", "verdicts", "text", "error", "crash")
KEYS = ("path", "window", "bucket", "run", "attempt", "delay_ms", "message", "transient", *ACTIONS)
REMEDY = "docs/scripted.md describes the file"

Numbers = Collection[int] | None
"""What a number may be; ``None``: anything."""

Verdict = bool | dict[str, Any] | None
"""Passed or not, the fields of an entry, or ``None``: the id is left out."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Which asks it answers, and how. Exactly one of findings, verdicts, text, error and crash is given."""

    path: str | None
    window: Numbers
    bucket: str | None
    run: Numbers
    attempt: Numbers
    delay_ms: int
    findings: tuple[dict[str, Any], ...]
    verdicts: dict[str, Verdict] | None
    text: str | None
    error: str
    message: str
    is_transient: bool
    is_crash: bool

    def fits(self, ask: Ask) -> bool:
        """Do all the given keys equal the ask's?"""
        return (
            self.path in (None, ask.path)
            and self.bucket in (None, ask.bucket)
            and (self.window is None or ask.window in self.window)
            and (self.run is None or ask.run in self.run)
            and (self.attempt is None or ask.attempt in self.attempt)
        )


@dataclass(frozen=True, slots=True)
class Script:
    """A whole file. ``unavailable`` is the message of a model that cannot be reached."""

    path: Path
    model: ModelInfo
    entries: tuple[Entry, ...]
    unavailable: str


def read(path: Path) -> Script:
    """Read and check a script; UsageError naming file and place."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}", "name a script file that can be read") from error
    top = _Place(f"{path}", _parsed(content, path)).object(("model", "replies", "unavailable"))
    replies = top.get("replies")
    return Script(
        path=path,
        model=_model(top.get("model"), hashlib.sha256(content).hexdigest()),
        entries=tuple(_entry(place) for place in replies.items()) if replies else (),
        unavailable=_string(top.get("unavailable")) or "",
    )


class _Place:
    """A value of the file and where it is, for messages."""

    def __init__(self, where: str, value: Any) -> None:
        self.where = where
        self.value = value

    def fault(self, expected: str) -> UsageError:
        shown = json.dumps(self.value, default=str)
        return UsageError(f"{self.where}: expected {expected}, not {shown[:60]}", REMEDY)

    def object(self, known: Collection[str]) -> "dict[str, _Place]":
        """The members, none but known ones."""
        if not isinstance(self.value, dict):
            raise self.fault("an object")
        unknown = sorted(set(self.value) - set(known))
        if unknown:
            raise UsageError(f"{self.where}: unknown key {unknown[0]!r}; known are {', '.join(known)}", REMEDY)
        return {key: _Place(f"{self.where}: {key}", value) for key, value in self.value.items()}

    def items(self) -> "list[_Place]":
        if not isinstance(self.value, list):
            raise self.fault("a list")
        return [_Place(f"{self.where}[{index}]", value) for index, value in enumerate(self.value)]


def _parsed(content: bytes, path: Path) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for index, (key, _) in enumerate(pairs):
            if any(key == earlier for earlier, _ in pairs[:index]):
                raise UsageError(f"{path}: key {key!r} twice in one object", REMEDY)
        return dict(pairs)

    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}", REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON: {error}", REMEDY) from error


def _model(place: _Place | None, digest: str) -> ModelInfo:
    """The facts given, over the defaults; the digest of the file stands for that of the model."""
    defaults = {"backend": "scripted", "name": "scripted", "engine": "scripted", "digest": digest, "context": 8192}
    given: dict[str, Any] = {}
    known = [field.name for field in fields(ModelInfo)]
    for key, member in (place.object(known) if place else {}).items():
        given[key] = _fact(key, member)
    return ModelInfo(**{**defaults, **given})


def _fact(key: str, place: _Place) -> Any:
    value = place.value
    if key == "context":
        return _count(place)
    if key == "gpu_share":
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1):
            raise place.fault("a number from 0 to 1, or null")
        return value
    if key == "warnings":
        return tuple(_string(item) for item in place.items())
    return _string(place)


def _entry(place: _Place) -> Entry:
    given = place.object(KEYS)
    actions = [key for key in ACTIONS if key in given]
    if len(actions) != 1:
        raise UsageError(f"{place.where}: exactly one of {', '.join(ACTIONS)} is needed, not {len(actions)}", REMEDY)
    if "crash" in given and given["crash"].value is not True:
        raise given["crash"].fault("true")
    stray = [key for key in ("message", "transient") if key in given and "error" not in given]
    if stray:
        raise UsageError(f"{place.where}: {stray[0]!r} goes with 'error' only", REMEDY)
    return Entry(
        path=_string(given.get("path")),
        window=_numbers(given.get("window")),
        bucket=_string(given.get("bucket")),
        run=_numbers(given.get("run")),
        attempt=_numbers(given.get("attempt")),
        delay_ms=_count(given["delay_ms"]) if "delay_ms" in given else 0,
        findings=_findings(given.get("findings")),
        verdicts=_verdicts(given.get("verdicts")),
        text=_string(given.get("text")),
        error=_error(given.get("error")),
        message=_string(given.get("message")) or "",
        is_transient=_flag(given.get("transient")),
        is_crash="crash" in given,
    )


def _findings(place: _Place | None) -> tuple[dict[str, Any], ...]:
    for item in place.items() if place else ():
        if not isinstance(item.value, dict):
            raise item.fault("an object")
    return tuple(place.value) if place else ()


def _verdicts(place: _Place | None) -> dict[str, Verdict] | None:
    if place is None:
        return None
    if not isinstance(place.value, dict):
        raise place.fault("an object")
    for key, value in place.value.items():
        if value is not None and not isinstance(value, bool | dict):
            raise _Place(f"{place.where}: {key}", value).fault("true, false, null or an object")
    return dict(place.value)


def _error(place: _Place | None) -> str:
    if place is None:
        return ""
    if place.value not in ERRORS:
        raise place.fault(f"one of {', '.join(ERRORS)}")
    return str(place.value)


def _flag(place: _Place | None) -> bool:
    if place is not None and not isinstance(place.value, bool):
        raise place.fault("true or false")
    return place is not None and bool(place.value)


def _string(place: _Place | None) -> str | None:
    """The text, without lone surrogates, which no file could hold."""
    if place is None:
        return None
    if not isinstance(place.value, str):
        raise place.fault("a string")
    return place.value.encode("utf-8", "replace").decode("utf-8")


def _count(place: _Place) -> int:
    if isinstance(place.value, bool) or not isinstance(place.value, int) or place.value < 0:
        raise place.fault("a whole number of zero or more")
    return place.value


def _numbers(place: _Place | None) -> Numbers:
    """A number, a list of numbers, or a range ``"2-5"`` that includes both ends."""
    if place is None:
        return None
    if isinstance(place.value, list):
        return frozenset(_count(item) for item in place.items())
    if isinstance(place.value, str):
        first, dash, last = place.value.partition("-")
        if not (dash and _is_number(first) and _is_number(last) and int(first) <= int(last)):
            raise place.fault('a range such as "2-5"')
        return range(int(first), int(last) + 1)
    return frozenset({_count(place)})


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
