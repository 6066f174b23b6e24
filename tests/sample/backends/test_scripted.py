"""The scripted backend: which entry answers an ask, what each entry does, and how a wrong file is refused."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.errors import BackendFailure, BackendUnavailable, UsageError
from venire.model import Ask, Sampling
from venire.sample.backends.scripted import Scripted

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "findings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"line": {"type": "string", "enum": ["1: import os", "9: x = 1", '10: y = "é"']}},
                },
            }
        },
    }
)


def ask(**changes):
    usual = {
        "messages": (("system", "one two"), ("user", "three\nfour  five")),
        "schema": SCHEMA,
        "sampling": Sampling(),
        "seed": 1,
        "reply_tokens": 64,
        "deadline": 20.0,
        "path": "a.py",
        "window": 0,
        "bucket": "security",
        "run": 1,
        "attempt": 1,
    }
    return Ask(**{**usual, **changes})


@pytest.fixture
def script(tmp_path):
    """Write a script and play it."""

    def play(*replies, **top):
        path = tmp_path / "script.json"
        path.write_text(json.dumps({**top, "replies": list(replies)}), encoding="utf-8")
        return Scripted(path)

    return play


def texts(player, *asks):
    return [player.reply(each).text for each in asks]


# ---------------------------------------------------------------- which entry


def test_the_first_entry_whose_given_keys_all_fit_answers(script):
    player = script(
        {"path": "a.py", "window": 0, "bucket": "security", "run": 1, "attempt": 1, "text": "all keys"},
        {"bucket": "security", "text": "bucket"},
        {"text": "any"},
    )
    assert texts(player, ask(), ask(run=2), ask(bucket="style")) == ["all keys", "bucket", "any"]


@pytest.mark.parametrize("key", ["path", "window", "bucket", "run", "attempt"])
def test_each_key_alone_can_keep_an_entry_from_fitting(script, key):
    other = {"path": "b.py", "window": 7, "bucket": "x", "run": 7, "attempt": 7}[key]
    player = script({key: other, "text": "only that"}, {"text": "any"})
    assert texts(player, ask(), ask(**{key: other})) == ["any", "only that"]


@pytest.mark.parametrize(
    ("numbers", "fitting"), [(2, [2]), ([1, 4], [1, 4]), ("2-4", [2, 3, 4]), ("3-3", [3]), ([], []), (0, [0])]
)
def test_numbers_may_be_one_a_list_or_a_range(script, numbers, fitting):
    player = script({"run": numbers, "text": "in"}, {"text": "out"})
    assert [run for run in range(6) if player.reply(ask(run=run)).text == "in"] == fitting


def test_an_ask_that_no_entry_fits_fails_with_its_place(script):
    with pytest.raises(BackendFailure, match=r"no scripted reply for a\.py, window 0, security, run 3, attempt 2") as caught:
        script({"run": 1, "text": "x"}).reply(ask(run=3, attempt=2))
    assert caught.value.kind == "rubbish"


@settings(deadline=None, max_examples=60)
@given(runs=st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_the_same_ask_gets_the_same_reply_in_any_order(tmp_path_factory, runs):
    path = tmp_path_factory.getbasetemp() / "order.json"
    path.write_text(json.dumps({"replies": [{"run": "0-2", "text": "low"}, {"run": [4], "text": "four"}, {"text": "rest"}]}))
    player = Scripted(path)
    first = {run: Scripted(path).reply(ask(run=run)) for run in runs}
    assert [player.reply(ask(run=run)) for run in runs] == [first[run] for run in runs]


# ---------------------------------------------------------------- what it does


def test_findings_are_written_as_compact_json_with_the_schemas_own_lines(script):
    finding = {"line": 10, "problem": "é", "check": "check_1", "severity": "high"}
    (text,) = texts(script({"findings": [finding]}), ask())
    assert text == '{"findings":[{"line":"10: y = \\"é\\"","problem":"é","check":"check_1","severity":"high"}]}'


@pytest.mark.parametrize("line", [11, 0, "9: x = 1", "9", True, None, 1.5, [9]])
def test_a_line_that_the_schema_does_not_hold_stays_as_it_is(script, line):
    (text,) = texts(script({"findings": [{"line": line}]}), ask())
    assert json.loads(text) == {"findings": [{"line": line}]}


@pytest.mark.parametrize(
    "schema", ["{}", "[]", "not json", '{"properties":{"findings":{"items":{"properties":{"line":{"enum":[7,"x"]}}}}}}']
)
def test_a_schema_without_numbered_lines_changes_nothing(script, schema):
    assert texts(script({"findings": [{"line": 9}]}), ask(schema=schema)) == ['{"findings":[{"line":9}]}']


JUDGED = json.dumps(
    {
        "properties": {
            "criteria": {
                "type": "array",
                "items": {"properties": {"id": {"enum": ["check_1", "check_2"]}, "line": {"enum": ["none", "1: import os"]}}},
            },
            "issues": {"type": "array", "items": {"type": "string"}},
        }
    }
)


def test_verdicts_are_a_whole_reply_of_the_panel_contract_in_which_what_is_not_named_passes(script):
    (text,) = texts(script({"verdicts": {"check_2": {"line": 1, "reasoning": "é"}}}), ask(schema=JUDGED))
    assert text == (
        '{"criteria":[{"id":"check_1","passed":true,"reasoning":"Scripted."},'
        '{"id":"check_2","passed":false,"reasoning":"é","line":"1: import os"}],'
        '"summary":"Scripted.","issues":[],"strengths":[]}'
    )


def test_a_verdict_may_be_left_out_or_be_about_an_id_that_nobody_asked_for(script):
    player = script({"run": 1, "verdicts": {"check_1": None, "check_9": True, "check_2": False}}, {"verdicts": {}})
    first, second = (json.loads(text)["criteria"] for text in texts(player, ask(schema=JUDGED), ask(schema=JUDGED, run=2)))
    assert [(entry["id"], entry["passed"]) for entry in first] == [("check_2", False), ("check_9", True)]
    assert [(entry["id"], entry["passed"]) for entry in second] == [("check_1", True), ("check_2", True)]
    assert json.loads(player.reply(ask(run=2)).text)["criteria"] == []  # the other contract has no such ids


def test_text_is_given_word_for_word_and_words_are_its_tokens(script):
    got = script({"text": " raw\n text "}).reply(ask())
    assert (got.text, got.raw, got.done) == (" raw\n text ", " raw\n text ", "stop")
    assert (got.prompt_tokens, got.reply_tokens, got.cached_tokens, got.load_ms) == (5, 2, None, 0)


def test_a_lone_surrogate_in_the_script_never_reaches_a_reply(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"replies":[{"run":1,"text":"\\ud800"},{"findings":[{"problem":"\\udfff"}]}]}')
    player = Scripted(path)
    for text in texts(player, ask(), ask(run=2)):
        text.encode("utf-8")


@pytest.mark.parametrize(
    "kind", ["timeout", "refused", "crashed", "transport", "rubbish", "length", "unfinished", "context", "status", "mismatch"]
)
def test_an_error_fails_the_sample_by_its_kind(script, kind):
    player = script({"run": 1, "error": kind, "message": "words"}, {"error": kind, "transient": True})
    for number, message, is_transient in ((1, "words", False), (2, f"scripted {kind}", True)):
        with pytest.raises(BackendFailure) as caught:
            player.reply(ask(run=number))
        assert (caught.value.kind, caught.value.message, caught.value.is_transient) == (kind, message, is_transient)


def test_a_delay_within_the_deadline_still_replies_and_a_longer_one_times_out(script):
    player = script({"run": 1, "delay_ms": 5, "text": "late"}, {"delay_ms": 3_600_000, "text": "never"})
    assert texts(player, ask()) == ["late"]
    with pytest.raises(BackendFailure, match=r"no reply within 0\.01 s") as caught:
        player.reply(ask(run=2, deadline=0.01))
    assert caught.value.kind == "timeout"


def test_a_crash_ends_the_process_at_once(script, tmp_path):
    script({"crash": True})
    code = f"""
import atexit
atexit.register(print, "handlers ran")
from pathlib import Path
from venire.model import Ask, Sampling
from venire.sample.backends.scripted import Scripted
Scripted(Path({str(tmp_path / "script.json")!r})).reply(Ask((), "{{}}", Sampling(), 1, 1, 1.0))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (137, "", "")


# ---------------------------------------------------------------- the model


def test_the_model_is_what_the_script_states_over_the_defaults(script):
    player = script(model={"name": "tiny", "context": 512, "gpu_share": 0.5, "warnings": ["old"], "quantization": "Q4"})
    assert player.loads == 0
    info = player.describe()
    assert player.loads == 1
    assert (info.backend, info.name, info.context, info.gpu_share) == ("scripted", "tiny", 512, 0.5)
    assert (info.warnings, info.quantization) == (("old",), "Q4")
    assert player.recheck() == info
    player.close()


def test_the_digest_is_that_of_the_file_unless_given(script):
    one, two = script({"text": "a"}).describe(), script({"text": "b"}).describe()
    assert len(one.digest) == 64
    assert one.digest != two.digest
    assert script(model={"digest": "d"}).describe().digest == "d"


def test_an_unavailable_model_is_told_with_its_message(script):
    with pytest.raises(BackendUnavailable, match="the server is on fire") as caught:
        script(unavailable="the server is on fire").describe()
    assert "script.json" in caught.value.remedy


# ---------------------------------------------------------------- wrong files


@pytest.mark.parametrize(
    ("top", "place"),
    [
        ([], "expected an object"),
        ({"reply": []}, "unknown key 'reply'"),
        ({"replies": {}}, "replies: expected a list"),
        ({"replies": [3]}, "replies[0]: expected an object"),
        ({"replies": [{"text": "x"}, {}]}, "replies[1]: exactly one of"),
        ({"replies": [{"text": "x", "findings": []}]}, "replies[0]: exactly one of"),
        ({"replies": [{"text": "x", "buket": "y"}]}, "replies[0]: unknown key 'buket'"),
        ({"replies": [{"text": 3}]}, "replies[0]: text: expected a string"),
        ({"replies": [{"text": None}]}, "replies[0]: text: expected a string"),
        ({"replies": [{"text": "x", "path": 1}]}, "replies[0]: path: expected a string"),
        ({"replies": [{"text": "x", "run": "x"}]}, "replies[0]: run: expected a range"),
        ({"replies": [{"text": "x", "run": "4-2"}]}, "replies[0]: run: expected a range"),
        ({"replies": [{"text": "x", "run": "1-9999999999"}]}, "replies[0]: run: expected a range"),
        ({"replies": [{"text": "x", "run": [1, "2"]}]}, "replies[0]: run[1]: expected a whole number"),
        ({"replies": [{"text": "x", "run": True}]}, "replies[0]: run: expected a whole number"),
        ({"replies": [{"text": "x", "window": -1}]}, "replies[0]: window: expected a whole number"),
        ({"replies": [{"text": "x", "attempt": 1.5}]}, "replies[0]: attempt: expected a whole number"),
        ({"replies": [{"text": "x", "delay_ms": "1"}]}, "replies[0]: delay_ms: expected a whole number"),
        ({"replies": [{"findings": {}}]}, "replies[0]: findings: expected a list"),
        ({"replies": [{"findings": [1]}]}, "replies[0]: findings[0]: expected an object"),
        ({"replies": [{"verdicts": []}]}, "replies[0]: verdicts: expected an object"),
        ({"replies": [{"verdicts": {"check_1": 1}}]}, "replies[0]: verdicts: check_1: expected true, false, null or an object"),
        ({"replies": [{"error": "boom"}]}, "replies[0]: error: expected one of"),
        ({"replies": [{"error": ["timeout"]}]}, "replies[0]: error: expected one of"),
        ({"replies": [{"error": "timeout", "transient": 1}]}, "replies[0]: transient: expected true or false"),
        ({"replies": [{"text": "x", "message": "y"}]}, "replies[0]: 'message' goes with 'error'"),
        ({"replies": [{"crash": False}]}, "replies[0]: crash: expected true"),
        ({"model": []}, "model: expected an object"),
        ({"model": {"nam": "x"}}, "model: unknown key 'nam'"),
        ({"model": {"context": "8k"}}, "model: context: expected a whole number"),
        ({"model": {"gpu_share": 2}}, "model: gpu_share: expected a number from 0 to 1"),
        ({"model": {"gpu_share": True}}, "model: gpu_share: expected a number from 0 to 1"),
        ({"model": {"warnings": "x"}}, "model: warnings: expected a list"),
        ({"model": {"warnings": [1]}}, "model: warnings[0]: expected a string"),
        ({"unavailable": True}, "unavailable: expected a string"),
    ],
)
def test_a_wrong_script_is_refused_with_file_and_place(tmp_path, top, place):
    path = tmp_path / "script.json"
    path.write_text(json.dumps(top))
    with pytest.raises(UsageError) as caught:
        Scripted(path)
    assert str(caught.value).startswith(f"{path}: {place}")
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"replies": [\n  {"text": }\n]}', ":2:12: not JSON"),
        (b"", ":1:1: not JSON"),
        (b"\xff", ": not JSON"),
        (b"[" * 100_000, ": not JSON"),
        (b"9" * 5000, ": not JSON"),
        (b'{"replies":[],"replies":[]}', ": key 'replies' twice"),
    ],
)
def test_a_file_that_is_not_json_is_refused_with_the_place(tmp_path, content, words):
    path = tmp_path / "script.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        Scripted(path)
    assert str(caught.value).startswith(f"{path}{words}")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(UsageError) as caught:
            Scripted(path)
        assert str(caught.value).startswith(f"{path}: ")


def test_the_document_shows_a_script_that_plays(tmp_path):
    from pathlib import Path

    document = Path(__file__).parents[3] / "docs" / "scripted.md"
    example = document.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    path = tmp_path / "example.json"
    path.write_text(example)
    player = Scripted(path)
    assert player.describe().name == "scripted"
    assert json.loads(player.reply(ask(run=2)).text)["findings"][0]["line"] == "9: x = 1"
    assert player.reply(ask(bucket="correctness")).text == "this is no JSON"
