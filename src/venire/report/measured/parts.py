"""A page of measures as values: what every form shows, in one order and one wording.

Foreign text stays apart from ours until a form makes it inert.
"""

from dataclasses import dataclass, replace

from venire.model.measures import Study
from venire.report.inert import NAME


@dataclass(frozen=True, slots=True)
class Foreign:
    """Text a record, a truth file or a model wrote. ``leads`` to the section of that number where a form has links."""

    text: str
    limit: int = NAME
    leads: int = 0


Text = str | Foreign | tuple[str | Foreign, ...]
"""Ours, theirs, or both in a row."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal length under their heads. The first ``names`` columns are words, the others figures."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    names: int = 1
    notes: tuple[Text, ...] = ()
    """What the figures above do not tell, and how to read them."""
    drawing: int = -1
    """The column that draws with letters, one of the names; a form with pictures leaves it out."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what is said under them."""

    rows: tuple[tuple[Text, Text], ...]


@dataclass(frozen=True, slots=True)
class Items:
    title: str
    rows: tuple[Text, ...]
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The figures of a study, for a form that can draw."""

    study: Study


Part = Table | Facts | Items | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """``number`` tells sections apart; it is 0 where nothing leads to one."""

    title: Text
    parts: tuple[Part, ...]
    number: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]


def pieces(text: Text) -> tuple[str | Foreign, ...]:
    return text if isinstance(text, tuple) else (text,)


def undrawn(table: Table) -> Table:
    """The table without the column that draws."""
    if table.drawing < 0:
        return table
    keep = [index for index in range(len(table.heads)) if index != table.drawing]
    rows = tuple(tuple(row[index] for index in keep) for row in table.rows)
    return replace(table, heads=tuple(table.heads[index] for index in keep), rows=rows, names=table.names - 1, drawing=-1)


def listed(names: tuple[str, ...], limit: int = 60) -> tuple[str | Foreign, ...]:
    """Foreign names with commas between."""
    return tuple(piece for index, name in enumerate(names) for piece in ([", "] if index else []) + [Foreign(name, limit)])
