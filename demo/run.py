"""The demo: a seeded change in a small git history, audited by the embedded model, then replayed without it.

Usage: run.py [--keep FOLDER] [venire audit options]. Without options: 3 runs by the embedded model at temperature 0.2.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENIRE = str(Path(sys.executable).parent / "venire")
WHO = {
    "GIT_AUTHOR_NAME": "demo", "GIT_AUTHOR_EMAIL": "demo@example.org", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "demo", "GIT_COMMITTER_EMAIL": "demo@example.org", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
}  # fmt: skip


def git(folder: Path, *words: str) -> None:
    import os

    subprocess.run(["git", "-C", str(folder), *words], check=True, env=os.environ | WHO)


def build(folder: Path) -> None:
    """Two commits: the files of before/, then those of after/."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    for step in ("before", "after"):
        shutil.copytree(HERE / step, folder, dirs_exist_ok=True)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", step)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path, help="copy the sealed record here")
    known, options = parser.parse_known_args()
    # At the usual 0.7 so small a model mostly lists the statements it was given.
    options = options or ["--backend", "embedded", "--runs", "3", "--temperature", "0.2"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder)
        audit = [VENIRE, "audit", "--diff", "HEAD~1..HEAD", "--record", "records", *options]
        print("$", "venire", *audit[1:], flush=True)
        done = subprocess.run([*audit, "--format", "json", "--output", "live.json"], cwd=folder)
        if done.returncode:
            return done.returncode
        (record,) = (folder / "records").glob("*.jsonl")
        subprocess.run([VENIRE, "replay", str(record)], cwd=folder, check=True)
        subprocess.run([VENIRE, "replay", str(record), "--format", "json", "--output", "replayed.json"], cwd=folder, check=True)
        is_same = (folder / "live.json").read_bytes() == (folder / "replayed.json").read_bytes()
        print(
            "replayed from the record alone:",
            "the same bytes as the live report" if is_same else "NOT the same as the live report",
        )
        if known.keep:
            shutil.copyfile(record, known.keep)
        return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
