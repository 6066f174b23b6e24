"""What a status and bytes of an OpenAI-compatible server mean, without a server."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.openai import answer

from venire.errors import BackendFailure
from venire.model import Reply
from venire.sample.backends.exchange import Exchange
from venire.sample.backends.openai_wire import judge, refusal, refuses_count, refuses_schema

BODY = {"model": "m", "max_tokens": 64}
GOOD = answer("llama.cpp", BODY, ['{"findings":[]}'], 100)


def exchange(value: object, status: int = 200) -> Exchange:
    return Exchange(status, value if isinstance(value, bytes) else json.dumps(value).encode())


def judged(value: object) -> Reply | BackendFailure:
    """The only choice, or why there is none."""
    try:
        (outcome,) = judge(exchange(value), context=8192, reply_tokens=64)
    except BackendFailure as failure:
        return failure
    return outcome


def test_a_whole_answer_gives_the_reply_with_its_counts():
    got = judged(GOOD)
    assert isinstance(got, Reply)
    assert (got.text, got.done, got.prompt_tokens, got.reply_tokens, got.cached_tokens) == ('{"findings":[]}', "stop", 100, 3, 99)


def test_each_answer_that_lacks_one_needed_field_fails():
    assert all(
        isinstance(judged({k: v for k, v in GOOD.items() if k != field}), BackendFailure) for field in ("choices", "usage")
    )
    for field in ("message", "finish_reason"):
        choice = {k: v for k, v in GOOD["choices"][0].items() if k != field}
        assert isinstance(judged({**GOOD, "choices": [choice]}), BackendFailure)


@pytest.mark.parametrize(
    ("parts", "cached"),
    [
        ({}, None),
        ({"prompt_tokens_details": None, "timings": {"cache_n": 7}}, 7),
        ({"prompt_tokens_details": {"cached_tokens": 5}, "timings": {"cache_n": 7}}, 5),
        ({"prompt_tokens_details": {"cached_tokens": 0}}, 0),
        ({"timings": {"cache_n": -1}}, None),
        ({"timings": {"cache_n": True}}, None),
        ({"timings": "x", "prompt_tokens_details": []}, None),
    ],
)
def test_cached_tokens_are_what_the_server_says_and_nothing_where_it_says_nothing(parts, cached):
    usage = {"prompt_tokens": 100, "completion_tokens": 3, "prompt_tokens_details": parts.get("prompt_tokens_details")}
    got = judged({**GOOD, "usage": usage, "timings": parts.get("timings")})
    assert isinstance(got, Reply)
    assert got.cached_tokens == cached


def test_room_for_the_reply_counts():
    for tokens, fits in ((8192 - 64, True), (8192 - 63, False)):
        got = judged({**GOOD, "usage": {"prompt_tokens": tokens}})
        assert isinstance(got, Reply) == fits


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "no such thing", "type": "x", "code": 400}}, "no such thing"),
        ({"error": "no such thing"}, "no such thing"),
        ({"object": "error", "message": "no such thing"}, "no such thing"),
        ({"detail": "no such thing"}, "no such thing"),
        (b"no such thing", "no such thing"),
        (b"", "no message"),
        ([1], "[1]"),
    ],
)
def test_the_error_text_of_every_server_is_found(body, words):
    assert words in refusal(exchange(body, 400)).message


def test_a_refusal_of_the_schema_or_the_number_is_told_from_others():
    schema = exchange({"error": {"message": "Grammar error: unsupported JSON schema keyword"}}, 400)
    number = exchange({"error": {"message": "Only one completion choice is allowed"}}, 500)
    other = exchange({"error": {"message": "max_tokens must be at least 1"}}, 400)
    assert [refuses_schema(one) for one in (schema, number, other)] == [True, False, False]
    assert [refuses_count(one) for one in (schema, number, other)] == [False, True, False]
    assert not refuses_schema(exchange({"error": {"message": "grammar"}}, 200))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(("choices", "usage", "timings", "error", "object")),
    JSON,
    st.sampled_from((None, "index", "message", "finish_reason")),
    st.sampled_from((200, 204, 302, 400, 401, 404, 422, 429, 500, 503)),
)
def test_whatever_a_server_sends_ends_in_a_reply_or_a_failure(field, value, inner, status):
    body = {**GOOD, "choices": [{**GOOD["choices"][0], inner: value}]} if inner else {**GOOD, field: value}
    try:
        outcomes = judge(exchange(body, status), context=8192, reply_tokens=64)
    except BackendFailure as failure:
        outcomes = [failure]
    for outcome in outcomes:
        outcome.raw.encode()
        assert isinstance(outcome, Reply | BackendFailure)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from((200, 400, 500)))
def test_any_bytes_end_in_a_failure(body, status):
    with pytest.raises(BackendFailure):
        judge(exchange(body, status), context=8192, reply_tokens=64)
