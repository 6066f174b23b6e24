"""The ``findings`` contract: the schema of a valid reply, its words in the prompt, the strict parse, the feedback on a fault.

A prompt's schema is the single truth about valid lines, ids and fields; whatever is said or checked here is read from it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from venire.model import OTHER, Bucket, Check, Claim, Prompt, Severity
from venire.panel import canary
from venire.panel.schemas import CODE, Rules, canonical, closed, listing, pointed
from venire.panel.strict import ContractFault, enum_faults, key_faults, kind, load, spelled, text_faults

FINDINGS = 200  # a reply may hold when its bucket sets no cap

EMPTY = '{"findings":[]}'


def schema(bucket: Bucket, checks: Sequence[Check], lines: Sequence[str]) -> str:
    """Canonical JSON Schema of a reply, the fields of a finding in the bucket's order. Canaries come on top of its cap."""
    rules: dict[str, dict[str, Any]] = {
        "line": {"type": "string", "enum": list(lines)},
        "problem": {"type": "string"},
        "check": {"type": "string", "enum": [*(check.id for check in checks), OTHER]},
        "severity": {"type": "string", "enum": [severity.value for severity in Severity]},
    }
    items: dict[str, Any] = {"type": "array", "items": closed({name: rules[name] for name in bucket.fields})}
    if bucket.cap:
        items["maxItems"] = bucket.cap + sum(map(canary.is_canary, lines))
    return canonical(closed({"findings": items}))


def expected(schema_text: str) -> tuple[str, ...]:
    """The ids of the checks asked about, in order, without ``other``."""
    return tuple(id_ for id_ in _listing(schema_text)["items"]["properties"]["check"]["enum"] if id_ != OTHER)


def _listing(schema_text: str) -> Rules:
    return listing(schema_text, "findings")


# ---------------------------------------------------------------- in words

_EXAMPLE = {"line": "NUMBER: CODE", "problem": "ONE SENTENCE", "check": "ID", "severity": "LEVEL"}
"""Placeholders: a small model reports the defect of an example that is filled in, and points where its line number begins."""
_MEANING = {
    "line": f"the line where it goes wrong, number and code copied as shown (of a long line, the first {CODE} characters)",
    "problem": "one sentence of your own on what goes wrong at that line, naming its code; never the statement again",
    "check": f"the id of the statement that does not hold there, or {OTHER}",
    "severity": "low, medium or high, by what the defect can lead to",
}


def form(schema_text: str) -> str:
    """How to reply, in words: one line of compact JSON, its fields in their order, and the empty list."""
    rules = _listing(schema_text)
    names = list(rules["items"]["properties"])
    example = json.dumps({"findings": [{name: _EXAMPLE[name] for name in names}]}, separators=(",", ":"))
    cap = rules.get("maxItems")
    lines = [
        "Reply with one line of compact JSON and nothing else, in this form:",
        example,
        *(f"{name}: {_MEANING[name]}" for name in names),
        *([f"List at most {cap} findings, each defect once, the most certain first."] if cap else []),
        f"When nothing is wrong, which is common and a good answer, reply {EMPTY}",
    ]
    return "\n".join(lines)


def feedback(fault: str, schema_text: str) -> str:
    """What the model is told after a reply that broke the contract: the exact fault, then what to return."""
    ids = ", ".join((*expected(schema_text), OTHER))
    return f"Your reply was refused: {fault}.\nGive the whole reply again.\n{form(schema_text)}\nThe ids are: {ids}"


# ---------------------------------------------------------------- parse


def parse(reply: str, prompt: Prompt) -> tuple[Claim, ...]:
    """The claims of a valid reply, in its order; ContractFault naming the first faults, in order, otherwise."""
    return read(reply, prompt)[0]


def read(reply: str, prompt: Prompt) -> tuple[tuple[Claim, ...], canary.Found | None]:
    """As ``parse``; what is said of canaries is no claim, and comes apart."""
    value, rules = load(reply), _listing(prompt.schema)
    faults = list(_faults(value, rules))
    if faults:
        raise ContractFault("; ".join(spelled(faults)))
    items: list[dict[str, str]] = value["findings"]
    claims = tuple(_claim(item) for item in items if not canary.is_canary(item["line"]))
    return claims, canary.found(rules["items"]["properties"]["line"]["enum"], [item["line"] for item in items])


def _claim(item: Mapping[str, str]) -> Claim:
    line, code = pointed(item["line"])
    return Claim(line, item["problem"].strip(), item["check"], Severity(item["severity"]), code)


def _faults(value: Mapping[str, Any], rules: Rules) -> Iterator[str]:
    yield from key_faults("the reply", value, ["findings"])
    if "findings" not in value:
        return
    items = value["findings"]
    if not isinstance(items, list):
        yield f"findings is {kind(items)}, not an array"
        return
    most = rules.get("maxItems", FINDINGS)
    if len(items) > most:
        yield f"findings holds {len(items)} entries, at most {most} are allowed"
    for number, item in enumerate(items, 1):
        yield from _item_faults(f"finding {number}", item, rules["items"]["properties"])


def _item_faults(place: str, item: object, fields: Rules) -> Iterator[str]:
    if not isinstance(item, dict):
        yield f"{place} is {kind(item)}, not an object"
        return
    yield from key_faults(place, item, list(fields))
    for name, rule in fields.items():
        if name in item:
            where = f"{name} of {place}"
            yield from enum_faults(where, item[name], rule["enum"]) if "enum" in rule else text_faults(where, item[name])
