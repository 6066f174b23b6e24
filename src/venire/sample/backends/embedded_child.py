"""The process that holds llama.cpp: JSON lines in on stdin (load, facts, complete), one JSON line out for each.

It is a process of its own because a bad grammar or a bad build can abort it. It ends when stdin closes, so it does not outlive
its parent however that one ends; while the model loads xllamacpp holds the interpreter, so then it ends when loading does.

llama.cpp comes as a server, and some of what is needed (tokens, facts, the body of a reply as sent) is only there over HTTP: it
listens on a free port of the loopback interface behind a key that exists in this process alone.
"""

import json
import os
import re
import secrets
import signal
import sys
import threading
from collections.abc import Sequence
from queue import SimpleQueue
from typing import IO, Any

Json = dict[str, Any]


class Engine:
    """One loaded model with one slot, so that the runs of a prompt find it in the cache."""

    def __init__(self, name: str, path: str, context: int, threads: int) -> None:
        from urllib.request import ProxyHandler, build_opener

        # Threads that spin while they wait stand in each other's way as soon as anything else wants the cores: measured, 0.5 to 6
        # tokens a second beside one other busy process, 12 to 16 when they sleep. The library reads it when it is loaded.
        os.putenv("OMP_WAIT_POLICY", "passive")
        import xllamacpp

        self.library = xllamacpp
        self.key = secrets.token_urlsafe(32)
        self.opener = build_opener(ProxyHandler({}))  # a proxy must not see what goes to loopback
        self.server = xllamacpp.Server(self.parameters(name, path, context, threads))
        self.frames: dict[tuple[str, ...], list[list[int]]] = {}

    def parameters(self, name: str, path: str, context: int, threads: int) -> Any:
        p = self.library.CommonParams()
        p.model.path, p.model_alias = path, {name}  # the replies name the model, and must not name a path of this machine
        p.n_ctx, p.n_parallel = context, 1
        p.cpuparams.n_threads = p.cpuparams_batch.n_threads = threads
        p.cache_prompt, p.cache_ram_mib = True, 0  # the slot is the cache; a second one would take up to 8 GiB of memory
        p.api_keys, p.ui, p.endpoint_slots = [self.key], False, False
        p.verbosity = 2  # errors and warnings, for the message when this process dies
        return p

    def call(self, path: str, body: Json | None = None) -> tuple[int, str]:
        """Status and body of one request, as sent."""
        from urllib.error import HTTPError
        from urllib.request import Request

        data = None if body is None else json.dumps(body).encode("ascii")
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = Request(self.server.listening_address + path, data, headers)  # noqa: S310 - loopback, our own server
        try:
            with self.opener.open(request) as response:
                return response.status, response.read().decode("utf-8", "backslashreplace")
        except HTTPError as error:
            with error:
                return error.code, error.read().decode("utf-8", "backslashreplace")

    def asked(self, path: str, body: Json | None = None) -> Any:
        status, text = self.call(path, body)
        if status != 200:
            raise RuntimeError(f"{path} answered {status}: {text[:500]}")
        return json.loads(text)

    def facts(self) -> Json:
        """The model as the engine states it; ``is_cpu`` when the build knows no other device."""
        kinds = self.library.ggml_backend_dev_type
        cpu = {kinds.GGML_BACKEND_DEVICE_TYPE_CPU, kinds.GGML_BACKEND_DEVICE_TYPE_ACCEL}
        return {
            "meta": self.asked("/v1/models")["data"][0]["meta"],
            "context": self.asked("/props")["default_generation_settings"]["n_ctx"],
            "is_cpu": all(device["type"] in cpu for device in self.library.get_device_info()),
        }

    def complete(self, messages: Sequence[tuple[str, str]], options: Json) -> Json:
        status, body = self.call("/v1/completions", {**options, "prompt": self.tokens(messages)})
        return {"status": status, "body": body}

    def tokens(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """The prompt by the model's own chat template. What a message says is text: no control token comes out of it."""
        roles = tuple(role for role, _ in messages)
        if roles not in self.frames:
            self.frames[roles] = self.frame(roles)
        first, *rest = self.frames[roles]
        ids = list(first)
        for (_, content), piece in zip(messages, rest, strict=True):
            ids += self.tokenized(content, parse_special=False) + piece
        return ids

    def frame(self, roles: Sequence[str]) -> list[list[int]]:
        """The template's own tokens before, between and after the messages, found by marks in place of their contents."""
        marks = [secrets.token_hex(16) for _ in roles]
        messages = [{"role": role, "content": mark} for role, mark in zip(roles, marks, strict=True)]
        text = self.asked("/apply-template", {"messages": messages})["prompt"]
        pieces = re.split("|".join(marks), text)
        if re.findall("|".join(marks), text) != marks:
            raise RuntimeError("the model's chat template does not show every message once and in order")
        return [self.tokenized(piece, parse_special=True, add_special=not number) for number, piece in enumerate(pieces)]

    def tokenized(self, text: str, **options: bool) -> list[int]:
        tokens: list[int] = self.asked("/tokenize", {"content": text, **options})["tokens"]
        return tokens


def answer(request: Json, engine: Engine | None) -> tuple[Json, Engine | None]:
    """The reply to one request, and the engine from here on. A fault of the engine is a reply, too."""
    try:
        match request:
            case {"do": "load", "name": str(name), "path": str(path), "context": int(context), "threads": int(threads)}:
                engine = Engine(name, path, context, threads)
                return engine.facts(), engine
            case {"do": "facts"} if engine:
                return engine.facts(), engine
            case {"do": "complete", "messages": messages, "options": options} if engine:
                return engine.complete(messages, options), engine
        return {"fault": "no such request, or no model loaded"}, engine
    except Exception as error:  # whatever the library raises goes to the parent in words
        return {"fault": f"{type(error).__name__}: {error}"}, engine


def read(lines: IO[bytes], requests: "SimpleQueue[Json]") -> None:
    """Hands on requests; the end of them ends the process at once, whatever it is doing."""
    for line in lines:
        requests.put(json.loads(line))
    os._exit(0)


def main() -> None:
    """Serves until stdin closes. What libraries print on stdout goes to stderr; Ctrl-C is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests: SimpleQueue[Json] = SimpleQueue()
    threading.Thread(target=read, args=(sys.stdin.buffer, requests), daemon=True).start()
    engine: Engine | None = None
    while True:
        reply, engine = answer(requests.get(), engine)
        replies.write(json.dumps(reply).encode("ascii") + b"\n")
        replies.flush()


if __name__ == "__main__":
    main()
