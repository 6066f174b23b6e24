"""Candidates by lane → as much of them as a limit allows: the least lane is cut first, from its bottom, and says how much."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from venire.report.inert import unspoken

Size = Callable[[str], int]
"""What a limit counts."""

GAP = 2
"""What stands between two entries: at most an empty line."""


def units(text: str) -> int:
    """UTF-16 units, which are never fewer than code points: a text within a limit in these is within it in both."""
    return len(text) + sum(char > "\uffff" for char in text)


def octets(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode("utf-8", "backslashreplace"))


@dataclass(frozen=True, slots=True)
class Section:
    """A lane. Each candidate has a line and, where it may have one, a card; both are asked for as far as there is room.

    ``opening`` and ``closing`` are there in any case. ``name`` stands in the line that says how many were left out.
    """

    name: str
    opening: str
    closing: str
    total: int
    lines: Iterable[str]
    cards: Iterable[str] = ()
    has_cards: bool = False

    def text(self, cards: list[str], lines: list[str]) -> str:
        """The section with these cards and, below them, these lines."""
        notes = [
            self._note("The cards of ", len(lines) if self.has_cards else 0),
            self._note("", self.total - len(cards) - len(lines)),
        ]
        return "\n\n".join(filter(None, [self.opening, *cards, "\n".join(lines), *notes, self.closing]))

    def frame(self, size: Size) -> int:
        """What the section takes beside its entries, at most."""
        notes = size(self._note("The cards of ", self.total)) + size(self._note("", self.total))
        return size(self.opening) + size(self.closing) + notes + 4 * GAP

    def _note(self, what: str, number: int) -> str:
        """How many of the candidates, or of what they have, there was no room for."""
        return f"**{what}{number:,} of {self.total:,} candidates ({self.name}) are not shown here.**" if number else ""


def fitted(sections: list[Section], room: int, size: Size) -> Iterator[str]:
    """The sections as text, together at most ``room`` long if their frames are.

    A candidate of a greater lane is a card before one of a lesser lane is anything at all.
    """
    room -= sum(section.frame(size) for section in sections)
    for section in sections:
        lines, room, is_cut = _lines(section, room, size)
        cards, room, is_cut = ([], room, True) if is_cut else _cards(section, lines, room, size)
        yield section.text(cards, lines[len(cards) :])
        room = 0 if is_cut else room


def _lines(section: Section, room: int, size: Size) -> tuple[list[str], int, bool]:
    """The lines that fit, the room left, and whether some did not."""
    kept: list[str] = []
    for line in map(unspoken, section.lines):
        if size(line) + GAP > room:
            return kept, room, True
        kept.append(line)
        room -= size(line) + GAP
    return kept, room, False


def _cards(section: Section, lines: list[str], room: int, size: Size) -> tuple[list[str], int, bool]:
    """The cards that fit in place of their lines, the room left, and whether some did not."""
    kept: list[str] = []
    for line, card in zip(lines, map(unspoken, section.cards), strict=False):
        more = size(card) - size(line)
        if more > room:
            return kept, room, True
        kept.append(card)
        room -= more
    return kept, room, False
