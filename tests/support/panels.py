"""A panel of scripted models through the real layers, without git or a clock: criteria → prompts → samples → record → reports."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from support.pools import PROSE

from venire.assess import assess
from venire.change import cut
from venire.model import Audit, Contract, Plan, Pool, Record, Seat, Source, Target
from venire.panel import load, prompts
from venire.record import Writer, read
from venire.report import render
from venire.sample import Backend, Sitting, sample
from venire.sample.backends.scripted import Scripted

CODE = 'import db\n\n\ndef read(path):\n    rows = db.run("select " + path)\n    return rows[1]\n'
CRITERIA = """\
buckets:
  - name: security
    checks: [{text: SQL is built with bound parameters., severity: high}, No secret is in the code., Input is checked.]
  - name: logic
    checks: [Indexes are in range., "[security] A name says what it holds."]
"""
WARM_UP = {"run": 0, "text": "{}"}

FIVE = Plan(runs=5)

Replies = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Member:
    """A model on the panel, and what it says; its warm-ups are sound unless the replies say otherwise."""

    name: str
    replies: Replies
    contract: Contract = "findings"
    runs: int = 0


def target(path: str = "app.py", code: str = CODE, budget: int = 100_000) -> Target:
    """A file that was changed everywhere, cut into windows."""
    bare = Target(path, sha256(code.encode()).hexdigest(), code, "python", ())
    return cut(replace(bare, changed=((1, len(bare.lines)),)), budget)


@dataclass(frozen=True)
class Court:
    """A folder with criteria, scripts and records in it. ``plan`` holds for all members."""

    folder: Path
    members: Sequence[Member]
    criteria: str = CRITERIA
    targets: Sequence[Target] = (target(),)
    plan: Plan = FIVE

    def audit(self, *, parallel: int = 1, around: Callable[[Backend], Backend] = lambda backend: backend) -> Path:
        """Draw and seal a record, always of the same id, start and (constant) clock; ``around`` may stand before a backend."""
        asked = load([self._file("criteria.yml", self.criteria)])
        seats = tuple(Seat(m.name, "scripted", runs=m.runs, contract=m.contract) for m in self.members)
        questions = [p for t in self.targets for s in seats for p in prompts(t, asked, self.plan, s.model, s.contract)]
        header = Audit("fixed", "venire", "2026-01-02T03:04:05Z", Source("worktree"), self.plan, asked, len(questions), seats)
        backends = [around(self._backend(member)) for member in self.members]
        with Writer.create(self.folder / "records", header) as writer:
            for value in (*(backend.describe() for backend in backends), *self.targets, *questions):
                writer.append(value)
            sitting = Sitting(writer.append, writer.append_warmup, lambda step: None, lambda: 0.0, lambda seconds: None)
            for seat, backend in zip(seats, backends, strict=True):
                own = replace(self.plan, runs=header.runs(seat.model))
                sample([q for q in questions if q.model == seat.model], own, backend, sitting, parallel=parallel)
            whole = replace(writer.record, stop="complete")
            writer.seal("complete", sha256(render(assess(whole), "json").encode()).hexdigest(), 0)
            return writer.path

    def record(self, **how: Any) -> Record:
        """The record, read back from the disk."""
        return read(self.audit(**how))

    def pool(self, **how: Any) -> Pool:
        return assess(self.record(**how))

    def _backend(self, member: Member) -> Scripted:
        model = {"name": member.name, "digest": sha256(member.name.encode()).hexdigest()}
        script = {"model": model, "replies": [*member.replies, WARM_UP]}
        return Scripted(self._file(f"{member.name}.json", json.dumps(script)))

    def _file(self, name: str, text: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        return self.folder / name


def reports(pool: Pool, forms: Sequence[str] = PROSE) -> dict[str, str]:
    """The pool in every form that tells everything in words."""
    return {form: render(pool, form) for form in forms}


def words(text: str) -> str:
    """A report without its layout."""
    return " ".join(text.replace("┃", " ").split())


def score(pool: Pool) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Votes that pass, fail and are missing, by bucket and check; of a panel asked about one window."""
    return {(s.bucket, s.check): (s.passed, s.failed, s.no_vote) for s in pool.scores}


def finding(line: int = 5, check: str = "check_1", **more: Any) -> dict[str, Any]:
    return {"line": line, "problem": "The path is joined into the SQL.", "check": check, "severity": "medium", **more}
