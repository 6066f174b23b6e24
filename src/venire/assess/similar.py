"""How alike two statements read, by their tokens."""

import re
from difflib import SequenceMatcher

SAME = 0.8
"""From this likeness on a statement counts as edited, below it as another one."""

TOKENS = 300
"""Tokens of a statement that are compared; a longer one is told by its beginning."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
LONGEST = 10_000  # characters looked at


def similarity(one: str, other: str) -> float:
    """0 to 1: twice the tokens in common, in order, over all tokens (Ratcliff and Obershelp, as ``difflib`` has it).

    Below ``SAME`` it is only a bound: not more than what is given.
    """
    a, b = (_TOKEN.findall(text[:LONGEST])[:TOKENS] for text in (one, other))
    if not a or not b:
        return 0.0
    compared = SequenceMatcher(None, a, b, autojunk=False)
    for bound in (compared.real_quick_ratio(), compared.quick_ratio()):
        if bound < SAME:  # both are never less than the ratio, and cost less
            return bound
    return compared.ratio()
