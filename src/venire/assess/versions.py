"""Two records → the files that are in both, each with the statements and the line map of its two versions."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from venire.assess.anchors import Layout, lay_out
from venire.assess.linemap import line_map
from venire.model import Anchor, Candidate, Record, Target

ALIKE = 0.5
"""Share of statements two files must have in common to be one renamed file: git's own bound for renames."""

COMPARED = 40_000
"""Pairs of files that are compared by their statements; when there are more, only equal texts count as renamed."""

RENAMED = "renamed from "
"""How the note of a target that git knows to be renamed begins; the old path follows."""


@dataclass(frozen=True, slots=True)
class Versions:
    """One file in two audits. ``lines`` maps old lines to new ones with equal words; ``mapped`` are its keys in order."""

    path: str  # the new one
    before: dict[str, Anchor]  # by fp1
    after: dict[str, Anchor]
    layout: Layout  # of the new side
    lines: Mapping[int, int]
    mapped: tuple[int, ...]

    def landing(self, candidate: Candidate) -> dict[str, str]:
        """For the statements of an earlier candidate (fp1), those of the new side at the same place with the same words (fp1).

        A paragraph, which changes with every line put into it, lands where the lines that runs pointed at do.
        """
        found = {}
        for votes in candidate.anchors:
            old = self.before.get(votes.fp1)
            if old is None:
                continue
            pointed = [line for line, _ in sorted(candidate.lines, key=lambda pair: (-pair[1], pair[0]))]
            rows = [line for line in pointed if old.first <= line <= old.last] if old.is_weak else []
            row = next((self.lines[line] for line in (*rows, old.first) if line in self.lines), 0)
            new = self.layout.owner(row) if row else None
            if new and (old.is_weak or new.text == old.text):
                found[votes.fp1] = new.fp1
        return found

    def around(self, line: int) -> tuple[int, int]:
        """The new lines that the nearest mapped lines above and below an old line became; the ends of the file without any."""
        place = bisect_left(self.mapped, line)
        later = place + 1 if place < len(self.mapped) and self.mapped[place] == line else place
        above = self.lines[self.mapped[place - 1]] if place else 0
        below = self.lines[self.mapped[later]] if later < len(self.mapped) else len(self.layout.owners) + 1
        return above, below


def renames(notes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Paths and their notes → new path and the path it was renamed from, for those that say so."""
    return {path: note.removeprefix(RENAMED) for path, said in notes for note in said if note.startswith(RENAMED)}


def versions(earlier: Record, record: Record, wanted: Container[str]) -> dict[str, Versions]:
    """The files of the earlier audit that are in this one too, by their earlier path, if either path is ``wanted``."""
    old, new = ({target.path: target for target in one.targets} for one in (earlier, record))
    found = sorted(pairs(earlier, record).items())
    return {was: _versions(old[was], new[path]) for was, path in found if was in wanted or path in wanted}


def pairs(earlier: Record, record: Record) -> dict[str, str]:
    """Earlier path → the path of the same file now: of that name, else renamed as git says, else by the statements they share."""
    old, new = ({target.path: target for target in one.targets} for one in (earlier, record))
    found = {path: path for path in old if path in new}
    told = renames((target.path, target.notes) for target in record.targets)
    found |= {was: path for path, was in sorted(told.items()) if was in old and was not in found and path not in found}
    taken = set(found.values())
    left = [target for path, target in sorted(old.items()) if path not in found]
    return found | _alike(left, [target for path, target in sorted(new.items()) if path not in taken])


def _versions(old: Target, new: Target) -> Versions:
    before, after = (lay_out(target.lines, target.language) for target in (old, new))
    lines = line_map(old.lines, new.lines)
    return Versions(new.path, _by_name(before), _by_name(after), after, lines, tuple(sorted(lines)))


def _by_name(layout: Layout) -> dict[str, Anchor]:
    return {anchor.fp1: anchor for anchor in layout.anchors}


def _alike(old: list[Target], new: list[Target]) -> dict[str, str]:
    """Files under another name, by the statements they share: one to one, the most alike first."""
    if not old or not new:
        return {}
    read = _statements if len(old) * len(new) <= COMPARED else _whole
    mine, yours = ({target.path: read(target) for target in side} for side in (old, new))
    found = sorted((-share, was, path) for was, path, share in _shares(mine, yours) if share >= ALIKE)
    alike: dict[str, str] = {}
    for _, was, path in found:
        if was not in alike and path not in alike.values():
            alike[was] = path
    return alike


def _shares(mine: Mapping[str, Counter[str]], yours: Mapping[str, Counter[str]]) -> Iterator[tuple[str, str, float]]:
    for was, here in mine.items():
        for path, there in yours.items():
            yield was, path, 2 * (here & there).total() / ((here.total() + there.total()) or 1)


def _statements(target: Target) -> Counter[str]:
    return Counter(anchor.text for anchor in lay_out(target.lines, target.language).anchors if anchor.text)


def _whole(target: Target) -> Counter[str]:
    return Counter([target.text])
