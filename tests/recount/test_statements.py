"""The recount's own reading of a file: which statement a line belongs to."""

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.audits import FILES

from venire.assess.anchors import lay_out
from venire.recount.statements import code_lines, sheet, text_lines

STDLIB = Path(sysconfig.get_paths()["stdlib"])
MODULES = ("argparse", "ast", "contextlib", "dataclasses", "inspect", "tokenize", "typing")

TEXT = """\
import os

@cache
def get(a,
        b):
    # a comment

    try:
        return os.popen(
            a)
    except OSError:
        pass
    else:
        b()
"""


def spans(text: str, language: str = "python") -> list[tuple[int, int, str]]:
    made = sheet(text_lines(text), language)
    return [(statement.first, statement.last, statement.scope) for statement in made.statements]


def test_a_statement_is_its_lines_and_a_compound_one_its_header() -> None:
    assert spans(TEXT) == [
        (1, 1, ""), (3, 5, "get"), (8, 8, "get"), (9, 10, "get"), (11, 11, "get"), (12, 12, "get"), (14, 14, "get")
    ]  # fmt: skip


def test_a_comment_goes_to_what_follows_and_a_blank_line_to_the_nearest_upward_on_ties() -> None:
    assert sheet(text_lines(TEXT), "python").owners == (0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 6)


def test_of_several_statements_on_a_line_the_first_owns_it() -> None:
    assert spans("a = 1; b = 2\nif a: b\n") == [(1, 1, ""), (2, 2, "")]


def test_other_files_are_cut_into_paragraphs_of_five_lines() -> None:
    assert spans("1\n2\n3\n4\n5\n6\n\n\n9\n", "text") == [(1, 5, ""), (6, 6, ""), (9, 9, "")]
    assert spans("def f(:\n\nx\n") == [(1, 1, ""), (3, 3, "")]
    assert sheet([], "python").owners == (0,)


def same(text: str, language: str) -> None:
    lines = text_lines(text)
    ours, theirs = sheet(lines, language), lay_out(lines, language)
    assert [(s.first, s.last, s.scope) for s in ours.statements] == [(a.first, a.last, a.scope) for a in theirs.anchors]
    assert ours.owners == theirs.owners
    houses = [statement.house for statement in ours.statements]
    pairs = range(len(houses) - 1)
    assert [houses[n] == houses[n + 1] for n in pairs] == [theirs.homes[n] == theirs.homes[n + 1] for n in pairs]
    assert {anchor.is_weak for anchor in theirs.anchors} == {ours.is_weak}


@pytest.mark.parametrize("module", MODULES)
def test_it_reads_the_standard_library_as_the_assessment_does(module: str) -> None:
    text = (STDLIB / f"{module}.py").read_text("utf-8")
    same(text, "python")
    same(text, "text")


@pytest.mark.parametrize("name", FILES)
def test_it_reads_odd_files_as_the_assessment_does(name: str) -> None:
    language, text = FILES[name]
    same(text, language)


@given(
    st.lists(st.sampled_from((*TEXT.splitlines(), *FILES["app.py"][1].splitlines(), "", "x = '''", "'''", "\\", "else:", "\x0c")))
)
def test_it_reads_any_lines_as_the_assessment_does(lines: list[str]) -> None:
    same("\n".join(lines), "python")


def test_code_is_where_a_token_begins_outside_imports_and_docstrings() -> None:
    assert code_lines('"""Doc\nmore."""\nimport os\n\ndef f():\n    "doc"\n    # note\n    return (\n        1)\n') == {5, 8, 9}
