"""What a commit or a push would change, told at once: paths and object names from git, and no object read.

A hook asks this first. Nothing in it: there is nothing to audit. Seen before: an earlier audit may hold the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from venire.change.content import shown_path
from venire.change.git import Glance, Raw
from venire.change.pushed import Push, pushed, ranged
from venire.model import Source


@dataclass(frozen=True, slots=True)
class Outline:
    """A change before any of it is read. ``digest`` stands for all its paths, modes and contents; "" where nothing differs."""

    source: Source
    digest: str


def staged(root: Path) -> Outline:
    """What the commit will contain. ChangeError when git cannot tell."""
    repository = Glance.open(root)
    base = repository.find("HEAD")
    return Outline(Source("staged", base=base), _digest(repository.staged(base or repository.empty_tree)))


def between(root: Path, first: str, last: str) -> Outline:
    """What ``last`` adds to what it has in common with ``first``."""
    repository = Glance.open(root)
    return _outlined(repository, ranged(repository, first, last))


def sent(root: Path, push: Push) -> tuple[Outline, ...]:
    """What a push sends, one outline a range. ChangeError when there is nothing to compare with."""
    repository = Glance.open(root)
    return tuple(_outlined(repository, source) for source in pushed(repository, push))


def _outlined(repository: Glance, source: Source) -> Outline:
    source_shown = Source(source.mode, shown_path(source.spec.encode("utf-8", "surrogateescape")), source.base, source.head)
    return Outline(source_shown, _digest(repository.between(source.base, source.head)))


def _digest(raws: Iterator[Raw]) -> str:
    """Of git's list of differences. An object's name stands for its bytes, so equal digests mean equal changes."""
    listed = sorted((raw.path, raw.old_mode, raw.new_mode, raw.old, raw.new) for raw in raws)
    return sha256(repr(listed).encode()).hexdigest() if listed else ""
