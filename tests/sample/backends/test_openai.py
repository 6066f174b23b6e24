"""The OpenAI backend against doubles of four servers: facts of each kind, sound replies, batches, every failure by its name."""

import json
from dataclasses import replace

import pytest
from support.http import Answer, said
from support.openai import CHAT, KINDS, LOADING, MODEL, MODES, OpenAI, in_choice

from venire.errors import BackendFailure, BackendUnavailable, ConfigError
from venire.model import Ask, Plan, Sampling
from venire.sample.backends import openai as backend

PLAN = Plan(context=4096, sampling=Sampling(temperature=0.7, seed=11))
SCHEMA = '{"type":"object","properties":{"line":{"enum":["1: a","2: b"]},"check":{"type":"string"}},"required":["line"]}'
LONG = (("system", "You audit code."), ("user", "word " * 6000))


def ask(**changes):
    usual = {
        "messages": (("system", "You audit code."), ("user", "1: a\n2: b")),
        "schema": SCHEMA,
        "sampling": PLAN.sampling,
        "seed": 12,
        "reply_tokens": 64,
        "deadline": 20.0,
        "path": "a.py",
        "run": 1,
    }
    return Ask(**{**usual, **changes})


def asks(number, **changes):
    return [ask(run=run, seed=10 + run, **changes) for run in range(1, number + 1)]


@pytest.fixture
def server():
    with OpenAI() as server:
        yield server


def connect(server, **changes):
    return backend.OpenAI(**{"host": server.url, "model": MODEL, "plan": PLAN, **changes})


def described(server, **changes):
    client = connect(server, **changes)
    client.describe()
    return client


# ---------------------------------------------------------------- facts

FACTS = {
    "vLLM": ("vLLM 0.19.1", "", "", 4096),
    "llama.cpp": ("llama.cpp b9876-0123abcd", "Q4_K - Medium", "7.62B", 4096),
    "LM Studio": ("LM Studio", "Q4_K_M", "", 4096),
    "": ("OpenAI-compatible server", "", "", 0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_server_is_known_by_its_signs_and_states_no_more_than_it_says(kind):
    with OpenAI(kind) as server:
        info = connect(server).describe()
    assert (info.backend, info.name, info.digest, info.gpu_share) == ("openai", MODEL, "", None)
    assert (info.engine, info.quantization, info.parameters, info.context) == FACTS[kind]
    assert bool(info.warnings) == (kind == "")


def test_an_unknown_servers_context_and_defaults_are_warned_of():
    with OpenAI("") as server:
        first, second = connect(server).describe().warnings
    assert "4096 tokens are taken for granted" in first
    assert "unknown kind" in second


@pytest.mark.parametrize("kind", ["vLLM", "llama.cpp", "LM Studio"])
def test_a_smaller_context_than_asked_for_is_taken_and_said(kind):
    with OpenAI(kind, context=1024) as server:
        info = connect(server).describe()
    assert info.context == 1024
    assert info.warnings == ("context of 4096 tokens asked, 1024 granted",)


def test_a_llama_cpp_whose_properties_are_hidden_states_what_its_list_says():
    with OpenAI("llama.cpp", slots=4) as server:
        server.on("/props", lambda request: said({"error": {"message": "not here"}}, 404))
        client = connect(server)
        info = client.describe()
    assert (info.engine, info.quantization, info.context, client.batch) == ("llama.cpp", "Q4_K - Medium", 4096, 1)


def test_the_longest_context_of_a_model_is_not_taken_for_the_loaded_one():
    """LM Studio says both; a version that does not say the loaded one leaves it unknown."""
    with OpenAI("LM Studio") as server:
        entry = {"id": MODEL, "state": "loaded", "quantization": "4bit", "max_context_length": 131072}
        server.on("/api/v0/models", lambda request: said({"data": [entry]}))
        info = connect(server).describe()
    assert (info.engine, info.quantization, info.context) == ("LM Studio", "4bit", 0)
    assert "taken for granted" in info.warnings[0]


@pytest.mark.parametrize(
    ("version", "is_warned"), [("0.14.0", True), ("0.9.2", True), ("0.14.1", False), ("1.0", False), ("", False)]
)
def test_an_old_vllm_is_warned_of(version, is_warned):
    with OpenAI(version=version) as server:
        warnings = connect(server).describe().warnings
    assert any("CVE-2026-22778" in warning for warning in warnings) == is_warned


def test_describing_asks_only_what_is_needed_and_loads_by_one_token(server):
    client = described(server)
    assert [request.path for request in server.requests] == ["/health", "/v1/models", CHAT, "/v1/models", "/version"]
    (probe,) = server.chats
    assert (probe["max_tokens"], client.loads) == (1, 1)
    assert "response_format" not in probe


def test_recheck_states_the_facts_again_and_asks_the_model_nothing(server):
    client = connect(server)
    first = client.describe()
    assert client.recheck() == first
    server.context = 2048
    assert client.recheck().context == 2048
    assert len(server.chats) == 1


def test_a_missing_model_is_told_with_those_that_are_there(server):
    server.models = ("one", "two")
    with pytest.raises(BackendUnavailable, match="has no model 'absent'; it lists one, two") as caught:
        connect(server, model="absent").describe()
    assert caught.value.remedy == "set model to one of these: one, two"
    server.models = ()
    with pytest.raises(BackendUnavailable, match="no model at all"):
        connect(server).describe()
    assert server.chats == []


def test_another_name_of_a_model_of_llama_cpp_means_that_model():
    with OpenAI("llama.cpp") as server:
        assert connect(server, model=f"{MODEL}:short").describe().name == f"{MODEL}:short"


def test_a_server_that_is_loading_is_waited_for(monkeypatch):
    monkeypatch.setattr("venire.sample.backends.openai_host.POLL_SECONDS", 0.01)
    with OpenAI("llama.cpp") as server:
        server.loading = 3
        connect(server).describe()
        assert len(server.asked("/health")) == 4
        server.loading = 10**6
        with pytest.raises(BackendUnavailable, match="still loading after 0 s"):
            connect(server, wait=0.05).describe()


def test_a_server_that_was_started_again_is_waited_for_and_warmed_up_anew(monkeypatch):
    """Else every sample left would fail at once, within the seconds that a load takes."""
    monkeypatch.setattr("venire.sample.backends.openai_host.POLL_SECONDS", 0.01)
    with OpenAI("llama.cpp") as server:
        client = described(server)
        before = client.loads
        server.loading = 3
        server.on("/v1/chat/completions", lambda request: LOADING if server.loading else server.usual(request))
        assert client.reply(ask()).done == "stop"
        assert client.loads == before + 1


def test_a_dead_engine_is_not_waited_for(server):
    """vLLM's health is a bare 503 then."""
    server.on("/health", lambda request: Answer(503))
    server.fail("dead_engine")
    with pytest.raises(BackendUnavailable, match="EngineCore"):
        connect(server).describe()
    assert len(server.asked("/health")) == 1


def test_an_ollama_is_sent_to_its_own_backend():
    """Through this API it would cut long prompts unsaid."""
    with OpenAI("Ollama") as server, pytest.raises(BackendUnavailable, match="is an Ollama") as caught:
        connect(server).describe()
    assert caught.value.remedy == "backend: ollama"


def test_a_server_that_is_down_names_the_ports():
    with OpenAI() as server:
        client = connect(server)
    with pytest.raises(BackendUnavailable, match="no server answers") as caught:
        client.describe()
    assert "llama.cpp 8080" in caught.value.remedy
    with pytest.raises(BackendFailure) as failed:
        client.reply(ask())
    assert (failed.value.kind, failed.value.is_transient) == ("refused", True)


@pytest.mark.parametrize("path", ["/v1/models", CHAT])
@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>"),
        Answer(200),
        said([]),
        said({"data": 3}),
        said({"error": "Unexpected endpoint or method."}),
        Answer(200, b'{"data":[]}', manner="cut"),
        said([1, 2], 500),
        said({"detail": "Not Found"}, 404),
        Answer(307, b"", {"Location": "http://127.0.0.1:9/"}),
    ],
)
def test_rubbish_from_a_needed_endpoint_makes_the_model_unavailable(server, path, answer):
    server.on(path, lambda request: answer)
    with pytest.raises(BackendUnavailable) as caught:
        connect(server).describe()
    assert caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("answer", [Answer(200, b"<html>"), said([]), said({"version": 3}), said({"detail": "no"}, 404)])
def test_rubbish_from_an_endpoint_of_one_kind_alone_leaves_the_fact_empty(server, answer):
    server.on("/version", lambda request: answer)
    assert connect(server).describe().engine in ("vLLM", "vLLM 3")


# ---------------------------------------------------------------- privacy


@pytest.mark.parametrize("kind", ["vLLM", "llama.cpp", "LM Studio"])
def test_a_key_that_is_missing_or_wrong_is_told_with_its_setting(kind):
    with OpenAI(kind, key="right") as server:
        for key, remedy in (("", "set api_key"), ("wrong", "set api_key to the key that the server was started with")):
            with pytest.raises(BackendUnavailable, match="API key") as caught:
                connect(server, api_key=key).describe()
            assert caught.value.remedy == remedy
        assert described(server, api_key="right").reply(ask()).text


def test_a_missing_key_is_told_where_the_list_of_models_is_open():
    """Older builds of llama.cpp list them to anybody."""
    with OpenAI("llama.cpp", key="right") as server:
        server.on("/v1/models", lambda request: said({"data": [{"id": MODEL, "owned_by": "llamacpp"}]}))
        with pytest.raises(BackendUnavailable, match="API key"):
            connect(server).describe()


def test_a_key_of_the_environment_never_leaves(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    described(server).reply(ask())
    assert all("authorization" not in request.headers for request in server.requests)
    described(server, api_key="mine")
    assert server.requests[-1].headers["authorization"] == "Bearer mine"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"])
def test_no_proxy_of_the_environment_sees_a_request(server, monkeypatch, name):
    with OpenAI() as proxy:
        monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("no_proxy", "")
        described(server).reply(ask())
        assert proxy.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_error_and_the_prompt_goes_nowhere(server, status):
    with OpenAI() as other:
        client = described(server)
        server.on(CHAT, lambda request: Answer(status, b"", {"Location": other.url + CHAT}))
        with pytest.raises(BackendFailure, match="redirects to") as caught:
            client.reply(ask())
        assert caught.value.kind == "status"
        assert other.requests == []


def test_a_foreign_host_is_refused_when_the_backend_is_made():
    with pytest.raises(ConfigError, match="not this machine"):
        backend.OpenAI(host="https://api.openai.com/v1", model=MODEL, plan=PLAN)


@pytest.mark.parametrize("end", ["/v1", "/v1/", "/"])
def test_an_address_may_end_as_other_tools_want_it(server, end):
    assert connect(server, host=server.url + end).describe().context == 4096


# ---------------------------------------------------------------- replies

COMMON = {
    "model": MODEL,
    "messages": [{"role": "system", "content": "You audit code."}, {"role": "user", "content": "1: a\n2: b"}],
    "stream": False,
    "n": 1,
    "seed": 12,
    "max_tokens": 64,
    "temperature": 0.7,
    "top_p": 0.9,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": json.loads(SCHEMA)},
    },
}
EXTRAS = {
    "vLLM": {"top_k": 40, "min_p": 0.0, "repetition_penalty": 1.0},
    "llama.cpp": {
        "top_k": 40,
        "min_p": 0.0,
        "typical_p": 1.0,
        "repeat_penalty": 1.0,
        "dry_multiplier": 0.0,
        "xtc_probability": 0.0,
        "mirostat": 0,
        "cache_prompt": True,
    },
    "LM Studio": {"top_k": 40, "repeat_penalty": 1.0},
    "": {},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_common_options_go_to_every_server_and_its_own_to_the_one_that_has_them(kind):
    with OpenAI(kind) as server:
        described(server).reply(ask())
        body = server.chats[-1]
    assert body == {**COMMON, **EXTRAS[kind]}
    sent = body["response_format"]["json_schema"]["schema"]
    assert json.dumps(sent, separators=(",", ":")) == SCHEMA  # its fields in their order


@pytest.mark.parametrize("kind", KINDS)
def test_a_pinned_sample_is_greedy_by_every_option_the_server_knows(kind):
    with OpenAI(kind) as server:
        described(server).reply(ask(sampling=Sampling(pinned=True)))
        body = server.chats[-1]
    assert (body["temperature"], body["top_p"], body.get("top_k", 1)) == (0.0, 1.0, 1)


@pytest.mark.parametrize(("kind", "cached"), [("vLLM", None), ("llama.cpp", 14), ("LM Studio", None), ("", None)])
def test_a_reply_carries_text_counts_and_the_body_as_received(kind, cached):
    with OpenAI(kind) as server:
        got = described(server).reply(ask())
        assert (got.text, got.done, got.prompt_tokens, got.reply_tokens) == ('{"findings":[]}', "stop", 15, 3)
        assert json.loads(got.raw)["usage"]["prompt_tokens"] == 15
        assert got.cached_tokens == cached


FAILURES = {
    "length": ("length", "the reply was cut"),
    "no_reason": ("unfinished", "before it was finished"),
    "abort": ("unfinished", "before it was finished"),
    "filtered": ("rubbish", "finish_reason 'content_filter'"),
    "tool_calls": ("rubbish", "finish_reason 'tool_calls'"),
    "stopped_tool": ("rubbish", "called a tool"),
    "refusal": ("rubbish", "the model refused: I cannot"),
    "null_content": ("rubbish", "no message.content"),
    "number_content": ("rubbish", "no message.content"),
    "blank": ("rubbish", "the reply is empty"),
    "reasoning": ("rubbish", "reasoning alone"),
    "reasoning_new": ("rubbish", "reasoning alone"),
    "no_message": ("rubbish", "finish_reason 'stop'"),
    "no_choices": ("rubbish", "no choices"),
    "empty_choices": ("rubbish", "no choices"),
    "odd_choices": ("rubbish", "no choices"),
    "no_usage": ("rubbish", "did not count the prompt"),
    "no_count": ("rubbish", "did not count the prompt"),
    "text_count": ("rubbish", "prompt_tokens is '12'"),
    "true_count": ("rubbish", "prompt_tokens is True"),
    "overflow_vllm": ("context", "maximum context length is 32768"),
    "overflow_new_vllm": ("context", "maximum model length of 32768"),
    "overflow_llama": ("context", "request (40000 tokens) exceeds"),
    "overflow_studio": ("context", "n_ctx: 32768"),
    "overflow_mlx": ("context", "has been exceeded"),
    "loading": ("status", "Loading model"),
    "busy": ("status", "status 429"),
    "dead_engine": ("status", "EngineCore"),
    "bad_gateway": ("status", "status 502"),
    "missing": ("status", "does not exist"),
    "no_key": ("status", "API key"),
    "bad_key": ("status", "API key"),
    "forbidden": ("status", "API key"),
    "invalid": ("status", "must be an integer"),
    "old_error": ("status", "it broke"),
    "error_in_200": ("status", "Model unloaded"),
    "html": ("rubbish", "not JSON"),
    "empty": ("rubbish", "not JSON"),
    "list": ("rubbish", "a JSON list"),
    "no_content_204": ("rubbish", "status 204"),
    "deep": ("rubbish", "not JSON"),
    "nan": ("rubbish", "NaN is not JSON"),
    "bad_utf8": ("rubbish", "not JSON"),
    "stream": ("rubbish", "not JSON"),
    "gzip": ("rubbish", "compressed"),
    "huge": ("rubbish", "more than 8388608 bytes"),
    "cut": ("transport", "the connection broke"),
    "reset": ("transport", "the connection broke"),
}
TRANSIENT = {"loading", "busy", "dead_engine", "bad_gateway", "cut", "reset"}


@pytest.mark.parametrize("mode", FAILURES)
def test_each_failure_is_named_and_keeps_what_the_server_sent(server, mode):
    client = described(server)
    server.fail(mode)
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask())
    kind, words = FAILURES[mode]
    assert caught.value.kind == kind
    assert words in caught.value.message
    assert caught.value.is_transient == (mode in TRANSIENT)
    caught.value.raw.encode("utf-8")
    if mode != "reset":  # a reset may overtake the bytes before it
        assert bool(caught.value.raw) == (mode not in ("empty", "forbidden", "no_content_204", "gzip"))
    assert len(server.chats) == 2 + (mode == "loading")  # the probe and one ask; a load is waited for


def test_every_way_to_fail_is_tried():
    slow, fine, picky = {"drip", "drip_head", "silent"}, {"surrogate"}, {"grammar", "grammar_500"}
    assert set(MODES) == set(FAILURES) | slow | fine | picky


@pytest.mark.parametrize("mode", ["drip", "drip_head", "silent"])
def test_a_server_that_never_finishes_is_left_at_the_deadline(server, mode):
    client = described(server)
    server.fail(mode)
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(deadline=0.4))
    assert (caught.value.kind, caught.value.is_transient) == ("timeout", False)


def test_a_deadline_that_is_over_sends_nothing(server):
    client = described(server)
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(deadline=0.0))
    assert caught.value.kind == "timeout"
    assert len(server.chats) == 1


@pytest.mark.parametrize("kind", ["vLLM", "llama.cpp", "LM Studio"])
def test_a_prompt_that_is_too_long_is_a_context_failure_on_every_server(kind):
    with OpenAI(kind, context=4096) as server, pytest.raises(BackendFailure) as caught:
        described(server).reply(ask(messages=LONG))
    assert caught.value.kind == "context"


def test_a_prompt_that_leaves_no_room_for_the_reply_is_a_context_failure():
    with (
        OpenAI("") as server,
        pytest.raises(
            BackendFailure, match="6011 prompt tokens and 64 for the reply are more than the context of 4096"
        ) as caught,
    ):
        described(server).reply(ask(messages=LONG))
    assert caught.value.kind == "context"


def test_another_count_for_the_same_messages_is_a_mismatch(server):
    client = described(server)
    client.reply(ask())
    usage = {"prompt_tokens": 16, "completion_tokens": 3}
    server.on(CHAT, lambda request: said({**json.loads(server.usual(request).body), "usage": usage}))
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(seed=13))
    assert caught.value.kind == "mismatch"
    client.reply(ask(messages=(("system", "other"), ("user", "words"))))


def test_a_refused_schema_falls_back_to_plain_json_once_and_is_stated(server):
    client = connect(server)
    assert client.describe().warnings == ()

    def picky(request):
        if request.json["response_format"]["type"] == "json_schema":
            return MODES["grammar"](server, request)
        return server.usual(request)

    server.on(CHAT, picky)
    client.reply(ask())
    client.reply(ask(seed=13))
    forms = [body["response_format"]["type"] for body in server.chats[1:]]
    assert forms == ["json_schema", "json_object", "json_object"]
    (warning,) = client.recheck().warnings
    assert "plain JSON" in warning


@pytest.mark.parametrize("mode", ["grammar", "grammar_500"])
def test_a_server_that_refuses_the_fallback_too_fails_the_sample(server, mode):
    client = described(server)
    server.fail(mode)
    for asked in (3, 4):
        with pytest.raises(BackendFailure, match="failed to parse grammar") as caught:
            client.reply(ask())
        assert (caught.value.kind, caught.value.is_transient) == ("status", False)
        assert len(server.chats) == asked


def test_a_lone_surrogate_is_replaced_in_a_reply_and_can_be_sent_in_a_prompt(server):
    client = described(server)
    server.fail("surrogate")
    got = client.reply(ask(messages=(("system", "x"), ("user", "\ud800 \u0085"))))
    assert got.text == '{"findings":[]}\ufffd'
    got.raw.encode("utf-8")


@pytest.mark.parametrize("content", ["Sure! Here is the JSON:", '```json\n{"findings":[]}\n```', '{"findings":[]}\n\n{}'])
def test_text_that_breaks_the_contract_is_handed_on_for_the_contract_to_judge(server, content):
    client = described(server)
    server.contents = [content]
    assert client.reply(ask()).text == content


def test_closing_is_harmless_at_any_time(server):
    client = connect(server)
    client.close()
    client.describe()
    client.close()
    client.close()


# ---------------------------------------------------------------- batches


@pytest.mark.parametrize(
    ("kind", "slots", "batch"), [("vLLM", 1, 32), ("llama.cpp", 4, 4), ("llama.cpp", 1, 1), ("LM Studio", 1, 1), ("", 1, 1)]
)
def test_a_batch_is_as_large_as_the_server_is_known_to_draw(kind, slots, batch):
    with OpenAI(kind, slots=slots) as server:
        client = connect(server)
        assert client.batch == 1
        client.describe()
        assert client.batch == batch


@pytest.mark.parametrize(("kind", "slots"), [("vLLM", 1), ("llama.cpp", 4)])
def test_all_samples_of_a_prompt_come_from_one_request_with_the_first_seed(kind, slots):
    with OpenAI(kind, slots=slots) as server:
        client = described(server)
        server.contents = ["1", "2", "3"]
        got = client.replies(asks(3))
        assert [reply.text for reply in got] == ["1", "2", "3"]
        assert [(body["n"], body["seed"]) for body in server.chats[1:]] == [(3, 11)]


@pytest.mark.parametrize(("kind", "is_told"), [("vLLM", False), ("llama.cpp", True)])
def test_a_server_that_counts_the_tokens_of_one_choice_only_is_told(kind, is_told):
    with OpenAI(kind, slots=4) as server:
        client = described(server)
        client.replies(asks(3))
        assert any("the total is higher than shown" in warning for warning in client.recheck().warnings) == is_told


@pytest.mark.parametrize(("left", "seconds"), [(float("inf"), 60.0), (45.0, 45.0)])
def test_a_batch_has_the_time_of_all_its_samples_within_the_budget(server, monkeypatch, left, seconds):
    """Else a server on a processor, where ten replies at once take longer than one, loses all ten."""
    client, given = described(server), []
    chat = client._host.chat

    def watched(body, seconds):
        given.append(round(seconds))
        return chat(body, seconds)

    monkeypatch.setattr(client._host, "chat", watched)
    client.replies([replace(one, deadline=20.0, left=left) for one in asks(3)])
    assert given == [round(seconds)]


def test_the_body_is_kept_once_and_each_other_reply_keeps_its_own_part(server):
    client = described(server)
    server.contents = ["one", "two", "three"]
    first, second, third = client.replies(asks(3))
    assert len(json.loads(first.raw)["choices"]) == 3
    assert [json.loads(reply.raw)["message"]["content"] for reply in (second, third)] == ["two", "three"]
    assert [reply.prompt_tokens for reply in (first, second, third)] == [15, 15, 15]
    assert [reply.reply_tokens for reply in (first, second, third)] == [3, 0, 0]


def test_choices_are_put_into_the_servers_numbering(server):
    client = described(server)
    server.contents = ["1", "2", "3"]

    def shuffled(request):
        value = json.loads(server.usual(request).body)
        return said({**value, "choices": [value["choices"][place] for place in (2, 0, 1)]})

    server.on(CHAT, shuffled)
    assert [reply.text for reply in client.replies(asks(3))] == ["1", "2", "3"]


def test_a_choice_that_fails_fails_alone(server):
    client = described(server)
    server.contents = ["1", "2", "3"]
    server.on(CHAT, lambda request: in_choice(1, finish_reason="length")(server, request))
    first, second, third = client.replies(asks(3))
    assert isinstance(second, BackendFailure)
    assert (first.text, second.kind, third.text) == ("1", "length", "3")
    assert json.loads(second.raw)["finish_reason"] == "length"


@pytest.mark.parametrize("mode", ["cut", "no_usage", "dead_engine", "overflow_vllm"])
def test_an_answer_that_fails_as_a_whole_fails_every_sample(server, mode):
    client = described(server)
    server.fail(mode)
    got = client.replies(asks(3))
    assert [outcome.kind for outcome in got] == [FAILURES[mode][0]] * 3
    assert len(server.chats) == 2


def test_more_asks_than_a_batch_go_in_several(server):
    client = described(server)
    assert len(client.replies(asks(70))) == 70
    assert [(body["n"], body["seed"]) for body in server.chats[1:]] == [(32, 11), (32, 43), (6, 75)]


def test_pinned_samples_are_drawn_one_by_one(server):
    """vLLM refuses several greedy ones."""
    client = described(server, plan=replace(PLAN, sampling=Sampling(pinned=True)))
    assert client.batch == 1
    got = client.replies(asks(2, sampling=Sampling(pinned=True)))
    assert [outcome.text for outcome in got] == ['{"findings":[]}'] * 2
    assert [body["n"] for body in server.chats[1:]] == [1, 1]


@pytest.mark.parametrize(
    "text",
    [
        "Only one completion choice is allowed",
        "n_cmpl cannot be greater than the number of slots, please increase -np",
        "Field 'n': Value must be between 1 <= value <= 1, but got 3",
    ],
)
@pytest.mark.parametrize("status", [400, 500])
def test_a_server_that_refuses_several_at_once_is_asked_one_by_one_from_then_on(text, status):
    """Older builds of llama.cpp do."""
    with OpenAI("llama.cpp", slots=4) as server:
        client = described(server)

        def picky(request):
            return server.usual(request) if request.json["n"] == 1 else said({"error": {"message": text}}, status)

        server.on(CHAT, picky)
        for _ in range(2):
            assert [outcome.text for outcome in client.replies(asks(3))] == ['{"findings":[]}'] * 3
        assert client.batch == 1
        assert [(body["n"], body["seed"]) for body in server.chats[1:]] == [(3, 11), *[(1, 11), (1, 12), (1, 13)] * 2]


def test_a_server_that_takes_no_notice_of_the_number_is_asked_for_the_rest_one_by_one():
    with OpenAI("llama.cpp", slots=4) as server:
        client = described(server)
        server.contents = ["1"]

        def one(request):
            value = json.loads(server.usual(request).body)
            return said({**value, "choices": value["choices"][:1]})

        server.on(CHAT, one)
        assert [outcome.text for outcome in client.replies(asks(3))] == ["1", "1", "1"]
        assert [(body["n"], body["seed"]) for body in server.chats[1:]] == [(3, 11), (1, 12), (1, 13)]
        assert client.batch == 1


def test_more_replies_than_were_asked_for_are_a_mismatch(server):
    client = described(server)

    def more(request):
        value = json.loads(server.usual(request).body)
        return said({**value, "choices": value["choices"] * 2})

    server.on(CHAT, more)
    assert [outcome.kind for outcome in client.replies(asks(2))] == ["mismatch", "mismatch"]


def test_seeds_that_do_not_count_up_split_a_batch(server):
    """So that the recorded seed of a sample is the one it was drawn with; a resumed audit has such gaps."""
    client = described(server)
    server.contents = ["1", "2"]
    got = client.replies([ask(seed=seed) for seed in (3, 4, 9, 20, 21)])
    assert [outcome.text for outcome in got] == ["1", "2", "1", "1", "2"]
    assert [(body["n"], body["seed"]) for body in server.chats[1:]] == [(2, 3), (1, 9), (2, 20)]


def test_asks_that_differ_in_more_than_run_and_seed_are_drawn_one_by_one(server):
    client = described(server)
    got = client.replies([ask(), ask(messages=(("user", "another"),))])
    assert [outcome.text for outcome in got] == ['{"findings":[]}'] * 2
    assert [body["n"] for body in server.chats[1:]] == [1, 1]


def test_one_by_one_a_failure_stands_in_its_place():
    with OpenAI("LM Studio") as server:
        client = described(server)
        server.on(CHAT, lambda request: MODES["blank"](server, request), server.usual)
        first, second = client.replies(asks(2))
        assert (first.kind, second.text) == ("rubbish", '{"findings":[]}')
        assert client.replies([]) == []
