"""The record so far. Writer and readers pass every stored line through ``Book.take``, so there is one rule for both."""

import re

from venire.model import Attempt, Audit, ModelInfo, Prompt, PromptKey, Record, Run, RunKey, Seal, Skipped, Target
from venire.record.chain import Chain, Stored, compose, parse
from venire.record.codec import Value, digest, from_body, kind_of, to_body

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")


class Book:
    """Takes the lines of one record in order and refuses the first that cannot stand where it stands."""

    def __init__(self) -> None:
        self.audit: Audit | None = None
        self.seal: Seal | None = None
        self._chain: Chain | None = None
        self._models: list[ModelInfo] = []
        self._targets: dict[str, Target] = {}
        self._skipped: list[Skipped] = []
        self._prompts: dict[PromptKey, Prompt] = {}
        self._runs: dict[RunKey, Run] = {}
        self._warmups: list[Attempt] = []

    @property
    def count(self) -> int:
        """Entries before the seal."""
        lines = self._chain.count if self._chain else 0
        return lines - 1 if self.seal else lines

    @property
    def head(self) -> str:
        """The chain head over everything before the seal, empty before the first entry."""
        if self.seal:
            return self.seal.head
        return self._chain.head if self._chain else ""

    def record(self) -> Record:
        """Everything taken so far. ValueError before the first entry."""
        return Record(
            audit=self._header(),
            models=tuple(self._models),
            targets=tuple(self._targets.values()),
            skipped=tuple(self._skipped),
            prompts=tuple(self._prompts.values()),
            runs=tuple(self._ordered()),
            head=self.head,
            warmups=tuple(self._warmups),
            stop=self.seal.stop if self.seal else None,
            ms=self.seal.ms if self.seal else 0,
            report=self.seal.report if self.seal else "",
        )

    def _ordered(self) -> list[Run]:
        """The runs by prompt and number, whichever ended first."""
        order = {key: position for position, key in enumerate(self._prompts)}
        return sorted(self._runs.values(), key=lambda run: (order[run.prompt], run.number))

    def line(self, value: Value) -> bytes:
        """The stored line, without line end, that would put this value next."""
        chain = self._chain or _open(value)
        return compose(Stored(chain.count, kind_of(value), chain.head, to_body(value)))

    def take(self, line: bytes) -> None:
        """Check one stored line in every way and add it. ValueError says what is wrong; nothing is added then."""
        entry = parse(line)
        value = from_body(entry.kind, entry.body)
        chain = self._chain or _open(value)
        if self.seal:
            raise ValueError("the seal ends a record, and something follows it")
        chain.check(entry)
        self._add(value, chain)
        chain.advance(line)
        self._chain = chain

    def _add(self, value: Value, chain: Chain) -> None:
        match value:
            case Audit():
                self._add_audit(value)
            case ModelInfo():
                self._models.append(value)
            case Target():
                self._add_target(value)
            case Skipped():
                self._skipped.append(value)
            case Prompt():
                self._add_prompt(value)
            case Attempt():
                _check_reply(value)
                self._warmups.append(value)
            case Run():
                self._add_run(value)
            case Seal():
                self._add_seal(value, chain)

    def _add_audit(self, audit: Audit) -> None:
        if self.audit:
            raise ValueError("a record has one header")
        self.audit = audit

    def _add_target(self, target: Target) -> None:
        if self._prompts:
            raise ValueError("a target stands after the first prompt")
        if target.path in self._targets:
            raise ValueError(f"the target {target.path!r} is there twice")
        self._targets[target.path] = target

    def _add_prompt(self, prompt: Prompt) -> None:
        target = self._targets.get(prompt.path)
        if target is None or all(window.index != prompt.window for window in target.windows):
            raise ValueError(f"a prompt about {prompt.path!r}, window {prompt.window}, which no target has")
        if all(bucket.name != prompt.bucket for bucket in self._header().panel.buckets):
            raise ValueError(f"a prompt of the bucket {prompt.bucket!r}, which the panel does not have")
        if prompt.key in self._prompts:
            raise ValueError(f"the prompt {prompt.key} is there twice")
        self._prompts[prompt.key] = prompt

    def _add_run(self, run: Run) -> None:
        if run.prompt not in self._prompts:
            raise ValueError(f"a run of the prompt {run.prompt}, which is not there")
        runs = self._header().runs(run.model)
        if not 1 <= run.number <= runs:
            raise ValueError(f"run {run.number} of {runs} runs")
        if run.key in self._runs:
            raise ValueError(f"the run {run.key} is there twice")
        last = run.attempts[-1] if run.attempts else None
        # A run of the panel contract can be complete by what its earlier attempts said.
        needs_last = self._prompts[run.prompt].contract == "findings"
        if run.status == "valid" and (last is None or (needs_last and (last.error or last.fault))):
            raise ValueError("a valid run whose last attempt is not valid")
        for attempt in run.attempts:
            _check_reply(attempt)
        self._runs[run.key] = run

    def _add_seal(self, seal: Seal, chain: Chain) -> None:
        if seal.count != chain.count:
            raise ValueError(f"the seal counts {seal.count} entries, there are {chain.count}")
        if len(self._prompts) < self._header().prompts:
            raise ValueError(f"the seal comes after {len(self._prompts)} of {self._header().prompts} prompts")
        if seal.head != chain.head:
            raise ValueError("the seal names another head")
        self.seal = seal

    def _header(self) -> Audit:
        if self.audit is None:
            raise ValueError("there is no header")
        return self.audit


def _open(value: Value) -> Chain:
    """The chain that a first entry opens."""
    if not isinstance(value, Audit):
        raise ValueError("a record begins with its header")
    if not _ID.fullmatch(value.id):
        raise ValueError("the id of an audit is up to 64 letters, digits, - and _")
    return Chain(value.id)


def _check_reply(attempt: Attempt) -> None:
    if attempt.sha256 != digest(attempt.raw):
        raise ValueError("the digest of a reply is not that of its raw body")
