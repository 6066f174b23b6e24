"""A source (working tree, index, range, patch or paths) → the change: its targets and what was left out."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from venire.change import disk
from venire.change.content import HUNKS_ONLY, Content, Entry, Side, shown_path
from venire.change.git import GITLINK, Blobs, Raw, Repository
from venire.change.image import images, pieces
from venire.change.patch import FilePatch, parse
from venire.change.targets import assemble
from venire.errors import ChangeError
from venire.model import Change, Skipped, Source

FILE = "100644"
"""git's mode of a plain file."""


def collect(source: Source, root: Path, *, paths: Sequence[str] = (), patch: bytes = b"", ignore: Sequence[str] = ()) -> Change:
    """Targets (by path, without windows), skipped files, and the source with its revisions filled in.

    ``root`` is the top of the repository, or any folder in the modes that need none. ``paths`` are relative to the current
    folder: what to audit in mode ``paths``, and what to keep of the change in the others. ``ignore`` are globs with git's
    meaning. Raises ``ChangeError``.
    """
    limits = disk.inside(root, tuple(paths))
    extra: tuple[Skipped, ...] = ()
    with ExitStack() as stack:
        match source.mode:
            case "paths":
                entries, extra = _files(root, limits)
            case "patch":
                entries = _within(_patched(root, patch), limits, root)
            case _:
                source, entries = _from_git(source, root, stack)
                entries = _within(entries, limits, root)
        targets, skipped = assemble(entries, ignore)
    return Change(replace(source, spec=shown_path(source.spec.encode("utf-8", "surrogateescape"))), targets, (*skipped, *extra))


def _within(entries: list[Entry], limits: tuple[bytes, ...], root: Path) -> list[Entry]:
    kept = [entry for entry in entries if not limits or any(_is_below(entry.path, limit) for limit in limits)]
    for limit in limits:
        if disk.kind(root, limit) == "missing" and not any(_is_below(entry.path, limit) for entry in kept):
            raise _absent(limit)
    return kept


def _is_below(path: bytes, limit: bytes) -> bool:
    return not limit or path == limit or path.startswith(limit + b"/")


def _absent(path: bytes) -> ChangeError:
    return ChangeError(
        f"{shown_path(path)!r} does not exist", remedy="paths are relative to the current folder; look at the spelling"
    )


# ---------------------------------------------------------------- git


def _from_git(source: Source, root: Path, stack: ExitStack) -> tuple[Source, list[Entry]]:
    repository = Repository.open(root)
    blobs = stack.enter_context(repository.blobs())
    if source.mode == "range":
        base, head = (source.base, source.head) if source.head else _ends(repository, source.spec)
        return replace(source, base=base, head=head), [_stored(raw, blobs) for raw in repository.between(base, head)]
    base = repository.head()
    tree = base or repository.empty_tree
    if source.mode == "staged":
        return replace(source, base=base), [_stored(raw, blobs) for raw in repository.staged(tree)]
    return replace(source, base=base), _worktree(repository, tree, blobs)


def _ends(repository: Repository, spec: str) -> tuple[str, str]:
    """The two commits of ``A...B`` (from their common ancestor), ``A..B``, or ``A`` (to HEAD). An end left out is HEAD."""
    first, dots, second = spec.partition("...") if "..." in spec else spec.partition("..")
    if not first and not second:
        raise ChangeError(f"{spec!r} is not a range", remedy="give A...B, A..B or A")
    base, head = (repository.commit(ref or "HEAD") for ref in (first, second))
    return (repository.merge_base(base, head) if dots == "..." else base), head


def _stored(raw: Raw, blobs: Blobs) -> Entry:
    old = None if raw.is_added else Side(raw.old_mode, partial(blobs.read, raw.old), raw.old)
    return Entry(raw.path, old, None if raw.is_deleted else Side(raw.new_mode, partial(blobs.read, raw.new), raw.new))


def _worktree(repository: Repository, tree: str, blobs: Blobs) -> list[Entry]:
    """git's candidates and untracked files. A path taken out of the index alone is in both lists: it is a changed file."""
    raws = {raw.path: raw for raw in repository.worktree(tree)}
    entries = [_stored(raw, blobs) for raw in raws.values()]
    on_disk = {raw.path for raw in raws.values() if not raw.is_deleted}
    untracked = set(repository.untracked())
    seen = [_on_disk(entry, repository.root) if entry.path in on_disk | untracked else entry for entry in entries]
    return sorted(
        [*seen, *(_on_disk(Entry(path, None, None), repository.root) for path in untracked - raws.keys())],
        key=lambda entry: entry.path,
    )


def _on_disk(entry: Entry, root: Path) -> Entry:
    """The entry with the file on the disk for its new side."""
    if entry.path.endswith(b"/"):
        return replace(entry, path=entry.path[:-1], new=Side(GITLINK, Content))
    mode = entry.new.mode if entry.new else entry.old.mode if entry.old else FILE
    return replace(entry, new=Side(mode, partial(disk.read, root, entry.path)))


# ---------------------------------------------------------------- paths


def _files(root: Path, limits: tuple[bytes, ...]) -> tuple[list[Entry], tuple[Skipped, ...]]:
    if not limits:
        raise ChangeError("no path is given", remedy="name files or folders: venire audit PATH...")
    listed = {limit: list(_listed(root, limit)) for limit in limits}
    found = sorted({path for paths in listed.values() for path in paths})
    bare = (shown_path(limit) or "." for limit, paths in listed.items() if not paths)
    skipped = tuple(Skipped(path, "empty", "no file here that git does not ignore") for path in bare)
    return [_on_disk(Entry(path, None, None), root) for path in found], skipped


def _listed(root: Path, limit: bytes) -> Iterator[bytes]:
    """The files a path stands for. A file named by itself is audited even when git ignores it."""
    match disk.kind(root, limit) if limit else "folder":
        case "missing":
            raise _absent(limit)
        case "folder" if (root / ".git").exists():
            yield from (path for path in Repository.open(root).known(limit) if disk.kind(root, path.rstrip(b"/")) != "missing")
        case "folder":
            yield from disk.walk(root, limit)
        case _:
            yield limit


# ---------------------------------------------------------------- patch


def _patched(root: Path, patch: bytes) -> list[Entry]:
    """One entry a path; a series of patches may touch a file more than once."""
    by_path: dict[bytes, list[FilePatch]] = {}
    for file in parse(patch):
        by_path.setdefault(file.path, []).append(file)
    return [_patched_file(root, path, files) for path, files in sorted(by_path.items())]


def _patched_file(root: Path, path: bytes, files: list[FilePatch]) -> Entry:
    last, moved = files[-1], next((file.old for file in files if file.old not in (b"", path)), b"")
    if last.is_deleted:
        return Entry(path, None, None)
    if last.is_binary:
        return Entry(path, None, Side(last.mode, partial(Content, reason="binary")))
    if not any(file.hunks for file in files):
        return _unedited(path, last, moved)
    known = _known(root, path, files, moved)
    if known:
        old, new = (Side(last.mode, partial(Content, data)) for data in known)
        return Entry(path, None if not files[0].old else old, new, moved=moved)
    content, changed = pieces(files)
    return Entry(path, None, Side(last.mode, lambda: content), changed=changed, moved=moved, notes=(HUNKS_ONLY,))


def _unedited(path: bytes, file: FilePatch, moved: bytes) -> Entry:
    """A file without hunks: empty when it is new, else only its name or mode changed."""
    if not file.old:
        return Entry(path, None, Side(file.mode, Content))
    return Entry(path, Side("", Content, "same"), Side(file.mode, Content, "same"), moved=moved)


def _known(root: Path, path: bytes, files: list[FilePatch], moved: bytes) -> tuple[bytes, bytes] | None:
    """Old and new bytes, where the disk holds the file as it is after the patch, or before it."""
    for place in filter(None, (path, moved)):
        content = disk.read(root, place)
        if content.reason is None and (found := images(files, content.data)):
            return found
    return images(files, b"") if not files[0].old else None
