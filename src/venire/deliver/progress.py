"""Steps of an audit → a live line on a terminal, plain lines elsewhere. On standard error only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from venire.deliver.stream import note
from venire.visible import visible

if TYPE_CHECKING:
    from rich.progress import Progress


@dataclass(frozen=True, slots=True)
class Step:
    """What there is to say: samples done and planned, seconds left where known, what is being asked, candidates so far."""

    done: int
    total: int
    left: float | None
    asking: str
    outcome: str
    candidates: int


class Watcher(Protocol):
    def step(self, step: Step) -> None:
        """A sample began or ended."""

    def say(self, message: str) -> None:
        """Something outside sampling takes time: a model loads, a lock is waited for."""


@contextmanager
def progress(*, is_quiet: bool, is_verbose: bool, is_captured: bool) -> Iterator[Watcher]:
    """The watcher that suits standard error, for the time of an audit."""
    if is_quiet:
        yield Silent()
    elif sys.stderr.isatty() and not is_captured:
        with _live() as live:
            yield live
    else:
        yield Plain(is_verbose=is_verbose)


class Silent:
    def step(self, step: Step) -> None:
        pass

    def say(self, message: str) -> None:
        pass


class Plain:
    """One line a finished sample; with ``is_verbose`` one when it begins as well."""

    def __init__(self, *, is_verbose: bool) -> None:
        self.is_verbose = is_verbose

    def step(self, step: Step) -> None:
        if step.outcome or self.is_verbose:
            note(sentence(step))

    def say(self, message: str) -> None:
        note(message)


def sentence(step: Step) -> str:
    """``3/12 app.py security run 3: valid; about 40 s left; 4 candidates so far``."""
    parts = [f"{step.done}/{step.total} {step.asking}" + (f": {step.outcome}" if step.outcome else "")]
    if step.left is not None and step.done < step.total:
        parts.append(f"about {duration(step.left)} left")
    parts.append(f"{step.candidates} candidate{'' if step.candidates == 1 else 's'} so far")
    return "; ".join(parts)


def duration(seconds: float) -> str:
    """Whole seconds below two minutes, else minutes."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


@contextmanager
def _live() -> Iterator["Live"]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}", markup=False)
    columns = (SpinnerColumn(), BarColumn(bar_width=20), text, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        yield Live(bar)


class Live:
    """rich's progress bar, whose clock runs on while a long sample is drawn."""

    def __init__(self, bar: "Progress") -> None:
        self.bar = bar
        self.task = bar.add_task("starting", total=None)

    def step(self, step: Step) -> None:
        self.bar.update(self.task, total=step.total, completed=step.done, description=visible(sentence(step)))

    def say(self, message: str) -> None:
        self.bar.update(self.task, description=visible(message))
