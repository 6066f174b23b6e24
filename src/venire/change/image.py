"""A patch and the file it speaks of → the file's old and new bytes, or only the lines that the patch shows."""

from collections.abc import Iterable, Sequence

from venire.change.content import MAX_BYTES, Content, too_large
from venire.change.diff import merged
from venire.change.patch import FilePatch, Hunk
from venire.model import Lines


def images(patches: Sequence[FilePatch], data: bytes) -> tuple[bytes, bytes] | None:
    """Old and new bytes when ``data`` is the file after these patches, or before them; else nothing.

    When both fit (a hunk without context may fit anywhere), the side with more lines to compare is believed, at a tie the new.
    """
    before, after = _applied(reversed(patches), data, is_back=True), _applied(patches, data, is_back=False)
    if before is not None and after is not None:
        is_old = sum(len(hunk.source) - len(hunk.target) for patch in patches for hunk in patch.hunks) > 0
        before, after = (None, after) if is_old else (before, None)
    if before is not None:
        return before, data
    return None if after is None else (data, after)


def _applied(patches: Iterable[FilePatch], data: bytes, *, is_back: bool) -> bytes | None:
    result: bytes | None = data
    for patch in patches:
        result = None if result is None else _apply(result, [_back(hunk) for hunk in patch.hunks] if is_back else patch.hunks)
    return result


def _back(hunk: Hunk) -> Hunk:
    return Hunk(hunk.target_start, hunk.target, hunk.source_start, hunk.source, (), hunk.is_target_open, hunk.is_source_open)


def _apply(data: bytes, hunks: Sequence[Hunk]) -> bytes | None:
    """The file after the hunks, or nothing when a line is not as a hunk says. Line ends may differ."""
    lines = data.split(b"\n")
    is_open = bool(lines.pop())
    if is_open:
        lines = data.split(b"\n")
    was_open = is_open
    result: list[bytes] = []
    at = 0
    for hunk in hunks:
        start = hunk.source_start - 1 if hunk.source else hunk.source_start
        end = start + len(hunk.source)
        found = lines[start:end] if start >= at else []
        if start < at or end > len(lines) or [_bare(line) for line in found] != [_bare(line) for line in hunk.source]:
            return None
        if hunk.source and end == len(lines) and hunk.is_source_open != was_open:
            return None
        result += lines[at:start] + _ended(hunk.target, _has_cr(found) and not _has_cr(hunk.source))
        at = end
        is_open = hunk.is_target_open if end == len(lines) else is_open
    result += lines[at:]
    return b"\n".join(result) + (b"" if is_open or not result else b"\n")


def _bare(line: bytes) -> bytes:
    return line.removesuffix(b"\r")


def _has_cr(lines: Sequence[bytes]) -> bool:
    return any(line.endswith(b"\r") for line in lines)


def _ended(lines: Sequence[bytes], is_crlf: bool) -> list[bytes]:
    return [line + b"\r" for line in lines] if is_crlf else list(lines)


def pieces(patches: Sequence[FilePatch]) -> tuple[Content, tuple[Lines, ...]]:
    """The lines that patches, one after the other, leave known: a text that is blank elsewhere, and which lines changed."""
    known: dict[int, bytes] = {}
    changed: set[int] = set()
    for patch in patches:
        known = _moved(known, patch.hunks)
        changed = set(_moved(dict.fromkeys(changed, b""), patch.hunks))
        for hunk in patch.hunks:
            known.update(enumerate(hunk.target, hunk.target_start))
            changed.update(line for first, last in hunk.changed for line in range(first, last + 1))
    last = max(known, default=0)
    size = last + sum(map(len, known.values()))
    if size > MAX_BYTES:
        return too_large(b"", size), ()
    text = b"".join(known.get(line, b"") + b"\n" for line in range(1, last + 1))
    return Content(text), merged((line, line) for line in changed if line <= last)


def _moved(known: dict[int, bytes], hunks: Sequence[Hunk]) -> dict[int, bytes]:
    """Known lines at their numbers after the hunks; those a hunk takes away or shows anew are left out."""
    result = dict(known)
    for hunk in hunks:
        first = hunk.source_start + (not hunk.source)
        behind, shift = first + len(hunk.source), len(hunk.target) - len(hunk.source)
        # hunks come in order, so the numbers so far are shifted by the hunks before this one
        offset = hunk.target_start + (not hunk.target) - first
        kept = {line: text for line, text in result.items() if line < first + offset}
        result = kept | {line + shift: text for line, text in result.items() if line >= behind + offset}
    return result
