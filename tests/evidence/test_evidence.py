"""SARIF of any analyser: real ones run here, what the standard allows, and what no analyser should write."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from venire.errors import UsageError
from venire.evidence import Findings, read
from venire.model import Evidence

CODE = 'import subprocess\n\n\ndef run(name):\n    subprocess.run("ls " + name, shell=True)\n    x = 1\n'
BIN = Path(sys.executable).parent


def result(path: str = "src/app.py", line: int = 5, **changes: Any) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": path}, "region": {"startLine": line}}
    return {"ruleId": "R1", "message": {"text": "Bad."}, "locations": [{"physicalLocation": place}]} | changes


def log(*results: dict[str, Any], **run: Any) -> dict[str, Any]:
    return {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": list(results)} | run]}


def seen(tmp_path: Path, made: Any, *, root: Path | None = None) -> Findings:
    file = tmp_path / "found.sarif"
    file.write_bytes(made if isinstance(made, bytes) else json.dumps(made).encode())
    return read([str(file)], root or tmp_path)


def places(found: Findings) -> list[tuple[str, str, int, int]]:
    return [(item.rule, item.path, item.first, item.last) for item in found.evidence]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a b.py").write_text(CODE)
    return tmp_path


@pytest.mark.parametrize("where", ["src", "absolute"])
def test_what_bandit_writes(project: Path, where: str) -> None:
    pytest.importorskip("bandit")
    folder = "src" if where == "src" else str(project / "src")
    made = subprocess.run([BIN / "bandit", "-q", "-f", "sarif", "-r", folder], cwd=project, capture_output=True)
    assert ("B602", "src/a b.py", 5, 5) in places(seen(project, made.stdout))
    assert {item.tool for item in seen(project, made.stdout).evidence} == {"Bandit"}


def test_what_ruff_writes(project: Path) -> None:
    command = [BIN / "ruff", "check", "--isolated", "--select", "F,S", "--output-format", "sarif", "src"]
    made = subprocess.run(command, cwd=project, capture_output=True)
    assert places(seen(project, made.stdout)) == [("S602", "src/a b.py", 5, 5), ("F841", "src/a b.py", 6, 6)]


def test_what_codeql_writes(tmp_path: Path) -> None:
    """Rules stand in extensions, a result points at them and at its file by position, and the base has no address."""
    one = result(ruleId=None, rule={"id": None, "index": 1, "toolComponent": {"index": 0}})
    one["locations"][0]["physicalLocation"]["artifactLocation"] = {"uri": None, "uriBaseId": None, "index": 1}
    files = [{"location": {"uri": "x.py"}}, {"location": {"uri": "src/app.py", "uriBaseId": "%SRCROOT%", "index": 1}}]
    tool = {
        "driver": {"name": "CodeQL", "rules": []},
        "extensions": [{"name": "py", "rules": [{"id": "py/a"}, {"id": "py/sql"}]}],
    }
    assert places(seen(tmp_path, log(one, artifacts=files, tool=tool))) == [("py/sql", "src/app.py", 5, 5)]


def test_what_semgrep_writes(tmp_path: Path) -> None:
    one = result(fingerprints={"matchBasedId/v1": "x"}, properties={})
    one["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] = "%SRCROOT%"
    one["locations"][0]["physicalLocation"]["region"] |= {"endLine": 7, "endColumn": 1, "snippet": {"text": "x"}}
    assert places(seen(tmp_path, log(one))) == [("R1", "src/app.py", 5, 6)]


@pytest.mark.parametrize(
    ("uri", "base", "path"),
    [
        ("src/app.py", None, "src/app.py"),
        ("./src//app.py", None, "src/app.py"),
        ("src/../src/app.py?x#y", None, "src/app.py"),
        ("src/a%20%C3%BC.py", None, "src/a ü.py"),
        ("src/%FF.py", None, "src/\\xff.py"),
        ("file://{root}/src/app.py", None, "src/app.py"),
        ("{root}/src/app.py", None, "src/app.py"),
        ("app.py", "SRC", "src/app.py"),
        ("src/app.py", "ELSEWHERE", "src/app.py"),
        ("app.py", "NESTED", "src/app.py"),
        ("src/app.py", "CIRCLE", "src/app.py"),
        ("../app.py", None, ""),
        ("file:///etc/passwd", None, ""),
        ("https://e.example/src/app.py", None, ""),
        ("http://[", None, ""),
        ("file://{root}/../other/app.py", None, ""),
        ("", None, ""),
    ],
)
def test_uris_become_paths_below_the_root_or_none(tmp_path: Path, uri: str, base: str | None, path: str) -> None:
    root = tmp_path / "re po"
    root.mkdir()
    spelled = str(root).replace(" ", "%20")
    bases = {
        "SRC": {"uri": f"file://{spelled}/src/"},
        "ELSEWHERE": {"uri": "file:///github/workspace/"},
        "ROOT": {"uri": f"file://{spelled}/"},
        "NESTED": {"uri": "src/", "uriBaseId": "ROOT"},
        "CIRCLE": {"uri": "", "uriBaseId": "CIRCLE"},
    }
    one = result(uri.format(root=spelled))
    one["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] = base
    found = seen(tmp_path, log(one, originalUriBaseIds=bases), root=root)
    assert [item.path for item in found.evidence] == ([path] if path else [])
    assert found.left_out == (() if path else (("about files outside this folder", 1),))


def test_an_absolute_path_counts_from_the_folder_the_analyser_ran_in(tmp_path: Path) -> None:
    ran = [{"executionSuccessful": True, "workingDirectory": {"uri": "file:///builds/project"}}]
    assert places(seen(tmp_path, log(result("file:///builds/project/src/app.py"), invocations=ran)))[0][1] == "src/app.py"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind": "pass"}, "not a failure"),
        ({"kind": "review"}, "not a failure"),
        ({"suppressions": [{"kind": "inSource"}]}, "suppressed"),
        ({"suppressions": [{"kind": "external", "status": "accepted"}]}, "suppressed"),
        ({"baselineState": "absent"}, "absent since a baseline"),
        ({"locations": []}, "without a place"),
        ({"locations": [{"logicalLocations": []}]}, "without a place"),
        ({"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.py"}}}]}, "without a line"),
        ({"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"endLine": 3}}}]}, "without a line"),
        ({"locations": [{"physicalLocation": {"region": {"startLine": 3}}}]}, "about files outside this folder"),
    ],
)  # fmt: skip
def test_what_says_nothing_about_a_place_is_counted_with_its_reason(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    assert seen(tmp_path, log(result(**changes))) == Findings((), ((reason, 1),))


@pytest.mark.parametrize(
    "changes", [{"suppressions": []}, {"suppressions": [{"status": "rejected"}]}, {"kind": "fail"}, {"level": "none"}]
)
def test_what_is_not_suppressed_after_all_counts(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert len(seen(tmp_path, log(result(**changes))).evidence) == 1


def test_the_rule_by_position_by_reference_or_unknown(tmp_path: Path) -> None:
    tool = {"driver": {"name": "lint", "rules": [{"id": "A"}, {"id": "B"}]}}
    some = [
        result(line=1, ruleId=None, ruleIndex=1),
        result(line=2, ruleId=None, rule={"index": 0}),
        result(line=3, ruleId=None, rule={"id": "C"}),
        result(line=4, ruleId=None, ruleIndex=-1),
        result(line=5, ruleId=None, ruleIndex=99),
    ]
    assert [item.rule for item in seen(tmp_path, log(*some, tool=tool)).evidence] == ["B", "A", "C", "", ""]


def test_several_files_runs_and_places_are_one_list_without_repeats(tmp_path: Path) -> None:
    both = result()
    both["locations"] += result(line=9)["locations"] + result()["locations"]
    made = log(both)
    made["runs"] += log(result(line=2), tool={"driver": {"name": "other"}})["runs"] + [{"tool": {"driver": {"name": "idle"}}}]
    found = seen(tmp_path, made)
    assert [(item.tool, item.first) for item in found.evidence] == [("lint", 5), ("lint", 9), ("other", 2)]
    assert read([str(tmp_path / "found.sarif")] * 2, tmp_path) == found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_any_unicode_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    text = json.dumps(log(result("src/ü.py")), ensure_ascii=False)
    assert seen(tmp_path, text.encode(encoding)).evidence[0].path == "src/ü.py"


def test_hostile_text_is_kept_short_and_on_one_line(tmp_path: Path) -> None:
    (item,) = seen(tmp_path, log(result(ruleId="R" * 9999, message={"text": "a\n::error::b " * 9999}))).evidence
    assert len(item.rule) == 200
    assert len(item.message) <= 1000
    assert "\n" not in item.message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "EOF"),
        (b"not json", "JSON"),
        (b"[1]", "found.sarif: "),
        (b'{"version": "2.1.0", "runs": 3}', "runs: "),
        (b'{"version": "2.0.0", "runs": []}', "version: '2.0.0' is not SARIF 2.1.0"),
        (b'{"runs": []}', "version: "),
        (b'{"version": "2.1.0", "runs": [{"results": []}]}', r"runs\.0\.tool: "),
        (b'{"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{"locations": 3}]}]}', r"results\.0\.locations: "),
        (b'{"version": "\xff"}', "not utf-8 at byte"),
        (b"\xff\xfe\x00", "not utf-16"),
        (b'{"a":' * 100_000, "found.sarif"),
        (b'{"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{"ruleIndex": 1e999}]}]}', "ruleIndex"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_sarif_is_refused_with_the_place(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        seen(tmp_path, data)
    assert "ruff check --output-format sarif" in caught.value.remedy


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.sarif", tmp_path):
        with pytest.raises(UsageError, match=str(path)):
            read([str(path)], tmp_path)


def test_a_line_number_beyond_all_bounds_is_only_a_number(tmp_path: Path) -> None:
    (item,) = seen(tmp_path, log(result(line=10**9))).evidence
    assert item == Evidence("lint", "R1", "src/app.py", 10**9, 10**9, "Bad.")
