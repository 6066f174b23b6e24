"""The seed experiment's frozen runs, voted on by place: the figures of the research, and what must hold in all twelve cells."""

import csv
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from support.places import audit, claim, layout, panel, target

from venire.assess import assess
from venire.assess.anchors import Layout
from venire.assess.cards import gather
from venire.assess.labels import labels
from venire.assess.locate import locate
from venire.assess.regions import Rule, count, form
from venire.model import WILDCARD, Finding, Lane, Panel, Pool, Region, Severity

pytestmark = pytest.mark.corpus

INJECTION = ("CodeInjection", "CommandInjection", "PathTraversal", "SQLInjection")
CATEGORIES = (
    *INJECTION, "HardcodedSecret", "NullDereference", "OffByOne", "Other", "ResourceLeak", "SilentExceptionSwallow", "Unclear"
)  # fmt: skip
UNSURE = ("Other", "Unclear")
CELLS = (
    "d_15b_a", "d_15b_clean", "d_15b_decoy", "d_15b_easy", "d_7b_a", "d_7b_clean", "d_7b_decoy", "d_7b_easy",
    "a_15b_a", "a_15b_easy", "a_7b_a", "a_7b_easy",
)  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One model on one file: the file, and each run's issues as (line, category, severity, description)."""

    path: str
    text: str
    runs: tuple[tuple[tuple[int, str, str, str], ...], ...]
    truth: tuple[tuple[str, int, int, str], ...]  # id, first line, last line, category

    @property
    def layout(self) -> Layout:
        return layout(self.text)

    def findings(self) -> list[Finding]:
        lines, where = target(self.text).lines, self.layout
        made = []
        for number, issues in enumerate(self.runs, start=1):
            for line, category, severity, problem in issues:
                anchor, how = locate(where, lines, line)
                level = Severity(severity.lower())
                made.append(Finding(("m", number), self.path, 0, "b", category, line, anchor, how, level, problem))
        return made


@cache
def read(corpus: Path, name: str) -> Cell:
    entries = [json.loads(line) for line in (corpus / "audit_logs.jsonl").read_text("utf-8").splitlines()]
    mine = [entry for entry in entries if entry["cell"] == name]
    path = mine[0]["target"]
    rows = csv.DictReader((corpus / "gt.csv").read_text("utf-8").splitlines())
    return Cell(
        path,
        (corpus / f"{path}.txt").read_bytes().decode().replace("\r\n", "\n"),
        tuple(
            tuple((i["line_number"], i["category"].strip(), i["severity"], i["description"]) for i in run["issues"])
            for run in mine[1:]
        ),
        tuple((r["gt_id"], int(r["line_lo"]), int(r["line_hi"]), r["category"]) for r in rows if r["target"] == path),
    )


def families(*, wild: bool) -> Panel:
    """The experiment's categories as checks; the unsure ones go with every family when ``wild``."""
    named = dict.fromkeys(INJECTION, "injection")
    return panel({c: WILDCARD if wild and c in UNSURE else named.get(c, c) for c in CATEGORIES})


def regions(cell: Cell, found: list[Finding], *, wild: bool) -> tuple[Region, ...]:
    known = labels(families(wild=wild))
    return form(cell.path, count(found, known), Rule(cell.layout, len(cell.runs), 0.5))


def credits(cell: Cell, region: Region) -> Iterator[str]:
    """The seeded defects of the region's family whose lines meet those of its statements."""
    anchors = [cell.layout.anchors[n] for n in region.anchors]
    for name, low, high, category in cell.truth:
        is_akin = region.family == ("injection" if category in INJECTION else category)
        if is_akin and any(anchor.first <= high and low <= anchor.last for anchor in anchors):
            yield name


def best(cell: Cell, *, wild: bool) -> dict[str, int]:
    """The support of the strongest region at each seeded defect."""
    support: dict[str, int] = {}
    for region in regions(cell, cell.findings(), wild=wild):
        for name in credits(cell, region):
            support[name] = max(support.get(name, 0), len(region.runs))
    return support


A = {"leak_file": 46, "sqli_get_user": 51, "offbyone_get_item": 10}
EASY = {"easy_cmdinj": 51, "easy_sqli": 50, "easy_codeinj": 30, "easy_secret": 27, "easy_leak": 16}


@pytest.mark.parametrize(
    ("name", "wild", "expected"),
    [
        ("d_7b_a", False, A),
        ("d_7b_a", True, A | {"leak_file": 47}),
        ("d_7b_easy", False, EASY),
        ("d_7b_easy", True, EASY | {"easy_codeinj": 51, "easy_leak": 20}),
    ],
)
def test_the_support_of_every_seeded_defect(corpus: Path, name: str, wild: bool, expected: Mapping[str, int]) -> None:
    found = best(read(corpus, name), wild=wild)

    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "wild", "number"), [("d_7b_a", False, 8), ("d_7b_a", True, 7), ("d_7b_easy", False, 12), ("d_7b_easy", True, 9)]
)
def test_the_number_of_regions(corpus: Path, name: str, wild: bool, number: int) -> None:
    cell = read(corpus, name)

    assert len(regions(cell, cell.findings(), wild=wild)) == number


@pytest.mark.parametrize("wild", [False, True])
def test_the_swallowed_exception_is_a_place_most_runs_point_at_though_no_label_is_right(corpus: Path, wild: bool) -> None:
    cell = read(corpus, "d_7b_easy")
    cards = gather(regions(cell, cell.findings(), wild=wild), labels(families(wild=wild)))
    (card,) = [card for card in cards if cell.layout.anchors[card[0].anchors[0]].first == 23]

    assert len(frozenset().union(*(region.runs for region in card))) >= 48
    assert "SilentExceptionSwallow" not in {check for region in card for _, _, check, _ in region.ballots}


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("name", CELLS)
def test_a_region_credits_one_defect_and_stays_in_one_function(corpus: Path, name: str, wild: bool) -> None:
    cell = read(corpus, name)
    for region in regions(cell, cell.findings(), wild=wild):
        low, high = min(region.anchors), max(region.anchors)
        assert len(list(credits(cell, region))) <= 1
        assert high - low <= 2
        assert len({cell.layout.homes[n] for n in range(low, high + 1)}) == 1
        assert len(region.runs) <= len(cell.runs)


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("name", CELLS)
def test_twenty_shuffles_of_runs_and_findings_change_nothing(corpus: Path, name: str, wild: bool) -> None:
    cell = read(corpus, name)
    found = cell.findings()
    expected = regions(cell, found, wild=wild)
    for seed in range(20):
        rng = random.Random(seed)
        runs = rng.sample(range(1, len(cell.runs) + 1), len(cell.runs))
        order = sorted(found, key=lambda f: (runs.index(f.run[1]), rng.random()))
        assert regions(cell, order, wild=wild) == expected


@cache
def pool(corpus: Path, name: str) -> Pool:
    """The cell as a record, from its replies to its pool; a line outside the file cannot be said under the contract."""
    cell = read(corpus, name)
    ids = {category: f"check_{n}" for n, category in enumerate(CATEGORIES, start=1)}
    asked = panel({ids[check.id]: check.family for check in families(wild=True).buckets[0].checks})
    last = len(target(cell.text).lines)
    said = {
        number: [claim(min(max(line, 1), last), ids[category], severity.lower(), text) for line, category, severity, text in run]
        for number, run in enumerate(cell.runs, start=1)
    }
    return assess(audit(cell.text, said, asked=asked))


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_replayed_as_a_record_loses_nothing(corpus: Path, name: str) -> None:
    cell, made = read(corpus, name), pool(corpus, name)

    assert (made.status, made.valid) == ("complete", len(cell.runs))
    assert made.counts.findings == sum(map(len, cell.runs)) == sum(c.findings for c in made.candidates)
    assert len({c.id for c in made.candidates}) == len(made.candidates)
    lanes = [c.lane for c in made.candidates]
    assert lanes == sorted(lanes, key=list(Lane).index)
    assert all((c.lane is Lane.SEVERE) == (c.severity is Severity.HIGH) for c in made.candidates)


def test_the_leak_that_strict_voting_nearly_lost_is_one_candidate(corpus: Path) -> None:
    """26 runs say line 16, 19 say line 17; the place has them all."""
    (leak,) = [c for c in pool(corpus, "d_7b_a").candidates if c.code[0][0] == 16]

    assert (leak.support, leak.valid) == (47, 51)
    assert (leak.strict.line, leak.strict.support, leak.strict.is_kept) == (16, 26, True)
    assert {16: 26, 17: 19}.items() <= dict(leak.lines).items()


EDITS = {  # edit of target_a: old, new, regions found again by fp1, by fp1 or fp2
    "forty lines on top": ("", "import m\n" * 40, 8, 8),
    "a function between": ("def load_config", "def new(x):\n    return x\n\n\ndef load_config", 8, 8),
    "a comment in the try": ("        return f.read", "        # all\n\n        return f.read", 8, 8),
    "another margin": ("    ", "        ", 8, 8),
    "a renamed function": ("def load_config", "def read_config", 5, 8),
    "an edited statement": ("open(path)", "open(path, 'rb')", 8, 8),
}


@pytest.mark.parametrize("edit", EDITS)
def test_regions_are_found_again_after_an_edit(corpus: Path, edit: str) -> None:
    cell = read(corpus, "d_7b_a")
    old, new, by_one, by_any = EDITS[edit]
    after = layout(cell.text.replace(old, new) if old else new + cell.text).anchors
    names = {anchor.fp1 for anchor in after}, {anchor.fp2 for anchor in after}
    places = [[cell.layout.anchors[n] for n in region.anchors] for region in regions(cell, cell.findings(), wild=False)]

    assert sum(any(anchor.fp1 in names[0] for anchor in place) for place in places) == by_one
    assert sum(any(anchor.fp1 in names[0] or anchor.fp2 in names[1] for anchor in place) for place in places) == by_any
