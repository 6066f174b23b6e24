"""The bytes of a YAML file → its node tree, within limits that hold before and after aliases are followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yaml

BYTES = 1_000_000  # a criteria file may have
ALIASES = 100
DEPTH = 16
NODES = 20_000  # after aliases are followed


class TooMuch(Exception):
    """A limit is passed: line and message."""


def line(node: yaml.Node) -> int:
    """The 1-based line a node begins on."""
    return int(node.start_mark.line) + 1


def decoded(data: bytes) -> str:
    """The text of a file; TooMuch when it is too large or not UTF-8."""
    if len(data) > BYTES:
        raise TooMuch(1, f"the file is larger than {BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TooMuch(data[: error.start].count(b"\n") + 1, "not UTF-8: save the file as UTF-8") from None


def compose(text: str) -> yaml.Node | None:
    """The root node, None for an empty file. The limits are first held on the flat events, since composing recurses."""
    import yaml

    depth = aliases = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        at = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > DEPTH:
            raise TooMuch(at, f"nested more than {DEPTH} deep")
        if number > NODES:
            raise TooMuch(at, f"more than {NODES} entries")
        if aliases > ALIASES:
            raise TooMuch(at, f"more than {ALIASES} aliases")
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is not None:
        _size(node, {})
    return node


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """Nodes below and with this one, each alias counted again; a cycle or too many of them is refused."""
    if id(node) in known:
        if not known[id(node)]:
            raise TooMuch(line(node), "an alias refers to what it is part of")
        return known[id(node)]
    known[id(node)] = 0  # being counted
    total = 1 + sum(_size(child, known) for child in _children(node))
    if total > NODES:
        raise TooMuch(line(node), f"more than {NODES} entries, with aliases followed")
    known[id(node)] = total
    return total


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair
