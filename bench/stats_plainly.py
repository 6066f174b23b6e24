"""The seed experiment's figures the plain way, with the standard library alone: what bench/stats.py measures venire against.

Usage: stats_plainly.py FOLDER. Reads FOLDER's audit_logs.jsonl and gt.csv and prints the figures of every cell as JSON, by
the definitions that came with the data. Every pair of runs is matched, and every resample goes through every pair.
"""

import csv
import json
import random
import sys
from pathlib import Path

RESAMPLES = 1000
REACHES = (0, 2, 5)
NEAR = 2


def read(folder):
    cells, rows = {}, list(csv.DictReader((folder / "gt.csv").open(encoding="utf-8")))
    for line in (folder / "audit_logs.jsonl").open(encoding="utf-8"):
        entry = json.loads(line)
        if entry["type"] == "provenance":
            truths = [(r["category"], int(r["line_lo"]), int(r["line_hi"])) for r in rows if r["target"] == entry["target"]]
            cells[entry["cell"]] = (truths, [])
        else:
            keys = {(int(i["line_number"]), i["category"].strip()) for i in entry["issues"]} if entry["schema_valid"] else set()
            cells[entry["cell"]][1].append((entry["schema_valid"], sorted(keys)))
    return cells


def matching(one, two, reach):
    """The size of a maximum matching, by augmenting paths."""
    mates = {}

    def augment(a, seen):
        for b, (line, category) in enumerate(two):
            if b not in seen and category == one[a][1] and abs(line - one[a][0]) <= reach:
                seen.add(b)
                if b not in mates or augment(mates[b], seen):
                    mates[b] = a
                    return True
        return False

    return sum(augment(a, set()) for a in range(len(one)))


def jaccard(one, two, reach):
    if not one and not two:
        return 1.0
    both = matching(one, two, reach)
    return both / (len(one) + len(two) - both)


def ends(values):
    ordered = sorted(values)
    cut = 25 * len(ordered) // RESAMPLES
    return [round(ordered[cut], 3), round(ordered[min(len(ordered) - cut, len(ordered) - 1)], 3)]


def resamples(generator, size):
    return [[generator.randrange(size) for _ in range(size)] for _ in range(RESAMPLES)]


def agreement(runs, reach, generator):
    size = len(runs)
    table = {(i, j): jaccard(runs[i], runs[j], reach) for i in range(size) for j in range(i + 1, size)}
    means = []
    for draw in resamples(generator, size):
        total, pairs = 0.0, 0
        for i in range(size):
            for j in range(i + 1, size):
                a, b = draw[i], draw[j]
                if a != b:
                    total += table[(a, b) if a < b else (b, a)]
                    pairs += 1
        if pairs:
            means.append(total / pairs)
    return round(sum(table.values()) / len(table), 3) if table else 1.0, ends(means) if means else [None, None]


def credited(key, truths, reach, by_name=True):
    line, category = key
    near = [n for n, (_, low, high) in enumerate(truths) if low - reach <= line <= high + reach]
    return [n for n in near if truths[n][0] == category] if by_name else near


def mean(values, generator, digits=3):
    """Mean of the values that are there, and its interval."""
    known = [value for value in values if value is not None]
    if not known:
        return None, [None, None]
    means = [sum(known[i] for i in draw) / len(known) for draw in resamples(generator, len(known))]
    return round(sum(known) / len(known), digits), ends(means)


def validity(runs, truths, generator):
    precision, recall, false, rough = [], [], [], []
    found, anywhere, lines = set(), set(), {}
    for run in runs:
        hits, wrong, places = set(), 0, set()
        for key in run:
            named = credited(key, truths, NEAR)[:1]
            hits |= set(named)
            wrong += not named
            places |= set(credited(key, truths, NEAR, by_name=False)[:1])
            for n in named:
                lines.setdefault(n, set()).add(key[0])
        found |= hits
        anywhere |= places
        false.append(wrong)
        precision.append(len(hits) / (len(hits) + wrong) if run else None)
        recall.append(len(hits) / len(truths) if truths else None)
        rough.append(len(places) / len(truths) if truths else None)
    drifted = sum(len(lines[n]) > 1 for n in found)
    (sure, sure_ends), (full, full_ends) = mean(precision, generator), mean(recall, generator)
    wrong, wrong_ends = mean(false, generator, 2)
    return {
        "precision": sure if truths else None,
        "precision_ci95": sure_ends,
        "recall": full,
        "recall_ci95": full_ends,
        "fp_per_run": wrong,
        "fp_ci95": wrong_ends,
        "recall_line_only": round(sum(rough) / len(rough), 3) if truths else None,
        "detected_gt": len(found),
        "detected_gt_line_only": len(anywhere),
        "drift_gt": drifted,
        "line_drift_rate": round(drifted / len(found), 3) if found else None,
        "total_gt": len(truths),
    }


def surface(runs, truths, reach):
    clusters = []
    for category in sorted({category for run in runs for _, category in run}):
        lines = sorted({line for run in runs for line, name in run if name == category})
        group = [lines[0]]
        for line in lines[1:]:
            if line - group[-1] > reach:
                clusters.append((category, group))
                group = []
            group.append(line)
        clusters.append((category, group))
    kept = [
        (
            sum(any(name == category and line in group for line, name in run) for run in runs),
            {n for line in group for n in credited((line, category), truths, reach)},
        )
        for category, group in clusters
    ]
    points = []
    for k in range(1, len(runs) + 1):
        survivors = [named for frequency, named in kept if frequency >= k]
        hits = set().union(*survivors)
        false = sum(not named for named in survivors)
        points.append({"k": k, "tau": round(k / len(runs), 3), "TP": len(hits), "FP": false, "FN": len(truths) - len(hits)})
    return points


def figures(truths, entries):
    runs = [keys for _, keys in entries]
    size = len(runs)
    generator = random.Random(12345)  # noqa: S311
    pairs = {
        name: agreement(runs, reach, generator) for name, reach in zip(("strict", "relaxed2", "relaxed5"), REACHES, strict=True)
    }
    return {
        "N": size,
        "schema_valid_rate": round(sum(valid for valid, _ in entries) / size, 3),
        "empty_rate": round(sum(not run for run in runs) / size, 3),
        "mean_issues": round(sum(map(len, runs)) / size, 2),
        "jaccard": {name: point for name, (point, _) in pairs.items()},
        "jaccard_ci95": {name: both for name, (_, both) in pairs.items()},
        **validity(runs, truths, generator),
        "surface": {str(reach): surface(runs, truths, reach) for reach in REACHES},
    }


def main():
    cells = read(Path(sys.argv[1]))
    json.dump({name: figures(*cell) for name, cell in cells.items()}, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
