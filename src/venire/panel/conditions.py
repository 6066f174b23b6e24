"""A ``when`` in a criteria file → When, every entry that could never match noted as a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from venire.model import When
from venire.panel.document import Document, near, quoted
from venire.panel.when import AND, is_under, languages

if TYPE_CHECKING:
    import yaml

KEYS = ("language", "path", "model")
ENTRY = 200  # characters


def condition(document: Document, node: yaml.Node | None) -> When:
    """What a ``when`` says; one that is not there says nothing."""
    if node is None:
        return When()
    keys = document.mapping(node, "when", KEYS)
    entries = {key: document.texts(keys.get(key), f"{key} in when", ENTRY) for key in KEYS}
    for key, values in entries.items():
        for value in values:
            if doubt := _doubt(key, value.removeprefix("!")):
                document.fault(keys[key], f"{quoted(value)} in when can match no {key}{doubt}")
    return When(**entries)


def _doubt(key: str, entry: str) -> str:
    """Why an entry can never match, as the end of a sentence; "" when it may."""
    if not entry or entry.startswith("!"):
        return ": nothing follows the mark"
    if entry == AND:
        return ": it is reserved"
    if key == "language" and entry.lower() not in languages():
        return f"; {near(entry.lower(), languages(), 'languages are named as identify names them')}"
    return "" if key != "path" or _is_glob(entry) else ": git could not read it"


def _is_glob(entry: str) -> bool:
    try:
        is_under(entry, "a")
    except ValueError:
        return False
    return entry.strip("/") != "" and not entry.startswith("#")
