"""The quick look for an OpenAI-compatible server and a model: every answer is told by the value, none raises."""

import socket
import subprocess
import sys

import pytest
from support.http import Answer, said
from support.openai import KINDS, MODEL, OpenAI

from venire.errors import ConfigError
from venire.sample.backends.openai_find import find


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_with_the_model_is_ready_and_one_look_says_so(kind):
    with OpenAI(kind) as server:
        found = find(server.url, MODEL)
        assert (found.url, found.models, found.has_model, found.problem) == (server.url, (MODEL,), True, "")
        assert found.is_ready
        assert [request.path for request in server.requests] == ["/v1/models"]


def test_a_server_without_the_model_lists_what_it_has():
    with OpenAI() as server:
        found = find(server.url + "/v1", "other")
        assert (found.models, found.is_ready, found.problem) == ((MODEL,), False, "")


def test_without_a_name_any_model_will_do():
    with OpenAI() as server:
        assert find(server.url, "").is_ready
        server.models = ()
        assert not find(server.url, "").is_ready


def test_a_port_where_nothing_listens_is_said_so():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = find(f"127.0.0.1:{unused.getsockname()[1]}", MODEL)
    assert (found.is_ready, found.problem) == (False, "nothing listens there")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>router</html>"),
        Answer(200),
        said([1]),
        said({"data": 7}),
        said({"error": "Unexpected endpoint or method."}),
        Answer(404, b"404 page not found"),
        Answer(401, b"{}"),
        Answer(302, b"", {"Location": "http://127.0.0.1:9/"}),
        Answer(200, b"[" * 100_000),
        Answer(200, b'{"data":[]}', manner="cut"),
        Answer(200, b"{}", manner="drip"),
    ],
)
def test_what_is_no_list_of_models_is_a_problem(answer):
    with OpenAI() as server:
        server.on("/v1/models", lambda request: answer)
        found = find(server.url, MODEL, seconds=0.3)
        assert not found.is_ready
        assert found.problem


def test_no_key_leaves_unless_one_is_given(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with OpenAI(key="mine") as server:
        assert find(server.url, MODEL).problem == "the server does not accept the API key, or wants one"
        assert "authorization" not in server.requests[-1].headers
        assert find(server.url, MODEL, api_key="mine").is_ready


def test_a_foreign_host_is_refused_before_anything_is_sent():
    with pytest.raises(ConfigError):
        find("example.com", MODEL)


def test_looking_where_nothing_listens_imports_no_client_library():
    code = (
        "import sys; from venire.sample.backends.openai import OpenAI, find; find('127.0.0.1:9', 'm', seconds=0.1);"
        "print([m for m in ('ollama', 'httpx', 'httpcore', 'pydantic', 'http.client', 'ssl') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
