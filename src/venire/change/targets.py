"""Changed paths with their two sides → targets, and skipped files with their reasons."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from venire.change.content import Content, Entry, shown_path
from venire.change.diff import Comparison, Difference
from venire.change.git import GITLINK, LINK
from venire.change.text import LFS, decode, language, unfit
from venire.model import Reason, Skipped, Target


@dataclass(frozen=True, slots=True)
class _Draft:
    """A target whose changed lines are not known yet. ``has_old`` says that its old side takes part in the comparison."""

    entry: Entry
    target: Target
    has_old: bool = False


def assemble(entries: Sequence[Entry], ignore: Sequence[str]) -> tuple[tuple[Target, ...], tuple[Skipped, ...]]:
    """Targets and skipped files, both by path. A deleted and a new file that are alike are one renamed file."""
    is_ignored = _matcher(ignore)
    drafts: dict[int, _Draft] = {}
    skipped: dict[int, Skipped] = {}
    with Comparison() as comparison:
        intake = _Intake(comparison, _has_moves(entries))
        for number, entry in enumerate(entries):
            found = _looked_at(number, entry, is_ignored, intake)
            if isinstance(found, _Draft):
                drafts[number] = found
            elif found:
                skipped[number] = found
        differences = comparison.run()
    for new, difference in differences.items():
        if difference.old in skipped:
            del skipped[difference.old]
            drafts[new] = _renamed(drafts[new], entries[difference.old].path)
    done = [_finished(draft, differences.get(number)) for number, draft in drafts.items()]
    return _unlike([*done, *skipped.values()])


@dataclass(frozen=True, slots=True)
class _Intake:
    """Where contents are handed in. One-sided files are compared only when there are both kinds: a rename, perhaps."""

    comparison: Comparison
    has_moves: bool

    def add(self, number: int, old: bytes | None, new: bytes | None) -> None:
        if self.has_moves or (old is not None and new is not None):
            self.comparison.add(number, old, new)


def _has_moves(entries: Sequence[Entry]) -> bool:
    return any(entry.new is None for entry in entries) and any(entry.old is None for entry in entries)


def _matcher(ignore: Sequence[str]) -> Callable[[str], bool]:
    if not ignore:
        return lambda path: False
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(ignore)
    return lambda path: bool(spec.match_file(path))


def _looked_at(number: int, entry: Entry, is_ignored: Callable[[str], bool], intake: _Intake) -> _Draft | Skipped | None:
    """A draft, a skipped file, or nothing for a file that turns out to be as it was."""
    path = shown_path(entry.path)
    reason = _by_mode(entry, is_ignored(path))
    if reason == "deleted":
        intake.add(number, _old_bytes(entry), None)
    if reason or not entry.new:
        return Skipped(path, reason or "deleted", _mode_detail(entry) if reason == "mode only" else "")
    return _by_content(number, entry, path, entry.new.load(), intake)


def _by_mode(entry: Entry, is_ignored: bool) -> Reason | None:
    if is_ignored:
        return "ignored"
    if entry.new is None:
        return "deleted"
    if entry.new.mode in (GITLINK, LINK):
        return "submodule" if entry.new.mode == GITLINK else "symlink"
    return "mode only" if entry.old and entry.old.name and entry.old.name == entry.new.name else None


def _mode_detail(entry: Entry) -> str:
    if entry.moved:
        return f"renamed without edits from {shown_path(entry.moved)}"
    if entry.old and entry.new and _has_new_mode(entry):
        return f"{entry.old.mode} → {entry.new.mode}" if entry.old.mode else f"mode {entry.new.mode}"
    return "only line ends differ"


def _has_new_mode(entry: Entry) -> bool:
    return bool(entry.old and entry.new and entry.old.mode != entry.new.mode)


def _by_content(number: int, entry: Entry, path: str, content: Content, intake: _Intake) -> _Draft | Skipped | None:
    old = _old_bytes(entry)
    if content.reason is None and old is not None and _is_same(old, content.data):
        return Skipped(path, "mode only", _mode_detail(entry)) if entry.moved or _has_new_mode(entry) else None
    if fault := unfit(path, content):
        return Skipped(path, fault[0], fault[1], is_gap=fault[2])
    intake.add(number, old, content.data)
    return _Draft(entry, _target(entry, path, content.data), has_old=old is not None)


def _old_bytes(entry: Entry) -> bytes | None:
    """The old side's bytes where they can be compared."""
    if entry.old is None or entry.old.mode in (GITLINK, LINK):
        return None
    content = entry.old.load()
    return None if content.reason else content.data


def _is_same(old: bytes, new: bytes) -> bool:
    """Equal, also when git holds a pointer to exactly the large file on the disk."""
    return old == new or (old.startswith(LFS) and f"oid sha256:{sha256(new).hexdigest()}".encode() in old)


def _target(entry: Entry, path: str, data: bytes) -> Target:
    text, notes = decode(data)
    moved = (f"renamed from {shown_path(entry.moved)}",) if entry.moved else ()
    digest = sha256(data).hexdigest()
    return Target(path, digest, text, language(path, data), entry.changed or (), notes=moved + entry.notes + notes)


def _renamed(draft: _Draft, old: bytes) -> _Draft:
    entry = Entry(draft.entry.path, None, draft.entry.new, moved=old)
    return _Draft(entry, replace(draft.target, notes=(f"renamed from {shown_path(old)}", *draft.target.notes)), has_old=True)


def _finished(draft: _Draft, difference: Difference | None) -> Target | Skipped:
    last = len(draft.target.lines)
    if draft.entry.changed is not None:
        return draft.target
    if not draft.has_old:
        return replace(draft.target, changed=((1, last),))
    if not difference or not difference.hunks:
        return Skipped(draft.target.path, "mode only", _mode_detail(draft.entry))
    return replace(draft.target, changed=difference.changed(last))


def _unlike(results: Iterable[Target | Skipped]) -> tuple[tuple[Target, ...], tuple[Skipped, ...]]:
    """Sorted, and no two targets of one name: names that only differ in bytes that are not UTF-8 could read alike."""
    targets: dict[str, Target] = {}
    skipped: list[Skipped] = []
    for result in results:
        if isinstance(result, Skipped):
            skipped.append(result)
        elif result.path in targets:
            skipped.append(Skipped(result.path, "unreadable", "another file's name reads the same", is_gap=True))
        else:
            targets[result.path] = result
    by_path = sorted(targets.items())
    return tuple(target for _, target in by_path), tuple(sorted(skipped, key=lambda item: (item.path, item.reason)))
