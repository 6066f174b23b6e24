"""A JSON schema → llama.cpp's grammar, properties in the schema's order: compact JSON, or JSON with white space between tokens.

llama.cpp has a converter, but the pinned build's converts for LLGuidance, which (measured) cuts enum strings of more than some 30
bytes that hold a quote, a backslash or a tab, and goes on without any grammar when it finds a fault in one. llama.cpp's own
grammars are refused when they are faulty. What this converter does not know it refuses, so nothing is ever half constrained.
"""

import json
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

CHAR = r'char ::= [^"\\\x00-\x1F\x7F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4})'
KNOWN: Mapping[str, frozenset[str]] = {
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "minItems", "maxItems"}),
    "string": frozenset({"minLength", "maxLength"}),
    "boolean": frozenset(),
    "integer": frozenset(),
}


GAP = "\0"  # where white space may stand; no literal holds it, since JSON escapes it
SPACE = r"gap ::= [ \n\t]{0,40}"


def grammar(schema: str, *, is_compact: bool = True) -> str:
    """The grammar of a schema given as JSON. Every property is written, required or not. ValueError: what it cannot say.

    A model that was shown a pretty-printed form and may write no white space says ``[]`` and no more (seen, 7 replies of 7).
    """
    rules: list[str] = []
    rules.append(f"root ::= {_expression(json.loads(schema), rules)}")
    text = "\n".join([*rules, CHAR])
    return text.replace(GAP, "") if is_compact else "\n".join((text.replace(GAP, "gap "), SPACE))


def _expression(schema: Schema, rules: list[str]) -> str:
    kind = str(schema.get("type"))
    if "enum" in schema or "const" in schema:
        _refuse(schema, frozenset({"enum", "const"}))
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return f"({' | '.join(_literal(_compact(value)) for value in values)})"
    if kind not in KNOWN:
        raise ValueError(f"no grammar for type {kind!r}")
    _refuse(schema, KNOWN[kind])
    match kind:
        case "object":
            return _object(schema, rules)
        case "array":
            return _array(schema, rules)
        case "string":
            most = schema.get("maxLength", "")
            return rf'"\"" char{{{schema.get("minLength", 0)},{most}}} "\""'
        case "boolean":
            return '("true" | "false")'
    return '("-"? ("0" | [1-9] [0-9]{0,14}))'


def _refuse(schema: Schema, known: frozenset[str]) -> None:
    if unknown := set(schema) - known - {"type", "title", "description"}:
        raise ValueError(f"no grammar for {', '.join(sorted(unknown))}")


def _object(schema: Schema, rules: list[str]) -> str:
    pairs = [
        f"{GAP}{_literal(_compact(name) + ':')} {GAP}{_expression(value, rules)}" for name, value in schema["properties"].items()
    ]
    return f'"{{" {_literal(",").join(f" {pair} " for pair in pairs)} {GAP}"}}"'


def _array(schema: Schema, rules: list[str]) -> str:
    place = len(rules)
    name = f"item{place}"
    rules.append("")  # kept free, so that arrays inside it get other names
    rules[place] = f"{name} ::= {_expression(schema['items'], rules)}"
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    if most == 0:
        return '"[]"'
    more = f'({GAP}"," {GAP}{name}){{{max(least - 1, 0)},{"" if most is None else most - 1}}}'
    return f'"[" {GAP}{name} {more} {GAP}"]"' if least else f'"[" ({GAP}{name} {more})? {GAP}"]"'


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _literal(text: str) -> str:
    """The text as a literal of the grammar; JSON has already escaped what a line cannot hold."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
