"""An assessed record → a delivered report and an exit code. What audit, replay and resume have in common."""

import hashlib

from venire.commands.judge import judged
from venire.config import Settings
from venire.deliver import deliver, note, paper
from venire.errors import Exit
from venire.model import Pool, Record
from venire.report import headline, render

EXITS = {
    "complete": Exit.OK,
    "partial": Exit.OK,
    "nothing": Exit.OK,
    "inconclusive": Exit.INCONCLUSIVE,
    "unfinished": Exit.INCONCLUSIVE,
}


def show(record: Record, settings: Settings, *remarks: str) -> Exit:
    """Assess, lay over what people and analysers say, render in the form asked for, deliver, and say the remarks.

    The exit code: 1 when the gate is reached, else what the audit is worth. Its reason is the last line.
    """
    pool, told = judged(record, settings)
    around = settings.surroundings
    width, color = paper(
        columns=around.columns, no_color=around.no_color, force_color=around.force_color, is_captured=around.is_captured
    )
    text = render(pool, settings.format, width=width, color=color and not settings.output)
    deliver(text, settings.output)
    code = Exit.GATE if pool.gate and pool.gate.is_reached else EXITS[pool.status]
    for remark in (*told, *remarks, *_reason(pool, code)):
        note(remark)
    return code


def _reason(pool: Pool, code: Exit) -> tuple[str, ...]:
    """Why the code is not 0; or that it is 0 only as far as the audit went."""
    if code is Exit.GATE and pool.gate:
        first, *others = pool.gate.reasons
        more = f" (and {len(others)} more, in the report)" if others else ""
        return (f"gate {pool.gate.policy} reached: {first}{more}",)
    if code is Exit.OK:
        is_whole = pool.gate is None or pool.status in ("complete", "nothing")
        return () if is_whole else (f"the gate is not reached by what was heard; the audit is {pool.status}",)
    unmet = f"; gate {pool.gate.policy} is neither reached nor passed" if pool.gate else ""
    return (f"exit code {int(code)}: {headline(pool)}{unmet}",)


def report_digest(pool: Pool) -> str:
    """SHA-256 of the JSON report: what a seal keeps, so that a replay can be compared with the live report."""
    return hashlib.sha256(render(pool, "json").encode()).hexdigest()
