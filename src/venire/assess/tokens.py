"""Python source → its tokens by line, without comments and layout.

Not the ``tokenize`` module: what it yields (for f-strings above all) differs between Python versions, and a
fingerprint must not.
"""

import re
from collections import defaultdict

_TOKEN = re.compile(
    r"""
      (?P<long>[rbuftRBUFT]{0,3}(?P<fence>\"{3}|'{3})(?:\\.|[^\\])*?(?P=fence))
    | (?P<short>[rbuftRBUFT]{0,3}(?P<mark>["'])(?:\\.|(?!(?P=mark))[^\n\\])*(?P=mark))
    | (?P<layout>\#[^\n]*|\\?\s+)
    | (?P<plain>\w+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_MARGIN = re.compile(r"\s*\n\s*")


def by_line(source: str) -> dict[int, list[str]]:
    """The tokens that start on each line, 1-based; lines without any are absent.

    Margins inside a long string are layout too: a block that moves in by four columns keeps its tokens.
    """
    rows: dict[int, list[str]] = defaultdict(list)
    row = 1
    for match in _TOKEN.finditer(source):
        token = match.group()
        if match.lastgroup != "layout":
            rows[row].append(_MARGIN.sub("\n", token) if match.lastgroup == "long" else token)
        row += token.count("\n")
    return dict(rows)
