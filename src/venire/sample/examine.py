"""How fast a model is: a backend → tokens a second, from three short asks; speeds and prompts → how long an audit will take.

Every engine is timed alike, from outside. A reply's schema allows one text only, so its length is known before it is asked for:
the same prompt with a short reply, with the short reply again, and with a long one. The first two tell what reading the prompt
costs, new and once known; the last two what writing a token costs.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from venire.errors import BackendFailure
from venire.model import Ask, Plan
from venire.sample.backend import Backend

SHORT = "ok"
LONG = "every line of the code above was read once from its first to its last word and nothing was left out of it " * 3
REPLY_TOKENS = 256  # what LONG and its frame may take in any tokenizer
SYSTEM = "You read code and answer in compact JSON."
LINES = 60  # of code in the prompt

EXPECTED = {"findings": 60, "panel": 35, "issues": 120}
"""Tokens of a usual reply: as a list of findings (the recorded demo's have 51 to 73) or issues, and as a verdict, each check."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second: of a prompt that is new, of one the engine has just read, of a reply. ``None``: too fast to tell."""

    new: float | None
    known: float | None
    reply: float | None
    prompt_tokens: int  # of the prompt that was timed
    ms: int  # that the first ask took
    token_bytes: float  # bytes of prompt text that make a token


@dataclass(frozen=True, slots=True)
class Work:
    """What an audit will ask: prompts, their text in bytes, samples of each, and tokens that one of all their replies takes."""

    prompts: int
    text: int
    runs: int
    reply_tokens: int


def measure(backend: Backend, plan: Plan, nonce: str, clock: Callable[[], float] = time.monotonic) -> Speed:
    """The speed of a backend that has been described. BackendFailure when it does not reply as the schema wants it.

    ``nonce`` opens the prompt, so that no prompt cache knows it.
    """
    code = "\n".join(f"{n}: total_{n} = price[{n}] * count[{n}]  # {n * 37 % 101} kept" for n in range(1, LINES + 1))
    messages = (("system", f"{nonce} {SYSTEM}"), ("user", f"{code}\n\nAnswer with the one text that is allowed."))
    ask = Ask(messages, "", plan.sampling, plan.sampling.seed, REPLY_TOKENS, plan.sample_time)
    first, again, long = (_timed(backend, replace(ask, schema=_schema(text)), clock) for text in (SHORT, SHORT, LONG))
    token = _per(long.seconds - again.seconds, long.reply_tokens - again.reply_tokens)
    tokens, written = first.prompt_tokens, (token or 0.0) * first.reply_tokens
    return Speed(
        new=_rate(tokens, first.seconds - written),
        known=_rate(tokens, again.seconds - written),
        reply=_rate(1, token) if token else None,
        prompt_tokens=tokens,
        ms=round(first.seconds * 1000),
        token_bytes=sum(len(text.encode()) for _, text in messages) / max(tokens, 1),
    )


def tokens(work: Work, speed: Speed) -> int:
    """Tokens of all prompts together, each counted once."""
    return round(work.text / speed.token_bytes)


def seconds(work: Work, speed: Speed) -> float:
    """How long the audit will take when no reply is refused.

    Every prompt is read as a new one, then once for each of its samples as a known one, and every sample writes a usual reply.
    """
    read = tokens(work, speed)
    written = work.runs * work.reply_tokens
    return _time(read, speed.new) + _time(read * work.runs, speed.known) + _time(written, speed.reply)


@dataclass(frozen=True, slots=True)
class _Timed:
    seconds: float
    prompt_tokens: int
    reply_tokens: int


def _timed(backend: Backend, ask: Ask, clock: Callable[[], float]) -> _Timed:
    start = clock()
    reply = backend.reply(ask)
    if not reply.prompt_tokens:
        raise BackendFailure("rubbish", "the engine counts no prompt tokens", raw=reply.raw)
    return _Timed(clock() - start, reply.prompt_tokens, reply.reply_tokens)


def _schema(text: str) -> str:
    """A reply of one text. What the contracts use, and no more, so every engine that serves an audit takes it."""
    answer = {"type": "string", "enum": [text.strip()]}
    rules = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    return json.dumps(rules, separators=(",", ":"))


def _per(seconds: float, tokens: int) -> float | None:
    return seconds / tokens if seconds > 0 and tokens > 0 else None


def _rate(tokens: int, seconds: float) -> float | None:
    return tokens / seconds if seconds > 0 else None


def _time(tokens: float, rate: float | None) -> float:
    return tokens / rate if rate else 0.0
