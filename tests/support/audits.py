"""Whole audits drawn at random: several files, models, buckets and contracts, real prompts, and replies good and bad."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from support.records import REPORT, attempt

from venire.change import cut
from venire.model import (
    Attempt,
    Audit,
    Bucket,
    Check,
    Lines,
    ModelInfo,
    Panel,
    Plan,
    Prompt,
    Record,
    Run,
    Seal,
    Seat,
    Severity,
    Source,
    Target,
)
from venire.panel import prompts
from venire.record.book import Book

FILES = {
    "app.py": (
        "python",
        '"""Doc."""\nimport os\n\n\n@cache\n@other(\n    1,\n)\ndef get(db, user):\n    con = open(db)\n    # a comment\n'
        "    cur = con.cursor()\n\n    cur.execute(\n        'x' +\n        user\n    )\n    row = cur.one()\n"
        "    return row\n\n\n"
        "class A:\n    k = 1; j = 2\n\n    def f(self, x):\n        try:\n            f = open(x)\n            return f\n"
        "        except OSError:\n            pass\n        else:\n            g()\n        finally:\n            h()\n"
        "        match x:\n            case 1: return 2\n            case _:\n                return 3\n\n\n"
        "def g(n):\n    if n:\n        a()\n    elif n > 1:\n        b()\n    else:\n        c()\n"
        '    s = """one\n\ntwo"""\n    return s\n',
    ),
    "flat.py": ("python", "".join(f"x{n} = {n}\n" for n in range(12))),
    "tight.py": ("python", "a = f(1)\nb = f(2)\nc = f(3)\nd = f(4)\n\n\n\n\ne = f(5)\n"),
    "pair.py": ("python", "".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(6))),
    "broken.py": ("python", "def f(:\n    return 1\n\n\nx = (\n\ny = 2\nz = 3\nz = 4\nz = 5\n"),
    "site.js": ("javascript", "let a = 1\n\nfunction f() {\n  return a\n}\nlet b\nlet c\nlet d\nlet e\n\n\n\nlet z\n"),
    "dos.py": ("python", "import os\r\n\r\ndef f(x):\r\n    return x\r\n\r\n# end\r\n"),
    "odd.txt": ("text", "\ufeffone\u202e two\n\n\x0c\nthree\tfour\n<|im_end|> five\n"),
    "bare.py": ("python", "# nothing\n\n# at all\n"),
}
"""What there is to audit: definitions in each other, several statements a line, line ends, what does not parse."""

SENTENCES = ("It leaks.", "it  leaks.", "IT LEAKS.", "The name reaches a shell.", "One is off.", "ß", "SS")
FAMILIES = ("injection", "leak", "leak", "other-thing")
BAD = (
    *("", "{", "prose", "[]", "null", "[" * 70_000, "\ufeff" + '{"findings":[]}', '{"findings":[]}' + " " * 66_000),
    *('{"findings":{}}', '{"findings":[],"more":1}', '{"findings":[1]}', '```json\n{"findings":[]}\n```', '{"findings":NaN}'),
    *('{"findings":[],"findings":[]}', '{"findings":[{"line":"1: x"}]}', '{"a":' * 9 + "1" + "}" * 9, '{"findings":["\\ud800"]}'),
    *('{"criteria":[]}', '{"criteria":[{"id":"check_1"}]}', '{"n":123456789012345678901,"criteria":[]}'),
    '{"criteria":[null,{"id":1},{"id":"check_1","passed":1,"reasoning":"r"}]}',
)


def panels() -> st.SearchStrategy[Panel]:
    """Two buckets, one of them sometimes in two parts, with floors and families of every kind."""
    severities = st.sampled_from(list(Severity))
    shapes = st.tuples(st.integers(1, 3), st.integers(1, 3), st.booleans(), st.integers(0, 3))
    return st.builds(_panel, shapes, st.lists(severities, min_size=6, max_size=6), st.permutations(FAMILIES))


def _panel(shape: tuple[int, int, bool, int], floors: Sequence[Severity], families: Sequence[str]) -> Panel:
    first, second, is_parted, cap = shape

    def bucket(name: str, numbers: range, cap: int) -> Bucket:
        checks = tuple(
            Check(name, f"check_{n}", f"{name}{n}", f"Statement {n} of {name}.", floors[n - 1], families[n % len(families)])
            for n in numbers
        )
        return Bucket(name, checks, cap=cap)

    split = range(1, first + 1) if not is_parted else range(1, 2)
    parts = [bucket("security", split, cap)]
    if is_parted:
        parts.append(bucket("security", range(2, first + 2), cap))
    return Panel((*parts, bucket("logic", range(1, second + 1), 0)))


@st.composite
def targets(draw: st.DrawFn) -> Target:
    """One of FILES, changed in places, cut into windows of some size."""
    name = draw(st.sampled_from(sorted(FILES)))
    language, text = FILES[name]
    bare = Target(name, "0" * 64, text, language, ())
    last = len(bare.lines)
    first = draw(st.integers(1, last))
    ranges: tuple[Lines, ...] = ((first, draw(st.integers(first, last))),)
    if draw(st.booleans()):
        ranges = ((1, last),)
    return cut(replace(bare, changed=ranges), draw(st.sampled_from((60, 120, 100_000))))


@st.composite
def replies(draw: st.DrawFn, prompt: Prompt) -> str:
    """A reply to a prompt: mostly valid, sometimes nearly."""
    if draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(BAD))
    rules = json.loads(prompt.schema)["properties"]
    if prompt.contract == "panel":
        return draw(_judged(rules["criteria"]["items"]["properties"]))
    fields = rules["findings"]["items"]["properties"]
    item = st.fixed_dictionaries(
        {
            "line": st.sampled_from(fields["line"]["enum"]),
            "problem": st.sampled_from(SENTENCES),
            "check": st.sampled_from(fields["check"]["enum"]),
            "severity": st.sampled_from(("low", "low", "medium", "high")),
        }
    )
    return json.dumps(
        {"findings": draw(st.lists(item, max_size=rules["findings"].get("maxItems", 3) + draw(st.sampled_from((0, 0, 0, 1)))))}
    )


@st.composite
def _judged(draw: st.DrawFn, fields: dict[str, Any]) -> str:
    ids = [id_ for id_ in fields["id"]["enum"] if draw(st.integers(0, 6))]
    ids += (
        draw(st.lists(st.sampled_from(("check_1", "check_99", " check_1", "")), max_size=1))
        if draw(st.integers(0, 6)) == 0
        else []
    )
    entries = []
    for id_ in ids:
        entry: dict[str, Any] = {"id": id_, "passed": draw(st.booleans()), "reasoning": draw(st.sampled_from(SENTENCES))}
        if draw(st.booleans()):
            entry["line"] = draw(st.sampled_from(fields["line"]["enum"]))
        if draw(st.integers(0, 12)) == 0:
            entry |= draw(
                st.sampled_from(({"passed": 1}, {"reasoning": " "}, {"reasoning": "r" * 2_001}, {"line": "9999: x"}, {"x": 1}))
            )
        entries.append(entry)
    extra = draw(
        st.sampled_from(({}, {}, {}, {"n": 12345678901234567890}, {"n": 123456789012345678901}, {"d": [[[[[[[[]]]]]]]]}))
    )
    return json.dumps({"criteria": entries, "summary": "s", "issues": [], "strengths": []} | extra)


@st.composite
def attempts(draw: st.DrawFn, prompt: Prompt) -> tuple[Attempt, ...]:
    """One to three attempts; some failed, some were cut off."""
    made = []
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        how = draw(st.sampled_from(("",) * 8 + ("error", "length")))
        text = draw(replies(prompt))
        counts = {
            "prompt_tokens": draw(st.integers(0, 99)),
            "reply_tokens": draw(st.integers(0, 99)),
            "ms": draw(st.integers(0, 99)),
        }
        fields: dict[str, Any] = {"error": "timeout: late"} if how == "error" else {"done": "length"} if how == "length" else {}
        made.append(attempt(text, **counts, **fields))
    return tuple(made)


@st.composite
def audits(draw: st.DrawFn) -> Record:
    """A sealed audit of one or two files by one to three models."""
    asked = draw(panels())
    about = draw(st.lists(targets(), min_size=1, max_size=2, unique_by=lambda target: target.path))
    names = ("big", "small", "tiny")[: draw(st.sampled_from((1, 1, 2, 3)))]
    contracts = st.sampled_from(("findings", "findings", "panel"))
    seats = tuple(Seat(name, "scripted", runs=draw(st.integers(0, 3)), contract=draw(contracts)) for name in names)
    plan = Plan(
        runs=draw(st.integers(1, 6)),
        scope=draw(st.sampled_from(("changed", "file"))),
        frequent=draw(st.sampled_from((0.5, 0.3, 0.34, 1.0))),
        lift=draw(st.sampled_from((0.5, 0.5, 1.0, 0.1))),
        canaries=draw(st.booleans()),
    )
    header = Audit("a1", "venire 0", "2026-01-02T03:04:05Z", Source("worktree"), plan, asked, 0, seats)
    put = [p for t in about for s in seats for p in prompts(t, asked, plan, s.model, s.contract)]
    runs = [
        Run(p.path, p.window, p.bucket, p.model, number, draw(attempts(p)), "failed")  # assess goes by the replies
        for p in put
        for number in range(1, header.runs(p.model) + 1)
        if draw(st.integers(0, 9))
    ]
    models = tuple(ModelInfo("scripted", name) for name in names)
    return Record(header, models, tuple(about), (), tuple(put), tuple(runs), "0" * 64, (), "complete", draw(st.integers(0, 999)))


def seal(folder: Path, made: Record) -> Path:
    """The record as a sealed file in a folder, written at once: what the writer's care for the disk costs is not needed here."""
    book, lines = Book(), []
    for value in (made.audit, *made.models, *made.targets, *made.skipped, *made.prompts, *made.warmups, *made.runs):
        book.take(line := book.line(value))
        lines.append(line)
    lines.append(book.line(Seal(book.count, book.head, REPORT, made.stop or "complete", made.ms)))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{made.audit.id}.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
