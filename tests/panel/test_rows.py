"""The rows of the stable-id panel (P…), and the faults of its reference implementation (B…), that concern what is asked and read.

P24, P25, P30, P32, P35 and P38, and B12, B14 and B15, concern sampling, assessment and reports.
P34 and P36 are about agents and their workspaces, which an audit has none of.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.asking import bucket, check, judged, panel_reply, prompt, target

from venire.errors import CriteriaError, UsageError
from venire.model import Panel, Plan, Prompt, When
from venire.panel import COMBINED, Remarks, answer, expected, feedback, load, merged, prompts, shown
from venire.panel.buckets import build
from venire.panel.modes import Entry, arrange
from venire.panel.strict import NOT_ONE_OBJECT
from venire.panel.when import both, holds

THREE = prompt(bucket(check(1), check(2), check(3)), contract="panel")
IDS = ("check_1", "check_2", "check_3")
ALL = (judged(1), judged(2), judged(3))
PY = target(path="src/read.py", language="python")


def panel_of(*texts: str, mode: str = "separate") -> Panel:
    entries, faults = read_all(*texts)
    assert faults == ()
    return arrange(entries, mode)


def read_all(*texts: str) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    return build([(f"{chr(97 + i)}.yml", dedent(text).encode()) for i, text in enumerate(texts)])


def faults_of(*texts: str) -> tuple[str, ...]:
    return read_all(*texts)[1]


def names(panel: Panel) -> list[str]:
    return [found.name for found in merged(panel)]


def ids(panel: Panel) -> list[list[str]]:
    return [[c.id for c in found.checks] for found in merged(panel)]


def asked_about(panel: Panel) -> Prompt:
    return prompts(PY, panel, Plan(), "m", "panel")[0]


# ---------------------------------------------------------------- criteria files


@pytest.mark.parametrize("line", ["kind: prompt", "gate: true", "type: prompt", "graders: []", "plane: x"])
def test_p01_an_unknown_key_is_refused_at_every_level(line: str) -> None:
    for text in (
        f"{line}\nbuckets: [{{name: a, checks: [x]}}]",
        f"buckets: [{{name: a, checks: [x], {line}}}]",
        f"buckets: [{{name: a, checks: [{{text: x, {line}}}]}}]",
        f"buckets: [{{name: a, when: {{{line}}}, checks: [x]}}]",
        f"groups: [{{{line}, buckets: [{{name: a, checks: [x]}}]}}]",
    ):
        (fault,) = faults_of(text)
        assert f"unknown key '{line.split(':')[0]}'" in fault


def test_p02_one_invalid_file_among_good_ones_is_an_error_and_never_skipped(tmp_path: Path) -> None:
    for name, text in (("1.yml", "buckets: [{name: a, checks: [x]}]"), ("2.yml", "buckets: ["), ("3.yml", "graders: []")):
        (tmp_path / name).write_text(text)

    with pytest.raises(CriteriaError) as caught:
        load([tmp_path])

    assert [part.rsplit("/", 1)[1].split(":")[0] for part in caught.value.message.split("\n")] == ["2.yml", "3.yml"]


@pytest.mark.parametrize(
    "texts",
    [
        ["buckets: [{name: a, checks: [x]}, {name: a, checks: [y]}]"],
        ["groups: [{buckets: [{name: a, checks: [x]}, {name: a, checks: [y]}]}]"],
        ["buckets: [{name: a, checks: [x]}]\ngroups: [{buckets: [{name: a, checks: [y]}]}]"],
        ["buckets: [{name: a, checks: [x]}]\ngroups: [{name: a, buckets: [{name: b, checks: [y]}]}]"],
        ["buckets: [{name: a, checks: [x]}]", "buckets: [{name: a, checks: [y]}]"],
        ["buckets: [{name: b, checks: [x]}]", "groups: [{name: a, buckets: [{name: a, checks: [y]}]}]"],
    ],
)
def test_p03_names_are_unique_at_top_level_in_groups_across_both_and_across_files(texts: list[str]) -> None:
    (fault,) = faults_of(*texts)

    assert "'a' is already at a.yml:" in fault or "'a' is already at b.yml:" in fault


@pytest.mark.parametrize("weight", ["0", "-1", "2.5"])
def test_p04_no_check_weighs_more_than_another(weight: str) -> None:
    """There are no weights, so none can be wrong: one check, one vote, and the greatest score is the number of checks."""
    (fault,) = faults_of(f"buckets: [{{name: a, weight: {weight}, checks: [x]}}]")

    assert "unknown key 'weight'" in fault


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [("{}", True), ("{language: PYTHON}", True), ("{language: go}", False), ("{path: src/}", True), ("{model: M}", True)],
)
def test_p05_a_condition_with_one_value_matches_it_and_an_empty_one_everything(text: str, is_asked: bool) -> None:
    panel = panel_of(f"buckets: [{{name: a, when: {text}, checks: [x]}}]")

    assert bool(prompts(PY, panel, Plan(), "m")) is is_asked


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("{language: [go, python]}", True),
        ("{language: [go, rust]}", False),
        ("{language: [go, python], path: [lib/, src/]}", True),
        ("{language: [go, python], path: [lib/]}", False),
        ("{language: [python], path: [src/], model: [x, m]}", True),
        ("{language: [python], path: [src/], model: [x]}", False),
        ("{language: [], path: []}", True),
    ],
)
def test_p06_lists_are_or_inside_a_field_and_and_across_fields(text: str, is_asked: bool) -> None:
    panel = panel_of(f"buckets: [{{name: a, when: {text}, checks: [x]}}]")

    assert bool(prompts(PY, panel, Plan(), "m")) is is_asked


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("{language: '!go'}", True),
        ("{language: '!python'}", False),
        ("{path: ['src/', '!*.py']}", False),
        ("{model: '!x*'}", True),
        ("{model: '!M'}", False),
    ],
)
def test_p07_a_negated_entry_bars_what_it_matches_and_nothing_else(text: str, is_asked: bool) -> None:
    panel = panel_of(f"buckets: [{{name: a, when: {text}, checks: [x]}}]")

    assert bool(prompts(PY, panel, Plan(), "m")) is is_asked


@pytest.mark.parametrize("check_level", ["python", "go"])
@pytest.mark.parametrize("entry_level", ["python", "go"])
@pytest.mark.parametrize("group_level", ["python", "go"])
@pytest.mark.parametrize("file_level", ["python", "go"])
@pytest.mark.parametrize("mode", ["separate", "combined", "isolated"])
def test_p08_file_group_entry_and_check_must_all_hold_so_that_none_relaxes_the_one_above(
    file_level: str, group_level: str, entry_level: str, check_level: str, mode: str
) -> None:
    text = f"""\
        when: {{language: {file_level}}}
        groups:
          - name: g
            isolate: true
            when: {{language: {group_level}}}
            buckets:
              - name: a
                when: {{language: {entry_level}}}
                checks: [{{text: x, when: {{language: {check_level}}}}}]
              - {{name: b, checks: [y]}}
        """
    found = prompts(PY, panel_of(text, mode=mode), Plan(), "m")

    assert any("x\n" in p.user for p in found if ": x\n" in p.user) is (
        {file_level, group_level, entry_level, check_level} == {"python"}
    )
    assert any(": y\n" in p.user for p in found) is ({file_level, group_level} == {"python"})


def test_p08_levels_may_add_fields_to_one_another() -> None:
    for outer, inner in ((When(path=("src/",)), When(language=("python",))), (When(path=("src/",)), When(path=("*.py",)))):
        assert holds(both(outer, inner), PY, "m")
        assert not holds(both(outer, inner), target(path="lib/read.py"), "m")


def test_p09_the_order_is_files_then_top_level_then_groups_then_entries() -> None:
    one = """\
        groups:
          - {name: z, buckets: [{name: d, checks: [D.]}, {name: c, checks: [C.]}]}
          - {buckets: [{name: b, checks: [B.]}]}
        buckets: [{name: f, checks: [F.]}, {name: e, checks: [E.]}]
        """
    two = "buckets: [{name: a, checks: [A.]}]"

    assert names(panel_of(one, two)) == ["f", "e", "d", "c", "b", "a"]
    assert names(panel_of(two, one)) == ["a", "f", "e", "d", "c", "b"]


def test_p10_ids_are_1_based_in_each_bucket_and_run_on_over_its_entries() -> None:
    text = "buckets: [{name: a, checks: [A., B.]}, {name: b, checks: [C., D., E.]}]"

    assert ids(panel_of(text)) == [["check_1", "check_2"], ["check_1", "check_2", "check_3"]]
    assert ids(panel_of(text, mode="combined")) == [["check_1", "check_2", "check_3", "check_4", "check_5"]]


def test_p10_a_blank_check_is_a_fault_instead_of_a_number_less() -> None:
    """The reference skips it in silence; a file with fewer checks than its author thinks is refused here."""
    assert faults_of("buckets: [{name: a, checks: [A., ' ', B.]}]") == ("a.yml:1: check_2 of bucket 'a' is blank",)


def test_p11_ids_come_from_the_list_alone_whatever_a_text_looks_like() -> None:
    odd = ["- a list", "1. a number", "[x] a box", "check_9: an id", "| two\n- lines"]
    texts = [*odd, *(f"Statement {n}." for n in range(6, 121))]
    panel = panel_of(f"buckets: [{{name: a, checks: {json.dumps(texts)}}}]")

    assert ids(panel) == [[f"check_{n}" for n in range(1, 121)]]
    assert expected(asked_about(panel)) == tuple(ids(panel)[0])


def test_p12_a_heading_is_shown_once_and_never_numbered() -> None:
    text = """\
        buckets:
          - {name: style, instruction: "1. Look at names.\\n- and at layout", checks: [A., B.]}
          - {name: other, checks: [C.]}
        """
    alone, _ = prompts(PY, panel_of(text), Plan(), "m", "panel")
    combined = asked_about(panel_of(text, mode="combined"))

    assert expected(alone) == ("check_1", "check_2")
    assert expected(combined) == IDS
    for asked in (alone, combined):
        assert asked.user.count("1. Look at names.\n- and at layout") == 1
    assert combined.user.index("Look at names") < combined.user.index("check_1: A.")


ISOLATED = "{name: a, isolate: true, checks: [A.]}"


@pytest.mark.parametrize(
    ("text", "mode", "found"),
    [
        (f"buckets: [{ISOLATED}, {{name: b, checks: [B.]}}]", "combined", [COMBINED]),
        (f"buckets: [{ISOLATED}, {{name: b, isolate: true, checks: [B.]}}]", "isolated", ["a", "b"]),
        (f"buckets: [{{name: b, checks: [B.]}}, {ISOLATED}, {{name: c, checks: [C.]}}]", "isolated", [COMBINED, "a"]),
        (f"groups: [{{name: g, isolate: true, buckets: [{ISOLATED}, {{name: b, checks: [B.]}}]}}]", "isolated", ["g"]),
        (f"groups: [{{name: g, buckets: [{ISOLATED}, {{name: b, checks: [B.]}}]}}]", "isolated", ["a", COMBINED]),
        ("buckets: [{name: a, checks: [A.]}, {name: b, checks: [B.]}]", "isolated", ["a", "b"]),
    ],
    ids=["combined", "all isolated", "mixed", "group before entry", "entry in a plain group", "nothing isolated"],
)
def test_p13_buckets_are_built_as_the_mode_says(text: str, mode: str, found: list[str]) -> None:
    assert names(panel_of(text, mode=mode)) == found


def test_p13_an_unknown_mode_an_empty_name_and_a_panel_where_nothing_applies() -> None:
    with pytest.raises(UsageError, match="no mode 'together'"):
        panel_of(f"buckets: [{ISOLATED}]", mode="together")
    assert "must be one line of printable text" in faults_of("buckets: [{name: '', checks: [A.]}]")[0]
    nothing = panel_of("{when: {language: go}, buckets: [{name: a, isolate: true, checks: [A.]}]}", mode="isolated")
    assert prompts(PY, nothing, Plan(), "m") == ()


def test_p14_two_entries_of_one_name_and_one_named_like_the_combined_bucket_are_refused() -> None:
    assert len(faults_of("buckets: [{name: a, checks: [A.]}, {name: a, checks: [B.]}]")) == 1
    assert "reserved" in faults_of(f"buckets: [{{name: {COMBINED}, checks: [A.]}}]")[0]
    for mode in ("separate", "combined", "isolated"):
        shared = panel_of(f"buckets: [{ISOLATED}, {{name: b, checks: [B.]}}, {{name: c, checks: [C.]}}]", mode=mode)
        assert len(set(names(shared))) == len(names(shared))


# ---------------------------------------------------------------- prompts


def test_p15_a_prompt_holds_each_id_with_its_text_the_rules_and_the_ids_in_schema_and_form() -> None:
    asked = asked_about(Panel((bucket(check(1), check(2, 'A "quoted" <|im_end|> text.')),)))

    assert '\ncheck_1: Statement 1 holds.\ncheck_2: A "quoted" \\u{3c}|im_end|> text.\n' in asked.user
    assert "exactly one entry for each of these ids, in this order: check_1, check_2." in asked.user
    assert '"enum":["check_1","check_2"]' in asked.schema
    assert prompts(PY, Panel((bucket(check(1, when=When(language=("go",)))),)), Plan(), "m", "panel") == ()


SCRIPT = """
import hashlib, sys
from support.asking import target
from venire.model import Plan
from venire.panel import load, prompts
text = repr([prompts(target(), load((), mode), Plan(), "m", "panel") for mode in ("separate", "combined", "isolated")])
sys.stdout.write(hashlib.sha256(text.encode()).hexdigest())
"""


def test_p16_a_prompt_has_the_same_bytes_in_every_process() -> None:
    digests = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent.parent)}
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
        digests.add(done.stdout)

    assert len(digests) == 1
    assert len(digests.pop()) == len(hashlib.sha256().hexdigest())


# ---------------------------------------------------------------- replies


def test_p17_a_good_reply_is_parsed_and_fences_prose_and_old_forms_are_refused() -> None:
    good = panel_reply(*ALL)

    assert answer([good], THREE).verdicts == tuple((id_, True) for id_ in IDS)
    assert answer([f"```json\n{good}\n```"], THREE).fault == NOT_ONE_OBJECT
    assert answer([f"Here it is: {good}"], THREE).fault == NOT_ONE_OBJECT
    assert "criteria is an object, not an array" in answer(['{"criteria":{"check_1":true}}'], THREE).fault
    legacy = panel_reply(*({"criterion": f"Statement {n} holds.", "passed": True, "reasoning": "x"} for n in (1, 2, 3)))
    assert answer([legacy], THREE).missing == IDS


@pytest.mark.parametrize(
    ("entries", "fault", "missing"),
    [
        ([judged(1), judged(3)], "missing ids: [check_2]", ("check_2",)),
        ([*ALL, judged(4)], "extra ids: [check_4]", ()),
        ([*ALL, judged(id="")], "the id of criterion 4 is empty", ()),
        ([judged(1), judged(2, reasoning=" "), judged(3)], "reasoning of check_2 is empty", ("check_2",)),
    ],
)
def test_p18_missing_and_extra_ids_empty_ids_and_empty_reasoning_are_faults(
    entries: list[object], fault: str, missing: tuple[str, ...]
) -> None:
    said = answer([panel_reply(*entries)], THREE)

    assert (said.fault, said.missing) == (fault, missing)


ABSENT = {"id": "check_2", "reasoning": "x"}


@pytest.mark.parametrize(
    "entries",
    [
        [*ALL, judged(2)],
        [*ALL, judged(2, False)],
        [judged(1), ABSENT, judged(3)],
        [judged(1), judged(2, None), judged(3)],
        [judged(1), judged(2, "yes"), judged(3)],
        [judged(1), judged(2, 1), judged(3)],
        [judged(1), judged(id=2), judged(3)],
        [judged(1), judged(id=None), judged(3)],
        [judged(1), judged(id=" check_2"), judged(3)],
        [judged(1), judged(id="check_2 "), judged(3)],
        [judged(1), judged(id="CHECK_2"), judged(3)],
    ],
)
def test_p19_duplicate_ids_a_passed_that_is_no_boolean_and_ids_that_are_not_exact_give_no_verdict(
    entries: list[object],
) -> None:
    said = answer([panel_reply(*entries)], THREE)

    assert said.fault
    assert said.missing == ("check_2",)


def test_p20_feedback_lists_missing_and_extra_ids_in_expected_order_with_the_same_bytes() -> None:
    replies = [panel_reply(*order) for order in ([judged(2), judged(99), judged(98)], [judged(98), judged(2), judged(99)])]
    told = {feedback(answer([text], THREE).fault, THREE) for text in replies}

    assert len(told) == 1
    assert told.pop().startswith(
        "Your response is missing ids: [check_1, check_3]. Extra ids: [check_98, check_99]. "
        "Please return exactly: [check_1, check_2, check_3].\n"
    )


GOOD, BAD = panel_reply(*ALL), panel_reply(judged(99))


@pytest.mark.parametrize(
    ("texts", "is_done"),
    [((GOOD,), [True]), ((BAD, GOOD), [False, True]), ((BAD, BAD, BAD, GOOD), [False] * 3 + [True]), ((BAD,) * 4, [False] * 4)],
)
def test_p21_each_attempt_is_parsed_alone_and_says_whether_to_ask_again(texts: tuple[str, ...], is_done: list[bool]) -> None:
    assert [not answer(texts[:n], THREE).fault for n in range(1, len(texts) + 1)] == is_done


def test_p22_the_last_valid_entry_of_each_id_wins_over_the_attempts() -> None:
    first = panel_reply(judged(1, False, line="4: def read(path):"), judged(3, False))
    second = panel_reply(judged(1), judged(2), judged(3, None))
    said = answer([first, second], THREE)

    assert said.verdicts == (("check_1", True), ("check_2", True), ("check_3", False))
    assert (said.claims, said.missing, said.fault) == ((), (), "")


def test_p23_only_the_missing_ids_are_left_to_synthesis_and_valid_verdicts_are_kept() -> None:
    text = panel_reply(judged(1, False, line="4: def read(path):"), judged(2))
    said = answer([text, "", "prose", text], THREE)

    assert said.verdicts == (("check_1", False), ("check_2", True))
    assert said.missing == ("check_3",)
    assert [claim.check for claim in said.claims] == ["check_1"]


# ---------------------------------------------------------------- keys, labels, counts


def labels(panel: Panel) -> dict[tuple[str, str], str]:
    return {(c.bucket, c.id): c.text for found in merged(panel) for c in found.checks}


STRANGE = """\
    buckets:
      - {name: "a::check_1", checks: ["[b] begins with a box."]}
      - {name: "b]", checks: ["[a::check_1] names another bucket."]}
      - {name: "[b", checks: ["Third.", "Fourth."]}
    """


def test_p26_a_key_is_a_pair_and_a_name_or_text_cannot_make_it_another() -> None:
    found = labels(panel_of(STRANGE))

    assert list(found) == [("a::check_1", "check_1"), ("b]", "check_1"), ("[b", "check_1"), ("[b", "check_2")]
    assert [shown(*key) for key in found] == ["a::check_1::check_1", "b]::check_1", "[b::check_1", "[b::check_2"]
    combined = panel_of(STRANGE, mode="combined")
    assert [shown(*key) for key in labels(combined)] == ["check_1", "check_2", "check_3", "check_4"]


def test_p27_a_label_is_the_text_of_its_bucket_and_id() -> None:
    panel = panel_of("buckets: [{name: a, checks: [A.]}, {name: b, checks: [B.]}]")

    assert labels(panel) == {("a", "check_1"): "A.", ("b", "check_1"): "B."}
    for asked in prompts(PY, panel, Plan(), "m", "panel"):
        assert f"\ncheck_1: {asked.bucket.upper()}.\n" in asked.user


def test_p28_an_answer_holds_every_expected_id_in_expected_order_and_no_other() -> None:
    said = answer([panel_reply(judged(3), judged(7), judged(1))], THREE)

    assert [id_ for id_, _ in said.verdicts] == ["check_1", "check_3"]
    assert said.missing == ("check_2",)
    assert prompts(PY, Panel(()), Plan(), "m", "panel") == ()


TWICE = panel_reply(*ALL, *ALL, judged(9))


@pytest.mark.parametrize("texts", [[], [""], ["prose"], [TWICE], [panel_reply(judged(2))], [BAD, GOOD]])
def test_p29_the_greatest_score_is_the_number_of_checks_whatever_the_fault(texts: list[str]) -> None:
    said = answer(texts, THREE)

    assert len(said.verdicts) + len(said.missing) == 3


def test_p31_duplicate_and_extra_ids_never_give_one_reviewer_more_votes_than_checks() -> None:
    said = answer([panel_reply(*ALL, judged(1), judged(2), judged(4), judged(5))], THREE)

    assert said.verdicts == (("check_3", True),)
    assert said.missing == ("check_1", "check_2")


def test_p33_issues_and_strengths_are_united_in_first_seen_order() -> None:
    replies = [panel_reply(issues=["B.", "A."], strengths=None), panel_reply(issues=["A.", "C."], strengths=["S.", "S."])]

    assert Remarks.of(replies) == Remarks(("All read.",), ("B.", "A.", "C."), ("S.",))


def test_p37_nothing_to_ask_is_an_error_where_criteria_are_read(tmp_path: Path) -> None:
    """Nothing to audit is judged where the change is read; here, no criteria never mean that everything passes."""
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(CriteriaError):
            load([path])


# ---------------------------------------------------------------- faults of the reference implementation


def test_b01_a_reply_after_a_bad_one_is_not_parsed_together_with_it() -> None:
    assert answer([BAD, GOOD], THREE).verdicts == tuple((id_, True) for id_ in IDS)


def test_b02_one_bad_entry_does_not_cost_the_valid_ones_their_verdict() -> None:
    nine = prompt(bucket(*(check(n) for n in range(1, 11))), contract="panel")
    said = answer([panel_reply(*(judged(n) for n in range(1, 10)))] * 4, nine)

    assert [passed for _, passed in said.verdicts] == [True] * 9
    assert said.missing == ("check_10",)


def test_b03_a_reply_that_is_refused_still_counts_every_check() -> None:
    said = answer([panel_reply(judged(1), judged(2, "no"), judged(42))], THREE)

    assert said.fault
    assert len(said.verdicts) + len(said.missing) == len(IDS)


def test_b04_an_id_given_twice_is_a_fault_and_neither_entry_counts() -> None:
    said = answer([panel_reply(judged(1), judged(1, False), judged(2), judged(3))], THREE)

    assert said.fault == "duplicate ids: [check_1]"
    assert said.missing == ("check_1",)


def test_b05_a_passed_that_is_absent_is_no_silent_fail() -> None:
    said = answer([panel_reply(judged(1), ABSENT, judged(3))], THREE)

    assert "check_2" not in dict(said.verdicts)
    assert said.fault == "check_2 has no passed"


def test_b06_a_run_whose_every_attempt_failed_keeps_its_seat() -> None:
    assert answer(["", "", "", ""], THREE).missing == IDS


def test_b07_a_bucket_is_never_read_out_of_a_label() -> None:
    for asked in prompts(PY, panel_of(STRANGE), Plan(), "m", "panel"):
        assert asked.bucket in ("a::check_1", "b]", "[b")
        assert expected(asked) == IDS[: len(expected(asked))]


def test_b08_the_check_1_of_one_bucket_says_nothing_of_the_other() -> None:
    one, two = prompts(PY, panel_of("buckets: [{name: a, checks: [A.]}, {name: b, checks: [B., C.]}]"), Plan(), "m", "panel")

    assert [len(answer([panel_reply(judged(1, False))], asked).verdicts) for asked in (one, two)] == [1, 1]
    assert answer([panel_reply(judged(1, False))], two).missing == ("check_2",)


def test_b09_verdicts_come_in_the_order_of_the_file_and_not_of_the_reply() -> None:
    for order in ([3, 1, 2], [2, 3, 1], [1, 2, 3]):
        assert [id_ for id_, _ in answer([panel_reply(*map(judged, order))], THREE).verdicts] == list(IDS)


def test_b10_feedback_and_prompts_follow_no_order_of_a_map() -> None:
    ten = prompt(bucket(*(check(n) for n in range(1, 13))), contract="panel")
    listed = ", ".join(f"check_{n}" for n in range(1, 13))

    extra = [judged(n) for n in (40, 7000, 13, 300, 25)]
    said = f"Your response is missing ids: [{listed}]. Extra ids: [check_13, check_25, check_40, check_300, check_7000]. "
    assert feedback(answer([panel_reply(*extra)], ten).fault, ten).startswith(said)
    assert f"in this order: {listed}." in ten.user


def test_b11_a_text_of_several_lines_is_one_check() -> None:
    checks = json.dumps(["One\n- two\n2. three", "Four"])
    panel = panel_of(f"buckets: [{{name: a, checks: {checks}}}]")

    assert labels(panel) == {("a", "check_1"): "One - two 2. three", ("a", "check_2"): "Four"}


def test_b13_two_buckets_never_share_a_key() -> None:
    assert faults_of("buckets: [{name: a, checks: [A.]}]", "buckets: [{name: a, checks: [B.]}]")
    for mode in ("separate", "combined", "isolated"):
        found = panel_of(STRANGE, mode=mode)
        assert len(labels(found)) == sum(len(part.checks) for part in found.buckets) == 4


def test_b16_an_isolated_group_without_a_name_is_one_bucket() -> None:
    text = "groups: [{isolate: true, buckets: [{name: x, checks: [X.]}, {name: y, checks: [Y.]}, {name: z, checks: [Z.]}]}]"

    assert ids(panel_of(text, mode="isolated")) == [list(IDS)]


# ---------------------------------------------------------------- random faults

LINES = ("1: import db", "4: def read(path):")
CASES = 250


class Faulty:
    """Random runs of a random panel: attempts whose replies are whole, broken entry by entry, or no replies at all."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.bucket = bucket(*(check(n, f"Statement {seed}.{n}.") for n in range(1, self.draw.randint(1, 6) + 1)))
        self.asked = prompt(self.bucket, contract="panel")
        self.ids = [c.id for c in self.bucket.checks]

    def run(self) -> list[str]:
        return [self.reply() for _ in range(self.draw.randint(0, 4))]

    def reply(self) -> str:
        entries = [self.entry(id_) for id_ in self.ids if self.draw.random() < 0.8]
        entries += [self.entry(self.stray()) for _ in range(self.draw.choice((0, 0, 0, 1, 2)))]
        if self.draw.random() < 0.3:
            self.draw.shuffle(entries)
        whole: dict[str, object] = {"criteria": entries, "summary": "S.", "issues": [], "strengths": []}
        if self.draw.random() < 0.1:
            whole[self.draw.choice(list(whole))] = self.draw.choice([None, 1, "x", {}, [1]])
        if self.draw.random() < 0.1:
            del whole[self.draw.choice(list(whole))]
        text = json.dumps(whole)
        return self.draw.choice((*[text] * 12, "", "prose", text[: len(text) // 2], f"```{text}```", text + text))

    def entry(self, id_: object) -> object:
        found = judged(passed=self.draw.random() < 0.5, id=id_, line=self.draw.choice((*LINES, "none")))
        if self.draw.random() < 0.25:
            key = self.draw.choice(("id", "passed", "reasoning", "line", "text"))
            found[key] = self.draw.choice((None, "", " ", "yes", 1, 0, [], {}, "x" * 2001, "9: no"))
        if self.draw.random() < 0.1:
            del found[self.draw.choice(list(found))]
        return found if self.draw.random() < 0.97 else self.draw.choice((None, "check_1", [], 3))

    def stray(self) -> object:
        return self.draw.choice((*self.ids, "check_99", "Check_1", " check_1", "check_1 ", "check_", "b::check_1", "", 1, None))


def verdicts_of(text: str, ids: Sequence[str]) -> dict[str, bool]:
    """What a reply validly says, told again from the contract's words."""
    try:
        entries = json.loads(text)["criteria"]
    except (ValueError, KeyError, TypeError):
        return {}
    entries = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    named = [e for e in entries if isinstance(e.get("id"), str)]
    count = Counter(e["id"] for e in named)
    return {e["id"]: e["passed"] for e in named if e["id"] in ids and is_valid(e, count[e["id"]])}


def is_valid(entry: dict[str, object], times: int) -> bool:
    reasoning = entry.get("reasoning")
    line = entry.get("line", "none")
    return (
        times == 1
        and entry.keys() <= {"id", "passed", "reasoning", "line"}
        and isinstance(entry.get("passed"), bool)
        and isinstance(reasoning, str)
        and len(reasoning.strip()) > 0
        and len(reasoning) <= 2000
        and isinstance(line, str)
        and (line == "none" or line in LINES)
    )


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_ten_thousand_random_faults_change_no_count_no_order_and_no_label_and_make_no_claim(seed: int) -> None:
    """40 panels, 250 runs each."""
    faulty = Faulty(seed)
    texts_of = {(c.bucket, c.id): c.text for c in faulty.bucket.checks}
    for _ in range(CASES):
        run = faulty.run()
        said = answer(run, faulty.asked)
        heard: dict[str, bool] = {}
        for text in run:
            heard |= verdicts_of(text, faulty.ids)

        assert dict(said.verdicts) == heard, run
        assert [id_ for id_ in faulty.ids if id_ in heard] == [id_ for id_, _ in said.verdicts]
        assert [id_ for id_ in faulty.ids if id_ not in heard] == list(said.missing)
        assert len(said.verdicts) + len(said.missing) == len(faulty.ids)
        assert {claim.check for claim in said.claims} <= {id_ for id_, passed in heard.items() if not passed}
        assert len({claim.check for claim in said.claims}) == len(said.claims)
        assert all(texts_of[faulty.asked.bucket, id_] == f"Statement {seed}.{id_[6:]}." for id_, _ in said.verdicts)
        assert said.fault or said.is_complete
        assert answer(run, faulty.asked) == said
