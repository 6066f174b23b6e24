"""How long venire takes to start, as ratios to a bare interpreter and to ``git status``, side by side in one run.

Usage: startup.py [ROUNDS]. Each round runs every command once, in turn: a busy machine slows all alike. Medians are compared.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VENIRE = str(Path(sys.executable).parent / "venire")


def repository(folder: Path) -> None:
    """A repository with one commit and nothing changed."""
    git = ["git", "-C", str(folder), "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    (folder / "a.py").write_text("print('hello')\n")
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "first"], check=True)


def seconds(command: list[str], folder: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    commands = {
        "python -c pass": [sys.executable, "-I", "-c", "pass"],
        "git status": ["git", "status"],
        "venire --version": [VENIRE, "--version"],
        "venire audit, nothing to do": [VENIRE, "audit"],
        "venire audit --staged, nothing to do": [VENIRE, "audit", "--staged"],
    }
    with tempfile.TemporaryDirectory() as folder:
        repository(Path(folder))
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(seconds(command, folder))
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"{'medians of ' + str(rounds):38} {'ms':>6} {'× python':>9} {'× git status':>13}")
    for name, value in median.items():
        print(f"{name:38} {value * 1000:6.0f} {value / median['python -c pass']:9.1f} {value / median['git status']:13.1f}")


if __name__ == "__main__":
    main()
