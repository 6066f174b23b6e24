"""Candidates of an earlier audit ↔ those of this one: one to one, the strongest evidence first, whatever order they come in.

The tiers, from regions.md ("across commits"): the statement where the line map puts it, with equal words; an equal statement in
the same scope; an equal statement in the file; an edited statement in its scope or between the same neighbours, under a shared
bucket; the same statement in a file it was moved to. Within a tier leading statements go first, then shared votes, then ids.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from venire.assess.similar import SAME, similarity
from venire.assess.versions import Versions
from venire.model import AnchorVotes, Candidate


class Tie(NamedTuple):
    """What speaks for two candidates being one place; sorts from the strongest to the weakest."""

    is_follower: bool  # other statements than the leading ones are shared
    weight: float  # the less, the more votes or likeness
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Match:
    """The earlier candidate that a new one is. ``is_moved``: elsewhere than the edits around it alone would have put it."""

    old: Candidate
    is_moved: bool


Tier = Callable[[Sequence[Candidate], Sequence[Candidate], Mapping[str, Versions]], Iterable[Tie]]


def match(old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions]) -> dict[str, Match]:
    """New candidate's id → its match. ``files`` are by earlier path; what is in none of them can only have moved."""
    found: dict[str, Match] = {}
    mine, yours = ({candidate.id: candidate for candidate in side} for side in (old, new))
    for tier, is_elsewhere in TIERS:
        for tie in sorted(tier([*mine.values()], [*yours.values()], files)):
            if tie.old in mine and tie.new in yours:
                was, here = mine.pop(tie.old), yours.pop(tie.new)
                found[here.id] = Match(was, is_elsewhere or _has_left(was, here, files.get(was.path)))
    return found


def _has_left(was: Candidate, here: Candidate, file: Versions | None) -> bool:
    """Whether it stands in another file, or in another function while its own is still there (else that one was renamed)."""
    is_inside = file is not None and any(anchor.scope == was.scope for anchor in file.layout.anchors)
    return was.path != here.path or (was.scope != here.scope and is_inside)


def _landed(old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions]) -> Iterator[Tie]:
    index = _index(new, lambda anchor: anchor.fp1)
    for was in old:
        if file := files.get(was.path):
            landing = file.landing(was)
            yield from _ties(was, [(a, (file.path, landing[a.fp1])) for a in was.anchors if a.fp1 in landing], index)


def _scoped(old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions]) -> Iterator[Tie]:
    return _named(old, new, files, lambda anchor: anchor.fp1)


def _worded(old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions]) -> Iterator[Tie]:
    return _named(old, new, files, lambda anchor: anchor.fp2)


def _edited(old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions]) -> Iterator[Tie]:
    for was in old:
        if not (file := files.get(was.path)):
            continue
        for here in new:
            if here.path == file.path and _may_be_edited(was, here, file) and (likeness := _likeness(was, here, file)) >= SAME:
                yield Tie(False, -likeness, was.id, here.id)


def _elsewhere(old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions]) -> Iterator[Tie]:
    """A statement that left its file and stands in the same function or class of another one."""
    index = _index(new, lambda anchor: anchor.fp1)
    paths = sorted({here.path for here in new})
    for was in old:
        file = files.get(was.path)
        left = [a for a in was.anchors if a.scope and file and a.fp1 not in file.after]
        yield from _ties(was, [(a, (path, a.fp1)) for a in left for path in paths if file and path != file.path], index)


TIERS: tuple[tuple[Tier, bool], ...] = (
    (_landed, False),
    (_scoped, True),
    (_worded, True),
    (_edited, False),
    (_elsewhere, True),
)
"""Each with whether a match of it alone says that the statement moved."""

Place = tuple[str, str]
"""Path and fingerprint."""

Index = Mapping[Place, Sequence[tuple[Candidate, AnchorVotes]]]


def _index(candidates: Iterable[Candidate], name: Callable[[AnchorVotes], str]) -> Index:
    found: dict[Place, list[tuple[Candidate, AnchorVotes]]] = {}
    for candidate in candidates:
        for anchor in candidate.anchors:
            found.setdefault((candidate.path, name(anchor)), []).append((candidate, anchor))
    return found


def _named(
    old: Sequence[Candidate], new: Sequence[Candidate], files: Mapping[str, Versions], name: Callable[[AnchorVotes], str]
) -> Iterator[Tie]:
    index = _index(new, name)
    for was in old:
        if file := files.get(was.path):
            yield from _ties(was, [(anchor, (file.path, name(anchor))) for anchor in was.anchors], index)


def _ties(was: Candidate, sought: Iterable[tuple[AnchorVotes, Place]], index: Index) -> Iterator[Tie]:
    """One tie for each new candidate that has a statement sought; votes are shared where both have them."""
    votes: dict[str, int] = {}
    leads: set[str] = set()
    for anchor, place in sought:
        for here, other in index.get(place, ()):
            votes[here.id] = votes.get(here.id, 0) + min(anchor.support, other.support)
            if anchor is was.anchors[0] and other is here.anchors[0]:
                leads.add(here.id)
    return (Tie(id_ not in leads, -shared, was.id, id_) for id_, shared in votes.items())


def _likeness(was: Candidate, here: Candidate, file: Versions) -> float:
    """Of the two leading statements."""
    one, other = file.before.get(was.anchors[0].fp1), file.after.get(here.anchors[0].fp1)
    return similarity(one.text, other.text) if one and other else 0.0


def _may_be_edited(was: Candidate, here: Candidate, file: Versions) -> bool:
    if {label.bucket for label in was.labels}.isdisjoint(label.bucket for label in here.labels):
        return False
    if was.scope == here.scope and not was.is_weak:
        return True
    above, below = file.around(was.anchors[0].first)
    return above < here.anchors[0].first < below
