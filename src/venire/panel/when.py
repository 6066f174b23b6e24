"""Where a bucket or check applies: OR inside a field, AND across fields, ``!`` bars, and no level can relax the one above it."""

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase

from venire.model import Bucket, Check, Target, When

AND = "&&"
"""Stands between the entries of two levels that share a field: both levels must hold. No criteria file may use it as an entry."""


def applicable(bucket: Bucket, target: Target, model: str) -> tuple[Check, ...]:
    """The checks of a bucket that are asked about a target: file, bucket and check level must all hold."""
    if not (holds(bucket.file_when, target, model) and holds(bucket.when, target, model)):
        return ()
    return tuple(check for check in bucket.checks if holds(check.when, target, model))


def holds(when: When, target: Target, model: str) -> bool:
    """Whether every field that says anything matches. Language and model do not mind case; a path is as git has it."""
    return (
        _field(when.language, lambda entry: entry.lower() == target.language.lower())
        and _field(when.model, lambda entry: fnmatchcase(model.lower(), entry.lower()))
        and _field(when.path, lambda entry: is_under(entry, target.path))
    )


def both(outer: When, inner: When) -> When:
    """A When that holds where both hold."""
    return When(
        language=_joined(outer.language, inner.language),
        path=_joined(outer.path, inner.path),
        model=_joined(outer.model, inner.model),
    )


def is_under(pattern: str, path: str) -> bool:
    """Whether a path matches a glob in the meaning of .gitignore; ValueError when git could not read the glob."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([pattern]).match_file(path)


def languages() -> tuple[str, ...]:
    """Every word a target's language can be."""
    from identify.identify import ALL_TAGS

    return tuple(sorted(ALL_TAGS))


def _joined(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    return (*outer, AND, *inner) if outer and inner else outer or inner


def _field(entries: Sequence[str], matches: Callable[[str], bool]) -> bool:
    return all(_level(level, matches) for level in _levels(entries))


def _levels(entries: Sequence[str]) -> Iterator[Sequence[str]]:
    first = 0
    for position, entry in enumerate(entries):
        if entry == AND:
            yield entries[first:position]
            first = position + 1
    yield entries[first:]


def _level(entries: Sequence[str], matches: Callable[[str], bool]) -> bool:
    wanted = [entry for entry in entries if not entry.startswith("!")]
    barred = [entry[1:] for entry in entries if entry.startswith("!")]
    return (not wanted or any(map(matches, wanted))) and not any(map(matches, barred))
