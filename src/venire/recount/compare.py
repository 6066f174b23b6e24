"""The JSON report of a record → its figures by name; and two sets of figures → the first that differs."""

from dataclasses import dataclass
from math import isclose
from typing import Any

from venire.recount.count import LANES, SEVERITIES
from venire.recount.figures import Figures

ROUNDED = {"effective": 1e-4}
"""Figures a report rounds, and by how much at most; all others agree to nine digits."""
CLOSE = 1e-9
ABSENT = "nothing"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many figures were compared, and the first that differs: "" when none does."""

    compared: int
    difference: str = ""


def compare(report: dict[str, Any], recounted: Figures) -> Comparison:
    """A report's figures against those recounted. A figure that only one side has is a difference."""
    told = read_off(report)
    names = dict.fromkeys((*recounted, *told))
    for number, name in enumerate(names, 1):
        ours, theirs = recounted.get(name, ABSENT), told.get(name, ABSENT)
        if not _agree(ours, theirs, ROUNDED.get(name, CLOSE)):
            return Comparison(number, f"{name}: the report says {_shown(theirs)}, the recount {_shown(ours)}")
    return Comparison(len(names))


def _agree(a: Any, b: Any, close: float) -> bool:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(_agree(x, y, close) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return isclose(a, b, rel_tol=0, abs_tol=close)
    return bool(a == b)


def _shown(value: Any) -> str:
    return str(value) if len(str(value)) <= 200 else f"{str(value)[:200]}…"


# ---------------------------------------------------------------- a report


def read_off(report: dict[str, Any]) -> Figures:
    """The figures of a JSON report, under the names of ``figures``."""
    made: Figures = {name: report[name] for name in ("asked", "valid", "ms", "stop", "effective")}
    made |= _counts(report["counts"])
    made["failures"] = sorted((f["path"], f["window"], f["bucket"], f["model"], f["run"]) for f in report["failures"])
    made["ranking"] = [(c["lane"], c["support"], c["severity"], c["path"], c["first"]) for c in report["candidates"]]
    for s in report["scores"]:
        made[f"score {s['path']}[{s['window']}] {s['bucket']}::{s['check']}"] = s["passed"], s["failed"], s["no_vote"]
    for target in report["coverage"]:
        for name, field in (("complete", "complete_runs"), *((n, n) for n in ("lines", "changed", "windows", "asked", "valid"))):
            made[f"coverage {target['path']} {name}"] = target[field]
    for candidate in report["candidates"]:
        made |= _candidate(candidate)
    return made


def _counts(counts: dict[str, Any]) -> Figures:
    plain = {f"counts {name.replace('_', ' ')}": value for name, value in counts.items() if name != "lanes"}
    return plain | {f"counts lane {lane}": counts["lanes"][lane] for lane in LANES}


def _candidate(c: dict[str, Any]) -> Figures:
    leading = c["anchors"][0]
    name = f"candidate {c['path']}:{leading['first']}-{leading['last']}"
    told = {
        "scope": c["scope"],
        "lines": (c["first"], c["last"]),
        **{field: c[field] for field in ("lane", "support", "valid", "asked", "severity", "findings")},
        "interval": (c["interval"]["low"], c["interval"]["high"]),
        "severities": tuple(c["severities"][level] for level in SEVERITIES),
        "labels": [(label["bucket"], label["check"], label["support"]) for label in c["labels"]],
        "claimed lines": [(line["line"], line["runs"]) for line in c["lines"]],
        "located": tuple(c["located"][how] for how in ("exact", "snapped", "clamped", "file")),
        "strict": tuple(c["strict"][field] for field in ("line", "bucket", "check", "support", "is_kept", "ballots")),
        "models": [(model["model"], model["runs"], model["valid"]) for model in c["models"]],
        "statements": [(anchor["first"], anchor["last"], anchor["support"]) for anchor in c["anchors"]],
        "sentences": len(c["problems"]),
        "problem runs": c["problem_runs"],
        "weak": c["is_weak"],
    }
    return {f"{name} {figure}": value for figure, value in told.items()}
