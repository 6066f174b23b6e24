"""One bucket an entry, one for all, or the isolated ones apart; the order of the files is kept."""

from textwrap import dedent

import pytest
from support.asking import target

from venire.errors import UsageError
from venire.model import Panel, Plan
from venire.panel import COMBINED, merged, prompts
from venire.panel.buckets import build
from venire.panel.content import content_id
from venire.panel.modes import FIELDS, arrange

MIXED = """\
    buckets:
      - {name: a, checks: [A1., A2.]}
      - {name: b, isolate: true, instruction: Look at b., checks: [B1.]}
    groups:
      - name: data
        isolate: true
        buckets:
          - {name: c, instruction: Look at c., checks: [C1., C2.]}
          - {name: d, isolate: true, checks: [D1.]}
      - buckets:
          - {name: e, instruction: Look at e., checks: [E1.]}
          - {name: f, isolate: true, checks: [F1.]}
    """


ORDER = ("problem", "line", "check", "severity")
WRITTEN = f"fields: [{', '.join(ORDER)}]"


def panel(text: str, mode: str = "separate") -> Panel:
    entries, faults = build([("a.yml", dedent(text).encode())])
    assert faults == ()
    return arrange(entries, mode)


def asked(text: str, mode: str) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(b.name, [(c.id, c.text) for c in b.checks]) for b in merged(panel(text, mode))]


def test_separate_is_one_bucket_an_entry_whatever_is_isolated() -> None:
    assert [(name, len(checks)) for name, checks in asked(MIXED, "separate")] == [
        ("a", 2), ("b", 1), ("c", 2), ("d", 1), ("e", 1), ("f", 1),
    ]  # fmt: skip


def test_combined_is_one_bucket_with_ids_running_on() -> None:
    assert asked(MIXED, "combined") == [
        (COMBINED, [(f"check_{n}", f"{t}.") for n, t in enumerate(["A1", "A2", "B1", "C1", "C2", "D1", "E1", "F1"], 1)])
    ]


def test_isolated_entries_and_groups_have_buckets_of_their_own_and_the_rest_is_combined() -> None:
    assert asked(MIXED, "isolated") == [
        (COMBINED, [("check_1", "A1."), ("check_2", "A2."), ("check_3", "E1.")]),
        ("b", [("check_1", "B1.")]),
        ("data", [("check_1", "C1."), ("check_2", "C2."), ("check_3", "D1.")]),
        ("f", [("check_1", "F1.")]),
    ]


def test_an_isolated_group_without_a_name_is_one_bucket_named_after_its_first_entry() -> None:
    text = "groups: [{isolate: true, buckets: [{name: x, checks: [X.]}, {name: y, checks: [Y.]}]}]"

    assert asked(text, "isolated") == [("x", [("check_1", "X."), ("check_2", "Y.")])]


def test_when_nothing_is_isolated_the_isolated_mode_is_separate() -> None:
    text = "buckets: [{name: a, checks: [A.]}, {name: b, isolate: false, checks: [B.]}]"

    assert panel(text, "isolated") == panel(text)


@pytest.mark.parametrize("mode", ["", "Combined", "all"])
def test_an_unknown_mode_is_an_error_that_names_the_known_ones(mode: str) -> None:
    with pytest.raises(UsageError) as caught:
        panel(MIXED, mode)

    assert "separate, combined, isolated" in caught.value.remedy


def test_a_check_is_another_one_in_another_bucket_and_its_own_family_stays_its_own() -> None:
    own, shared = merged(panel("buckets: [{name: a, checks: [One., {text: Two., family: f}]}]", "combined"))[0].checks

    assert (own.bucket, own.content, own.family) == (COMBINED, content_id(COMBINED, "One."), own.content)
    assert shared.family == "f"


def test_each_entry_of_a_shared_bucket_keeps_its_own_conditions() -> None:
    text = """\
        when: {path: src/}
        buckets:
          - {name: a, when: {language: go}, checks: [A.]}
          - {name: b, checks: [B., {text: C., when: {model: "x*"}}, D.]}
        """
    (found,) = prompts(target(), panel(text, "combined"), Plan(), "m")

    assert "# a" not in found.user
    assert "# b\ncheck_2: B.\ncheck_4: D.\n" in found.user
    assert found.bucket == COMBINED


def test_an_instruction_stands_once_before_the_first_check_of_its_entry() -> None:
    (found,) = prompts(target(), panel(MIXED, "combined"), Plan(), "m")

    listed = found.user.split("Statements that should hold:\n")[1].split("\n\n")[0]
    assert listed.startswith(
        "# a\ncheck_1: A1.\ncheck_2: A2.\n# b\nLook at b.\ncheck_3: B1.\n# c\nLook at c.\ncheck_4: C1.\ncheck_5: C2.\n# d\n"
    )


def test_a_shared_bucket_of_one_entry_is_asked_as_that_entry_is() -> None:
    text = "buckets: [{name: a, instruction: Look., checks: [A.]}]"
    (alone,), (combined,) = (prompts(target(), panel(text, mode), Plan(), "m") for mode in ("separate", "combined"))

    assert alone.user == combined.user
    assert (alone.bucket, combined.bucket) == ("a", COMBINED)


@pytest.mark.parametrize(
    ("first", "second", "fields", "cap"),
    [
        ("cap: 3", "cap: 4", FIELDS, 7),
        ("cap: 3", "cap: 0", FIELDS, 0),
        ("cap: 150", "cap: 150", FIELDS, 200),
        (WRITTEN, WRITTEN, ORDER, 0),
        (WRITTEN, "cap: 1", FIELDS, 0),
    ],
)
def test_entries_that_share_a_bucket_share_fields_and_add_up_their_caps(
    first: str, second: str, fields: tuple[str, ...], cap: int
) -> None:
    text = f"buckets: [{{name: a, {first}, checks: [A.]}}, {{name: b, {second}, checks: [B.]}}]"
    (found,) = merged(panel(text, "combined"))

    assert (found.fields, found.cap) == (fields, cap)
