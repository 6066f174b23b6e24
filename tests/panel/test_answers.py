"""The attempts of one run → one answer, by either contract."""

import pytest
from support.asking import bucket, check, finding, judged, panel_reply, prompt, reply

from venire.panel import Answer, answer
from venire.panel.findings import EMPTY
from venire.panel.strict import NOT_ONE_OBJECT

FINDINGS = prompt()
PANEL = prompt(bucket(check(1), check(2), check(3)), contract="panel")
ALL = ("check_1", "check_2", "check_3")
PASSED = tuple((id_, True) for id_ in ALL)


def test_a_check_fails_when_a_finding_names_it_and_passes_otherwise() -> None:
    said = answer([reply(finding(check="check_2"), finding(check="other"))], FINDINGS)

    assert said.verdicts == (("check_1", True), ("check_2", False))
    assert [claim.check for claim in said.claims] == ["check_2", "other"]
    assert (said.missing, said.fault, said.is_complete) == ((), "", True)


def test_of_findings_only_the_last_reply_counts_and_all_or_nothing() -> None:
    good, bad = reply(finding()), reply(finding(), finding(check="check_9"))

    assert answer([bad, EMPTY], FINDINGS).verdicts == (("check_1", True), ("check_2", True))
    refused = answer([good, bad], FINDINGS)
    assert refused == Answer(
        missing=("check_1", "check_2"), fault="check of finding 2 is 'check_9', which is none of those allowed"
    )
    assert not refused.is_complete


@pytest.mark.parametrize("texts", [(), ("",), ("", "")])
def test_no_reply_gives_no_verdict_and_leaves_every_check_missing(texts: tuple[str, ...]) -> None:
    assert answer(texts, PANEL) == Answer(missing=ALL, fault=NOT_ONE_OBJECT)
    assert answer(texts, FINDINGS) == Answer(missing=ALL[:2], fault=NOT_ONE_OBJECT)


def test_a_first_reply_is_refused_for_any_fault_though_every_verdict_is_there() -> None:
    said = answer([panel_reply(judged(1), judged(2), judged(3), judged(99))], PANEL)

    assert said == Answer(verdicts=PASSED, fault="extra ids: [check_99]")
    assert said.is_complete


@pytest.mark.parametrize(
    "second",
    ["", "prose", panel_reply(judged(2)), panel_reply(judged(1), judged(2), judged(3), summary=1)],
)
def test_once_asked_again_a_run_is_done_when_every_id_has_its_verdict(second: str) -> None:
    said = answer([panel_reply(judged(1), judged(2), judged(3), issues=None), second], PANEL)

    assert said == Answer(verdicts=PASSED)


def test_verdicts_missing_ids_and_claims_are_in_expected_order() -> None:
    line = "4: def read(path):"
    said = answer([panel_reply(judged(3, False, line=line), judged(1, False, line=line))], PANEL)

    assert said.verdicts == (("check_1", False), ("check_3", False))
    assert said.missing == ("check_2",)
    assert [claim.check for claim in said.claims] == ["check_1", "check_3"]
