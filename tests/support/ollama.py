"""An Ollama to test against: a real HTTP server on 127.0.0.1 with the server's shapes, rules and failures.

It renders, counts, truncates, loads and reloads as Ollama does, as far as a client can see. ``on`` sets what a path answers
instead; MODES names the failures of /api/chat.
"""

import json
from collections.abc import Callable
from typing import Any

from support.http import Answer, Request, Server, said

MODEL = "qwen2.5-coder:7b"
DIGEST = "dae161e27b0e90dd1856c8bb3209201fd6736d8eb66298e75ed87571486f4364"
CREATED = "2026-10-01T12:00:00.123456789Z"
LOAD_TIME = ("num_ctx", "num_batch", "num_gpu", "main_gpu", "use_mmap", "num_thread", "draft_num_predict")
DETAILS = {
    "parent_model": "",
    "format": "gguf",
    "family": "qwen2",
    "families": ["qwen2"],
    "parameter_size": "7.6B",
    "quantization_level": "Q4_K_M",
}


class Ollama(Server):
    """The server, with its ``loads`` as they happened."""

    def __init__(
        self, *, version: str = "0.35.1", models: tuple[str, ...] = (MODEL,), trained: int = 32768, is_native: bool = False
    ):
        self.version, self.models, self.trained, self.is_native = version, models, trained, is_native
        super().__init__()
        self.loads: list[dict[str, Any]] = []
        self.show: dict[str, Any] = {}
        self.tag: dict[str, Any] = {}
        self.running: dict[str, Any] = {}
        self.content = '{"findings":[]}'
        self._loaded: dict[str, Any] | None = None

    def fail(self, mode: str) -> None:
        """/api/chat fails that way from now on."""
        self.on("/api/chat", lambda request: MODES[mode](self, request))

    def usual(self, request: Request) -> Answer:
        """What a healthy server says."""
        match request.method, request.path:
            case "GET", "/api/version":
                return said({"version": self.version})
            case "GET", "/api/tags":
                return said({"models": [self._tag(name) for name in self.models]})
            case "GET", "/api/ps":
                return said({"models": [self._running()] if self._loaded else []})
            case "POST", "/api/show":
                return self._show(request.json)
            case "POST", "/api/chat":
                return self._chat(request.json)
        return Answer(404, b"404 page not found", {"Content-Type": "text/plain"})

    def _known(self, name: str) -> bool:
        return any(_full(name) == _full(known) for known in self.models)

    def _tag(self, name: str) -> dict[str, Any]:
        entry = {
            "name": _full(name),
            "model": _full(name),
            "modified_at": CREATED,
            "size": 4683087332,
            "digest": DIGEST,
            "details": DETAILS,
        }
        return {**entry, **self.tag}

    def _running(self) -> dict[str, Any]:
        assert self._loaded is not None
        entry = {
            "name": _full(self._loaded["model"]),
            "model": _full(self._loaded["model"]),
            "size": 5_000_000_000,
            "digest": DIGEST,
            "details": DETAILS,
            "expires_at": CREATED,
            "size_vram": 5_000_000_000,
            "context_length": min(self._loaded["num_ctx"], self.trained),
        }
        return {key: value for key, value in {**entry, **self.running}.items() if value is not None}

    def _show(self, body: dict[str, Any]) -> Answer:
        if not self._known(body["model"]):
            return said({"error": f"model '{body['model']}' not found"}, 404)
        shown = {
            "license": "Apache License",
            "modelfile": "# Modelfile\nFROM qwen\n",
            "template": "{{ .Prompt }}",
            "system": "You are a helpful assistant.",
            "details": DETAILS,
            "model_info": {"general.architecture": "qwen2", "qwen2.context_length": self.trained},
            "capabilities": ["completion", "tools", "insert"],
            "modified_at": CREATED,
        }
        return said({**shown, **self.show})

    def _chat(self, body: dict[str, Any]) -> Answer:
        if not self._known(body["model"]):
            return said({"error": f"model '{body['model']}' not found"}, 404)
        if not body["messages"] and body.get("keep_alive") == 0:
            self._loaded = None
            return said(reply(body, "", "unload", 0, 0))
        load_ns = self._load(body)
        tokens, context = count(body), min(body["options"]["num_ctx"], self.trained)
        if tokens > context:
            if not body.get("truncate", True) or not body.get("shift", True):
                return NATIVE_OVERFLOW(tokens, context) if self.is_native else RENDERED_OVERFLOW
            tokens = truncated(context)
        content = self.content if "format" in body else "Yes."
        used = max(len(content) // 4, 1)
        limit = body["options"]["num_predict"]
        reason = "stop" if used <= limit else "length"
        return said(reply(body, content[: 4 * limit], reason, tokens, min(used, limit), load_ns))

    def _load(self, body: dict[str, Any]) -> int:
        """Load, or load again where a load-time attribute differs; nanoseconds."""
        wanted = {"model": body["model"], "shift": body.get("shift", True)}
        wanted |= {key: body["options"][key] for key in LOAD_TIME if key in body["options"]}
        if wanted == self._loaded:
            return 21_000_000
        self._loaded = wanted
        self.loads.append(wanted)
        return 4_000_000_000


def _full(name: str) -> str:
    return name if ":" in name else f"{name}:latest"


def count(body: dict[str, Any]) -> int:
    """Prompt tokens: words, and four for each message's frame."""
    return sum(4 + len(message["content"].split()) for message in body["messages"])


def truncated(context: int, keep: int = 4) -> int:
    """The count that a truncated prompt reports."""
    return context - max((context - keep) // 2, 1)


def reply(body: dict[str, Any], content: str, reason: str, prompt: int, used: int, load_ns: int = 21_000_000) -> dict[str, Any]:
    """The answer to a chat that ended."""
    return {
        "model": body["model"],
        "created_at": CREATED,
        "message": {"role": "assistant", "content": content},
        "done": True,
        "done_reason": reason,
        "total_duration": load_ns + 500_000_000,
        "load_duration": load_ns,
        "prompt_eval_count": prompt,
        "prompt_eval_duration": 90_000_000,
        "eval_count": used,
        "eval_duration": 400_000_000,
    }


# ---------------------------------------------------------------- failures of /api/chat

RENDERED_OVERFLOW = said(
    {"error": "the prompt is longer than the context length currently available to the model; shorten it or raise num_ctx"}, 400
)


def NATIVE_OVERFLOW(tokens: int, context: int) -> Answer:
    inner = {
        "code": 400,
        "message": f"request ({tokens} tokens) exceeds the available context size ({context} tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens,
        "n_ctx": context,
    }
    return said({"error": json.dumps({"error": inner})}, 400)


def changed(**fields: Any) -> Callable[[Ollama, Request], Answer]:
    """The usual answer with some fields changed; ``None`` leaves a field out."""

    def behave(server: Ollama, request: Request) -> Answer:
        value = {**json.loads(server.usual(request).body), **fields}
        return said({key: item for key, item in value.items() if item is not None})

    return behave


def message(content: str, **more: Any) -> Callable[[Ollama, Request], Answer]:
    return changed(message={"role": "assistant", "content": content, **more})


def fixed(answer: Answer) -> Callable[[Ollama, Request], Answer]:
    return lambda server, request: answer


def manner(name: str) -> Callable[[Ollama, Request], Answer]:
    def behave(server: Ollama, request: Request) -> Answer:
        usual = server.usual(request)
        return Answer(usual.status, usual.body, usual.headers, name)

    return behave


def error(status: int, text: str) -> Callable[[Ollama, Request], Answer]:
    return fixed(said({"error": text}, status))


def cut_to(formula_context: int, keep: int = 4) -> Callable[[Ollama, Request], Answer]:
    return changed(prompt_eval_count=truncated(formula_context, keep))


def _stream(server: Ollama, request: Request) -> Answer:
    value = json.loads(server.usual(request).body)
    part = {"model": value["model"], "created_at": CREATED, "message": {"role": "assistant", "content": "{"}, "done": False}
    return Answer(
        200, json.dumps(part).encode() + b"\n\n" + json.dumps(part).encode() + b"\n", {"Content-Type": "application/x-ndjson"}
    )


def _raw_nel(server: Ollama, request: Request) -> Answer:
    value = json.loads(server.usual(request).body)
    value["message"]["content"] = '{"findings":[]}\u0085\u2028'
    return Answer(200, json.dumps(value, ensure_ascii=False).encode())


def _bad_utf8(server: Ollama, request: Request) -> Answer:
    return Answer(200, server.usual(request).body.replace(b"assistant", b"\xff\xfe\xed\xa0\x80"))


MODES: dict[str, Callable[[Ollama, Request], Answer]] = {
    "done_false": changed(done=False, done_reason=None, prompt_eval_count=None, eval_count=None),
    "zero_body": fixed(
        said({"model": "", "created_at": "0001-01-01T00:00:00Z", "message": {"role": "", "content": ""}, "done": False})
    ),
    "no_reason": changed(done_reason=None),
    "length": changed(done_reason="length", message={"role": "assistant", "content": '{"findings":[{"li'}),
    "load": changed(done_reason="load", message={"role": "assistant", "content": ""}, prompt_eval_count=None),
    "unload": changed(done_reason="unload", message={"role": "assistant", "content": ""}, prompt_eval_count=None),
    "exceed_native": fixed(NATIVE_OVERFLOW(351, 256)),
    "exceed_rendered": fixed(RENDERED_OVERFLOW),
    "no_count": changed(prompt_eval_count=None),
    "text_count": changed(prompt_eval_count="12"),
    "true_count": changed(prompt_eval_count=True),
    "thinking": message("", thinking='{"findings":[]}'),
    "blank": message(" \n\t" * 40),
    "no_message": changed(message=None),
    "number_content": changed(message={"role": "assistant", "content": 7}),
    "repeat_limit": error(500, "prediction aborted, token repeat limit reached"),
    "missing": error(404, f'model "{MODEL}" not found, try pulling it first'),
    "forbidden": fixed(Answer(403)),
    "canceled": error(499, "request canceled"),
    "crash": error(500, "llama-server process has terminated: signal: killed"),
    "unexpected": error(
        500, "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error"
    ),
    "option_type": error(500, 'option "num_ctx" must be of type integer'),
    "busy": error(503, "server busy, please try again.  maximum pending requests exceeded"),
    "grammar": error(400, "Failed to initialize samplers: failed to parse grammar"),
    "remote": changed(remote_host="https://ollama.com:443", remote_model="qwen"),
    "html": fixed(Answer(200, b"<!doctype html><title>router</title>", {"Content-Type": "text/html"})),
    "empty": fixed(Answer(200)),
    "list": fixed(said([1, 2])),
    "error_list": fixed(said([1, 2], 500)),
    "error_string": fixed(said("boom", 500)),
    "error_in_200": fixed(said({"error": "an error was encountered while running the model"})),
    "no_content_204": fixed(Answer(204)),
    "deep": fixed(Answer(200, b"[" * 100_000)),
    "big_number": fixed(Answer(200, b'{"done":' + b"9" * 5000 + b"}")),
    "nan": fixed(Answer(200, b'{"done": NaN}')),
    "bad_utf8": _bad_utf8,
    "stream": _stream,
    "gzip": fixed(Answer(200, b"\x1f\x8b\x08\x00rubbish", {"Content-Encoding": "gzip"})),
    "huge": fixed(Answer(200, b'{"message":{"content":"' + b" " * (9 * 2**20) + b'"}}')),
    "cut": manner("cut"),
    "reset": manner("reset"),
    "drip": manner("drip"),
    "drip_head": manner("drip-head"),
    "silent": manner("silent"),
    "raw_nel": _raw_nel,
    "surrogate": message('{"findings":[]}\ud800'),
}
