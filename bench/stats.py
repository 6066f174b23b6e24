"""``venire stats`` beside the seed experiment's algorithm written plainly, on the same files in one run; then growth.

Usage: stats.py CORPUS [--copies 1,100] [--growth 100000,300000,1000000]. CORPUS is the folder of the seed experiment's files.
Both are whole processes, from start to printed figures; processor seconds are what other work on the machine changes least.
A copy repeats every cell under another name. Growth repeats them until there are so many findings, and prints the time and
the most memory of our process.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

VENIRE = str(Path(sys.executable).parent / "venire")
PLAINLY = str(Path(__file__).with_name("stats_plainly.py"))
LOG = "audit_logs.jsonl"


def grow(corpus: Path, folder: Path, copies: int) -> int:
    """Write ``copies`` of the corpus; returns the findings in it."""
    folder.mkdir()
    for path in [*corpus.glob("target_*.txt"), corpus / "gt.csv"]:
        shutil.copy(path, folder)
    entries = [json.loads(line) for line in (corpus / LOG).read_text("utf-8").splitlines()]
    with (folder / LOG).open("w", encoding="utf-8") as log:
        for copy in range(copies):
            log.writelines(json.dumps({**entry, "cell": f"{copy}_{entry['cell']}"}) + "\n" for entry in entries)
    return copies * sum(len(entry.get("issues", ())) for entry in entries)


@dataclass(frozen=True)
class Used:
    """What a process took: seconds on the clock and of the processor, and the most memory in MiB."""

    wall: float
    cpu: float
    memory: float


def run(command: list[str], output: Path) -> Used:
    """Run one process to its end."""
    start = time.perf_counter()
    with output.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream)
        _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed")
    return Used(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def ours(folder: Path) -> list[str]:
    return [VENIRE, "stats", "--axiom", str(folder), "--truth", str(folder / "gt.csv"), "--format", "json"]


def differing(one: Path, two: Path) -> int:
    """Figures of the plain program that ours does not give, digit by digit, intervals too: both draw the same resamples."""
    plain, own = json.loads(one.read_bytes()), json.loads(two.read_bytes())
    return sum(own[cell][name] != value for cell, figures in plain.items() for name, value in figures.items())


def compare(corpus: Path, copies: int, folder: Path) -> None:
    findings = grow(corpus, folder / f"x{copies}", copies)
    plain, own = folder / "plain.json", folder / "own.json"
    slow = run([sys.executable, PLAINLY, str(folder / f"x{copies}")], plain)
    fast = run(ours(folder / f"x{copies}"), own)
    print(
        f"{copies:6} {findings:9} {slow.wall:10.1f} {slow.cpu:7.1f} {fast.wall:10.2f} {fast.cpu:7.2f}"
        f" {slow.wall / fast.wall:11.1f} {slow.cpu / fast.cpu:6.1f} {fast.memory:6.0f} {differing(plain, own) or 'none':>10}",
        flush=True,
    )


def growth(corpus: Path, findings: int, folder: Path) -> None:
    """More of the same until there are ``findings`` of them."""
    each = sum(len(json.loads(line).get("issues", ())) for line in (corpus / LOG).read_text("utf-8").splitlines())
    made = grow(corpus, folder / "growth", -(-findings // each))
    used = run(ours(folder / "growth"), folder / "own.json")
    print(
        f"{made:9} {used.wall:10.1f} {used.cpu:7.1f} {used.cpu / made * 1e6:16.1f} {used.memory:7.0f}"
        f" {used.memory * 2**20 / made:11.0f}",
        flush=True,
    )
    shutil.rmtree(folder / "growth")


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--copies", type=numbers, default=[1, 100])
    parser.add_argument("--growth", type=numbers, default=[100_000, 300_000, 1_000_000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        print("copies  findings  plainly: s   cpu s  venire: s   cpu s  faster: by s by cpu    MiB  differing")
        for copies in options.copies:
            compare(options.corpus, copies, Path(name))
        print("\n findings  venire: s   cpu s  cpu µs a finding     MiB B a finding")
        for findings in options.growth:
            growth(options.corpus, findings, Path(name))


if __name__ == "__main__":
    main()
