"""SARIF 2.1.0 (OASIS), as much of it as says where an analyser found what. Names are SARIF's own.

Bytes → a log of runs; what a file leaves out takes the standard's default, and what this form does not name is not looked at.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from venire.errors import UsageError

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Message:
    text: str | None = None
    markdown: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Artifact:
    """A place of a file: its URI, what that is relative to, or the position of both in the run's list."""

    uri: str | None = None
    uriBaseId: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    location: Artifact | None = None


@dataclass(frozen=True, slots=True)
class Region:
    startLine: int | None = None
    endLine: int | None = None
    endColumn: int | None = None


@dataclass(frozen=True, slots=True)
class Physical:
    artifactLocation: Artifact | None = None
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Location:
    physicalLocation: Physical | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """To a rule, and to the part of the tool that has it."""

    id: str | None = None
    index: int | None = None
    toolComponent: "Reference | None" = None


@dataclass(frozen=True, slots=True)
class Suppression:
    status: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    ruleId: str | None = None
    ruleIndex: int | None = None
    rule: Reference | None = None
    kind: str | None = None
    baselineState: str | None = None
    message: Message | None = None
    locations: list[Location] | None = None
    suppressions: list[Suppression] | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Component:
    name: str = ""
    rules: list[Rule] | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    driver: Component
    extensions: list[Component] | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    workingDirectory: Artifact | None = None


@dataclass(frozen=True, slots=True)
class Run:
    tool: Tool
    results: list[Result] | None = None
    artifacts: list[Listed] | None = None
    originalUriBaseIds: dict[str, Artifact] | None = None
    invocations: list[Invocation] | None = None


@dataclass(frozen=True, slots=True)
class Log:
    version: str
    runs: list[Run] | None = field(default_factory=list)


REMEDY = "give the SARIF 2.1.0 file of an analyser, such as: ruff check --output-format sarif -o FILE"


def parse(data: bytes, name: str) -> Log:
    """UsageError names the file and the first place that is not SARIF 2.1.0. UTF-8, UTF-16 and UTF-32, with a mark or without."""
    import json

    from pydantic import ValidationError

    try:
        # pydantic reads UTF-8 alone; a redirect in PowerShell writes UTF-16
        log = _adapter().validate_json(data.decode(json.detect_encoding(data)))
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not {error.encoding} at byte {error.start}", REMEDY) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{name}: {place + ': ' if place else ''}{first['msg']}", REMEDY) from None
    if log.version != "2.1.0":
        raise UsageError(f"{name}: version: {log.version!r} is not SARIF 2.1.0", REMEDY)
    return log


@cache
def _adapter() -> "TypeAdapter[Log]":
    from pydantic import TypeAdapter

    return TypeAdapter(Log)
