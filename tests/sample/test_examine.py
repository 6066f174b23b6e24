"""Speeds come out as they are, whatever the engine caches; the forecast adds up what it says it adds up."""

import json
from dataclasses import dataclass, field

import pytest

from venire.errors import BackendFailure
from venire.model import Ask, ModelInfo, Plan, Reply
from venire.sample.examine import SHORT, Speed, Work, measure, seconds, tokens

PROMPT_TOKENS = 400


@dataclass
class Timed:
    """An engine with a clock of its own: ``new`` and ``reply`` tokens a second, and ``known`` for a prompt it has just read."""

    new: float = 100.0
    known: float = 1000.0
    reply_rate: float = 20.0
    counts: bool = True
    now: float = 0.0
    width: int = 1
    loads: int = 1
    asks: list[Ask] = field(default_factory=list)

    def describe(self) -> ModelInfo:
        return ModelInfo("timed", "m")

    recheck = describe

    def reply(self, ask: Ask) -> Reply:
        is_known = any(earlier.messages == ask.messages for earlier in self.asks)
        self.asks.append(ask)
        (text,) = json.loads(ask.schema)["properties"]["answer"]["enum"]
        written = len(text.split()) + 4
        self.now += PROMPT_TOKENS / (self.known if is_known else self.new) + written / self.reply_rate
        return Reply(json.dumps({"answer": text}), "", prompt_tokens=PROMPT_TOKENS * self.counts, reply_tokens=written)

    def close(self) -> None:
        pass


def examined(backend: Timed, nonce: str = "n1") -> Speed:
    return measure(backend, Plan(), nonce, clock=lambda: backend.now)


@pytest.mark.parametrize(("new", "known", "reply"), [(100.0, 1000.0, 20.0), (100.0, 100.0, 20.0), (5000.0, 90000.0, 150.0)])
def test_speeds_are_those_of_the_engine_with_a_prompt_cache_or_without(new: float, known: float, reply: float) -> None:
    speed = examined(Timed(new, known, reply))
    assert (speed.new, speed.known, speed.reply) == pytest.approx((new, known, reply))
    assert speed.prompt_tokens == PROMPT_TOKENS


def test_three_short_asks_are_all_and_none_shares_a_cached_prompt_with_an_earlier_check() -> None:
    backend = Timed()
    examined(backend)
    examined(backend, "n2")
    assert len(backend.asks) == 6
    first, second = backend.asks[0], backend.asks[3]
    assert first.messages[0][1].startswith("n1")
    assert second.messages[0][1].startswith("n2")
    assert json.loads(first.schema)["properties"]["answer"]["enum"] == [SHORT]


def test_an_engine_faster_than_the_clock_has_no_speed() -> None:
    backend = Timed()
    speed = measure(backend, Plan(), "n", clock=lambda: 0.0)
    assert (speed.new, speed.known, speed.reply, speed.ms) == (None, None, None, 0)
    assert seconds(Work(2, 1000, 5, 120), speed) == 0


def test_an_engine_that_counts_nothing_has_no_speed_to_tell() -> None:
    with pytest.raises(BackendFailure, match="counts no prompt tokens"):
        examined(Timed(counts=False))


def test_a_forecast_reads_each_prompt_once_as_new_and_once_a_sample_as_known() -> None:
    speed = Speed(new=100.0, known=1000.0, reply=20.0, prompt_tokens=400, ms=1, token_bytes=4.0)
    work = Work(prompts=3, text=12_000, runs=5, reply_tokens=180)
    assert tokens(work, speed) == 3000
    assert seconds(work, speed) == pytest.approx(3000 / 100 + 5 * 3000 / 1000 + 5 * 180 / 20)
