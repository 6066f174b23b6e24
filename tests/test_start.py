"""Starting and having nothing to do stays light: heavy libraries are not even imported."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.git import Repo

HEAVY = ["scipy", "numpy", "ollama", "httpx", "pydantic", "xllamacpp"]
PROBE = """
import json, sys
from venire.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
print(json.dumps([code or 0, sorted(sys.modules)]), file=sys.stderr)
"""


def modules(*words: str, cwd: Path) -> tuple[int, set[str]]:
    done = subprocess.run([sys.executable, "-c", PROBE, *words], cwd=cwd, capture_output=True, text=True)
    code, names = json.loads(done.stderr.splitlines()[-1])
    return code, set(names)


def test_version_imports_nothing_heavy(tmp_path: Path) -> None:
    code, names = modules("--version", cwd=tmp_path)
    assert code == 0
    assert names.isdisjoint([*HEAVY, "git", "yaml", "rich"])


@pytest.mark.parametrize(
    "words", [["audit"], ["audit", "--staged"], ["audit", "--diff", "HEAD..HEAD"], ["audit", "--format", "json"]]
)
def test_an_empty_diff_imports_nothing_heavy(tmp_path: Path, words: list[str]) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("first", app__py="x = 1\n")
    code, names = modules(*words, cwd=repo.root)
    assert code == 0
    assert names.isdisjoint([*HEAVY, "yaml", "identify", "pathspec"])
