"""vLLM, llama.cpp's server, LM Studio and Ollama's imitation to test against: a real HTTP server with their shapes and failures.

``kind`` says which one it is; it lists, counts, refuses and errs as that one does, as far as a client can see. ``on`` sets what a
path answers instead; MODES names the failures of a chat.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from support.http import Answer, Request, Server, said

MODEL = "Qwen/Qwen2.5-Coder-7B-Instruct"
CHAT = "/v1/chat/completions"
CREATED = 1_790_000_000
KINDS = ("vLLM", "llama.cpp", "LM Studio", "")


class OpenAI(Server):
    """The server. ``contents``: what the choices of an answer say, the last one for all that follow."""

    def __init__(self, kind: str = "vLLM", *, context: int = 32768, slots: int = 1, key: str = "", version: str = "0.19.1"):
        super().__init__()
        self.kind, self.context, self.slots, self.key, self.version = kind, context, slots, key, version
        self.models: tuple[str, ...] = (MODEL,)
        self.contents: list[str] = ['{"findings":[]}']
        self.loading = 0  # so many looks at its health find it loading

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The bodies of all chats so far, the probe first."""
        return [request.json for request in self.asked(CHAT)]

    def fail(self, mode: str) -> None:
        """Every chat fails that way from now on."""
        self.on(CHAT, lambda request: MODES[mode](self, request))

    def usual(self, request: Request) -> Answer:
        """What a healthy server says."""
        path = request.path.partition("?")[0]
        if self.key and path != "/health" and request.headers.get("authorization") != f"Bearer {self.key}":
            return unauthorized(self.kind)
        match self.kind, request.method, path:
            case "llama.cpp", "GET", "/health" if self.loading:
                self.loading -= 1
                return LOADING
            case "llama.cpp", "GET", "/health":
                return said({"status": "ok"})
            case "vLLM", "GET", "/health":
                return Answer(200)
            case "vLLM", "GET", "/version":
                return said({"version": self.version})
            case "llama.cpp", "GET", "/props":
                return said(self._props())
            case "LM Studio", "GET", "/api/v0/models":
                return said({"data": [self._studio(name) for name in self.models], "object": "list"})
            case "Ollama", "GET", "/":
                return Answer(200, b"Ollama is running", {"Content-Type": "text/plain; charset=utf-8"})
            case _, "GET", "/v1/models":
                return said({"object": "list", "data": [self._listed(name) for name in self.models]})
            case _, "POST", "/v1/chat/completions":
                return self._chat(request.json)
        return self._nothing(request)

    def _nothing(self, request: Request) -> Answer:
        match self.kind:
            case "LM Studio":
                return said({"error": f"Unexpected endpoint or method. ({request.method} {request.path})"})
            case "llama.cpp":
                return error(404, "File Not Found", type="not_found_error", code=404)
        return said({"detail": "Not Found"}, 404)

    def _listed(self, name: str) -> dict[str, Any]:
        entry = {"id": name, "object": "model", "created": CREATED}
        match self.kind:
            case "vLLM":
                return {
                    **entry,
                    "owned_by": "vllm",
                    "root": name,
                    "parent": None,
                    "max_model_len": self.context,
                    "permission": [],
                }
            case "llama.cpp":
                meta = {
                    "vocab_type": 2,
                    "n_vocab": 151936,
                    "n_ctx": self.context,
                    "n_ctx_train": 32768,
                    "n_embd": 3584,
                    "n_params": 7615616512,
                }
                meta |= {"size": 4677120000, "ftype": "Q4_K - Medium"}
                return {**entry, "aliases": [f"{name}:short"], "tags": [], "owned_by": "llamacpp", "meta": meta}
            case "LM Studio":
                return {"id": name, "object": "model", "owned_by": "organization_owner"}
        return {**entry, "owned_by": "library"}

    def _studio(self, name: str) -> dict[str, Any]:
        """The loaded context is there only when the model is loaded."""
        is_loaded = bool(self.asked(CHAT))
        entry = {
            "id": name,
            "object": "model",
            "type": "llm",
            "publisher": "lmstudio-community",
            "arch": "qwen2",
            "compatibility_type": "gguf",
            "quantization": "Q4_K_M",
            "state": "loaded" if is_loaded else "not-loaded",
            "max_context_length": 131072,
        }
        return {**entry, "loaded_context_length": self.context} if is_loaded else entry

    def _props(self) -> dict[str, Any]:
        return {
            "default_generation_settings": {"n_ctx": self.context, "params": {"seed": 4294967295}},
            "total_slots": self.slots,
            "model_alias": MODEL,
            "model_path": "/models/qwen.gguf",
            "chat_template": "{{ messages }}",
            "build_info": "b9876-0123abcd",
        }

    def _chat(self, body: dict[str, Any]) -> Answer:
        if body["model"] not in self.models and self.kind == "vLLM":
            return error(404, f"The model `{body['model']}` does not exist.", type="NotFoundError", param="model", code=404)
        tokens, n = count(body), body.get("n", 1)
        if tokens + (body["max_tokens"] if self.kind == "vLLM" else 0) > self.context:
            return overflow(self.kind, tokens, self.context)
        if n > 1 and self.kind == "vLLM" and body["temperature"] == 0:
            return error(400, f"n must be 1 when using greedy sampling, got {n}.", type="BadRequestError", param=None, code=400)
        if n > self.slots and self.kind == "llama.cpp":
            message = f"Field 'n': Value must be between 1 <= value <= {self.slots}, but got {n}"
            return error(400, message, type="invalid_request_error", code=400)
        contents = self.contents if "response_format" in body else ["Yes."]
        texts = [contents[min(place, len(contents) - 1)] for place in range(n)]
        return said(answer(self.kind, body, texts, tokens))


def count(body: dict[str, Any]) -> int:
    """Prompt tokens: words, and four for each message's frame."""
    return sum(4 + len(message["content"].split()) for message in body["messages"])


def answer(kind: str, body: dict[str, Any], texts: Sequence[str], tokens: int) -> dict[str, Any]:
    """The answer to a chat. A text of more tokens than asked for is cut; one token is four characters."""
    choices = [choice(kind, place, text, body["max_tokens"]) for place, text in enumerate(texts)]
    used = [min(max(len(text) // 4, 1), body["max_tokens"]) for text in texts]
    spent = used[0] if kind == "llama.cpp" else sum(used)
    usage: dict[str, Any] = {"prompt_tokens": tokens, "total_tokens": tokens + spent, "completion_tokens": spent}
    value = {
        "id": "chatcmpl-0123456789",
        "object": "chat.completion",
        "created": CREATED,
        "model": body["model"],
        "choices": choices,
        "usage": usage,
        "system_fingerprint": None,
    }
    match kind:
        case "vLLM":
            usage["prompt_tokens_details"] = None
            return {**value, "service_tier": None, "prompt_logprobs": None, "kv_transfer_params": None}
        case "llama.cpp":
            usage["prompt_tokens_details"] = {"cached_tokens": tokens - 1}
            timings = {"cache_n": tokens - 1, "prompt_n": 1, "prompt_ms": 9.0, "predicted_n": spent, "predicted_ms": 90.0}
            return {**value, "system_fingerprint": "b9876-0123abcd", "timings": timings}
        case "LM Studio":
            return {**value, "system_fingerprint": body["model"], "stats": {}}
    return value


def choice(kind: str, place: int, text: str, most: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text[: 4 * most]}
    if kind == "vLLM":
        message |= {"refusal": None, "annotations": None, "audio": None, "function_call": None}
        message |= {"tool_calls": [], "reasoning_content": None}
    if kind == "LM Studio":
        message |= {"tool_calls": []}
    reason = "stop" if len(text) // 4 <= most else "length"
    return {"index": place, "message": message, "logprobs": None, "finish_reason": reason}


# ---------------------------------------------------------------- failures

LOADING = said({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, 503)


def error(status: int, message: str, **more: object) -> Answer:
    return said({"error": {"message": message, **more}}, status)


def unauthorized(kind: str) -> Answer:
    if kind == "llama.cpp":
        return error(401, "Invalid API Key", type="authentication_error", code=401)
    return said({"error": "Unauthorized"}, 401)


def overflow(kind: str, tokens: int, context: int) -> Answer:
    match kind:
        case "llama.cpp":
            message = f"request ({tokens} tokens) exceeds the available context size ({context} tokens), try increasing it"
            return error(400, message, code=400, type="exceed_context_size_error", n_prompt_tokens=tokens, n_ctx=context)
        case "LM Studio":
            kept = f"(n_keep: {tokens} >= n_ctx: {context})"
            message = f"The number of tokens to keep from the initial prompt is greater than the context length {kept}."
            return said(
                {"error": f"{message} Try to load the model with a larger context length, or provide a shorter input"}, 400
            )
    message = f"This model's maximum context length is {context} tokens. However, your request has {tokens} input tokens."
    return error(400, message, type="BadRequestError", param=None, code=400)


Mode = Callable[[OpenAI, Request], Answer]


def fixed(value: Answer) -> Mode:
    return lambda server, request: value


def changed(**fields: Any) -> Mode:
    """The usual answer with some fields changed; ``None`` leaves a field out."""

    def behave(server: OpenAI, request: Request) -> Answer:
        value = {**json.loads(server.usual(request).body), **fields}
        return said({key: item for key, item in value.items() if item is not None})

    return behave


def in_choice(place: int = 0, **fields: Any) -> Mode:
    """The usual answer with some fields of one choice changed."""

    def behave(server: OpenAI, request: Request) -> Answer:
        value = json.loads(server.usual(request).body)
        value["choices"][place] |= fields
        return said(value)

    return behave


def message(content: object, **more: Any) -> Mode:
    return in_choice(message={"role": "assistant", "content": content, **more})


def manner(name: str) -> Mode:
    def behave(server: OpenAI, request: Request) -> Answer:
        usual = server.usual(request)
        return Answer(usual.status, usual.body, usual.headers, name)

    return behave


STREAM = b'data: {"choices":[{"delta":{"content":"{"}}]}\n\ndata: [DONE]\n\n'

MODES: dict[str, Mode] = {
    "length": in_choice(finish_reason="length", message={"role": "assistant", "content": '{"findings":[{"li'}),
    "no_reason": in_choice(finish_reason=None),
    "abort": in_choice(finish_reason="abort"),
    "filtered": in_choice(finish_reason="content_filter"),
    "tool_calls": in_choice(finish_reason="tool_calls", message={"role": "assistant", "content": None, "tool_calls": [{}]}),
    "stopped_tool": message(None, tool_calls=[{"id": "1"}]),
    "refusal": message(None, refusal="I cannot help with that."),
    "null_content": message(None),
    "number_content": message(7),
    "blank": message(" \n\t" * 40),
    "reasoning": message(None, reasoning_content='{"findings":[]}'),
    "reasoning_new": message("", reasoning='{"findings":[]}'),
    "no_message": in_choice(message=None),
    "no_choices": changed(choices=None),
    "empty_choices": changed(choices=[]),
    "odd_choices": changed(choices=["x"]),
    "no_usage": changed(usage=None),
    "no_count": changed(usage={"completion_tokens": 3}),
    "text_count": changed(usage={"prompt_tokens": "12"}),
    "true_count": changed(usage={"prompt_tokens": True}),
    "overflow_vllm": fixed(overflow("vLLM", 40000, 32768)),
    "overflow_new_vllm": fixed(
        error(400, "The decoder prompt (length 40000) is longer than the maximum model length of 32768.", code=400)
    ),
    "overflow_llama": fixed(overflow("llama.cpp", 40000, 32768)),
    "overflow_studio": fixed(overflow("LM Studio", 40000, 32768)),
    "overflow_mlx": fixed(said({"error": "Context size has been exceeded."}, 400)),
    "loading": fixed(LOADING),
    "busy": fixed(error(429, "Too many requests")),
    "dead_engine": fixed(error(500, "EngineCore encountered an issue.", type="InternalServerError", code=500)),
    "bad_gateway": fixed(Answer(502, b"<html>", {"Content-Type": "text/html"})),
    "missing": fixed(error(404, "The model `x` does not exist.", type="NotFoundError", code=404)),
    "grammar": fixed(error(400, "Failed to initialize samplers: failed to parse grammar", type="invalid_request_error")),
    "grammar_500": fixed(error(500, "failed to parse grammar", type="server_error", code=500)),
    "no_key": fixed(unauthorized("vLLM")),
    "bad_key": fixed(unauthorized("llama.cpp")),
    "forbidden": fixed(Answer(403)),
    "invalid": fixed(said({"detail": [{"loc": ["body", "seed"], "msg": "must be an integer"}]}, 422)),
    "old_error": fixed(said({"object": "error", "message": "it broke", "type": "internal", "code": 50001})),
    "error_in_200": fixed(said({"error": "Model unloaded."})),
    "html": fixed(Answer(200, b"<!doctype html><title>router</title>", {"Content-Type": "text/html"})),
    "empty": fixed(Answer(200)),
    "list": fixed(said([1, 2])),
    "no_content_204": fixed(Answer(204)),
    "deep": fixed(Answer(200, b"[" * 100_000)),
    "nan": fixed(Answer(200, b'{"choices": NaN}')),
    "bad_utf8": lambda server, request: Answer(200, server.usual(request).body.replace(b"assistant", b"\xff\xfe")),
    "stream": fixed(Answer(200, STREAM, {"Content-Type": "text/event-stream"})),
    "gzip": fixed(Answer(200, b"\x1f\x8b\x08\x00rubbish", {"Content-Encoding": "gzip"})),
    "huge": fixed(Answer(200, b'{"choices":"' + b" " * (9 * 2**20) + b'"}')),
    "cut": manner("cut"),
    "reset": manner("reset"),
    "drip": manner("drip"),
    "drip_head": manner("drip-head"),
    "silent": manner("silent"),
    "surrogate": message('{"findings":[]}\ud800'),
}
