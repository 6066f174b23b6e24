"""Every line of a file has one owner, and a statement keeps its name through edits elsewhere."""

import sysconfig
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import layout

from venire.assess.anchors import lay_out
from venire.model import Anchor


def owners(text: str, language: str = "python") -> list[str]:
    """For each line of the file, the lines of its owner."""
    made = layout(text, language)
    return [f"{a.first}-{a.last}" if a.first != a.last else str(a.first) for a in (made.anchors[n] for n in made.owners)]


def scopes(text: str) -> list[str]:
    return [anchor.scope for anchor in layout(text).anchors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1\ny = 2\n", "1 2", id="simple"),
        pytest.param("x = f(\n    1,\n)\ny = 2", "1-3 1-3 1-3 4", id="multi-line"),
        pytest.param('x = """\n\n# no comment\n"""\n', "1-4 1-4 1-4 1-4", id="multi-line string"),
        pytest.param("x = 1 + \\\n    2\n", "1-2 1-2", id="continuation"),
        pytest.param("x = 1; y = 2\nz = 3\n", "1 2", id="semicolon: the first owns the line"),
        pytest.param("x = f(\n1); y = 2\n", "1-2 2", id="overlap: the shorter owns the line"),
        pytest.param("if x: return_ = 1\ny = 2\n", "1 2", id="one-line compound"),
        pytest.param("if x: y = f(\n1)\n", "1 1-2", id="body that runs on"),
        pytest.param(
            "if x:\n    y = 1\nelif z:\n    y = 2\nelse:\n    y = 3\n", "1 2 3 4 6 6", id="elif has a header, else none"
        ),
        pytest.param("for x in y:\n    a = 1\nelse:\n    b = 1\n", "1 2 4 4", id="for else"),
        pytest.param("while x:\n    a = 1\n", "1 2", id="while"),
        pytest.param("try:\n    a = 1\nexcept E:\n    b = 1\nfinally:\n    c = 1\n", "1 2 3 4 6 6", id="try"),
        pytest.param("try:\n    a = 1\nexcept* E:\n    b = 1\nelse:\n    c = 1\n", "1 2 3 4 6 6", id="except*"),
        pytest.param("with a as b, \\\n     c as d:\n    e = 1\n", "1-2 1-2 3", id="with over two lines"),
        pytest.param("match x:\n    case 1:\n        a = 1\n    case _:\n        b = 1\n", "1 2 3 4 5", id="match"),
        pytest.param("match x:\n    case (\n        1 | 2\n    ):\n        a = 1\n", "1 3-4 3-4 3-4 5", id="pattern in brackets"),
        pytest.param("match x:\n    # first\n    case 1: a = 1\n", "1 3 3", id="comment before a case"),
        pytest.param("@a\n@b(\n    1\n)\ndef f(\n    x,\n):\n    pass\n", "1-7 " * 7 + "8", id="decorators and signature"),
        pytest.param("async def f():\n    async with a:\n        await b\n", "1 2 3", id="async"),
        pytest.param("f = lambda x: (\n    x\n)\n", "1-3 1-3 1-3", id="lambda"),
        pytest.param("class A:\n    x = 1\n\n    def f(self): pass\n", "1 2 2 4", id="class body"),
        pytest.param("def f():\n    # about x\n    x = 1\n", "1 3 3", id="a comment speaks of what follows"),
        pytest.param(
            "def f(\n    a,  # one\n    # two\n    b,\n):\n    pass\n", "1-5 " * 5 + "6", id="comment inside a signature"
        ),
        pytest.param("x = 1\n\n\n\n\ny = 2\n", "1 1 1 6 6 6", id="a blank line goes to the nearest"),
        pytest.param("x = 1\n\ny = 2\n", "1 1 3", id="upward on ties"),
        pytest.param("x = 1\n\n\n# about y\ny = 2\n", "1 1 5 5 5", id="a blank line before a comment goes with it"),
        pytest.param("x = 1\n# the end\n\n", "1 1 1", id="a last comment speaks of what precedes"),
        pytest.param("#!/bin/python\n\nx = 1\n", "3 3 3", id="shebang"),
        pytest.param("\ufeffx = 1\r\ny = 2\r\n", "1 2", id="BOM and CRLF"),
        pytest.param("x = 1\ry = 2\nz = 3", "1-2 1-2", id="two statements for Python, one line for git: a paragraph"),
        pytest.param("x = '''\r\n\r'''\ny = 2", "1-2 1-2 3", id="carriage return in a string"),
        pytest.param("x = 1\n\x0cdef f():\n    return 1\n", "1 2 3", id="form feed"),
        pytest.param("x = '\x85\u2028\x0b'\ny = 1\n", "1 2", id="line ends that are none for git"),
    ],
)
def test_a_line_belongs_to_its_statement(text: str, expected: str) -> None:
    assert owners(text) == expected.split()


def test_a_scope_is_the_qualified_name_and_a_header_is_in_its_own() -> None:
    text = "x = 1\nclass A:\n    y = 1\n    def f(self):\n        def g():\n            pass\n        return g\nz = 1\n"

    assert scopes(text) == ["", "A", "A", "A.f", "A.f.g", "A.f.g", "A.f", ""]


def test_two_functions_of_one_name_have_two_homes() -> None:
    made = layout(
        "class A:\n    @property\n    def x(self):\n        return 1\n    @x.setter\n    def x(self, v):\n        pass\n"
    )

    assert [made.anchors[n].first for n in made.homes[1:]] == [2, 2, 5, 5]


def test_equal_statements_are_told_apart_by_their_order() -> None:
    made = layout("def f():\n    g()\n    g()\ndef h():\n    g()\n")
    calls = [anchor for anchor in made.anchors if anchor.text == "g ( )"]

    assert len({anchor.fp1 for anchor in calls}) == 3
    assert len({anchor.fp2 for anchor in calls}) == 3


def test_what_a_header_says_does_not_hold_its_body() -> None:
    one, two = (layout(f"if x:\n    y = {n}\n").anchors for n in (1, 2))

    assert [a.fp1 == b.fp1 for a, b in zip(one, two, strict=True)] == [True, False]


@pytest.mark.parametrize(
    "text", ["def f(:\n    pass\n", "x = 1\n  y = 2\n", "x = '\0'\n", "(" * 300, "print 'two'\n", "x = 1_\n"]
)
def test_python_that_does_not_parse_is_laid_out_in_weak_paragraphs(text: str) -> None:
    made = layout(text)

    assert all(anchor.is_weak and anchor.scope == "" for anchor in made.anchors)
    assert len(made.owners) == text.rstrip("\n").count("\n") + 1


@pytest.mark.parametrize("text", ["# nothing\n\n# here\n", "\n\n", " \n", "#"])
def test_a_file_without_statements_is_laid_out_in_paragraphs(text: str) -> None:
    assert all(anchor.is_weak for anchor in layout(text).anchors)


def test_paragraphs_split_at_blank_lines_and_hold_five_lines_at_most() -> None:
    text = "\na\nb\n\n\n\nc\n" + "d\n" * 8

    assert owners(text, "go") == ["2-3"] * 5 + ["7-11"] * 6 + ["12-15"] * 4


def test_a_paragraph_keeps_its_name_when_it_moves_or_is_indented() -> None:
    one = layout("a();\nb();\n", "c").anchors
    two = layout("new();\n\n  a();\n  b();\n", "c").anchors

    assert one[0].fp1 == two[1].fp1


def test_a_file_without_lines_has_one_empty_anchor() -> None:
    assert layout("").anchors == (Anchor(0, "", 1, 1, "", layout("").anchors[0].fp1, layout("").anchors[0].fp2, True),)


def test_a_warning_filter_does_not_decide_what_parses() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert not layout('x = "\\d"\n').anchors[0].is_weak


def test_a_long_chain_of_elif_is_walked_without_recursion() -> None:
    text = "if x == 0:\n    y = 0\n" + "".join(f"elif x == {n}:\n    y = {n}\n" for n in range(1, 300))

    assert len(layout(text).anchors) == 600


pieces = st.sampled_from(
    [
        "x = 1", "if x:", "    y = 1", "  z = 2", "else:", "try:", "except E:", "finally:", "def f():", "class A:", "# c", "",
        "    # d", "match x:", "    case 1: pass", "@d", "x = (", ")", "'''", "\\", "a = 1; b = 2", "\x0c", "\r", "return",
        "\ufeff", "\0",
    ]
)  # fmt: skip


@given(st.lists(pieces, min_size=1, max_size=12), st.sampled_from(["python", "javascript"]))
def test_every_line_has_one_owner_and_every_anchor_a_line(rows: list[str], language: str) -> None:
    made = lay_out(rows, language)

    assert len(made.owners) == len(rows)
    assert set(made.owners) == set(range(len(made.anchors)))
    assert [anchor.index for anchor in made.anchors] == list(range(len(made.anchors)))
    assert all(1 <= anchor.first <= anchor.last <= len(rows) for anchor in made.anchors)
    assert made == lay_out(list(rows), language)
    assert len({anchor.fp1 for anchor in made.anchors}) == len({anchor.fp2 for anchor in made.anchors}) == len(made.anchors)


def test_the_standard_library_is_laid_out_in_statements() -> None:
    """A sample of real files; paragraphs would mean that line numbers or syntax went wrong."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:: max(1, 200 // 60)][:60]
    for file in files:
        text = file.read_text("utf-8")
        made = layout(text)
        lines = text.split("\n")
        assert not any(anchor.is_weak for anchor in made.anchors), file
        assert all(anchor.text and anchor.text[0] == lines[anchor.first - 1].strip()[:1] for anchor in made.anchors), file


@pytest.mark.slow
def test_the_whole_standard_library_is_laid_out() -> None:
    for file in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "lib2to3" not in file.parts and "site-packages" not in file.parts:
            layout(file.read_bytes().decode("utf-8", "replace"))
