"""The Markdown report, read back by a Markdown parser: no foreign text becomes structure, a link, an image, HTML or a mention."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.pools import FRAGMENTS, candidate, evil, label, poison, pool, rare_and_severe, severe_among_frequent, troubled

from venire.model import Lane, Pool
from venire.report import render

CANARY = "zqxj"
OURS = re.compile(r"<details><summary>[^<>&]*</summary>\n|</details>\n")


def tokens(pool: Pool) -> Iterator[Token]:
    """Block and inline tokens, as a parser with tables, strikethrough, HTML and autolinks on sees them."""
    for token in MarkdownIt("gfm-like").parse(render(pool, "markdown")):
        yield token
        yield from token.children or ()


def shape(tokens: list[Token]) -> list[tuple[str, str, int]]:
    return [(token.type, token.tag, token.level) for token in tokens]


def check(text: str) -> None:
    """``text`` everywhere in a pool leaves the report's structure alone, and stands in code only."""
    hostile = list(tokens(poison(troubled(), text)))
    assert shape(hostile) == shape(list(tokens(poison(troubled(), "x" * len(text)))))
    for token in hostile:
        assert token.type not in ("link_open", "image", "html_inline", "table_open")
        assert token.type != "html_block" or OURS.fullmatch(token.content)
        assert CANARY not in token.content or token.type in ("code_inline", "fence", "inline")


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_no_known_attack_changes_the_structure(fragment: str) -> None:
    check(fragment + CANARY + fragment)


@given(evil, evil)
@settings(max_examples=40, deadline=None)
def test_no_text_changes_the_structure(before: str, after: str) -> None:
    check(before + CANARY + after)


@given(evil)
@settings(max_examples=25, deadline=None)
def test_foreign_text_never_begins_a_line(text: str) -> None:
    """Robots that read comments obey a slash command at the start of a raw line, also inside a fence."""
    ours = re.compile(r"$|#{2,4} |- |`{3,}|\*\*\d|\s*\S+ │( |$)|\| |</?details>|Votes |`")
    for line in render(poison(troubled(), text), "markdown").splitlines():
        assert ours.match(line), line
        assert not line.lstrip().startswith("/")


def test_no_foreign_text_can_begin_an_html_comment() -> None:
    """A comment's marker is looked for in the raw text."""
    assert "<!--" not in render(poison(troubled(), "<!-- venire -->"), "markdown")


def test_the_language_of_a_file_does_not_choose_a_renderer() -> None:
    """A forge draws fences called mermaid or math."""
    assert {token.info for token in tokens(troubled()) if token.type == "fence"} == {"text"}


def test_a_severe_candidate_of_one_run_is_on_the_first_screen() -> None:
    top = "\n".join(render(severe_among_frequent(), "markdown").splitlines()[:40])
    assert "#### `src/query.py:9` · high · 1 of 51 runs" in top


def test_the_rarest_of_many_severe_candidates_is_on_the_first_screen() -> None:
    many = [candidate(51 - number, lane=Lane.SEVERE, first=10 * number) for number in range(1, 11)]
    crowd = pool(*many, rare_and_severe(), reasons=("r" * 300,) * 30, status="partial")
    top = "\n".join(render(crowd, "markdown").splitlines()[:40])
    assert "- 1 of 51 runs: `src/query.py:9` high" in top


def test_rest_and_outside_are_folded_and_whole() -> None:
    text = render(troubled(), "markdown")
    folded = text[text.index("<details><summary>Rest: 1 candidate") : text.index("3 failed samples")]
    assert "#### `deploy/run.sh:12-14`" in folded
    assert "#### `src/store.py:80`" in folded


def test_the_whole_head_of_the_record_is_shown() -> None:
    assert f"record: head `{troubled().head}`" in render(troubled(), "markdown")


def test_every_vote_of_every_check_is_in_the_table() -> None:
    text = render(troubled(), "markdown")
    for score in troubled().scores:
        row = f"|{score.passed:>6}{score.failed:>6}{score.no_vote:>8}  {score.bucket}::{score.check} in {score.path} window 0"
        assert row in text


def test_a_card_without_labels_or_code_still_renders() -> None:
    text = render(pool(candidate(labels=(), code=())), "markdown")
    assert "problem: `The file is opened" in text


def test_labels_at_odds_are_said_to_be() -> None:
    one = candidate(48, labels=(label("correctness::check_3", 24), label("correctness::check_1", 24)))
    assert "**48 of 51 runs point here; they do not agree why**" in render(pool(one), "markdown")
