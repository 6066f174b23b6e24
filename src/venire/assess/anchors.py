"""The lines of a file → its anchors, and for every line the one anchor that owns it. A pure function of the file."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from venire.assess.identity import fp1, fp2
from venire.assess.statements import Span, parse, spans
from venire.assess.tokens import by_line
from venire.model import Anchor

PARAGRAPH = 5
"""Lines a paragraph may hold where statements are not known."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The anchors of a file. ``owners`` is by line, from line 1; ``homes`` by anchor: the header it is under, -1 for none."""

    anchors: tuple[Anchor, ...]
    owners: tuple[int, ...]
    homes: tuple[int, ...]

    def owner(self, line: int) -> Anchor:
        """The anchor of a line of the file, 1-based."""
        return self.anchors[self.owners[line - 1]]


def lay_out(lines: Sequence[str], language: str) -> Layout:
    """Statements for Python that parses, else paragraphs, whose identity is weak. A file without lines gets one empty anchor."""
    lines = lines or ("",)
    if language == "python":
        # Python counts a lone carriage return as a line end; git, and so the model's view, does not.
        source = "\n".join(line.replace("\r", " ") for line in lines).removeprefix("\ufeff")
        tree = parse(source)
        if tree is not None and tree.body:
            tokens = by_line(source)
            words = [" ".join(tokens.get(n, ())) for n in range(1, len(lines) + 1)]
            return _assemble(spans(tree, sorted(tokens)), lines, words, is_weak=False)
    words = [" ".join(line.split()) for line in lines]
    return _assemble(list(_paragraphs(words)), lines, words, is_weak=True)


def _paragraphs(words: Sequence[str]) -> Iterator[Span]:
    start = 0
    for n, text in enumerate([*words, ""], start=1):
        if text and not start:
            start = n
        elif start and (not text or n - start == PARAGRAPH):
            yield Span(start, n - 1, "", -1)
            start = n if text else 0
    if not any(words):
        yield Span(1, len(words), "", -1)


def _assemble(found: list[Span], lines: Sequence[str], words: Sequence[str], *, is_weak: bool) -> Layout:
    """Anchors of the spans that own a line; of several on one line the shortest owns it, then the first."""
    painted = [-1] * len(lines)
    for place in sorted(range(len(found)), key=lambda n: (found[n].first - found[n].last, -n)):
        span = found[place]
        painted[span.first - 1 : span.last] = [place] * (span.last - span.first + 1)
    owners = _fill(painted, lines)
    kept = sorted(set(owners))
    index = {place: n for n, place in enumerate(kept)} | {-1: -1}
    anchors = _name([found[place] for place in kept], words, is_weak=is_weak)
    return Layout(anchors, tuple(index[n] for n in owners), tuple(index[found[place].home] for place in kept))


def _fill(painted: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Owners for the lines no statement covers.

    A line with text (a comment, ``else:``) speaks of what follows it; a blank line belongs to the nearest line, upward on ties.
    """
    owned = [n for n, owner in enumerate(painted) if owner >= 0]
    owners = [painted[n] if painted[n] >= 0 or not line.strip() else painted[_next(owned, n)] for n, line in enumerate(lines)]
    spoken = [n for n, owner in enumerate(owners) if owner >= 0]
    return [owner if owner >= 0 else owners[_nearest(spoken, n)] for n, owner in enumerate(owners)]


def _next(rows: Sequence[int], n: int) -> int:
    return rows[min(bisect_left(rows, n), len(rows) - 1)]


def _nearest(rows: Sequence[int], n: int) -> int:
    place = bisect_left(rows, n)
    return min(rows[max(place - 1, 0) : place + 1], key=lambda row: (abs(row - n), row))


def _name(found: Sequence[Span], words: Sequence[str], *, is_weak: bool) -> tuple[Anchor, ...]:
    scoped: Counter[tuple[str, str]] = Counter()
    plain: Counter[str] = Counter()
    anchors = []
    for index, span in enumerate(found):
        text = " ".join(word for word in words[span.first - 1 : span.last] if word)
        scoped[span.scope, text] += 1
        plain[text] += 1
        one, two = fp1(span.scope, text, scoped[span.scope, text]), fp2(text, plain[text])
        anchors.append(Anchor(index, span.scope, span.first, span.last, text, one, two, is_weak))
    return tuple(anchors)
