"""What goes over the wire to Ollama and what its answers mean: an ask → a request body; status and bytes → a reply or a failure.

Pure. The shapes, the truncation formula and the error texts are those of Ollama's server (server/routes.go, llm/, api/types.go).
HTTP 200 is not success there: only a finished, stopped, counted, local and non-empty answer is.
"""

import re
from collections.abc import Sequence
from typing import Any

from venire.errors import BackendFailure
from venire.model import Reply, Sampling
from venire.sample.backends.exchange import Exchange as Exchange
from venire.sample.backends.exchange import Failing, content, error_text, failing, number, whole
from venire.sample.backends.exchange import excerpt as excerpt

NUM_KEEP = 4  # the server's own default, sent so that the truncation formula below holds whatever the Modelfile says
CONTEXT_TEXTS = ("exceeds the available context size", "exceed_context_size", "longer than the context length")
SCHEMA_TEXTS = ("failed to parse grammar", "failed to initialize samplers", "invalid json schema in format")


# ---------------------------------------------------------------- requests


def chat(
    model: str,
    messages: Sequence[tuple[str, str]],
    sampling: Sampling,
    *,
    seed: int,
    reply_tokens: int,
    context: int,
    form: object = None,
    think: bool | str = False,
) -> dict[str, object]:
    """The body of POST /api/chat. ``form`` is a schema, "json" or ``None`` for free text.

    ``shift`` and ``num_ctx`` are attributes of the loaded model: another value reloads it, so every request carries the same.
    """
    body: dict[str, object] = {
        "model": model,
        "messages": [{"role": role, "content": content} for role, content in messages],
        "stream": False,
        "think": think,
        "truncate": False,
        "shift": False,
        "keep_alive": "30m",
        "options": options(sampling, seed=seed, reply_tokens=reply_tokens, context=context),
    }
    return body if form is None else {**body, "format": form}


def options(sampling: Sampling, *, seed: int, reply_tokens: int, context: int) -> dict[str, object]:
    """Every sampling option, so that neither a Modelfile nor a server's default decides. ``reply_tokens`` must be positive."""
    return {
        "num_ctx": context,
        "num_keep": NUM_KEEP,
        "num_predict": max(reply_tokens, 1),  # 0 and below mean "without end" to the server
        "seed": seed,
        "temperature": 0.0 if sampling.pinned else sampling.temperature,
        "top_k": 1 if sampling.pinned else sampling.top_k,
        "top_p": 1.0 if sampling.pinned else sampling.top_p,
        "min_p": 0.0,
        "typical_p": 1.0,
        "repeat_last_n": 64,
        "repeat_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "draft_num_predict": 0,
    }


# ---------------------------------------------------------------- answers


def judge(exchange: Exchange, *, context: int, reply_tokens: int) -> Reply:
    """The reply in the answer to a chat, or BackendFailure saying what it lacks."""
    answer = parsed(exchange)
    fail = failing(exchange)
    finished(answer, exchange)
    if answer["done_reason"] == "length":
        raise fail("length", _length(answer, context, reply_tokens))
    if answer["done_reason"] != "stop":
        raise fail("rubbish", f"the server did not answer the prompt: done_reason {answer['done_reason']!r}")
    count = counted(answer, exchange)
    _check_room(count, context, reply_tokens, fail)
    return Reply(
        text=_content(answer, fail),
        raw=exchange.raw,
        prompt_tokens=count,
        reply_tokens=number(answer, "eval_count", exchange),
        cached_tokens=number(answer, "prompt_eval_cached_count", exchange) if "prompt_eval_cached_count" in answer else None,
        load_ms=number(answer, "load_duration", exchange) // 1_000_000,
    )


def finished(answer: dict[str, Any], exchange: Exchange) -> None:
    """Refuse an answer that came from elsewhere or was not finished."""
    fail = failing(exchange)
    if remote(answer):
        raise fail("mismatch", f"answered by {remote(answer)}, not by a model on this server")
    if answer.get("done") is not True or not isinstance(answer.get("done_reason"), str):
        raise fail("unfinished", "the server ended the reply before it was finished (done is not true)")


def counted(answer: dict[str, Any], exchange: Exchange) -> int:
    """The prompt's tokens; BackendFailure where the server does not say, as old ones do when the prompt is cached."""
    count = number(answer, "prompt_eval_count", exchange)
    if count == 0:
        raise failing(exchange)("rubbish", "the server did not count the prompt: nothing shows that the model saw all of it")
    return count


def parsed(exchange: Exchange) -> dict[str, Any]:
    """The JSON object in a 200 answer; BackendFailure for every other status and for anything that is not one object."""
    if exchange.status != 200:
        raise refusal(exchange)
    return content(exchange)


def refusal(exchange: Exchange) -> BackendFailure:
    """What a status other than 200 means."""
    said, status, fail = error_text(exchange), exchange.status, failing(exchange)
    lower = exchange.raw.lower()
    if 300 <= status < 400:
        return fail("status", f"the server redirects to {excerpt(exchange.location, 100)!r} (status {status}); not followed")
    if status < 400:
        return fail("rubbish", f"status {status} where 200 was due")
    if any(text in lower for text in CONTEXT_TEXTS):
        return fail("context", _too_long(exchange.raw, said))
    if "token repeat limit" in lower:
        return fail("unfinished", said)
    if status == 403 and not exchange.body:
        said = "the server refuses requests under this host name"
    return fail("status", f"status {status}: {said}", is_transient=_is_transient(status, lower))


def refuses_schema(exchange: Exchange) -> bool:
    """Does the server say that it cannot turn the schema into a grammar?"""
    return exchange.status in (400, 500) and any(text in exchange.raw.lower() for text in SCHEMA_TEXTS)


def remote(answer: dict[str, Any]) -> str:
    """Where else the model runs, as a show, tags or chat answer states it; empty when here."""
    return excerpt(str(answer.get("remote_host") or answer.get("remote_model") or ""), 100)


def truncated_counts(context: int) -> range:
    """The prompt counts, ±2, that a prompt cut by the server has.

    The server keeps ``keep`` tokens (NUM_KEEP, plus one where the tokenizer begins with a marker) and drops half of the
    rest: num_ctx − max((num_ctx − keep) / 2, 1).
    """
    counts = [context - max((context - keep) // 2, 1) for keep in (NUM_KEEP, NUM_KEEP + 1)]
    return range(min(counts) - 2, max(counts) + 3)


def _content(answer: dict[str, Any], fail: Failing) -> str:
    message = answer.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, str):
        raise fail("rubbish", "the answer holds no message.content")
    if not content.strip() and message.get("thinking"):
        raise fail("rubbish", "the answer is in the model's thinking although think was false; take a model that does not think")
    if not content.strip():
        raise fail("rubbish", "the reply is empty")
    return whole(content)


def _check_room(count: int, context: int, reply_tokens: int, fail: Failing) -> None:
    if count in truncated_counts(context):
        raise fail("context", f"{count} prompt tokens is what a prompt cut to a context of {context} has; this one may be cut")
    if count + reply_tokens > context:
        raise fail("context", f"{count} prompt tokens and {reply_tokens} for the reply are more than the context of {context}")


def _length(answer: dict[str, Any], context: int, reply_tokens: int) -> str:
    used = answer.get("eval_count", 0)
    if isinstance(used, int) and used < reply_tokens:
        return f"the reply was cut after {used} tokens, where the context of {context} ended"
    return f"the reply was cut at its {reply_tokens} tokens"


def _too_long(raw: str, said: str) -> str:
    """With both numbers where the server gives them: as fields, or in its sentence."""
    plain = raw.replace("\\", "")
    prompt = re.search(r'"n_prompt_tokens":\s*(\d+)', plain) or re.search(r"\((\d+) tokens\) exceeds", plain)
    window = re.search(r'"n_ctx":\s*(\d+)', plain) or re.search(r"context size \((\d+) tokens", plain)
    if prompt and window:
        return f"the prompt has {prompt[1]} tokens, the context {window[1]}"
    return said


def _is_transient(status: int, lower: str) -> bool:
    if status == 500:
        return "must be of type" not in lower and not any(text in lower for text in SCHEMA_TEXTS)
    return status in (408, 429, 502, 503, 504)
