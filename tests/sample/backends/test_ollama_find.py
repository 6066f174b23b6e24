"""The quick look for a server and a model: every answer is told by the value, none raises."""

import socket
import subprocess
import sys

import pytest
from support.ollama import MODEL, Answer, Ollama, said

from venire.errors import ConfigError
from venire.sample.backends.ollama_find import find, full, is_cloud, same


def test_a_server_with_the_model_is_ready_and_nothing_is_loaded_by_looking():
    with Ollama(version="0.36.0", models=(MODEL, "small")) as server:
        found = find(server.url, "small:latest")
        assert (found.url, found.version, found.models) == (server.url, "0.36.0", (MODEL, "small:latest"))
        assert found.is_ready
        assert [request.path for request in server.requests] == ["/api/version", "/api/tags"]
        assert server.loads == []


def test_a_server_without_the_model_is_up_and_not_ready():
    with Ollama() as server:
        found = find(server.url, "other")
        assert (found.version, found.has_model, found.is_ready, found.problem) == ("0.35.1", False, False, "")


def test_a_cloud_entry_is_not_among_the_models():
    with Ollama() as server:
        server.tag = {"remote_host": "https://ollama.com:443"}
        assert find(server.url, MODEL).models == ()


def test_a_port_where_nothing_listens_is_said_so():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        found = find(f"127.0.0.1:{unused.getsockname()[1]}", MODEL)
    assert (found.version, found.is_ready, found.problem) == ("", False, "nothing listens there")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, b"<html>router</html>"),
        Answer(200),
        said([1]),
        said({"version": 3}),
        said({"version": ""}),
        said({"other": "0.1"}),
        Answer(404, b"404 page not found"),
        Answer(302, b"", {"Location": "http://127.0.0.1:9/"}),
        Answer(200, b"[" * 100_000),
        Answer(200, b"\xff\xfe"),
        Answer(200, b'{"version":"0.35.1"}', manner="cut"),
    ],
)
def test_a_server_that_is_not_ollama_is_no_server(answer):
    with Ollama() as server:
        server.on("/api/version", lambda request: answer)
        found = find(server.url, MODEL)
        assert found.version == ""
        assert found.problem.startswith("what answers is not Ollama")


@pytest.mark.parametrize("tags", [{"models": 7}, {"models": [{"name": 3}]}])
def test_a_list_of_models_that_is_none_is_no_server(tags):
    with Ollama() as server:
        server.on("/api/tags", lambda request: said(tags))
        assert find(server.url, MODEL).problem.startswith("what answers is not Ollama")


@pytest.mark.parametrize("manner", ["silent", "drip", "drip-head"])
def test_a_server_that_never_ends_its_answer_is_left(manner):
    with Ollama() as server:
        server.on("/api/version", lambda request: Answer(200, b"{}", manner=manner))
        found = find(server.url, MODEL, seconds=0.2)
        assert (found.version, found.problem) == ("", "no answer in time")


def test_bytes_that_are_no_http_are_no_server():
    import threading

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        found = find(f"127.0.0.1:{listener.getsockname()[1]}", MODEL)
        thread.join()
    assert found.problem.startswith("what answers is not Ollama")


def test_no_key_leaves_unless_one_is_given(monkeypatch):
    monkeypatch.setenv("OLLAMA_API_KEY", "secret")
    with Ollama() as server:
        find(server.url, MODEL)
        assert all("authorization" not in request.headers for request in server.requests)
        find(server.url, MODEL, api_key="mine")
        assert server.requests[-1].headers["authorization"] == "Bearer mine"


def test_a_foreign_host_is_refused_before_anything_is_sent():
    with pytest.raises(ConfigError):
        find("example.com", MODEL)


def test_looking_where_nothing_listens_imports_no_client_library():
    code = (
        "import sys; from venire.sample.backends.ollama import Ollama, find; find('127.0.0.1:9', 'm', seconds=0.1);"
        "print([m for m in ('ollama', 'httpx', 'httpcore', 'pydantic', 'http.client', 'ssl') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_names_that_mean_one_model_are_the_same():
    assert full("qwen") == "qwen:latest"
    for one, other in (
        ("x", "x:latest"),
        ("library/x", "X:latest"),
        ("registry.ollama.ai/library/x:1b", "x:1B"),
        ("a/b", "a/b:latest"),
    ):
        assert same(one, other)
    for one, other in (("x", "x:7b"), ("a/x", "x"), ("host:5000/a/x", "a/x")):
        assert not same(one, other)


def test_cloud_names_are_known_by_their_end():
    assert all(is_cloud(name) for name in ("glm:cloud", "gpt-oss:120b-cloud", "GLM:Cloud", "x-cloud"))
    assert not any(is_cloud(name) for name in ("qwen", "cloud:7b", "cloudy", "x:cloud9"))


def test_a_plain_server_behind_an_https_address_is_no_server():
    with Ollama() as server:
        found = find(f"https://127.0.0.1:{server.port}", MODEL)
        assert found.version == ""
        assert found.problem
        assert server.requests == []
