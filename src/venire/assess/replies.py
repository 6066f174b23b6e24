"""Recorded runs → what each of them validly said. The texts are parsed again; what the sampler thought is not trusted."""

from dataclasses import dataclass

from venire.model import Attempt, Claim, Prompt, Record, Run, RunId
from venire.panel import answer


@dataclass(frozen=True, slots=True)
class Reading:
    """A run, its claims, and its verdict on each check it judged. ``fault`` is empty when it judged all of them.

    ``canaries``: whether those at head and tail were reported, None where there were none.
    ``reasons``: why a check (id, sentence) fails where no line is to blame.
    """

    run: Run
    claims: tuple[Claim, ...] = ()
    fault: str = ""
    verdicts: tuple[tuple[str, bool], ...] = ()
    canaries: tuple[bool, bool] | None = None
    reasons: tuple[tuple[str, str], ...] = ()

    @property
    def is_valid(self) -> bool:
        return not self.fault

    @property
    def voter(self) -> RunId:
        return self.run.model, self.run.number


def readings(record: Record) -> tuple[Reading, ...]:
    """One reading a run, ordered by the run's key, so that the order of the record does not matter."""
    prompts = {prompt.key: prompt for prompt in record.prompts}
    runs = sorted(record.runs, key=lambda run: run.key)
    return tuple(read(run, prompts[run.prompt]) for run in runs)


def read(run: Run, prompt: Prompt) -> Reading:
    """What a run's attempts say together, as its contract has it. A reply that did not end by itself says nothing."""
    if not run.attempts:
        return Reading(run, fault="no reply was asked for")
    said = answer([_text(attempt) for attempt in run.attempts], prompt)
    fault = "" if said.is_complete else _unsaid(run.attempts[-1]) or said.fault
    return Reading(run, said.claims, fault, said.verdicts, said.canaries, said.reasons)


def _text(attempt: Attempt) -> str:
    return "" if attempt.error or attempt.done != "stop" else attempt.text


def _unsaid(last: Attempt) -> str:
    """Why the last attempt gave no reply to judge."""
    if last.error or last.done == "stop":
        return last.error
    return last.fault or f"the reply did not end by itself ({last.done or 'no reason given'})"
