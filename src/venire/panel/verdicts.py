"""The ``panel`` contract: a verdict on every check. The schema of a valid reply, its words, the strict reading of one reply.

``{"criteria":[{"id","passed","reasoning","line"?}],"summary","issues","strengths"}``, one entry for each id asked about.
``line`` is optional, and comes last, because converters put what is optional last. ``none`` is for
an engine whose grammar always writes it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from venire.model import Bucket, Check, Claim, Severity
from venire.panel.schemas import CODE, Rules, canonical, closed, listing, pointed
from venire.panel.strict import ContractFault, enum_faults, key_faults, kind, load, quote, spelled, text_faults

NONE = "none"
"""The line of a check that passed, or that fails at no single line."""

REMARKS = 10  # issues, and strengths, a reply may list: a small model may never end such a list by itself
EXTRAS = 10  # ids nobody asked for that a fault names
ENTRY_TOKENS, REMARK_TOKENS = 48, 128
"""What an entry and the rest of a reply take: keys, and a sentence of some 25 tokens each. Estimates, not measured."""

_MISSING = "missing ids: "
_PLAIN = re.compile(r"[\w.:-]{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A valid entry. A check that fails has a ``claim`` when it fails at a line, else the ``reason`` given."""

    passed: bool
    claim: Claim | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reply, read alone: the valid entries by id, and everything wrong with it ("": nothing)."""

    verdicts: Mapping[str, Verdict]
    fault: str = ""


def schema(bucket: Bucket, checks: Sequence[Check], lines: Sequence[str]) -> str:
    """Canonical JSON Schema of a reply: as many entries as there are checks."""
    texts = {"type": "array", "items": {"type": "string"}, "maxItems": REMARKS}
    entry = {
        "id": {"type": "string", "enum": [check.id for check in checks]},
        "passed": {"type": "boolean"},
        "reasoning": {"type": "string"},
        "line": {"type": "string", "enum": [NONE, *lines]},
    }
    items = closed(entry, optional=["line"])
    criteria = {"type": "array", "items": items, "minItems": len(checks), "maxItems": len(checks)}
    return canonical(closed({"criteria": criteria, "summary": {"type": "string"}, "issues": texts, "strengths": texts}))


def expected(schema_text: str) -> tuple[str, ...]:
    """The ids asked about, in order."""
    return tuple(_fields(schema_text)["id"]["enum"])


def least_tokens(checks: int) -> int:
    """Tokens that a whole reply about so many checks needs."""
    return checks * ENTRY_TOKENS + REMARK_TOKENS


def _fields(schema_text: str) -> Rules:
    fields: Rules = listing(schema_text, "criteria")["items"]["properties"]
    return fields


# ---------------------------------------------------------------- in words

_EXAMPLE = {
    "criteria": [
        {"id": "ID", "passed": True, "reasoning": "name is stripped before it is shown", "line": NONE},
        {
            "id": "ID",
            "passed": False,
            "reasoning": "first and last run together, since no space is put between them",
            "line": "412: name = first + last",
        },
    ],
    "summary": "One statement does not hold.",
    "issues": ["Names run together."],
    "strengths": [],
}


def form(schema_text: str) -> str:
    """How to reply, in words: one line of compact JSON, what each field means, and the exact ids."""
    ids = ", ".join(expected(schema_text))
    lines = [
        "Reply with one line of compact JSON and nothing else, in this form:",
        json.dumps(_EXAMPLE, separators=(",", ":")),
        f"criteria: exactly one entry for each of these ids, in this order: {ids}. No other ids, none left out, none twice.",
        "passed: true when the code keeps the statement or has nothing to do with it, false when a line breaks it",
        "reasoning: one short sentence of your own, naming the code; never the statement again",
        f"line: where it is broken, number and code copied as shown (of a long line, the first {CODE} characters); "
        f"{NONE} when passed is true or no single line is to blame",
        f"summary: one sentence. issues and strengths: lists of at most {REMARKS} short sentences, [] when there are none",
    ]
    return "\n".join(lines)


def feedback(fault: str, schema_text: str) -> str:
    """What the model is told after a reply that broke the contract: the exact fault, the exact ids, and the form."""
    said = f"is {fault}" if fault.startswith(_MISSING) else f"was refused: {fault}"
    ids = _listed(expected(schema_text))
    return f"Your response {said}. Please return exactly: {ids}.\nGive the whole reply again.\n{form(schema_text)}"


# ---------------------------------------------------------------- read


def read(reply: str, schema_text: str) -> Reading:
    """The valid entries of one reply and its faults. An id given twice counts neither time."""
    fields = _fields(schema_text)
    try:
        value = load(reply)
    except ContractFault as fault:
        return Reading({}, str(fault))
    entries = value.get("criteria")
    faults: list[str] = []
    verdicts: dict[str, Verdict] = {}
    if isinstance(entries, list):
        verdicts, faults = _judged(entries, fields)
    elif "criteria" in value:
        faults.append(f"criteria is {kind(entries)}, not an array")
    faults += _remark_faults(value)
    return Reading(verdicts, _sentences(spelled(faults)))


def _judged(entries: Sequence[Any], fields: Rules) -> tuple[dict[str, Verdict], list[str]]:
    """Valid entries by id in expected order, and the faults: of the ids first, then entry by entry, all in expected order."""
    ids: Sequence[str] = fields["id"]["enum"]
    given = Counter(entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str))
    faults = list(_id_faults(given, ids))
    verdicts: dict[str, Verdict] = {}
    for id_ in (id_ for id_ in ids if given[id_] == 1):
        entry = next(entry for entry in entries if isinstance(entry, dict) and entry.get("id") == id_)
        wrong = list(_entry_faults(id_, entry, fields))
        faults += wrong
        if not wrong:
            verdicts[id_] = _verdict(entry)
    for number, entry in enumerate(entries, 1):
        faults += _nameless_faults(f"criterion {number}", entry)
    return verdicts, faults


def _verdict(entry: Mapping[str, Any]) -> Verdict:
    line = entry.get("line", NONE)
    if entry["passed"]:
        return Verdict(True)
    if line == NONE:
        return Verdict(False, reason=entry["reasoning"].strip())
    number, code = pointed(line)
    return Verdict(False, Claim(number, entry["reasoning"].strip(), entry["id"], Severity.LOW, code))


def _id_faults(given: Mapping[str, int], ids: Sequence[str]) -> Iterator[str]:
    """Ids missing, extra and duplicate. Extra ones are sorted, so that the order of a reply changes nothing."""
    if missing := [id_ for id_ in ids if id_ not in given]:
        yield _MISSING + _listed(missing)
    extra = sorted({id_ for id_ in given if id_.strip() and id_ not in ids}, key=lambda id_: (len(id_), id_))
    if extra:
        more = f" and {len(extra) - EXTRAS} more" if len(extra) > EXTRAS else ""
        yield "extra ids: " + _listed([id_ if _PLAIN.fullmatch(id_) else quote(id_) for id_ in extra[:EXTRAS]]) + more
    if duplicate := [id_ for id_ in ids if given.get(id_, 0) > 1]:
        yield "duplicate ids: " + _listed(duplicate)


def _entry_faults(id_: str, entry: Mapping[str, Any], fields: Rules) -> Iterator[str]:
    yield from key_faults(id_, entry, ["id", "passed", "reasoning"], ["line"])
    if "passed" in entry and not isinstance(entry["passed"], bool):
        yield f"passed of {id_} is {kind(entry['passed'])}, not true or false"
    if "reasoning" in entry:
        yield from text_faults(f"reasoning of {id_}", entry["reasoning"])
    if "line" in entry:
        yield from enum_faults(f"line of {id_}", entry["line"], fields["line"]["enum"])


def _nameless_faults(place: str, entry: object) -> Iterator[str]:
    """What is wrong with an entry that names no id at all."""
    if not isinstance(entry, dict):
        yield f"{place} is {kind(entry)}, not an object"
    elif "id" not in entry:
        yield f"{place} has no id"
    elif not isinstance(entry["id"], str):
        yield f"the id of {place} is {kind(entry['id'])}, not a string"
    elif not entry["id"].strip():
        yield f"the id of {place} is empty"


def _remark_faults(value: Mapping[str, Any]) -> Iterator[str]:
    yield from key_faults("the reply", value, ["criteria", "summary", "issues", "strengths"])
    if "summary" in value and not isinstance(value["summary"], str):
        yield f"summary is {kind(value['summary'])}, not a string"
    for name in ("issues", "strengths"):
        if name not in value:
            continue
        if not isinstance(value[name], list):
            yield f"{name} is {kind(value[name])}, not an array"
        elif len(value[name]) > REMARKS:
            yield f"{name} holds {len(value[name])} entries, at most {REMARKS} are allowed"
        elif stray := [item for item in value[name] if not isinstance(item, str)]:
            yield f"{name} holds {kind(stray[0])}, not only strings"


def _listed(ids: Iterable[str]) -> str:
    return f"[{', '.join(ids)}]"


def _sentences(faults: Sequence[str]) -> str:
    return ". ".join([*faults[:1], *(fault[0].upper() + fault[1:] for fault in faults[1:])])
