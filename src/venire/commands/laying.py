"""A change and the models that are seated → header, targets cut into windows that fit, and every prompt.

Windows are cut by bytes. Code whose tokens are very short can still be too long for a model: such a prompt is put to it before
anything is written down, and where the model refuses it, its file is cut into smaller windows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from venire.change import cut
from venire.errors import BackendFailure, UsageError
from venire.model import Ask, Audit, Change, ModelInfo, Panel, Plan, Prompt, Seat, Target
from venire.panel import prompts, window_budget
from venire.sample import Backend
from venire.visible import visible

Seated = tuple[Seat, ModelInfo, Backend]

SMALLER = 0.6  # of the bytes before
TURNS = 5  # of cutting a file again; after the last it is asked as it is, and the refusal is reported
NOTE = "cut into smaller windows: the model refused a prompt as too long"

_TOKEN = re.compile(r" ?[^\W\d_]{1,5}|\d| ?_+| ?[^\w\s]{1,2}|\s+")
"""Short pieces of text. On 156 files of the standard library they have a median of 2.7 bytes, where Qwen2.5's tokens have 3.2."""


def lay_out(
    audit: Audit, change: Change, seated: Sequence[Seated], say: Callable[[str], None]
) -> tuple[Audit, tuple[Target, ...], list[Prompt]]:
    """The header with its seats, the targets, and the prompts; none when no check applies to any changed file."""
    audit = replace(audit, seats=tuple(seat for seat, _, _ in seated))
    if len({seat.model for seat in audit.seats}) < len(audit.seats):
        raise UsageError("two entries of models are the same model", "name every model once; give it more runs instead")
    if contexts := [info.context for _, info, _ in seated if info.context]:
        audit = replace(audit, plan=replace(audit.plan, context=min(contexts)))
    panel, plan = audit.panel, audit.plan
    budget = min(window_budget(panel, plan, plan.context, seat.contract) for seat in audit.seats)
    targets = tuple(cut(_scoped(target, plan.scope), budget) for target in change.targets)
    backends = {seat.model: backend for seat, _, backend in seated}
    fitting = tuple(_fitted(target, budget, audit, backends, say) for target in targets)
    asked = prompted(fitting, panel, audit)
    return replace(audit, prompts=len(asked)), fitting, asked


def _scoped(target: Target, scope: str) -> Target:
    """With scope ``file`` every line counts as changed, so windows cover the whole file and no candidate lies outside."""
    return replace(target, changed=((1, len(target.lines)),)) if scope == "file" else target


def prompted(targets: Sequence[Target], panel: Panel, audit: Audit) -> list[Prompt]:
    """Every prompt, by target, window, bucket and model."""
    return [prompt for target in targets for prompt in _prompts(target, panel, audit)]


def _prompts(target: Target, panel: Panel, audit: Audit) -> list[Prompt]:
    """Every prompt of a target, by window, bucket and model."""
    own = [prompts(target, panel, audit.plan, seat.model, seat.contract) for seat in audit.seats]
    order = {bucket.name: position for position, bucket in enumerate(panel.buckets)}
    return sorted((p for some in own for p in some), key=lambda p: (p.window, order.get(p.bucket, 0)))


def _fitted(target: Target, budget: int, audit: Audit, backends: Mapping[str, Backend], say: Callable[[str], None]) -> Target:
    """The target, cut again until every prompt about it is one that its model takes."""
    found, plan = target, audit.plan
    for _ in range(TURNS):
        risky = [prompt for prompt in _prompts(found, audit.panel, audit) if is_dense(prompt, plan)]
        if not any(_is_refused(prompt, plan, backends[prompt.model]) for prompt in risky):
            return found
        budget = round(budget * SMALLER)
        say(f"{visible(target.path)}: {NOTE}")
        found = replace(cut(target, budget), notes=(*target.notes, NOTE))
    return found


def is_dense(prompt: Prompt, plan: Plan) -> bool:
    """Whether the prompt may not fit the context, should its text fall into short tokens."""
    text = prompt.system + prompt.user
    wide = sum(max(len(char.encode("utf-8", "replace")) - 1, 0) for char in text if char > "\x7f")
    return len(_TOKEN.findall(text)) + wide + prompt.reply_tokens > plan.context


def _is_refused(prompt: Prompt, plan: Plan, backend: Backend) -> bool:
    """Whether the model finds the prompt, with room for its reply, too long. Every other failure is for the audit to meet."""
    ask = Ask(
        messages=(("system", prompt.system), ("user", prompt.user)),
        schema=prompt.schema,
        sampling=plan.sampling,
        seed=plan.sampling.seed,
        reply_tokens=1,
        deadline=plan.sample_time,
        path=prompt.path,
        window=prompt.window,
        bucket=prompt.bucket,
    )
    try:
        reply = backend.reply(ask)
    except BackendFailure as failure:
        return failure.kind == "context"
    return bool(reply.prompt_tokens) and reply.prompt_tokens + prompt.reply_tokens > plan.context
