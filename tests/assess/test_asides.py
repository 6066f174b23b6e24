"""What panel replies say beside verdicts with a line is shown with its runs, and counts for nothing."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support import records

from venire.assess import assess
from venire.assess.asides import asides
from venire.assess.replies import readings
from venire.model import Contract, Pool, Record
from venire.panel import prompts
from venire.report import render


def reply(summary: str = "Fine.", *, passed: bool = True, line: str = "none", reasoning: str = "it joins text") -> str:
    entry = {"id": "check_1", "passed": passed, "reasoning": reasoning, "line": line}
    return json.dumps({"criteria": [entry], "summary": summary, "issues": ["Long."], "strengths": []})


def record(*texts: str, contract: Contract = "panel") -> Record:
    about = records.target()
    audit = records.audit(runs=len(texts))
    (asked,) = prompts(about, audit.panel, audit.plan, records.MODEL, contract)
    runs = tuple(records.run(asked, number, text) for number, text in enumerate(texts, 1))
    return Record(audit, (records.model(),), (about,), (), (asked,), runs, head="h", stop="complete")


def pool(*texts: str, contract: Contract = "panel") -> Pool:
    return assess(record(*texts, contract=contract))


def test_why_a_check_fails_at_no_line_is_told_with_its_runs() -> None:
    found = pool(reply(passed=False), reply(passed=False), reply(passed=False, reasoning="other"))
    reasons = [(aside.check, aside.text, aside.runs) for aside in found.asides if aside.kind == "reason"]
    assert reasons == [("check_1", "it joins text", 2), ("check_1", "other", 1)]
    assert found.candidates == ()


def test_a_reason_that_points_at_a_line_is_a_finding_and_no_aside() -> None:
    found = pool(reply(passed=False, line="5:     return os.popen(name).read()"))
    assert [aside for aside in found.asides if aside.kind == "reason"] == []
    assert found.candidates[0].problem == "it joins text"


def test_summaries_issues_and_strengths_stand_once_with_their_runs() -> None:
    found = pool(reply("Fine."), reply("Fine."), reply("Good."))
    assert [(a.kind, a.text, a.runs) for a in found.asides] == [
        ("issue", "Long.", 3),
        ("summary", "Fine.", 2),
        ("summary", "Good.", 1),
    ]


def test_asides_reach_every_reader_and_stay_inert() -> None:
    found = pool(reply("<b>@all ::error::x</b>"))
    for form in ("terminal", "markdown"):
        assert "Said beside the verdicts" in render(found, form)
    assert "<b>@all" not in render(found, "markdown").replace("`<b>@all", "")
    assert json.loads(render(found, "json"))["asides"][-1]["text"] == "<b>@all ::error::x</b>"


def test_the_other_contract_says_nothing_beside_and_its_report_has_no_such_key() -> None:
    found = pool('{"findings":[]}', contract="findings")
    assert found.asides == ()
    assert "asides" not in json.loads(render(found, "json"))


@given(st.permutations(range(4)))
def test_the_order_of_runs_changes_nothing(order: list[int]) -> None:
    made = record(*(reply(f"S{n % 2}", passed=bool(n % 3)) for n in range(4)))
    shuffled = replace(made, runs=tuple(made.runs[n] for n in order))
    assert asides(readings(shuffled)) == asides(readings(made)) == assess(shuffled).asides
