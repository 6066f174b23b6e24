"""A small GitHub on 127.0.0.1 with a memory: what it is asked is checked against GitHub's own description of its API.

The description (tests/github/github-rest-slice.json) does not say that there are authors, pages, a greatest body, tokens that may
only read, and limits on writing; those are here. What a test did not ask for and the description forbids is in ``violations``.
"""

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from support.http import Answer, Request, Server, said

SLICE = Path(__file__).parents[1] / "github" / "github-rest-slice.json"
BOT = "github-actions[bot]"
CHARACTERS = 65_536
BYTES = 262_144  # measured by others: what one body may take, stored


@dataclass
class Token:
    """Who a token is, and whether it may write. A fork's may not."""

    login: str = BOT
    can_write: bool = True


@dataclass
class Pull:
    """A pull request: its head's commit and OWNER:BRANCH, and the lines its diff shows, by path."""

    head: str
    branch: str = "octo:topic"
    lines: dict[str, set[int]] = field(default_factory=dict)


@dataclass
class Comment:
    id: int
    number: int
    login: str
    body: str

    def shown(self, root: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "node_id": f"IC_{self.id}",
            "url": f"{root}/issues/comments/{self.id}",
            "html_url": f"https://github.example/pull/{self.number}#issuecomment-{self.id}",
            "body": self.body,
            "user": {"login": self.login, "id": len(self.login), "type": "Bot" if self.login.endswith("[bot]") else "User"},
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "author_association": "NONE",
        }


@cache
def description() -> Any:
    from openapi_core import OpenAPI

    return OpenAPI.from_dict(json.loads(SLICE.read_text()))


class GitHub(Server):
    """One repository, ``octo/app``. ``before`` runs on a request before it is answered: a place for somebody else to act."""

    name = "octo/app"

    def __init__(self, prefix: str = "") -> None:
        super().__init__()
        self.prefix = prefix
        self.tokens = {"secret": Token(), "fork": Token(can_write=False)}
        self.pulls: dict[int, Pull] = {}
        self.comments: list[Comment] = []
        self.reviews: list[dict[str, Any]] = []
        self.uploads: list[dict[str, Any]] = []
        self.violations: list[str] = []
        self.once: list[tuple[str, Answer]] = []  # method, answer: given instead, one after another
        self.before: Callable[[Request], None] = lambda _: None
        self.page = 30

    @property
    def api(self) -> str:
        return self.url + self.prefix

    @property
    def writes(self) -> list[Request]:
        return [request for request in self.requests if request.method != "GET"]

    def add(self, number: int, body: str, login: str = BOT) -> Comment:
        made = Comment(1000 + len(self.requests) * 10 + len(self.comments), number, login, body)
        self.comments.append(made)
        return made

    def bodies(self, number: int, login: str = BOT) -> list[str]:
        return [comment.body for comment in self.comments if (comment.number, comment.login) == (number, login)]

    # ------------------------------------------------------------ answering

    def usual(self, request: Request) -> Answer:
        parts = urlsplit(request.path.removeprefix(self.prefix))
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        self.check(request, parts.path, query)
        self.before(request)
        for position, (method, answer) in enumerate(self.once):
            if method == request.method:
                del self.once[position]
                return answer
        token = self.tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if token is None:
            return said({"message": "Bad credentials"}, 401)
        if request.method != "GET" and not token.can_write:
            return said({"message": "Resource not accessible by integration"}, 403)
        inner = parts.path.removeprefix(f"/repos/{self.name}")
        for method, pattern, act in ROUTES:
            if method == request.method and (found := re.fullmatch(pattern, inner)) and inner != parts.path:
                return act(self, request, token, query, *map(int, found.groups()))
        return said({"message": "Not Found"}, 404)

    def check(self, request: Request, path: str, query: dict[str, str]) -> None:
        from openapi_core.exceptions import OpenAPIError
        from openapi_core.testing import MockRequest

        if int(query.get("per_page", 30)) > 100:
            self.violations.append(f"{request.method} {request.path}: per_page above 100")
        asked = MockRequest(
            "https://api.github.com",
            request.method.lower(),
            path,
            args=query,
            headers=request.headers,
            data=request.body or None,
            content_type=request.headers.get("content-type", "application/json"),
        )
        try:
            description().validate_request(asked)
        except OpenAPIError as error:
            cause = error.__cause__ or error
            self.violations.append(f"{request.method} {request.path}: {type(error).__name__}: {cause}")

    def list_comments(self, request: Request, token: Token, query: dict[str, str], number: int) -> Answer:
        if number not in self.pulls:
            return said({"message": "Not Found"}, 404)
        size, page = int(query.get("per_page", self.page)), int(query.get("page", 1))
        found = [comment for comment in self.comments if comment.number == number]
        answer = said([comment.shown(self.root) for comment in found[(page - 1) * size : page * size]])
        if page * size < len(found):
            address = f"{self.root}/issues/{number}/comments?per_page={size}&page="
            last = -(-len(found) // size)
            answer.headers["Link"] = f'<{address}{page + 1}>; rel="next", <{address}{last}>; rel="last"'
        return answer

    @property
    def root(self) -> str:
        return f"{self.api}/repos/{self.name}"

    def create(self, request: Request, token: Token, query: dict[str, str], number: int) -> Answer:
        if refused := self.refused(number, request):
            return refused
        return said(self.add(number, request.json["body"], token.login).shown(self.root), 201)

    def refused(self, number: int, request: Request) -> Answer | None:
        if number not in self.pulls:
            return said({"message": "Not Found"}, 404)
        body = request.json["body"]
        if len(body) > CHARACTERS or len(body.encode()) > BYTES:
            return said({"message": "Validation Failed", "errors": ["Body is too long (maximum is 65536 characters)"]}, 422)
        return None

    def one(self, id: int) -> Comment | None:
        return next((comment for comment in self.comments if comment.id == id), None)

    def show(self, request: Request, token: Token, query: dict[str, str], id: int) -> Answer:
        comment = self.one(id)
        return said(comment.shown(self.root)) if comment else said({"message": "Not Found"}, 404)

    def update(self, request: Request, token: Token, query: dict[str, str], id: int) -> Answer:
        comment = self.one(id)
        if comment is None:
            return said({"message": "Not Found"}, 404)
        if refused := self.refused(comment.number, request):
            return refused
        comment.body = request.json["body"]
        return said(comment.shown(self.root))

    def delete(self, request: Request, token: Token, query: dict[str, str], id: int) -> Answer:
        comment = self.one(id)
        if comment is None:
            return said({"message": "Not Found"}, 404)
        self.comments.remove(comment)
        return Answer(204)

    def pull(self, request: Request, token: Token, query: dict[str, str], number: int) -> Answer:
        found = self.pulls.get(number)
        return said(_pull(number, found)) if found else said({"message": "Not Found"}, 404)

    def list_pulls(self, request: Request, token: Token, query: dict[str, str]) -> Answer:
        wanted = query.get("head")
        return said([_pull(number, pull) for number, pull in self.pulls.items() if wanted in (None, pull.branch)])

    def review(self, request: Request, token: Token, query: dict[str, str], number: int) -> Answer:
        shown = self.pulls[number].lines
        if any(one["line"] not in shown.get(one["path"], set()) for one in request.json.get("comments", ())):
            return said({"message": "Unprocessable Entity", "errors": ["Line must be part of the diff"]}, 422)
        self.reviews.append(request.json)
        return said({"id": len(self.reviews)})

    def upload(self, request: Request, token: Token, query: dict[str, str]) -> Answer:
        sarif = json.loads(gzip.decompress(b64decode(request.json["sarif"])))
        self.uploads.append({**request.json, "sarif": sarif})
        return said({"id": f"upload-{len(self.uploads)}", "url": f"{self.root}/code-scanning/sarifs/1"}, 202)


def _pull(number: int, pull: Pull) -> dict[str, Any]:
    return {"number": number, "head": {"sha": pull.head, "label": pull.branch}, "base": {"sha": "0" * 40}}


ROUTES: list[tuple[str, str, Callable[..., Answer]]] = [
    ("GET", r"/issues/(\d+)/comments", GitHub.list_comments),
    ("POST", r"/issues/(\d+)/comments", GitHub.create),
    ("GET", r"/issues/comments/(\d+)", GitHub.show),
    ("PATCH", r"/issues/comments/(\d+)", GitHub.update),
    ("DELETE", r"/issues/comments/(\d+)", GitHub.delete),
    ("GET", r"/pulls/(\d+)", GitHub.pull),
    ("GET", r"/pulls", GitHub.list_pulls),
    ("POST", r"/pulls/(\d+)/reviews", GitHub.review),
    ("POST", r"/code-scanning/sarifs", GitHub.upload),
]
