"""The calls to one repository that venire makes, each with its answer as a value."""

import base64
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from venire.deliver.github.client import Client, Refused


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a pull request; ``author`` is its login."""

    id: int
    author: str
    body: str
    url: str = ""


class Repository:
    """``name`` is OWNER/NAME."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._root = f"/repos/{name}"

    def comments(self, number: int) -> Iterator[Comment]:
        """Every comment of a pull request, oldest first."""
        return map(_comment, self._client.pages(f"{self._root}/issues/{number}/comments"))

    def comment(self, id: int) -> Comment:
        return _comment(self._client.call("GET", f"{self._root}/issues/comments/{id}").json)

    def create(self, number: int, body: str) -> Comment:
        return _comment(self._client.call("POST", f"{self._root}/issues/{number}/comments", body={"body": body}).json)

    def update(self, id: int, body: str) -> Comment:
        return _comment(self._client.call("PATCH", f"{self._root}/issues/comments/{id}", body={"body": body}).json)

    def delete(self, id: int) -> None:
        self._client.call("DELETE", f"{self._root}/issues/comments/{id}")

    def head(self, number: int) -> str:
        """The commit a pull request has at its head now."""
        return _head(self._client.call("GET", f"{self._root}/pulls/{number}").json)[1]

    def pulls(self, branch: str) -> list[tuple[int, str]]:
        """Number and head of the open pull requests from OWNER:BRANCH."""
        answer = self._client.call("GET", f"{self._root}/pulls", query={"state": "open", "head": branch, "per_page": "100"})
        return [_head(pull) for pull in answer.json or ()]

    def upload(self, sarif: str, *, commit: str, number: int) -> str:
        """Hand SARIF to code scanning for a pull request's commit; the id of the upload."""
        packed = base64.b64encode(gzip.compress(sarif.encode(), mtime=0)).decode()
        body = {"commit_sha": commit, "ref": f"refs/pull/{number}/head", "sarif": packed, "tool_name": "venire"}
        said = self._client.call("POST", f"{self._root}/code-scanning/sarifs", body=body).json
        return str(said.get("id", "")) if isinstance(said, dict) else ""


def _comment(value: Any) -> Comment:
    try:
        user = value["user"] or {"login": "ghost"}  # what GitHub shows for an account that is gone
        return Comment(int(value["id"]), str(user["login"]), str(value.get("body") or ""), str(value.get("html_url") or ""))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused(0, "the answer is not a comment") from None


def _head(value: Any) -> tuple[int, str]:
    try:
        return int(value["number"]), str(value["head"]["sha"])
    except (KeyError, TypeError, ValueError):
        raise Refused(0, "the answer is not a pull request") from None
