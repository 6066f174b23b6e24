"""How often a sample of the small model misses the planted defects, by file. Needs the embedded model (venire fetch).

Usage: canaries.py [--runs N] [--max-time SECONDS] [FILE ...]. A file is one of those in targets/truth.json; by default all are
asked about. A good sample is a valid one that reports a seeded defect of the file within 2 lines.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import closing

from subjects import Seeded, found, target, truth

from venire.assess.replies import Reading, read
from venire.change import cut
from venire.config import Settings
from venire.model import Prompt, Run
from venire.panel import load, prompts, window_budget
from venire.sample import Progress, Sitting, open_backend, sample

Row = tuple[str, str, list[Reading], list[Reading]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--max-time", type=float, default=330, help="seconds of sampling, shared out among the prompts")
    parser.add_argument("files", nargs="*", metavar="FILE")
    known = parser.parse_args()
    table = {path: rows for path, rows in truth().items() if path in known.files or not known.files}
    settings = Settings(backend="embedded", runs=known.runs, max_time=known.max_time, scope="file", canaries=True, seed=1)
    asked, runs, seconds = draw(settings, list(table))
    print(f"{len(runs)} samples in {seconds:.0f} s")
    report(asked, runs, table)


def draw(settings: Settings, paths: Sequence[str]) -> tuple[dict[str, tuple[Prompt, ...]], list[Run], float]:
    """The prompts of each path, the runs of all, and the seconds these took."""
    panel, plan, runs = load(), settings.plan, list[Run]()
    with closing(open_backend(settings, lambda text: print(text, file=sys.stderr))) as backend:
        info = backend.describe()
        budget = window_budget(panel, plan, plan.context)
        asked = {path: prompts(cut(target(path), budget), panel, plan, info.name) for path in paths}
        start = time.monotonic()
        sitting = Sitting(runs.append, lambda _: None, step, time.monotonic)
        sample([prompt for some in asked.values() for prompt in some], plan, backend, sitting)
        return asked, runs, time.monotonic() - start


def step(at: Progress) -> None:
    print(f"{at.done} of {at.total}, {at.elapsed:.0f} s: {at.prompt.path} {at.prompt.bucket}", file=sys.stderr)


def report(asked: dict[str, tuple[Prompt, ...]], runs: Sequence[Run], table: dict[str, tuple[Seeded, ...]]) -> None:
    """One row for each file and bucket, and one for all."""
    names = ("file", "bucket", "samples", "valid", "missed head", "missed tail", "missed both", "good", "good missed both")
    print("| " + " | ".join(names) + " |\n|" + "---|" * len(names))
    total = [0] * 7
    for path, some in asked.items():
        for prompt in some:
            readings = [read(run, prompt) for run in runs if run.prompt == prompt.key]
            row = counts(readings, prompt.bucket, table[path])
            total = [a + b for a, b in zip(total, row, strict=True)]
            print("| " + " | ".join((path, prompt.bucket, *map(str, row))) + " |")
    print("| all | | " + " | ".join(map(str, total)) + " |")


def counts(readings: Sequence[Reading], bucket: str, seeded: Sequence[Seeded]) -> list[int]:
    """Samples, valid ones, those that missed head, tail and both, good ones, and good ones that missed both."""
    valid = [reading for reading in readings if reading.canaries is not None]
    good = [r for r in valid if found(seeded, [(claim.line, f"{bucket}::{claim.check}") for claim in r.claims])[0]]
    missed = [[reading for reading in some if not any(reading.canaries or ())] for some in (valid, good)]
    heads = sum(not (reading.canaries or (True, True))[0] for reading in valid)
    tails = sum(not (reading.canaries or (True, True))[1] for reading in valid)
    return [len(readings), len(valid), heads, tails, len(missed[0]), len(good), len(missed[1])]


if __name__ == "__main__":
    main()
