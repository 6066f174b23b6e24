"""No status can be misread, and one model's runs are never called reviewers."""

from dataclasses import replace

import pytest
from support.pools import MODEL, POOLS, PROSE, candidate, clean, inconclusive, nothing, pool, troubled

from venire.model import Pool, Sampling, Seat, Source
from venire.report import FORMS, render, wording
from venire.report.footer import caveat, failures, sums
from venire.report.inert import plain


def first_line(pool: Pool) -> str:
    return render(pool, "terminal").splitlines()[0]


def test_silence_is_called_silence() -> None:
    assert first_line(clean()) == "No candidates: all 5 runs were silent"
    assert first_line(pool(runs=1)) == "No candidates: the only run was silent"
    assert first_line(pool(runs=5, valid=4)) == "No candidates: all 4 valid runs were silent (5 asked)"


def test_a_complete_audit_opens_with_its_lanes() -> None:
    assert first_line(pool(candidate())) == "1 candidate: 0 severe, 1 frequent, 0 rest, 0 outside the change"


def test_an_inconclusive_audit_is_never_taken_for_a_clean_one() -> None:
    assert first_line(inconclusive()) == "INCONCLUSIVE: 1 of 5 runs valid, this is not a clean result"


def test_nothing_to_audit_says_so() -> None:
    assert first_line(nothing()) == "Nothing to audit: 2 files skipped"
    assert first_line(replace(nothing(), skipped=())) == "Nothing to audit"


def test_a_partial_audit_says_what_it_is() -> None:
    assert first_line(troubled()) == "PARTIAL: 3 of 5 runs valid, this is not a complete result"
    assert first_line(replace(troubled(), candidates=())) == "PARTIAL: 3 of 5 runs valid, this is not a clean result"


def test_an_unfinished_audit_can_be_completed() -> None:
    head = "UNFINISHED: 3 of 5 runs valid so far, this is not a clean result; --resume completes it"
    assert first_line(replace(troubled(), status="unfinished", stop="")) == head


@pytest.mark.parametrize("form", PROSE)
@pytest.mark.parametrize("name", POOLS)
def test_every_form_opens_with_the_same_words(name: str, form: str) -> None:
    text = render(POOLS[name](), form)
    assert wording.headline(POOLS[name]()) in "\n".join(text.splitlines()[:5])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", POOLS)
def test_no_report_calls_code_clean_or_a_candidate_verified(name: str, form: str) -> None:
    text = render(POOLS[name](), form).lower()
    assert not any(word in text for word in ("clean code", "is clean", "no issues", "issue found", "verified", "reviewers"))


@pytest.mark.parametrize("form", PROSE)
def test_reasons_are_given(form: str) -> None:
    assert all(reason in render(troubled(), form) for reason in troubled().reasons)


def test_runs_of_one_model_are_one_reviewer() -> None:
    assert caveat(clean()) == (
        "Votes measure how often a model repeats itself, not whether it is right; 5 runs of one model are one reviewer, not 5."
    )
    assert caveat(pool(runs=1)).endswith("not whether it is right.")
    two = replace(clean(), models=(MODEL, replace(MODEL, name="other:7b")))
    assert caveat(two).endswith("runs of one model are one reviewer, however many.")


def test_the_sum_leads_from_findings_to_candidates() -> None:
    assert sums(troubled()) == (
        "8 findings in 6 valid replies − 1 repeat = 7 votes → 4 regions → "
        "4 candidates: 1 severe, 1 frequent, 1 rest, 1 outside the change"
    )


def test_samples_that_failed_alike_share_a_line_and_keep_their_runs() -> None:
    lines = failures(inconclusive(), plain)
    assert len(lines) == 2
    assert all("runs 1, 2, 4, 5 (4 attempts): length: " in line for line in lines)


def fact(pool: Pool, name: str) -> str:
    return dict(wording.facts(pool, plain))[name]


def test_what_the_engine_does_not_say_is_not_assumed() -> None:
    silent = replace(clean(), models=(replace(MODEL, digest="", quantization="", engine="", context=0, gpu_share=None),))
    assert fact(silent, "model") == (
        "qwen2.5-coder:7b, quantization not stated, digest not stated, 7.6B parameters, "
        "engine not stated through ollama, context not stated, GPU share not stated"
    )


def test_a_pinned_audit_says_pinned() -> None:
    audit = clean().audit
    pinned = replace(audit, plan=replace(audit.plan, sampling=Sampling(pinned=True, seed=7)))
    assert fact(replace(clean(), audit=pinned), "sampling").startswith("pinned: temperature 0, top_k 1, top_p 1, seed 7")


def test_the_change_is_named_by_mode_spec_and_short_ends() -> None:
    assert wording.change(Source("staged", "", "a" * 40, ""), plain) == "staged change aaaaaaaaaaaa.."
    assert wording.change(Source("paths", "src lib"), plain) == "whole files src lib"
    assert wording.change(Source("worktree"), plain) == "working tree"


@pytest.mark.parametrize(
    ("ms", "expected"),
    [
        (0, "0.0 s"),
        (1_250, "1.2 s"),
        (59_949, "59.9 s"),
        (59_960, "1 min 0 s"),
        (200_400, "3 min 20 s"),
        (119_700, "2 min 0 s"),
        (7_200_000, "120 min 0 s"),
    ],
)
def test_wall_time_reads_as_time(ms: int, expected: str) -> None:
    assert fact(replace(clean(), ms=ms), "cost").startswith(expected + ",")


def test_two_models_are_both_named() -> None:
    two = replace(clean(), models=(MODEL, replace(MODEL, name="other:7b")))
    assert [name for name, _ in wording.facts(two, plain)].count("model") == 2
    assert wording.gist(two, plain).startswith("qwen2.5-coder:7b, other:7b · ")


def test_the_contract_of_the_replies_is_named() -> None:
    def told(*contracts: str) -> str:
        audit = replace(clean().audit, seats=tuple(Seat(f"m{n}", contract=c) for n, c in enumerate(contracts)))  # type: ignore[arg-type]
        return dict(wording.facts(replace(clean(), audit=audit), plain))["replies"]

    assert told("findings") == told() == "findings: line, problem, check, severity"
    assert told("panel") == "panel: a verdict on every check"
    assert told("findings", "panel") == "findings: line, problem, check, severity; panel: a verdict on every check"
