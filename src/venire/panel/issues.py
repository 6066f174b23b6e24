"""The ``issues`` contract: the plain way of asking, kept to be compared with. No line enum, no checks in words.

``{"issues":[{"line_number","category","severity","description"}]}``, as in the seed experiment: the line is a bare number, the
categories are the texts of the bucket's checks, and the schema stands in the prompt, pretty-printed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from venire.errors import UsageError
from venire.model import Bucket, Check, Claim, Severity
from venire.panel.schemas import Rules, canonical, closed, listing
from venire.panel.strict import ContractFault, enum_faults, key_faults, kind, load, spelled, text_faults

SYSTEM = "You are an expert auditor of source code. You answer in JSON only."
INSTRUCTION = "Audit the following file for bugs and security problems. Report every problem you find."

ISSUES = 200  # a reply may hold


def schema(bucket: Bucket, checks: Sequence[Check], lines: Sequence[str]) -> str:
    """Canonical JSON Schema of a reply. UsageError when some check of the bucket does not apply here.

    A category is a text without its id, so that its place in the enum has to be the check's number.
    """
    if len(checks) != len(bucket.checks):
        raise UsageError(
            f"bucket {bucket.name}: the issues contract cannot leave checks out, and `when` does", "use the findings contract"
        )
    issue = {
        "line_number": {"type": "integer"},
        "category": {"type": "string", "enum": [check.text for check in checks]},
        "severity": {"type": "string", "enum": [severity.value.title() for severity in Severity]},
        "description": {"type": "string"},
    }
    return canonical(closed({"issues": {"type": "array", "items": closed(issue)}}))


def expected(schema_text: str) -> tuple[str, ...]:
    """The ids of the checks asked about, in order."""
    return tuple(f"check_{number}" for number, _ in enumerate(_fields(schema_text)["category"]["enum"], 1))


def question(schema_text: str, instruction: str) -> str:
    """What is asked about the code below it."""
    pretty = json.dumps(json.loads(schema_text), indent=2, ensure_ascii=True)
    return (
        f"{instruction}\n\nEvery issue has a line_number, a category, a severity and a description. "
        f"Answer with JSON that follows this schema:\n\n{pretty}"
    )


def feedback(fault: str, schema_text: str) -> str:
    """What the model is told after a reply that broke the contract."""
    categories = ", ".join(_fields(schema_text)["category"]["enum"])
    return f"Your reply was refused: {fault}.\nGive the whole reply again.\nThe categories are: {categories}"


def read(reply: str, schema_text: str) -> tuple[Claim, ...]:
    """The claims of a valid reply, in its order; ContractFault naming the first faults otherwise."""
    value, fields = load(reply), _fields(schema_text)
    if faults := list(_faults(value, fields)):
        raise ContractFault("; ".join(spelled(faults)))
    numbers = {text: f"check_{number}" for number, text in enumerate(fields["category"]["enum"], 1)}
    return tuple(
        Claim(
            int(item["line_number"]), item["description"].strip(), numbers[item["category"]], Severity(item["severity"].lower())
        )
        for item in value["issues"]
    )


def _fields(schema_text: str) -> Rules:
    fields: Rules = listing(schema_text, "issues")["items"]["properties"]
    return fields


def _faults(value: Mapping[str, Any], fields: Rules) -> Iterator[str]:
    yield from key_faults("the reply", value, ["issues"])
    if "issues" not in value:
        return
    items = value["issues"]
    if not isinstance(items, list):
        yield f"issues is {kind(items)}, not an array"
    elif len(items) > ISSUES:
        yield f"issues holds {len(items)} entries, at most {ISSUES} are allowed"
    else:
        for number, item in enumerate(items, 1):
            yield from _item_faults(f"issue {number}", item, fields)


def _item_faults(place: str, item: object, fields: Rules) -> Iterator[str]:
    if not isinstance(item, dict):
        yield f"{place} is {kind(item)}, not an object"
        return
    yield from key_faults(place, item, list(fields))
    if "line_number" in item:
        yield from _line_faults(f"line_number of {place}", item["line_number"])
    for name in ("category", "severity"):
        if name in item:
            yield from enum_faults(f"{name} of {place}", item[name], fields[name]["enum"])
    if "description" in item:
        yield from text_faults(f"description of {place}", item["description"])


def _line_faults(place: str, line: object) -> Iterator[str]:
    """A line past the end of the file is a claim all the same: it is put on the last one, and said to be."""
    if isinstance(line, bool) or not isinstance(line, int | float):
        yield f"{place} is {kind(line)}, not a number"
    elif line != int(line) or line < 1:
        yield f"{place} is not a whole number from 1"
