"""Hook runners as users have them: the real programs, an environment installed once, and git calling them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from support.git import Repo
from support.wheels import wheelhouse

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
HOOKS = ("venire", "venire-push", "venire-replay")


@dataclass(frozen=True)
class Outcome:
    """What git gave: its exit code and all that was printed."""

    code: int
    out: str


@dataclass(frozen=True)
class Host:
    """A runner (``pre-commit`` or ``prek``), the repository it takes hooks from, and where its environments are."""

    name: str
    hooks: Path
    rev: str
    variables: Mapping[str, str]

    def configure(self, repo: Repo, *hooks: str, args: Mapping[str, list[str]] | None = None) -> None:
        """Write the configuration and have the runner install itself into the repository's hooks."""
        entries = "".join(f"      - id: {hook}\n        args: {(args or {}).get(hook, [])}\n" for hook in hooks or HOOKS)
        repo.write(".pre-commit-config.yaml", f"repos:\n  - repo: {self.hooks}\n    rev: {self.rev}\n    hooks:\n{entries}")
        done = self.run(repo, "install", "--install-hooks", "-t", "pre-commit", "-t", "pre-push")
        assert done.code == 0, f"{self.name} cannot build the hook's environment:\n{done.out}"

    def run(self, repo: Repo, *words: str, env: Mapping[str, str] | None = None) -> Outcome:
        return call([str(BIN / self.name), *words], repo, {**self.variables, **(env or {})})

    def git(self, repo: Repo, *words: str, env: Mapping[str, str] | None = None) -> Outcome:
        """A git command of the user, which calls the hooks."""
        return call(["git", *words], repo, {**self.variables, **(env or {})})


def call(command: list[str], repo: Repo, env: Mapping[str, str]) -> Outcome:
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=repo.root,
        env={**os.environ, "PATH": path, **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=240,
    )
    return Outcome(done.returncode, done.stdout.decode("utf-8", "replace"))


def hook_repository(folder: Path) -> str:
    """This working tree as a repository of hooks with one commit; returns the commit."""
    listed = Repo(ROOT, is_new=False).git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    repo = Repo(folder)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "bench/", "demo/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return repo.commit("hooks")


def offline(folder: Path) -> dict[str, str]:
    """Variables by which pip and uv take everything from wheels of what is installed here, and ask no index."""
    needed = [need.name for need in map(Requirement, requires("venire") or []) if need.marker is None]
    wheels = wheelhouse(folder, [*needed, "hatchling"])
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "1"}
    return {**pip, "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(wheels), "UV_OFFLINE": "1", "UV_PYTHON_DOWNLOADS": "never"}
