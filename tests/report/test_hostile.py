"""Hostile text of a model, a file name or a criteria file does nothing in any form: rendered as a forge renders it, read as a
CI runner reads it, parsed as a program parses it."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.gfm import Page, commands, page
from support.pools import FRAGMENTS, candidate, evil, judged, poison, pool, troubled

from venire.model import Candidate, Pool
from venire.report import render
from venire.report.comment import Stamp, comment

STAMP = Stamp("venire", "b" * 40, "4f" * 32, 12)
CANARY = "zqxj"
MORE = (
    "@zqxj", "@zqxj/team", "zqxj@e.example", "#123", "owner/zqxj#123", "GH-1", "https://zqxj.example/x", "http://zqxj",
    "www.zqxj.example", "ftp://zqxj.example", "mailto:a@zqxj.example", "xmpp:a@zqxj.example", "![zqxj](https://e.example)",
    "[zqxj](x)", "[zqxj]: x", "[zqxj][x]", "<img src=zqxj>", "<svg/onload=zqxj>", "<details><summary>zqxj</summary>",
    "</details></details>", "</code></pre>zqxj", "<!-- zqxj", "--!>", "<?zqxj", "<![CDATA[", "<!X", "&#64;zqxj", "`" * 300,
    "\n" + "`" * 300 + "\n", "~" * 9, "a|b|c\n|---|---|\n|d|e|", "[x] zqxj", "- [ ] zqxj", "> [!NOTE]\n> zqxj", "$$zqxj$$",
    "```mermaid\nzqxj\n```", "/approve zqxj", "/\u200bapprove", "\u2028::error::zqxj", "\x85::error::zqxj",
    "\r::error file=x::zqxj", "\n##[error]zqxj", "##[add-mask]zqxj", "%0A::error::zqxj", "%0a##[x]zqxj", "%25%0D",
    "::stop-commands::zqxj", "::add-matcher::zqxj", "\u202e\u2066zqxj", "z\u200dq\u200dx", "\ufeff::error::zqxj",
    "\x1b]8;;https://zqxj\x07", STAMP.marker,
)  # fmt: skip
MARKDOWN: dict[str, Callable[[Pool], str]] = {
    "comment": lambda pool: comment(pool, STAMP),
    "summary": lambda pool: render(pool, "summary"),
    "markdown": lambda pool: render(pool, "markdown"),
}
OURS = {"h2", "h3", "h4", "p", "code", "pre", "ul", "li", "details", "summary", "strong", "br", "blockquote"}
"""The only elements that a report has."""


def with_everything() -> Pool:
    """A partial audit by two models with every overlay: each place where a report shows foreign text."""
    part = troubled()
    return replace(
        judged(), candidates=judged().candidates + part.candidates, status=part.status, reasons=part.reasons, stop=part.stop,
        failures=part.failures, skipped=part.skipped, coverage=part.coverage, warnings=part.warnings,
        models=(*part.models, replace(part.models[0], name="another:1b")), effective=1.6,
    )  # fmt: skip


def inert(text: str, form: Callable[[Pool], str]) -> None:
    """``text`` in every foreign string leaves the page as a harmless word does, and stands in code only."""
    hostile = form(poison(with_everything(), text))
    found, harmless = page(hostile), page(form(poison(with_everything(), "x" * len(text))))
    assert shape(found) == shape(harmless)
    assert found.attributes == set()
    assert set(found.elements) <= OURS
    assert found.comments == harmless.comments
    assert not any(CANARY in part for part in found.active)
    assert commands(hostile) == []
    assert not re.search(r"^\s*/", hostile, re.MULTILINE)


def shape(found: Page) -> list[str]:
    """The elements in order: ``plain`` may cut a text differently, which never adds or takes an element."""
    return found.elements


@pytest.mark.parametrize("form", MARKDOWN)
@pytest.mark.parametrize("text", [*FRAGMENTS, *MORE])
def test_every_known_attack_is_inert_on_a_forge(text: str, form: str) -> None:
    inert(f"{text}{CANARY}{text}", MARKDOWN[form])


@given(evil, st.sampled_from(MORE), evil, st.sampled_from(sorted(MARKDOWN)))
@settings(max_examples=60, deadline=None)
def test_no_mixture_of_attacks_is_active_on_a_forge(before: str, middle: str, after: str, form: str) -> None:
    inert(before + middle + CANARY + after, MARKDOWN[form])


@pytest.mark.parametrize("form", MARKDOWN)
def test_a_string_of_a_megabyte_is_cut_and_does_nothing(form: str) -> None:
    for unit in ("![zqxj](https://e.example) ", "`", "\u202e", "@zqxj "):
        hostile = MARKDOWN[form](poison(with_everything(), unit * (1_000_000 // len(unit))))
        found = page(hostile)
        assert len(hostile) < 120_000
        assert set(found.elements) <= OURS
        assert not any(CANARY in part for part in found.active)


# ---------------------------------------------------------------- workflow commands


def spoken(text: str) -> None:
    """Only our own commands, with the values given, whatever the text."""
    log = render(poison(with_everything(), text), "annotations")
    lines = log.rstrip("\n").split("\n")
    told = commands(log)
    assert len(told) == len(lines)
    assert not any(mark in log for mark in ("\r", "\x85", "\u2028", "\x1b", "##["))
    for command in told:
        assert command.name in ("warning", "notice")
        assert {name for name, _ in command.properties} <= {"title", "file", "line", "endLine"}
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]", repr(command).replace("\\x", ""))
        assert all(name != "line" or value.isdigit() for name, value in command.properties)


@pytest.mark.parametrize("text", [*FRAGMENTS, *MORE])
def test_every_known_attack_is_inert_in_annotations(text: str) -> None:
    spoken(f"{text}{CANARY}{text}")


@given(evil, st.sampled_from(MORE))
@settings(max_examples=60, deadline=None)
def test_no_mixture_of_attacks_is_a_command(before: str, after: str) -> None:
    spoken(before + after)


def test_a_runner_reads_back_the_file_and_the_message_that_were_given() -> None:
    odd = "src/a,b:c%25=d.py"
    one = candidate(path=odd, problem="50% of x::y, z")
    (first, _) = commands(render(pool(one), "annotations"))
    assert dict(first.properties)["file"] == odd
    assert first.data.startswith("50% of x::y, z (")


# ---------------------------------------------------------------- forms for programs


DATA = {
    "path", "uri", "id", "ruleId", "value", "check_name", "name", "fingerprint", "venire/id", "venire/content", "venire/family",
    "venire/check", "venire/record", "venire/stmt/v1", "venire/text/v1",
}  # fmt: skip
"""Names, which a program needs as they are."""


def messages(value: object) -> list[str]:
    """Every text but names."""
    match value:
        case str():
            return [value]
        case list():
            return [text for one in value for text in messages(one)]
        case dict():
            return [text for key, one in value.items() if key not in DATA for text in messages(one)]
    return []


@given(st.one_of(evil, st.sampled_from(MORE)), st.sampled_from(["sarif", "codequality", "rdjsonl"]))
@settings(max_examples=60, deadline=None)
def test_forms_for_programs_stay_valid_and_say_nothing_to_a_runner(text: str, form: str) -> None:
    report = render(poison(with_everything(), text), form)
    assert report.isascii()
    assert commands(report) == []
    documents = [json.loads(line) for line in report.splitlines()] if form == "rdjsonl" else [json.loads(report)]
    for shown in messages(documents):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]", shown)


@pytest.mark.parametrize("text", MORE)
@pytest.mark.parametrize("form", ["codequality", "rdjsonl"])
def test_a_message_that_a_forge_renders_as_markdown_is_inert_there(text: str, form: str) -> None:
    one: Candidate = poison(candidate(), f"{text}{CANARY}{text}")
    report = render(pool(one), form)
    document = json.loads(report) if form == "codequality" else [json.loads(report)]
    found = page(document[0]["message" if form == "rdjsonl" else "description"])
    assert set(found.elements) <= {"p", "code"}
    assert not any(CANARY in part for part in found.active)
