"""The audit that a git hook makes: within a time budget, from the cache where it can, and by a stated policy where it cannot."""

import time
from dataclasses import dataclass, replace

from venire.change import Outline, Push, between, sent, staged
from venire.config import Settings
from venire.deliver import deliver, note, writable
from venire.errors import BackendUnavailable, Exit
from venire.model import Change, Source

COMMIT_TIME, PUSH_TIME = 10.0, 120.0
"""Seconds a hook takes at most, unless told otherwise: a longer wait at a commit makes people skip hooks altogether."""

COLUMNS = 79
"""What pre-commit's own lines have."""


@dataclass(frozen=True, slots=True)
class Call:
    """How the hook was called: before a push or a commit, git's name for the remote, and its lines about what is pushed."""

    is_push: bool = False
    remote: str = ""
    lines: str = ""

    @property
    def what(self) -> str:
        return "push" if self.is_push else "commit"


def hook(settings: Settings, call: Call) -> Exit:
    """Audit what is committed or pushed, and show it; where that was not possible, the policy decides.

    Raises what ``audit`` raises, but for BackendUnavailable under the policy ``warn``.
    """
    start = time.monotonic()
    settings = _own(settings, call)
    writable(settings.output)
    codes = []
    outlines = _outlines(settings, call)
    for done, outline in enumerate(outlines):
        share = _share(settings, start, len(outlines) - done)
        codes.append(_by_policy(share, outline, start, call))
    return max(codes) if codes else _nothing(settings, Source("range"), "this push sends no commits")


def skipped() -> Exit:
    """What ``VENIRE_SKIP`` asks for."""
    note("skipped, as VENIRE_SKIP says: NOTHING WAS AUDITED")
    return Exit.OK


def _own(settings: Settings, call: Call) -> Settings:
    """The settings of a hook: a time budget, and no more words than a hook may have.

    A ``max_time`` from a flag or a variable is taken as it is. One from the repository's file is meant for audits of any
    kind, so it can only make the hook's own shorter.
    """
    given = dict(settings.origin)
    limit = PUSH_TIME if call.is_push else COMMIT_TIME
    if not given.get("max_time", "").startswith(("-", "VENIRE_")):
        settings = replace(settings, max_time=min(limit, settings.max_time or limit))
    if "format" not in given:
        settings = replace(settings, format="brief")
    if settings.surroundings.is_captured:
        around = replace(settings.surroundings, columns=settings.surroundings.columns or COLUMNS)
        settings = replace(settings, surroundings=around, quiet=not settings.verbose)
    return settings


def _share(settings: Settings, start: float, left: int) -> Settings:
    """A push of several refs has one budget: each range may go on until its share of what is left is used up."""
    if left == 1 or not settings.max_time:
        return settings
    used = time.monotonic() - start
    return replace(settings, max_time=round(used + max(settings.max_time - used, 0.0) / left, 1))


def _outlines(settings: Settings, call: Call) -> tuple[Outline, ...]:
    """What is to be audited. A range that pre-commit was given comes first, also where it runs the hook of another stage."""
    around = settings.surroundings
    if around.from_ref and around.to_ref:
        return (between(settings.root, around.from_ref, around.to_ref),)
    if not call.is_push:
        return (staged(settings.root),)
    push = Push(call.remote or around.remote, around.local_branch or "HEAD", call.lines)
    return sent(settings.root, push)


def _by_policy(settings: Settings, outline: Outline, start: float, call: Call) -> Exit:
    """``fail``: what an audit does. ``warn``: say loudly what was not audited, and let git go on."""
    try:
        code = _audit(settings, outline, start)
    except BackendUnavailable as error:
        if settings.on_unavailable == "fail":
            raise
        note(f"NOTHING WAS AUDITED: {error.message}")
        if error.remedy:
            note(error.remedy)
        note(f"the {call.what} goes on unaudited; --on-unavailable fail would stop it")
        return Exit.OK
    if code is Exit.INCONCLUSIVE and settings.on_unavailable == "warn":
        note(f"NOT FULLY AUDITED, the reasons are above; the {call.what} goes on; --on-unavailable fail would stop it")
        return Exit.OK
    return code


def _audit(settings: Settings, outline: Outline, start: float) -> Exit:
    """From the cache, or asked anew and noted there when the answer is final."""
    if not outline.digest:
        return _nothing(settings, outline.source, f"nothing is {'staged' if outline.source.mode == 'staged' else 'new'}")
    from venire.commands import cached

    asked = cached.question(settings, outline)
    if not settings.no_cache and (found := cached.answered(settings, asked)):
        from venire.commands.show import show

        return show(found[1], settings)
    return _ask(settings, outline, start, asked)


def _nothing(settings: Settings, source: Source, why: str) -> Exit:
    """In one line, which loads nothing, unless another form was asked for."""
    if settings.format != "brief":
        from venire.commands.nothing import show_nothing

        return show_nothing(settings, Change(source, ()))
    deliver(f"Nothing to audit: {why}\n", settings.output)
    return Exit.OK


def _ask(settings: Settings, outline: Outline, start: float, asked: str) -> Exit:
    from venire.commands.audit import Request, changed

    change = changed(settings, Request(outline.source))
    if not change.targets:
        from venire.commands.nothing import show_nothing

        return show_nothing(settings, change)
    from venire.commands.sitting import SLOW, audited, present, unheard
    from venire.record import is_final, remember

    record, path = audited(settings, change, since=start)
    if record.prompts and record.stop == "max-time" and not record.runs:
        raise BackendUnavailable(unheard(settings.runs, settings.max_time, "before one sample was complete"), SLOW)
    if path and is_final(record) and _is_still(settings, outline):
        remember(settings.records, asked, path, record.head)
    return present(record, path, settings)


def _is_still(settings: Settings, outline: Outline) -> bool:
    """Is the index what it was when the question was put? Somebody may have staged more while the model was busy."""
    return outline.source.mode != "staged" or staged(settings.root).digest == outline.digest
