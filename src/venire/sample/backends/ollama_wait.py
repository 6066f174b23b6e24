"""A busy server is asked again after a wait: a way to send a request → every answer to it, in order."""

import time
from collections.abc import Callable, Iterator
from hashlib import sha256

from venire.sample.backends.ollama_wire import Exchange

REQUESTS = 6  # for one ask, the first included: 15 seconds of waiting at most
FIRST = 0.5  # seconds
MOST = 8.0  # seconds


def patiently(send: Callable[[], Exchange], until: float, seed: int, sleep: Callable[[float], None]) -> Iterator[Exchange]:
    """Every answer: while the server says it is busy it is asked again, as far as ``until`` on the monotonic clock allows."""
    pauses = waits(seed)
    while True:
        yield (answer := send())
        pause = next(pauses, None) if is_busy(answer) else None
        if pause is None or time.monotonic() + pause >= until:
            return
        sleep(pause)


def waits(seed: int) -> Iterator[float]:
    """Seconds before each further request: doubled up to MOST, then shortened by up to half.

    The shortening is a function of the seed, which differs between samples: those refused together come back apart.
    """
    for turn in range(REQUESTS - 1):
        share = sha256(f"{seed}:{turn}".encode()).digest()[0] / 255
        yield min(FIRST * 2**turn, MOST) * (1 - share / 2)


def is_busy(exchange: Exchange) -> bool:
    """Does the server say that it has too much to do?"""
    return exchange.status in (429, 503)
