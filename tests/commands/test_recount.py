"""``venire verify --recount``, ``--axiom`` and ``--claims`` as a user has them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import venire
from support.panels import Court, Member, finding

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "records" / "demo.jsonl"
CLAIMS = ROOT / "records" / "claims.yml"


def test_records_are_recounted_one_after_the_other(tmp_path: Path) -> None:
    court = Court(tmp_path, (Member("one", [{"run": [1, 2, 3, 4, 5], "findings": [finding()]}]),))
    own = court.audit()
    done = venire("verify", "--recount", DEMO, own, cwd=tmp_path)

    assert done.code == 0, done.err
    first, second = done.out.splitlines()
    assert first == f"{DEMO}: ALL PASS, 85 figures recounted"
    assert second.startswith(f"{own}: ALL PASS, ")


def test_a_report_that_counts_otherwise_ends_with_5_and_the_first_difference(tmp_path: Path) -> None:
    """The program's own count is made wrong in a process of its own; the recount is not."""
    script = (
        "import sys; from venire import cli; from venire.assess import lanes; lanes.ceil = lambda x: 99; sys.exit(cli.main())"
    )
    low = [{"run": [1, 2, 3, 4, 5], "findings": [finding(check="check_2", severity="low")]}]
    own = Court(tmp_path, (Member("one", low),)).audit()
    words = [sys.executable, "-c", script, "verify", "--recount", DEMO, own]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)

    assert done.returncode == 5
    assert done.stdout == f"{DEMO}: ALL PASS, 85 figures recounted\n"
    assert f"{own}: counts lane frequent: the report says 0, the recount 1" in done.stderr


def test_damage_is_found_before_anything_is_counted(tmp_path: Path) -> None:
    record = tmp_path / "demo.jsonl"
    record.write_bytes(DEMO.read_bytes().replace(b"check_4", b"check_5", 1))

    assert venire("verify", "--recount", record, cwd=tmp_path).code == 5
    assert venire("verify", "--recount", tmp_path / "none.jsonl", cwd=tmp_path).code == 2


def test_an_unfinished_record_is_not_recounted(tmp_path: Path) -> None:
    record = tmp_path / "demo.jsonl.part"
    record.write_bytes(b"".join(DEMO.read_bytes().splitlines(keepends=True)[:-1]))
    done = venire("verify", "--recount", record, DEMO, cwd=tmp_path)

    assert done.code == 3
    assert "not finished" in done.out
    assert "ALL PASS" in done.out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--recount",),
        ("--axiom", "x", DEMO),
        ("--claims", CLAIMS, DEMO),
        (DEMO, DEMO),
        ("--recount", "--head", "a" * 12, DEMO),
        ("--axiom", "x", "--claims", "y"),
        ("--axiom", "no-such-folder"),
        ("--claims", "no-such-file.yml"),
    ],
)
def test_what_makes_no_sense_ends_with_2(tmp_path: Path, words: tuple[str | Path, ...]) -> None:
    done = venire("verify", *words, cwd=tmp_path)

    assert done.code == 2
    assert "Traceback" not in done.err


def test_claims_are_recounted_and_a_wrong_page_is_named(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "demo.jsonl").write_bytes(DEMO.read_bytes())
    entry = {"file": "README.md", "text": "7 findings", "value": "7", "record": "records/demo.jsonl", "figure": "report"}
    path = tmp_path / "records" / "claims.yml"
    path.write_text(json.dumps([entry | {"with": {"name": "counts findings"}}]))
    (tmp_path / "README.md").write_text("It makes 7 findings.")

    done = venire("verify", "--claims", path, cwd=tmp_path)
    assert (done.code, done.out) == (0, f"{path}: ALL PASS, 1 claim recounted, 0 measured without a record\n")

    (tmp_path / "README.md").write_text("It makes 8 findings.")
    done = venire("verify", "--claims", path, cwd=tmp_path)
    assert done.code == 5
    assert "README.md: 7 findings: these words stand in the page 0 times, not once" in done.err


def test_the_claims_of_this_repository_hold() -> None:
    assert venire("verify", "--claims", CLAIMS, cwd=ROOT).code == 0


@pytest.mark.corpus
def test_the_seed_experiment_is_recounted(corpus: Path, tmp_path: Path) -> None:
    done = venire("verify", "--axiom", corpus, cwd=tmp_path)

    assert done.code == 0
    assert done.out.splitlines()[-1] == "ALL PASS, 49 statements recounted"
    assert "26 on line 16 and 19 on line 17: (26, 19)" in done.out
