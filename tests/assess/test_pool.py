"""The pool: ranked, nothing lost, the same for every order, and its ids survive edits elsewhere."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import PANEL, audit, claim, layout, prompts, record, reply, run, target

from venire.assess import assess
from venire.model import OTHER, Claim, Lane, Plan, Record, Severity, Skipped

TEXT = """\
import os

LIMIT = 5


def load(path):
    try:
        f = open(path)
        return f.read()
    except Exception:
        return None


class Box:
    def __init__(self, size):
        self.size = size

    def get(self, n):
        # one too many
        if n <= self.size:
            return n
        return None
"""
LAST = TEXT.count("\n")

claims = st.builds(
    Claim,
    st.integers(1, LAST),
    st.sampled_from(["It leaks.", "it LEAKS.", "It is off by one.", "Never closed."]),
    st.sampled_from(["check_1", "check_2", "check_3", OTHER]),
    st.sampled_from(Severity),
)
audits = st.lists(st.lists(claims, max_size=5), min_size=1, max_size=6).map(lambda runs: dict(enumerate(runs, start=1)))


@given(audits)
def test_no_finding_is_lost_and_the_counts_add_up(said: Mapping[int, Sequence[Claim]]) -> None:
    pool = assess(audit(TEXT, said))
    total = sum(map(len, said.values()))

    assert pool.counts.findings == total == sum(candidate.findings for candidate in pool.candidates)
    assert pool.counts.votes + pool.counts.repeats == total
    assert sum(count for _, count in pool.counts.lanes) == pool.counts.candidates == len(pool.candidates)
    assert pool.counts.regions >= pool.counts.candidates
    assert len({candidate.id for candidate in pool.candidates}) == len(pool.candidates)
    for candidate in pool.candidates:
        assert candidate.support <= candidate.valid == len(said)
        assert sum(count for _, count in candidate.severities) == candidate.support
        assert sum(count for _, count, _ in candidate.models) == candidate.support
        assert sum(count for _, count in candidate.located) == candidate.findings
        assert all(label.support <= candidate.support for label in candidate.labels)
        assert candidate.interval[0] <= candidate.support / candidate.valid <= candidate.interval[1]
        assert candidate.strict.support <= candidate.labels[0].support


@given(audits)
def test_every_sentence_is_on_a_card(said: Mapping[int, Sequence[Claim]]) -> None:
    shown = {text.casefold() for candidate in assess(audit(TEXT, said)).candidates for text in candidate.problems}

    assert shown == {claim.problem.casefold() for run in said.values() for claim in run}


def several() -> Record:
    """Two files, two windows in one, two buckets, failures: everything a record can hold."""
    rng = random.Random(7)
    both = replace(PANEL, buckets=(*PANEL.buckets, replace(PANEL.buckets[0], name="c", checks=tuple(
        replace(check, bucket="c") for check in PANEL.buckets[0].checks))))  # fmt: skip
    targets = (target(TEXT, "b.py"), target("let x = 1;\nf(x);\n\ng();\n", "a.js", language="javascript"))
    asks = prompts(targets, both)
    runs = []
    for ask in asks:
        about = next(t for t in targets if t.path == ask.path)
        for number in range(1, 6):
            lines = rng.choices(range(1, len(about.lines) + 1), k=3)
            said = [claim(n, rng.choice(["check_1", "check_3", OTHER]), rng.choice(["low", "high"])) for n in lines]
            runs.append(run(ask, number, reply(about, *said) if rng.random() < 0.9 else "{"))
    skipped = (Skipped("z.png", "binary"), Skipped("a.png", "binary"))
    return record(targets, asks, runs, plan=Plan(runs=5), panel=both, skipped=skipped)


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_a_record_changes_nothing(seed: int) -> None:
    made = several()
    rng = random.Random(seed)
    parts = {
        name: tuple(rng.sample(getattr(made, name), len(getattr(made, name))))
        for name in ("runs", "prompts", "targets", "skipped")
    }

    assert assess(replace(made, **parts)) == assess(made)


def test_the_order_of_claims_in_a_reply_changes_nothing() -> None:
    said = [claim(8), claim(9, "check_3", "high"), claim(8, "check_2", problem="Other."), claim(20), claim(8)]
    one, two = (assess(audit(TEXT, {1: order, 2: [claim(8)], 3: []})) for order in (said, said[::-1]))

    assert one.candidates == two.candidates


def test_a_severe_candidate_seen_in_one_of_51_runs_is_first() -> None:
    said: dict[int, list[Claim]] = {n: [claim(3), claim(8)] for n in range(1, 52)}
    said[17].append(claim(21, severity="high"))
    pool = assess(audit(TEXT, said))

    assert [(c.lane, c.support, c.first) for c in pool.candidates] == [
        (Lane.SEVERE, 1, 21),
        (Lane.FREQUENT, 51, 3),
        (Lane.FREQUENT, 51, 8),
    ]
    assert (pool.candidates[0].valid, pool.candidates[0].asked) == (51, 51)


def test_within_a_lane_support_decides_then_severity_then_the_line() -> None:
    said = {1: [claim(3), claim(8), claim(20, severity="medium")], 2: [claim(15)], 3: [claim(15)]}
    pool = assess(audit(TEXT, {**said, **{n: [] for n in range(4, 11)}}))

    assert [(c.lane, c.first) for c in pool.candidates] == [(Lane.REST, 15), (Lane.REST, 20), (Lane.REST, 3), (Lane.REST, 8)]


def test_outside_the_change_comes_last_and_the_severe_ones_first_there() -> None:
    about = target(TEXT, changed=((3, 3),))
    (ask,) = prompts([about], PANEL)
    said = {1: [claim(8), claim(3)], 2: [claim(8)], 3: [claim(20, severity="high")]}
    pool = assess(record([about], [ask], [run(ask, n, reply(about, *made)) for n, made in said.items()]))

    assert [(c.lane, c.first, c.support) for c in pool.candidates] == [
        (Lane.REST, 3, 1),
        (Lane.OUTSIDE, 20, 1),
        (Lane.OUTSIDE, 8, 2),
    ]


# ---------------------------------------------------------------- edits

SAID = {1: [claim(8), claim(3), claim(20)], 2: [claim(9)], 3: [claim(9, "check_2"), claim(11)], 4: [claim(16, "check_3")]}


def moved(old: str, new: str) -> Mapping[int, Sequence[Claim]]:
    """The claims about the lines of TEXT, put on the same lines of the edited text (each marked line is unique in both)."""
    where = {line.strip(): n for n, line in enumerate(new.split("\n"), start=1)}
    lines = old.split("\n")
    return {n: [replace(c, line=where[lines[c.line - 1].strip()]) for c in made] for n, made in SAID.items()}


def ids(text: str) -> list[tuple[str, int, tuple[str, ...]]]:
    pool = assess(audit(text, moved(TEXT, text), plan=Plan(runs=4)))
    return sorted((c.id, c.support, tuple(a.fp1 for a in c.anchors)) for c in pool.candidates)


EDITS = {
    "forty lines on top": "".join(f"import m{n}\n" for n in range(40)) + TEXT,
    "a comment on top": "# about this file\n\n" + TEXT,
    "a new function between": TEXT.replace("class Box", "def new(x):\n    return x\n\n\nclass Box"),
    "a comment and a blank line inside the try": TEXT.replace(
        "        return f.read", "        # all of it\n\n        return f.read"
    ),
    "a statement before, in the same function": TEXT.replace("    try:\n", "    path = str(path)\n    try:\n"),
    "a longer margin": TEXT.replace("    ", "        "),
    "a statement laid out over three lines": TEXT.replace("open(path)", "open(  # here\n            path\n        )").replace(
        "f = open(", "f = open("
    ),
    "another comment at the statement": TEXT.replace("# one too many", "# fine"),
}


@pytest.mark.parametrize("edit", [name for name in EDITS if name != "a statement laid out over three lines"])
def test_edits_elsewhere_keep_every_candidate(edit: str) -> None:
    assert ids(EDITS[edit]) == ids(TEXT)


def test_layout_of_a_statement_keeps_its_fingerprints() -> None:
    one, two = layout(TEXT), layout(EDITS["a statement laid out over three lines"])

    assert [(a.fp1, a.fp2) for a in one.anchors] == [(a.fp1, a.fp2) for a in two.anchors]


@given(
    st.lists(
        st.tuples(st.sampled_from([2, 4, 5, 12, 13]), st.sampled_from(["", "# note", "new = 1", "def g():\n    g = 1"])),
        max_size=5,
    )
)
def test_lines_put_in_between_definitions_keep_every_candidate(edits: list[tuple[int, str]]) -> None:
    rows = TEXT.split("\n")
    for at, new in sorted(edits, reverse=True):
        rows[at:at] = new.split("\n")

    assert ids("\n".join(rows)) == ids(TEXT)


def test_an_id_does_not_hold_prose_severity_label_or_line() -> None:
    one = assess(audit(TEXT, {1: [claim(8)]})).candidates[0]
    two = assess(audit("\n" + TEXT, {1: [claim(9, "check_3", "high", "Something else.")], 2: []})).candidates[0]

    assert one.id == two.id


def test_a_renamed_function_keeps_the_scope_free_fingerprints_of_its_statements() -> None:
    one, two = layout(TEXT), layout(TEXT.replace("load(", "fetch("))
    inside = [(a, b) for a, b in zip(one.anchors, two.anchors, strict=True) if a.scope == "load"][1:]

    assert len(inside) == 5
    assert all(a.fp1 != b.fp1 and a.fp2 == b.fp2 for a, b in inside)
    assert all(a.fp1 == b.fp1 for a, b in zip(one.anchors, two.anchors, strict=True) if a.scope != "load")


def test_an_edited_statement_changes_its_own_fingerprints_only() -> None:
    one, two = layout(TEXT), layout(TEXT.replace("n <= self", "n < self"))

    assert [a.text for a, b in zip(one.anchors, two.anchors, strict=True) if a.fp1 != b.fp1] == ["if n < = self . size :"]


def test_a_repeat_is_the_same_run_statement_and_check_and_nothing_else() -> None:
    said = {1: [claim(8), claim(8, problem="Again."), claim(8, "check_2"), claim(9)], 2: [claim(8)]}
    counts = assess(audit(TEXT, said)).counts

    assert (counts.findings, counts.repeats, counts.votes) == (5, 1, 4)
