"""The schema is the single truth: what it allows is parsed, what it does not is refused with the exact fault."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import CODE, bucket, check, finding, prompt, reply, target

from venire.model import Claim, Severity
from venire.panel import ContractFault, expected, feedback, parse
from venire.panel.findings import EMPTY, FINDINGS
from venire.panel.strict import FAULT, FAULTS, NOT_ONE_OBJECT, SENTENCE

ASKED = prompt()
LINES = ["1: import db", "4: def read(path):", '5:     rows = db.run("select " + path)', "6: \treturn rows[1]"]


def fault_of(text: str, cap: int = 0) -> str:
    with pytest.raises(ContractFault) as caught:
        parse(text, prompt(bucket(cap=cap)))
    return str(caught.value)


def test_the_schema_is_flat_canonical_and_in_the_buckets_order() -> None:
    asked = prompt(bucket(fields=("problem", "line", "check", "severity"), cap=3))

    assert asked.schema == (
        '{"type":"object","properties":{"findings":{"type":"array","items":{"type":"object","properties":{'
        '"problem":{"type":"string"},'
        '"line":{"type":"string","enum":["1: import db","4: def read(path):",'
        '"5:     rows = db.run(\\"select \\" + path)","6: \\treturn rows[1]"]},'
        '"check":{"type":"string","enum":["check_1","check_2","other"]},'
        '"severity":{"type":"string","enum":["low","medium","high"]}},'
        '"required":["problem","line","check","severity"],"additionalProperties":false},"maxItems":3}},'
        '"required":["findings"],"additionalProperties":false}'
    )


def test_a_bucket_without_a_cap_has_none_in_its_schema() -> None:
    assert "maxItems" not in ASKED.schema


def test_only_lines_with_code_can_be_pointed_at() -> None:
    rules = json.loads(ASKED.schema)["properties"]["findings"]["items"]["properties"]

    assert rules["line"]["enum"] == LINES


def test_a_long_line_is_cut_in_the_enum_and_keeps_its_number() -> None:
    asked = prompt(about=target("x" * 300 + "\n" + "x" * 300 + "\n"))
    rules = json.loads(asked.schema)["properties"]["findings"]["items"]["properties"]

    assert rules["line"]["enum"] == ["1: " + "x" * 100, "2: " + "x" * 100]
    assert "1: " + "x" * 300 in asked.user


def test_the_ids_expected_of_a_reply_are_those_the_prompt_asks_about() -> None:
    assert expected(ASKED) == ("check_1", "check_2")


def test_a_good_reply_gives_its_claims_in_order() -> None:
    text = reply(finding(), finding(line=LINES[2], problem=" Joined strings. ", check="other", severity="high"))

    assert parse(text, ASKED) == (
        Claim(4, "It is wrong.", "check_1", Severity.LOW, "def read(path):"),
        Claim(5, "Joined strings.", "other", Severity.HIGH, '    rows = db.run("select " + path)'),
    )


def test_an_empty_list_is_a_good_reply() -> None:
    assert parse(EMPTY, ASKED) == ()
    assert parse(' {\n"findings" : [ ]\t}\r\n', ASKED) == ()


def test_the_order_of_keys_in_a_finding_does_not_matter() -> None:
    turned = dict(reversed(finding().items()))

    assert parse(reply(turned), ASKED) == parse(reply(finding()), ASKED)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("I see no problem.", NOT_ONE_OBJECT),
        ("```json\n" + EMPTY + "\n```", NOT_ONE_OBJECT),
        ("{}", "the reply has no findings"),
        ('{"Findings":[]}', "the reply has no findings; the reply has an unknown key 'Findings'"),
        ('{"findings":[],"summary":"ok"}', "the reply has an unknown key 'summary'"),
        ('{"findings":null}', "findings is null, not an array"),
        ('{"findings":{}}', "findings is an object, not an array"),
        ('{"findings":"[]"}', "findings is a string, not an array"),
        ('{"findings":[],"findings":[]}', "the key 'findings' is given twice in one object"),
        (
            reply("x", None, []),
            "finding 1 is a string, not an object; finding 2 is null, not an object; finding 3 is an array, not an object",
        ),
        (reply({}), "finding 1 has no line; finding 1 has no problem; finding 1 has no check; finding 1 has no severity"),
        (reply(finding(why="x")), "finding 1 has an unknown key 'why'"),
        (reply(finding(line=4)), "line of finding 1 is a number, not a string"),
        (reply(finding(line=True)), "line of finding 1 is true or false, not a string"),
        (reply(finding(line="4")), "line of finding 1 is '4', which is none of those allowed"),
        (reply(finding(line="4: def read(path)")), "line of finding 1 is '4: def read(path)', which is none of those allowed"),
        (
            reply(finding(line=" 4: def read(path):")),
            "line of finding 1 is ' 4: def read(path):', which is none of those allowed",
        ),
        (reply(finding(line="2:")), "line of finding 1 is '2:', which is none of those allowed"),
        (reply(finding(line="9999: x")), "line of finding 1 is '9999: x', which is none of those allowed"),
        (reply(finding(line="../../etc/passwd")), "line of finding 1 is '../../etc/passwd', which is none of those allowed"),
        (reply(finding(check="check_99")), "check of finding 1 is 'check_99', which is none of those allowed"),
        (reply(finding(check="Check_1")), "check of finding 1 is 'Check_1', which is none of those allowed"),
        (reply(finding(check="check_1 ")), "check of finding 1 is 'check_1 ', which is none of those allowed"),
        (reply(finding(check="")), "check of finding 1 is '', which is none of those allowed"),
        (reply(finding(check=["check_1"])), "check of finding 1 is an array, not a string"),
        (reply(finding(severity="critical")), "severity of finding 1 is 'critical', which is none of those allowed"),
        (reply(finding(severity="HIGH")), "severity of finding 1 is 'HIGH', which is none of those allowed"),
        (reply(finding(severity=None)), "severity of finding 1 is null, not a string"),
        (reply(finding(problem="")), "problem of finding 1 is empty"),
        (reply(finding(problem=" \t\n")), "problem of finding 1 is empty"),
        (reply(finding(problem="x" * (SENTENCE + 1))), "problem of finding 1 is 2001 characters long, at most 2000 are allowed"),
        (reply(finding(), finding(check="x")), "check of finding 2 is 'x', which is none of those allowed"),
    ],
)
def test_a_reply_that_breaks_the_contract_is_refused_with_the_exact_fault(text: str, fault: str) -> None:
    assert fault_of(text) == fault
    assert fault_of(text) == fault


def test_every_fault_of_a_reply_is_named_in_order() -> None:
    bad = finding(check="x", severity="y", more=1)
    del bad["problem"]

    assert fault_of(reply(bad)) == (
        "finding 1 has no problem; finding 1 has an unknown key 'more'; "
        "check of finding 1 is 'x', which is none of those allowed; severity of finding 1 is 'y', which is none of those allowed"
    )


def test_after_the_first_faults_only_their_number_is_given() -> None:
    fault = fault_of(reply(*[{}] * 5))

    assert fault.count(";") == FAULTS
    assert fault.endswith("; and 10 more faults")


def test_more_findings_than_the_cap_are_refused() -> None:
    assert len(parse(reply(finding(), finding()), prompt(bucket(cap=2)))) == 2
    assert fault_of(reply(finding(), finding(), finding()), cap=2) == "findings holds 3 entries, at most 2 are allowed"


def test_without_a_cap_a_flood_is_still_refused() -> None:
    flood = reply(*[finding()] * (FINDINGS + 1))

    assert len(parse(reply(*[finding()] * FINDINGS), ASKED)) == FINDINGS
    assert fault_of(flood) == "findings holds 201 entries, at most 200 are allowed"


@given(st.text(max_size=300))
def test_a_fault_never_echoes_unbounded_model_text(text: str) -> None:
    fault = fault_of(reply(*[finding(line=text * 20 + "!", check=text * 20 + "!", **{text * 9 + "!": 1})] * 5))

    assert fault.isascii()
    assert fault.isprintable()
    assert len(fault) <= FAULTS * (FAULT + 2) + 30


# ---------------------------------------------------------------- any text at all

junk = st.text() | st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape"))
almost = st.lists(
    st.sampled_from(
        ['{"findings":[', "]}", "{", "}", "[", "]", ",", '"line":', '"4: def read(path):"', '"', "\\", "NaN", "1e9", "é"]
    )
).map("".join)
shaped = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.sampled_from([*LINES, "check_1", "low"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["findings", "line", "problem", "check", "severity", "x"]), inner, max_size=5)
    ),
).map(json.dumps)


@given(st.one_of(junk, almost, shaped))
def test_any_text_gives_claims_or_a_contract_fault_and_nothing_else(text: str) -> None:
    try:
        claims = parse(text, ASKED)
    except ContractFault as fault:
        words = str(fault)
    else:
        words = "accepted"
        assert all(claim.line in (1, 4, 5, 6) for claim in claims)
    assert words.isascii()
    assert words


valid = st.fixed_dictionaries(
    {
        "line": st.sampled_from(LINES),
        "problem": st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(str.strip),
        "check": st.sampled_from(["check_1", "check_2", "other"]),
        "severity": st.sampled_from(["low", "medium", "high"]),
    }
)


@given(st.lists(valid, max_size=6), st.booleans(), st.sampled_from([None, 1]))
def test_every_valid_reply_comes_back_claim_by_claim(items: list[dict[str, str]], is_ascii: bool, indent: int | None) -> None:
    claims = parse(json.dumps({"findings": items}, ensure_ascii=is_ascii, indent=indent), ASKED)

    assert [(f"{c.line}: {c.quote}", c.problem, c.check, c.severity.value) for c in claims] == [
        (i["line"], i["problem"].strip(), i["check"], i["severity"]) for i in items
    ]


def test_the_schema_and_the_parser_agree(pytestconfig: pytest.Config) -> None:
    """What a JSON Schema validator says of a finding is what the parser says of it."""
    import jsonschema

    rules = json.loads(ASKED.schema)
    for change in (
        {},
        {"line": "7: x"},
        {"check": "check_3"},
        {"severity": "none"},
        {"extra": "x"},
        {"problem": 1},
        {"line": LINES[3]},
    ):
        text = reply(finding(**change))
        is_valid = jsonschema.Draft202012Validator(rules).is_valid(json.loads(text))
        try:
            parse(text, ASKED)
        except ContractFault:
            assert not is_valid
        else:
            assert is_valid


# ---------------------------------------------------------------- feedback


def test_feedback_gives_the_exact_fault_the_form_and_the_ids() -> None:
    asked = prompt(bucket(check(1), check(2), check(3), fields=("problem", "line", "check", "severity"), cap=3))
    fault = fault_of(reply(finding(check="check_99")))

    text = feedback(fault, asked)

    assert fault in text
    assert '{"findings":[{"problem":"ONE SENTENCE"' in text
    assert EMPTY in text
    assert text.endswith("The ids are: check_1, check_2, check_3, other")
    assert feedback(fault, asked) == text


def test_the_code_of_the_builders_is_what_these_tests_think_it_is() -> None:
    assert [f"{n}: {line}" for n, line in enumerate(CODE.split("\n"), 1) if line] == LINES
