"""A card says everything the runs said about one place, each run counted once."""

from collections.abc import Sequence

import pytest
from support.places import PANEL, audit, claim, panel, prompts, record, reply, run, target

from venire.assess import assess
from venire.assess.interval import wilson
from venire.model import OTHER, Candidate, Claim, Lane, Plan, Severity, Strict, Window

LEAK = """\
import os

def load(path):
    try:
        f = open(path)
        return f.read()
    except Exception:
        return None
"""


def card(text: str, *runs: Sequence[Claim], plan: Plan | None = None) -> Candidate:
    """The only candidate of these runs."""
    (made,) = assess(audit(text, dict(enumerate(runs, start=1)), plan=plan)).candidates
    return made


def test_split_ballots_are_one_candidate_and_strict_voting_is_shown_beside_it() -> None:
    """Three runs say line 5, two line 6: five of five, where (line, check) says three."""
    made = card(LEAK, *[[claim(5)]] * 3, *[[claim(6)]] * 2)

    assert (made.support, made.valid, made.asked, made.lines) == (5, 5, 5, ((5, 3), (6, 2)))
    assert made.strict == Strict(5, "b", "check_1", 3, True, 2)
    assert made.interval == wilson(5, 5)
    assert (made.scope, made.first, made.last, made.code) == ("load", 5, 6, ((5, "        f = open(path)"),))
    assert [(a.first, a.support) for a in made.anchors] == [(5, 3), (6, 2)]


@pytest.mark.parametrize(("valid", "support", "is_kept"), [(4, 2, False), (4, 3, True), (5, 2, False), (5, 3, True)])
def test_strict_voting_keeps_what_more_than_half_of_the_valid_runs_say(valid: int, support: int, is_kept: bool) -> None:
    runs: list[list[Claim]] = [[claim(5)]] * support + [[]] * (valid - support)

    assert card(LEAK, *runs).strict.is_kept is is_kept


def test_equal_strict_ballots_give_the_smaller_line_then_the_panels_order() -> None:
    assert card(LEAK, [claim(6)], [claim(5, "check_3")], [claim(5, "check_2")], [claim(5, "check_1")]).strict.line == 5
    assert card(LEAK, [claim(5, "check_3")], [claim(5, "check_2")]).strict.check == "check_2"


def test_labels_keep_their_own_counts_and_the_place_their_union() -> None:
    made = card(LEAK, [claim(5, "check_3")], [claim(5, "check_3")], [claim(5, OTHER)], [claim(5, "check_4"), claim(5, "check_3")])

    assert [(label.check, label.support, label.text, label.content) for label in made.labels] == [
        ("check_3", 3, "text of check_3", "c-check_3"),
        ("check_4", 1, "text of check_4", "c-check_4"),
        (OTHER, 1, OTHER, ""),
    ]
    assert made.support == 4


def test_equal_labels_stand_in_the_panels_order() -> None:
    asked = panel({f"check_{n}": "x" for n in range(1, 12)})
    made = assess(audit(LEAK, {1: [claim(5, "check_10")], 2: [claim(5, "check_9")], 3: [claim(5, OTHER)]}, asked=asked))

    assert [label.check for label in made.candidates[0].labels] == ["check_9", "check_10", OTHER]


def test_a_run_that_repeats_itself_counts_once() -> None:
    made = card(LEAK, *[[claim(5)]] * 5, *[[claim(6)]] * 5, [claim(5), claim(5), claim(6)])

    assert (made.support, made.valid, made.findings) == (11, 11, 13)
    assert (made.lines, made.models) == (((5, 6), (6, 6)), (("tiny", 11, 11),))


def test_severities_count_each_run_by_its_highest() -> None:
    made = card(LEAK, [claim(5, severity="high"), claim(5, severity="low")], [claim(5, severity="low")], [claim(5)])

    assert made.severity is Severity.HIGH
    assert made.severities == ((Severity.HIGH, 1), (Severity.LOW, 2))


def test_the_sentence_is_one_of_the_leading_label_and_all_others_are_kept() -> None:
    made = card(
        LEAK,
        [claim(5, problem="Never closed.")],
        [claim(5, problem="never  CLOSED.")],
        [claim(5, problem="Leaks.")],
        *[[claim(5, "check_3", problem="Wrong name.")]] * 3,
        [claim(5, problem="Leaks a handle.")],
    )

    assert (made.problem, made.problem_runs) == ("Never closed.", 2)
    assert made.problems == ("Wrong name.", "Never closed.", "Leaks.", "Leaks a handle.")


def test_how_claims_were_placed_is_counted() -> None:
    text = "def f():\n    # about x\n    x = 1\n"

    assert card(text, [claim(2)], [claim(3)], [claim(3)]).located == (("exact", 2), ("snapped", 1))


def test_a_long_statement_shows_its_first_six_lines() -> None:
    text = "x = [\n" + "    1,\n" * 9 + "]\n"

    assert [n for n, _ in card(text, [claim(4)]).code] == [1, 2, 3, 4, 5, 6]


def test_the_id_and_the_weak_mark_are_those_of_the_leading_statement() -> None:
    assert not card(LEAK, [claim(5)]).is_weak
    assert card("def f(:\n", [claim(1)]).is_weak


@pytest.mark.parametrize(
    ("changed", "line", "lane"),
    [
        (((5, 5),), 5, Lane.FREQUENT),
        (((4, 4), (6, 6)), 5, Lane.OUTSIDE),
        ((), 5, Lane.OUTSIDE),
    ],
)
def test_a_place_without_a_changed_line_is_outside(changed: tuple[tuple[int, int], ...], line: int, lane: Lane) -> None:
    about = target(LEAK, changed=changed)
    (ask,) = prompts([about], PANEL)
    (made,) = assess(record([about], [ask], [run(ask, 1, reply(about, claim(line)))], plan=Plan(1))).candidates

    assert made.lane is lane


def test_a_changed_comment_belongs_to_the_statement_it_speaks_of() -> None:
    about = target("# why\nx = 1\n", changed=((1, 1),))
    (ask,) = prompts([about], PANEL)

    assert assess(record([about], [ask], [run(ask, 1, reply(about, claim(2)))], plan=Plan(1))).candidates[0].lane is Lane.FREQUENT


def test_valid_counts_the_runs_that_could_have_seen_the_place() -> None:
    """Two windows, both with the import: a run valid in one of them could have seen it, and counts once in both."""
    about = target("import os\nx = 1\n\n\n\n\n\ny = 2\n", windows=(Window(0, ((1, 2),)), Window(1, ((1, 1), (8, 8)))))
    one, two = prompts([about], PANEL)
    runs = [
        run(one, 1, reply(about, claim(1))),
        run(one, 2, reply(about)),
        run(two, 1, reply(about, claim(1))),
        run(two, 3, reply(about, claim(8))),
    ]
    made = {c.first: c for c in assess(record([about], [one, two], runs)).candidates}

    assert {line: (c.support, c.valid, c.asked, c.findings) for line, c in made.items()} == {1: (1, 3, 3, 2), 8: (1, 2, 3, 1)}


def test_models_are_counted_apart_and_a_run_number_is_not_shared_between_them() -> None:
    about = target(LEAK)
    (ask,) = prompts([about], PANEL)
    said = reply(about, claim(5))
    runs = [run(ask, 1, said, model="m"), run(ask, 2, said, model="m"), run(ask, 1, said, model="n")]
    (made,) = assess(record([about], [ask], runs, plan=Plan(2), models=())).candidates

    assert (made.support, made.valid, made.asked, made.models) == (3, 3, 4, (("m", 2, 2), ("n", 1, 1)))
