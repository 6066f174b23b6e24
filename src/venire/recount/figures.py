"""A counted record → every figure of its report, each under a name of its own."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from statistics import NormalDist, correlation, mean
from typing import Any

from venire.recount.count import LANES, SEVERITIES, Count, Place
from venire.recount.entries import key
from venire.recount.places import Run
from venire.recount.replies import Said, asked
from venire.recount.statements import text_lines

Figures = dict[str, Any]
"""Name → value. Names are the same for what is recounted and what is read off a report."""


def figures(count: Count) -> Figures:
    """Every figure of the record's report."""
    made: Figures = {}
    for part in (_whole(count), _scores(count), _coverage(count), *(_place(count, place) for place in count.places)):
        made |= part
    return made


def _whole(count: Count) -> Figures:
    entries, found = count.entries, [f for findings in count.found.values() for f in findings]
    attempts = [attempt for run in entries.runs for attempt in run["attempts"]]
    votes = {(path, f.run, f.statement, f.label) for path, findings in count.found.items() for f in findings}
    lanes = Counter(place.lane for place in count.places)
    return {
        "asked": sum(map(entries.runs_of, entries.models)),
        "valid": len(count.complete()),
        "ms": entries.seal.get("ms", 0),
        "stop": entries.seal.get("stop", ""),
        "effective": effective(count),
        "counts samples": sum(entries.runs_of(prompt["model"]) for prompt in entries.prompts),
        "counts valid": sum(map(len, count.valid.values())),
        "counts findings": len(found),
        "counts repeats": len(found) - len(votes),
        "counts votes": len(votes),
        "counts regions": sum(map(len, count.regions.values())),
        "counts candidates": len(count.places),
        **{f"counts lane {lane}": lanes[lane] for lane in LANES},
        "counts prompt tokens": sum(attempt["prompt_tokens"] for attempt in attempts),
        "counts reply tokens": sum(attempt["reply_tokens"] for attempt in attempts),
        "counts ms": sum(attempt["ms"] for attempt in attempts),
        "failures": sorted((*heard.prompt, heard.run[1]) for heard in count.heard if not heard.said.is_valid),
        "ranking": [(p.lane, len(p.runs), SEVERITIES[p.severity], p.target["path"], p.lines[0]) for p in count.places],
    }


def _scores(count: Count) -> Figures:
    """The votes of every check on every window. A run without a verdict, or that never was, gave no vote."""
    made: dict[str, list[int]] = {}
    heard = {(item.prompt, item.run[1]): item.said for item in count.heard}
    for prompt in count.entries.prompts:
        path, window, bucket, model = key(prompt)
        for check in asked(prompt):
            votes = [
                heard.get((key(prompt), n), Said(())).verdicts.get(check) for n in range(1, count.entries.runs_of(model) + 1)
            ]
            score = made.setdefault(f"score {path}[{window}] {bucket}::{check}", [0, 0, 0])
            for place, outcome in enumerate((True, False, None)):
                score[place] += votes.count(outcome)
    return {name: tuple(score) for name, score in made.items()}


def _coverage(count: Count) -> Figures:
    made: Figures = {}
    for target in count.entries.targets:
        path = target["path"]
        prompts = [prompt for prompt in count.entries.prompts if prompt["path"] == path]
        made[f"coverage {path} lines"] = len(text_lines(target["text"]))
        made[f"coverage {path} changed"] = sum(last - first + 1 for first, last in target["changed"])
        made[f"coverage {path} windows"] = len(target["windows"])
        made[f"coverage {path} asked"] = sum(count.entries.runs_of(prompt["model"]) for prompt in prompts)
        made[f"coverage {path} valid"] = sum(len(count.valid[key(prompt)]) for prompt in prompts)
        made[f"coverage {path} complete"] = len(count.complete(path))
    return made


def _place(count: Count, place: Place) -> Figures:
    """The figures of one candidate, named after the lines of its leading statement."""
    leading = place.sheet.statements[place.leading]
    findings, runs, voters = place.findings, place.runs, place.voters
    worst = Counter(max(f.severity for f in findings if f.run == run) for run in runs)
    counted = {
        "scope": leading.scope,
        "lines": place.lines,
        "lane": place.lane,
        "support": len(runs),
        "valid": len(voters),
        "asked": sum(map(count.entries.runs_of, count.entries.models)),
        "interval": wilson(len(runs), len(voters)),
        "severity": SEVERITIES[place.severity],
        "severities": tuple(worst[n] for n in range(3)),
        "located": tuple(sum(f.how == how for f in findings) for how in ("exact", "snapped", "clamped", "file")),
        "models": [(m, sum(r[0] == m for r in runs), sum(r[0] == m for r in voters)) for m in count.entries.models],
        "findings": len(findings),
        "weak": place.sheet.is_weak,
        **_split(count, place),
    }
    name = f"candidate {place.target['path']}:{leading.first}-{leading.last}"
    return {f"{name} {figure}": value for figure, value in counted.items()}


def _split(count: Count, place: Place) -> Figures:
    """How the runs of a candidate divide over labels, lines, statements and sentences."""
    findings, order = place.findings, {label: number for number, label in enumerate(count.checks)}
    labels, at = _runs_by((f.label, f.run) for f in findings), _runs_by((f.statement, f.run) for f in findings)
    ranked = sorted(labels, key=lambda label: (-labels[label], order[label]))
    strict = _runs_by(((f.line, f.label), f.run) for f in findings)
    line, label = best = min(strict, key=lambda ballot: (-strict[ballot], ballot[0], order[ballot[1]]))
    sentences = [(" ".join(f.problem.split()).casefold(), f) for f in findings if f.problem.strip()]
    told = _runs_by((text, f.run) for text, f in sentences if f.label == ranked[0])
    spans = place.sheet.statements
    return {
        "labels": [(*label, labels[label]) for label in ranked],
        "claimed lines": sorted(_runs_by((f.line, f.run) for f in findings).items()),
        "strict": (line, *label, strict[best], strict[best] > len(place.voters) / 2, len(strict)),
        "statements": [(spans[n].first, spans[n].last, at[n]) for n in sorted(at, key=lambda n: (n != place.leading, -at[n], n))],
        "sentences": len({text for text, _ in sentences}),
        "problem runs": max(told.values(), default=0),
    }


def _runs_by(pairs: Iterable[tuple[Any, Run]]) -> Counter[Any]:
    """How many different runs there are under each key."""
    return Counter(key for key, _ in set(pairs))


def wilson(k: int, n: int) -> tuple[float, float]:
    """The rates p at which k of n lies z standard errors from p, found by halving, not by the formula (Wilson 1927)."""
    if not n:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.975)

    def beyond(p: float) -> bool:
        return (k / n - p) ** 2 > z * z * p * (1 - p) / n

    ends = []
    for far, near in ((0.0, k / n), (1.0, k / n)):
        for _ in range(60):
            middle = (far + near) / 2
            far, near = (middle, near) if beyond(middle) else (far, middle)
        ends.append(far if far in (0.0, 1.0) else near)
    return ends[0], ends[1]


def effective(count: Count) -> float | None:
    """What several models are worth together over the places they report (Kish 1965): n / (1 + (n - 1) mean r)."""
    models, places = count.entries.models, count.places
    shares = [[_share(place, model) for place in places] for model in models]
    if len(models) < 2 or len(places) < 3 or any(len(set(row)) == 1 for row in shares):
        return None
    r = max(0.0, mean(correlation(a, b) for a, b in combinations(shares, 2)))
    return max(1.0, len(models) / (1 + (len(models) - 1) * r))


def _share(place: Place, model: str) -> float:
    voters = [run for run in place.voters if run[0] == model]
    return len([run for run in place.runs if run[0] == model]) / len(voters) if voters else 0.0
