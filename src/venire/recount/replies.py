"""The attempts of a run → what they validly say. The rules are those of docs/panel.md, written down a second time."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from venire.recount.entries import Body

BYTES, DEPTH, DIGITS, SENTENCE = 65_536, 8, 20, 2_000
"""What a reply may measure: bytes, brackets open at once, characters of a number, characters of a sentence."""

ENTRIES = 200  # findings of a reply whose bucket sets no cap


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a reply says is wrong. ``quote`` is the code it wrote behind the line's number."""

    line: int
    quote: str
    check: str
    severity: str
    problem: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a run says. It is valid when every check it was asked about has a verdict."""

    asked: tuple[str, ...]
    verdicts: Mapping[str, bool] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()

    @property
    def is_valid(self) -> bool:
        return all(check in self.verdicts for check in self.asked)


def said(run: Body, prompt: Body) -> Said:
    """What a run's attempts say together; an attempt that failed, or did not end by itself, says nothing."""
    texts = [attempt["text"] if attempt["done"] == "stop" and not attempt["error"] else "" for attempt in run["attempts"]]
    rules = json.loads(prompt["schema"])["properties"]
    if prompt["contract"] == "panel":
        return _of_verdicts(texts, rules["criteria"]["items"]["properties"])
    if prompt["contract"] == "issues":
        return _of_issues(texts, rules["issues"]["items"]["properties"])
    return _of_findings(texts, rules["findings"])


def asked(prompt: Body) -> tuple[str, ...]:
    """The checks a prompt asks about, in order."""
    return said({"attempts": []}, prompt).asked


def _of_findings(texts: Sequence[str], rules: Body) -> Said:
    """All of the last reply or nothing. A check that no claim names is passed."""
    fields = rules["items"]["properties"]
    checks = tuple(check for check in fields["check"]["enum"] if check != "other")
    value = _object(texts[-1]) if texts else {}
    items = value.get("findings")
    if value.keys() != {"findings"} or not isinstance(items, list) or len(items) > rules.get("maxItems", ENTRIES):
        return Said(checks)
    if not all(isinstance(item, dict) and item.keys() == fields.keys() and _fits(item, fields) for item in items):
        return Said(checks)
    claims = tuple(
        Claim(*_pointed(item["line"]), item["check"], item["severity"], item["problem"].strip())
        for item in items
        if item["line"].split(":")[0] not in ("H1", "T1")  # planted by venire: nothing about the file
    )
    return Said(checks, {check: check not in {claim.check for claim in claims} for check in checks}, claims)


def _of_issues(texts: Sequence[str], fields: Body) -> Said:
    """All of the last reply or nothing. The place of a category in its list is its check's number."""
    names = {text: f"check_{place + 1}" for place, text in enumerate(fields["category"]["enum"])}
    checks = tuple(names.values())
    value = _object(texts[-1]) if texts else {}
    items = value.get("issues")
    if value.keys() != {"issues"} or not isinstance(items, list) or len(items) > ENTRIES:
        return Said(checks)
    if not all(isinstance(item, dict) and item.keys() == fields.keys() and _is_issue(item, fields) for item in items):
        return Said(checks)
    claims = tuple(
        Claim(int(item["line_number"]), "", names[item["category"]], item["severity"].lower(), item["description"].strip())
        for item in items
    )
    return Said(checks, {check: check not in {claim.check for claim in claims} for check in checks}, claims)


def _is_issue(item: Body, fields: Body) -> bool:
    line = item["line_number"]
    is_line = isinstance(line, int | float) and not isinstance(line, bool) and line == int(line) and line >= 1
    return is_line and _fits({name: value for name, value in item.items() if name != "line_number"}, fields)


def _of_verdicts(texts: Sequence[str], fields: Body) -> Said:
    """Entry by entry: the last valid one of each check, whichever attempt it is from."""
    checks = tuple(fields["id"]["enum"])
    last: dict[str, Body] = {}
    for text in texts:
        entries = _object(text).get("criteria")
        named = [e for e in entries if isinstance(e, dict) and isinstance(e.get("id"), str)] if isinstance(entries, list) else []
        often = Counter(entry["id"] for entry in named)
        last |= {e["id"]: e for e in named if often[e["id"]] == 1 and e["id"] in checks and _is_verdict(e, fields)}
    told = [(last[check], last[check].get("line", "none")) for check in checks if check in last]
    claims = [
        Claim(*_pointed(line), entry["id"], "low", entry["reasoning"].strip())
        for entry, line in told
        if not entry["passed"] and line != "none"
    ]
    return Said(checks, {check: entry["passed"] for check, entry in last.items()}, tuple(claims))


def _is_verdict(entry: Body, fields: Body) -> bool:
    keys = entry.keys() - {"line"}
    return keys == {"id", "passed", "reasoning"} and isinstance(entry["passed"], bool) and _fits(entry, fields)


def _fits(item: Body, fields: Body) -> bool:
    """Whether every text of an entry is one of those allowed, or a sentence where any is."""
    texts = {name: value for name, value in item.items() if name != "passed"}
    if not all(isinstance(value, str) for value in texts.values()):
        return False
    return all(
        value in fields[name]["enum"] if "enum" in fields[name] else value.strip() and len(value) <= SENTENCE
        for name, value in texts.items()
    )


def _pointed(line: str) -> tuple[int, str]:
    number, code = line.split(":", 1)
    return int(number), code.removeprefix(" ")


# ---------------------------------------------------------------- one object


def _object(text: str) -> Body:
    """The reply as one JSON object; an empty one when it is anything else."""
    if len(text.encode("utf-8", "surrogatepass")) > BYTES:
        return {}
    try:
        value = json.loads(
            text.strip(" \t\r\n"), object_pairs_hook=_once, parse_constant=_refuse, parse_int=_short, parse_float=_short
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # half of a surrogate pair is no character
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) and _depth(value) <= DEPTH else {}


def _once(pairs: list[tuple[str, Any]]) -> Body:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _short(digits: str) -> float:
    if len(digits) > DIGITS:
        raise ValueError("a number of too many digits")
    return float(digits)


def _depth(value: object) -> int:
    """How many objects and arrays are inside each other at most."""
    level, deep = [value], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        deep += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return deep
