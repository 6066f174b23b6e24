"""The token goes to one origin; GitHub's limits are kept to, and no wait is without an end."""

import ssl
from typing import Any

import pytest
from support.github import GitHub, Pull
from support.http import Answer, Request, Server, said

from venire.deliver.github import Client, Refused, Repository
from venire.errors import ConfigError

HEAD = "a" * 40


@pytest.fixture
def github() -> Any:
    with GitHub() as server:
        server.pulls[7] = Pull(HEAD)
        yield server
        assert server.violations == []


class Clock:
    """A clock that a wait moves on."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def client(github: GitHub, clock: Clock | None = None, token: str = "secret") -> Client:  # noqa: S107
    clock = clock or Clock()
    return Client(github.api, token, wait=clock.wait, now=lambda: clock.now)


def test_every_page_is_read_a_hundred_at_a_time(github: GitHub) -> None:
    for number in range(250):
        github.add(7, f"comment {number}", "someone")
    with client(github) as one:
        assert len(list(Repository(one, "octo/app").comments(7))) == 250
    assert [request.path.partition("?")[2] for request in github.requests] == [
        "per_page=100",
        "per_page=100&page=2",
        "per_page=100&page=3",
    ]


def test_a_list_without_an_end_is_given_up(github: GitHub) -> None:
    here = f"{github.api}/repos/octo/app/issues/7/comments"
    github.on("/repos/octo/app/issues/7/comments", lambda _: Answer(200, b"[]", {"Link": f'<{here}?page=2>; rel="next"'}))
    with client(github) as one, pytest.raises(Refused, match="pages"):
        list(Repository(one, "octo/app").comments(7))


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_renamed_repository_is_followed_on_the_same_origin(github: GitHub, code: int) -> None:
    github.on("/repos/octo/old/issues/7/comments", lambda _: Answer(code, b"", {"Location": "/repos/octo/app/issues/7/comments"}))
    with client(github) as one:
        Repository(one, "octo/old").create(7, "hello")
    assert github.bodies(7) == ["hello"]


@pytest.mark.parametrize("how", ["redirect", "link"])
def test_no_token_goes_to_another_origin(github: GitHub, how: str) -> None:
    class Elsewhere(Server):
        def usual(self, request: Request) -> Answer:
            return said([])

    with Elsewhere() as other:
        answer = Answer(302, b"", {"Location": f"{other.url}/x"})
        if how == "link":
            answer = Answer(200, b"[]", {"Link": f'<{other.url}/x>; rel="next"'})
        github.on("/repos/octo/app/issues/7/comments", lambda _: answer)
        with client(github) as one, pytest.raises(Refused, match="the token stays here"):
            list(Repository(one, "octo/app").comments(7))
        assert other.requests == []


@pytest.mark.parametrize("to", ["http://127.0.0.1.example.org/x", "https://user@127.0.0.1/x", "ftp://127.0.0.1/x", "//[", ""])
def test_an_address_that_only_looks_like_ours_is_not_followed(github: GitHub, to: str) -> None:
    github.on("/repos/octo/app/pulls/7", lambda _: Answer(302, b"", {"Location": to}))
    with client(github) as one, pytest.raises(Refused):
        Repository(one, "octo/app").head(7)


@pytest.mark.parametrize(
    "api",
    ["http://api.github.com", "ftp://127.0.0.1", "https://a@b.example", "https://b.example/?x=1", "", "x", "http://[", "//"],
)
def test_a_token_is_sent_over_https_or_to_this_machine_only(api: str) -> None:
    with pytest.raises(ConfigError, match="GITHUB_API_URL"):
        Client(api, "secret")


def test_a_server_of_ones_own_has_a_path_before_the_calls() -> None:
    with GitHub("/api/v3") as github:
        github.pulls[7] = Pull(HEAD)
        with client(github) as one:
            assert Repository(one, "octo/app").head(7) == HEAD
        assert github.requests[0].path == "/api/v3/repos/octo/app/pulls/7"
        assert github.violations == []


def test_proxies_and_netrc_are_not_asked(github: GitHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    with client(github) as one:
        assert Repository(one, "octo/app").head(7) == HEAD
    assert github.requests[0].headers["authorization"] == "Bearer secret"


SECONDARY = {"message": "You have exceeded a secondary rate limit."}


@pytest.mark.parametrize(
    ("answer", "waits"),
    [
        (Answer(429, b"{}", {"Retry-After": "7"}), [7.0]),
        (Answer(403, b"{}", {"Retry-After": "7", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000090"}), [7.0]),
        (Answer(403, b"{}", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000090"}), [91.0]),
        (Answer(403, b"{}", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "999"}), [1.0]),
        (said(SECONDARY, 403), [60.0]),
        (said({"message": "slow down"}, 429), [60.0]),
        (Answer(502, b"<html>"), [1.0]),
        (Answer(503, b"", {"Retry-After": "3"}), [3.0]),
    ],
)
def test_a_wait_is_as_long_as_github_asks(github: GitHub, answer: Answer, waits: list[float]) -> None:
    github.once.append(("POST", answer))
    clock = Clock()
    with client(github, clock) as one:
        Repository(one, "octo/app").create(7, "hello")
    assert clock.waits == waits
    assert github.bodies(7) == ["hello"]


def test_waiting_ends(github: GitHub) -> None:
    github.once += [("POST", Answer(500, b""))] * 99
    clock = Clock()
    with client(github, clock) as one, pytest.raises(Refused, match="HTTP 500"):
        Repository(one, "octo/app").create(7, "hello")
    assert (len(github.writes), clock.waits) == (5, [1.0, 2.0, 4.0, 8.0])


@pytest.mark.parametrize("headers", [{"Retry-After": "3600"}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1003600"}])
def test_an_hour_is_not_waited_for(github: GitHub, headers: dict[str, str]) -> None:
    github.once.append(("POST", Answer(403, b'{"message": "API rate limit exceeded"}', headers)))
    clock = Clock()
    with client(github, clock) as one, pytest.raises(Refused, match="API rate limit"):
        Repository(one, "octo/app").create(7, "hello")
    assert (clock.waits, len(github.writes)) == ([], 1)


def test_patience_is_one_for_all_calls(github: GitHub) -> None:
    clock = Clock()
    with client(github, clock) as one:
        for _ in range(2):
            github.once.append(("POST", Answer(429, b"{}", {"Retry-After": "80"})))
            Repository(one, "octo/app").create(7, "hello")
        github.once.append(("POST", Answer(429, b"{}", {"Retry-After": "80"})))
        with pytest.raises(Refused, match="429"):
            Repository(one, "octo/app").create(7, "hello")
    assert clock.waits == [80.0, 80.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
def test_what_is_final_is_asked_once(github: GitHub, status: int) -> None:
    github.once.append(("POST", said({"message": "no"}, status)))
    clock = Clock()
    with client(github, clock) as one, pytest.raises(Refused) as refusal:
        Repository(one, "octo/app").create(7, "hello")
    assert (refusal.value.status, clock.waits, len(github.writes)) == (status, [], 1)


def test_a_connection_that_fails_is_tried_again_and_then_given_up() -> None:
    with GitHub() as github:
        api = github.api
    clock = Clock()
    with Client(api, "secret", wait=clock.wait) as one, pytest.raises(Refused, match="ConnectError") as refusal:
        Repository(one, "octo/app").head(7)
    assert (refusal.value.status, clock.waits) == (0, [1.0, 2.0, 4.0, 8.0])


@pytest.mark.parametrize("body", [b"", b"[1]", b"null", b'{"id": 1}', b"<html>", b'[{"id": "x"}]', b"[" * 100_000])
def test_an_answer_in_another_form_is_a_refusal_and_no_traceback(github: GitHub, body: bytes) -> None:
    for path in ("/repos/octo/app/issues/7/comments", "/repos/octo/app/pulls/7", "/repos/octo/app/pulls"):
        github.on(path, lambda _: Answer(200, body))
    github.violations.clear()
    with client(github) as one:
        repository = Repository(one, "octo/app")
        with pytest.raises(Refused):
            repository.head(7)
        with pytest.raises(Refused):
            repository.create(7, "x")
        if body not in (b"", b"null"):
            with pytest.raises(Refused):
                repository.pulls("octo:topic")


def test_an_answer_is_read_up_to_a_limit(github: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("venire.deliver.github.client.ANSWER", 1000)
    github.on("/repos/octo/app/pulls/7", lambda _: Answer(200, b"x" * 2000))
    with client(github) as one, pytest.raises(Refused, match="does not end"):
        Repository(one, "octo/app").head(7)


def test_the_token_is_in_no_message_and_no_repr(github: GitHub, capsys: pytest.CaptureFixture[str]) -> None:
    github.once += [("GET", Answer(500, b"")), ("GET", said({"message": "Bad credentials"}, 401))]
    with client(github, token="hunter2") as one, pytest.raises(Refused) as refusal:
        Repository(one, "octo/app").head(7)
    assert "hunter2" not in capsys.readouterr().err + repr(refusal.value) + repr(one)


def test_certificates_of_ones_own_are_read_from_a_file(tmp_path: Any) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("not one")
    with pytest.raises(ConfigError, match="SSL_CERT_FILE"):
        Client("https://github.example/api/v3", "secret", authorities=str(file))
    with Client("https://github.example/api/v3", "secret", authorities=ssl.get_default_verify_paths().cafile or "") as one:
        assert one
