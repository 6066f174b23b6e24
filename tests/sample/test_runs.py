"""Samples are drawn back to back, asked again on a fault, thinned by a budget, and saved one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.errors import BackendFailure
from venire.model import (
    Ask,
    Attempt,
    Bucket,
    Check,
    ModelInfo,
    Panel,
    Plan,
    Prompt,
    Reply,
    Run,
    Sampling,
    Severity,
    Target,
    Window,
)
from venire.panel import prompts
from venire.sample import Progress, Sitting, sample
from venire.sample.runs import PATIENCE

NOTHING = '{"findings":[]}'


@dataclass
class Played:
    """A backend that plays a list of replies or failures, then silence; every ask takes ``cost`` seconds of its own clock."""

    replies: list[str | BackendFailure] = field(default_factory=list)
    cost: float = 1.0
    loads: int = 1
    width: int = 1
    now: float = 0.0
    asks: list[Ask] = field(default_factory=list)
    gone: tuple[float, float] = (0.0, 0.0)  # from when to when nothing listens

    def describe(self) -> ModelInfo:
        return ModelInfo("played", "m")

    recheck = describe

    def reply(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        if self.gone[0] <= self.now < self.gone[1]:
            raise BackendFailure("refused", "connection refused", is_transient=True)
        self.now += min(self.cost, ask.deadline)
        if self.gone[0] <= self.now < self.gone[1]:
            raise BackendFailure("transport", "the connection broke", is_transient=True)
        if self.cost > ask.deadline:
            raise BackendFailure("timeout", "too slow")
        if ask.run == 0:
            return Reply("", "")
        given = self.replies.pop(0) if self.replies else NOTHING
        if isinstance(given, BackendFailure):
            raise given
        return Reply(given, given, prompt_tokens=10, reply_tokens=3)

    def close(self) -> None:
        pass


@dataclass
class Kept:
    runs: list[Run] = field(default_factory=list)
    warmups: list[Attempt] = field(default_factory=list)
    steps: list[Progress] = field(default_factory=list)


def asked(names: Sequence[str] = ("a.py",), buckets: Sequence[str] = ("security", "correctness")) -> list[Prompt]:
    panel = Panel(tuple(Bucket(b, (Check(b, "check_1", "0" * 12, f"{b} holds.", Severity.LOW, b),)) for b in buckets))
    targets = [Target(n, "0" * 64, "x = 1\ny = 2\n", "python", ((1, 2),), (Window(0, ((1, 2),)),)) for n in names]
    return [p for t in targets for p in prompts(t, panel, Plan(), "m")]


def draw(
    backend: Played, plan: Plan, some: Sequence[Prompt], done: Sequence[tuple[str, int, str, str, int]] = ()
) -> tuple[Kept, str]:
    kept = Kept()

    def sleep(seconds: float) -> None:
        backend.now += seconds

    sitting = Sitting(kept.runs.append, kept.warmups.append, kept.steps.append, lambda: backend.now, sleep)
    return kept, sample(some, plan, backend, sitting, done=done)


def test_a_server_that_is_started_again_is_waited_for_and_costs_no_sample() -> None:
    """Its connections break, then it refuses them for a while: without patience all samples left would fail in that time."""
    backend = Played(gone=(3.5, 20.0))
    kept, stop = draw(backend, Plan(runs=3), asked(("a.py", "b.py")))
    assert (stop, len(kept.runs), {run.status for run in kept.runs}) == ("complete", 12, {"valid"})
    broken = [run for run in kept.runs if len(run.attempts) > 1]
    assert [attempt.error.partition(":")[0] for attempt in broken[0].attempts] == ["transport", "refused", ""]
    assert len(broken) == 1
    back = next(place for place, ask in enumerate(backend.asks) if place > 4 and ask.run)
    assert backend.asks[back - 1].run == 0, "what comes back is warmed up before a sample counts"


def test_a_server_that_stays_away_is_waited_for_once_and_not_for_each_sample() -> None:
    backend = Played(gone=(3.5, float("inf")))
    kept, stop = draw(backend, Plan(runs=3), asked(("a.py", "b.py")))
    assert (stop, [run.status for run in kept.runs]) == ("complete", ["valid"] * 2 + ["failed"] * 10)
    assert backend.now < 3.5 + 1 + PATIENCE + 1


def test_no_server_is_waited_for_beyond_the_time_budget() -> None:
    backend = Played(gone=(3.5, float("inf")))
    draw(backend, Plan(runs=3, max_time=10.0), asked(("a.py", "b.py")))
    assert backend.now <= 10.0


def test_samples_of_one_prompt_are_drawn_back_to_back() -> None:
    some = asked(("a.py", "b.py"))
    kept, stop = draw(Played(), Plan(runs=3), some)
    assert stop == "complete"
    assert [r.key for r in kept.runs] == [(*p.key, n) for p in some for n in (1, 2, 3)]
    assert {r.status for r in kept.runs} == {"valid"}


def test_every_prompt_is_opened_by_one_discarded_warm_up() -> None:
    backend = Played()
    kept, _ = draw(backend, Plan(runs=3), asked())
    assert [a.run for a in backend.asks] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert len(kept.warmups) == 2
    assert backend.asks[0].messages == backend.asks[1].messages


def test_a_model_that_was_loaded_again_is_warmed_up_again() -> None:
    class Reloaded(Played):
        def reply(self, ask: Ask) -> Reply:
            reply = super().reply(ask)
            self.loads = 2 if ask.run >= 2 else 1
            return reply

    backend = Reloaded()
    draw(backend, Plan(runs=3), asked(buckets=("security",)))
    assert [a.run for a in backend.asks] == [0, 1, 2, 0, 3]


def test_a_crashed_engine_is_warmed_up_before_the_sample_is_drawn_again() -> None:
    class Crashing(Played):
        def reply(self, ask: Ask) -> Reply:
            if ask.run == 2 and self.loads == 1:
                self.asks.append(ask)
                self.loads = 2
                raise BackendFailure("crashed", "gone", is_transient=True)
            return super().reply(ask)

    backend = Crashing()
    kept, _ = draw(backend, Plan(runs=2), asked(buckets=("security",)))
    assert [a.run for a in backend.asks] == [0, 1, 2, 0, 2]
    assert [(r.status, len(r.attempts)) for r in kept.runs] == [("valid", 1), ("valid", 2)]


def test_each_run_has_its_own_seed_and_a_pinned_one_the_same() -> None:
    backend = Played()
    draw(backend, Plan(runs=3, sampling=Sampling(seed=40)), asked(buckets=("security",)))
    assert [a.seed for a in backend.asks if a.run] == [40, 41, 42]
    backend = Played()
    draw(backend, Plan(runs=3, sampling=Sampling(0.0, 1, 1.0, 40, pinned=True)), asked(buckets=("security",)))
    assert [a.seed for a in backend.asks if a.run] == [40, 40, 40]


def test_a_bad_reply_is_asked_again_with_the_exact_fault_and_every_attempt_is_kept() -> None:
    backend = Played(["prose", '{"findings":[', NOTHING])
    kept, _ = draw(backend, Plan(runs=1), asked(buckets=("security",)))
    (run,) = kept.runs
    assert (run.status, [a.text for a in run.attempts]) == ("valid", ["prose", '{"findings":[', NOTHING])
    assert run.attempts[0].fault
    assert run.attempts[2].fault == ""
    second = backend.asks[2].messages
    assert second[:2] == backend.asks[1].messages
    assert second[2] == ("assistant", "prose")
    assert run.attempts[0].fault in second[3][1]
    assert len(backend.asks[3].messages) == 4  # only the last refused reply goes back
    assert len({a.seed for a in run.attempts}) == 3


def test_four_bad_replies_make_a_failed_run_and_the_next_run_starts_afresh() -> None:
    kept, stop = draw(Played(["no"] * 4), Plan(runs=2), asked(buckets=("security",)))
    assert [(r.status, len(r.attempts)) for r in kept.runs] == [("failed", 4), ("valid", 1)]
    assert stop == "complete"


def test_a_passing_failure_is_tried_once_more_and_a_lasting_one_is_not() -> None:
    passing, lasting = BackendFailure("transport", "reset", is_transient=True), BackendFailure("length", "too long", raw="half")
    kept, _ = draw(Played([passing, NOTHING, passing, passing, lasting]), Plan(runs=4), asked(buckets=("security",)))
    assert [(r.status, len(r.attempts)) for r in kept.runs] == [("valid", 2), ("failed", 2), ("failed", 1), ("valid", 1)]
    assert kept.runs[2].attempts[0].error == "length: too long"
    assert kept.runs[2].attempts[0].raw == "half"


def test_a_sample_has_a_deadline_of_its_own() -> None:
    kept, _ = draw(Played(cost=9.0), Plan(runs=2, sample_time=5.0), asked(buckets=("security",)))
    assert [(r.status, len(r.attempts)) for r in kept.runs] == [("failed", 1)] * 2
    assert kept.runs[0].attempts[0].error == "timeout: too slow"


def test_a_budget_thins_every_prompt_instead_of_leaving_some_without_runs() -> None:
    some = asked(("a.py", "b.py"))
    kept, stop = draw(Played(), Plan(runs=5, max_time=16.0), some)
    assert stop == "max-time"
    numbers = {p.key: [r.number for r in kept.runs if r.prompt == p.key and r.status == "valid"] for p in some}
    assert set(map(tuple, numbers.values())) == {(1, 2, 3)}


def test_a_sample_that_the_budget_cuts_counts_as_never_drawn() -> None:
    kept, stop = draw(Played(cost=4.0), Plan(runs=3, max_time=10.0), asked(buckets=("security",)))
    assert (stop, [r.number for r in kept.runs]) == ("max-time", [1])


def test_the_first_sample_of_a_prompt_may_use_more_than_its_share() -> None:
    some = asked(("a.py", "b.py"))
    kept, stop = draw(Played(cost=3.0), Plan(runs=5, max_time=24.0), some)
    assert (stop, [r.key for r in kept.runs]) == ("max-time", [(*p.key, 1) for p in some])


def test_a_resumed_audit_draws_only_what_is_missing() -> None:
    some = asked()
    full, _ = draw(Played(), Plan(runs=3), some)
    for cut in range(len(full.runs) + 1):
        rest, stop = draw(Played(), Plan(runs=3), some, done=[r.key for r in full.runs[:cut]])
        assert stop == "complete"
        assert [r.key for r in [*full.runs[:cut], *rest.runs]] == [r.key for r in full.runs]
        assert [replace(a, ms=0) for r in rest.runs for a in r.attempts] == [
            replace(a, ms=0) for r in full.runs[cut:] for a in r.attempts
        ]


def test_progress_tells_done_total_and_time_left() -> None:
    kept, _ = draw(Played(), Plan(runs=2), asked())
    finished = [s for s in kept.steps if s.run]
    assert [(s.done, s.total) for s in finished] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert kept.steps[0].left is None
    assert finished[-1].left == 0


@given(st.lists(st.sampled_from(["no", NOTHING, "passing", "lasting"]), max_size=24), st.integers(1, 4))
def test_every_run_of_every_prompt_is_saved_exactly_once_whatever_happens(script: list[str], runs: int) -> None:
    failures = {"passing": BackendFailure("status", "busy", is_transient=True), "lasting": BackendFailure("crashed", "gone")}
    some = asked()
    kept, stop = draw(Played([failures.get(word, word) for word in script]), Plan(runs=runs), some)
    assert stop == "complete"
    assert [r.key for r in kept.runs] == [(*p.key, n) for p in some for n in range(1, runs + 1)]
    for run in kept.runs:
        assert 1 <= len(run.attempts) <= 4
        assert (run.status == "valid") == (not run.attempts[-1].error and not run.attempts[-1].fault)
        assert all(a.error or a.fault for a in run.attempts[:-1])


def test_an_interrupt_goes_up_with_everything_saved_so_far() -> None:
    class Interrupted(Played):
        def reply(self, ask: Ask) -> Reply:
            if ask.run == 2:
                raise KeyboardInterrupt
            return super().reply(ask)

    kept = Kept()
    backend = Interrupted()
    sitting = Sitting(kept.runs.append, kept.warmups.append, kept.steps.append, lambda: backend.now)
    with pytest.raises(KeyboardInterrupt):
        sample(asked(), Plan(runs=3), backend, sitting)
    assert [r.number for r in kept.runs] == [1]
