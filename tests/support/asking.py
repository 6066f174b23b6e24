"""Short builders for what a panel asks: targets, buckets, prompts, replies."""

import json
from collections.abc import Sequence

from venire.model import Bucket, Check, Contract, Lines, Panel, Plan, Prompt, Severity, Target, When, Window
from venire.panel import prompts

CODE = 'import db\n\n\ndef read(path):\n    rows = db.run("select " + path)\n\treturn rows[1]\n'


def target(
    text: str = CODE,
    path: str = "src/read.py",
    language: str = "python",
    changed: tuple[Lines, ...] = (),
    shown: Sequence[tuple[Lines, ...]] = (),
) -> Target:
    """A target, shown whole in one window unless told otherwise."""
    bare = Target(path, "0" * 64, text, language, changed)
    ranges = shown or (((1, max(len(bare.lines), 1)),),)
    windows = tuple(Window(index, lines) for index, lines in enumerate(ranges))
    return Target(path, "0" * 64, text, language, changed, windows)


def check(number: int = 1, text: str = "", *, bucket: str = "security", when: When | None = None) -> Check:
    words = text or f"Statement {number} holds."
    return Check(bucket, f"check_{number}", f"{number:012x}", words, Severity.LOW, f"{number:012x}", (), when or When())


def bucket(*checks: Check, name: str = "security", **rest: object) -> Bucket:
    return Bucket(name, checks or (check(1), check(2)), **rest)  # type: ignore[arg-type]


def prompt(
    asked: Bucket | None = None, about: Target | None = None, plan: Plan | None = None, contract: Contract = "findings"
) -> Prompt:
    """The first prompt of one bucket about one target."""
    return prompts(about or target(), Panel((asked or bucket(),)), plan or Plan(), "model:1b", contract)[0]


def judged(number: int = 1, passed: object = True, **changes: object) -> dict[str, object]:
    """A valid entry of the panel contract with some fields changed."""
    return {"id": f"check_{number}", "passed": passed, "reasoning": f"Reason {number}."} | changes


def panel_reply(*entries: object, **more: object) -> str:
    rest = {"summary": "All read.", "issues": [], "strengths": []} | more
    return json.dumps({"criteria": list(entries), **rest}, separators=(",", ":"))


def finding(**changes: object) -> dict[str, object]:
    """A valid finding about CODE with some fields changed."""
    base = {"line": "4: def read(path):", "problem": "It is wrong.", "check": "check_1", "severity": "low"}
    return base | changes


def reply(*findings: object, **more: object) -> str:
    return json.dumps({"findings": list(findings), **more}, separators=(",", ":"))
