"""The ledger's text ↔ decisions, version 1. Every fault is named with its line; what is not understood is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from venire.errors import ConfigError
from venire.model import Decision, Severity, Verdict
from venire.visible import visible

if TYPE_CHECKING:
    from typing_extensions import TypeIs
    from yaml.nodes import MappingNode, Node, SequenceNode

T = TypeVar("T", bound=str)

VERSION = "1"
HEADER = """\
# Decisions of people about venire's candidates. `venire decide` adds to this file; commit it.
version: 1
decisions:
"""
NEEDED = ("path", "candidate", "verdict", "who", "when", "why", "anchors")
KNOWN = ("path", "scope", "statement", "candidate", "severity", *NEEDED[2:])
"""The keys of an entry, in the order they are written."""

REMEDY = "mend the entry, or take it out and decide again: venire decide"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The file as read. ``starts``: the line each entry begins on, from 0, for those written one below the other."""

    decisions: tuple[Decision, ...] = ()
    starts: tuple[int, ...] = ()
    column: int = 0  # where the dashes stand
    is_block: bool = True  # entries stand one below the other, so that one can be put between two


def parse(text: str, name: str) -> Ledger:
    """ConfigError names file, line, entry and remedy. An empty text is an empty ledger."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar is text: a candidate's id may look like a number
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise ConfigError(f"{name}: aliases are not allowed", "write the value out")
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{name}:{mark.line + 1}" if mark else name
        raise ConfigError(f"{place}: {error.problem or error.context}", "mend the YAML there; a merge may have failed") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ConfigError(f"{name}: {str(error).splitlines()[0]}", "mend the YAML there") from None
    return _ledger(root, name) if root else Ledger()


def block(decision: Decision, column: int = 0) -> str:
    """The lines of one entry, whose dash stands in ``column``; keys without a value are left out."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Fingerprints stand in pairs on a line."""

    class Pair(list[str]):
        pass

    Dumper.add_representer(Pair, lambda dumper, pair: dumper.represent_sequence("tag:yaml.org,2002:seq", pair, flow_style=True))
    values = {key: str(getattr(decision, key) or "") for key in KNOWN if key != "anchors"}
    entry: dict[str, Any] = {key: value for key, value in values.items() if value or key in NEEDED}
    entry["anchors"] = [Pair(pair) for pair in decision.anchors]
    is_plain = all(visible(value) == value for value in values.values())  # else whatever is not ASCII is written as its number
    style: dict[str, Any] = {"sort_keys": False, "allow_unicode": is_plain, "width": 1 << 20, "default_flow_style": False}
    text: str = yaml.dump([entry], Dumper=Dumper, **style)
    return "".join(" " * column + line if line.strip() else line for line in text.splitlines(keepends=True))


def _ledger(root: "Node", name: str) -> Ledger:
    fields = dict(_fields(root, name, ("version", "decisions")))
    version = fields.get("version")
    if version is None or version.value != VERSION:
        said = f"version {version.value!r}" if version is not None and isinstance(version.value, str) else "no version"
        raise ConfigError(f"{name}: {said}; this venire reads version {VERSION}", "update venire, or write `version: 1`")
    entries = fields.get("decisions")
    if entries is None or entries.value == "":
        return Ledger()
    if not _is_sequence(entries):
        raise ConfigError(f"{_place(entries, name)}: decisions must be a list", "write each decision as `- path: …`")
    decisions = tuple(_decision(entry, f"decision {n}", name) for n, entry in enumerate(entries.value, 1))
    starts = tuple(entry.start_mark.line for entry in entries.value)
    is_block = not entries.flow_style and all(a < b for a, b in pairwise(starts))
    return Ledger(decisions, starts, entries.start_mark.column, is_block)


def _decision(entry: "Node", which: str, name: str) -> Decision:
    fields = dict(_fields(entry, name, KNOWN, which))
    place = f"{_place(entry, name)}: {which}"
    if missing := [key for key in NEEDED if key not in fields]:
        raise ConfigError(f"{place}: {', '.join(missing)} missing", REMEDY)
    texts = {key: _text(fields[key], key, which, name) for key in fields if key != "anchors"}
    if empty := [key for key in NEEDED if key != "anchors" and not texts[key].strip()]:
        raise ConfigError(f"{place}: {', '.join(empty)} empty", REMEDY)
    severity = texts.get("severity", "")
    return Decision(
        candidate=texts["candidate"],
        verdict=_verdict(texts["verdict"], place),
        who=texts["who"],
        when=_moment(texts["when"], place),
        why=texts["why"],
        path=texts["path"],
        anchors=tuple(_pairs(fields["anchors"], which, name)),
        severity=_one_of(severity, tuple(Severity), "severity", place) if severity else None,
        scope=texts.get("scope", ""),
        statement=texts.get("statement", ""),
    )


def _fields(node: "Node", name: str, known: Sequence[str], which: str = "the file") -> Iterator[tuple[str, "Node"]]:
    """The entries of a mapping whose keys are all known and given once."""
    if not _is_mapping(node):
        raise ConfigError(f"{_place(node, name)}: {which} must be a mapping of {', '.join(known)}", REMEDY)
    seen: set[str] = set()
    for key, value in node.value:
        if key.value not in known:
            raise ConfigError(f"{_place(key, name)}: {which}: unknown key {key.value!r}", f"known: {', '.join(known)}")
        if key.value in seen:
            raise ConfigError(f"{_place(key, name)}: {which}: {key.value!r} is given twice", "leave out one of the two")
        seen.add(key.value)
        yield key.value, value


def _pairs(node: "Node", which: str, name: str) -> Iterator[tuple[str, str]]:
    """Fingerprints, two by two: with and without the scope."""
    pairs = node.value if _is_sequence(node) else []
    for pair in pairs:
        values = [item.value for item in pair.value] if _is_sequence(pair) else []
        if len(values) != 2 or not all(isinstance(value, str) and _is_hex(value) for value in values):
            raise ConfigError(f"{_place(pair, name)}: {which}: an anchor must be two fingerprints of 16 hex digits", REMEDY)
        yield values[0], values[1]
    if not pairs:
        raise ConfigError(f"{_place(node, name)}: {which}: anchors must be a list of pairs", REMEDY)


def _is_hex(text: str) -> bool:
    return len(text) == 16 and set(text) <= set("0123456789abcdef")


def _text(node: "Node", key: str, which: str, name: str) -> str:
    if not isinstance(node.value, str):
        raise ConfigError(f"{_place(node, name)}: {which}: {key} must be text", REMEDY)
    return node.value


def _verdict(text: str, place: str) -> Verdict:
    verdicts: tuple[Verdict, ...] = get_args(Verdict)
    return _one_of(text, verdicts, "verdict", place)


def _one_of(text: str, words: Sequence[T], key: str, place: str) -> T:
    for word in words:
        if word == text:
            return word
    raise ConfigError(f"{place}: {key} must be one of {', '.join(words)}, not {text!r}", REMEDY)


def _moment(text: str, place: str) -> str:
    from datetime import datetime

    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise ConfigError(f"{place}: when must be UTC, such as 2026-01-02T03:04:05Z, not {text!r}", REMEDY) from None
    return text


def _place(node: "Node", name: str) -> str:
    return f"{name}:{node.start_mark.line + 1}"


def _is_mapping(node: "Node") -> "TypeIs[MappingNode]":
    from yaml.nodes import MappingNode

    return isinstance(node, MappingNode)


def _is_sequence(node: "Node") -> "TypeIs[SequenceNode]":
    from yaml.nodes import SequenceNode

    return isinstance(node, SequenceNode)
