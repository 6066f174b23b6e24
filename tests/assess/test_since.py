"""Identity across pushes: one to one, whatever the order; edits elsewhere keep it; silence is never called fixed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.places import audit, claim, prompts, record, reply, run, target

from venire.assess import assess
from venire.assess.since import compare
from venire.model import Claim, Gone, Plan, Pool, Record, Window

TEXT = """\
import os
import sqlite3

LIMIT = 5


def load(path):
    handle = open(path)
    try:
        data = handle.read()
    except OSError:
        return None
    return data


def find(db, name):
    query = "SELECT * FROM t WHERE name = '" + name + "'"
    return db.execute(query).fetchall()


class Box:
    def get(self, items, n):
        if n <= len(items):
            return items[n]
        return None
"""
WANTED = {8: "check_1", 10: "check_2", 12: "check_3", 17: "check_1", 18: "check_3", 23: "check_1", 24: "check_2", 25: "check_4"}
"""Eight places as in the table of edits: line and check."""


def at(text: str, places: Mapping[int, str] = WANTED, *, path: str = "app.py", runs: int = 2) -> Record:
    """An audit of ``text`` in which every run reports every place alone, so that each is a candidate of its own."""
    about = target(text, path)
    said = [claim(line, check, "high", f"Problem {check}.") for line, check in places.items()]
    (question,) = prompts([about], audit(text, {}).audit.panel)
    return record([about], [question], [run(question, n, reply(about, *said)) for n in range(1, runs + 1)], plan=Plan(runs=runs))


def moved(text: str, change: Mapping[int, int]) -> dict[int, str]:
    return {change.get(line, 0) or line: check for line, check in WANTED.items()}


def since(earlier: Record, now: Record) -> Pool:
    return compare(now, assess(now), earlier, assess(earlier))


def told(pool: Pool) -> list[str]:
    return [candidate.since for candidate in pool.candidates]


def test_an_audit_beside_itself_is_all_still_there() -> None:
    pool = since(at(TEXT), at(TEXT))
    assert len(pool.candidates) >= 6
    assert set(told(pool)) == {"still"}
    assert pool.gone == ()


def test_forty_lines_on_top_change_nothing() -> None:
    top = "".join(f"CONSTANT_{n} = {n}\n" for n in range(40))
    pool = since(at(TEXT), at(top + TEXT, {line + 40: check for line, check in WANTED.items()}))
    assert (set(told(pool)), pool.gone) == ({"still"}, ())


def test_a_new_function_between_changes_nothing() -> None:
    head, tail = TEXT[: TEXT.index("class Box")], TEXT[TEXT.index("class Box") :]
    new = head + "def fresh():\n    return 1\n\n\n" + tail
    pool = since(at(TEXT), at(new, {line + (4 if line > 20 else 0): check for line, check in WANTED.items()}))
    assert (set(told(pool)), pool.gone) == ({"still"}, ())


def test_a_comment_and_a_blank_line_inside_a_block_change_nothing() -> None:
    new = TEXT.replace("        data = ", "        # read it whole\n\n        data = ")
    pool = since(at(TEXT), at(new, {line + (2 if line > 9 else 0): check for line, check in WANTED.items()}))
    assert (set(told(pool)), pool.gone) == ({"still"}, ())


def test_another_indentation_changes_nothing() -> None:
    new = "if True:\n" + "".join(f"    {line}\n" if line else "\n" for line in TEXT.split("\n")[:-1])
    pool = since(at(TEXT), at(new, {line + 1: check for line, check in WANTED.items()}))
    assert (set(told(pool)), pool.gone) == ({"still"}, ())


def test_a_renamed_function_keeps_its_places_its_header_too() -> None:
    new = TEXT.replace("def find(", "def search(")
    places = {16: "check_2", 17: "check_1", 18: "check_3"}
    pool = since(at(TEXT, places), at(new, places))
    assert (set(told(pool)), pool.gone) == ({"still"}, ())


def test_an_edited_statement_is_still_there_and_another_one_is_new() -> None:
    edited = TEXT.replace('name = \'" + name + "\'"', 'name = \'" + str(name) + "\'"')
    assert told(since(at(TEXT, {17: "check_1"}), at(edited, {17: "check_1"}))) == ["still"]
    other = TEXT.replace('query = "SELECT * FROM t WHERE name = \'" + name + "\'"', "query = build(name)")
    pool = since(at(TEXT, {17: "check_1"}), at(other, {17: "check_1"}))
    assert (told(pool), len(pool.gone)) == (["new"], 1)


def test_an_equal_statement_put_above_does_not_take_the_place_of_the_old_one() -> None:
    """By fingerprints alone the ordinals would shift and the two would be taken for each other."""
    new = TEXT.replace("    handle = open(path)\n", "    if not path:\n        return None\n    handle = open(path)\n")
    pool = since(at(TEXT, {12: "check_3"}), at(new, {9: "check_3", 14: "check_3"}))
    assert {candidate.first: candidate.since for candidate in pool.candidates} == {9: "new", 14: "still"}


def test_a_statement_cut_and_pasted_elsewhere_moved() -> None:
    line = '    query = "SELECT * FROM t WHERE name = \'" + name + "\'"\n'
    without = TEXT.replace(line, "")
    new = without.replace("class Box", f"def other(name):\n{line}    return query\n\n\nclass Box")
    assert told(since(at(TEXT, {17: "check_1"}), at(new, {21: "check_1"}))) == ["moved"]


def test_a_renamed_file_moves_its_places_whether_git_says_so_or_only_the_text() -> None:
    old, new = at(TEXT), at(TEXT + "\n\nEND = 1\n", path="lib/store.py")
    assert set(told(since(old, new))) == {"moved"}
    named = replace(new, targets=(replace(new.targets[0], text="x = 1\n" * 30 + TEXT, notes=("renamed from app.py",)),))
    assert set(told(since(old, named))) == {"moved"}


def test_a_paragraph_with_a_line_put_into_it_is_still_there() -> None:
    """Files without a syntax tree have no statements; the lines that were pointed at decide."""
    text = "\n".join(f"rule {n} {{ weight: {n} }}" for n in range(1, 21)) + "\n"
    new = text.replace("rule 3 ", "rule new { weight: 0 }\nrule 3 ")
    about = [target(one, "rules.css", language="css") for one in (text, new)]
    asked = [prompts([one], audit(text, {}).audit.panel)[0] for one in about]
    old, now = (
        record([one], [question], [run(question, 1, reply(one, claim(line)))], plan=Plan(runs=1))
        for one, question, line in zip(about, asked, (12, 13), strict=True)
    )
    assert told(since(old, now)) == ["still"]


def test_what_nobody_reported_is_counted_over_the_runs_that_looked() -> None:
    pool = since(at(TEXT), at(TEXT, {17: "check_1"}, runs=3))
    assert len(pool.gone) >= 4
    assert {(gone.valid, gone.asked) for gone in pool.gone} == {(3, 3)}


def test_a_file_that_is_no_part_of_the_audit_was_not_asked_about() -> None:
    other = at("x = 1\n", {1: "check_1"}, path="other.py")
    assert {(gone.valid, gone.asked) for gone in since(at(TEXT), other).gone} == {(0, 0)}


def test_a_place_outside_every_window_was_not_asked_about() -> None:
    now = at(TEXT, {17: "check_1"})
    shown = (replace(now.targets[0], windows=(Window(0, ((15, 18),)),)),)
    gone = {g.candidate.first: g.asked for g in since(at(TEXT, {8: "check_1", 17: "check_1"}), replace(now, targets=shown)).gone}
    assert gone == {8: 0}


claims = st.builds(
    Claim, st.integers(1, TEXT.count("\n")), st.just("It breaks."), st.sampled_from(["check_1", "check_2", "check_3"])
    , st.just(claim(1, severity="high").severity),
)  # fmt: skip
said = st.lists(st.lists(claims, max_size=5), min_size=1, max_size=4).map(lambda runs: dict(enumerate(runs, start=1)))
texts = st.lists(st.integers(0, TEXT.count("\n") - 1), max_size=4).map(
    lambda cut: "".join(line for n, line in enumerate(TEXT.splitlines(keepends=True)) if n not in cut or not line.strip())
)


@given(said, said, texts, st.integers(0, 2**16))
def test_matching_is_one_to_one_and_order_changes_nothing(
    before: Mapping[int, Sequence[Claim]], after: Mapping[int, Sequence[Claim]], text: str, seed: int
) -> None:
    last = text.count("\n")
    kept = {n: [c for c in some if c.line <= last] for n, some in after.items()}
    earlier, now = audit(TEXT, before), audit(text, kept)
    old, new = assess(earlier), assess(now)
    pool = compare(now, new, earlier, old)
    assert sum(c.since != "new" for c in pool.candidates) == len(old.candidates) - len(pool.gone)
    assert all(candidate.since for candidate in pool.candidates)

    order = random.Random(seed)
    mixed = [replace(p, candidates=tuple(order.sample(p.candidates, len(p.candidates)))) for p in (new, old)]
    again = compare(now, mixed[0], earlier, mixed[1])
    assert {c.id: c.since for c in again.candidates} == {c.id: c.since for c in pool.candidates}
    assert set(map(name, again.gone)) == set(map(name, pool.gone))


def name(gone: Gone) -> str:
    return gone.candidate.id


@given(said)
def test_a_candidate_matches_itself(before: Mapping[int, Sequence[Claim]]) -> None:
    made = audit(TEXT, before)
    pool = since(made, made)
    assert all(candidate.since == "still" for candidate in pool.candidates)
    assert pool.gone == ()


@pytest.mark.parametrize("runs", [1, 3])
def test_nothing_valid_heard_is_told_apart_from_not_seen(runs: int) -> None:
    silent = at(TEXT, {}, runs=runs)
    mute = replace(silent, runs=())
    assert {(gone.valid, gone.asked) for gone in since(at(TEXT), mute).gone} == {(0, runs)}
