"""Criteria files as (label, bytes) → their entries and every fault in them, ``label:line: message``. Reads nothing itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from venire.model import Bucket, Check, Severity, When
from venire.panel.compose import line
from venire.panel.conditions import condition
from venire.panel.content import content_id
from venire.panel.document import Document, quoted
from venire.panel.keys import COMBINED
from venire.panel.modes import CAP, FIELDS, Entry
from venire.panel.when import both
from venire.visible import visible

if TYPE_CHECKING:
    import yaml

NAME, TEXT, INSTRUCTION = 200, 2_000, 4_000  # characters

_ROOT_KEYS = ("when", "buckets", "groups")
_GROUP_KEYS = ("name", "when", "isolate", "buckets")
_BUCKET_KEYS = ("name", "instruction", "fields", "cap", "when", "isolate", "checks")
_CHECK_KEYS = ("text", "family", "severity", "tags", "when")


def build(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The entries of all files in order, and every fault of all of them; the entries count only when there is none."""
    reading = _Reading()
    faults: list[str] = []
    for label, data in files:
        document = Document(visible(label))
        reading.add(document, data)
        faults += [f"{document.label}:{at}: {visible(message)}" for at, message in sorted(document.faults, key=lambda f: f[0])]
    return tuple(reading.entries), tuple(faults)


@dataclass
class _Reading:
    """The entries so far, and where each name and text was first seen."""

    entries: list[Entry] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, document: Document, data: bytes) -> None:
        """One file: its own buckets, then those of its groups."""
        root = document.root(data)
        if root is None:
            return
        before = len(document.faults)
        keys = document.mapping(root, "the file", _ROOT_KEYS)
        when = condition(document, keys.get("when"))
        nodes = document.items(keys.get("buckets"), "buckets")
        groups = document.items(keys.get("groups"), "groups")
        if not nodes and not groups and len(document.faults) == before:
            document.fault(keys.get("buckets", root), "the file has no buckets")
        self.entries += self._buckets(document, nodes, "", when)
        for number, node in enumerate(groups, 1):
            self._group(document, node, f"group {number}", when)

    def _group(self, document: Document, node: yaml.Node, what: str, file_when: When) -> None:
        """A group's buckets; isolated, they all have one home: the group's name, or its first bucket's where it has none."""
        before = len(document.faults)
        keys = document.mapping(node, what, _GROUP_KEYS)
        name = self._named(document, keys["name"], what, "group") if "name" in keys else ""
        what = f"group {quoted(name)}" if name else what
        when = both(file_when, condition(document, keys.get("when")))
        nodes = document.items(keys.get("buckets"), f"the buckets of {what}")
        if not nodes and len(document.faults) == before:
            document.fault(keys.get("buckets", node), f"{what} has no buckets")
        found = self._buckets(document, nodes, f" of {what}", when)
        if _flag(document, keys.get("isolate"), what) and found:
            found = [Entry(entry.bucket, name or found[0].bucket.name) for entry in found]
        self.entries += found

    def _buckets(self, document: Document, nodes: Sequence[yaml.Node], of: str, above: When) -> list[Entry]:
        found = (self._bucket(document, node, f"bucket {number}{of}", above) for number, node in enumerate(nodes, 1))
        return [entry for entry in found if entry is not None]

    def _bucket(self, document: Document, node: yaml.Node, what: str, above: When) -> Entry | None:
        before = len(document.faults)
        keys = document.mapping(node, what, _BUCKET_KEYS)
        if not keys and len(document.faults) > before:
            return None
        name = self._named(document, keys["name"], what, "bucket") if "name" in keys else ""
        if name:
            what = f"bucket {quoted(name)}"
        elif "name" not in keys:
            document.fault(node, f"{what} has no name")
        bucket = Bucket(
            name=name,
            checks=self._checks(document, keys.get("checks", node), what, name, is_given="checks" in keys),
            instruction=_instruction(document, keys.get("instruction"), f"the instruction of {what}"),
            fields=_fields(document, keys.get("fields"), f"the fields of {what}"),
            cap=document.count(keys["cap"], f"the cap of {what}", CAP) if "cap" in keys else 0,
            when=condition(document, keys.get("when")),
            file_when=above,
        )
        return Entry(bucket, name if _flag(document, keys.get("isolate"), what) else "")

    def _named(self, document: Document, node: yaml.Node, what: str, kind: str) -> str:
        """A name that no bucket or group of any file has had before; "" and a fault otherwise noted."""
        name = _name(document, node, f"the name of {what}")
        if name == COMBINED:
            document.fault(node, f"the name of {what} is {name!r}, which is reserved for the bucket of all entries")
        elif name:
            self._first(document, node, self.names, name, f"the {kind} {quoted(name)}")
        return name

    def _checks(self, document: Document, node: yaml.Node, what: str, name: str, *, is_given: bool) -> tuple[Check, ...]:
        before = len(document.faults)
        nodes = document.items(node, f"the checks of {what}") if is_given else []
        if not nodes and len(document.faults) == before:
            document.fault(node, f"{what} has no checks")
        return tuple(self._check(document, each, what, name, f"check_{i}") for i, each in enumerate(nodes, 1))

    def _check(self, document: Document, node: yaml.Node, what: str, name: str, id_: str) -> Check:
        import yaml

        place = f"{id_} of {what}"
        keys: dict[str, yaml.Node] = {"text": node}
        if isinstance(node, yaml.MappingNode):
            if _is_sentence(node):
                document.fault(node, f"{place} reads as a mapping: put a text with a colon in it in quotes")
                return Check(name, id_, "", "", Severity.LOW, "")
            keys = document.mapping(node, place, _CHECK_KEYS)
        text = document.text(keys["text"], place, TEXT) if "text" in keys else ""
        if text:
            self._first(document, keys["text"], self.texts, text, f"the check {quoted(text)}")
        elif "text" not in keys:
            document.fault(node, f"{place} has no text")
        content = content_id(name, text)
        family = document.text(keys["family"], f"the family of {place}", NAME) if "family" in keys else ""
        severity = None
        if "severity" in keys:
            severity = document.choice(keys["severity"], f"the severity of {place}", tuple(Severity))
        return Check(
            bucket=name,
            id=id_,
            content=content,
            text=text,
            severity=severity or Severity.LOW,
            family=family or content,
            tags=document.texts(keys.get("tags"), f"the tags of {place}", NAME),
            when=condition(document, keys.get("when")),
        )

    def _first(self, document: Document, node: yaml.Node, seen: dict[str, str], value: str, what: str) -> None:
        """A value must be new over all files; the fault names where it was before."""
        if value in seen:
            document.fault(node, f"{what} is already at {seen[value]}")
        else:
            seen[value] = f"{document.label}:{line(node)}"


def _is_sentence(node: yaml.MappingNode) -> bool:
    """Whether a mapping is a plain sentence that YAML split at a colon."""
    return len(node.value) == 1 and bool(re.search(r"\s", str(node.value[0][0].value)))


def _name(document: Document, node: yaml.Node, what: str) -> str:
    raw = document.raw(node, what)
    if raw is None or not document.is_plain(node, raw, what, NAME):
        return ""
    if not raw.strip() or not raw.isprintable() or raw != raw.strip():
        document.fault(node, f"{what} must be one line of printable text without blanks around it")
        return ""
    return raw


def _instruction(document: Document, node: yaml.Node | None, what: str) -> str:
    """Text of several lines, blanks around the whole and after each line removed."""
    raw = None if node is None else document.raw(node, what)
    if raw is None or node is None:
        return ""
    value = "\n".join(part.rstrip() for part in raw.expandtabs(4).strip().split("\n"))
    if not value:
        document.fault(node, f"{what} is blank")
    return value if document.is_plain(node, value, what, INSTRUCTION) else ""


def _fields(document: Document, node: yaml.Node | None, what: str) -> tuple[str, ...]:
    if node is None:
        return FIELDS
    before = len(document.faults)
    named = tuple(document.choice(each, what, FIELDS) or "" for each in document.items(node, what))
    if len(document.faults) == before and sorted(named) != sorted(FIELDS):
        document.fault(node, f"{what} must name {', '.join(FIELDS)}, each once, in the order wanted")
    return named


def _flag(document: Document, node: yaml.Node | None, what: str) -> bool:
    return node is not None and document.flag(node, f"isolate of {what}")
