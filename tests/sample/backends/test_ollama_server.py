"""The test server keeps to the API as Ollama documents and implements it: exact fields and types of every answer."""

import json
from typing import Any

import httpx
import pytest
from support.ollama import DIGEST, MODEL, NATIVE_OVERFLOW, RENDERED_OVERFLOW, Ollama, truncated

DETAILS = {
    "parent_model": str,
    "format": str,
    "family": str,
    "families": list,
    "parameter_size": str,
    "quantization_level": str,
}
SHAPES: dict[str, dict[str, Any]] = {
    "version": {"version": str},
    "tags": {"name": str, "model": str, "modified_at": str, "size": int, "digest": str, "details": DETAILS},
    "show": {
        "license": str,
        "modelfile": str,
        "template": str,
        "system": str,
        "details": DETAILS,
        "model_info": {"general.architecture": str, "qwen2.context_length": int},
        "capabilities": list,
        "modified_at": str,
    },
    "ps": {
        "name": str,
        "model": str,
        "size": int,
        "digest": str,
        "details": DETAILS,
        "expires_at": str,
        "size_vram": int,
        "context_length": int,
    },
    "chat": {
        "model": str,
        "created_at": str,
        "message": {"role": str, "content": str},
        "done": bool,
        "done_reason": str,
        "total_duration": int,
        "load_duration": int,
        "prompt_eval_count": int,
        "prompt_eval_duration": int,
        "eval_count": int,
        "eval_duration": int,
    },
}


def shape(value: object) -> object:
    """Field names and types, all the way down; lists stay lists."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return type(value)


def body(**changes: Any) -> dict[str, Any]:
    usual = {
        "model": MODEL,
        "messages": [{"role": "user", "content": "one two three"}],
        "stream": False,
        "options": {"num_ctx": 512, "num_predict": 64},
    }
    return {**usual, **changes}


@pytest.fixture
def server():
    with Ollama() as server:
        yield server


def post(server: Ollama, path: str, value: dict[str, Any]) -> httpx.Response:
    return httpx.post(server.url + path, json=value, trust_env=False)


def get(server: Ollama, path: str) -> Any:
    return httpx.get(server.url + path, trust_env=False).json()


def test_each_endpoint_answers_with_exactly_the_documented_fields(server):
    assert get(server, "/api/ps") == {"models": []}
    chat = post(server, "/api/chat", body()).json()
    assert shape(chat) == SHAPES["chat"]
    assert shape(get(server, "/api/version")) == SHAPES["version"]
    assert [shape(entry) for entry in get(server, "/api/tags")["models"]] == [SHAPES["tags"]]
    assert [shape(entry) for entry in get(server, "/api/ps")["models"]] == [SHAPES["ps"]]
    assert shape(post(server, "/api/show", {"model": MODEL}).json()) == SHAPES["show"]
    assert len(DIGEST) == 64


def test_an_unknown_model_gives_404_with_an_error_text(server):
    for path, value in (("/api/show", {"model": "x"}), ("/api/chat", body(model="x"))):
        response = post(server, path, value)
        assert (response.status_code, response.json()) == (404, {"error": "model 'x' not found"})


@pytest.mark.parametrize(("context", "count"), [(4096, 2050), (32768, 16386), (65536, 32770)])
def test_a_truncated_prompt_reports_the_counts_that_users_saw(context, count):
    """Issues 17889, 3839 and 17427 of Ollama and its pull request 18399."""
    assert truncated(context) == count


def test_a_long_prompt_is_cut_unsaid_by_default_and_refused_when_asked_so(server):
    long = body(messages=[{"role": "user", "content": "word " * 600}])
    assert post(server, "/api/chat", long).json()["prompt_eval_count"] == truncated(512)
    refused = post(server, "/api/chat", {**long, "truncate": False, "shift": False})
    assert (refused.status_code, refused.content) == (400, RENDERED_OVERFLOW.body)
    server.is_native = True
    refused = post(server, "/api/chat", {**long, "truncate": False, "shift": False})
    assert (refused.status_code, refused.content) == (400, NATIVE_OVERFLOW(604, 512).body)
    assert json.loads(refused.json()["error"])["error"]["n_prompt_tokens"] == 604


def test_another_load_time_attribute_loads_the_model_again_and_a_sampling_option_does_not(server):
    post(server, "/api/chat", body())
    post(server, "/api/chat", body(options={"num_ctx": 512, "num_predict": 9, "seed": 3}))
    assert len(server.loads) == 1
    post(server, "/api/chat", body(shift=False))
    post(server, "/api/chat", body(shift=False, options={"num_ctx": 1024, "num_predict": 64}))
    assert len(server.loads) == 3
    assert get(server, "/api/ps")["models"][0]["context_length"] == 1024
