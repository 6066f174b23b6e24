"""SARIF as GitHub reads it: every limit, the standard's own rules where no schema catches them, and real readers."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from support.pools import POOLS, candidate, clean, crowd, evil, inconclusive, judged, label, nothing, poison, pool, troubled

from venire.assess import assess
from venire.model import AnchorVotes, Bucket, Check, Panel, Pool, Severity, Target
from venire.record import read
from venire.report import render
from venire.report.line_hash import line_hashes
from venire.report.sarif import document, report

ROOT = Path(__file__).parent.parent.parent
RECORD = ROOT / "records" / "demo.jsonl"
TEXT = "import os\n\n\ndef load(path):\n" + "    handle = open(path)\n" * 40


def demo() -> Pool:
    return assess(read(RECORD))


def run(pool: Pool) -> dict[str, Any]:
    (one,) = document(pool)["runs"]
    return one


def filed(*candidates: Any, text: str = TEXT, sha256: str = "") -> Pool:
    """A pool that has the audited file."""
    target = Target("src/store.py", sha256 or hashlib.sha256(text.encode()).hexdigest(), text, "python", ((1, 5),))
    return pool(*candidates, targets=(target,))


def panel_of(*texts: str) -> Panel:
    checks = tuple(
        Check("security", f"check_{n}", hashlib.sha256(text.encode()).hexdigest()[:12], text, Severity.LOW, "f")
        for n, text in enumerate(texts, start=1)
    )
    return Panel((Bucket("security", checks),))


ALL = {**POOLS, "judged": judged, "crowd": crowd, "demo": demo}


def sound(pool: Pool) -> None:
    """Every constraint of GitHub and of the standard that concerns what is written."""
    whole = document(pool)
    assert whole["version"] == "2.1.0"
    assert whole["$schema"].startswith("https://")
    (one,) = whole["runs"]
    driver = one["tool"]["driver"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert driver["name"] == "venire"
    assert 0 < len(ids) == len(set(ids)) <= 25_000
    assert len(one["tool"].get("extensions", [])) <= 100
    assert len(one["results"]) <= 5_000
    assert one["columnKind"] == "unicodeCodePoints"
    assert one["automationDetails"]["id"].count("/") == 2
    for rule in driver["rules"]:
        sound_rule(rule)
    for result in one["results"]:
        sound_result(result, ids)
    for key in ("baselineState", "suppressions"):
        assert len({key in result for result in one["results"]}) <= 1, key
    assert "security-severity" not in json.dumps(whole)


def sound_rule(rule: dict[str, Any]) -> None:
    assert rule["id"]
    assert 0 < len(rule["shortDescription"]["text"]) <= 1024
    assert 0 < len(rule["fullDescription"]["text"]) <= 1024
    assert rule["help"]["text"]
    assert rule["defaultConfiguration"] == {"level": "note"}
    assert len(rule["properties"]["tags"]) <= 10
    assert rule["properties"]["precision"] == "low"


def sound_result(result: dict[str, Any], ids: list[str]) -> None:
    assert result["ruleId"] in ids
    assert result["level"] == "note"
    assert "kind" not in result
    assert 0 <= result["rank"] <= 100
    assert result["occurrenceCount"] >= 1
    assert UUID(result["correlationGuid"]).version == 5
    assert result["message"]["text"]
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", place["artifactLocation"]["uri"])
    region = place["region"]
    assert 1 <= region["startLine"] <= region["endLine"]
    assert region["startColumn"] == 1
    assert region.get("endColumn", 1) >= 1
    assert set(result["partialFingerprints"]) <= {"venire/stmt/v1", "venire/text/v1", "primaryLocationLineHash"}


@pytest.mark.parametrize("name", ALL)
def test_every_constraint_holds(name: str) -> None:
    sound(ALL[name]())


@given(evil)
@settings(max_examples=25, deadline=None)
def test_every_constraint_holds_for_hostile_text(text: str) -> None:
    sound(poison(judged(), text))


def test_results_beyond_what_github_keeps_are_counted() -> None:
    one = run(crowd(severe=5_002))
    assert len(one["results"]) == 5_000
    assert "left out: 57 candidates beyond 5,000" in texts(one)


def texts(one: dict[str, Any]) -> list[str]:
    (invocation,) = one["invocations"]
    return [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]


def succeeded(pool: Pool) -> bool:
    (invocation,) = run(pool)["invocations"]
    return bool(invocation["executionSuccessful"])


def test_a_failed_audit_does_not_look_like_a_clean_one() -> None:
    """GitHub closes alerts that a successful run does not report."""
    assert succeeded(clean())
    assert succeeded(nothing())
    assert not succeeded(inconclusive())
    assert not succeeded(replace(troubled(), status="unfinished"))
    assert not succeeded(replace(troubled(), candidates=()))
    assert succeeded(troubled())
    assert texts(run(inconclusive()))[0] == "INCONCLUSIVE: 1 of 5 runs valid, this is not a clean result"


def test_reasons_failures_and_gaps_are_notifications() -> None:
    told = texts(run(troubled()))
    assert "the time budget of 120 s ended sampling" in told
    assert any("unknown ids" in text for text in told)
    assert any(text.startswith("data/huge.json: too large") for text in told)


def test_altered_files_are_notifications_and_no_text_in_one_is_a_link() -> None:
    told = texts(run(replace(judged(), altered=("venire.yml", "[a](b)"))))
    assert told[0] == "This change alters what decides how changes are audited: venire.yml"
    assert told[1].endswith(r": \[a\](b)")


def test_a_thousand_failures_are_cut_and_counted() -> None:
    many = tuple(replace(inconclusive().failures[0], path=f"src/{n}.py") for n in range(3_000))
    told = texts(run(replace(inconclusive(), failures=many)))
    assert len(told) == 1_001
    assert told[-1] == "and 2,002 more"


def test_rank_is_the_share_of_runs_and_the_count_is_of_runs() -> None:
    (result,) = run(pool(candidate(17, 51)))["results"]
    assert result["rank"] == 33.3
    assert result["occurrenceCount"] == 17


def test_a_candidate_keeps_its_correlation_when_its_support_changes() -> None:
    guids = {run(pool(candidate(support)))["results"][0]["correlationGuid"] for support in (1, 17, 51)}
    assert len(guids) == 1


def test_fingerprints_are_those_of_the_leading_statement() -> None:
    one = candidate(
        anchors=(
            AnchorVotes("f" * 16, "e" * 16, "load", 16, 16, 40, False),
            AnchorVotes("0" * 16, "1" * 16, "", 17, 17, 5, False),
        )
    )
    (result,) = run(pool(one))["results"]
    assert result["partialFingerprints"] == {"venire/stmt/v1": "f" * 16, "venire/text/v1": "e" * 16}


def test_the_line_hash_is_github_s_when_the_text_is_the_file() -> None:
    (result,) = run(filed(candidate()))["results"]
    assert result["partialFingerprints"]["primaryLocationLineHash"] == line_hashes(TEXT)[15]


def test_no_line_hash_is_given_of_a_text_that_is_not_the_file_byte_for_byte() -> None:
    """A byte order mark was taken off, or bytes were not UTF-8: GitHub would find another hash."""
    (result,) = run(filed(candidate(), sha256="0" * 64))["results"]
    assert "primaryLocationLineHash" not in result["partialFingerprints"]


def test_the_region_is_the_leading_statement_s_lines() -> None:
    """GitHub shows an alert on a pull request only when all its lines are in the change."""
    (result,) = run(filed(candidate()))["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 16, "startColumn": 1, "endLine": 16, "endColumn": len("    handle = open(path)") + 1,
    }  # fmt: skip
    assert result["properties"]["venire/lines"] == [16, 17]


def test_a_candidate_about_a_file_without_lines_is_at_line_one() -> None:
    empty = candidate(first=0, last=0, anchors=(AnchorVotes("f" * 16, "e" * 16, "", 0, 0, 5, True),))
    (result,) = run(pool(empty))["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/a b.py", "src/a%20b.py"),
        ("a:b.py", "a%3Ab.py"),
        ("100%.py", "100%25.py"),
        ("é.py", "%C3%A9.py"),
        ("a?b#c.py", "a%3Fb%23c.py"),
        ("a\nb\\c.py", "a%0Ab%5Cc.py"),
    ],
)
def test_a_path_is_a_uri_whatever_is_in_it(path: str, uri: str) -> None:
    (result,) = run(pool(candidate(path=path)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_rule_keeps_its_id_when_checks_are_renumbered() -> None:
    def ids(*texts: str) -> dict[str, str]:
        audit = replace(clean().audit, panel=panel_of(*texts))
        rules = run(replace(clean(), audit=audit))["tool"]["driver"]["rules"]
        return {rule["shortDescription"]["text"]: rule["id"] for rule in rules}

    before, after = ids("no secrets", "no loops"), ids("no tabs", "no secrets", "no loops")
    assert {text: after[text] for text in before} == before


def test_every_check_has_a_rule_also_when_nothing_was_found() -> None:
    rules = run(clean())["tool"]["driver"]["rules"]
    assert [rule["properties"].get("venire/check") for rule in rules] == [
        "security::check_1", "security::check_2", "security::other",
        "correctness::check_1", "correctness::check_2", "correctness::check_3", "correctness::other", None,
    ]  # fmt: skip
    assert rules[0]["properties"]["tags"] == ["external/cwe/cwe-089"]


def test_a_place_without_a_check_has_the_rule_of_its_own() -> None:
    (result,) = run(pool(candidate(labels=())))["results"]
    assert result["ruleId"] == "venire/other"
    (other,) = run(pool(candidate(labels=(replace(label("security::check_1", 3), check="other", content=""),))))["results"]
    assert other["ruleId"] == "security/other"


def test_brackets_in_a_message_are_no_links() -> None:
    (result,) = run(pool(candidate(problem=r"see [here](https://e.example) and \[x]")))["results"]
    assert r"see \[here\](https://e.example) and \\\[x\]" in result["message"]["text"]


def test_a_second_audit_gives_a_baseline_and_a_dismissal_is_a_suppression() -> None:
    results = run(judged())["results"]
    assert [result["baselineState"] for result in results] == ["unchanged", "new", "updated", "unchanged"]
    assert [result["suppressions"] for result in results] == [
        [], [], [], [{"kind": "external", "status": "accepted", "justification": "Read only at start."}],
    ]  # fmt: skip
    assert "1 candidate dismissed by a person" in texts(run(judged()))
    assert any("then 12 of 51 runs, not seen in 51 of 51 runs (" in text for text in texts(run(judged())))


def test_a_candidate_that_is_not_seen_again_is_no_result() -> None:
    """GitHub does not read ``baselineState``, so an absent result would be an alert."""
    assert len(run(judged())["results"]) == 4


def test_the_same_pool_gives_the_same_bytes_and_a_profile_its_own_category() -> None:
    assert report(judged()) == report(judged()) == render(judged(), "sarif")
    assert json.loads(report(judged(), profile="nightly"))["runs"][0]["automationDetails"] == {"id": "venire/nightly/"}


def test_the_tool_s_version_is_given_where_it_is_one() -> None:
    assert run(clean())["tool"]["driver"]["semanticVersion"] == "0.1.0"
    odd = replace(clean(), audit=replace(clean().audit, tool="venire \u202e1"))
    assert "semanticVersion" not in run(odd)["tool"]["driver"]


def test_models_are_extensions() -> None:
    assert run(clean())["tool"]["extensions"] == [{"name": "qwen2.5-coder:7b"}]


# ---------------------------------------------------------------- real readers


@cache
def multitool() -> Path:
    """Microsoft's validator, from its npm package (``npm i @microsoft/sarif-multitool-linux``), where one was put."""
    folder = os.environ.get("SARIF_MULTITOOL", "")
    if not folder or not (Path(folder) / "Sarif.Multitool").is_file():
        pytest.skip("SARIF_MULTITOOL names no folder of the npm package @microsoft/sarif-multitool-linux")
    return Path(folder)


@pytest.mark.parametrize("name", ALL)
def test_the_schema_of_sarif_accepts_it(name: str) -> None:
    import jsonschema

    schema = json.loads((multitool() / "sarif-2.1.0.json").read_text("utf-8-sig"))
    jsonschema.validate(json.loads(render(ALL[name](), "sarif")), schema)


KNOWN = {"SARIF2005"}
"""Warnings that stand: the tool has no address of its own to give."""


@pytest.mark.parametrize("name", ALL)
def test_the_multitool_s_rules_for_github_find_nothing(name: str, tmp_path: Path) -> None:
    """Its exit code is 0 whatever it finds, so its own log is read."""
    file, log = tmp_path / "venire.sarif", tmp_path / "log.sarif"
    file.write_text(render(ALL[name](), "sarif"), "utf-8")
    program = str(multitool() / "Sarif.Multitool")
    words = [
        "validate",
        str(file),
        "--rule-kind",
        "Sarif;Ghas",
        "--level",
        "Error;Warning",
        "--output",
        str(log),
        "--log",
        "ForceOverwrite",
    ]
    environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    subprocess.run([program, *words], env=environment, capture_output=True, check=True, timeout=120)
    found = json.loads(log.read_text("utf-8-sig"))["runs"][0].get("results", [])
    assert [result for result in found if result["ruleId"] not in KNOWN and result.get("level") != "note"] == []


def sarif_tools(*words: str) -> str:
    program = Path(sys.executable).parent / "sarif"
    if not shutil.which(str(program)):
        pytest.skip("sarif-tools is not installed")
    return subprocess.run([str(program), *words], capture_output=True, text=True, check=True, timeout=120).stdout


def test_sarif_tools_counts_every_candidate_as_a_note(tmp_path: Path) -> None:
    file = tmp_path / "venire.sarif"
    file.write_text(render(judged(), "sarif"), "utf-8")
    shown = sarif_tools("summary", str(file))
    assert re.search(r"^error: 0$", shown, re.MULTILINE)
    assert re.search(r"^note: 4$", shown, re.MULTILINE)


def test_sarif_tools_sees_the_checks_that_a_second_audit_adds(tmp_path: Path) -> None:
    old, new = tmp_path / "old.sarif", tmp_path / "new.sarif"
    old.write_text(render(clean(), "sarif"), "utf-8")
    new.write_text(render(crowd(), "sarif"), "utf-8")
    shown = sarif_tools("diff", str(old), str(new))
    assert "error level: +0 -0 no changes" in shown
    assert "note level: +3 +0" in shown
    assert len(re.findall('New issue "', shown)) == 3
