"""What the schemas of both contracts are made of. Flat: no ``$ref``, no choice between forms.

``properties``, ``required``, ``additionalProperties``, ``enum``, ``minItems`` and ``maxItems`` are all there is: more breaks the
converter of some engine. Engines write fields in the order given, and some write those that are not required last.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

CODE = 100  # characters of a line of code in the enum; its number keeps it unique

Rules = Mapping[str, Any]


def closed(properties: dict[str, Any], *, optional: Sequence[str] = ()) -> dict[str, Any]:
    """An object with these fields and no others."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def canonical(rules: Rules) -> str:
    """A schema as a prompt carries it: compact and ASCII, its fields in their order."""
    return json.dumps(rules, separators=(",", ":"), ensure_ascii=True)


def listing(schema: str, name: str) -> Rules:
    """The rules of the array ``name`` in a schema."""
    rules: Rules = json.loads(schema)["properties"][name]
    return rules


def enumerated(number: int, code: str) -> str:
    """A line as the enum has it: number and code, a long line cut."""
    return f"{number}: {code[:CODE]}".rstrip()


def pointed(line: str) -> tuple[int, str]:
    """A line of the enum → its number and its code."""
    number, _, code = line.partition(":")
    return int(number), code.removeprefix(" ")
