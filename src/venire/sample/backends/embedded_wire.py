"""What goes to the embedded engine and what comes back: an ask → sampling options; an answer → a reply or a failure."""

import json
import re
from typing import Any

from venire.errors import BackendFailure
from venire.model import Ask, Reply
from venire.sample.backends.embedded_grammar import grammar

Json = dict[str, Any]

SEEDS = 2**32 - 1  # the seed of this value means "random" to llama.cpp


def options(ask: Ask) -> Json:
    """The grammar and every sampling option, stated: none is left to a default that the next version may change."""
    try:
        rules = grammar(ask.schema, is_compact=ask.is_compact)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise BackendFailure("refused", f"the reply's schema cannot be put into a grammar: {error}") from error
    drawn = ask.sampling
    greedy = {"temperature": 0.0, "top_k": 1, "top_p": 1.0}
    free = {"temperature": drawn.temperature, "top_k": drawn.top_k, "top_p": drawn.top_p}
    return {
        **(greedy if drawn.pinned else free),
        "min_p": 0.0,
        "typical_p": 1.0,
        "repeat_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "dry_multiplier": 0.0,
        "xtc_probability": 0.0,
        "mirostat": 0,
        "seed": ask.seed % SEEDS,
        "max_tokens": ask.reply_tokens,
        "cache_prompt": True,
        "stream": False,
        "grammar": rules,
    }


def read_reply(answer: Json, ask: Ask, load_ms: int) -> Reply:
    """The engine's answer as a reply, only when it stopped by itself and kept to the grammar; else BackendFailure."""
    body = answer["body"]
    try:
        document = json.loads(body)
        if answer["status"] != 200:
            raise refusal(document["error"], body)
        choice, usage = document["choices"][0], document["usage"]
        text, done, spent = choice["text"], choice["finish_reason"], usage["completion_tokens"]
        reply = Reply(text, body, done, usage["prompt_tokens"], spent, document["timings"]["cache_n"], load_ms)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise BackendFailure("rubbish", f"the engine's answer cannot be read: {error!r}", raw=body) from error
    if done == "length" and spent < ask.reply_tokens:
        raise BackendFailure("context", f"the context was full after {spent} tokens of reply", raw=body)
    if done != "stop":
        kind = "length" if done == "length" else "unfinished"
        raise BackendFailure(kind, f"the engine ended the reply after {spent} tokens ({done})", raw=body)
    if not is_json(text, is_compact=ask.is_compact):
        raise BackendFailure("mismatch", "the reply is not the JSON that the grammar allows", raw=body)
    return reply


def refusal(error: Json, body: str) -> BackendFailure:
    kind = "context" if error.get("type") == "exceed_context_size_error" else "status"
    return BackendFailure(kind, str(error.get("message", error)), raw=body)


def is_json(text: str, *, is_compact: bool) -> bool:
    """Whether the text can have come through the grammar: some builds go on without one that they cannot use."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return not is_compact or not re.search(r"\s", re.sub(r'"(?:[^"\\]|\\.)*"', "", text))
