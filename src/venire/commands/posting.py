"""What is posted, of whom, and the two calls on GitHub: the pull request's comment and code scanning."""

from dataclasses import dataclass

from venire.config import Occasion, Settings
from venire.deliver import note
from venire.deliver.github import Client, Notice, Posted, Repository, stick
from venire.errors import VenireError
from venire.model import Pool
from venire.report import sarif
from venire.report.comment import Stamp, comment, read_stamp


@dataclass(frozen=True, slots=True)
class Posting:
    """An assessed record, and the pull request and commit it is about."""

    settings: Settings
    pool: Pool
    about: Occasion

    @property
    def stamp(self) -> Stamp:
        """What the comment says of itself; the record gives nothing to it but its own head."""
        page = self.settings.surroundings.github.page
        where = f"The whole report is in [the summary of this workflow run]({page})." if page else ""
        return Stamp(self.settings.profile, self.about.head, self.pool.head, self.about.run, where)

    @property
    def sarif(self) -> str:
        """SARIF under the category of this profile, so that several audits of one commit stand beside each other."""
        return sarif.report(self.pool, profile=self.settings.profile)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why something was not posted, or where it stands. ``error``: that is a fault of the call, and not GitHub's answer."""

    failure: str = ""
    url: str = ""
    error: VenireError | None = None


def comment_on(posting: Posting) -> Outcome:
    """Post or renew the pull request's comment. Refused as GitHub refuses."""
    if missing := _missing(posting):
        return Outcome(f"the comment: {missing}")
    with _client(posting) as client:
        repository = Repository(client, posting.settings.surroundings.github.repository)
        if number := _number(repository, posting.about):
            posted = stick(repository, _notice(posting, number))
            _tell(posted, posting.settings.author)
            return Outcome(url=posted.url)
    if posting.about.branch:
        return Outcome("the comment: there is not exactly one open pull request with this commit at its head")
    note("no comment: this run is about no pull request")
    return Outcome()


def upload(posting: Posting) -> Outcome:
    """Hand the SARIF to code scanning. Refused as GitHub refuses."""
    if missing := _missing(posting):
        return Outcome(f"SARIF: {missing}")
    with _client(posting) as client:
        repository = Repository(client, posting.settings.surroundings.github.repository)
        number = _number(repository, posting.about)
        if not number or not posting.about.head:
            return Outcome("SARIF: this run is about no pull request")
        made = repository.upload(posting.sarif, commit=posting.about.head, number=number)
    note(f"SARIF handed to code scanning: {made}")
    return Outcome()


def _missing(posting: Posting) -> str:
    job = posting.settings.surroundings.github
    if not job.repository:
        return "GITHUB_REPOSITORY is not set"
    return "" if job.token else "GITHUB_TOKEN is not set"


def _client(posting: Posting) -> Client:
    job = posting.settings.surroundings.github
    return Client(job.api, job.token, authorities=job.authorities)


def _number(repository: Repository, about: Occasion) -> int:
    """The pull request: named by the event, or the only open one from the branch that has this commit at its head."""
    if about.number or not about.branch or not about.head:
        return about.number
    numbers = [number for number, head in repository.pulls(about.branch) if head == about.head]
    return numbers[0] if len(numbers) == 1 else 0


def _notice(posting: Posting, number: int) -> Notice:
    stamp = posting.stamp

    def text(limit: int) -> str:
        return comment(posting.pool, stamp, limit=limit)

    return Notice(number, posting.settings.author, stamp, text, read_stamp)


def _tell(posted: Posted, author: str) -> None:
    told = {"superseded": "left as it is: it speaks of a newer commit or run", "unchanged": "left as it is: nothing changed"}
    note(f"comment {told.get(posted.what, posted.what)}: {posted.url}")
    if posted.author != author:
        note(f"it was written by {posted.author}, and is sought under {author}: set VENIRE_AUTHOR={posted.author}")
