"""Bytes → text, a language, or a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.change.content import Content, shown_path
from venire.change.text import MAX_LINE, decode, language, unfit


@given(st.binary(max_size=60))
def test_text_can_always_be_stored_and_keeps_the_count_of_lines(data: bytes) -> None:
    text, _ = decode(data)
    text.encode("utf-8")
    assert text.count("\n") == data.count(b"\n")
    shown_path(data).encode("utf-8")


@pytest.mark.parametrize(
    ("path", "data", "word"),
    [
        ("a.py", b"", "python"), ("a.pyi", b"", "python"), ("a.h", b"", "c"), ("a.tsx", b"", "tsx"), ("a.js", b"", "javascript"),
        ("a.svg", b"", "svg"), ("run", b"#!/usr/bin/env python3\n", "python"), ("run", b"#!/bin/bash -e\n", "shell"),
        ("run", b"#!\xff\n", "text"), ("run", b"1\n", "text"), ("notes.txt", b"", "text"), ("Dockerfile", b"", "dockerfile"),
    ],
)  # fmt: skip
def test_a_language_is_told_by_name_else_by_the_first_line(path: str, data: bytes, word: str) -> None:
    assert language(path, data) == word


def test_a_name_alone_does_not_make_code_binary() -> None:
    assert unfit("a.png", Content(b"import os\n")) is None
    assert unfit("a.png", Content(b"\x89PNG\xff")) == ("binary", "by its name", False)


def test_a_large_binary_is_binary_and_no_gap() -> None:
    assert unfit("a.iso", Content(b"\0", "too large", "9 bytes")) == ("binary", "NUL bytes", False)
    assert unfit("a.sql", Content(b"1", "too large", "9 bytes")) == ("too large", "9 bytes", True)


def test_a_line_may_be_as_long_as_the_limit() -> None:
    assert unfit("a.js", Content(b"x" * MAX_LINE + b"\n")) is None
    assert unfit("a.js", Content(b"x" * MAX_LINE + b"x\n")) is not None
