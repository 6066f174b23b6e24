"""Laying something over a pool adds and never removes; with nothing to lay over, the report is the same to the byte."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support.places import audit, claim, record, target

from venire.assess import Overlay, Policy, altered, assess, decision_on, overlay
from venire.model import Evidence, Lane, Skipped, Source
from venire.report import render

TEXT = "import os\n\n\ndef run(name):\n    os.system(name)\n    x = 1\n    y = 2\n    z = 3\n    return open(name)\n"
RECORD = audit(TEXT, {1: [claim(5, severity="high"), claim(9, "check_3")], 2: [claim(5), claim(9, "check_3")]})
POOL = assess(RECORD)


def test_nothing_laid_over_gives_the_same_pool_and_the_same_bytes() -> None:
    assert overlay(RECORD, POOL, Overlay()) == POOL
    assert render(overlay(RECORD, POOL, Overlay()), "json") == render(POOL, "json")


@given(st.sets(st.integers(0, len(POOL.candidates) - 1)), st.sets(st.integers(1, 9)), st.booleans())
def test_every_candidate_stays_with_its_votes_and_the_lanes_add_up(dismissed: set[int], lines: set[int], is_beside: bool) -> None:
    over = Overlay(
        decisions=tuple(decision_on(POOL.candidates[n], "dismiss", who="a", when="w", why="y") for n in dismissed),
        evidence=tuple(Evidence("ruff", "S605", "app.py", line, line) for line in lines),
        earlier=RECORD if is_beside else None,
        policy=Policy("acknowledge"),
    )
    pool = overlay(RECORD, POOL, over)
    bare = {c.id: replace(c, lane=Lane.REST, decision=None, evidence=(), since="") for c in pool.candidates}
    assert bare == {c.id: replace(c, lane=Lane.REST) for c in POOL.candidates}
    assert sum(count for _, count in pool.counts.lanes) == len(POOL.candidates)
    assert dict(pool.counts.lanes).get(Lane.DISMISSED, 0) == len(dismissed)


def test_dismissed_candidates_stand_last() -> None:
    first = POOL.candidates[0]
    pool = overlay(RECORD, POOL, Overlay(decisions=(decision_on(first, "dismiss", who="a", when="w", why="y"),)))
    assert pool.candidates[-1].id == first.id


def test_a_decision_follows_a_file_that_the_earlier_audit_had_under_another_name() -> None:
    now = replace(
        RECORD,
        targets=(replace(RECORD.targets[0], path="new.py"),),
        prompts=tuple(replace(p, path="new.py") for p in RECORD.prompts),
        runs=tuple(replace(r, path="new.py") for r in RECORD.runs),
    )
    over = Overlay(decisions=(decision_on(POOL.candidates[0], "defer", who="a", when="w", why="y"),), earlier=RECORD)
    decided = [c for c in overlay(now, assess(now), over).candidates if c.decision]
    assert [(c.path, c.code) for c in decided] == [("new.py", POOL.candidates[0].code)]


def test_files_that_steer_the_audit_are_found_wherever_the_change_lists_them() -> None:
    changed = record(
        [
            target("runs: 1\n", "venire.yml"),
            target("x: 1\n", "lib/new.yml", notes=("renamed from checks/a.yml",)),
            target("x = 1\n"),
        ],
        [],
        [],
        skipped=(
            Skipped(".venire/decisions.yml", "ignored"),
            Skipped("checks/b.yaml", "deleted"),
            Skipped("checks/x.md", "empty"),
        ),
    )
    steering = ("venire.yml", ".venire/decisions.yml", "pyproject.toml")
    assert altered(changed, steering, ["checks/"]) == (".venire/decisions.yml", "checks/a.yml", "checks/b.yaml", "venire.yml")
    assert altered(changed, (), ["lib/new.yml"]) == ("lib/new.yml",)
    whole = replace(changed, audit=replace(changed.audit, source=Source("paths")))
    assert altered(whole, steering, ["checks/"]) == ()
