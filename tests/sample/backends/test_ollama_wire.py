"""What a status and bytes mean, without a server."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.ollama import NATIVE_OVERFLOW, reply

from venire.errors import BackendFailure
from venire.model import Sampling
from venire.sample.backends.ollama_wire import Exchange, chat, error_text, judge, refusal, truncated_counts

GOOD = reply({"model": "m"}, '{"findings":[]}', "stop", 100, 6)
CONTEXT, TOKENS = 8192, 1024


def exchange(value: object, status: int = 200) -> Exchange:
    return Exchange(status, value if isinstance(value, bytes) else json.dumps(value).encode())


def test_a_whole_answer_gives_the_reply_with_its_counts():
    got = judge(exchange({**GOOD, "prompt_eval_cached_count": 99}), context=CONTEXT, reply_tokens=TOKENS)
    assert (got.text, got.done, got.prompt_tokens, got.reply_tokens) == ('{"findings":[]}', "stop", 100, 6)
    assert (got.cached_tokens, got.load_ms) == (99, 21)
    assert judge(exchange(GOOD), context=CONTEXT, reply_tokens=TOKENS).cached_tokens is None


def test_each_answer_that_lacks_or_changes_one_needed_field_fails():
    for field in ("message", "done", "done_reason", "prompt_eval_count"):
        for value in (None, False, 0, "", [], {}, "x", -1):
            with pytest.raises(BackendFailure):
                judge(exchange({**GOOD, field: value}), context=CONTEXT, reply_tokens=TOKENS)


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=60), st.sampled_from([200, 204, 301, 400, 404, 500, 503]))
def test_no_bytes_raise_anything_but_a_failure_that_keeps_them_as_text(body, status):
    with pytest.raises(BackendFailure) as caught:
        judge(Exchange(status, body), context=CONTEXT, reply_tokens=TOKENS)
    caught.value.raw.encode("utf-8")
    caught.value.message.encode("utf-8")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from([*GOOD, "error", "remote_host", "prompt_eval_cached_count"]), JSON, max_size=3))
def test_wrong_types_in_any_fields_give_a_failure_or_a_sound_reply(changes):
    try:
        got = judge(exchange({**GOOD, **changes}), context=CONTEXT, reply_tokens=TOKENS)
    except BackendFailure as failure:
        failure.raw.encode("utf-8")
    else:
        assert got.text
        assert got.prompt_tokens > 0


@pytest.mark.parametrize("context", [512, 4096, 32768, 65536])
@pytest.mark.parametrize("off", [-2, -1, 0, 1, 2])
def test_a_count_that_a_cut_prompt_would_have_is_refused(context, off):
    for keep in (4, 5):
        count = context - max((context - keep) // 2, 1) + off
        assert count in truncated_counts(context)
        with pytest.raises(BackendFailure) as caught:
            judge(exchange({**GOOD, "prompt_eval_count": count}), context=context, reply_tokens=16)
        assert caught.value.kind == "context"


def test_the_counts_that_users_saw_are_known_as_cut():
    for context, counts in ((4096, (2050,)), (32768, (16386, 16387)), (65536, (32770,))):
        assert all(count in truncated_counts(context) for count in counts)


def test_prompt_and_reply_budget_must_fit_the_context():
    judge(exchange({**GOOD, "prompt_eval_count": CONTEXT - TOKENS}), context=CONTEXT, reply_tokens=TOKENS)
    with pytest.raises(BackendFailure, match="more than the context of 8192"):
        judge(exchange({**GOOD, "prompt_eval_count": CONTEXT - TOKENS + 1}), context=CONTEXT, reply_tokens=TOKENS)


def test_a_cut_reply_says_which_limit_cut_it():
    for used, said in ((TOKENS, "cut at its 1024 tokens"), (7, "cut after 7 tokens, where the context of 8192 ended")):
        with pytest.raises(BackendFailure, match=said):
            judge(exchange({**GOOD, "done_reason": "length", "eval_count": used}), context=CONTEXT, reply_tokens=TOKENS)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": "plain"}, "plain"),
        ({"error": {"message": "nested"}}, "nested"),
        ({"error": json.dumps({"error": {"code": 400, "message": "twice"}})}, "twice"),
        ({"error": 7}, "7"),
        ({}, "no message"),
        ([1, 2], "[1, 2]"),
        (b"<h1>Bad\n  Gateway</h1>", "<h1>Bad Gateway</h1>"),
        (b"", "no message"),
    ],
)
def test_the_servers_own_words_are_found_in_every_form_of_error_body(body, said):
    assert error_text(exchange(body, 500)) == said


def test_both_numbers_of_an_overflow_are_told_whatever_form_it_takes():
    sentence = {"error": "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"}
    for got, numbers in (
        (Exchange(400, NATIVE_OVERFLOW(351, 256).body), (351, 256)),
        (exchange(sentence, 400), (9000, 8192)),
    ):
        assert refusal(got).kind == "context"
        assert refusal(got).message == "the prompt has {} tokens, the context {}".format(*numbers)


@pytest.mark.parametrize(
    ("status", "text", "is_transient"),
    [
        (503, "server busy", True),
        (429, "slow down", True),
        (500, "llama-server process has terminated", True),
        (500, 'option "seed" must be of type integer', False),
        (400, "model is required", False),
        (404, "model 'x' not found", False),
        (499, "request canceled", False),
    ],
)
def test_only_what_may_pass_by_itself_is_worth_a_second_try(status, text, is_transient):
    failure = refusal(exchange({"error": text}, status))
    assert (failure.kind, failure.is_transient) == ("status", is_transient)
    assert text in failure.message


def test_pinned_sampling_is_greedy_and_a_reply_budget_is_never_endless():
    pinned = chat("m", [("user", "x")], Sampling(pinned=True), seed=5, reply_tokens=0, context=4096)["options"]
    assert isinstance(pinned, dict)
    assert (pinned["temperature"], pinned["top_k"], pinned["top_p"], pinned["seed"]) == (0.0, 1, 1.0, 5)
    assert pinned["num_predict"] == 1
