"""A call and whom it trusts → its settings. With trust ``base`` no file of the checkout has a say in them.

The configuration file, the criteria and the ledger are then those of the revision the change starts from, laid out in a folder of
their own for the time of the command. Where there is no such revision, none is read at all.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from venire.config import LEDGER, NAMES, Settings, project_root, settings, trust
from venire.deliver import note
from venire.errors import UsageError
from venire.model import Source

About = Source | Path | None
"""What a command is about: a change, a record of one, or neither."""


@contextmanager
def trusting(flags: Mapping[str, Any], environment: Mapping[str, str], start: Path, about: About) -> Iterator[Settings]:
    """The settings of a call made in ``start``, good for the time of the context."""
    if trust(flags, environment) == "worktree":
        yield settings(flags, environment, start)
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="venire-base-") as folder:
        base = _Base(project_root(start), _commit(about, project_root(start)), Path(folder))
        base.take([*NAMES, LEDGER.as_posix()])
        made = settings(flags, environment, start, files=base.files)
        criteria = tuple(base.path(path) for path in made.criteria)
        yield replace(made, criteria=criteria, decisions=base.path(made.decisions) if made.decisions else "")


def _commit(about: About, root: Path) -> str:
    """The revision whose files count, "" for none."""
    from venire.change import base_of
    from venire.record import read

    source = read(about).audit.source if isinstance(about, Path) else about
    if source is None or source.mode in ("patch", "paths"):
        return ""
    if isinstance(about, Path) and not (root / ".git").exists():
        note("trust base: this is no repository, so no configuration file and no decisions of it were read")
        return ""
    return base_of(source, root)


@dataclass(frozen=True, slots=True)
class _Base:
    """The base revision's files, below ``files`` where they were taken."""

    root: Path
    commit: str
    files: Path

    def take(self, paths: list[str]) -> None:
        from venire.change import copy_out

        if self.commit:
            copy_out(self.root, self.commit, paths, self.files)

    def path(self, given: str) -> str:
        """Where to read a path: below ``files`` for one of the repository, itself for any other."""
        inner = self._inner(given)
        if not inner:
            return given
        if not self.commit:
            raise UsageError(f"{given}: there is no base revision to read it from", "name a file outside the repository")
        self.take([inner])
        return str(self.files / inner)

    def _inner(self, given: str) -> str:
        """The path below the root or below ``files``, also where a link leads there; "" for one that lies outside."""
        spelled, real = Path(os.path.abspath(given)), Path(given).resolve()
        for path in (spelled, real):
            for top in (self.files.resolve(), self.files, self.root.absolute(), self.root.resolve()):
                if path.is_relative_to(top):
                    return path.relative_to(top).as_posix()
        return ""
