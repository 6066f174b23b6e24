"""What a GitHub Actions job says of itself → frozen values: its variables, and the event that started it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from venire.errors import ConfigError

EVENT_LIMIT = 32 * 2**20  # bytes; GitHub's own cap on a webhook's payload is 25 MB

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REPOSITORY = re.compile(r"(?:(?!\.+/)[A-Za-z0-9_.-]+)/(?!\.+\Z)[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class GitHub:
    """The job's variables. Empty where there is no such job. The token is in no ``repr``."""

    is_job: bool = False
    api: str = "https://api.github.com"
    server: str = "https://github.com"
    repository: str = ""
    token: str = field(default="", repr=False)
    event: str = ""
    event_path: str = ""
    sha: str = ""
    run_id: str = ""
    run_number: int = 0
    summary: str = ""  # file the job summary is appended to
    output: str = ""  # file the step's outputs are appended to
    temp: str = ""
    authorities: str = ""  # file with certificate authorities besides the usual ones

    @property
    def page(self) -> str:
        """The address of this workflow run."""
        return f"{self.server}/{self.repository}/actions/runs/{self.run_id}" if self.repository and self.run_id else ""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a workflow run is about. ``number`` 0: no pull request is named; ``branch`` then may lead to one."""

    number: int = 0
    head: str = ""  # the commit that was audited
    merge: str = ""  # its trial merge with the base, which is checked out unless the workflow says otherwise
    base: str = ""
    run: int = 0  # orders the runs of one workflow
    branch: str = ""  # OWNER:BRANCH the commit was pushed to


def job(environment: Mapping[str, str]) -> GitHub:
    """The variables of a job; ConfigError where one is not what GitHub sets."""
    get = environment.get
    repository, number = get("GITHUB_REPOSITORY", ""), get("GITHUB_RUN_NUMBER", "")
    if repository and not _REPOSITORY.fullmatch(repository):
        raise ConfigError(
            f"GITHUB_REPOSITORY: {repository!r} is not OWNER/NAME", "leave it to GitHub Actions, or write OWNER/NAME"
        )
    return GitHub(
        is_job=get("GITHUB_ACTIONS") == "true",
        api=(get("GITHUB_API_URL") or "https://api.github.com").rstrip("/"),
        server=(get("GITHUB_SERVER_URL") or "https://github.com").rstrip("/"),
        repository=repository,
        token=get("GITHUB_TOKEN", ""),
        event=get("GITHUB_EVENT_NAME", ""),
        event_path=get("GITHUB_EVENT_PATH", ""),
        sha=_sha(get("GITHUB_SHA", "")),
        run_id=get("GITHUB_RUN_ID", "") if get("GITHUB_RUN_ID", "").isdecimal() else "",
        run_number=int(number) if number.isdecimal() else 0,
        summary=get("GITHUB_STEP_SUMMARY", ""),
        output=get("GITHUB_OUTPUT", ""),
        temp=get("RUNNER_TEMP", ""),
        authorities=get("SSL_CERT_FILE", ""),
    )


def occasion(of: GitHub) -> Occasion:
    """What the job's event says; all of it comes from GitHub and nothing from a record. ConfigError: not an event."""
    if not of.event_path:
        return Occasion(run=of.run_number)
    event = _event(Path(of.event_path))
    if run := _mapping(event, "workflow_run"):
        return _of_run(run, _mapping(event, "repository"))
    if pull := _mapping(event, "pull_request"):
        head, base = _mapping(pull, "head"), _mapping(pull, "base")
        return Occasion(_number(pull, "number"), _sha(head.get("sha")), of.sha, _sha(base.get("sha")), of.run_number)
    if group := _mapping(event, "merge_group"):
        return Occasion(0, _sha(group.get("head_sha")), "", _sha(group.get("base_sha")), of.run_number)
    return Occasion(0, _sha(event.get("after")) or of.sha, "", _sha(event.get("before")), of.run_number)


def _of_run(run: Mapping[str, Any], here: Mapping[str, Any]) -> Occasion:
    """The run that a ``workflow_run`` follows. For a fork GitHub names no pull request, only where it came from."""
    head = _sha(run.get("head_sha"))
    owner = _mapping(_mapping(run, "head_repository"), "owner").get("login")
    named = run.get("head_branch")
    branch = f"{owner}:{named}" if isinstance(owner, str) and isinstance(named, str) else ""
    numbers = [_number(pull, "number") for pull in _pulls(run) if _is_ours(pull, head, here)]
    return Occasion(numbers[0] if len(numbers) == 1 else 0, head, "", "", _number(run, "run_number"), branch)


def _pulls(run: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    pulls = run.get("pull_requests")
    return [pull for pull in pulls if isinstance(pull, dict)] if isinstance(pulls, list) else []


def _is_ours(pull: Mapping[str, Any], head: str, here: Mapping[str, Any]) -> bool:
    """GitHub also lists pull requests of other repositories in the network; the number would mean another one here."""
    base = _mapping(_mapping(pull, "base"), "repo")
    return base.get("id") == here.get("id") and _sha(_mapping(pull, "head").get("sha")) == head


def _event(path: Path) -> Mapping[str, Any]:
    import json

    remedy = "leave GITHUB_EVENT_PATH to GitHub Actions"
    try:
        if path.stat().st_size > EVENT_LIMIT:
            raise ConfigError(f"GITHUB_EVENT_PATH: {path} is larger than {EVENT_LIMIT} bytes", remedy)
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"GITHUB_EVENT_PATH: {path}: {error.strerror}", remedy) from None
    except (ValueError, RecursionError):
        raise ConfigError(f"GITHUB_EVENT_PATH: {path} is not JSON", remedy) from None
    if not isinstance(value, dict):
        raise ConfigError(f"GITHUB_EVENT_PATH: {path} holds no event", remedy)
    return value


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def _number(value: Mapping[str, Any], key: str) -> int:
    inner = value.get(key)
    return inner if isinstance(inner, int) and not isinstance(inner, bool) and inner > 0 else 0


def _sha(value: object) -> str:
    """A full object name, and not the one of zeros by which GitHub says that there was none."""
    return value if isinstance(value, str) and _SHA.fullmatch(value) and value.strip("0") else ""
