"""A GitHub Actions job's surroundings for the command line: variables, event file, and the files a step writes to."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.github import GitHub

HEAD = "a" * 40


@dataclass
class Job:
    """``env`` for a call of the command line; ``outputs`` and ``summary`` are what it wrote."""

    folder: Path
    env: dict[str, str]

    @property
    def outputs(self) -> dict[str, str]:
        """As the runner reads them: name<<delimiter, value, delimiter."""
        file = Path(self.env["GITHUB_OUTPUT"])
        text = file.read_text() if file.exists() else ""
        return {found[1]: found[3] for found in re.finditer(r"^([^\n<]+)<<(\S+)\n(.*?)\n\2$", text, re.MULTILINE | re.DOTALL)}

    @property
    def summary(self) -> str:
        file = Path(self.env["GITHUB_STEP_SUMMARY"])
        return file.read_text() if file.exists() else ""


def job(folder: Path, github: GitHub | None, event: Any, *, run: int = 1, token: str = "secret", **more: str) -> Job:  # noqa: S107
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "event.json").write_text(json.dumps(event))
    env = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": github.api if github else "http://127.0.0.1:9",
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_REPOSITORY": GitHub.name,
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_RUN_NUMBER": str(run),
        "GITHUB_RUN_ID": str(9000 + run),
        "GITHUB_TOKEN": token,
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "RUNNER_TEMP": str(folder),
    }
    return Job(folder, {**env, **more})


def pull_request(number: int = 7, head: str = HEAD, base: str = "b" * 40, repo: str = GitHub.name) -> dict[str, Any]:
    """The event of a push to a pull request, with the keys that are read. ``repo`` is where it comes from."""
    return {
        "action": "synchronize",
        "number": number,
        "pull_request": {"number": number, "head": {"sha": head, "repo": {"full_name": repo}}, "base": {"sha": base}},
        "repository": {"id": 1, "full_name": GitHub.name},
    }


def workflow_run(head: str = HEAD, *, run: int = 1, pulls: list[tuple[int, int]] | None = None, branch: str = "topic") -> Any:
    """The event that follows a pull request's audit; ``pulls`` are (number, id of the repository it is in)."""
    listed = [{"number": number, "head": {"sha": head}, "base": {"repo": {"id": id}}} for number, id in pulls or []]
    ran = {
        "id": 4711,
        "event": "pull_request",
        "conclusion": "success",
        "head_sha": head,
        "run_number": run,
        "head_branch": branch,
        "head_repository": {"full_name": "octo/app", "owner": {"login": "octo"}},
        "pull_requests": listed,
    }
    return {"action": "completed", "workflow_run": ran, "repository": {"id": 1, "full_name": GitHub.name}}
