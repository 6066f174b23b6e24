"""Obvious defects of our own at the head and the tail of the code shown: a sample that reports neither may not have read it.

They are lines beside the file's: their labels begin with a letter, so no numbered line is ever one. In the schema they stand in
the enum of lines like any other. What a reply says of them is no claim about the file.
"""

from collections.abc import Sequence

LABELS = ("H1", "T1")
WORD = 12  # hex digits that tell one prompt's canaries from another's
BYTES = 300  # at most, of both lines and NOTE in a prompt
NOTE = "Lines H1 and T1 belong to the change: judge them like every other line."
"""Without it a model told to judge certain lines would be right to pass them over."""

Found = tuple[bool, bool]
"""Whether head and tail were reported."""


def plant(word: str) -> tuple[str, str]:
    """The lines at head and tail, as shown and as the enum has them, named after ``word``: WORD hex digits of no other meaning.

    They run input as code and divide by zero, so that most panels have a statement that they break.
    """
    half = WORD // 2
    return f"H1: value_{word[:half]} = eval(input()) / 0", f"T1: total_{word[half:]} = eval(input()) / 0"


def is_canary(line: str) -> bool:
    """Whether a line of an enum is planted."""
    return line.partition(":")[0] in LABELS


def found(asked: Sequence[str], said: Sequence[str]) -> Found | None:
    """Which canaries of the enum ``asked`` are among the lines ``said``; None where none is planted."""
    if not any(map(is_canary, asked)):
        return None
    labels = {line.partition(":")[0] for line in said}
    return LABELS[0] in labels, LABELS[1] in labels
