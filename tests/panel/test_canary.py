"""Planted defects are asked for like any line, are never claims about the file, and are there only when asked for."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import CODE, bucket, finding, prompt, reply, target

from venire.model import Panel, Plan, Prompt
from venire.panel import ContractFault, answer, parse, prompts, window_budget
from venire.panel.canary import BYTES, LABELS, NOTE, is_canary, plant
from venire.panel.findings import EMPTY

ON = Plan(canaries=True)
PLANTED = prompt(plan=ON)


def lines(asked: Prompt) -> list[str]:
    found: list[str] = json.loads(asked.schema)["properties"]["findings"]["items"]["properties"]["line"]["enum"]
    return found


HEAD, TAIL = lines(PLANTED)[0], lines(PLANTED)[-1]


def test_they_are_the_first_and_last_line_of_the_code_and_of_the_enum() -> None:
    code = PLANTED.user.split("BEGIN CODE ")[1].split("\nEND CODE ")[0].split("\n")[1:]

    assert (code[0], code[-1]) == (HEAD, TAIL)
    assert [HEAD, *lines(prompt()), TAIL] == lines(PLANTED)
    assert NOTE in PLANTED.user
    assert all(map(is_canary, (HEAD, TAIL)))


def test_a_cut_window_has_them_outside_its_marks() -> None:
    code = prompt(about=target(shown=(((2, 5),),)), plan=ON).user
    assert f"{lines(prompt(about=target(shown=(((2, 5),),)), plan=ON))[0]}\n...\n2:" in code


def test_without_the_setting_no_byte_of_a_prompt_is_another() -> None:
    off = prompt()

    assert not any(is_canary(line) for line in lines(off))
    assert NOTE not in off.user
    assert off.system == PLANTED.system
    assert window_budget(Panel((bucket(),)), Plan(), 4096) > window_budget(Panel((bucket(),)), ON, 4096)


def test_the_panel_contract_has_none() -> None:
    assert prompt(plan=ON, contract="panel") == prompt(contract="panel")
    assert window_budget(Panel((bucket(),)), ON, 4096, "panel") == window_budget(Panel((bucket(),)), Plan(), 4096, "panel")


def test_every_bucket_of_a_window_shows_the_same_ones_and_another_file_or_text_others() -> None:
    both = prompts(target(), Panel((bucket(), bucket(name="style"))), ON, "m")
    assert lines(both[0]) == lines(both[1])

    others = (target(path="src/b.py"), target(text=CODE + "x = 1\n"))
    assert len({HEAD, *(lines(prompt(about=other, plan=ON))[0] for other in others)}) == 3
    assert prompt(plan=ON) == PLANTED


@given(st.text("0123456789abcdef", min_size=12, max_size=12))
def test_no_numbered_line_is_a_canary_and_both_fit_what_the_budget_keeps(word: str) -> None:
    head, tail = plant(word)

    assert [line.partition(":")[0] for line in (head, tail)] == list(LABELS)
    assert not any(label[0].isdigit() for label in LABELS)
    assert len(f"{head}\n{tail}\n{NOTE}\n".encode()) <= BYTES
    assert head.partition(" ")[2] != tail.partition(" ")[2]


@pytest.mark.parametrize("said", [(), (HEAD,), (TAIL,), (HEAD, TAIL), (TAIL, TAIL)])
def test_the_answer_says_which_were_reported_and_holds_no_claim_about_them(said: tuple[str, ...]) -> None:
    found = answer([reply(finding(), *(finding(line=line, check="check_2") for line in said))], PLANTED)

    assert found.canaries == (HEAD in said, TAIL in said)
    assert [claim.line for claim in found.claims] == [4]
    assert found.verdicts == (("check_1", False), ("check_2", True))
    assert found.fault == ""


def test_a_refused_reply_and_a_prompt_without_them_say_nothing_of_them() -> None:
    assert answer(["prose"], PLANTED).canaries is None
    assert answer([EMPTY], prompt()).canaries is None
    assert answer([EMPTY], PLANTED).canaries == (False, False)


def test_only_the_last_reply_counts_for_them_too() -> None:
    assert answer([reply(finding(line=HEAD)), EMPTY], PLANTED).canaries == (False, False)


def test_one_that_was_not_planted_here_is_refused() -> None:
    for line in (HEAD.replace("H1", "H2"), "H1", HEAD + " "):
        with pytest.raises(ContractFault, match="none of those allowed"):
            parse(reply(finding(line=line)), PLANTED)
    with pytest.raises(ContractFault):
        parse(reply(finding(line=HEAD)), prompt())


def test_a_cap_counts_the_file_s_own_findings_beside_them() -> None:
    capped = prompt(bucket(cap=1), plan=ON)
    full = [finding(line=HEAD), finding(), finding(line=TAIL)]

    assert [claim.line for claim in parse(reply(*full), capped)] == [4]
    with pytest.raises(ContractFault, match="at most 3"):
        parse(reply(*full, finding()), capped)


def test_blank_code_is_still_not_asked_about() -> None:
    assert prompts(target("\n\n"), Panel((bucket(),)), ON, "m") == ()


def test_code_that_looks_like_one_keeps_its_number() -> None:
    about = target(f"{HEAD}\nx = 1\n")
    asked = prompt(about=about, plan=replace(ON, scope="file"))
    (claim,) = parse(reply(finding(line=f"1: {HEAD}")), asked)

    assert (claim.line, claim.quote) == (1, HEAD)
