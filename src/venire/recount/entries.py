"""A sealed record's file → its entries, as plain JSON values. Nothing is understood here but the kind of each line.

Whether the file is whole and unchanged is ``venire verify``'s to say, before anything is counted.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from venire.errors import RecordDamaged, UsageError

Body = dict[str, Any]
PromptKey = tuple[str, int, str, str]


@dataclass(frozen=True, slots=True)
class Entries:
    """The bodies of a record by kind, in the order of the file. ``path`` is the file they are from."""

    path: Path
    audit: Body
    targets: tuple[Body, ...] = ()
    prompts: tuple[Body, ...] = ()
    runs: tuple[Body, ...] = ()
    seal: Body = field(default_factory=dict)

    def runs_of(self, model: str) -> int:
        """How often the model was to be asked each of its prompts."""
        own = [seat["runs"] for seat in self.audit["seats"] if seat["model"] == model and seat["runs"]]
        return int(own[0] if own else self.audit["plan"]["runs"])

    @property
    def models(self) -> list[str]:
        """The models that were asked, in alphabetical order."""
        return sorted({prompt["model"] for prompt in self.prompts})


def key(body: Body) -> PromptKey:
    """What a prompt and its runs have in common."""
    return body["path"], body["window"], body["bucket"], body["model"]


def load(path: Path) -> Entries:
    """The entries of a record. UsageError: no such file; RecordDamaged: a line that is no entry."""
    found: dict[str, list[Body]] = {}
    for number, line in enumerate(_lines(path), 1):
        try:
            entry = json.loads(line)
            found.setdefault(entry["kind"], []).append(entry["body"])
        except (ValueError, TypeError, KeyError):
            raise RecordDamaged(
                f"{path}, line {number}: this is no entry of a record", "see: venire verify RECORD", number
            ) from None
    if "audit" not in found:
        raise RecordDamaged(f"{path}: no audit is recorded here", "name the .jsonl file of a record", 1)
    targets, prompts, runs = (tuple(found.get(kind, ())) for kind in ("target", "prompt", "run"))
    return Entries(path, found["audit"][0], targets, prompts, runs, (found.get("seal") or [{}])[-1])


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("ascii", "replace")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", "name the .jsonl file of a record") from None
    return [line for line in text.split("\n") if line]
