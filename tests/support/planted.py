"""Faults to plant into a copy of the package: what each is, and the exact text it replaces. Add one by adding a row."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """A fault of one line. ``file`` is below ``src/venire``; ``old`` stands there once.

    It is to be caught by the recount of generated records, or, where ``tests`` names some, by those tests.
    """

    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()


ASSESS = (
    Planted("a run counts once a finding", "assess/candidates.py", "support=len(runs),", "support=len(findings),"),
    Planted("< for <= at the frequent lane", "assess/lanes.py", "support >= max(enough, 1)", "support > max(enough, 1)"),
    Planted("the threshold is rounded down", "assess/lanes.py", "enough = ceil(", "enough = int("),
    Planted("four statements in a region", "assess/regions.py", "APART = 2", "APART = 3"),
    Planted("a smaller gap", "assess/regions.py", "GAP = 3", "GAP = 2"),
    Planted("<= for < at the lift", "assess/regions.py", "self._lift(a, b) < self.lift", "self._lift(a, b) <= self.lift"),
    Planted("no lift veto", "assess/regions.py", "and self._lift(a, b) < self.lift", "or self._lift(a, b) < 0"),
    Planted(
        "single link",
        "assess/regions.py",
        "fits = all(rule.joins(ballot, member) for member in members)",
        "fits = not members or any(rule.joins(ballot, member) for member in members)",
    ),
    Planted(
        "a region over a function", "assess/regions.py", "set(self.layout.homes[low : high + 1])", "{self.layout.homes[low]}"
    ),
    Planted("the wildcard goes with nothing", "assess/regions.py", "a == b or WILDCARD in (a, b)", "a == b"),
    Planted(
        "ties to the last statement", "assess/regions.py", "(-len(b.runs), b.anchor, b.rank)", "(-len(b.runs), -b.anchor, b.rank)"
    ),
    Planted(
        "one set of runs for all",
        "assess/candidates.py",
        "groups: dict[T, set[RunId]] = defaultdict(set)",
        "one: set[RunId] = set()\n    groups: dict[T, set[RunId]] = defaultdict(lambda: one)",
    ),
    Planted("half is a majority", "assess/candidates.py", "valid // 2 + 1", "(valid + 1) // 2"),
    Planted(
        "ties to the last line", "assess/candidates.py", "(-len(groups[ballot]), ballot[0]", "(-len(groups[ballot]), -ballot[0]"
    ),
    Planted(
        "voters that said nothing valid are left out", "assess/candidates.py", "voters = runs | _voters(", "voters = _voters("
    ),
    Planted(
        "changed lines miss the end", "assess/candidates.py", "return not any(low <= last and", "return not any(low < last and"
    ),
    Planted(
        "the mildest severity", "assess/candidates.py", "max(known, finding.severity, key", "min(known, finding.severity, key"
    ),
    Planted(
        "cards chain", "assess/cards.py", "place = set(seed.anchors)", "place = {a for region in left for a in region.anchors}"
    ),
    Planted(
        "no floor", "assess/findings.py", "severity=max(claim.severity, floor,", "severity=max(claim.severity, claim.severity,"
    ),
    Planted(
        "blank lines go down",
        "assess/anchors.py",
        "key=lambda row: (abs(row - n), row))",
        "key=lambda row: (abs(row - n), -row))",
        ("tests/assess/test_anchors.py",),
    ),
    Planted("longer paragraphs", "assess/anchors.py", "PARAGRAPH = 5", "PARAGRAPH = 6"),
    Planted(
        "the first answer counts", "panel/answers.py", "for reading in readings for", "for reading in reversed(readings) for"
    ),
    Planted(
        "a vote not given is a fail", "assess/votes.py", '"no_vote" if verdict is None else', '"fail" if verdict is None else'
    ),
    Planted("a run too many is asked", "assess/votes.py", "range(1, runs(prompt) + 1)", "range(1, runs(prompt) + 2)"),
    Planted("complete in any prompt", "assess/standing.py", "found |= frozenset.intersection(", "found |= frozenset().union("),
    Planted("votes without their run", "assess/pool.py", "{(f.run, f.path, f.anchor,", "{(f.path, f.anchor,"),
    Planted("a narrower interval", "assess/interval.py", "Z95 = 1.959963984540054", "Z95 = 1.6448536269514722"),
    Planted("a reply cut short is read", "assess/replies.py", 'attempt.error or attempt.done != "stop"', "attempt.error"),
    Planted("the panel's checks fail by a line alone", "panel/verdicts.py", 'if entry["passed"]:', "if line == NONE:"),
)
"""In what makes a report of a record."""

AGREE = ("tests/recount/test_measures.py",)

MEASURE = (
    Planted("k off by one", "measure/surface.py", "cumsum()[::-1][1:]", "cumsum()[::-1][:-1]", AGREE),
    Planted(
        "< for <= at the end of a truth",
        "measure/credit.py",
        "(at.line <= t.lines[1] + reach)",
        "(at.line < t.lines[1] + reach)",
        AGREE,
    ),
    Planted(
        "the last truth is credited",
        "measure/validity.py",
        "credit.argmax(axis=1), -1)",
        "credit.shape[1] - 1 - credit[:, ::-1].argmax(axis=1), -1)",
        AGREE,
    ),
    Planted(
        "greedy matching",
        "measure/matching.py",
        'mates = maximum_bipartite_matching(graph, perm_type="column")',
        """mates = np.full(graph.shape[0], -1)
    for row in range(graph.shape[0]):
        free = [c for c in graph.indices[graph.indptr[row] : graph.indptr[row + 1]] if c not in mates]
        mates[row] = max(free, default=-1)""",
        AGREE,
    ),
    Planted(
        "a partner taken twice",
        "measure/matching.py",
        'maximum_bipartite_matching(graph, perm_type="column")',
        "np.where(np.diff(graph.indptr) > 0, 0, -1)",
        AGREE,
    ),
    Planted("one list under two names", "measure/matching.py", "two = list(one)", "two = one", AGREE),
    Planted(
        "a region credited twice",
        "measure/validity.py",
        "int((one_to_one(credit, regions.support) >= 0).sum())",
        "int(credit.any(axis=0).sum())",
        AGREE,
    ),
    Planted("silent pairs do not agree", "measure/reliability.py", "sums + _pairs(held, ~voices)", "sums", AGREE),
    Planted(
        "silent runs among those that speak",
        "measure/reliability.py",
        "ratio(sums, _pairs(held, voices))",
        "ratio(sums, _pairs(held, everyone))",
        AGREE,
    ),
    Planted(
        "a silent run has precision 0",
        "measure/validity.py",
        "ratio(credited, credited + false)",
        "credited / np.maximum(credited + false, 1)",
        AGREE,
    ),
    Planted("invalid runs speak", "measure/table.py", "        if draw.is_valid:\n", "        if draw.number >= 0:\n", AGREE),
    Planted(">= for > at a gap", "measure/table.py", "np.diff(line) > reach", "np.diff(line) >= reach", AGREE),
    Planted("clusters over labels", "measure/table.py", "(np.diff(label) != 0) | (np.diff", "(np.diff", AGREE),
    Planted("a run counts once a line", "measure/table.py", "np.unique(rows * step + run)", "np.sort(rows * step + run)", AGREE),
    Planted("one line is drift", "measure/validity.py", "return lines > 1", "return lines > 0", AGREE),
    Planted("the first truth is no truth", "measure/validity.py", "of_keys[keys.item] < 0", "of_keys[keys.item] <= 0", AGREE),
    Planted("ties are read by halves", "measure/surface.py", "(tied - mine) / (mine + 1)", "(tied - mine) / 2", AGREE),
    Planted(
        "recall of what was found",
        "measure/validity.py",
        "dice.mean(credited / total)",
        "dice.mean(ratio(credited, credited))",
        AGREE,
    ),
    Planted("a biased Chao2", "measure/unseen.py", "(2 * (twice + 1))", "(2 * twice + 1)", ("tests/measure/test_unseen.py",)),
    Planted(
        "alpha with replacement",
        "measure/reliability.py",
        "values * (values - 1)",
        "values * values",
        ("tests/measure/test_reliability.py",),
    ),
    Planted("a 90 % interval", "measure/resample.py", "len(kept) // 40", "len(kept) // 20", ("tests/measure/test_resample.py",)),
)
"""In the statistics. Where a checkout has none, these are skipped."""

PLANTED = (*ASSESS, *MEASURE)
