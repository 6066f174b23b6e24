"""What goes to OpenAI-compatible servers and what their answers mean: an ask → a request body; bytes → replies or failures.

Pure. Shapes and error texts are those of vLLM, llama.cpp's server and LM Studio. HTTP 200 is not success there: only a choice
that stopped by itself, with text, in an answer that counts its prompt, is a reply.
"""

import json
from collections.abc import Sequence
from typing import Any, Literal

from venire.errors import BackendFailure
from venire.model import Reply, Sampling
from venire.sample.backends.exchange import Exchange, Failing, content, error_text, excerpt, failing, number, whole

Kind = Literal["llama.cpp", "vLLM", "LM Studio", "Ollama", ""]
"""Which server it is; empty when it shows none of the signs."""

CONTEXT_TEXTS = (
    "exceeds the available context size",  # llama.cpp
    "exceed_context_size",
    "context size has been exceeded",
    "maximum context length",  # vLLM
    "maximum model length",
    "context_length_exceeded",
    "greater than the context length",  # LM Studio
    "when context the overflows",
)
SCHEMA_TEXTS = ("grammar", "json_schema", "json schema", "response_format", "structured output")
COUNT_TEXTS = ("field 'n'", "n_cmpl", "only one completion choice", "n must be 1")  # three ages of llama.cpp, and vLLM


# ---------------------------------------------------------------- requests


def chat(
    model: str,
    messages: Sequence[tuple[str, str]],
    sampling: Sampling,
    *,
    seed: int,
    reply_tokens: int,
    kind: Kind = "",
    schema: str = "",
    is_loose: bool = False,
    count: int = 1,
) -> dict[str, object]:
    """The body of POST /v1/chat/completions. Without a schema free text is asked for; ``is_loose``: any JSON object."""
    body: dict[str, object] = {
        "model": model,
        "messages": [{"role": role, "content": said} for role, said in messages],
        "stream": False,
        "n": count,
        "seed": seed,
        "max_tokens": max(reply_tokens, 1),
        "temperature": 0.0 if sampling.pinned else sampling.temperature,
        "top_p": 1.0 if sampling.pinned else sampling.top_p,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        **_extras(kind, 1 if sampling.pinned else sampling.top_k),
    }
    return {**body, "response_format": _form(schema, is_loose)} if schema else body


def _extras(kind: Kind, top_k: int) -> dict[str, object]:
    """The options a server is known to have beyond the common ones, so that no default of its own decides."""
    match kind:
        case "llama.cpp":
            mild = {"min_p": 0.0, "typical_p": 1.0, "repeat_penalty": 1.0, "dry_multiplier": 0.0, "xtc_probability": 0.0}
            return {"top_k": top_k, **mild, "mirostat": 0, "cache_prompt": True}
        case "vLLM":
            return {"top_k": top_k, "min_p": 0.0, "repetition_penalty": 1.0}
        case "LM Studio":
            return {"top_k": top_k, "repeat_penalty": 1.0}
    return {}


def _form(schema: str, is_loose: bool) -> dict[str, object]:
    if is_loose:
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": json.loads(schema)}}


# ---------------------------------------------------------------- answers


def judge(exchange: Exchange, *, context: int, reply_tokens: int) -> list[Reply | BackendFailure]:
    """What each choice of an answer is, in the server's numbering; BackendFailure when the answer as a whole is no good.

    The first choice carries the whole body, the count of reply tokens and of cached prompt tokens; every other one carries its
    own part of the body alone, and no counts that the server does not give for it.
    """
    answer, fail = parsed(exchange), failing(exchange)
    prompt = counted(answer, exchange)
    if prompt + reply_tokens > context:
        raise fail("context", f"{prompt} prompt tokens and {reply_tokens} for the reply are more than the context of {context}")
    usage = answer["usage"]
    spent, cached = number(usage, "completion_tokens", exchange), _cached(answer)
    found: list[Reply | BackendFailure] = []
    for place, choice in enumerate(_choices(answer, fail)):
        raw = exchange.raw if place == 0 else json.dumps(choice)
        try:
            text = _text(choice, failing(Exchange(exchange.status, raw.encode())), reply_tokens)
        except BackendFailure as failure:
            found.append(failure)
        else:
            found.append(Reply(text, raw, "stop", prompt, spent if place == 0 else 0, cached if place == 0 else None))
    return found


def parsed(exchange: Exchange) -> dict[str, Any]:
    """The JSON object in a 200 answer; BackendFailure for every other status and for anything that is not one object."""
    if exchange.status != 200:
        raise refusal(exchange)
    answer = content(exchange)
    if answer.get("object") == "error":
        raise failing(exchange)("status", f"the server reports an error under status 200: {error_text(exchange)}")
    return answer


def counted(answer: dict[str, Any], exchange: Exchange) -> int:
    """The prompt's tokens; BackendFailure where the server does not say."""
    usage = answer.get("usage")
    count = number(usage, "prompt_tokens", exchange) if isinstance(usage, dict) else 0
    if count == 0:
        said = "the server did not count the prompt: nothing shows that the model saw all of it"
        raise failing(exchange)("rubbish", said)
    return count


def refusal(exchange: Exchange) -> BackendFailure:
    """What a status other than 200 means."""
    said, status, fail = error_text(exchange), exchange.status, failing(exchange)
    if 300 <= status < 400:
        return fail("status", f"the server redirects to {excerpt(exchange.location, 100)!r} (status {status}); not followed")
    if status < 400:
        return fail("rubbish", f"status {status} where 200 was due")
    if wants_key(exchange):
        return fail("status", f"the server does not accept the API key, or wants one (status {status}: {said})")
    if any(text in exchange.raw.lower() for text in CONTEXT_TEXTS):
        return fail("context", said)
    is_final = status == 500 and (_says(exchange, SCHEMA_TEXTS) or _says(exchange, COUNT_TEXTS))
    is_transient = status in (408, 429, 500, 502, 503, 504) and not is_final
    return fail("status", f"status {status}: {said}", is_transient=is_transient)


def wants_key(exchange: Exchange) -> bool:
    """Does the server ask for another key than it got?"""
    return exchange.status in (401, 403)


def refuses_schema(exchange: Exchange) -> bool:
    """Does the server say that it cannot use the schema?"""
    return exchange.status in (400, 422, 500) and _says(exchange, SCHEMA_TEXTS)


def refuses_count(exchange: Exchange) -> bool:
    """Does the server say that it does not draw several replies at once?"""
    return exchange.status in (400, 422, 500, 501) and _says(exchange, COUNT_TEXTS)


def _says(exchange: Exchange, texts: Sequence[str]) -> bool:
    lower = error_text(exchange).lower()
    return any(text in lower for text in texts)


def _choices(answer: dict[str, Any], fail: Failing) -> list[dict[str, Any]]:
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, dict) for choice in choices):
        raise fail("rubbish", "the answer holds no choices")
    return sorted(choices, key=lambda choice: choice["index"] if isinstance(choice.get("index"), int) else 0)


def _text(choice: dict[str, Any], fail: Failing, reply_tokens: int) -> str:
    """The text of a choice that is a whole reply; BackendFailure saying what it lacks."""
    reason = choice.get("finish_reason")
    if reason == "length":
        raise fail("length", f"the reply was cut at its {reply_tokens} tokens, or where the context ended")
    if not isinstance(reason, str) or reason == "abort":
        raise fail("unfinished", f"the server ended the reply before it was finished (finish_reason {reason!r})")
    message = choice.get("message")
    if reason != "stop" or not isinstance(message, dict):
        raise fail("rubbish", f"the server did not answer the prompt: finish_reason {excerpt(reason, 40)!r}")
    if message.get("refusal"):
        raise fail("rubbish", f"the model refused: {excerpt(str(message['refusal']), 100)}")
    said = message.get("content")
    if isinstance(said, str) and said.strip():
        return whole(said)
    if message.get("reasoning_content") or message.get("reasoning"):
        raise fail("rubbish", "the answer is in the model's reasoning alone; take a model that does not think, or switch it off")
    if message.get("tool_calls"):
        raise fail("rubbish", "the model called a tool where none was offered")
    raise fail("rubbish", "the reply is empty" if isinstance(said, str) else "the answer holds no message.content")


def _cached(answer: dict[str, Any]) -> int | None:
    """Prompt tokens that came from the cache; ``None`` where the server does not say."""
    for part, key in ((answer["usage"].get("prompt_tokens_details"), "cached_tokens"), (answer.get("timings"), "cache_n")):
        value = part.get(key) if isinstance(part, dict) else None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
