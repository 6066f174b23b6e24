"""What the benches ask about: small files with seeded defects, and the table of those, written before any measurement."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from venire.model import Target

ROOT = Path(__file__).resolve().parent.parent
NEAR = 2  # lines a claim may be off


@dataclass(frozen=True, slots=True)
class Seeded:
    """A defect we put there: its line, and the checks (``bucket::id``) and categories that name it."""

    line: int
    checks: tuple[str, ...]
    categories: tuple[str, ...]

    def is_near(self, line: int) -> bool:
        return abs(line - self.line) <= NEAR

    def is_named(self, line: int, name: str) -> bool:
        return self.is_near(line) and name in (*self.checks, *self.categories)


def truth() -> dict[str, tuple[Seeded, ...]]:
    """Path below the repository → its seeded defects."""
    table = json.loads((ROOT / "bench/targets/truth.json").read_text("utf-8"))
    return {
        path: tuple(Seeded(row["line"], tuple(row["checks"]), tuple(row["categories"])) for row in rows)
        for path, rows in table.items()
    }


def target(path: str) -> Target:
    """A whole file as an audit of every line of it sees it, under its bare name."""
    data = (ROOT / path).read_bytes()
    bare = Target(Path(path).name, sha256(data).hexdigest(), data.decode("utf-8"), "python", ())
    return Target(bare.path, bare.sha256, bare.text, bare.language, ((1, len(bare.lines)),))


def found(seeded: Iterable[Seeded], said: Iterable[tuple[int, str]]) -> tuple[int, int]:
    """Seeded defects among claims of (line, check or category): by line alone, and by line and name."""
    claims = list(said)
    rows = list(seeded)
    near = sum(any(row.is_near(line) for line, _ in claims) for row in rows)
    return near, sum(any(row.is_named(line, name) for line, name in claims) for row in rows)
