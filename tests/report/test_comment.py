"""The pull request comment: severe candidates whole, everything else counted, never longer than a forge takes."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.gfm import page
from support.pools import candidate, clean, crowd, evil, inconclusive, judged, nothing, poison, pool, rare_and_severe, troubled

from venire.model import Gate, Gone, Lane, Pool
from venire.report.comment import LEAST, Stamp, comment

WHERE = "The whole report is in the [job summary](https://forge.example/runs/12)."
STAMP = Stamp("venire", "b" * 40, "4f" * 32, 12, WHERE)
ASTRAL = "🦊"


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def body(pool: Pool, limit: int = 60_000) -> str:
    return comment(pool, STAMP, limit=limit)


def test_a_severe_candidate_of_one_run_is_shown_whole_and_a_frequent_one_folded() -> None:
    text = body(judged())
    open_part, folded = text.split("<details>", 1)
    assert "#### `src/query.py:9` · high · 1 of 51 runs · still there · `c-0badc0de`" in open_part
    assert "cursor.execute" in open_part
    assert "#### `src/store.py:16-17` · medium · 45 of 51 runs · new · `c-3fa91b2c`" in folded


def test_the_rest_is_one_line_each() -> None:
    line = "- 4 of 51 runs: `src/store.py:90-91` medium, `Every opened file or connection is closed on every path` · moved"
    assert line in body(judged()).split("\n")


def test_decisions_evidence_gate_and_altered_files_are_told() -> None:
    text = body(judged())
    assert "- confirmed by `jo` on `2026-11-02`: `The name comes from a request.`" in text
    assert "- also reported by `bandit` `B608` on line 9" in text
    assert "> [!CAUTION]\n> **The gate (acknowledge) is reached**\n>\n> - `c-3fa91b2c has no decision: venire decide" in text
    whose = "the changed ones were in force; --trust base takes those of the base revision"
    alarm = f"> [!IMPORTANT]\n> **This change alters what decides how changes are audited; {whose}**"
    assert f"{alarm}\n>\n> - `venire.yml`" in text
    assert "dismissed by `jo` on `2026-11-02`: `Read only at start.`" in text


def test_what_changed_since_the_last_audit_is_counted_and_nothing_is_called_fixed() -> None:
    text = body(judged())
    assert "**Since the earlier audit:** 1 new, 2 still there, 1 moved, 1 not reported any more" in text
    assert "`src/store.py:200-201` medium, then 12 of 51 runs, not seen in 51 of 51 runs (`c-00009014`)" in text
    assert "Since the earlier audit" not in body(clean())


def test_a_place_that_no_run_looked_at_is_not_called_unseen() -> None:
    text = body(pool(gone=(Gone(candidate(12), 0, asked=51),)))
    assert "then 12 of 51 runs, nothing heard: none of 51 runs gave a valid reply (" in text


def test_progress_and_cost_are_told() -> None:
    text = body(judged())
    assert "51 of 51 runs valid" in text
    assert "102 of 102 samples valid · 81,234 prompt tokens, 3,210 reply tokens · 3 min 20 s · 50.1 s a candidate" in text
    assert "a candidate\n" not in body(clean())


def test_the_head_of_the_record_is_shown_in_full() -> None:
    assert f"record: head `{judged().head}`" in body(judged())


@pytest.mark.parametrize("made", [inconclusive, troubled])
def test_an_audit_that_is_not_complete_never_looks_clean(made: object) -> None:
    text = body(made())  # type: ignore[operator]
    assert "this is not a c" in text.split("\n")[1]
    assert "> [!WARNING]\n> **Why this is not a complete audit**" in text


def test_a_clean_audit_and_nothing_to_audit_say_so() -> None:
    assert body(clean()).split("\n")[1] == "## venire: No candidates: all 5 runs were silent"
    assert body(nothing()).split("\n")[1] == "## venire: Nothing to audit: 2 files skipped"
    assert "Settle a candidate" not in body(clean())


def test_a_gate_that_is_not_reached_and_has_nothing_to_say_is_not_mentioned() -> None:
    assert "gate" not in body(replace(judged(), gate=Gate("advisory", False)))
    assert "> [!NOTE]\n> **The gate (evidence) is not reached**" in body(
        replace(judged(), gate=Gate("evidence", False, ("why",)))
    )


def test_many_severe_candidates_are_listed_above_their_cards_the_rarest_too() -> None:
    text = body(crowd(severe=14))
    top = text[: text.index("####")]
    assert top.count("\n- ") == 13
    assert "- and 2 more between" in top
    assert "1 of 51 runs: `src/app/module_4.py:101-102`" in top


def shown(text: str) -> dict[str, tuple[int, int]]:
    """Cards and lines of each lane in a body."""
    found = {}
    for name, part in re.findall(
        r"(?:### |<summary>)(Severe|Frequent|Rest): (.*?)(?=\n### |\n</details>|<details>|\Z)", text, re.DOTALL
    ):
        cards = part.count("\n#### ")
        below = part[part.rindex("\n#### ") :] if cards else part
        found[name] = (cards, len(re.findall(r"^- \d+ of \d+ runs: ", below, re.MULTILINE)))
    return found


def test_all_sixty_candidates_fit_into_a_comment() -> None:
    assert shown(body(crowd())) == {"Severe": (5, 0), "Frequent": (25, 0), "Rest": (0, 30)}
    assert "not shown here" not in body(crowd())


def test_candidates_are_cut_from_the_bottom_of_the_least_lane_and_counted() -> None:
    text = body(crowd(), 15_000)
    whole, cut = shown(body(crowd())), shown(text)
    assert cut["Severe"] == whole["Severe"]
    assert cut["Frequent"][0] + cut["Frequent"][1] == 25
    assert 0 < cut["Frequent"][0] < 25
    assert cut["Rest"] == (0, 0)
    assert "**30 of 30 candidates (rest) are not shown here.**" in text
    assert f"**The cards of {cut['Frequent'][1]} of 25 candidates (frequent) are not shown here.**" in text
    assert text.rstrip().endswith(WHERE)


def test_severe_candidates_are_the_last_to_lose_their_cards() -> None:
    text = body(crowd(), 4_000)
    assert shown(text)["Severe"][0] + shown(text)["Severe"][1] == 5
    assert shown(text)["Severe"][0] >= 1
    assert "**25 of 25 candidates (frequent) are not shown here.**" in text


def test_ten_thousand_candidates_make_a_comment_within_the_limit() -> None:
    text = body(crowd(severe=300, frequent=2_000, rest=7_700))
    assert units(text) <= 60_000
    assert shown(text)["Severe"] == (shown(text)["Severe"][0], 300 - shown(text)["Severe"][0])
    assert "**7,700 of 7,700 candidates (rest) are not shown here.**" in text


@given(st.integers(LEAST, 70_000), st.sampled_from([crowd, judged, troubled, clean]), st.one_of(st.none(), evil))
@settings(max_examples=40, deadline=None)
def test_no_body_is_longer_than_its_limit_nor_cut_inside_a_fence_or_a_fold(limit: int, made: object, text: str | None) -> None:
    whole = made()  # type: ignore[operator]
    cut = body(poison(whole, text * 40) if text else whole, limit)
    assert units(cut) <= limit
    assert len(re.findall("^`{3,}text$", cut, re.MULTILINE)) == len(re.findall("^`{3,}$", cut, re.MULTILINE))
    assert len(re.findall("^<details>", cut, re.MULTILINE)) == len(re.findall("^</details>$", cut, re.MULTILINE))
    assert page(cut).elements.count("a") <= 1  # the link in ``where``, and every element is closed
    assert cut.startswith(STAMP.marker + "\n## venire: ")


def test_characters_beyond_the_first_plane_count_twice() -> None:
    many = pool(*(candidate(40, first=number, problem=ASTRAL * 400) for number in range(1, 100)))
    assert 55_000 < units(body(many)) <= 60_000
    assert len(body(many)) < 45_000


def test_a_head_that_has_no_room_leaves_the_status_and_where_the_rest_is() -> None:
    crowded = replace(
        troubled(), reasons=("r" * 400,) * 10, altered=("a" * 400,) * 10, gate=Gate("evidence", True, ("g" * 400,) * 10)
    )
    text = body(crowded, LEAST)
    assert units(text) <= LEAST
    assert "## venire: PARTIAL: 3 of 5 runs valid, this is not a complete result" in text
    assert "4 candidates: 1 severe, 1 frequent, 1 rest, 1 outside the change. None is shown here" in text
    assert text.rstrip().endswith(WHERE)


def test_a_limit_that_holds_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least, not 100"):
        body(clean(), 100)


def test_a_card_without_labels_code_or_anchors_still_renders() -> None:
    bare = candidate(labels=(), code=(), anchors=(), lines=(), lane=Lane.SEVERE)
    assert "**`The file is opened and never closed.`**" in body(pool(bare))


def test_a_card_names_every_model_when_there_are_several() -> None:
    one = replace(rare_and_severe(), models=(("small:1b", 1, 51), ("large:7b", 0, 51)))
    two = replace(pool(one), models=tuple(replace(pool().models[0], name=name) for name in ("small:1b", "large:7b")))
    assert "- models: `small:1b` 1 of 51, `large:7b` 0 of 51; dissent: `large:7b` never points here" in body(two)
