"""Ollama: a host and a model name → the model's facts, and one checked reply per ask.

The official client carries every request; what comes back is judged from the bytes as received, since the client drops
fields it does not know. Nothing is ever pulled, created or deleted on the server, and no model of another computer is asked.

A schema that the server cannot turn into a grammar is replaced by plain JSON mode, once per schema and for good; the
contract still judges every reply. A busy server is asked again after a wait. ``recheck`` states both among the warnings,
and ``raw`` then holds every body that came, one after the other on lines of their own.

A time-out while the server loads the model aborts the load, and so would every one after it. So when the model is found gone
after a time-out, the next reply first loads it with all the time that takes; when that fails too, nothing is asked any more.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock

from venire.errors import BackendFailure, BackendUnavailable, ConfigError
from venire.model import Ask, ModelInfo, Plan, Reply
from venire.sample.backends import ollama_facts as facts
from venire.sample.backends import ollama_wire as wire
from venire.sample.backends.address import reach
from venire.sample.backends.exchange import Counts
from venire.sample.backends.ollama_find import Found, find, is_cloud
from venire.sample.backends.ollama_host import Host, Seen
from venire.sample.backends.ollama_wait import is_busy, patiently

__all__ = ["Found", "Ollama", "find"]

GLANCE_SECONDS = 5.0  # for a question asked within a sample
LOAD_SECONDS = 900.0  # a time-out while the model loads aborts the load, so a short one would never see it loaded
RELOAD_MS = 1000  # a model that is loaded answers with a load_duration of some tens of milliseconds
PROBE = (("system", "Answer with one word."), ("user", "Ready?"))


class Ollama:
    """One model on one server. ``plan`` gives the context asked for, the sampling, and the least time a load may take.

    ``require_gpu``: refuse a model that is not in GPU memory as a whole. ``sleep`` waits that many seconds.
    """

    def __init__(
        self,
        *,
        host: str,
        model: str,
        plan: Plan,
        allow_hosts: Sequence[str] = (),
        api_key: str = "",
        require_gpu: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """ConfigError when the host is unreadable or not allowed, or the name is that of a cloud model; sends nothing."""
        address = reach(host, allow_hosts=allow_hosts)
        if is_cloud(model):
            raise ConfigError(f"model {model} runs on Ollama's computers, not on yours", "take a model without the cloud tag")
        self._host = Host(address, model, api_key)
        self._model, self._plan, self._needs_gpu, self._sleep = model, plan, require_gpu, sleep
        self._context = plan.context
        self._think: bool | str = False
        self._info: ModelInfo | None = None
        self._lock = Lock()  # asks may be in flight together
        self._loads = 0
        self._is_due = False  # the model is gone: it must be loaded before the next ask
        self._lost: BackendFailure | None = None  # why it could not be loaded again
        self._counts = Counts()
        self._loose: set[str] = set()  # schemas the server refused
        self._refusals = 0  # requests that a busy server refused

    @property
    def width(self) -> int:
        """The server queues what it cannot draw at once."""
        return 64

    @property
    def loads(self) -> int:
        """How often the model was loaded, as far as the answers tell. A load that is due counts, so that a warm-up follows."""
        return self._loads + self._is_due

    def describe(self) -> ModelInfo:
        """Reach server and model, load it with the settings of every ask to come, and state the facts."""
        try:
            seen = self._host.look()
            self._context, self._think = facts.context(seen.show, self._plan.context), facts.think(seen.show)
            self._load()
            running = self._host.loaded(seen.digest, self._context)
        except BackendFailure as failure:
            raise self._host.unavailable(failure) from failure
        if self._needs_gpu:
            self._host.refuse_cpu(running)
        self._info = self._stated(seen, seen.digest, running)
        return self._info

    def recheck(self) -> ModelInfo:
        """State the facts again, without loading: what the server says after the last sample.

        The digest is another one as soon as the stored or the running model is. Where the server does not answer any more,
        the facts stand as they were, with a warning: the samples are there.
        """
        first = self._info or self.describe()
        try:
            seen = self._host.look()
            running = self._host.running() or {}
        except (BackendFailure, BackendUnavailable) as failure:
            warning = f"the model could not be checked again after the last sample: {failure.message}"
            return replace(first, warnings=(*first.warnings, warning))
        digests = (facts.digest(running), seen.digest)
        info = self._stated(seen, next((one for one in digests if one and one != first.digest), first.digest), running)
        if not self._needs_gpu or facts.is_on_gpu(info.gpu_share):
            return info
        warning = f"a GPU was required, and after the last sample {facts.share_text(info.gpu_share)}"
        return replace(info, warnings=(*info.warnings, warning))

    def reply(self, ask: Ask) -> Reply:
        """One sample within ``ask.deadline`` seconds, waits for a busy server and the fallback for a refused schema included."""
        self._load_if_due()
        answers: list[wire.Exchange] = []
        try:
            self._answer(ask, time.monotonic() + ask.deadline, answers)
            reply = wire.judge(answers[-1], context=self._context, reply_tokens=ask.reply_tokens)
            self._counts.check(ask, reply)
            self._check_load(reply)
        except BackendFailure as failure:
            if failure.kind == "timeout":
                self._is_due = not self._is_there()
            if not answers:
                raise
            raise _told(failure, answers) from failure
        return replace(reply, raw=_raw(answers))

    def unload(self) -> None:
        """Have the server drop the model, as ``ollama stop`` does, so that the next load is a cold start."""
        self._host.unload()

    def close(self) -> None:
        """Nothing to let go of: every request has its own connection."""

    def _answer(self, ask: Ask, until: float, answers: list[wire.Exchange]) -> None:
        """Ask, and add every answer of the server: the last one is to be judged."""
        self._patiently(ask, until, answers)
        if ask.schema not in self._loose and wire.refuses_schema(answers[-1]):
            self._loose.add(ask.schema)
            self._patiently(ask, until, answers)

    def _patiently(self, ask: Ask, until: float, answers: list[wire.Exchange]) -> None:
        for answer in patiently(lambda: self._chat(ask, until), until, ask.seed, self._sleep):
            answers.append(answer)
            if is_busy(answer):
                with self._lock:
                    self._refusals += 1

    def _chat(self, ask: Ask, until: float) -> wire.Exchange:
        body = wire.chat(
            self._model,
            ask.messages,
            ask.sampling,
            seed=ask.seed,
            reply_tokens=ask.reply_tokens,
            context=self._context,
            form="json" if ask.schema in self._loose else json.loads(ask.schema),
            think=self._think,
        )
        return self._host.chat(body, until - time.monotonic())

    def _check_load(self, reply: Reply) -> None:
        """A model that was loaded again in between counts as a load, and must be the same one with the same context."""
        if reply.load_ms < RELOAD_MS:
            return
        with self._lock:
            self._loads += 1
        if self._info is not None:
            self._host.loaded(self._info.digest, self._context)

    def _load_if_due(self) -> None:
        """Load a model that is gone, whatever time it takes, and never try again when that fails."""
        with self._lock:
            if self._lost is not None:
                raise BackendFailure(self._lost.kind, f"not asked: {self._lost.message}")
            if not self._is_due:
                return
            try:
                self._load()
            except BackendFailure as failure:
                self._lost = BackendFailure(failure.kind, f"{self._model} could not be loaded again: {failure.message}")
                raise self._lost from failure
            self._is_due = False

    def _is_there(self) -> bool:
        """Is the model loaded, as far as the server says?"""
        try:
            return self._host.running(GLANCE_SECONDS) is not None
        except BackendFailure:
            return True

    def _load(self) -> None:
        """Load the model by one token, with the very options of the asks to come: others would load it again."""
        body = wire.chat(
            self._model,
            PROBE,
            self._plan.sampling,
            seed=self._plan.sampling.seed,
            reply_tokens=1,
            context=self._context,
            think=self._think,
        )
        exchange = self._host.chat(body, max(LOAD_SECONDS, self._plan.sample_time))
        answer = wire.parsed(exchange)
        wire.finished(answer, exchange)
        if answer["done_reason"] not in ("stop", "length"):
            raise BackendFailure("rubbish", f"the first reply ended with {answer['done_reason']!r}", raw=exchange.raw)
        wire.counted(answer, exchange)
        self._loads += 1

    def _stated(self, seen: Seen, digest: str, running: facts.Answer) -> ModelInfo:
        return ModelInfo(
            backend="ollama",
            name=self._model,
            engine=f"ollama {seen.version}",
            digest=digest,
            quantization=facts.detail(seen.stored, "quantization_level"),
            parameters=facts.detail(seen.stored, "parameter_size"),
            context=self._context,
            gpu_share=facts.gpu_share(running),
            warnings=facts.warnings(seen.version, seen.show, len(self._loose), self._refusals),
        )


def _raw(answers: Sequence[wire.Exchange]) -> str:
    return "\n".join(answer.raw for answer in answers)


def _told(failure: BackendFailure, answers: Sequence[wire.Exchange]) -> BackendFailure:
    """The failure with every body that came. A server that stayed busy was asked often enough."""
    bodies = _raw(answers)
    if failure.raw and failure.raw != answers[-1].raw:  # what came of one more answer
        bodies += f"\n{failure.raw}"
    if failure.kind == "status" and is_busy(answers[-1]):
        return BackendFailure("status", f"{failure.message} (asked {len(answers)} times)", raw=bodies)
    return BackendFailure(failure.kind, failure.message, is_transient=failure.is_transient, raw=bodies)
