"""vLLM, llama.cpp's server, LM Studio: a host and a model name → the model's facts, and checked replies, singly or in batches.

Only what the server shows of itself is used: which server it is, its context, how many replies it draws in one request.

A schema that the server cannot use is replaced by plain JSON mode, once per schema and for good; the contract still judges every
reply, and ``recheck`` states it among the warnings.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from venire.errors import BackendFailure
from venire.model import Ask, ModelInfo, Plan, Reply
from venire.sample.backends import openai_facts as facts
from venire.sample.backends import openai_wire as wire
from venire.sample.backends.exchange import Counts, Exchange
from venire.sample.backends.openai_find import Found, find, place
from venire.sample.backends.openai_host import Host, is_loading

__all__ = ["Found", "OpenAI", "find"]

LOAD_SECONDS = 900.0  # a server may load the model when it is first asked
PROBE = (("system", "Answer with one word."), ("user", "Ready?"))

Outcome = Reply | BackendFailure


class OpenAI:
    """One model on one server. ``plan`` gives the context asked for and the sampling; ``wait``: seconds a load may take."""

    def __init__(
        self,
        *,
        host: str,
        model: str,
        plan: Plan,
        allow_hosts: Sequence[str] = (),
        api_key: str = "",
        wait: float = LOAD_SECONDS,
    ) -> None:
        """ConfigError when the host is unreadable or not allowed; sends nothing."""
        self._host = Host(place(host, allow_hosts), model, api_key)
        self._model = model
        self._plan = plan
        self._wait = wait
        self._context = plan.context
        self._server = facts.Server()
        self._loads = 0
        self._is_single = plan.sampling.pinned  # vLLM refuses several greedy replies, which would all be one anyway
        self._counts = Counts()
        self._is_undercounted = False
        self._loose: set[str] = set()  # schemas the server refused

    @property
    def width(self) -> int:
        """Asks in flight together: llama.cpp draws as many as it has slots, the others queue."""
        return self._server.batch if self._server.kind == "llama.cpp" else 64

    @property
    def batch(self) -> int:
        """How many asks one call of ``replies`` may take; 1 where the server draws one reply a request."""
        return 1 if self._is_single else self._server.batch

    @property
    def loads(self) -> int:
        """1 once described, and one more each time a server says that it is loading: the others do not tell."""
        return self._loads

    def describe(self) -> ModelInfo:
        """Wait until the server is ready, have it load the model, and state the facts."""
        try:
            self._host.be_ready(self._wait)
            self._host.entry()
            self._load()
            self._loads = 1
            return self._look()
        except BackendFailure as failure:
            raise self._host.unavailable(failure) from failure

    def recheck(self) -> ModelInfo:
        """State the facts again, without asking the model anything."""
        try:
            return self._look()
        except BackendFailure as failure:
            raise self._host.unavailable(failure) from failure

    def reply(self, ask: Ask) -> Reply:
        """One chat within ``ask.deadline`` seconds, the fallback for a refused schema included."""
        exchange = self._chat(ask, 1)
        outcomes = wire.judge(exchange, context=self._context, reply_tokens=ask.reply_tokens)
        outcome = self._checked(ask, outcomes[0])
        if isinstance(outcome, BackendFailure):
            raise outcome
        return outcome

    def replies(self, asks: Sequence[Ask]) -> list[Outcome]:
        """What became of each ask, in their order.

        One request for up to ``batch`` neighbours that differ in nothing but seeds that count up by one, with the seed of the
        first and the time of all: on a processor ten replies at once take several times as long as one.
        The seeds of the others are the server's: vLLM and llama.cpp count on from the first by one, too.
        A choice that fails, fails alone. What cannot be drawn together, or will not by the server, is drawn one by one.
        """
        outcomes: list[Outcome] = []
        while len(outcomes) < len(asks):
            rest = asks[len(outcomes) :]
            size = _alike(rest[: self.batch])
            outcomes += self._together(rest[:size]) if size > 1 else [self._single(rest[0])]
        return outcomes

    def close(self) -> None:
        """Nothing to let go of: every request has its own connection."""

    # ---------------------------------------------------------------- asking

    def _single(self, ask: Ask) -> Outcome:
        try:
            return self.reply(ask)
        except BackendFailure as failure:
            return failure

    def _together(self, asks: Sequence[Ask]) -> list[Outcome]:
        first, count = asks[0], len(asks)
        try:
            exchange = self._chat(replace(first, deadline=min(first.deadline * count, first.left)), count)
            if wire.refuses_count(exchange):
                self._is_single = True
                return [self._single(ask) for ask in asks]
            outcomes = wire.judge(exchange, context=self._context, reply_tokens=first.reply_tokens)
            self._is_undercounted |= self._server.kind == "llama.cpp"  # its usage is that of the first choice
            if len(outcomes) > count:
                message = f"the server gave {len(outcomes)} replies where {count} were asked for"
                raise BackendFailure("mismatch", message, raw=exchange.raw)
        except BackendFailure as failure:
            return [failure] * count
        if len(outcomes) < count:  # it takes no notice of the number asked for
            self._is_single = True
        drawn = [self._checked(ask, outcome) for ask, outcome in zip(asks, outcomes, strict=False)]
        return [*drawn, *(self._single(ask) for ask in asks[len(drawn) :])]

    def _chat(self, ask: Ask, count: int) -> Exchange:
        until = time.monotonic() + ask.deadline
        exchange = self._post(ask, count, until)
        if ask.schema not in self._loose and wire.refuses_schema(exchange):
            self._loose.add(ask.schema)
            exchange = self._post(ask, count, until)
        return exchange

    def _post(self, ask: Ask, count: int, until: float) -> Exchange:
        body = wire.chat(
            self._model,
            ask.messages,
            ask.sampling,
            seed=ask.seed,
            reply_tokens=ask.reply_tokens,
            kind=self._server.kind,
            schema=ask.schema,
            is_loose=ask.schema in self._loose,
            count=count,
        )
        exchange = self._host.chat(body, until - time.monotonic())
        if not is_loading(exchange):
            return exchange
        self._loads += 1  # it was started again: a warm-up comes before the next prompt's samples
        self._host.be_ready(until - time.monotonic())
        return self._host.chat(body, until - time.monotonic())

    def _checked(self, ask: Ask, outcome: Outcome) -> Outcome:
        """The same messages have the same number of tokens, every time."""
        if isinstance(outcome, BackendFailure):
            return outcome
        try:
            self._counts.check(ask, outcome)
        except BackendFailure as failure:
            return failure
        return outcome

    # ---------------------------------------------------------------- facts

    def _load(self) -> None:
        """One token from the model, which loads it where the server does that on demand, and shows that it can be asked."""
        body = wire.chat(self._model, PROBE, self._plan.sampling, seed=self._plan.sampling.seed, reply_tokens=1)
        exchange = self._host.allowed(self._host.chat(body, max(self._wait, self._plan.sample_time)))
        wire.counted(wire.parsed(exchange), exchange)

    def _look(self) -> ModelInfo:
        server = self._host.look()
        self._server = server
        self._context = min(self._plan.context, server.context or self._plan.context)
        return ModelInfo(
            backend="openai",
            name=self._model,
            engine=server.engine,
            quantization=server.quantization,
            parameters=server.parameters,
            context=self._context if server.context else 0,
            warnings=(*server.warnings, *self._warnings()),
        )

    def _warnings(self) -> list[str]:
        asked, granted = self._plan.context, self._server.context
        found = []
        if not granted:
            found.append(f"the server does not say how long its context is; {asked} tokens are taken for granted")
        elif granted < asked:
            found.append(f"context of {asked} tokens asked, {granted} granted")
        if not self._server.kind:
            found.append("the server is of an unknown kind: options beyond the common ones have its own defaults")
        if self._is_undercounted:
            found.append("the server counts the tokens of one reply of each request with several: the total is higher than shown")
        if self._loose:
            refused = len(self._loose)
            found.append(f"the server could not use {refused} reply schemas; those replies were asked for as plain JSON")
        return found


def _alike(asks: Sequence[Ask]) -> int:
    """How many asks from the first on are for the same, with seeds that count up."""
    shape = [(ask.messages, ask.schema, ask.sampling, ask.reply_tokens, ask.seed - place) for place, ask in enumerate(asks)]
    return next((place for place, one in enumerate(shape) if one != shape[0]), len(shape))
