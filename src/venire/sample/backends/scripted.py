"""Replies from a JSON file: any edge case without a model. docs/scripted.md describes the file.

Stateless: the same ask always gets the same reply, so a resumed audit equals an uninterrupted one.
Tokens are counted as words, split at white space.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from venire.errors import BackendFailure, BackendUnavailable
from venire.model import Ask, ModelInfo, Reply
from venire.sample.backends.script import Entry, Script, Verdict, read

CRASHED = 137  # what a shell reports of a process that was killed hard


class Scripted:
    """A backend that plays a script. UsageError when the file cannot be read or is wrong."""

    def __init__(self, path: Path) -> None:
        self._script: Script = read(path)
        self._loads = 0

    @property
    def width(self) -> int:
        """Replies from a file do not wait for each other."""
        return 64

    @property
    def loads(self) -> int:
        """1 once described."""
        return self._loads

    def describe(self) -> ModelInfo:
        """The model as the script states it; BackendUnavailable when it says so."""
        if self._script.unavailable:
            raise BackendUnavailable(self._script.unavailable, remedy=f"take the key 'unavailable' out of {self._script.path}")
        self._loads = 1
        return self._script.model

    def recheck(self) -> ModelInfo:
        """The same again."""
        return self._script.model

    def reply(self, ask: Ask) -> Reply:
        """What the first entry that fits the ask says, after its delay."""
        entry = next((entry for entry in self._script.entries if entry.fits(ask)), None)
        if entry is None:
            place = f"{ask.path}, window {ask.window}, {ask.bucket}, run {ask.run}, attempt {ask.attempt}"
            raise BackendFailure("rubbish", f"no scripted reply for {place}")
        _wait(entry.delay_ms / 1000, ask.deadline)
        if entry.is_crash:
            os._exit(CRASHED)  # no handler, no flush: like kill -9
        if entry.error:
            raise BackendFailure(entry.error, entry.message or f"scripted {entry.error}", is_transient=entry.is_transient)
        text = _text(entry, ask)
        words = sum(len(content.split()) for _, content in ask.messages)
        return Reply(text=text, raw=text, prompt_tokens=words, reply_tokens=len(text.split()))

    def close(self) -> None:
        """Nothing to let go of."""


def _wait(seconds: float, deadline: float) -> None:
    time.sleep(max(min(seconds, deadline), 0))
    if seconds > deadline:
        raise BackendFailure("timeout", f"scripted: no reply within {deadline:g} s")


def _text(entry: Entry, ask: Ask) -> str:
    """The text, or the findings or verdicts as compact JSON, each line number written as the schema wants it."""
    if entry.text is not None:
        return entry.text
    reply = {"findings": list(entry.findings)} if entry.verdicts is None else _judged(entry.verdicts, _enum(ask.schema, "id"))
    lines = {int(line.partition(":")[0]): line for line in _enum(ask.schema, "line") if line.partition(":")[0].isdecimal()}
    listed = next(iter(reply.values()))
    for place, item in enumerate(listed):
        if type(line := item.get("line")) is int:  # not a bool, which would equal 0 or 1
            listed[place] = {**item, "line": lines.get(line, line)}
    text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


def _judged(verdicts: Mapping[str, Verdict], asked: Sequence[str]) -> dict[str, Any]:
    """An entry for each id asked about and for each other one named; what is not named passes, what is null is left out."""
    given = {**dict.fromkeys(asked, True), **verdicts}
    entries = [_entry(id_, verdict) for id_, verdict in given.items() if verdict is not None]
    return {"criteria": entries, "summary": "Scripted.", "issues": [], "strengths": []}


def _entry(id_: str, verdict: bool | dict[str, Any]) -> dict[str, Any]:
    fields = verdict if isinstance(verdict, dict) else {"passed": verdict}
    return {"id": id_, "passed": False, "reasoning": "Scripted.", **fields}


def _enum(schema: str, field: str) -> list[str]:
    """The strings that a field of an entry may be, whatever the contract; empty when the schema has no such enum."""
    try:
        (entries,) = (rule["items"]["properties"] for rule in json.loads(schema)["properties"].values() if _is_listing(rule))
        return [choice for choice in entries[field]["enum"] if isinstance(choice, str)]
    except (KeyError, TypeError, ValueError):
        return []


def _is_listing(rule: Any) -> bool:
    """Whether a rule is that of a list of objects."""
    return "properties" in rule.get("items", ())
