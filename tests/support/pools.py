"""Pools for tests: whole ones that add up, and ``poison``, which puts a text wherever a pool can hold foreign text."""

from collections import Counter
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from venire.model import (
    AnchorVotes,
    Audit,
    Bucket,
    Candidate,
    Check,
    Counts,
    Coverage,
    Decision,
    Evidence,
    Failure,
    Gate,
    Gone,
    Label,
    Lane,
    ModelInfo,
    Panel,
    Plan,
    Pool,
    Sampling,
    Score,
    Severity,
    Skipped,
    Source,
    Strict,
)

HEAD = "4f6b0c9d21aa7e53b8d0c4e19f2a6b7780d1c35e9ab4f0627c18d9e3b5a4f601"
MODEL = ModelInfo(
    backend="ollama",
    name="qwen2.5-coder:7b",
    engine="ollama 0.33.0",
    digest="dae161e27b0e90dd1856c8bb3209201fd6736d8eb66298e75ed87571486f4364",
    quantization="Q4_K_M",
    parameters="7.6B",
    context=8192,
    gpu_share=1.0,
)
TEXTS = {
    ("security", "check_1"): ("SQL statements are built with bound parameters, never by joining strings", "injection", "CWE-89"),
    ("security", "check_2"): ("Secrets are read from outside the code", "secret", "CWE-798"),
    ("correctness", "check_1"): ("Every opened file or connection is closed on every path", "leak", "CWE-772"),
    ("correctness", "check_2"): ("Loops and slices end where the data ends", "bounds", "CWE-193"),
    ("correctness", "check_3"): ("Errors are handled or passed on, never swallowed", "errors", "CWE-391"),
}


def panel() -> Panel:
    """Two buckets with five checks."""
    checks = [
        Check(bucket, id, f"{bucket[:3]}{id[-1]}c0ffee0"[:12].ljust(12, "0"), text, Severity.LOW, family, (tag,))
        for (bucket, id), (text, family, tag) in TEXTS.items()
    ]
    names = dict.fromkeys(check.bucket for check in checks)
    return Panel(tuple(Bucket(name, tuple(check for check in checks if check.bucket == name)) for name in names))


def label(key: str, support: int) -> Label:
    """A label by its vote key, ``bucket::check``."""
    bucket, _, check = key.partition("::")
    found = next(one for box in panel().buckets for one in box.checks if (one.bucket, one.id) == (bucket, check))
    return Label(bucket, check, found.content, found.text, found.family, found.tags, support)


def wilson(k: int, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Wilson's interval (1927), 95 %, rounded so that no platform's last digit shows."""
    middle, spread = (k + z * z / 2) / (n + z * z), z / (n + z * z) * (k * (n - k) / n + z * z / 4) ** 0.5
    return round(max(0.0, middle - spread), 6), round(min(1.0, middle + spread), 6)


def candidate(support: int = 45, valid: int = 51, first: int = 16, **changes: Any) -> Candidate:
    """A card for a file that is never closed; votes fall on its first line and the next."""
    on_first = (support + 1) // 2
    base = Candidate(
        id="c-3fa91b2c",
        path="src/store.py",
        scope="load",
        first=first,
        last=first + 1,
        code=((first, "    handle = open(path)"), (first + 1, "    return handle.read()")),
        lane=Lane.FREQUENT,
        support=support,
        valid=valid,
        asked=valid,
        interval=wilson(support, valid),
        severity=Severity.MEDIUM,
        severities=((Severity.MEDIUM, support),),
        labels=(label("correctness::check_1", support),),
        lines=tuple((line, runs) for line, runs in ((first, on_first), (first + 1, support - on_first)) if runs),
        located=(("exact", support),),
        problem="The file is opened and never closed.",
        problem_runs=1,
        problems=("The file is opened and never closed.",),
        strict=Strict(first, "correctness", "check_1", on_first, 2 * on_first > valid, 2),
        models=((MODEL.name, support, valid),),
        anchors=(AnchorVotes("1f" * 10, "2f" * 10, "load", first, first, support, False),),
        findings=support,
        is_weak=False,
    )
    return replace(base, **changes)


def coverage(**changes: Any) -> Coverage:
    return replace(Coverage("src/store.py", "python", 120, 41, 1, 51, 51, 51, (), ()), **changes)


def counts(candidates: tuple[Candidate, ...], samples: int, valid: int, repeats: int = 0) -> Counts:
    """Counts that add up over the candidates."""
    findings = sum(one.findings for one in candidates)
    lanes = Counter(one.lane for one in candidates)
    return Counts(
        samples=samples,
        valid=valid,
        findings=findings,
        repeats=repeats,
        votes=findings - repeats,
        regions=len(candidates),
        candidates=len(candidates),
        lanes=tuple((lane, lanes[lane]) for lane in Lane),
        prompt_tokens=81_234,
        reply_tokens=3_210,
        ms=200_400,
    )


def pool(*candidates: Candidate, runs: int = 51, valid: int | None = None, repeats: int = 0, **changes: Any) -> Pool:
    """A complete audit of one file by one model, unless ``changes`` say otherwise."""
    valid = runs if valid is None else valid
    checks = [check for bucket in panel().buckets for check in bucket.checks]
    path = candidates[0].path if candidates else "src/store.py"
    told = {(label.bucket, label.check) for candidate in candidates if candidate.path == path for label in candidate.labels}
    failed = {(check.bucket, check.id): valid // 3 if (check.bucket, check.id) in told else 0 for check in checks}
    scores = tuple(
        Score(path, 0, c.bucket, c.id, c.content, valid - failed[c.bucket, c.id], failed[c.bucket, c.id], runs - valid)
        for c in checks
    )
    base = Pool(
        audit=Audit(
            id="9d3c51e07f24",
            tool="venire 0.1.0",
            started="2026-11-02T09:15:00Z",
            source=Source("range", "main...HEAD", "a" * 40, "b" * 40),
            plan=Plan(runs=runs, sampling=Sampling(seed=0)),
            panel=panel(),
        ),
        head=HEAD,
        status="complete",
        reasons=(),
        models=(MODEL,),
        asked=runs,
        valid=valid,
        candidates=candidates,
        scores=scores,
        coverage=(coverage(asked=2 * runs, valid=2 * valid, complete_runs=valid),),
        failures=(),
        skipped=(),
        counts=counts(candidates, 2 * runs, 2 * valid, repeats),
        stop="complete",
        ms=200_400,
    )
    return replace(base, **changes)


def rare_and_severe(valid: int = 51) -> Candidate:
    """A severe card that one run reported."""
    return candidate(
        1,
        valid,
        id="c-0badc0de",
        path="src/query.py",
        scope="find_user",
        first=9,
        last=9,
        code=((9, "    cursor.execute(f\"SELECT * FROM users WHERE name = '{name}'\")"),),
        lane=Lane.SEVERE,
        severity=Severity.HIGH,
        severities=((Severity.HIGH, 1),),
        labels=(label("security::check_1", 1),),
        lines=((9, 1),),
        problem="The user's name is put into the SQL text.",
        problems=("The user's name is put into the SQL text.",),
        strict=Strict(9, "security", "check_1", 1, False, 1),
    )


def severe_among_frequent() -> Pool:
    """One severe candidate of 1 run among 40 frequent ones and 30 skipped files, after 51 runs."""
    frequent = tuple(candidate(51 - number // 2, id=f"c-{number:08x}", first=16 + 4 * number) for number in range(1, 41))
    skipped = tuple(Skipped(f"vendor/lib_{number:02}.bin", "binary") for number in range(30))
    return pool(rare_and_severe(), *frequent, skipped=skipped)


def clean() -> Pool:
    """A complete audit in which every run was silent."""
    return pool(runs=5)


def inconclusive() -> Pool:
    """Four of five runs failed; the one valid run was silent."""
    failures = tuple(
        Failure("src/store.py", 0, bucket, MODEL.name, run, 4, "length: the reply ended at 1024 tokens")
        for bucket in ("security", "correctness")
        for run in (1, 2, 4, 5)
    )
    reasons = ("1 of 5 runs valid, fewer than half",)
    return pool(runs=5, valid=1, status="inconclusive", reasons=reasons, failures=failures)


def nothing() -> Pool:
    """No target: two files, both skipped, and no model asked."""
    skipped = (Skipped("logo.png", "binary"), Skipped("docs/old.md", "deleted"))
    empty = replace(counts((), 0, 0), prompt_tokens=0, reply_tokens=0, ms=0)
    base = pool(runs=5, valid=0, status="nothing", models=(), skipped=skipped, coverage=(), scores=(), counts=empty, ms=0)
    return replace(base, asked=0)


def troubled() -> Pool:
    """A partial audit: failures, gaps, a weak place, clamped lines, labels at odds, all four lanes, a time limit."""
    swallowed = candidate(
        3, 3, asked=5, id="c-51a110ed", first=40, last=41, scope="read_config", lane=Lane.FREQUENT,
        code=((40, "    except Exception:"), (41, "\tpass")), lines=((40, 2), (41, 1)),
        labels=(label("correctness::check_3", 1), label("correctness::check_1", 1), label("security::check_2", 1)),
        severities=((Severity.MEDIUM, 2), (Severity.LOW, 1)), problem="The error is ignored.", problem_runs=1,
        problems=("The error is ignored.", "The handle stays open.", "The password is lost."), findings=4,
        strict=Strict(40, "correctness", "check_1", 1, False, 3),
    )  # fmt: skip
    weak = candidate(
        1, 3, asked=5, id="c-0000beef", path="deploy/run.sh", scope="", first=12, last=14, lane=Lane.REST, is_weak=True,
        code=((12, 'for f in $(ls "$1"); do'), (13, "  rm -rf $f"), (14, "done")), severity=Severity.LOW,
        severities=((Severity.LOW, 1),), lines=((900, 1),), located=(("clamped", 1), ("snapped", 1)), findings=2,
        labels=(label("correctness::check_2", 1),), problem="A name with a space is split.",
        problems=("A name with a space is split.",), strict=Strict(900, "correctness", "check_2", 1, False, 1),
    )  # fmt: skip
    outside = candidate(1, 3, asked=5, id="c-0000f00d", first=80, last=80, code=((80, "    return rows[:-1]"),),
                        lane=Lane.OUTSIDE, lines=((80, 1),))  # fmt: skip
    severe = replace(rare_and_severe(3), asked=5)
    failures = (
        *(Failure("src/store.py", 0, "security", MODEL.name, run, 1, "cut: the time budget ended it") for run in (4, 5)),
        Failure("deploy/run.sh", 0, "correctness", MODEL.name, 4, 4, 'the reply has unknown ids: ["check_99"]'),
    )
    return pool(
        severe, swallowed, weak, outside, runs=5, valid=3, repeats=1, status="partial", stop="max-time", failures=failures,
        reasons=("the time budget of 120 s ended sampling", "1 file was skipped that should have been audited"),
        skipped=(Skipped("data/huge.json", "too large", "48 MB", is_gap=True), Skipped("logo.png", "binary")),
        coverage=(coverage(uncovered=((60, 70), (75, 75)), asked=10, valid=8, complete_runs=3),
                  coverage(path="deploy/run.sh", language="shell", lines=40, changed=3, asked=10, valid=9, complete_runs=4,
                           notes=("no syntax tree for shell: places are paragraphs",))),
        warnings=("the model was loaded again between two samples",),
    )  # fmt: skip


def judged() -> Pool:
    """A second audit of a change: decisions, evidence, what is new, still there, moved and not seen again, a gate reached."""
    confirm = Decision(
        "c-0badc0de", "confirm", "jo", "2026-11-02T08:00:00Z", "The name comes from a request.", "src/query.py", ()
    )
    dismiss = replace(confirm, candidate="c-0d15a155", verdict="dismiss", why="Read only at start.", path="src/settings.py")
    severe = replace(
        rare_and_severe(), decision=confirm, since="still", evidence=(Evidence("bandit", "B608", "src/query.py", 9, 9, "SQL"),)
    )
    frequent = candidate(since="new", evidence=(Evidence("ruff", "SIM115", "src/store.py", 16, 17),))
    moved = candidate(4, id="c-0000a0ed", first=90, lane=Lane.REST, since="moved")
    dismissed = candidate(
        9, id="c-0d15a155", first=70, lane=Lane.DISMISSED, since="still", decision=dismiss, path="src/settings.py"
    )
    gate = Gate("acknowledge", True, ("c-3fa91b2c has no decision: venire decide c-3fa91b2c confirm --why TEXT",))
    return pool(
        severe, frequent, moved, dismissed, gone=(Gone(candidate(12, id="c-00009014", first=200), 51, asked=51),), gate=gate,
        altered=("venire.yml", ".venire/decisions.yml"), warnings=("the model was loaded again between two samples",),
    )  # fmt: skip


def crowd(severe: int = 5, frequent: int = 25, rest: int = 30) -> Pool:
    """Many candidates in three lanes, each in a function of its own."""

    def made(number: int, lane: Lane, support: int) -> Candidate:
        severity = Severity.HIGH if lane is Lane.SEVERE else Severity.MEDIUM
        keys = ("security::check_1", "correctness::check_1", "correctness::check_3")
        return candidate(
            support, id=f"c-{lane.value[:4]}{number:05}", first=10 + 7 * number, path=f"src/app/module_{number % 9}.py",
            lane=lane, severity=severity, severities=((severity, support),), labels=(label(keys[number % 3], support),),
        )  # fmt: skip

    return pool(
        *(made(number, Lane.SEVERE, max(1, 51 - 12 * number)) for number in range(severe)),
        *(made(number, Lane.FREQUENT, max(26, 50 - number)) for number in range(frequent)),
        *(made(number, Lane.REST, max(1, 25 - number)) for number in range(rest)),
    )


POOLS = {
    "severe-rare": severe_among_frequent,
    "clean": clean,
    "inconclusive": inconclusive,
    "nothing": nothing,
    "partial": troubled,
}
"""The pools whose whole reports are kept as snapshots."""

PROSE = ("terminal", "markdown", "json", "summary")
"""The forms that tell everything in the words of ``wording``."""

FIXED = {"status", "mode", "stop", "verdict", "policy", "since"}
"""Fields that hold one of a few words of ours."""


def poison(value: Any, text: str) -> Any:
    """The same value with ``text`` in every string that a model, a repository or a file may have written."""
    if is_dataclass(value) and not isinstance(value, type):
        kept = FIXED | ({"scope"} if isinstance(value, Plan) else {"reason"} if isinstance(value, Skipped) else set())
        changed = {f.name: poison(getattr(value, f.name), text) for f in fields(value) if f.init and f.name not in kept}
        return replace(value, **changed)
    if isinstance(value, tuple):
        # Where a finding was located is a word of ours, not of theirs.
        return tuple(one if one in ("exact", "snapped", "clamped", "file") else poison(one, text) for one in value)
    return text if isinstance(value, str) and not isinstance(value, Enum) and value else value


FRAGMENTS = (
    "[a](https://e.example/?d=1)", "![x](https://e.example/p.png)", "[r][r]\n\n[r]: https://e.example", "<https://e.example>",
    "https://e.example", "www.e.example", "a@e.example", "<img src=x onerror=y>", "<a href=x>", "<script>", "</details>",
    "<!-- venire -->", "-->", "&lt;", "[^1]", "$`x`$", "```", "````", "`", "``", "~~~", "|", "---", "===", "# ", "- ", "> ",
    "1. ", "    ", "**", "_", "~~", "\\", "@org/team", "#123", "GH-1", "0123456789abcdef0123456789abcdef01234567", "/approve",
    "fixes #1", "::error::x", "::add-mask::x", "::stop-commands::x", "##[error]", "##", "[error]", ":", "[red]", "[/]", ":smile:",
    "\n", "\r", "\r\n", "\n\n", "\t", " ", "\x00", "\x07", "\x08", "\x1b[31m", "\x1b]52;c;aGk=\x07", "\x1b]8;;https://e\x1b\\",
    "\x1bP", "\x7f", "\x85", "\x9b31m", "\u200b", "\u2028", "\u202e", "\u2066", "\ufeff", "\ufe0f", "\U000e0041", "\ud800",
    "\u3000", "宽", "🦊", "e\u0301", "%0A::error::x", '"', "'", "{", "}",
)  # fmt: skip
"""What attacks on a terminal, a log, a comment or a parser are made of."""

evil = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3)), min_size=1, max_size=8).map("".join).filter(len)
"""Hostile text, never empty."""
