"""Old and new contents → changed lines of the new side, by git's diff in an empty repository of its own, parsed with unidiff."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from venire.change.git import difference
from venire.model import Lines


def merged(ranges: Iterable[Lines]) -> tuple[Lines, ...]:
    """Sorted, disjoint ranges that cover the same lines; neighbours are joined."""
    joined: list[Lines] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def touched(start: int, length: int, last: int) -> Lines:
    """The changed lines of a hunk on its new side, in a file of ``last`` lines.

    A pure deletion (no new lines, cut after line ``start``) marks the lines around the cut: a removed guard is a change.
    """
    if length:
        return start, start + length - 1
    return max(start, 1), max(min(start + 1, last), 1)


@dataclass(frozen=True, slots=True)
class Difference:
    """What git found for a new side: the number of its old side (another after a rename), and each hunk's start and length."""

    old: int
    hunks: tuple[tuple[int, int], ...]

    def changed(self, last: int) -> tuple[Lines, ...]:
        return merged(touched(start, length, last) for start, length in self.hunks)


class Comparison:
    """Takes contents by number, holds none of them in memory, and asks git once for all differences. Use it in a ``with``."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="venire-", ignore_cleanup_errors=True)
        self._stream = (Path(self._folder.name) / "stream").open("w+b")
        self._trees: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        self._marks = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stream.close()
        self._folder.cleanup()

    def add(self, number: int, old: bytes | None, new: bytes | None) -> None:
        """The two sides of file ``number``; none where the file was not, or is no more."""
        for tree, data in zip(self._trees, (old, new), strict=True):
            if data is not None:
                self._marks += 1
                self._stream.write(b"blob\nmark :%d\ndata %d\n%b\n" % (self._marks, len(data), data))
                tree.append((number, self._marks))

    def run(self) -> dict[int, Difference]:
        """Differences by the number of the new side. Equal contents give none, or one without hunks."""
        if not all(self._trees):
            return {}
        for branch, tree in zip((b"old", b"new"), self._trees, strict=True):
            self._stream.write(b"commit refs/heads/%b\ncommitter x <x> 0 +0000\ndata 0\n" % branch)
            self._stream.writelines(b"M 100644 :%d %d\n" % (mark, number) for number, mark in tree)
        self._stream.seek(0)
        return dict(_parsed(difference(Path(self._folder.name), self._stream)))


def _parsed(patch: bytes) -> Iterator[tuple[int, Difference]]:
    from unidiff.patch import PatchSet

    # only headers matter here, so any single-byte decoding is right and no line of code is kept
    lines = TextIOWrapper(BytesIO(patch), encoding="latin-1", newline="\n")
    for file in PatchSet(lines, metadata_only=True):
        old, new = (int(name.partition("/")[2]) for name in (file.source_file, file.target_file))
        yield new, Difference(old, tuple((hunk.target_start, hunk.target_length) for hunk in file))
