"""The command line as a user has it: the installed program in a process of its own, in a folder, with a clean environment."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VENIRE = str(Path(sys.executable).parent / "venire")


@dataclass(frozen=True)
class Done:
    """What a call gave: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def venire(
    *words: str | Path, cwd: Path, env: Mapping[str, str] | None = None, stdin: bytes | None = None, timeout: float = 120
) -> Done:
    """Run ``venire`` and wait for it."""
    done = subprocess.run(
        [VENIRE, *map(str, words)], cwd=cwd, env={**os.environ, **(env or {})}, input=stdin, capture_output=True, timeout=timeout
    )
    return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def script(path: Path, replies: Sequence[Mapping[str, Any]], **model: Any) -> str:
    """Write replies for the scripted backend; returns the value for ``--backend``."""
    path.write_text(json.dumps({"model": {"name": "scripted", **model}, "replies": list(replies)}))
    return f"scripted:{path}"
