"""One comment a pull request and profile: found by author and marker, changed in place, never put back behind a newer one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from venire.deliver.github.calls import Comment, Repository
from venire.deliver.github.client import Refused

LIMITS = (60_000, 30_000, 12_000)
"""Characters of a body, tried in turn: GitHub takes 65,536, and less of some characters."""


class Mark(Protocol):
    """What the first line of a comment of ours says."""

    @property
    def profile(self) -> str: ...
    @property
    def head_sha(self) -> str: ...
    @property
    def record(self) -> str: ...
    @property
    def run(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Notice:
    """What is to stand on a pull request. ``text`` gives the body within a number of characters, ``read`` a line's mark."""

    number: int
    author: str
    mark: Mark
    text: Callable[[int], str]
    read: Callable[[str], Mark | None]


@dataclass(frozen=True, slots=True)
class Posted:
    """What came of it, and where it stands. ``author`` is who GitHub says wrote it."""

    what: Literal["created", "updated", "unchanged", "superseded"]
    url: str
    author: str


def stick(repository: Repository, notice: Notice) -> Posted:
    """Post or renew the comment. Refused as GitHub refuses."""
    current = repository.head(notice.number)
    found = _ours(repository, notice, notice.author)
    if not found:
        return _settled(repository, notice, _shorter(notice, lambda body: repository.create(notice.number, body)), current)
    comment, mark = _newest(found, current)
    if is_newer(mark, notice.mark, current):
        return Posted("superseded", comment.url, comment.author)
    return _renewed(repository, notice, comment, current)


def is_newer(theirs: Mark, ours: Mark, current: str) -> bool:
    """Whether the comment that is there has to stay: it speaks of the commit now at the head and ours does not, or,
    where that decides nothing, its run is a later one. ``current`` is that commit; "" where it is not known.
    """
    if (theirs.head_sha == current) != (ours.head_sha == current):
        return theirs.head_sha == current
    return theirs.run > ours.run


Found = Sequence[tuple[Comment, Mark]]


def _ours(repository: Repository, notice: Notice, author: str) -> Found:
    """By author and marker: anybody can write the marker, and the author writes other comments too."""
    by_author = [comment for comment in repository.comments(notice.number) if comment.author == author]
    marked = [(comment, notice.read(_first_line(comment.body))) for comment in by_author]
    return [(comment, mark) for comment, mark in marked if mark and mark.profile == notice.mark.profile]


def _first_line(body: str) -> str:
    return body.partition("\n")[0].rstrip("\r")


def _newest(found: Found, current: str) -> tuple[Comment, Mark]:
    """The one that has to stay among several: of the head's commit, then of the latest run, then the oldest comment."""
    return max(found, key=lambda pair: (pair[1].head_sha == current, pair[1].run, -pair[0].id))


def _renewed(repository: Repository, notice: Notice, comment: Comment, current: str) -> Posted:
    """Change it in place, after one more look: another run may have done so since the list was read."""
    now = repository.comment(comment.id)
    mark = notice.read(_first_line(now.body))
    if mark and is_newer(mark, notice.mark, current):
        return Posted("superseded", now.url, now.author)
    if _plain(now.body) == _plain(notice.text(LIMITS[0])):
        return Posted("unchanged", now.url, now.author)
    changed = _shorter(notice, lambda body: repository.update(comment.id, body))
    return Posted("updated", changed.url, changed.author)


def _plain(body: str) -> str:
    return body.replace("\r\n", "\n").strip()


def _shorter(notice: Notice, send: Callable[[str], Comment]) -> Comment:
    """Send the body, and a shorter one where GitHub finds it too long."""
    for limit in LIMITS[:-1]:
        try:
            return send(notice.text(limit))
        except Refused as refusal:
            if refusal.status != 422:
                raise
    return send(notice.text(LIMITS[-1]))


def _settled(repository: Repository, notice: Notice, made: Comment, current: str) -> Posted:
    """A comment just made, alone: of two runs that both found none, the same one stays for both, and the other goes."""
    found = _ours(repository, notice, made.author)
    if not found:  # the list may lag behind
        return Posted("created", made.url, made.author)
    stays, _ = _newest(found, current)
    for comment, _ in found:
        if comment.id != stays.id:
            _forget(repository, comment)
    return Posted("created" if stays.id == made.id else "superseded", stays.url, stays.author)


def _forget(repository: Repository, comment: Comment) -> None:
    try:
        repository.delete(comment.id)
    except Refused as refusal:
        if refusal.status != 404:  # the other run was faster
            raise
