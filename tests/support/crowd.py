"""A sealed record with hundreds of severe candidates, each told at length: more than a comment takes."""

from pathlib import Path

from support.records import MODEL, REPORT, audit, findings, panel, record, run, target, write

from venire.model import Plan
from venire.panel import prompts

MANY = 400
AT_ONCE = 5  # findings a reply may hold


def crowd(folder: Path) -> Path:
    """The record's path. It is of a working tree, so of no commit."""
    about = target("deep/" * 30 + "app.py", "".join(f"def f{number}(name):\n    run(name)\n\n\n" for number in range(MANY)))
    (ask,) = prompts(about, panel(), Plan(), MODEL, "findings")
    claims = [(4 * number + 2, f"Name {number} reaches a shell: {'🙂' * 200}", "check_1", "high") for number in range(MANY)]
    count = MANY // AT_ONCE
    runs = [run(ask, 1 + part, findings(about, *claims[part * AT_ONCE : (part + 1) * AT_ONCE])) for part in range(count)]
    with write(folder, record([about], [ask], runs, header=audit(count))) as writer:
        writer.seal("complete", REPORT, 1000)
        return writer.path
