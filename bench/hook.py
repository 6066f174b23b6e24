"""The hook under real pre-commit beside pre-commit alone (a hook that runs ``true``), in one run, as ratios.

Usage: hook.py [ROUNDS]. Each round runs every case once, in turn: a busy machine slows all alike. Medians are compared, of wall
time and of processor time. Target: 2.0 or less, that is at most as long again.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.changes import CODE, finds  # noqa: E402
from support.git import Repo  # noqa: E402
from support.hosts import BIN, hook_repository, offline  # noqa: E402

TRUE = (
    "repos:\n  - repo: local\n    hooks: [{id: t, name: t, language: system, entry: 'true', always_run: true, verbose: true}]\n"
)
OURS = "repos:\n  - repo: {}\n    rev: {}\n    hooks: [{{id: venire, always_run: true}}, {{id: venire-push}}]\n"


def run(repo: Repo, config: str, hook: str, env: Mapping[str, str]) -> tuple[float, float, str]:
    """Wall and processor seconds of one ``pre-commit run``, and what it printed."""
    command = [str(BIN / "pre-commit"), "run", "-c", config, hook, "--hook-stage", "manual", "--color", "never"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=repo.root, env={**os.environ, **env}, capture_output=True, text=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    expect(done.returncode == 0, done.stdout + done.stderr)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def expect(is_so: bool, out: str) -> None:
    """A bench of something else than it says is worth nothing."""
    if not is_so:
        sys.exit(out)


def prepared(folder: Path) -> tuple[Repo, dict[str, str]]:
    """A repository with a staged change whose answer is known, and nothing to push."""
    rev = hook_repository(folder / "hooks")
    repo = Repo(folder / "repo")
    env = {**offline(folder / "wheels"), "PRE_COMMIT_HOME": str(folder / "home"), **finds(folder)}
    env.pop("PIP_NO_COMPILE")  # as on a user's machine
    repo.write("true.yaml", TRUE)
    repo.write("ours.yaml", OURS.format(folder / "hooks", rev))
    repo.commit("first")
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.add(app__py=CODE)
    out = run(repo, "ours.yaml", "venire", {**env, "VENIRE_MAX_TIME": "100"})[2]
    expect("app.py:6" in out, out)
    return repo, env


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    cases = {
        "pre-commit, a hook that runs true": ("true.yaml", "t", ""),
        "nothing to do: nothing is pushed": ("ours.yaml", "venire-push", "Nothing to audit"),
        "answered from the cache: staged": ("ours.yaml", "venire", "from the cache: record"),
    }
    with tempfile.TemporaryDirectory() as name:
        repo, env = prepared(Path(name))
        times: dict[str, list[tuple[float, float]]] = {case: [] for case in cases}
        for _ in range(rounds):
            for case, (config, hook, expected) in cases.items():
                wall, cpu, out = run(repo, config, hook, env)
                expect(expected in out, out)
                times[case].append((wall, cpu))
    print(f"{'medians of ' + str(rounds):36} {'wall ms':>8} {'× true':>7} {'CPU ms':>8} {'× true':>7}")
    medians = {case: [statistics.median(column) for column in zip(*rows, strict=True)] for case, rows in times.items()}
    bare = medians["pre-commit, a hook that runs true"]
    for case, (wall, cpu) in medians.items():
        print(f"{case:36} {wall * 1000:8.0f} {wall / bare[0]:7.2f} {cpu * 1000:8.0f} {cpu / bare[1]:7.2f}")


if __name__ == "__main__":
    main()
