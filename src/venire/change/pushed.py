"""What a push sends → ranges of commits: from git's own lines to a pre-push hook, or from what a remote is known to have."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from venire.change.content import shown_path
from venire.change.git import Repository
from venire.errors import ChangeError
from venire.model import Source

_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DEEPEN = "fetch more history: git fetch --unshallow"
_BY_HAND = "name the range: venire audit --diff BASE...HEAD; or push once with: git push -u origin BRANCH"


@dataclass(frozen=True, slots=True)
class Push:
    """What is known of a push.

    ``remote`` is the name or address given to git, empty when nothing said it. ``head`` is the ref that is pushed.
    ``lines`` are git's own: ``<local ref> <local name> <remote ref> <remote name>`` for every ref.
    """

    remote: str = ""
    head: str = "HEAD"
    lines: str = ""


def pushed(repository: Repository, push: Push) -> tuple[Source, ...]:
    """The ranges a push adds to its remote, each once; none for one that only deletes. ChangeError for lines git never wrote."""
    if push.lines.strip():
        sources = [source for line in push.lines.split("\n") if line for source in _listed(repository, line, push.remote)]
    else:
        head = repository.find(push.head) or repository.commit("HEAD")
        sources = [_new(repository, head, push.remote, "HEAD")]
    return tuple({(source.base, source.head): source for source in sources}.values())


def ranged(repository: Repository, first: str, last: str) -> Source:
    """From the common ancestor of two refs to the second; from the first itself where they have none, as after a rewrite."""
    base, head = repository.commit(first), repository.commit(last)
    found = repository.ancestor(head, [base])
    if not found and repository.is_shallow:
        raise ChangeError(f"this shallow clone does not reach a common ancestor of {base[:12]} and {head[:12]}", _DEEPEN)
    return Source("range", f"{_short(first)}{'...' if found else '..'}{_short(last)}", found or base, head)


def _short(ref: str) -> str:
    return ref[:12] if _NAME.fullmatch(ref) else ref


def _listed(repository: Repository, line: str, remote: str) -> Iterator[Source]:
    """The range of one line. What is deleted, or is no commit (a tag of a file), sends no code to audit."""
    parts = line.rsplit(" ", 3)  # a local ref may be an expression with spaces in it
    if len(parts) != 4 or not (_NAME.fullmatch(parts[1]) and _NAME.fullmatch(parts[3])):
        message = f"standard input: {shown_path(line.encode('utf-8', 'surrogateescape'))[:80]!r} is no line of a pre-push hook"
        raise ChangeError(message, "git writes <local ref> <local name> <remote ref> <remote name>")
    local, name, _, there = parts
    if not _is_none(name) and (head := repository.find(name)):
        known = "" if _is_none(there) else repository.find(there)
        yield ranged(repository, known, head) if known else _new(repository, head, remote, local)


def _is_none(name: str) -> bool:
    return set(name) == {"0"}


def _new(repository: Repository, head: str, remote: str, shown: str) -> Source:
    """What a commit adds to the branch it follows, else to all that the remote is known to have; all of it on a first push."""
    upstream = repository.find("@{upstream}") if head == repository.find("HEAD") else ""
    if upstream and (base := repository.ancestor(head, [upstream])):
        return Source("range", f"@{{upstream}}...{shown}", base, head)
    for below in (f"refs/remotes/{remote}/", "refs/remotes/") if remote else ("refs/remotes/",):
        if base := repository.ancestor(head, repository.refs(below)):
            return Source("range", f"{below.removesuffix('/')}...{shown}", base, head)
    if repository.is_shallow:
        raise ChangeError("this shallow clone does not reach what the remote has", _DEEPEN)
    if not remote:
        raise ChangeError(
            f"nothing to compare {head[:12]} with: no upstream branch, and no branch of a remote is known", _BY_HAND
        )
    return Source("range", shown, repository.empty_tree, head)
