"""What every form says below the cards: the sum from findings to candidates, and everything that gave no vote."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from venire.model import Aside, Failure, Lines, Pool
from venire.panel import shown
from venire.report import overlaid
from venire.report.inert import SENTENCE, Show, tail
from venire.report.wording import count, lanes, model_names, reasons


def sums(pool: Pool) -> str:
    """From raw findings to candidates, as an equation a reader can check."""
    c = pool.counts
    return (
        f"{count(c.findings, 'finding')} in {count(c.valid, 'valid reply', 'valid replies')} − {count(c.repeats, 'repeat')} "
        f"= {count(c.votes, 'vote')} → {count(c.regions, 'region')} → {lanes(pool)}"
    )


def caveat(pool: Pool) -> str:
    """What a vote does not tell."""
    many = f"; {pool.asked:,} runs of one model are one reviewer, not {pool.asked:,}" if pool.asked > 1 else ""
    if len(model_names(pool)) > 1:
        many = "; runs of one model are one reviewer, however many"
    return f"Votes measure how often a model repeats itself, not whether it is right{many}."


def _range(lines: Lines) -> str:
    first, last = lines
    return str(first) if first == last else f"{first}-{last}"


def scores(pool: Pool, show: Show) -> list[str]:
    """The votes on each bucket's checks, summed; the number they are out of does not depend on how the runs went."""
    totals: dict[str, Counter[str]] = {}
    for score in pool.scores:
        votes = {"pass": score.passed, "fail": score.failed, "no vote": score.no_vote}
        totals.setdefault(score.bucket, Counter()).update(votes)
    return [
        f"{show(bucket)}: {total['pass']:,} of {total.total():,} votes pass, {total['fail']:,} fail, {total['no vote']:,} no vote"
        for bucket, total in totals.items()
    ]


def placeless(pool: Pool, show: Show) -> list[str]:
    """Checks that runs failed without pointing at a line, so that no candidate tells of them."""
    told = {(card.path, label.bucket, label.check) for card in pool.candidates for label in card.labels}
    texts = {(check.bucket, check.id): check.text for bucket in pool.audit.panel.buckets for check in bucket.checks}
    return [
        f"{show(tail(score.path))} window {score.window}, {show(shown(score.bucket, score.check))}: "
        f"{score.failed:,} of {score.passed + score.failed + score.no_vote:,} votes fail "
        f"({show(texts.get((score.bucket, score.check), ''))})"
        for score in pool.scores
        if score.failed and (score.path, score.bucket, score.check) not in told
    ]


def asides(pool: Pool, show: Show) -> list[str]:
    """What the panel contract's replies say beside verdicts with a line. Sentences of the model, each with its runs."""
    return [
        f"{show(tail(aside.path))}, {_about(aside, show)}: {show(aside.text, SENTENCE)} ({count(aside.runs, 'run')})"
        for aside in pool.asides
    ]


def _about(aside: Aside, show: Show) -> str:
    return f"why {show(shown(aside.bucket, aside.check))} fails" if aside.check else aside.kind


def _alike(failures: Iterable[Failure]) -> dict[Failure, list[int]]:
    """The runs of each failure, told apart by everything but the run."""
    groups: dict[Failure, list[int]] = {}
    for failure in failures:
        groups.setdefault(replace(failure, run=0), []).append(failure.run)
    return groups


def failures(pool: Pool, show: Show) -> list[str]:
    """Samples without a vote: one line for the runs of a prompt that failed alike."""
    rows = []
    for one, runs in _alike(pool.failures).items():
        where = f"{show(tail(one.path))} window {one.window}, {show(one.bucket)}, {show(one.model)}"
        which = f"run{'s' if len(runs) > 1 else ''} {', '.join(map(str, runs))} ({count(one.attempts, 'attempt')})"
        rows.append(f"{where}, {which}: {show(one.reason, SENTENCE)}")
    return rows


def skipped(pool: Pool, show: Show) -> list[str]:
    return [
        f"{show(tail(file.path))}: {show(file.reason)}"
        + (f", {show(file.detail)}" if file.detail else "")
        + (" (a gap: text that should have been audited)" if file.is_gap else "")
        for file in pool.skipped
    ]


def uncovered(pool: Pool, show: Show) -> list[str]:
    """Lines that no prompt showed, and other notes, by file."""
    rows = [
        f"{show(tail(target.path))}: lines {', '.join(map(_range, target.uncovered))} in no window"
        for target in pool.coverage
        if target.uncovered
    ]
    return rows + [f"{show(tail(target.path))}: {show(note)}" for target in pool.coverage for note in target.notes]


def warnings(pool: Pool, show: Show) -> list[str]:
    """The pool's warnings; those of its models are among them."""
    return [show(warning, SENTENCE) for warning in pool.warnings]


def footnotes(pool: Pool, show: Show) -> list[tuple[str, list[str]]]:
    """The lists below the cards that have anything in them, each with its title."""
    lists = [
        ("Reasons, in full", [show(reason, SENTENCE) for reason in reasons(pool)[1]]),
        ("Failed at no single line", placeless(pool, show)),
        ("Said beside the verdicts, and not counted", asides(pool, show)),
        (count(len(pool.failures), "failed sample"), failures(pool, show)),
        (count(len(pool.skipped), "file") + " skipped", skipped(pool, show)),
        ("Not shown to the model, and other notes on files", uncovered(pool, show)),
        ("Warnings", warnings(pool, show)),
    ]
    return overlaid.footnotes(pool, show) + [(title, rows) for title, rows in lists if rows]
