"""A sitting: from a change, or an unfinished record, to a sealed record and its report."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

from venire.assess import assess
from venire.commands.laying import Seated, lay_out
from venire.commands.nothing import header
from venire.commands.show import report_digest, show
from venire.config import Settings
from venire.deliver import Step, Watcher, progress
from venire.errors import BackendUnavailable, Exit, Interrupted, UsageError
from venire.model import Audit, Change, ModelInfo, Prompt, Record, Run, Seat, Skipped, Target
from venire.panel import load
from venire.record import Writer, read
from venire.sample import Backend, Progress, Sitting, open_backend, sample
from venire.visible import visible


def begin(settings: Settings, change: Change) -> Exit:
    """Audit a change that has targets, and show it."""
    return present(*audited(settings, change), settings)


def audited(settings: Settings, change: Change, since: float | None = None) -> tuple[Record, Path | None]:
    """The sealed record of a change's audit, read back, and where it is: nowhere when no check applies to any changed file.

    ``since`` (of the monotonic clock) is when the time budget began; it then holds for loading the models as well, and ends
    that with BackendUnavailable. Without it the budget begins with the first sample.
    """
    panel = load([Path(path) for path in settings.criteria], settings.buckets)
    with _watching(settings) as watcher, ExitStack() as stack:
        seated = [_seat(seat, settings, watcher, stack, since) for seat in settings.seats]
        audit, targets, asked = lay_out(header(settings, change, panel), change, seated, watcher.say)
        if not asked:
            return Record(audit, (), targets, change.skipped, (), (), head="", stop="complete"), None
        if since is not None and audit.plan.max_time and time.monotonic() - since > audit.plan.max_time:
            when = f"before the first of {len(asked):,} prompts was asked"
            raise BackendUnavailable(unheard(settings.runs, settings.max_time, when), SLOW)
        infos = tuple(info for _, info, _ in seated)
        writer, record = _freeze(settings, audit, (*infos, *change.skipped, *targets, *asked))
        path = _sit(writer, record, {info.name: backend for _, info, backend in seated}, watcher, settings.parallel, since)
    return read(path), path


def resume(settings: Settings, path: Path) -> Exit:
    """Complete an unfinished record with the plan, panel and prompts it holds, by the same models; show its report."""
    _refuse_settings(settings)
    sealed = complete(settings, path)
    return present(read(sealed), sealed, settings)


def complete(settings: Settings, path: Path) -> Path:
    """The sealed record that an unfinished one becomes once its missing samples are drawn."""
    record, writer = Writer.reopen(path)
    with closing(writer), _watching(settings) as watcher, ExitStack() as stack:
        if not record.models or len(record.prompts) < record.audit.prompts:
            raise UsageError(f"{path}: the audit died before it asked anything", "start a new audit")
        first = {info.name: info for info in reversed(record.models)}
        again = replace(settings, context=record.audit.plan.context)
        backends = {}
        for seat in record.audit.seats:
            _, info, backends[seat.model] = _seat(_reachable(seat, settings, path), again, watcher, stack)
            if (info.name, info.digest) != (seat.model, first[seat.model].digest):
                message = (
                    f"{path}: sampled by {seat.model} {first[seat.model].digest[:12]}, not by {info.name} {info.digest[:12]}"
                )
                raise UsageError(message, "give the same model, or start a new audit")
        return _sit(writer, record, backends, watcher, settings.parallel)


def _refuse_settings(settings: Settings) -> None:
    """What a record was begun with cannot be changed by a flag; saying so beats ignoring it."""
    fixed = (
        "runs",
        "criteria",
        "buckets",
        "ignore",
        "scope",
        "temperature",
        "seed",
        "pinned",
        "max_time",
        "frequent",
        "contract",
    )
    given = [place for name, place in settings.origin if name in fixed and place.startswith("-")]
    if given:
        raise UsageError(
            f"{', '.join(given)} cannot go with --resume", "the record's own settings are used; leave the option out"
        )


def _seat(seat: Seat, settings: Settings, watcher: Watcher, stack: ExitStack, since: float | None = None) -> Seated:
    """The seat's model, reached, and described; the seat carries its true name from here on."""
    own = seated(settings, seat)
    backend = stack.enter_context(closing(open_backend(own, watcher.say)))
    if since is None or not own.max_time:
        info = backend.describe()
    else:
        info = _in_time(backend.describe, own, since + own.max_time - time.monotonic())
    return replace(seat, model=info.name, backend=info.backend), info, backend


def seated(settings: Settings, seat: Seat) -> Settings:
    """The settings as they are for one model."""
    return replace(settings, model=seat.model, backend=seat.backend, host=seat.host or settings.host, runs=seat.runs)


def _in_time(describe: Callable[[], ModelInfo], settings: Settings, seconds: float) -> ModelInfo:
    """What ``describe`` gives within the time that is left. A load that takes longer is left to itself and ends with us."""
    from concurrent.futures import Future, wait
    from threading import Thread

    def load(into: Future[ModelInfo]) -> None:
        try:
            into.set_result(describe())
        except BaseException as error:  # raised again where the result is asked for
            into.set_exception(error)

    if seconds <= 0:
        raise BackendUnavailable(unheard(settings.runs, settings.max_time, "while the change was read"), SLOW)
    loaded: Future[ModelInfo] = Future()
    Thread(target=load, args=(loaded,), daemon=True).start()
    if not wait([loaded], seconds).done:
        raise BackendUnavailable(unheard(settings.runs, settings.max_time, "while the model was loading"), _LOADED)
    return loaded.result()


def unheard(runs: int, seconds: float, when: str) -> str:
    """No sample at all within a time budget."""
    return f"0 of {runs} runs: the budget of {seconds:g} s ended {when}; nothing was audited"


SLOW = "give more time with --max-time SECONDS, ask fewer runs, or audit when pushing: venire hook --push"
_LOADED = "keep the model loaded (Ollama: OLLAMA_KEEP_ALIVE, or: ollama run MODEL ''), or give more time with --max-time SECONDS"


def _reachable(seat: Seat, settings: Settings, path: Path) -> Seat:
    """A recorded seat as it can be opened now: a scripted one needs its file named again."""
    if seat.backend != "scripted":
        return seat
    if not settings.backend.startswith("scripted:"):
        raise UsageError(f"{path}: was sampled by the scripted backend", "add --backend scripted:FILE")
    return replace(seat, backend=settings.backend)


def _watching(settings: Settings) -> AbstractContextManager[Watcher]:
    captured = settings.surroundings.is_captured
    return progress(is_quiet=settings.quiet, is_verbose=settings.verbose, is_captured=captured)


def _freeze(settings: Settings, audit: Audit, values: Sequence[ModelInfo | Skipped | Target | Prompt]) -> tuple[Writer, Record]:
    """Write down everything that is known before the first sample."""
    writer = Writer.create(settings.records, audit)
    writer.extend(values)
    return writer, writer.record


def _sit(
    writer: Writer, record: Record, backends: Mapping[str, Backend], watcher: Watcher, parallel: int, since: float | None = None
) -> Path:
    """Sample what is missing, seal, and return the sealed record's path. An interrupt seals nothing and loses nothing."""
    start = time.monotonic()
    earlier = sum(attempt.ms for run in record.runs for attempt in run.attempts) + sum(w.ms for w in record.warmups)
    with closing(writer):
        try:
            stop = _draw(writer, record, backends, watcher, parallel, since)
        except KeyboardInterrupt:
            remedy = f"go on with: venire audit --resume {writer.path}"
            kept = len(writer.record.runs)
            raise Interrupted(f"interrupted: {kept} sample{'' if kept == 1 else 's'} kept, nothing sealed", remedy) from None
        ms = earlier + round((time.monotonic() - start) * 1000)
        pool = assess(replace(writer.record, stop=stop, ms=ms))
        writer.seal(stop, report_digest(pool), ms)
        return writer.path


def _draw(
    writer: Writer, record: Record, backends: Mapping[str, Backend], watcher: Watcher, parallel: int, since: float | None
) -> Literal["complete", "max-time"]:
    """Model after model, each loaded once; a time budget is shared out among those still to come."""
    done = {run.key for run in record.runs}
    tally = Tally(writer)
    sitting = Sitting(writer.append, writer.append_warmup, lambda p: watcher.step(_step(tally, p)), time.monotonic)
    stops = []
    start = time.monotonic() if since is None else since
    for position, seat in enumerate(record.audit.seats):
        plan = replace(record.audit.plan, runs=record.audit.runs(seat.model))
        if plan.max_time:
            left = plan.max_time - (time.monotonic() - start)
            plan = replace(plan, max_time=max(left / (len(record.audit.seats) - position), 0.001))
        asked = [prompt for prompt in record.prompts if prompt.model == seat.model]
        stops.append(sample(asked, plan, backends[seat.model], sitting, done=done, parallel=parallel))
        writer.append(backends[seat.model].recheck())
    return "complete" if all(stop == "complete" for stop in stops) else "max-time"


def present(record: Record, path: Path | None, settings: Settings) -> Exit:
    """Show what the sealed file says, and where it is: the live report is a replay."""
    return show(record, settings, *([f"record: {path}"] if path else []))


COUNT_EVERY = 1.0  # seconds: a large file takes a while to assess, and nobody reads faster


class Tally:
    """Candidates so far. Only the file that was sampled last is assessed again, and not after every sample."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.by_path: dict[str, int] = {}
        self.counted = float("-inf")

    def count(self, path: str, *, is_last: bool) -> int:
        if not is_last and time.monotonic() - self.counted < COUNT_EVERY:
            return sum(self.by_path.values())
        record = self.writer.record
        targets = tuple(target for target in record.targets if target.path == path)
        asked = tuple(prompt for prompt in record.prompts if prompt.path == path)
        runs = tuple(run for run in record.runs if run.path == path)
        self.by_path[path] = len(assess(replace(record, targets=targets, prompts=asked, runs=runs)).candidates)
        self.counted = time.monotonic()
        return sum(self.by_path.values())


def _step(tally: Tally, at: Progress) -> Step:
    run, prompt = at.run, at.prompt
    asking = visible(f"{prompt.path} {prompt.bucket}") + (f" run {run.number}" if run else "")
    return Step(
        at.done, at.total, at.left, asking, _outcome(run) if run else "", tally.count(prompt.path, is_last=at.done == at.total)
    )


def _outcome(run: Run) -> str:
    last = run.attempts[-1]
    times = f" after {len(run.attempts)} attempts" if len(run.attempts) > 1 else ""
    return f"{run.status}{times}" + (f" ({visible(last.error or last.fault)})" if run.status == "failed" else "")
