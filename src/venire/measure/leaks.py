"""A labelled target → the places where its text gives its own labels away. The first pitfall of the seed experiment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from venire.model import Truth

MARKS = re.compile(
    r"\b(defects?|bugs?|buggy|vuln\w*|insecure|unsafe|seeded|mutants?|mutated|fixme|cwe-\d+|ground.truth|decoys?"
    r"|expected (finding|issue|error)s?|injected (fault|defect|bug)s?)\b",
    re.IGNORECASE,
)
COMMENT = re.compile(r"(#|//|/\*|--|;|<!--|\"\"\"|''')(?P<words>.*)")
SPLIT = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
LEAST = 6  # letters of a label that must be found whole; shorter ones are ordinary words


@dataclass(frozen=True, slots=True)
class Leak:
    """A line (0: the file's name) and the words on it that a model must not see."""

    line: int
    words: str


def leaks(path: str, text: str, truths: Iterable[Truth]) -> tuple[Leak, ...]:
    """Where the name or a comment marks a defect, or any line spells a truth's id or label. In the order of the lines."""
    spelled = sorted({name for truth in truths for name in (truth.id, *truth.labels) if len(_plain(name)) >= LEAST})
    rows = [(0, path.replace("\\", "/").rpartition("/")[2]), *enumerate(text.split("\n"), 1)]
    return tuple(Leak(number, words) for number, row in rows for words in _found(number, row, spelled))


def _found(number: int, row: str, spelled: Iterable[str]) -> Iterator[str]:
    said = COMMENT.search(row) if number else re.search("(?P<words>.*)", row.replace("_", " ").replace("-", " "))
    if said and (mark := MARKS.search(said["words"])):
        yield mark[0]
    plain = _plain(row)
    yield from (name for name in spelled if _plain(name) in plain)


def _plain(text: str) -> str:
    """Letters and digits only, in lower case: SQLInjection, sql_injection and "SQL injection" are one."""
    return "".join(SPLIT.split(text)).lower()
