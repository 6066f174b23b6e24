"""Readings → votes, scores and failures. The denominator never moves: every check gets one vote a run, heard or not.

A run that gave no valid verdict on a check casts a synthesized ``no_vote``. It counts against the check in the score, is
shown as what it is, and never makes a finding. A claim on ``other`` makes a finding but fails no check.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from venire.assess.labels import Labels
from venire.assess.replies import Reading
from venire.model import Check, Failure, Prompt, Score, Vote
from venire.panel import expected

Outcome = Literal["pass", "fail", "no_vote"]


def cast(prompts: Iterable[Prompt], heard: Iterable[Reading], labels: Labels, runs: Callable[[Prompt], int]) -> tuple[Vote, ...]:
    """One vote for each prompt, check asked in it, and run that it should have, whether or not the run took place."""
    said = {reading.run.key: reading for reading in heard}
    return tuple(
        _vote(prompt, check, number, said.get((*prompt.key, number)))
        for prompt in prompts
        for check in asked(prompt, labels)
        for number in range(1, runs(prompt) + 1)
    )


def asked(prompt: Prompt, labels: Labels) -> tuple[Check, ...]:
    """The checks of the prompt's bucket that a reply may name, in panel order; ``other`` is none of them."""
    return tuple(labels.checks[prompt.bucket, name] for name in expected(prompt))


def tally(votes: Iterable[Vote], labels: Labels) -> tuple[Score, ...]:
    """The votes of each check on each window, ordered by path, window and panel."""
    counts = Counter(((vote.path, vote.window, vote.bucket, vote.check), vote.outcome) for vote in votes)
    keys = sorted({key for key, _ in counts}, key=lambda key: (key[0], key[1], labels.rank[key[2], key[3]]))
    return tuple(
        Score(*key, labels.checks[key[2], key[3]].content, counts[key, "pass"], counts[key, "fail"], counts[key, "no_vote"])
        for key in keys
    )


def failures(heard: Iterable[Reading]) -> tuple[Failure, ...]:
    """One for each run that gave no valid reply; the last fault is the reason."""
    return tuple(
        Failure(*reading.run.key, attempts=len(reading.run.attempts), reason=reading.fault)
        for reading in heard
        if not reading.is_valid
    )


def _vote(prompt: Prompt, check: Check, number: int, reading: Reading | None) -> Vote:
    verdict = dict(reading.verdicts).get(check.id) if reading else None
    outcome: Outcome = "no_vote" if verdict is None else "pass" if verdict else "fail"
    source: Literal["observed", "synthesized"] = "synthesized" if verdict is None else "observed"
    return Vote(prompt.path, prompt.window, prompt.model, prompt.bucket, check.id, number, outcome, source)
