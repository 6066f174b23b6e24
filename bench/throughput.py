"""venire against a plain loop of single requests: the same server, model, files and N, in one run. Needs the embedded model.

Usage: throughput.py [--runs N] [--cap SECONDS] [FILE ...]. A file is one of those in targets/truth.json. The two sides take turns
at going first; no file is begun that would, by the time the last one took, end after the cap. Tokens are the server's own counts.
Beside the wall time stands the processor time of the server (Linux), which other work on the machine disturbs less.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from filelock import FileLock
from subjects import Seeded, found, target, truth

from venire.assess.replies import read
from venire.change import cut
from venire.config import Settings
from venire.model import Run, Target
from venire.panel import load, prompts, window_budget
from venire.sample import Backend, Sitting, sample
from venire.sample.backends.openai import OpenAI
from venire.sample.choose import cache_folder
from venire.sample.weights import PINNED

CONTEXT = 8192  # tokens of one slot
REPLY_TOKENS = 1024
SERVE = """
import os, sys
os.putenv("OMP_WAIT_POLICY", "passive")
import xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.model_alias = sys.argv[1], {sys.argv[2]}
p.n_parallel, p.n_ctx, p.cache_ram_mib, p.ui, p.endpoint_metrics = int(sys.argv[3]), int(sys.argv[4]), 0, False, True
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = os.cpu_count()
p.verbosity = 1
server = xllamacpp.Server(p)
print(server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
"""
COUNTERS = {"read": "llamacpp:prompt_tokens_total", "written": "llamacpp:tokens_predicted_total"}


@dataclass
class Side:
    """What one side took and gave. ``samples`` are its requests for a whole review of a file; tokens are read and written."""

    name: str
    seconds: float = 0.0
    cpu: float = 0.0
    samples: int = 0
    invalid: int = 0
    claims: int = 0
    near: int = 0
    named: int = 0
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTERS, 0))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cap", type=float, default=420)
    parser.add_argument("files", nargs="*", metavar="FILE")
    known = parser.parse_args()
    table = {path: rows for path, rows in truth().items() if path in known.files or not known.files}
    settings = Settings(runs=known.runs, scope="file", context=CONTEXT, reply_tokens=REPLY_TOKENS, seed=1)
    venire, plain = Side("venire"), Side("plain loop")
    asked: list[str] = []
    with serving(settings) as (url, server):
        backend = OpenAI(host=url, model=PINNED.name, plan=settings.plan)
        backend.describe()
        start, last = time.monotonic(), 0.0
        for path, seeded in table.items():
            begun = time.monotonic()
            if begun - start + last > known.cap:
                break
            turns = [(venire, panel_of(settings, backend)), (plain, loop_of(settings, url))]
            for side, claims_of in turns if len(asked) % 2 == 0 else reversed(turns):
                measured(side, (url, server), seeded, lambda ask=claims_of, path=path, side=side: ask(target(path), side))
            last = time.monotonic() - begun
            asked.append(path)
    report(venire, plain, asked, sum(len(table[path]) for path in asked), known.runs)


@contextmanager
def serving(settings: Settings) -> Iterator[tuple[str, int]]:
    """llama.cpp's server with a slot for every run, in a process of its own that ends when its stdin does; its address and pid.

    It holds the lock of the embedded engine: an audit on the same cores would spoil the times of both.
    """
    cache = cache_folder(settings)
    model = cache / "models" / PINNED.file
    command = [sys.executable, "-c", SERVE, str(model), PINNED.name, str(settings.runs), str(settings.runs * CONTEXT)]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with (
        FileLock(cache / "embedded.lock"),
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, text=True) as child,
    ):
        assert child.stdin is not None  # noqa: S101 - they are pipes
        assert child.stdout is not None  # noqa: S101
        yield next(line.strip() for line in iter(child.stdout.readline, "") if line.startswith("http://")), child.pid
        child.stdin.close()
        child.wait(30)


def measured(side: Side, server: tuple[str, int], seeded: Sequence[Seeded], ask: Any) -> None:
    """Time, tokens and finds of one side on one file, added to what it has."""
    url, pid = server
    before, start, cpu = counters(url), time.monotonic(), processor(pid)
    claims = ask()
    took = time.monotonic() - start
    side.seconds += took
    side.cpu += processor(pid) - cpu
    after = counters(url)
    for name in COUNTERS:
        side.tokens[name] += after[name] - before[name]
    near, named = found(seeded, claims)
    side.claims, side.near, side.named = side.claims + len(claims), side.near + near, side.named + named
    say = f"{took:.0f} s, {processor(pid) - cpu:.0f} s of the processor, {len(claims)} claims"
    print(f"{side.name}: {say}, {near} ({named}) of {len(seeded)} seeded", file=sys.stderr)


def counters(url: str) -> dict[str, int]:
    rows = dict(
        row.rsplit(" ", 1) for row in httpx.get(f"{url}/metrics", trust_env=False, timeout=60).text.splitlines() if row[:1] != "#"
    )
    return {name: round(float(rows[key])) for name, key in COUNTERS.items()}


def processor(pid: int) -> float:
    """Seconds of processor time, all threads; 0 where the system does not tell it this way."""
    path = Path(f"/proc/{pid}/stat")
    if not path.is_file():
        return 0.0
    words = path.read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def panel_of(settings: Settings, backend: Backend) -> Any:
    """venire's way: every bucket of the shipped panel, through the real sampler, warm-ups and retries included."""
    panel, plan = load(), settings.plan

    def claims(of: Target, side: Side) -> list[tuple[int, str]]:
        asked = prompts(cut(of, window_budget(panel, plan, plan.context)), panel, plan, PINNED.name)
        runs: list[Run] = []
        sitting = Sitting(runs.append, lambda _: None, lambda _: None, time.monotonic)
        sample(asked, plan, backend, sitting, parallel=plan.runs)
        by_key = {prompt.key: prompt for prompt in asked}
        readings = [read(run, by_key[run.prompt]) for run in runs]
        side.samples += len(readings)
        side.invalid += sum(not reading.is_valid for reading in readings)
        return [(claim.line, f"{r.run.bucket}::{claim.check}") for r in readings for claim in r.claims]

    return claims


# ---------------------------------------------------------------- the plain loop

CATEGORIES = (
    "SQLInjection", "CommandInjection", "CodeInjection", "PathTraversal", "UnsafeDeserialization", "HardcodedSecret",
    "CrossSiteScripting", "DisabledVerification", "WeakCryptography", "RequestForgery", "NoneDereference", "OffByOne",
    "ResourceLeak", "SwallowedError", "WrongCondition", "DivisionByZero", "EmptyInput", "ChangedWhileWalked", "SharedDefault",
    "RaceCondition", "Other",
)  # fmt: skip
FINDING = {
    "type": "object",
    "properties": {
        "line_number": {"type": "integer"},
        "category": {"type": "string", "enum": list(CATEGORIES)},
        "severity": {"type": "string", "enum": ["low", "medium", "high"]},
        "description": {"type": "string"},
    },
    "required": ["line_number", "category", "severity", "description"],
}
SCHEMA = {"type": "object", "properties": {"findings": {"type": "array", "items": FINDING}}, "required": ["findings"]}
SYSTEM = "You are an expert auditor of Python code. You answer in JSON only."
USER = """Audit the following file for bugs and security problems. Report every problem you find.

Every finding has a line_number, a category, a severity and a description. Answer with JSON that follows this schema:

{schema}

{path}:

```python
{code}
```
"""


def loop_of(settings: Settings, url: str) -> Any:
    """The plain way: the whole file, numbered, in one prompt with the schema pretty-printed, sent once for each run."""
    plan = settings.plan

    def claims(of: Target, side: Side) -> list[tuple[int, str]]:
        code = "\n".join(f"{number}: {line}" for number, line in enumerate(of.lines, 1))
        text = USER.format(schema=json.dumps(SCHEMA, indent=2), path=of.path, code=code)
        said: list[tuple[int, str]] = []
        for run in range(plan.runs):
            findings = replied(url, text, plan.sampling.seed + run)
            side.samples += 1
            side.invalid += findings is None
            said += [(finding["line_number"], finding["category"]) for finding in findings or ()]
        return said

    return claims


def replied(url: str, text: str, seed: int) -> list[dict[str, Any]] | None:
    """The findings of one reply; None when it was cut or is no JSON. Sampling as venire's."""
    body = {
        "model": PINNED.name,
        "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}],
        "seed": seed,
        "max_tokens": REPLY_TOKENS,
        "temperature": 0.7,
        "top_k": 40,
        "top_p": 0.9,
        "min_p": 0.0,
        "cache_prompt": True,
        "response_format": {"type": "json_schema", "json_schema": {"name": "findings", "schema": SCHEMA}},
    }
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, trust_env=False, timeout=300).raise_for_status().json()
    try:
        return list(json.loads(answer["choices"][0]["message"]["content"])["findings"])
    except ValueError:
        return None


# ---------------------------------------------------------------- in words


def report(venire: Side, plain: Side, asked: Sequence[str], seeded: int, runs: int) -> None:
    print(f"{PINNED.name}, {runs} runs, {seeded} seeded defects in {', '.join(asked)}\n")
    print("| | venire | plain loop | ratio |\n|---|---|---|---|")
    pairs = {
        "seconds": (venire.seconds, plain.seconds),
        "processor seconds of the server": (venire.cpu, plain.cpu),
        "prompt tokens evaluated": (venire.tokens["read"], plain.tokens["read"]),
        "tokens written": (venire.tokens["written"], plain.tokens["written"]),
        "samples": (venire.samples, plain.samples),
        "of them invalid": (venire.invalid, plain.invalid),
        "claims": (venire.claims, plain.claims),
        "seeded defects found, line only": (venire.near, plain.near),
        "seeded defects found, line and name": (venire.named, plain.named),
        "seconds per defect, line only": (per(venire.seconds, venire.near), per(plain.seconds, plain.near)),
        "seconds per defect, line and name": (per(venire.seconds, venire.named), per(plain.seconds, plain.named)),
        "processor seconds per defect, line only": (per(venire.cpu, venire.near), per(plain.cpu, plain.near)),
        "processor seconds per defect, line and name": (per(venire.cpu, venire.named), per(plain.cpu, plain.named)),
    }
    for name, (ours, theirs) in pairs.items():
        ratio = f"{ours / theirs:.2f}" if theirs and theirs != float("inf") else "–"
        print(f"| {name} | {ours:,.0f} | {theirs:,.0f} | {ratio} |", flush=True)


def per(seconds: float, defects: int) -> float:
    return seconds / defects if defects else float("inf")


if __name__ == "__main__":
    main()
