"""Entries ↔ stored lines, and the hashes that bind each line to all lines before it.

A line is hashed as it is stored, never re-encoded, with its domain, audit and position, and every part of unknown
length is preceded by its length. So one hash can stand for one thing only.
"""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

LINK = b"venire/record/v1/link\0"
FIRST = b"venire/record/v1/first\0"
SUM = b"venire/record/sum\0"  # carries no version: every version's first line can be checked before it is understood

_KEYS = {"body", "index", "kind", "prev", "sum"}
_HASH = re.compile(r"[0-9a-f]{64}")
_TAIL = len(b',"sum":""}') + 64


@dataclass(frozen=True, slots=True)
class Stored:
    """One entry as parsed from its line; the body is not yet understood."""

    index: int
    kind: str
    prev: str
    body: Any


def canonical(value: object) -> bytes:
    """The only accepted spelling of a JSON value: sorted keys, no spaces, ASCII, finite numbers."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.encode("ascii")


def compose(entry: Stored) -> bytes:
    """The stored line of an entry, without its line end."""
    open_entry = canonical({"body": entry.body, "index": entry.index, "kind": entry.kind, "prev": entry.prev})
    return open_entry[:-1] + b',"sum":"%s"}' % _sum(open_entry).encode()


def parse(line: bytes) -> Stored:
    """The entry of a stored line without its line end. ValueError says what is wrong with the line by itself."""
    entry = _load(line)
    if not isinstance(entry, dict) or entry.keys() != _KEYS:
        raise ValueError("this is not an entry of a record")
    # "sum" sorts last, so the entry without it is the same bytes, closed early.
    if entry["sum"] != _sum(line[:-_TAIL] + b"}"):
        raise ValueError("this line is not what was written: its sum does not match")
    if type(entry["index"]) is not int or type(entry["kind"]) is not str:
        raise ValueError("index or kind has the wrong type")
    if type(entry["prev"]) is not str or not _HASH.fullmatch(entry["prev"]):
        raise ValueError("prev is not a SHA-256 in hex")
    return Stored(entry["index"], entry["kind"], entry["prev"], entry["body"])


class Chain:
    """How far the chain has come. ``head`` is the link over the last line: what the next line's ``prev`` must be."""

    def __init__(self, audit_id: str) -> None:
        self._id = _sized(audit_id.encode("ascii"))
        self.count = 0
        self.head = sha256(FIRST + self._id).hexdigest()

    def check(self, entry: Stored) -> None:
        """ValueError when the entry cannot stand here."""
        if entry.index != self.count:
            raise ValueError(
                f"entry {entry.index} stands where entry {self.count} belongs: a line was removed, repeated, added or moved"
            )
        if entry.prev != self.head:
            raise ValueError("the chain breaks here: the line before this one is not the one that was written")

    def advance(self, line: bytes) -> None:
        self.head = sha256(LINK + self._id + _number(self.count) + _sized(line)).hexdigest()
        self.count += 1


def _load(line: bytes) -> Any:
    try:
        entry = json.loads(line.decode("ascii"))
        is_canonical = canonical(entry) == line
    except UnicodeDecodeError:
        raise ValueError("a byte that is not ASCII") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not is_canonical:
        raise ValueError("not in canonical form")
    return entry


def _sum(open_entry: bytes) -> str:
    return sha256(SUM + _sized(open_entry)).hexdigest()


def _sized(data: bytes) -> bytes:
    return _number(len(data)) + data


def _number(value: int) -> bytes:
    return value.to_bytes(8, "big")
