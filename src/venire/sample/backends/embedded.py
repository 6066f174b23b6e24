"""The small model without a server: llama.cpp in a child process, through xllamacpp. An ask in, a reply or a failure out.

A child that dies or overruns costs one sample; the next reply starts it again. One audit at a time uses the machine: two engines
on the same cores slow each other by far more than two times.
"""

import importlib.util
import os
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from venire.errors import BackendFailure, BackendUnavailable
from venire.model import Ask, ModelInfo, Plan, Reply
from venire.sample.backends.embedded_process import Child
from venire.sample.backends.embedded_wire import options, read_reply
from venire.sample.weights import PINNED, Progress, Weights, verify_file

if TYPE_CHECKING:
    from filelock import BaseFileLock

Json = dict[str, Any]

LOAD_TIME = 600.0  # seconds; the file may come from a slow disk


class Embedded:
    """One pinned model on this machine. ``lock`` is the file by which audits wait for each other; ``threads`` 0: all cores."""

    def __init__(
        self,
        *,
        weights: Path,
        plan: Plan,
        threads: int = 0,
        progress: Callable[[str], None] | None = None,
        lock: Path,
        model: Weights = PINNED,
    ) -> None:
        self.weights, self.plan, self.lock, self.model = weights, plan, lock, model
        self.threads = threads or os.cpu_count() or 1
        self.progress = progress or (lambda text: None)
        self._child: Child | None = None
        self._held: BaseFileLock | None = None
        self._info: ModelInfo | None = None
        self._loads = 0

    @property
    def width(self) -> int:
        """One slot: on few cores more of them do not pay, and the prompt cache is one."""
        return 1

    @property
    def loads(self) -> int:
        """Model loads so far. The load that a dead child makes due counts at once, so that a warm-up can come before it."""
        return self._loads + (self._loads > 0 and not self._is_up())

    def describe(self) -> ModelInfo:
        """Checks engine and file, waits for its turn, loads the model. Raises BackendUnavailable."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise BackendUnavailable(
                "the embedded model needs xllamacpp, which is not installed", 'pip install "venire[embedded]"'
            )
        digest = verify_file(self.weights, in_steps(self.progress), self.model)
        self._take_turn()
        try:
            facts = self._load()
        except BackendFailure as failure:
            self.close()
            raise BackendUnavailable(f"the embedded model could not be loaded: {failure}", remedy="venire doctor") from failure
        self._info = self._stated(facts, digest)
        return self._info

    def recheck(self) -> ModelInfo:
        """The facts once more, from the engine where it is up, else as it last stated them."""
        if self._info is None:
            return self.describe()
        if self._child is not None and self._is_up():
            with suppress(BackendFailure):  # a child that dies now changes nothing about the samples it gave
                self._info = self._stated(self._child.ask({"do": "facts"}, LOAD_TIME), self._info.digest)
        return self._info

    def reply(self, ask: Ask) -> Reply:
        """One sample. Loading a model that died is not counted against the deadline. Raises BackendFailure."""
        start, before = time.monotonic(), self._loads
        child = self._up()
        load_ms = round((time.monotonic() - start) * 1000) if self._loads > before else 0
        request = {"do": "complete", "messages": ask.messages, "options": options(ask)}
        answer = child.ask(request, ask.deadline)
        return read_reply(answer, ask, load_ms)

    def close(self) -> None:
        """Ends the child and gives the machine free."""
        if self._child is not None:
            self._child.end()
            self._child = None
        if self._held is not None:
            self._held.release()
            self._held = None

    def _is_up(self) -> bool:
        return self._child is not None and self._child.process.poll() is None

    def _up(self) -> Child:
        if self._info is None:
            self.describe()
        elif not self._is_up():
            self._load()
        assert self._child is not None  # noqa: S101 - both ways set it or raise
        return self._child

    def _take_turn(self) -> None:
        import filelock

        if self._held is None:
            self.lock.parent.mkdir(parents=True, exist_ok=True)
            held = filelock.FileLock(self.lock, thread_local=False)
            try:
                held.acquire(timeout=0)
            except filelock.Timeout:
                self.progress("waiting for another audit")
                held.acquire()
            self._held = held

    def _load(self) -> Json:
        """Starts a child and has it load the model; its facts. Raises BackendFailure."""
        if self._child is not None:
            self._child.end()
        self.progress(f"loading {self.model.name} ({self.model.size / 1e9:.1f} GB)")
        try:
            self._child = Child()
        except OSError as error:
            raise BackendFailure("crashed", f"the model's process cannot be started: {error}") from error
        request = {
            "do": "load",
            "name": self.model.name,
            "path": str(self.weights),
            "context": self.plan.context,
            "threads": self.threads,
        }
        try:
            facts = self._child.ask(request, LOAD_TIME)
        except BackendFailure as failure:
            # The engine logs on a thread of its own: its reason may come after its answer.
            raise BackendFailure(failure.kind, f"{failure.message}; {self._child.leave()}") from failure
        self._loads += 1
        return facts

    def _stated(self, facts: Json, digest: str) -> ModelInfo:
        meta, context = facts["meta"], facts["context"]
        warnings = () if context == self.plan.context else (f"context of {self.plan.context} tokens asked, {context} granted",)
        return ModelInfo(
            backend="embedded",
            name=self.model.name,
            engine=f"xllamacpp {version('xllamacpp')}",
            digest=digest,
            quantization=meta.get("ftype", ""),
            parameters=f"{meta['n_params'] / 1e9:.2f}B" if meta.get("n_params") else "",
            context=context,
            gpu_share=0.0 if facts["is_cpu"] else None,
            warnings=warnings,
        )


def in_steps(progress: Callable[[str], None]) -> Progress:
    """A progress of bytes that says a line at every tenth."""
    last = -1

    def step(phase: str, done: int, total: int) -> None:
        nonlocal last
        tenth = done * 10 // max(total, 1)
        if tenth != last:
            last = tenth
            progress(f"{phase}: {tenth * 10} %")

    return step
