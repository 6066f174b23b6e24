"""Entries of criteria files → the buckets of a panel: one each, all in one, or the isolated ones apart.

A bucket that several entries share is several ``Bucket`` values of one name, side by side: each keeps its own ``when``, and its
instruction stands before its first check. Ids run on over them. ``merged`` shows them as the one bucket that is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from venire.errors import UsageError
from venire.model import Bucket, Check, Panel
from venire.panel.content import content_id
from venire.panel.keys import COMBINED

Mode = Literal["separate", "combined", "isolated"]
MODES: tuple[str, ...] = get_args(Mode)

FIELDS = ("line", "problem", "check", "severity")
CAP = 200  # findings of one reply, at most


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a criteria file, as a bucket of its own. ``home`` names the bucket it is isolated in; "": it is not."""

    bucket: Bucket
    home: str = ""


def arrange(entries: Sequence[Entry], mode: str = "separate") -> Panel:
    """The panel of the entries, in order; ``isolated`` without an isolated one is ``separate``. UsageError: unknown mode."""
    if mode not in MODES:
        raise UsageError(f"no mode {mode!r} for criteria", f"known: {', '.join(MODES)}")
    if mode == "separate" or (mode == "isolated" and not any(entry.home for entry in entries)):
        return Panel(tuple(entry.bucket for entry in entries))
    homes: dict[str, list[Bucket]] = {}
    for entry in entries:
        homes.setdefault((mode == "isolated" and entry.home) or COMBINED, []).append(entry.bucket)
    return Panel(tuple(part for name, group in homes.items() for part in _shared(name, group)))


def merged(panel: Panel) -> tuple[Bucket, ...]:
    """One bucket a name, in order, as it is asked: all its checks, fields the parts agree on, their caps added up."""
    return tuple(map(joined, parts(panel)))


def parts(panel: Panel) -> tuple[tuple[Bucket, ...], ...]:
    """The parts of each bucket, both in order."""
    found: dict[str, tuple[Bucket, ...]] = {}
    for bucket in panel.buckets:
        found[bucket.name] = (*found.get(bucket.name, ()), bucket)
    return tuple(found.values())


def _shared(name: str, group: Sequence[Bucket]) -> list[Bucket]:
    """The buckets as parts of one: under its name, ids running on, each with its own name above its instruction."""
    before = 0
    found = []
    for bucket in group:
        checks = tuple(_moved(check, name, number) for number, check in enumerate(bucket.checks, before + 1))
        head = f"# {bucket.name}\n{bucket.instruction}".rstrip() if len(group) > 1 else bucket.instruction
        found.append(replace(bucket, name=name, checks=checks, instruction=head))
        before += len(checks)
    return found


def _moved(check: Check, bucket: str, number: int) -> Check:
    content = content_id(bucket, check.text)
    family = content if check.family == check.content else check.family
    return replace(check, bucket=bucket, id=f"check_{number}", content=content, family=family)


def joined(group: Sequence[Bucket]) -> Bucket:
    """The parts of a bucket as one."""
    if len(group) == 1:
        return group[0]
    fields = {bucket.fields for bucket in group}
    caps = [bucket.cap for bucket in group]
    return Bucket(
        name=group[0].name,
        checks=tuple(check for bucket in group for check in bucket.checks),
        fields=fields.pop() if len(fields) == 1 else FIELDS,
        cap=min(sum(caps), CAP) if all(caps) else 0,
    )
