"""Measures in Markdown, read back by a parser: tables keep their cells whatever a text holds."""

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.measures import clean, measures, study
from support.pools import FRAGMENTS, evil, poison

from venire.model.measures import Measures
from venire.report.measured import render_measures

CANARY = "zqxj"


def tokens(page: Measures) -> list[Token]:
    """Block and inline tokens, as a parser with tables, HTML and autolinks on sees them."""
    blocks = MarkdownIt("gfm-like").parse(render_measures(page, "markdown"))
    return [token for block in blocks for token in (block, *(block.children or ()))]


def shape(tokens: list[Token]) -> list[tuple[str, str, int]]:
    return [(token.type, token.tag, token.level) for token in tokens]


def check(text: str) -> None:
    small = measures(studies=(study(), clean()))
    hostile = tokens(poison(small, text))
    assert shape(hostile) == shape(tokens(poison(small, "x")))
    for token in hostile:
        assert token.type not in ("link_open", "image", "html_inline", "html_block")
        assert CANARY not in token.content or token.type in ("code_inline", "inline")


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_no_known_attack_changes_the_structure(fragment: str) -> None:
    check(fragment + CANARY + fragment)


@given(evil, evil)
@settings(max_examples=25, deadline=None)
def test_no_text_changes_the_structure(before: str, after: str) -> None:
    check(before + CANARY + after)


def test_every_table_is_a_table() -> None:
    """Title lines of tables are followed by one, with as many cells in every row as in its head."""
    page = render_measures(measures(), "markdown")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    opened = [token for token in tokens(measures()) if token.type == "table_open"]
    assert len(opened) == sum(1 for line in rows if set(line) <= set("|-: "))
    assert sum(token.type == "tr_open" for token in tokens(measures())) == len(rows) - len(opened)
