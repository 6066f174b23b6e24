"""A real HTTP server on 127.0.0.1 to stand in for others: what it was sent is kept, what it answers is set by path."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass
class Answer:
    """What goes back. ``manner``: whole; cut or reset after half of the body; drip or drip-head, a byte at a time; silent."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    manner: str = "whole"


Behaviour = Callable[[Request], Answer]


def said(value: object, status: int = 200) -> Answer:
    """A JSON answer."""
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json; charset=utf-8"})


class Server:
    """A double: ``url``, ``requests`` as they came. A context manager. Subclasses say in ``usual`` what is healthy."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._behaviours: dict[str, list[Behaviour]] = {}
        self._http = Listener(("127.0.0.1", 0), handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._http.is_over.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def asked(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    def on(self, path: str, *behaviours: Behaviour) -> None:
        """From now on ``path``, whatever its query, is answered by these in turn, the last one for good."""
        self._behaviours[path] = list(behaviours)

    def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        queue = self._behaviours.get(request.path.partition("?")[0])
        if queue:
            return (queue.pop(0) if len(queue) > 1 else queue[0])(request)
        return self.usual(request)

    def usual(self, request: Request) -> Answer:
        raise NotImplementedError


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.is_over = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no event."""


def handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.handle_one()

        def do_POST(self) -> None:
            self.handle_one()

        def do_PATCH(self) -> None:
            self.handle_one()

        def do_DELETE(self) -> None:
            self.handle_one()

        def do_CONNECT(self) -> None:  # what a proxy would see
            self.handle_one()

        def log_message(self, format: str, *args: object) -> None:
            pass

        def handle_one(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {key.lower(): value for key, value in self.headers.items()}
            answer = server.answer(Request(self.command, self.path, headers, body))
            self.close_connection = True
            match answer.manner:
                case "whole":
                    self.head(answer)
                    self.wfile.write(answer.body)
                case "cut":
                    self.head(answer)
                    self.wfile.write(answer.body[: len(answer.body) // 2])
                case "reset":
                    self.head(answer)
                    self.wfile.write(answer.body[: len(answer.body) // 2])
                    self.wfile.flush()
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.rfile.close()
                    self.wfile.close()
                    self.connection.close()
                case "drip":
                    self.head(Answer(answer.status, b" " * 10**6, answer.headers))
                    self.drip(b" ")
                case "drip-head":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                    self.drip(b"X-Slow: 1\r\n")
                case "silent":
                    self.server.is_over.wait(10)  # type: ignore[attr-defined]

        def head(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.status != 204:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()

        def drip(self, piece: bytes) -> None:
            while not self.server.is_over.is_set():  # type: ignore[attr-defined]
                for byte in piece:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.02)

    return Handler
