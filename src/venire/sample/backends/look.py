"""A quick look at a server with the standard library alone: a path → the JSON object there. Nothing is loaded or changed."""

import json
import time
from typing import TYPE_CHECKING

from venire.sample.backends.address import Address

if TYPE_CHECKING:
    import socket

LIMIT = 8 * 2**20  # bytes of an answer


def get(address: Address, path: str, key: str, seconds: float) -> dict[str, object]:
    """The JSON object at ``path``; OSError when it cannot be had, ValueError when it is something else."""
    received = _exchange(address, path, key, seconds)
    import http.client
    import io

    class Received:  # all the HTTP parser wants of a socket
        def makefile(self, mode: str) -> io.BytesIO:
            return io.BytesIO(received)

    response = http.client.HTTPResponse(Received())  # type: ignore[arg-type]
    try:
        response.begin()
        body = response.read()
    except http.client.HTTPException as error:
        raise ValueError("no HTTP answer") from error
    if response.status != 200:
        raise ValueError(f"status {response.status}")
    value = json.loads(body.decode("utf-8"))
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _exchange(address: Address, path: str, key: str, seconds: float) -> bytes:
    """Everything the server sends until it closes: one deadline over the connection and every read."""
    import socket

    until = time.monotonic() + seconds
    received = b""
    with socket.create_connection((address.host, address.port), timeout=seconds) as plain, _secured(plain, address) as stream:
        stream.sendall(_request(address, path, key))
        while True:
            stream.settimeout(max(until - time.monotonic(), 0.001))
            chunk = stream.recv(65536)
            received += chunk
            if not chunk:
                return received
            if len(received) > LIMIT or time.monotonic() > until:
                raise TimeoutError("no end of the answer")


def _request(address: Address, path: str, key: str) -> bytes:
    headers = [f"GET {path} HTTP/1.1", f"Host: {address.netloc}", "Accept: application/json", "Connection: close"]
    if key:
        headers.append(f"Authorization: Bearer {key}")
    return "\r\n".join([*headers, "", ""]).encode()


def _secured(plain: "socket.socket", address: Address) -> "socket.socket":
    if address.scheme == "http":
        return plain
    import ssl

    return ssl.create_default_context().wrap_socket(plain, server_hostname=address.host)


def problem(error: Exception, what: str) -> str:
    """Why a look failed; ``what`` is the server that was looked for."""
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    return f"what answers is not {what} ({str(error) or type(error).__name__})"
