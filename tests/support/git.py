"""Small real git repositories: pinned identity, dates and configuration, so that object names repeat."""

import os
import subprocess
from pathlib import Path

PINNED = {
    "GIT_AUTHOR_NAME": "A. Author",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00+0000",
    "GIT_COMMITTER_NAME": "A. Author",
    "GIT_COMMITTER_EMAIL": "author@example.org",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00+0000",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.fsync",
    "GIT_CONFIG_VALUE_0": "none",
    "LC_ALL": "C",
}


class Repo:
    """A repository in a folder. Paths may be bytes where a file system allows any name."""

    def __init__(self, root: Path, *, is_new: bool = True) -> None:
        self.root = root
        if is_new:
            root.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main", "--template=")

    def git(self, *arguments: str | bytes, env: dict[str, str] | None = None, stdin: bytes = b"") -> str:
        """Runs git here; what it printed, without the last line end."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env={**own, **PINNED, **(env or {})},
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="surrogateescape").removesuffix("\n")

    def write(self, path: str | bytes, data: str | bytes) -> Path:
        """Writes a file, and the folders it is in."""
        full = self.root / os.fsdecode(path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(data.encode() if isinstance(data, str) else data)
        return full

    def add(self, **files: str | bytes) -> None:
        """Writes and stages files; ``__`` in a name stands for ``.``."""
        for name, data in files.items():
            self.write(name.replace("__", "."), data)
        self.git("add", "--all")

    def commit(self, message: str = "a change", **files: str | bytes) -> str:
        """Stages everything, commits it, and returns the commit's full name."""
        self.add(**files)
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message)
        return self.git("rev-parse", "HEAD")
