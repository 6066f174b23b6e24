"""Limits come before the parser; nothing is repaired; faults are exact and short."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.panel import ContractFault
from venire.panel.strict import BYTES, DEPTH, NOT_ONE_OBJECT, QUOTE, kind, load, quote


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", NOT_ONE_OBJECT),
        ("   ", NOT_ONE_OBJECT),
        ("null", NOT_ONE_OBJECT),
        ("[]", NOT_ONE_OBJECT),
        ("[{}]", NOT_ONE_OBJECT),
        ('"{}"', NOT_ONE_OBJECT),
        ("{", NOT_ONE_OBJECT),
        ('{"a":1', NOT_ONE_OBJECT),
        ("{}{}", NOT_ONE_OBJECT),
        ('{"a":1} {"b":2}', NOT_ONE_OBJECT),
        ('Here it is: {"a":1}', NOT_ONE_OBJECT),
        ('{"a":1} That is all.', NOT_ONE_OBJECT),
        ('```json\n{"a":1}\n```', NOT_ONE_OBJECT),
        ("\ufeff{}", NOT_ONE_OBJECT),
        ("\xa0{}", NOT_ONE_OBJECT),
        ('{"{"a":1}', NOT_ONE_OBJECT),
        ("{'a':1}", NOT_ONE_OBJECT),
        ('{"a":1,}', NOT_ONE_OBJECT),
        ('{"a":01}', NOT_ONE_OBJECT),
        ('{"a":"\n"}', NOT_ONE_OBJECT),
        ('{"a":"\x00"}', NOT_ONE_OBJECT),
        ('{"a":"\\x"}', NOT_ONE_OBJECT),
        ('{/*c*/"a":1}', NOT_ONE_OBJECT),
        ('{"a":1,"a":1}', "the key 'a' is given twice in one object"),
        ('{"b":{"a":1,"\\u0061":2}}', "the key 'a' is given twice in one object"),
        ('{"a":NaN}', "NaN is not JSON"),
        ('{"a":[Infinity]}', "Infinity is not JSON"),
        ('{"a":-Infinity}', "-Infinity is not JSON"),
        ('{"a":' + "1" * 5000 + "}", "a number is 5000 characters long, at most 20 are read"),
        ('{"a":0.' + "1" * 30 + "}", "a number is 32 characters long, at most 20 are read"),
        ('{"a":"\\ud800"}', "the reply holds half of a surrogate pair, which is no character"),
        ('{"a":"\ud800"}', "the reply holds half of a surrogate pair, which is no character"),
        ('{"\\udc00":1}', "the reply holds half of a surrogate pair, which is no character"),
        ('{"a":"' + "x" * BYTES + '"}', f"the reply is {BYTES + 8} bytes long, at most {BYTES} are read"),
        ('{"a":"' + "é" * 40_000 + '"}', f"the reply is 80008 bytes long, at most {BYTES} are read"),
        (
            '{"a":' + "[" * DEPTH + "]" * DEPTH + "}",
            f"the reply opens more than {DEPTH} brackets inside each other",
        ),
        ('{"a":' + "[" * 60_000 + "}", f"the reply opens more than {DEPTH} brackets inside each other"),
    ],
)
def test_a_reply_that_is_not_one_plain_object_is_refused_with_its_fault(reply: str, fault: str) -> None:
    with pytest.raises(ContractFault) as caught:
        load(reply)

    assert str(caught.value) == fault


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("{}", {}),
        (' \t\r\n{ "a" : [ 1 , "x" ] }\n', {"a": [1, "x"]}),
        ('{"a":"[[[[[[[[[[[[{{{{{{{{"}', {"a": "[[[[[[[[[[[[{{{{{{{{"}),
        ('{"a":"\\"[[[[[[[[[[[["}', {"a": '"[[[[[[[[[[[['}),
        ('{"a":"\\ud83d\\ude00"}', {"a": "😀"}),
        ('{"a":"' + "x" * (BYTES - 8) + '"}', {"a": "x" * (BYTES - 8)}),
        ('{"a":1e999}', {"a": float("inf")}),
        ('{"a":' + "[" * (DEPTH - 1) + "]" * (DEPTH - 1) + "}", {"a": [[[[[[[]]]]]]]}),
    ],
)
def test_one_object_is_read_whatever_white_space_stands_around_it(reply: str, value: object) -> None:
    assert load(reply) == value


def test_half_open_strings_full_of_quotes_are_refused_in_one_pass() -> None:
    """A backtracking pattern for strings would take minutes here."""
    with pytest.raises(ContractFault, match=NOT_ONE_OBJECT):
        load('{"' + '\\"' * 32_000 + "}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), inner, max_size=3)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), json_values, max_size=4), st.booleans())
def test_every_object_within_the_limits_is_read_as_json_reads_it(value: dict[str, object], is_ascii: bool) -> None:
    assert load(json.dumps(value, ensure_ascii=is_ascii)) == value


@given(st.text(), st.text())
def test_a_quote_is_short_ascii_and_on_one_line(text: str, tail: str) -> None:
    shown = quote(text)

    assert len(shown) <= QUOTE
    assert shown.isascii()
    assert shown.isprintable()
    assert quote("x" * QUOTE + tail) == quote("x" * QUOTE + tail)


def test_a_cut_quote_shows_that_it_is_cut() -> None:
    assert quote("x" * 500).endswith("xxx...")
    assert quote("\U0001f600" * 79).endswith("...")
    assert quote("short") == "'short'"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (None, "null"),
        (True, "true or false"),
        (1, "a number"),
        (1.5, "a number"),
        ("", "a string"),
        ([], "an array"),
        ({}, "an object"),
    ],
)
def test_every_json_type_has_a_name(value: object, word: str) -> None:
    assert kind(value) == word
