"""A unified diff, as bytes → one value a file: its path, its kind and its hunks. Headers are read here, hunks by unidiff."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from venire.change.diff import merged, touched
from venire.errors import ChangeError
from venire.model import Lines

if TYPE_CHECKING:
    from unidiff.patch import Hunk as UnidiffHunk

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-7]{3})')
ESCAPED = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
EXTENDED = ("old mode ", "new ", "deleted ", "similarity ", "dissimilarity ", "rename ", "copy ", "index ", "Binary ", "GIT ")
PREFIX = re.compile(rb"[abciow12]/")
REMEDY = "make it again: git diff --no-color --output=FILE A...B"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines as they were from line ``source_start`` on, and as they are from ``target_start`` on, without line ends.

    An empty side stands after the line that its start names. ``changed`` are lines of the new side. An open side ends its file
    without ``\\n``.
    """

    source_start: int
    source: tuple[bytes, ...]
    target_start: int
    target: tuple[bytes, ...]
    changed: tuple[Lines, ...]
    is_source_open: bool = False
    is_target_open: bool = False


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a patch does to one file. ``old`` is its old path: empty for a new file, and the same unless it is renamed."""

    path: bytes
    old: bytes
    mode: str
    is_deleted: bool
    is_binary: bool
    hunks: tuple[Hunk, ...]


def parse(patch: bytes) -> tuple[FilePatch, ...]:
    """Every file of a patch, in order; mail headers and other prose around it are passed over."""
    files = tuple(_file(section) for section in _sections(_lines(patch)) if section.is_real)
    if not files and patch.strip():
        raise ChangeError("patch line 1: there is no diff in it", remedy=REMEDY)
    return files


def _lines(patch: bytes) -> list[str]:
    try:
        lines = patch.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        place = patch.count(b"\n", 0, error.start) + 1
        raise ChangeError(
            f"patch line {place}: it is not UTF-8", remedy="audit the change itself: venire audit --diff A...B"
        ) from error
    if not lines[-1]:
        lines.pop()
    # every line, headers too: the patch as a whole was converted, not the files it speaks of
    return [line[:-1] for line in lines] if lines and all(line.endswith("\r") for line in lines) else lines


# ---------------------------------------------------------------- sections


@dataclass(slots=True)
class _Section:
    """The lines that speak of one file, and where they begin."""

    line: int
    git: str = ""  # what follows "diff --git "
    names: tuple[str, str] | None = None  # what follows "--- " and "+++ "
    header: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    @property
    def is_real(self) -> bool:
        """Not a line of prose that looks like a header."""
        return bool(self.names or (self.header and self.header[0].startswith(EXTENDED)))

    @property
    def is_open(self) -> bool:
        """A git header that still waits for the names of its files."""
        return bool(self.git) and not self.names and not self.is_binary

    @property
    def is_binary(self) -> bool:
        return any(line.startswith(("Binary files ", "GIT binary patch")) for line in self.header)

    def value(self, *starts: str) -> str:
        """What follows the first header line that begins so."""
        found = (line.removeprefix(start) for line in self.header for start in starts if line.startswith(start))
        return next(found, "")


def _fault(line: int, message: str, section: _Section | None = None) -> ChangeError:
    name = f" ({_named(section)!r})" if section else ""
    return ChangeError(f"patch line {line}{name}: {message}", remedy=REMEDY)


def _named(section: _Section) -> str:
    old, new = section.names or ("", section.git)
    return old if new.startswith("/dev/null") else new


def _sections(lines: list[str]) -> Iterator[_Section]:
    section: _Section | None = None
    at = 0
    while at < len(lines):
        started = _started(lines, at, section)
        if started and section:
            yield section
        section = started or section
        at = _taken(lines, at, section)
    if section:
        yield section


def _started(lines: list[str], at: int, section: _Section | None) -> _Section | None:
    """A new section when one begins at this line."""
    line = lines[at]
    if line.startswith("diff --git "):
        return _Section(at + 1, git=line.removeprefix("diff --git "))
    if (section and section.is_open) or not (_has_names(lines, at) or line.startswith("Binary files ")):
        return None
    return _Section(at + 1)


def _has_names(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def _taken(lines: list[str], at: int, section: _Section | None) -> int:
    """Puts what stands at this line into its section; returns the line to go on with."""
    line = lines[at]
    if line.startswith(("@@@ ", "diff --cc ", "diff --combined ")):
        raise _fault(at + 1, "a combined diff of a merge cannot be read", section)
    if line.startswith("@@ -"):
        if section is None or not section.names:
            raise _fault(at + 1, "a hunk without the name of its file", section)
        end = _hunk_end(lines, at, section)
        section.body += lines[at:end]
        return end
    if section and _has_names(lines, at):
        section.names = line[4:], lines[at + 1][4:]
        return at + 2
    if section and not section.body and not line.startswith("diff --git "):
        section.header.append(line)
    return at + 1


def _hunk_end(lines: list[str], at: int, section: _Section) -> int:
    """The line after a hunk, found by the counts in its header: what is inside is code, whatever it looks like."""
    header = HUNK.match(lines[at])
    if not header:
        raise _fault(at + 1, "a hunk's header cannot be read", section)
    old, new = (1 if count is None else int(count) for count in header.groups())
    end = at + 1
    while min(old, new) >= 0 < max(old, new) and end < len(lines) and lines[end][:1] in ("", " ", "-", "+", "\\"):
        mark = lines[end][:1]
        old -= mark in ("", " ", "-")
        new -= mark in ("", " ", "+")
        end += 1
    if min(old, new) < 0:
        raise _fault(end, "the hunk is longer than its header says", section)
    if max(old, new) > 0:
        raise _fault(end, "the hunk is shorter than its header says", section)
    if end < len(lines) and lines[end].startswith("\\"):
        end += 1
    after = lines[end] if end < len(lines) else ""
    if after[:1] in ("+", "-", " ") and after.rstrip() != "--" and not _has_names(lines, end):
        raise _fault(end + 1, "the hunk is longer than its header says", section)
    return end


# ---------------------------------------------------------------- one file


def _file(section: _Section) -> FilePatch:
    old, new = _paths(section)
    path = new or old
    if not path or any(part in (b"", b"..") or b"\0" in part for name in (old or path, path) for part in name.split(b"/")):
        raise _fault(section.line, "it names a path outside the root", section)
    mode = section.value("new file mode ", "deleted file mode ", "new mode ", "old mode ")
    return FilePatch(
        path,
        b"" if section.value("new file mode ") else old,
        mode or section.value("index ").partition(" ")[2] or "100644",
        is_deleted=not new or bool(section.value("deleted file mode ")),
        is_binary=section.is_binary,
        hunks=_hunks(section),
    )


def _paths(section: _Section) -> tuple[bytes, bytes]:
    """Old and new path; empty for ``/dev/null``."""
    moved = section.value("rename from ", "copy from "), section.value("rename to ", "copy to ")
    if all(moved):
        return _name(moved[0]), _name(moved[1])
    old, new = (_name(name) for name in section.names or _both(section))
    prefixes = [name[:2] for name in (old, new) if name != b"/dev/null"]
    if all(map(PREFIX.fullmatch, prefixes)) and len(set(prefixes)) == len(prefixes):
        old, new = (name if name == b"/dev/null" else name[2:] for name in (old, new))
    return _plain(old), _plain(new)


def _plain(name: bytes) -> bytes:
    return b"" if name == b"/dev/null" else name.removeprefix(b"./")


def _both(section: _Section) -> tuple[str, str]:
    """The two names in a ``diff --git`` or ``Binary files`` line, which nothing but their likeness keeps apart."""
    binary = re.match(r"Binary files (.+) and (.+) differ", section.header[0]) if section.header and not section.git else None
    if binary:
        return binary[1], binary[2]
    quoted = QUOTED.findall(section.git)
    if len(quoted) == 2:
        return f'"{quoted[0]}"', f'"{quoted[1]}"'
    half = len(section.git) // 2
    return section.git[:half], section.git[half + 1 :]


def _name(text: str) -> bytes:
    quoted = QUOTED.match(text)
    if not quoted:
        return text.partition("\t")[0].rstrip("\r").encode()
    return ESCAPE.sub(lambda found: bytes([_escaped(found[1])]), quoted[1].encode())


def _escaped(code: bytes) -> int:
    return ESCAPED[code[0]] if len(code) == 1 else int(code, 8) & 255


def _hunks(section: _Section) -> tuple[Hunk, ...]:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        parsed = PatchSet(["--- a\n", "+++ b\n", *(line + "\n" for line in section.body)])
    except UnidiffParseError as error:
        raise _fault(section.line, str(error).strip(), section) from error
    return tuple(_hunk(found) for file in parsed for found in file)


def _hunk(found: "UnidiffHunk") -> Hunk:
    marks = [(line.line_type, line.value.removesuffix("\n").encode()) for line in found]
    opens = {before for (before, _), (mark, _) in pairwise(marks) if mark == "\\"}
    return Hunk(
        found.source_start,
        tuple(text for mark, text in marks if mark in (" ", "-")),
        found.target_start,
        tuple(text for mark, text in marks if mark in (" ", "+")),
        _changed([mark for mark, _ in marks], found.target_start),
        is_source_open=bool(opens & {" ", "-"}),
        is_target_open=bool(opens & {" ", "+"}),
    )


def _changed(marks: list[str], start: int) -> tuple[Lines, ...]:
    """Lines of the new side that a run of ``-`` and ``+`` lines changed."""
    last = start + sum(mark in (" ", "+") for mark in marks) - 1
    runs, here, added, removed = [], start, 0, 0
    for mark in [*marks, " "]:
        if mark == " ":
            if added or removed:
                runs.append(touched(here if added else here - 1, added, last))
            here, added, removed = here + added + 1, 0, 0
        added += mark == "+"
        removed += mark == "-"
    return merged(runs)
