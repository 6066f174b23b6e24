"""Prompts, plan and backend → runs, saved one by one as they finish.

The samples of a prompt are drawn back to back, so that the engine's prompt cache serves all but the first.
Each prompt is opened by a short ask whose reply is discarded and recorded as a warm-up: the first evaluation
after a load, or of a new prompt, goes through other code paths than a cached one and can give another reply,
so no counted sample is ever the first.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from time import sleep
from typing import Literal

from venire.errors import BackendFailure
from venire.model import Ask, Attempt, Plan, Prompt, PromptKey, Reply, Run, RunKey
from venire.panel import answer, feedback
from venire.record import digest
from venire.sample.backend import Backend, Batching

ATTEMPTS = 4
"""A reply that fails is asked for again up to 3 times (seed 2)."""

WARMUP_TOKENS = 8
ECHO_LIMIT = 2_000  # characters of a bad reply that go back with the feedback; the window budget reserves for them
SEED_STEP = 1_000_003  # a prime far above any number of runs: the seeds of attempts never meet those of runs
INFINITE = float("inf")
PATIENCE = 30.0
"""Seconds that a server which refuses connections is waited for: a service that is restarted is back within them."""

PAUSE = 1.0  # seconds between looking for it

Drawn = tuple[Reply | BackendFailure, float]
"""What an ask gave, and when it was asked."""

Stop = Literal["complete", "max-time"]


@dataclass(frozen=True, slots=True)
class Progress:
    """One step: samples done and planned, seconds used and (``None`` where unknown) left, and the run just saved."""

    done: int
    total: int
    elapsed: float
    left: float | None
    prompt: Prompt
    run: Run | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """What sampling touches outside: where values go, who watches, a monotonic clock in seconds, and a way to wait some."""

    save: Callable[[Run], None]
    save_warmup: Callable[[Attempt], None]
    watch: Callable[[Progress], None]
    clock: Callable[[], float]
    sleep: Callable[[float], None] = sleep


def sample(
    prompts: Sequence[Prompt], plan: Plan, backend: Backend, sitting: Sitting, *, done: Collection[RunKey] = (), parallel: int = 1
) -> Stop:
    """Draw every run of every prompt that is not in ``done``, up to ``parallel`` runs of a prompt at once; say why it ended.

    With ``plan.max_time`` each prompt gets an equal share of the time that is left, and one sample at least
    while there is any: a budget thins the runs of all prompts instead of leaving some without any.
    """
    numbers = range(1, plan.runs + 1)
    queue = [(p, n) for p in prompts if (n := [i for i in numbers if (*p.key, i) not in done])]
    sampler = _Sampler(plan, backend, sitting, total=sum(len(n) for _, n in queue), parallel=parallel)
    for position, (prompt, pending) in enumerate(queue):
        sampler.draw(prompt, pending, prompts_left=len(queue) - position)
    return "complete" if sampler.done == sampler.total else "max-time"


class _Sampler:
    """The state of one sitting: clock, budget, and which prompt the engine has warm."""

    def __init__(self, plan: Plan, backend: Backend, sitting: Sitting, *, total: int, parallel: int) -> None:
        self.plan, self.backend, self.sitting, self.total = plan, backend, sitting, total
        self.parallel = parallel
        self.done = 0
        self.start = sitting.clock()
        self.warm: tuple[int, PromptKey] | None = None
        self.warming = Lock()  # runs drawn together may all find that the engine was loaded again
        self.end = INFINITE  # of the sample at hand, in seconds since the start
        self.last = 0.0  # seconds that the sample before took
        self.waited = 0.0  # seconds, for a server that is gone, since it was last heard

    def draw(self, prompt: Prompt, pending: Sequence[int], *, prompts_left: int) -> None:
        """The missing runs of one prompt, ``parallel`` at a time, as far as its share of the budget goes."""
        share_end = self.elapsed() + self.remaining() / prompts_left
        size = max(1, min(self.parallel, self.backend.width), self.batch())
        for first in range(0, len(pending), size):
            self.end = share_end if first else self.plan.max_time or INFINITE
            if not self.is_worth_starting():
                return
            self.warm_up(prompt)
            start = self.elapsed()
            runs = self.together(prompt, pending[first : first + size])
            self.last = self.elapsed() - start
            for run in runs:
                if run is None:
                    return
                self.done += 1
                self.sitting.save(run)
                self.report(prompt, run)

    def is_worth_starting(self) -> bool:
        """There is time, and as much as the samples before took: one that the clock cuts off gives nothing."""
        return self.elapsed() < self.end and (self.end == self.plan.max_time or self.elapsed() + self.last <= self.end)

    def together(self, prompt: Prompt, numbers: Sequence[int]) -> list[Run | None]:
        """Several runs at once. They come back, and are saved, in their order, whichever ends first."""
        if isinstance(self.backend, Batching) and self.batch() > 1:
            start = self.sitting.clock()
            outcomes = self.backend.replies([self.ask(prompt, number, ()) for number in numbers])
            return [self.run(prompt, n, (outcome, start)) for n, outcome in zip(numbers, outcomes, strict=True)]
        if len(numbers) == 1:
            return [self.run(prompt, numbers[0])]
        from concurrent.futures import Future
        from threading import Thread

        def draw(number: int, into: Future[Run | None]) -> None:
            try:
                into.set_result(self.run(prompt, number))
            except BaseException as error:  # raised again where the result is asked for
                into.set_exception(error)

        futures: list[Future[Run | None]] = [Future() for _ in numbers]
        for number, into in zip(numbers, futures, strict=True):
            # Daemons, unlike the threads of an executor, do not keep a process alive that the user has interrupted.
            Thread(target=draw, args=(number, into), daemon=True).start()
        return [future.result() for future in futures]

    def batch(self) -> int:
        """How many first attempts the engine draws in one request."""
        return self.backend.batch if isinstance(self.backend, Batching) else 1

    def run(self, prompt: Prompt, number: int, first: Drawn | None = None) -> Run | None:
        """Ask until the answer is complete, the attempts are used up, or asking again is vain; ``None``: out of time.

        ``first`` is what a batch gave for the first attempt.
        """
        attempts: list[Attempt] = []
        retried: set[bool] = set()
        while len(attempts) < ATTEMPTS:
            drawn = first if first and not attempts else None
            attempt, failure = self.attempt(prompt, self.ask(prompt, number, attempts), attempts, drawn)
            attempts.append(attempt)
            if not attempt.error and not attempt.fault:
                break
            if failure is not None:
                if failure.kind == "timeout" and self.elapsed() >= self.end:
                    return None
                if not failure.is_transient or is_gone(failure) in retried:
                    break
                retried.add(is_gone(failure))  # a connection that broke may be the first sign of a server that is gone
                if is_gone(failure):
                    self.warm = None  # what comes back is another engine, and is waited for
                self.warm_up(prompt)  # a crashed engine was loaded again
        is_complete = answer([attempt.text for attempt in attempts], prompt).is_complete
        return Run(*prompt.key, number, tuple(attempts), "valid" if is_complete else "failed")

    def attempt(
        self, prompt: Prompt, ask: Ask, before: Sequence[Attempt] = (), drawn: Drawn | None = None
    ) -> tuple[Attempt, BackendFailure | None]:
        """One ask; its reply judged together with the attempts before it. Every outcome is a value that the record keeps."""
        outcome, start = drawn or self.drawn(ask)
        if isinstance(outcome, BackendFailure):
            return self.failed(ask, outcome, start), outcome
        fault = answer([*(attempt.text for attempt in before), outcome.text], prompt).fault
        return self.replied(ask, outcome, start, fault), None

    def drawn(self, ask: Ask) -> Drawn:
        while True:
            start = self.sitting.clock()
            try:
                reply = self.backend.reply(ask)
            except BackendFailure as failure:
                # Only a warm-up waits: one opens every prompt and every second attempt, and no two are under way at once.
                if is_gone(failure) and ask.run == 0 and self.is_waited_for():
                    continue
                return failure, start
            self.waited = 0.0
            return reply, start

    def is_waited_for(self) -> bool:
        """Whether there is patience left for a server that is gone; then a moment has passed."""
        pause = min(PAUSE, PATIENCE - self.waited, self.end - self.elapsed())
        if pause > 0:
            self.waited += pause
            self.sitting.sleep(pause)
        return pause > 0

    def replied(self, ask: Ask, reply: Reply, start: float, fault: str) -> Attempt:
        return Attempt(
            text=reply.text,
            raw=reply.raw,
            sha256=digest(reply.raw),
            done=reply.done,
            seed=ask.seed,
            prompt_tokens=reply.prompt_tokens,
            reply_tokens=reply.reply_tokens,
            ms=self.ms_since(start),
            load_ms=reply.load_ms,
            fault=fault,
        )

    def failed(self, ask: Ask, failure: BackendFailure, start: float) -> Attempt:
        return Attempt(
            text="",
            raw=failure.raw,
            sha256=digest(failure.raw),
            done="",
            seed=ask.seed,
            prompt_tokens=0,
            reply_tokens=0,
            ms=self.ms_since(start),
            error=f"{failure.kind}: {failure.message}",
        )

    def ask(self, prompt: Prompt, number: int, attempts: Sequence[Attempt]) -> Ask:
        """The prompt itself, or the prompt with the last refused reply and the exact fault."""
        messages = [("system", prompt.system), ("user", prompt.user)]
        refused = [a for a in attempts if a.fault]
        if refused:
            messages.append(("assistant", refused[-1].text[:ECHO_LIMIT]))
            messages.append(("user", feedback(refused[-1].fault, prompt)))
        return Ask(
            messages=tuple(messages),
            schema=prompt.schema,
            sampling=self.plan.sampling,
            seed=seed(self.plan, number, len(attempts)),
            reply_tokens=prompt.reply_tokens,
            deadline=min(self.plan.sample_time, left := max(self.end - self.elapsed(), 0.0)),
            left=left,
            path=prompt.path,
            window=prompt.window,
            bucket=prompt.bucket,
            run=number,
            attempt=len(attempts) + 1,
            is_compact=prompt.contract != "issues",
        )

    def warm_up(self, prompt: Prompt) -> None:
        """Let the engine evaluate the prompt once; whatever it says is recorded and not counted."""
        with self.warming:
            if self.warm == (self.backend.loads, prompt.key):
                return
            self.report(prompt, None)
            ask = replace(self.ask(prompt, 0, ()), reply_tokens=WARMUP_TOKENS, run=0)
            attempt, failure = self.attempt(prompt, ask)
            self.sitting.save_warmup(replace(attempt, fault=""))
            if failure is None or failure.kind == "length":  # cut after its few tokens, as it should be
                self.warm = (self.backend.loads, prompt.key)

    def report(self, prompt: Prompt, run: Run | None) -> None:
        elapsed = self.elapsed()
        left = elapsed / self.done * (self.total - self.done) if self.done else None
        if left is not None:
            left = min(left, self.remaining())
        self.sitting.watch(Progress(self.done, self.total, elapsed, left, prompt, run))

    def elapsed(self) -> float:
        return self.sitting.clock() - self.start

    def remaining(self) -> float:
        """Seconds of the time budget that are left; infinite without one."""
        return self.plan.max_time - self.elapsed() if self.plan.max_time else INFINITE

    def ms_since(self, start: float) -> int:
        return round((self.sitting.clock() - start) * 1000)


def is_gone(failure: BackendFailure) -> bool:
    """Nothing listens where the engine was, which may pass: it stopped, or is being started again."""
    return failure.kind == "refused" and failure.is_transient


def seed(plan: Plan, number: int, attempt: int) -> int:
    """The seed of an attempt (0-based) of a run: its own for every run, or one for all when pinned."""
    first = plan.sampling.seed if plan.sampling.pinned else plan.sampling.seed + max(number - 1, 0)
    return (first + attempt * SEED_STEP) % 2**31
