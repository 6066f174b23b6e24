"""What came back over HTTP, and how every server's answer is read: bytes → a JSON object, its counts, its error text. Pure."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from venire.errors import BackendFailure
from venire.model import Ask, Reply

MESSAGE_LIMIT = 300  # characters of a server's error text that go into ours

Failing = Callable[..., BackendFailure]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back over HTTP: the status, where a redirect points, and the body as received."""

    status: int
    body: bytes
    location: str = ""

    @property
    def raw(self) -> str:
        """The body as text that any encoder takes: bytes that are not UTF-8 become ``\\xNN``."""
        return self.body.decode("utf-8", "backslashreplace")


def failing(exchange: Exchange) -> Failing:
    """A maker of failures that keep the body."""

    def fail(kind: str, message: str, *, is_transient: bool = False) -> BackendFailure:
        return BackendFailure(kind, whole(message), is_transient=is_transient, raw=exchange.raw)

    return fail


def content(exchange: Exchange) -> dict[str, Any]:
    """The JSON object in a body, whatever the status; BackendFailure for anything else and for an object that is an error."""
    fail = failing(exchange)
    try:
        answer = _loads(exchange.body)
    except (ValueError, RecursionError) as error:
        raise fail("rubbish", f"the answer is not JSON ({error}): {excerpt(exchange.raw, 60)!r}") from error
    if not isinstance(answer, dict):
        raise fail("rubbish", f"the answer is a JSON {type(answer).__name__}, not an object")
    if "error" in answer:
        raise fail("status", f"the server reports an error under status {exchange.status}: {error_text(exchange)}")
    return answer


def error_text(exchange: Exchange) -> str:
    """The message in an error body: under error, message or detail, the same again as JSON inside it, or the body itself."""
    value: object = exchange.raw
    for _ in range(4):
        if isinstance(value, str):
            inner = _try_json(value)
            if not isinstance(inner, dict):
                return excerpt(value) or "no message"
            value = inner
        if isinstance(value, dict):
            value = value.get("error", value.get("message", value.get("detail", "")))
    return excerpt(str(value))


def number(answer: dict[str, Any], key: str, exchange: Exchange) -> int:
    """A count in an answer, 0 where it is left out; BackendFailure when it is not a whole number of zero or more."""
    value = answer.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise failing(exchange)("rubbish", f"{key} is {excerpt(repr(value), 40)}, not a count")
    return value


def excerpt(text: str, most: int = MESSAGE_LIMIT) -> str:
    """The text on one line, cut to ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def whole(text: str) -> str:
    """The text with every lone surrogate replaced, so that it can be encoded."""
    return re.sub(r"[\ud800-\udfff]", "\ufffd", text)


def _loads(body: bytes) -> object:
    def refuse(constant: str) -> object:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(body.decode("utf-8"), parse_constant=refuse)


def _try_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Counts:
    """What a server counted for each prompt: the same messages have the same number of tokens, every time."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}  # by digest of the messages

    def check(self, ask: Ask, reply: Reply) -> None:
        """BackendFailure when the prompt of ``reply`` was counted differently before."""
        digest = hashlib.sha256(json.dumps(ask.messages).encode()).hexdigest()
        first = self._first.setdefault(digest, reply.prompt_tokens)
        if first != reply.prompt_tokens:
            message = f"the server counts {reply.prompt_tokens} prompt tokens where it counted {first} before"
            raise BackendFailure("mismatch", message, raw=reply.raw)
