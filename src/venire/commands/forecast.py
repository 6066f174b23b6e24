"""The change at hand and a model's speed → how long an audit of it would take, in words. Nothing is asked of the model."""

from pathlib import Path

from venire.change import collect, cut
from venire.config import Settings
from venire.model import ModelInfo, Panel, Prompt, Seat, Source
from venire.panel import expected, load, prompts, window_budget
from venire.sample.examine import EXPECTED, Speed, Work, seconds, tokens


def forecast(settings: Settings, seat: Seat, info: ModelInfo, speed: Speed) -> str:
    """What auditing the working tree would take by this model. VenireError when git or the panel cannot give the prompts."""
    if not (settings.root / ".git").exists():
        return "none: there is no repository here, so no change to count"
    panel = load([Path(path) for path in settings.criteria], settings.buckets)
    asked = _asked(settings, seat, info, panel)
    if not asked:
        return "none: the working tree holds no change to audit"
    return worded(_work(asked, seat), speed, seat.contract)


def worded(work: Work, speed: Speed, contract: str) -> str:
    """The time, what it is made of, and what was assumed."""
    usual = f"{EXPECTED[contract]} tokens a {'verdict' if contract == 'panel' else 'reply'}"
    size = f"{work.prompts:,} prompts of {tokens(work, speed):,} tokens together, {work.runs:,} samples of each"
    time = duration(seconds(work, speed))
    return f"about {time} for the working tree: {size}; assumes {usual}, no reply refused, one sample at a time"


def duration(seconds: float) -> str:
    """In the largest unit that still says something."""
    if seconds < 1:
        return "a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _asked(settings: Settings, seat: Seat, info: ModelInfo, panel: Panel) -> list[Prompt]:
    change = collect(Source("worktree"), settings.root, ignore=settings.ignore)
    context = info.context or settings.context
    budget = window_budget(panel, settings.plan, context, seat.contract)
    return [
        prompt
        for target in change.targets
        for prompt in prompts(cut(target, budget), panel, settings.plan, info.name, seat.contract)
    ]


def _work(asked: list[Prompt], seat: Seat) -> Work:
    checks = sum(len(expected(prompt)) for prompt in asked)
    return Work(
        prompts=len(asked),
        text=sum(len(prompt.system.encode()) + len(prompt.user.encode()) for prompt in asked),
        runs=seat.runs,
        reply_tokens=EXPECTED[seat.contract] * (checks if seat.contract == "panel" else len(asked)),
    )
