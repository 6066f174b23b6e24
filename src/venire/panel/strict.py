"""A model's reply → one JSON object, or the exact fault. Limits come before the parser, and nothing is repaired.

The words for faults that both contracts know are here too.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

BYTES = 65_536  # a reply may have
DEPTH = 8  # brackets open at once
DIGITS = 20  # characters of a number
QUOTE = 80  # characters of model text a fault may quote
SENTENCE = 2_000  # characters of one text of a reply
FAULTS = 10  # faults of one reply that are spelled out
FAULT = 150  # characters that one fault has at most

NOT_ONE_OBJECT = "the reply is not one JSON object"

_MARKS = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class ContractFault(ValueError):
    """A reply breaks its contract. The text is the same for the same fault and holds no more of the reply than short quotes."""


def load(reply: str) -> dict[str, Any]:
    """The reply's one JSON object; ContractFault for anything else, prose and code fences around it included."""
    size = len(reply.encode("utf-8", "surrogatepass"))
    if size > BYTES:
        raise ContractFault(f"the reply is {size} bytes long, at most {BYTES} are read")
    body = reply.strip(" \t\r\n")
    if not body.startswith("{"):
        raise ContractFault(NOT_ONE_OBJECT)
    if _depth(body) > DEPTH:
        raise ContractFault(f"the reply opens more than {DEPTH} brackets inside each other")
    value = _parsed(body)
    if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise ContractFault("the reply holds half of a surrogate pair, which is no character")
    return value


def _parsed(body: str) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(
            body, object_pairs_hook=_object, parse_constant=_constant, parse_int=_number, parse_float=_number
        )
    except ContractFault:
        raise
    except ValueError:  # its words and positions differ between Pythons, so they are no part of the fault
        raise ContractFault(NOT_ONE_OBJECT) from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ContractFault(f"the key {quote(key)} is given twice in one object")
        found[key] = value
    return found


def _constant(word: str) -> NoReturn:
    raise ContractFault(f"{word} is not JSON")


def _number(digits: str) -> float:
    if len(digits) > DIGITS:
        raise ContractFault(f"a number is {len(digits)} characters long, at most {DIGITS} are read")
    return float(digits)


def _depth(text: str) -> int:
    """Most brackets open at once outside strings, in one pass: the parser recurses, and a pattern for strings may backtrack."""
    depth = deepest = 0
    is_string = False
    for mark in _MARKS.findall(text):
        if mark == '"':
            is_string = not is_string
        elif not is_string and mark in ("{", "["):
            depth += 1
            deepest = max(deepest, depth)
        elif not is_string and mark in ("}", "]"):
            depth -= 1
    return deepest


def quote(text: str) -> str:
    """At most QUOTE characters of model text, ASCII only, in quotes."""
    shown = ascii(text[:QUOTE])
    return shown if len(shown) <= QUOTE and len(text) <= QUOTE else shown[: QUOTE - 3] + "..."


def kind(value: object) -> str:
    """What a JSON value is, in words."""
    match value:
        case bool():
            return "true or false"
        case None:
            return "null"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"
    return "a number"


# ---------------------------------------------------------------- faults


def spelled(faults: Sequence[str]) -> list[str]:
    """The first FAULTS faults and how many more there are."""
    more = [f"and {len(faults) - FAULTS} more faults"] if len(faults) > FAULTS else []
    return [*faults[:FAULTS], *more]


def key_faults(place: str, item: Mapping[str, Any], required: Sequence[str], optional: Sequence[str] = ()) -> Iterator[str]:
    """Keys that are missing and keys that nobody asked for."""
    for name in required:
        if name not in item:
            yield f"{place} has no {name}"
    for key in item:
        if key not in required and key not in optional:
            yield f"{place} has an unknown key {quote(key)}"


def text_faults(place: str, value: object) -> Iterator[str]:
    """What is wrong with a sentence."""
    if not isinstance(value, str):
        yield f"{place} is {kind(value)}, not a string"
    elif not value.strip():
        yield f"{place} is empty"
    elif len(value) > SENTENCE:
        yield f"{place} is {len(value)} characters long, at most {SENTENCE} are allowed"


def enum_faults(place: str, value: object, allowed: Sequence[str]) -> Iterator[str]:
    """What is wrong with a value that must be one of those allowed."""
    if not isinstance(value, str):
        yield f"{place} is {kind(value)}, not a string"
    elif value not in allowed:
        yield f"{place} is {quote(value)}, which is none of those allowed"
