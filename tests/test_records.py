"""Every committed record is whole, gives the report it was sealed with, and is counted alike by the independent program."""

from pathlib import Path

import pytest
from support.cli import venire

ROOT = Path(__file__).parent.parent
RECORDS = sorted((ROOT / "records").rglob("*.jsonl"))


def test_there_are_records_of_the_demo_and_of_the_suite() -> None:
    assert {path.parent.name for path in RECORDS} == {"records", "bench"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_record_gives_the_report_it_was_sealed_with(path: Path, tmp_path: Path) -> None:
    done = venire("verify", path, cwd=tmp_path)
    assert (done.code, "report: as sealed" in done.out) == (0, True), done


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_record_is_counted_alike_twice(path: Path, tmp_path: Path) -> None:
    done = venire("verify", "--recount", path, cwd=tmp_path)
    assert (done.code, "ALL PASS" in done.out) == (0, True), done


def test_the_suite_s_records_were_drawn_from_the_files_beside_their_truths(tmp_path: Path) -> None:
    """Lines of a truth file mean nothing for another text."""
    texts = {path.name: path.read_text() for path in (ROOT / "bench" / "suite").glob("*.py")}
    for path in RECORDS:
        if path.parent.name == "bench":
            for target in targets(path):
                assert texts[target["path"]] == target["text"]


def targets(path: Path) -> list[dict[str, str]]:
    import json

    entries = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [entry["body"] for entry in entries if entry["kind"] == "target"]
