"""One criteria file: readers for its nodes that note each fault with its line and go on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from venire.panel.compose import TooMuch, compose, decoded, line

if TYPE_CHECKING:
    import yaml

_TAG = "tag:yaml.org,2002:"
_READS_AS = {
    "map": "a mapping",
    "seq": "a list",
    "str": "text",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "null": "nothing",
    "timestamp": "a date",
}
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_Word = TypeVar("_Word", bound=str)


@dataclass
class Document:
    """One criteria file: its label in messages and the faults found so far, as (line, message)."""

    label: str
    faults: list[tuple[int, str]] = field(default_factory=list)

    def fault(self, at: yaml.Node | int, message: str) -> None:
        """Note a fault at a node or a 1-based line."""
        self.faults.append((at if isinstance(at, int) else line(at), message))

    def root(self, data: bytes) -> yaml.Node | None:
        """The root node, within all limits; None, and a fault noted, when there is none to go on with."""
        import yaml

        try:
            node = compose(decoded(data))
        except TooMuch as limit:
            self.fault(*limit.args)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self.fault(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}")
        except yaml.reader.ReaderError as error:
            before = decoded(data)[: error.position]
            self.fault(before.count("\n") + 1, f"not YAML: the character U+{int(error.character):04X} is not allowed")
        else:
            if node is None:
                self.fault(1, "the file is empty")
            return node
        return None

    def mapping(self, node: yaml.Node, what: str, keys: Sequence[str]) -> dict[str, yaml.Node]:
        """The values of a mapping by key; unknown and repeated keys are faults and left out."""
        import yaml

        if not isinstance(node, yaml.MappingNode) or node.tag != _TAG + "map":
            self.fault(node, f"{what} must be a mapping, not {kind(node)}")
            return {}
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name not in keys:
                self.fault(key, f"unknown key {quoted(name)} in {what}; {near(name, keys)}")
            elif name in found:
                self.fault(key, f"{what} has {quoted(name)} twice, first on line {line(found[name])}")
            else:
                found[name] = value
        return found

    def items(self, node: yaml.Node | None, what: str) -> list[yaml.Node]:
        """The nodes of a list; anything else is a fault."""
        import yaml

        if node is None:
            return []
        if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
            return list(node.value)
        self.fault(node, f"{what} must be a list, not {kind(node)}")
        return []

    def raw(self, node: yaml.Node, what: str) -> str | None:
        """A scalar's text as written; None and a fault when it is not text, or reads as something else without quotes."""
        import yaml

        if not isinstance(node, yaml.ScalarNode):
            self.fault(node, f"{what} must be text, not {kind(node)}")
        elif node.tag == _TAG + "str":
            return str(node.value)
        elif node.tag == _TAG + "null" and not node.value:
            self.fault(node, f"{what} is blank")
        else:
            self.fault(node, f"{what} must be text, but {quoted(node.value)} reads as {kind(node)}: put it in quotes")
        return None

    def text(self, node: yaml.Node, what: str, limit: int) -> str:
        """One line of text, runs of white space collapsed; "" and a fault when it is blank, too long or not plain."""
        raw = self.raw(node, what)
        if raw is None:
            return ""
        value = " ".join(raw.split())
        if not value:
            self.fault(node, f"{what} is blank")
        elif self.is_plain(node, value, what, limit):
            return value
        return ""

    def is_plain(self, node: yaml.Node, value: str, what: str, limit: int) -> bool:
        """Whether text is short enough and free of control characters and lone surrogates."""
        if len(value) > limit:
            self.fault(node, f"{what} is {len(value)} characters long, at most {limit} are allowed")
            return False
        if _CONTROL.search(value):
            self.fault(node, f"{what} holds a control character")
            return False
        return True

    def texts(self, node: yaml.Node | None, what: str, limit: int) -> tuple[str, ...]:
        """One text or a list of texts, as a tuple without the faulty ones."""
        import yaml

        if node is None:
            return ()
        if isinstance(node, yaml.ScalarNode):
            one = self.text(node, what, limit)
            return (one,) if one else ()
        found = (self.text(item, f"{what}[{i}]", limit) for i, item in enumerate(self.items(node, what), 1))
        return tuple(value for value in found if value)

    def choice(self, node: yaml.Node, what: str, words: Sequence[_Word]) -> _Word | None:
        """One of the words; None and a fault with the nearest one otherwise."""
        value = self.text(node, what, 100)
        for word in words:
            if word == value:
                return word
        if value:
            self.fault(node, f"{what} cannot be {quoted(value)}; {near(value, words)}")
        return None

    def flag(self, node: yaml.Node, what: str) -> bool:
        """``true`` or ``false``, written so; False and a fault otherwise."""
        import yaml

        value = str(node.value) if isinstance(node, yaml.ScalarNode) and node.tag == _TAG + "bool" else ""
        if value not in ("true", "false"):
            shown = quoted(node.value) if isinstance(node, yaml.ScalarNode) else kind(node)
            self.fault(node, f"{what} must be true or false, not {shown}")
        return value == "true"

    def count(self, node: yaml.Node, what: str, most: int) -> int:
        """A whole number from 0 to ``most``, written in plain digits; 0 and a fault otherwise."""
        import yaml

        if isinstance(node, yaml.ScalarNode) and node.tag == _TAG + "int":
            digits = str(node.value)
            if digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits) <= most:
                return int(digits)
        value = quoted(node.value) if isinstance(node, yaml.ScalarNode) else kind(node)
        self.fault(node, f"{what} must be a whole number from 0 to {most}, not {value}")
        return 0


def quoted(text: str) -> str:
    """At most 60 characters of a file's text for a message."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def kind(node: yaml.Node) -> str:
    """What a node is, in words; an unusual tag as it stands."""
    name = str(node.tag).removeprefix(_TAG)
    return _READS_AS.get(name, quoted(node.tag))


def near(word: str, words: Sequence[str], otherwise: str = "") -> str:
    """The closest known word as a question; without one, all of them, or what is to be said instead."""
    from difflib import get_close_matches

    close = get_close_matches(word[:100], words, n=1)
    return f"did you mean {str(close[0])!r}?" if close else otherwise or f"known: {', '.join(words)}"
