"""What an audit took, in one line, for every form that has one."""

from venire.model import Pool
from venire.report.wording import count, duration


def cost(pool: Pool) -> str:
    """Progress and cost: samples, tokens, time, and time for each candidate. The runs are told beside it."""
    counts = pool.counts
    each = [f"{duration(round(pool.ms / len(pool.candidates)))} a candidate"] if pool.candidates and pool.ms else []
    return " · ".join(
        [
            f"{counts.valid:,} of {count(counts.samples, 'sample')} valid",
            f"{count(counts.prompt_tokens, 'prompt token')}, {count(counts.reply_tokens, 'reply token')}",
            duration(pool.ms),
            *each,
        ]
    )
