"""A line is one entry in one spelling, and its hashes bind it to its audit, its place and all lines before it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.record.chain import Chain, Stored, canonical, compose, parse

TEXT = st.text(st.characters(exclude_categories=()), max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ZERO = "0" * 64


@given(JSON, st.integers(0, 10**6), TEXT)
def test_an_entry_has_one_line_and_the_line_one_entry(body, index, kind):
    line = compose(Stored(index, kind, ZERO, body))

    again = parse(line)

    assert compose(again) == line
    assert line.isascii()
    assert b"\n" not in line


@given(JSON)
def test_any_other_spelling_of_a_line_is_refused(body):
    line = compose(Stored(0, "run", ZERO, {"a": body, "b": 1}))
    entry = json.loads(line)
    for other in [
        json.dumps(entry).encode(),
        json.dumps(dict(reversed(entry.items())), separators=(",", ":")).encode(),
        line.replace(b'"index":0', b'"index":-0'),
        line.replace(b'"index":0', b'"index":0,"index":0'),
        line.replace(b'"kind":"run"', b'"kind":"r\\u0075n"'),
        b" " + line,
        line + b"\r",
    ]:
        with pytest.raises(ValueError, match="not in canonical form"):
            parse(other)


def heads(audit_id: str, *lines: bytes) -> str:
    chain = Chain(audit_id)
    for line in lines:
        chain.advance(line)
    return chain.head


PLACES = st.tuples(st.text("ab", max_size=3), st.integers(0, 3), st.binary(max_size=4))


@given(PLACES, PLACES)
def test_a_head_stands_for_one_line_at_one_place_of_one_audit(one, other):
    """Also where id, index and line joined are the same bytes. Earlier lines count by the ``prev`` inside the line."""
    a, b = (heads(audit_id, *[b""] * index, line) for audit_id, index, line in (one, other))

    assert (a == b) == (one == other)


def test_the_head_depends_on_the_audit():
    assert heads("a") != heads("b")
    assert heads("a", b"x") != heads("b", b"x")


def test_an_entry_in_the_wrong_place_or_after_another_line_is_refused():
    chain = Chain("a")
    first = Stored(0, "audit", chain.head, {})
    chain.check(first)
    with pytest.raises(ValueError, match="entry 1 stands where entry 0 belongs"):
        chain.check(Stored(1, "audit", chain.head, {}))
    with pytest.raises(ValueError, match="the chain breaks here"):
        chain.check(Stored(0, "audit", ZERO, {}))


def test_keys_are_sorted_and_numbers_finite():
    assert canonical({"b": 1.0, "a": "é\u2028"}) == b'{"a":"\\u00e9\\u2028","b":1.0}'
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("inf"))
