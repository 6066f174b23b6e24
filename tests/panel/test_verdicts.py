"""One reply of the panel contract, read alone: its valid entries count, and every fault has its exact words."""

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import bucket, check, judged, panel_reply, prompt, target

from venire.model import Claim, Severity
from venire.panel import expected, feedback
from venire.panel.strict import FAULT, FAULTS, NOT_ONE_OBJECT, SENTENCE
from venire.panel.verdicts import EXTRAS, NONE, REMARKS, read
from venire.sample.backends.embedded_grammar import grammar

ASKED = prompt(bucket(check(1), check(2), check(3)), contract="panel")
ALL = (judged(1), judged(2), judged(3))


def fault_of(text: str) -> str:
    return read(text, ASKED.schema).fault


def valid(text: str) -> dict[str, bool]:
    return {id_: verdict.passed for id_, verdict in read(text, ASKED.schema).verdicts.items()}


def test_the_schema_is_flat_and_closed_and_has_the_optional_line_last() -> None:
    asked = prompt(bucket(check(1), check(2)), target("a = 1\n"), contract="panel")

    assert asked.schema == (
        '{"type":"object","properties":{"criteria":{"type":"array","items":{"type":"object","properties":{'
        '"id":{"type":"string","enum":["check_1","check_2"]},"passed":{"type":"boolean"},"reasoning":{"type":"string"},'
        '"line":{"type":"string","enum":["none","1: a = 1"]}},"required":["id","passed","reasoning"],'
        '"additionalProperties":false},"minItems":2,"maxItems":2},"summary":{"type":"string"},'
        '"issues":{"type":"array","items":{"type":"string"},"maxItems":10},'
        '"strengths":{"type":"array","items":{"type":"string"},"maxItems":10}},'
        '"required":["criteria","summary","issues","strengths"],"additionalProperties":false}'
    )


def test_the_schema_can_be_put_into_the_grammar_of_the_embedded_engine() -> None:
    assert '"\\"passed\\":" ("true" | "false")' in grammar(ASKED.schema)


def test_the_exact_reply_of_the_seed_without_lines_is_valid() -> None:
    text = '{"criteria":[' + ",".join(f'{{"id": "check_{n}", "passed": true, "reasoning": "It holds."}}' for n in (1, 2, 3))
    reading = read(text + '],"summary":"Fine.","issues":["One."],"strengths":["Two."]}', ASKED.schema)

    assert reading.fault == ""
    assert list(reading.verdicts) == ["check_1", "check_2", "check_3"]


def test_a_failed_check_with_a_line_makes_a_claim_there() -> None:
    entry = judged(2, False, reasoning=" Strings are joined. ", line='5:     rows = db.run("select " + path)')
    verdict = read(panel_reply(judged(1), entry, judged(3)), ASKED.schema).verdicts["check_2"]

    claim = Claim(5, "Strings are joined.", "check_2", Severity.LOW, '    rows = db.run("select " + path)')
    assert (verdict.passed, verdict.claim) == (False, claim)


@pytest.mark.parametrize(
    ("passed", "line"), [(False, None), (False, NONE), (True, "4: def read(path):"), (True, NONE), (True, None)]
)
def test_a_check_that_passes_or_has_no_line_makes_no_claim(passed: bool, line: str | None) -> None:
    entry = judged(2, passed) | ({} if line is None else {"line": line})
    reading = read(panel_reply(judged(1), entry, judged(3)), ASKED.schema)

    assert reading.fault == ""
    assert (reading.verdicts["check_2"].passed, reading.verdicts["check_2"].claim) == (passed, None)


def without(entry: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in entry.items() if name != key}


@pytest.mark.parametrize(
    ("text", "fault", "valid_ids"),
    [
        ("All of them hold.", NOT_ONE_OBJECT, ""),
        ("", NOT_ONE_OBJECT, ""),
        ("```json\n" + panel_reply(*ALL) + "\n```", NOT_ONE_OBJECT, ""),
        ("Here: " + panel_reply(*ALL), NOT_ONE_OBJECT, ""),
        ('{"summary":"","issues":[],"strengths":[]}', "the reply has no criteria", ""),
        ('{"criteria":null,"summary":"","issues":[],"strengths":[]}', "criteria is null, not an array", ""),
        ('{"criteria":{},"summary":"","issues":[],"strengths":[]}', "criteria is an object, not an array", ""),
        ('{"criteria":"check_1","summary":"","issues":[],"strengths":[]}', "criteria is a string, not an array", ""),
        (panel_reply(), "missing ids: [check_1, check_2, check_3]", ""),
        (panel_reply(judged(3), judged(1)), "missing ids: [check_2]", "13"),
        (panel_reply(*ALL, judged(99)), "extra ids: [check_99]", "123"),
        (panel_reply(judged(1), judged(99), judged(3)), "missing ids: [check_2]. Extra ids: [check_99]", "13"),
        (
            panel_reply(*ALL, judged(100), judged(9, "x"), judged(9), judged(20)),
            "extra ids: [check_9, check_20, check_100]",
            "123",
        ),
        (panel_reply(*ALL, judged(2, False)), "duplicate ids: [check_2]", "13"),
        (panel_reply(judged(2, None), *ALL), "duplicate ids: [check_2]", "13"),
        (panel_reply(judged(3), *ALL, judged(1)), "duplicate ids: [check_1, check_3]", "2"),
        (panel_reply(judged(1), judged(2), judged(id="Check_3")), "missing ids: [check_3]. Extra ids: [Check_3]", "12"),
        (panel_reply(judged(1), judged(2), judged(id=" check_3")), "missing ids: [check_3]. Extra ids: [' check_3']", "12"),
        (panel_reply(judged(1), judged(2), judged(id="check 3")), "missing ids: [check_3]. Extra ids: ['check 3']", "12"),
        (panel_reply(judged(1), judged(2), judged(id="b::check_3")), "missing ids: [check_3]. Extra ids: [b::check_3]", "12"),
        (panel_reply(*ALL, judged(id="")), "the id of criterion 4 is empty", "123"),
        (panel_reply(*ALL, judged(id=" \n")), "the id of criterion 4 is empty", "123"),
        (panel_reply(*ALL, judged(id=3)), "the id of criterion 4 is a number, not a string", "123"),
        (panel_reply(*ALL, judged(id=None)), "the id of criterion 4 is null, not a string", "123"),
        (panel_reply(*ALL, judged(id=["check_1"])), "the id of criterion 4 is an array, not a string", "123"),
        (panel_reply(*ALL, without(judged(1), "id")), "criterion 4 has no id", "123"),
        (panel_reply(*ALL, "check_1", None), "criterion 4 is a string, not an object. Criterion 5 is null, not an object", "123"),
        (panel_reply(judged(1), without(judged(2), "passed"), judged(3)), "check_2 has no passed", "13"),
        (panel_reply(judged(1), judged(2, None), judged(3)), "passed of check_2 is null, not true or false", "13"),
        (panel_reply(judged(1), judged(2, "yes"), judged(3)), "passed of check_2 is a string, not true or false", "13"),
        (panel_reply(judged(1), judged(2, "true"), judged(3)), "passed of check_2 is a string, not true or false", "13"),
        (panel_reply(judged(1), judged(2, 1), judged(3)), "passed of check_2 is a number, not true or false", "13"),
        (panel_reply(judged(1), judged(2, reasoning=""), judged(3)), "reasoning of check_2 is empty", "13"),
        (panel_reply(judged(1), judged(2, reasoning=" \t"), judged(3)), "reasoning of check_2 is empty", "13"),
        (panel_reply(judged(1), judged(2, reasoning=None), judged(3)), "reasoning of check_2 is null, not a string", "13"),
        (panel_reply(judged(1), without(judged(2), "reasoning"), judged(3)), "check_2 has no reasoning", "13"),
        (
            panel_reply(judged(1), judged(2, reasoning="x" * (SENTENCE + 1)), judged(3)),
            "reasoning of check_2 is 2001 characters long, at most 2000 are allowed",
            "13",
        ),
        (panel_reply(judged(1), judged(2, text="It."), judged(3)), "check_2 has an unknown key 'text'", "13"),
        (panel_reply(judged(1), judged(2, line=4), judged(3)), "line of check_2 is a number, not a string", "13"),
        (panel_reply(judged(1), judged(2, line=None), judged(3)), "line of check_2 is null, not a string", "13"),
        (
            panel_reply(judged(1), judged(2, False, line="../../etc/passwd"), judged(3)),
            "line of check_2 is '../../etc/passwd', which is none of those allowed",
            "13",
        ),
        (panel_reply(*ALL, summary=None), "summary is null, not a string", "123"),
        (panel_reply(*ALL, issues="none"), "issues is a string, not an array", "123"),
        (panel_reply(*ALL, strengths=None), "strengths is null, not an array", "123"),
        (panel_reply(*ALL, issues=["x", 1]), "issues holds a number, not only strings", "123"),
        (panel_reply(*ALL, issues=["x"] * 11), f"issues holds 11 entries, at most {REMARKS} are allowed", "123"),
        (panel_reply(*ALL, verdict="ok"), "the reply has an unknown key 'verdict'", "123"),
        (
            json.dumps({"criteria": ALL}),
            "the reply has no summary. The reply has no issues. The reply has no strengths",
            "123",
        ),
        (
            panel_reply(judged(3, 0), judged(2), judged(2), judged(7), summary=1),
            "missing ids: [check_1]. Extra ids: [check_7]. Duplicate ids: [check_2]. "
            "Passed of check_3 is a number, not true or false. Summary is a number, not a string",
            "",
        ),
    ],
)
def test_a_fault_has_its_exact_words_and_takes_no_other_entry_with_it(text: str, fault: str, valid_ids: str) -> None:
    assert fault_of(text) == fault
    assert valid(text) == {f"check_{n}": True for n in valid_ids}


def test_faults_do_not_depend_on_the_order_of_the_entries() -> None:
    entries = [judged(3, None), judged(1, reasoning=""), judged(99), judged(98)]

    assert fault_of(panel_reply(*entries)) == fault_of(panel_reply(*reversed(entries)))


def test_after_the_first_faults_only_their_number_is_given() -> None:
    fault = fault_of(panel_reply(*[None] * 15))

    assert fault.endswith(". And 6 more faults")


def test_of_many_extra_ids_only_the_first_are_named() -> None:
    fault = fault_of(panel_reply(*ALL, *(judged(n) for n in range(50, 80))))

    assert fault.count("check_") == EXTRAS
    assert fault.endswith("check_59] and 20 more")


@given(st.text(max_size=300))
def test_a_fault_never_echoes_unbounded_model_text(text: str) -> None:
    long = text * 20 + "!"
    fault = fault_of(panel_reply(*[judged(id=long + str(n), passed=long) for n in range(20)], judged(1, line=long), **{long: 1}))

    assert fault.isascii()
    assert fault.isprintable()
    assert len(fault) <= EXTRAS * 90 + FAULTS * (FAULT + 2) + 100


@pytest.mark.parametrize(
    "entry",
    [
        judged(1),
        judged(1, False, line="4: def read(path):"),
        judged(1, line="7: x"),
        judged(1, "yes"),
        judged(1, id="check_2"),
        judged(1, extra=1),
        judged(1, reasoning=1),
        without(judged(1), "passed"),
    ],
)
def test_the_schema_and_the_parser_agree(entry: dict[str, object]) -> None:
    asked = prompt(bucket(check(1)), contract="panel")
    text = panel_reply(entry)
    is_valid = jsonschema.Draft202012Validator(json.loads(asked.schema)).is_valid(json.loads(text))

    assert (read(text, asked.schema).fault == "") is is_valid


def test_the_ids_expected_of_a_reply_are_those_the_prompt_asks_about() -> None:
    assert expected(ASKED) == ("check_1", "check_2", "check_3")


# ---------------------------------------------------------------- feedback


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            panel_reply(judged(1), judged(99), judged(3)),
            "Your response is missing ids: [check_2]. Extra ids: [check_99]. "
            "Please return exactly: [check_1, check_2, check_3].\n",
        ),
        (
            panel_reply(*ALL, judged(99)),
            "Your response was refused: extra ids: [check_99]. Please return exactly: [check_1, check_2, check_3].\n",
        ),
        (
            "Sorry!",
            f"Your response was refused: {NOT_ONE_OBJECT}. Please return exactly: [check_1, check_2, check_3].\n",
        ),
    ],
)
def test_feedback_names_the_fault_and_the_exact_list_to_return(text: str, said: str) -> None:
    told = feedback(fault_of(text), ASKED)

    assert told.startswith(said)
    assert '{"criteria":[{"id":"ID","passed":true,' in told
    assert told == feedback(fault_of(text), ASKED)
