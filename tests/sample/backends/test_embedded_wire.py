"""What the engine is asked, and which of its answers count as a reply."""

import json
from typing import Any

import pytest

from venire.errors import BackendFailure
from venire.model import Ask, Sampling
from venire.sample.backends.embedded_wire import options, read_reply

SCHEMA = json.dumps({"type": "object", "properties": {"a": {"enum": ["x"]}}})


def ask(schema: str = SCHEMA, seed: int = 7, **drawn: Any) -> Ask:
    return Ask((("user", "?"),), schema, Sampling(**drawn), seed, reply_tokens=20, deadline=10)


def body(text: str = '{"a":"x"}', done: str = "stop", spent: int = 5) -> str:
    usage = {"prompt_tokens": 40, "completion_tokens": spent}
    return json.dumps({"choices": [{"text": text, "finish_reason": done}], "usage": usage, "timings": {"cache_n": 39}})


def failure(status: int, text: str) -> BackendFailure:
    with pytest.raises(BackendFailure) as caught:
        read_reply({"status": status, "body": text}, ask(), 0)
    return caught.value


def test_every_sampling_option_is_stated() -> None:
    stated = options(ask(temperature=0.5, top_k=9, top_p=0.8))
    assert {
        name: stated[name] for name in ("temperature", "top_k", "top_p", "min_p", "repeat_penalty", "seed", "max_tokens")
    } == {
        "temperature": 0.5,
        "top_k": 9,
        "top_p": 0.8,
        "min_p": 0.0,
        "repeat_penalty": 1.0,
        "seed": 7,
        "max_tokens": 20,
    }
    assert stated["cache_prompt"]
    assert stated["grammar"].startswith("root ::= ")


def test_pinned_sampling_is_greedy_whatever_else_is_set() -> None:
    stated = options(ask(pinned=True, temperature=0.9, top_k=40, top_p=0.5))
    assert (stated["temperature"], stated["top_k"], stated["top_p"]) == (0.0, 1, 1.0)


@pytest.mark.parametrize("seed", [0, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**40, -1])
def test_no_seed_is_the_one_that_means_random(seed: int) -> None:
    assert 0 <= options(ask(seed=seed))["seed"] < 2**32 - 1


@pytest.mark.parametrize("schema", ['{"type":"string","pattern":"x"}', "[]", '{"type":"object"}', "no json", '{"enum":3}'])
def test_a_schema_that_cannot_be_enforced_is_refused_before_it_is_asked(schema: str) -> None:
    with pytest.raises(BackendFailure) as caught:
        options(ask(schema))
    assert caught.value.kind == "refused"


def test_a_reply_carries_text_counts_and_the_body_as_it_came() -> None:
    reply = read_reply({"status": 200, "body": body()}, ask(), 1200)
    assert (reply.text, reply.done, reply.raw) == ('{"a":"x"}', "stop", body())
    assert (reply.prompt_tokens, reply.reply_tokens, reply.cached_tokens, reply.load_ms) == (40, 5, 39, 1200)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("length", body(done="length", spent=20)),
        ("context", body(done="length", spent=19)),
        ("unfinished", body(done="tool_calls")),
        ("mismatch", body("I cannot do that.")),
        ("mismatch", body('{"a":')),
        ("mismatch", body('{"a": "x"}')),
        ("mismatch", body('{"a":"x"}\n')),
        ("mismatch", body("[" * 100_000)),
        ("rubbish", "<html>"),
        ("rubbish", "[]"),
        ("rubbish", '{"choices":[]}'),
        ("rubbish", json.dumps({"choices": [{"text": "{}", "finish_reason": "stop"}]})),
    ],
)
def test_only_a_reply_that_ended_by_itself_and_kept_to_the_grammar_counts(kind: str, answer: str) -> None:
    found = failure(200, answer)
    assert (found.kind, found.raw) == (kind, answer)


def test_white_space_inside_strings_is_the_models_own() -> None:
    text = '{"a":"one \\" two\\\\","b":"three\u00a0four"}'
    assert read_reply({"status": 200, "body": body(text)}, ask(), 0).text == text


def test_a_prompt_longer_than_the_context_is_said_to_be_so() -> None:
    error = {"error": {"code": 400, "type": "exceed_context_size_error", "message": "request (6030 tokens) exceeds"}}
    found = failure(400, json.dumps(error))
    assert (found.kind, found.message) == ("context", "request (6030 tokens) exceeds")


def test_any_other_refusal_keeps_the_engines_words() -> None:
    found = failure(400, json.dumps({"error": {"code": 400, "message": "failed to parse grammar"}}))
    assert (found.kind, found.message) == ("status", "failed to parse grammar")
