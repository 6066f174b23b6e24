"""A sealed record → comment, job summary, annotations, SARIF. From the record alone; whose pull request it is, GitHub says.

The record may come from a job that read a stranger's code: it is verified first, it decides nothing but the report, and what
it says reaches people as inert text only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from venire.commands.judge import judged
from venire.commands.posting import Outcome, Posting, comment_on, upload
from venire.config import Occasion, Settings, occasion
from venire.deliver import deliver, note
from venire.deliver.github import Refused, outputs, summarise
from venire.errors import Exit, RecordDamaged, Undelivered, UsageError, VenireError
from venire.model import Lane, Pool, Record
from venire.record import read
from venire.report import render
from venire.report.comment import comment

LIMIT = 256 * 2**20
"""Bytes a record may have here: thousands of prompts with all their replies, and not a disk full of them."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What the command line names. ``head``: of the record, known from elsewhere. Empty, or None: as the event says."""

    path: Path
    head: str = ""
    number: int | None = None
    commit: str = ""


def post(settings: Settings, errand: Errand) -> Exit:
    """Verify, assess, and post what is asked for. Undelivered only with ``require_post``."""
    path = _one(errand.path)
    record = _sealed(path, errand.head)
    about = _about(settings, errand)
    _refuse_other_commit(record, about, path)
    posting = Posting(settings, judged(record, settings)[0], about)
    outcomes = [_tried(sink, posting) for sink in SINKS]
    _outputs(posting, path, "".join(outcome.url for outcome in outcomes))
    _refuse_failures(outcomes, settings)
    return Exit.OK


def _refuse_failures(outcomes: Sequence[Outcome], settings: Settings) -> None:
    """Raised when everything else is posted: one place that fails does not take the others with it."""
    for outcome in outcomes:
        if outcome.error:
            raise outcome.error
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    if failures and settings.require_post:
        raise Undelivered("; ".join(failures), "docs/action.md names the permissions it takes")


def _one(path: Path) -> Path:
    """The record itself, or the only one in a folder. A link could show the lines of any file in an error."""
    if path.is_dir():
        found = sorted(path.glob("*.jsonl"))
        if len(found) != 1:
            raise UsageError(f"{path}: {len(found)} records, not one", "name the record itself")
        path = found[0]
    if path.is_symlink() or not path.is_file():
        raise UsageError(f"{path}: not a plain file", "name the .jsonl file of a record")
    if path.stat().st_size > LIMIT:
        raise UsageError(f"{path}: larger than {LIMIT >> 20} MiB", "audit a smaller change, or with fewer runs")
    return path


def _sealed(path: Path, head: str) -> Record:
    record = read(path)
    if record.stop is None:
        raise UsageError(f"{path}: not finished, and not sealed", f"complete it with: venire audit --resume {path}")
    if head and not (len(head) >= 12 and record.head.startswith(head.lower())):
        raise RecordDamaged(f"{path}: its head is {record.head}, not {head}", "this is another record, or a rewritten one")
    return record


def _about(settings: Settings, errand: Errand) -> Occasion:
    """The command line's word before the event's. Nothing of it is read from the record."""
    about = occasion(settings.surroundings.github)
    if errand.commit and not (len(errand.commit) in (40, 64) and set(errand.commit) <= set("0123456789abcdef")):
        raise UsageError(f"--commit {errand.commit}: not a whole object name", "give all of it: git rev-parse HEAD")
    if errand.number is not None and errand.number < 1:
        raise UsageError(f"--pr {errand.number}: no pull request has that number", "give the number in its address")
    if errand.commit:
        about = replace(about, head=errand.commit, merge="")
    return replace(about, number=errand.number) if errand.number is not None else about


def _refuse_other_commit(record: Record, about: Occasion, path: Path) -> None:
    """A record of another commit says nothing about this one, however it came here. Patches and files have no commit."""
    audited = record.audit.source.head
    if audited and about.head and audited not in (about.head, about.merge):
        message = f"{path}: its audit was of commit {audited[:12]}, not of {about.head[:12]}"
        raise UsageError(message, "post the record of this commit, or name the commit with --commit")


# ---------------------------------------------------------------- where it goes


def _summary(posting: Posting) -> Outcome:
    """The whole report; where the step has no room for it, as much as a comment takes."""
    path = posting.settings.surroundings.github.summary
    if posting.settings.summary == "none" or not path:
        return Outcome()
    texts: tuple[Callable[[], str], ...] = (
        lambda: render(posting.pool, "summary"),
        lambda: comment(posting.pool, posting.stamp),
    )
    return Outcome() if any(summarise(path, text()) for text in texts) else Outcome("the job's summary has no room left")


def _annotations(posting: Posting) -> Outcome:
    if posting.settings.annotations == "commands":
        deliver(render(posting.pool, "annotations"))
    return Outcome()


def _sarif(posting: Posting) -> Outcome:
    if posting.settings.sarif:
        deliver(posting.sarif, posting.settings.sarif)
    return upload(posting) if posting.settings.upload else Outcome()


def _comment(posting: Posting) -> Outcome:
    return comment_on(posting) if posting.settings.comment == "sticky" else Outcome()


SINKS: tuple[Callable[[Posting], Outcome], ...] = (_summary, _annotations, _sarif, _comment)
"""Each posts, or does not where that is not asked for. The plain ones come first: they stand when GitHub refuses the others."""


def _tried(sink: Callable[[Posting], Outcome], posting: Posting) -> Outcome:
    try:
        outcome = sink(posting)
    except VenireError as error:
        return Outcome(error=error)
    except Refused as refusal:
        outcome = Outcome(_refusal(refusal))
    if outcome.failure:
        note(f"not posted: {outcome.failure}")
    return outcome


def _refusal(refusal: Refused) -> str:
    """What GitHub said, and what it usually means."""
    means = {
        401: "; the token is not valid here",
        403: "; the token may not write: a fork's never may, others need pull-requests: write",
        404: "; there is no such pull request, or the token may not see it",
    }
    who = "GitHub refused" if refusal.status else "no usable answer from GitHub"
    return f"{who} ({refusal.message}){means.get(refusal.status, '')}. The record has the report, and so has a job's summary"


def _outputs(posting: Posting, path: Path, url: str) -> None:
    if output := posting.settings.surroundings.github.output:
        sarif = str(Path(posting.settings.sarif).resolve()) if posting.settings.sarif else ""
        outputs(output, {**told(posting.pool), "record": str(path.resolve()), "sarif": sarif, "comment": url})


def told(pool: Pool) -> dict[str, str]:
    """What a workflow may decide by."""
    severe = dict(pool.counts.lanes).get(Lane.SEVERE, 0)
    return {"status": pool.status, "candidates": str(pool.counts.candidates), "severe": str(severe), "head": pool.head}
