"""A repository with a change that the scripted backend finds one severe and one lesser candidate in, and calls about it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.cli import Done, script, venire
from support.git import Repo

BEFORE = "import os\n\n\ndef first(items):\n    return items[0]\n"
ADDED = '\n\ndef find(db, name):\n    q = "SELECT 1 FROM t WHERE name = \'" + name + "\'"\n    return db.execute(q)\n'
AFTER = BEFORE + ADDED
SQL, LEAK = 9, 10
"""The lines of the two candidates."""


def found(line: int, severity: str = "high", check: str = "check_1", problem: str = "It is joined.") -> dict[str, Any]:
    return {"line": line, "problem": problem, "check": check, "severity": severity}


def backend(folder: Path, *findings: dict[str, Any], name: str = "replies.json", **fields: Any) -> str:
    """A scripted model each of whose runs reports these findings in the security bucket, and nothing in any other."""
    return script(folder / name, [{"bucket": "security", "findings": list(findings), **fields}, {"findings": []}])


def repository(folder: Path) -> Repo:
    """main, and a branch ``change`` that adds a function; the branch is checked out."""
    repo = Repo(folder / "repo")
    repo.git("config", "user.name", "A. Author")
    repo.commit("first", app__py=BEFORE)
    repo.git("checkout", "-q", "-b", "change")
    repo.commit("second", app__py=AFTER)
    return repo


def audit(repo: Repo, model: str, *words: str | Path, form: str = "json", runs: int = 1, **more: Any) -> Done:
    asked: Sequence[str | Path] = words or ("--diff", "main...change")
    return venire("audit", "--backend", model, "-n", str(runs), "-q", "--format", form, *asked, cwd=repo.root, **more)


def records(repo: Repo) -> list[Path]:
    return sorted((repo.root / ".venire" / "records").glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def replay(repo: Repo, *words: str | Path, form: str = "json", record: Path | None = None, **more: Any) -> Done:
    return venire("replay", record or records(repo)[-1], "--format", form, *words, cwd=repo.root, **more)


def decide(repo: Repo, *words: str | Path, **more: Any) -> Done:
    return venire("decide", *words, cwd=repo.root, **more)


def ids(done: Done) -> dict[int, str]:
    """The candidates' ids by their first lines."""
    return {candidate["first"]: candidate["id"] for candidate in json.loads(done.out)["candidates"]}
