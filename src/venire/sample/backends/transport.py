"""One HTTP exchange, every byte of it kept and all of it under one deadline.

The client's own time limits hold for single reads, so a server that drips a byte at a time would never end. Here every
operation on the socket gets the time that is left of the whole exchange. The classes have the methods that httpx and
httpcore call and not their base classes, so that both libraries load only when a model is spoken to.
"""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from venire.errors import BackendFailure
from venire.sample.backends.exchange import Exchange, excerpt

if TYPE_CHECKING:
    import ssl

    import httpcore
    import httpx

LIMIT = 8 * 2**20  # bytes; a reply is some kilobytes
CONNECT = 5.0  # seconds
SLICE = 16 * 2**10  # bytes written under one look at the clock


class TooLarge(Exception):
    """The body passed LIMIT."""


class Encoded(Exception):
    """The body is compressed although none was asked for; it could unpack to anything."""


class Recorder:
    """An httpx transport for one request: sends it straight to the host, no proxy, and keeps status, headers and body.

    ``seconds`` bound the whole exchange. No key leaves but ``key``: the client would take one from the environment.
    """

    def __init__(self, seconds: float, key: str = "") -> None:
        import httpcore

        network = cast("httpcore.NetworkBackend", _Network(_Clock(seconds)))
        self._pool = httpcore.ConnectionPool(network_backend=network, max_keepalive_connections=0)
        self._key = key
        self.status = 0
        self.location = ""
        self.body = b""
        self.is_complete = False

    def handle_request(self, request: "httpx.Request") -> "httpx.Response":
        """Send, read to the end, and hand on a response that holds the whole body."""
        import httpx

        response = self._pool.handle_request(self._outgoing(request))
        try:
            self._read(response)
        finally:
            response.close()
        return httpx.Response(self.status, headers=response.headers, content=self.body)

    def close(self) -> None:
        self._pool.close()

    def _outgoing(self, request: "httpx.Request") -> "httpcore.Request":
        import httpcore

        request.headers.pop("authorization", None)
        if self._key:
            request.headers["authorization"] = f"Bearer {self._key}"
        request.headers["accept-encoding"] = "identity"
        request.headers["connection"] = "close"
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        return httpcore.Request(request.method, target, headers=request.headers.raw, content=request.read())

    def _read(self, response: "httpcore.Response") -> None:
        import httpx

        headers = httpx.Headers(response.headers)
        self.status, self.location = response.status, headers.get("location", "")
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise Encoded(headers["content-encoding"])
        for chunk in response.iter_stream():
            self.body += chunk
            if len(self.body) > LIMIT:
                raise TooLarge(f"more than {LIMIT} bytes")
        self.is_complete = True


def broken(error: Exception, recorder: Recorder) -> BackendFailure:
    """The failure that an exception on the way stands for; the part of the body that came is kept."""
    import httpcore

    raw = Exchange(recorder.status, recorder.body).raw
    said = excerpt(str(error)) or type(error).__name__
    match error:
        case httpcore.TimeoutException():
            return BackendFailure("timeout", f"no whole answer in time ({said})", raw=raw)
        case httpcore.ConnectError():
            return BackendFailure("refused", said, is_transient=True)
        case TooLarge():
            return BackendFailure("rubbish", f"the answer is not taken: {said}", raw=raw)
        case Encoded():
            return BackendFailure("rubbish", f"the answer is compressed ({said}) although that was not asked for", raw=raw)
        case httpcore.NetworkError() | httpcore.ProtocolError():
            return BackendFailure("transport", f"the connection broke: {said}", is_transient=True, raw=raw)
    return BackendFailure("transport", f"{type(error).__name__}: {said}", raw=raw)


class _Clock:
    """The time left of an exchange."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def left(self, most: float = float("inf")) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            import httpcore

            raise httpcore.ReadTimeout("the time for the whole exchange is over")
        return min(left, most)


class _Stream:
    """A socket whose every operation ends when the exchange must."""

    def __init__(self, inner: "httpcore.NetworkStream", clock: _Clock) -> None:
        self._inner = inner
        self._clock = clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._clock.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), SLICE):
            self._inner.write(buffer[start : start + SLICE], self._clock.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: "ssl.SSLContext", server_hostname: str | None = None, timeout: float | None = None
    ) -> "_Stream":
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._clock.left(CONNECT)), self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Network:
    """Opens such sockets."""

    def __init__(self, clock: _Clock) -> None:
        import httpcore

        self._clock = clock
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> _Stream:
        left = self._clock.left(CONNECT)
        return _Stream(self._inner.connect_tcp(host, port, left, local_address, socket_options), self._clock)
