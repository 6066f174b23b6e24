"""The Ollama backend against a real server on this machine: facts, sound replies, and every failure by its name."""

import json
import os
import subprocess
import sys
import time

import pytest
from support.ollama import DIGEST, MODEL, Answer, Ollama, cut_to, message, said

from venire.errors import BackendFailure, BackendUnavailable, ConfigError
from venire.model import Ask, Plan, Sampling
from venire.sample.backends import ollama as backend

PLAN = Plan(context=4096, sampling=Sampling(temperature=0.7, seed=11))
SCHEMA = '{"type":"object","properties":{"line":{"enum":["1: a","2: b"]},"check":{"type":"string"}},"required":["line"]}'


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


@pytest.fixture
def server():
    with Ollama() as server:
        yield server


def connect(server, **changes):
    return backend.Ollama(**{"host": server.url, "model": MODEL, "plan": PLAN, **changes})


# ---------------------------------------------------------------- facts


def test_describe_states_what_the_server_says(server):
    info = connect(server).describe()
    assert (info.backend, info.name, info.engine, info.digest) == ("ollama", MODEL, "ollama 0.35.1", DIGEST)
    assert (info.quantization, info.parameters, info.context, info.gpu_share) == ("Q4_K_M", "7.6B", 4096, 1.0)
    assert info.warnings == ()


def test_the_context_is_the_models_own_where_that_is_smaller():
    with Ollama(trained=2048) as server:
        assert connect(server).describe().context == 2048
        assert server.asked("/api/chat")[0].json["options"]["num_ctx"] == 2048


def test_one_load_serves_the_probe_and_every_reply(server):
    """All load-time attributes are the same, and nothing but the listed paths is asked; never a pull."""
    client = connect(server)
    client.describe()
    for run in range(3):
        client.reply(ask(run=run, seed=run, reply_tokens=50 + run))
    assert len(server.loads) == 1
    assert client.loads == 1
    probe, *replies = [request.json for request in server.asked("/api/chat")]
    for request in replies:
        for key in ("num_ctx", "draft_num_predict", "num_keep"):
            assert request["options"][key] == probe["options"][key]
        for key in ("shift", "truncate", "keep_alive", "think", "stream"):
            assert request[key] == probe[key]
    assert probe["options"]["num_predict"] == 1
    assert {request.path for request in server.requests} == {"/api/version", "/api/tags", "/api/show", "/api/ps", "/api/chat"}


def test_a_short_name_is_the_latest_one():
    with Ollama(models=("small:latest",)) as server:
        assert connect(server, model="small").describe().name == "small"


@pytest.mark.parametrize(("vram", "share"), [(0, 0.0), (1_250_000_000, 0.25), (5_000_000_000, 1.0), (None, 0.0)])
def test_the_share_of_the_model_in_gpu_memory_is_stated(server, vram, share):
    server.running = {"size_vram": vram}
    assert connect(server).describe().gpu_share == share


@pytest.mark.parametrize(
    ("version", "is_warned"),
    [
        ("0.34.2", True),
        ("0.35.0-rc1", True),
        ("0.0.0", True),
        ("dev", True),
        ("0.35.0", False),
        ("0.41.7", False),
        ("1.0.0", False),
    ],
)
def test_an_old_server_is_warned_of(version, is_warned):
    with Ollama(version=version) as server:
        warnings = connect(server).describe().warnings
        assert any("CVE-2026-103663" in warning for warning in warnings) == is_warned


def test_messages_of_the_modelfile_are_warned_of_and_its_system_text_is_not(server):
    """The server leaves the Modelfile's SYSTEM out when a prompt begins with a system message, as every one of ours does."""
    server.show = {"messages": [{"role": "user", "content": "hi"}], "system": "You are a pirate."}
    (warning,) = connect(server).describe().warnings
    assert "MESSAGE" in warning


def test_a_missing_model_names_the_pull_line_and_pulls_nothing(server):
    with pytest.raises(BackendUnavailable, match="has no model absent") as caught:
        connect(server, model="absent").describe()
    assert caught.value.remedy == "ollama pull absent"
    assert all(request.path != "/api/pull" for request in server.requests)
    assert server.asked("/api/chat") == []


def test_a_model_that_vanishes_between_list_and_show_is_missing(server):
    server.on("/api/show", lambda request: said({"error": "model not found"}, 404))
    with pytest.raises(BackendUnavailable) as caught:
        connect(server).describe()
    assert caught.value.remedy == f"ollama pull {MODEL}"


def test_a_server_that_is_down_names_the_line_that_starts_it():
    with Ollama() as server:
        client = connect(server)
    with pytest.raises(BackendUnavailable, match="no server answers") as caught:
        client.describe()
    assert caught.value.remedy == "start it: ollama serve"
    with pytest.raises(BackendFailure) as failed:
        client.reply(ask())
    assert (failed.value.kind, failed.value.is_transient) == ("refused", True)


@pytest.mark.parametrize("path", ["/api/version", "/api/tags", "/api/show", "/api/ps", "/api/chat"])
@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>"),
        Answer(200),
        said([]),
        said({"models": 3}),
        said({"version": 3, "done": 1}),
        Answer(200, b'{"version":"0.35.1","model_info":{}}', manner="reset"),
        Answer(200, b'{"models":[]}', manner="cut"),
        said([1, 2], 500),
        Answer(307, b"", {"Location": "http://127.0.0.1:9/"}),
    ],
)
def test_rubbish_from_any_endpoint_makes_the_model_unavailable(server, path, answer):
    server.on(path, lambda request: answer)
    with pytest.raises(BackendUnavailable) as caught:
        connect(server).describe()
    assert caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("running", "said_so"),
    [
        ({"context_length": 2048}, "a context of 2048, not 4096"),
        ({"context_length": None}, "a context of unknown, not 4096"),
        ({"digest": "0" * 64}, "digests differ"),
        ({"name": "other:1b", "model": "other:1b"}, "not among the loaded models"),
    ],
)
def test_a_loaded_model_that_is_not_what_was_asked_for_is_refused(server, running, said_so):
    server.running = running
    with pytest.raises(BackendUnavailable, match=said_so):
        connect(server).describe()


@pytest.mark.parametrize("mode", ["done_false", "load", "no_count", "remote", "crash", "busy", "missing", "forbidden"])
def test_a_probe_that_fails_makes_the_model_unavailable(server, mode):
    server.fail(mode)
    with pytest.raises(BackendUnavailable):
        connect(server).describe()
    assert len(server.asked("/api/chat")) == 1


def test_recheck_states_the_facts_again_without_a_chat(server):
    client = connect(server)
    first = client.describe()
    assert client.recheck() == first
    server.tag = {"digest": "1" * 64}
    assert client.recheck().digest == "1" * 64
    assert len(server.asked("/api/chat")) == 1


def test_a_plain_server_behind_an_https_address_is_unavailable(server):
    with pytest.raises(BackendUnavailable, match="SSL"):
        connect(server, host=f"https://127.0.0.1:{server.port}").describe()
    assert server.requests == []


# ---------------------------------------------------------------- privacy


@pytest.mark.parametrize("name", ["glm:cloud", "gpt-oss:120b-cloud"])
def test_a_cloud_model_is_refused_by_name_and_nothing_is_sent(server, name):
    with pytest.raises(ConfigError, match="Ollama's computers"):
        connect(server, model=name)
    assert server.requests == []


@pytest.mark.parametrize("where", ["show", "tag"])
def test_a_model_that_runs_elsewhere_is_refused_before_any_chat(server, where):
    setattr(server, where, {"remote_host": "https://ollama.com:443", "remote_model": "glm"})
    with pytest.raises(BackendUnavailable, match=r"ollama\.com"):
        connect(server).describe()
    assert server.asked("/api/chat") == []


def test_a_foreign_host_is_refused_when_the_backend_is_made():
    with pytest.raises(ConfigError, match="not this machine"):
        backend.Ollama(host="example.com", model=MODEL, plan=PLAN)


def test_the_environments_key_never_leaves_and_a_configured_one_does(server, monkeypatch):
    monkeypatch.setenv("OLLAMA_API_KEY", "from-the-environment")
    connect(server).describe()
    assert all("authorization" not in request.headers for request in server.requests)
    connect(server, api_key="mine").describe()
    assert server.requests[-1].headers["authorization"] == "Bearer mine"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"])
def test_no_proxy_of_the_environment_sees_a_request(server, monkeypatch, name):
    with Ollama() as proxy:
        monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("no_proxy", "")
        client = connect(server)
        client.describe()
        client.reply(ask())
        assert proxy.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_error_and_the_prompt_goes_nowhere(server, status):
    with Ollama() as other:
        client = connect(server)
        client.describe()
        server.on("/api/chat", lambda request: Answer(status, b"", {"Location": other.url + "/api/chat"}))
        with pytest.raises(BackendFailure, match="redirects to") as caught:
            client.reply(ask())
        assert caught.value.kind == "status"
        assert other.requests == []


# ---------------------------------------------------------------- replies


def test_a_reply_carries_text_counts_and_the_body_as_received(server):
    client = connect(server)
    client.describe()
    got = client.reply(ask())
    assert (got.text, got.done) == ('{"findings":[]}', "stop")
    assert json.loads(got.raw)["prompt_eval_count"] == got.prompt_tokens > 0
    assert got.load_ms == 21


def test_every_option_the_schema_and_the_safeguards_are_sent(server):
    client = connect(server)
    client.describe()
    client.reply(ask())
    body = server.asked("/api/chat")[-1].json
    assert body["options"] == {
        "num_ctx": 4096,
        "num_keep": 4,
        "num_predict": 64,
        "seed": 12,
        "temperature": 0.7,
        "top_k": 40,
        "top_p": 0.9,
        "min_p": 0.0,
        "typical_p": 1.0,
        "repeat_last_n": 64,
        "repeat_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "draft_num_predict": 0,
    }
    assert {key: body[key] for key in ("stream", "think", "truncate", "shift", "keep_alive")} == {
        "stream": False,
        "think": False,
        "truncate": False,
        "shift": False,
        "keep_alive": "30m",
    }
    assert json.dumps(body["format"], separators=(",", ":")) == SCHEMA  # and its fields in their order
    assert body["messages"] == [{"role": "system", "content": "You audit code."}, {"role": "user", "content": "1: a\n2: b"}]


def test_a_model_that_knows_thinking_levels_only_gets_the_lowest(server):
    server.show = {"model_info": {"general.architecture": "gptoss", "gptoss.context_length": 131072}}
    client = connect(server)
    client.describe()
    client.reply(ask())
    assert [request.json["think"] for request in server.asked("/api/chat")] == ["low", "low"]


FAILURES = {
    "done_false": ("unfinished", "before it was finished"),
    "zero_body": ("unfinished", "before it was finished"),
    "no_reason": ("unfinished", "before it was finished"),
    "length": ("length", "the reply was cut"),
    "load": ("rubbish", "done_reason 'load'"),
    "unload": ("rubbish", "done_reason 'unload'"),
    "exceed_native": ("context", "the prompt has 351 tokens, the context 256"),
    "exceed_rendered": ("context", "longer than the context length"),
    "no_count": ("rubbish", "did not count the prompt"),
    "text_count": ("rubbish", "prompt_eval_count is '12'"),
    "true_count": ("rubbish", "prompt_eval_count is True"),
    "thinking": ("rubbish", "thinking although think was false"),
    "blank": ("rubbish", "the reply is empty"),
    "no_message": ("rubbish", "no message.content"),
    "number_content": ("rubbish", "no message.content"),
    "repeat_limit": ("unfinished", "token repeat limit"),
    "missing": ("status", "not found"),
    "forbidden": ("status", "refuses requests under this host name"),
    "canceled": ("status", "request canceled"),
    "crash": ("status", "process has terminated"),
    "unexpected": ("status", "unexpectedly stopped"),
    "option_type": ("status", "must be of type integer"),
    "remote": ("mismatch", "ollama.com"),
    "html": ("rubbish", "not JSON"),
    "empty": ("rubbish", "not JSON"),
    "list": ("rubbish", "a JSON list"),
    "error_list": ("status", "status 500"),
    "error_string": ("status", "boom"),
    "error_in_200": ("status", "error was encountered"),
    "no_content_204": ("rubbish", "status 204"),
    "deep": ("rubbish", "not JSON"),
    "big_number": ("rubbish", "not JSON"),
    "nan": ("rubbish", "NaN is not JSON"),
    "bad_utf8": ("rubbish", "not JSON"),
    "stream": ("rubbish", "not JSON"),
    "gzip": ("rubbish", "compressed"),
    "huge": ("rubbish", "more than 8388608 bytes"),
    "cut": ("transport", "the connection broke"),
    "reset": ("transport", "the connection broke"),
}


@pytest.mark.parametrize("mode", FAILURES)
def test_each_failure_is_named_and_keeps_what_the_server_sent(server, mode):
    client = connect(server)
    client.describe()
    server.fail(mode)
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask())
    kind, words = FAILURES[mode]
    assert caught.value.kind == kind
    assert words in caught.value.message
    assert caught.value.is_transient == (mode in ("crash", "unexpected", "error_list", "error_string", "cut", "reset"))
    caught.value.raw.encode("utf-8")
    if mode != "reset":  # a reset may overtake the bytes before it
        assert bool(caught.value.raw) == (mode not in ("empty", "forbidden", "no_content_204", "gzip"))
    assert len(server.asked("/api/chat")) == 2  # the probe and one ask: nothing is asked again by itself


@pytest.mark.parametrize("mode", ["drip", "drip_head", "silent"])
def test_a_server_that_never_finishes_is_left_at_the_deadline(server, mode):
    client = connect(server)
    client.describe()
    server.fail(mode)
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(deadline=0.4))
    assert (caught.value.kind, caught.value.is_transient) == ("timeout", False)


def test_a_deadline_that_is_over_sends_nothing(server):
    client = connect(server)
    client.describe()
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(deadline=0.0))
    assert caught.value.kind == "timeout"
    assert len(server.asked("/api/chat")) == 1


@pytest.mark.parametrize("context", [4096, 32768])
@pytest.mark.parametrize("keep", [4, 5])
def test_a_prompt_that_was_cut_unsaid_fails_the_sample(server, context, keep):
    client = connect(server, plan=Plan(context=context))
    client.describe()
    server.on("/api/chat", lambda request: cut_to(context, keep)(server, request))
    with pytest.raises(BackendFailure, match="may be cut") as caught:
        client.reply(ask())
    assert caught.value.kind == "context"


@pytest.mark.parametrize("is_native", [True, False])
def test_a_prompt_that_is_too_long_is_refused_by_the_server_and_never_cut(is_native):
    with Ollama(is_native=is_native) as server:
        client = connect(server, plan=Plan(context=512))
        client.describe()
        with pytest.raises(BackendFailure) as caught:
            client.reply(ask(messages=(("system", "x"), ("user", "word " * 600))))
        assert caught.value.kind == "context"


def test_another_count_for_the_same_messages_is_a_mismatch(server):
    client = connect(server)
    client.describe()
    first = client.reply(ask())
    server.on("/api/chat", lambda request: changed_count(server, request, first.prompt_tokens + 1))
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(seed=13))
    assert caught.value.kind == "mismatch"
    client.reply(ask(messages=(("system", "other"), ("user", "words"))))


def changed_count(server, request, count):
    return said({**json.loads(server.usual(request).body), "prompt_eval_count": count})


def test_a_reload_in_between_counts_as_a_load(server):
    client = connect(server)
    client.describe()
    client.reply(ask())
    slow = {"load_duration": 4_000_000_000}
    server.on("/api/chat", lambda request: said({**json.loads(server.usual(request).body), **slow}))
    assert client.reply(ask()).load_ms == 4000
    assert client.loads == 2


def test_a_refused_schema_falls_back_to_plain_json_once_and_is_stated(server):
    client = connect(server)
    assert client.describe().warnings == ()

    def picky(request):
        if isinstance(request.json.get("format"), dict):
            return said({"error": "Failed to initialize samplers: failed to parse grammar"}, 400)
        return server.usual(request)

    server.on("/api/chat", picky)
    client.reply(ask())
    client.reply(ask(seed=13))
    formats = [request.json.get("format") for request in server.asked("/api/chat")]
    assert formats == [None, json.loads(SCHEMA), "json", "json"]
    (warning,) = client.recheck().warnings
    assert "plain JSON" in warning


def test_a_server_that_refuses_the_fallback_too_fails_the_sample(server):
    client = connect(server)
    client.describe()
    server.fail("grammar")
    for asked in (3, 4):
        with pytest.raises(BackendFailure, match="failed to parse grammar") as caught:
            client.reply(ask())
        assert (caught.value.kind, caught.value.is_transient) == ("status", False)
        assert len(server.asked("/api/chat")) == asked


def test_the_fallback_shares_the_deadline_of_its_ask(server):
    """Each of the two answers comes within the deadline; both together do not."""
    client = connect(server)
    client.describe()

    def slow(request):
        time.sleep(0.3)
        refused = isinstance(request.json["format"], dict)
        return said({"error": "failed to parse grammar"}, 400) if refused else server.usual(request)

    server.on("/api/chat", slow)
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(deadline=0.5))
    assert caught.value.kind == "timeout"


def test_line_separators_in_a_reply_are_text(server):
    client = connect(server)
    client.describe()
    server.fail("raw_nel")
    assert client.reply(ask()).text == '{"findings":[]}\u0085\u2028'


def test_a_lone_surrogate_in_a_reply_is_replaced(server):
    client = connect(server)
    client.describe()
    server.fail("surrogate")
    got = client.reply(ask())
    assert got.text == '{"findings":[]}\ufffd'
    got.raw.encode("utf-8")


@pytest.mark.parametrize(
    "content",
    [
        "Sure! Here is the JSON:",
        '```json\n{"findings":[]}\n```',
        '{"{"summary"',
        "{'findings': []}",
        '{"findings":[]}\n\n{"findings":[]}',
    ],
)
def test_text_that_breaks_the_contract_is_handed_on_for_the_contract_to_judge(server, content):
    client = connect(server)
    client.describe()
    server.on("/api/chat", lambda request: message(content)(server, request))
    assert client.reply(ask()).text == content


def test_a_lone_surrogate_in_a_prompt_can_be_sent(server):
    client = connect(server)
    client.describe()
    client.reply(ask(messages=(("system", "x"), ("user", "\ud800 \u0085"))))


def test_closing_is_harmless_at_any_time(server):
    client = connect(server)
    client.close()
    client.describe()
    client.close()
    client.close()


# ---------------------------------------------------------------- a hostile environment


@pytest.mark.parametrize(
    "hostile",
    [
        {"ALL_PROXY": "socks5h://127.0.0.1:9"},
        {"HTTP_PROXY": "nonsense://x"},
        {"OLLAMA_HOST": "http://[bad"},
        {"SSL_CERT_FILE": "/does/not/exist"},
    ],
)
def test_a_client_that_cannot_be_imported_is_told_with_its_remedy(server, hostile):
    """Or it starts all the same, where the library takes the variable: never a traceback of its own."""
    code = f"""
from venire.errors import BackendUnavailable
from venire.model import Plan
from venire.sample.backends.ollama import Ollama, find
assert find({server.url!r}, {MODEL!r}).is_ready
try:
    print("described", Ollama(host={server.url!r}, model={MODEL!r}, plan=Plan()).describe().digest)
except BackendUnavailable as error:
    print("unavailable", error.message, "|", error.remedy)
"""
    result = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **hostile}, capture_output=True, text=True, check=True
    )
    first, _, rest = result.stdout.partition(" ")
    if "SSL_CERT_FILE" in hostile and first == "described":
        return
    assert first == "unavailable"
    assert "the Ollama client does not start" in rest
    assert next(iter(hostile)) in rest
