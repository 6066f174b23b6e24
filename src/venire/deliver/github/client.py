"""Requests to GitHub's REST API. The token goes to one origin, answers are bounded, and so is all waiting."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from venire.deliver.stream import note
from venire.errors import ConfigError

if TYPE_CHECKING:
    import httpx

ANSWER = 64 * 2**20  # bytes: a page of 100 comments of the greatest length, escaped, stays below
READING = 60.0  # seconds one answer may take
PATIENCE = 180.0  # seconds to wait for GitHub in all, whatever it is asked
MINUTE = 60.0  # what GitHub asks for where it names no time
TRIES = 5
PAGES = 100
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Refused(Exception):
    """GitHub did not do it. ``status`` is HTTP's, 0 where no answer came."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers by lower-case name, body. Status 0: none came, and ``error`` says why."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    error: str = ""

    @property
    def json(self) -> Any:
        try:
            return json.loads(self.body) if self.body else None
        except (ValueError, RecursionError):
            raise Refused(self.status, "the answer is not JSON") from None

    @property
    def message(self) -> str:
        """What GitHub says in an error, in one short line."""
        if self.error:
            return self.error
        try:
            said = json.loads(self.body)
        except (ValueError, RecursionError):
            return f"HTTP {self.status}"
        text = said.get("message") if isinstance(said, dict) else None
        return f"HTTP {self.status}: {text[:200]}" if isinstance(text, str) else f"HTTP {self.status}"


class Client:
    """One origin's API. No proxy, no redirect elsewhere, no ``.netrc``: the token goes where ``api`` says or nowhere.

    ``wait`` and ``now`` (seconds since the epoch) are the clock, so that a test need not sleep.
    """

    def __init__(
        self,
        api: str,
        token: str,
        *,
        authorities: str = "",
        wait: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        import httpx

        self._base = _origin(api)
        headers = {
            "accept": "application/vnd.github+json",
            "accept-encoding": "identity",
            "authorization": f"Bearer {token}",
            "user-agent": "venire",
            "x-github-api-version": "2022-11-28",
        }
        # A connection each: one kept open may be closed when the next call is sent, and a call that writes is then in doubt.
        self._http = httpx.Client(
            headers=headers,
            trust_env=False,
            follow_redirects=False,
            timeout=30,
            verify=_authorities(authorities),
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        self._wait, self._now, self._left = wait, now, PATIENCE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def call(self, method: str, path: str, *, query: Mapping[str, str] | None = None, body: object = None) -> Answer:
        """One call, tried again where GitHub asks for it. Refused: anything but a 2xx."""
        url = self._base.copy_with(raw_path=self._base.raw_path.rstrip(b"/") + path.encode(), query=None)
        return self._patiently(method, url.copy_merge_params(query) if query else url, body)

    def pages(self, path: str) -> Iterator[Any]:
        """Every item of a list, over all its pages. Refused where it does not end."""
        answer = self.call("GET", path, query={"per_page": "100"})
        for _ in range(PAGES):
            items = answer.json
            if not isinstance(items, list):
                raise Refused(answer.status, "the answer is not a list")
            yield from items
            if not (following := _next(answer.headers.get("link", ""))):
                return
            answer = self._patiently("GET", self._own(following), None)
        raise Refused(0, f"more than {PAGES} pages")

    def _patiently(self, method: str, url: "httpx.URL", body: object) -> Answer:
        for tried in range(TRIES):
            answer = self._follow(method, url, body)
            if 200 <= answer.status < 300:
                return answer
            pause = self._pause(answer, tried)
            if pause is None or pause > self._left or tried + 1 == TRIES:
                break
            note(f"GitHub: {answer.message}; trying again in {pause:.0f} s")
            self._wait(pause)
            self._left -= pause
        raise Refused(answer.status, answer.message)

    def _pause(self, answer: Answer, tried: int) -> float | None:
        """Seconds to wait before the next try, as GitHub asks for them; None where the answer is final."""
        if answer.status >= 500 or not answer.status:
            return _seconds(answer.headers.get("retry-after")) or float(2**tried)
        if answer.status not in (403, 429):
            return None
        if (asked := _seconds(answer.headers.get("retry-after"))) is not None:
            return asked
        if answer.headers.get("x-ratelimit-remaining") == "0":
            reset = _seconds(answer.headers.get("x-ratelimit-reset"))
            return MINUTE if reset is None else max(0.0, reset - self._now()) + 1
        is_limit = answer.status == 429 or "rate limit" in answer.message.lower()
        return MINUTE * 2**tried if is_limit else None

    def _follow(self, method: str, url: "httpx.URL", body: object) -> Answer:
        """Send, and go after a renamed repository on the same origin: the same request, as GitHub's documentation asks."""
        for _ in range(4):
            answer = self._send(method, url, body)
            if answer.status not in (301, 302, 307, 308):
                return answer
            url = self._own(str(url.join(answer.headers.get("location", ""))))
        raise Refused(answer.status, "too many redirects")

    def _send(self, method: str, url: "httpx.URL", body: object) -> Answer:
        import httpx

        content = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"content-type": "application/json"}
        until = time.monotonic() + READING
        try:
            with self._http.stream(method, url, content=content, headers=headers) as response:
                read = bytearray()
                for chunk in response.iter_raw():
                    read += chunk
                    if len(read) > ANSWER or time.monotonic() > until:
                        raise Refused(0, "the answer does not end")
                return Answer(response.status_code, {k.lower(): v for k, v in response.headers.items()}, bytes(read))
        except httpx.HTTPError as error:
            return Answer(0, {}, b"", f"{url.host}: {type(error).__name__}")

    def _own(self, url: str) -> "httpx.URL":
        """The address, if it is of our origin."""
        import httpx

        try:
            given = httpx.URL(url)
        except httpx.InvalidURL:
            raise Refused(0, "GitHub names an address that is none") from None
        same = (given.scheme, given.host, given.port) == (self._base.scheme, self._base.host, self._base.port)
        if not same or given.userinfo:
            raise Refused(0, f"{self._base.host} sends us on to {given.host or 'nowhere'}: the token stays here")
        return given


def _origin(api: str) -> "httpx.URL":
    """The API's address. ConfigError unless it is https, or http to this machine."""
    import httpx

    remedy = "set GITHUB_API_URL to https://api.github.com or https://HOST/api/v3"
    try:
        url = httpx.URL(api)
    except (httpx.InvalidURL, TypeError):
        raise ConfigError(f"GITHUB_API_URL: {api!r} is no address", remedy) from None
    is_safe = url.scheme == "https" or (url.scheme == "http" and url.host in LOOPBACK)
    if not is_safe or not url.host or url.userinfo or url.query or url.fragment:
        raise ConfigError(f"GITHUB_API_URL: a token is not sent to {url.scheme}://{url.host}", remedy)
    return url


def _authorities(path: str) -> Any:
    """What a server's certificate is checked against: the usual authorities, or those of a file (a server of one's own)."""
    import ssl

    if not path:
        return True
    try:
        return ssl.create_default_context(cafile=path)
    except (OSError, ssl.SSLError):
        raise ConfigError(f"SSL_CERT_FILE: {path} holds no certificates", "name a file in PEM form, or unset it") from None


def _seconds(text: str | None) -> float | None:
    return float(text) if text and text.isdecimal() and len(text) < 12 else None


def _next(link: str) -> str:
    """The address of the next page in a Link header (RFC 8288), else empty."""
    for part in link.split(","):
        target, _, parameters = part.strip().partition(">")
        if target.startswith("<") and 'rel="next"' in parameters:
            return target[1:]
    return ""
