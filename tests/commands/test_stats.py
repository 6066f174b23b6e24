"""``venire stats``: figures from records and from the seed experiment's files, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.cli import Done, script, venire

CODE = "def f(path):\n    g = open(path)\n    return g.read()\n"
TRUTH = "target,id,line_lo,line_hi,check,severity\n"


def found(line: int, check: str = "check_1") -> dict[str, Any]:
    return {"line": line, "problem": "Never closed.", "check": check, "severity": "medium"}


@pytest.fixture
def audited(tmp_path: Path) -> Path:
    """A record of five runs on one file: three say line 2, one says line 3, one is silent."""
    (tmp_path / "app.py").write_text(CODE)
    said = [[found(2)], [found(2)], [found(3)], [], [found(2)]]
    backend = script(tmp_path / "replies.json", [{"run": n, "findings": one} for n, one in enumerate(said, start=1)])
    words = ("audit", "app.py", "-n", "5", "--backend", backend, "--record", "records", "--buckets", "combined", "-q")
    done = venire(*words, "--criteria", str(criteria(tmp_path)), cwd=tmp_path)
    assert done.code == 0, done
    (record,) = (tmp_path / "records").glob("*.jsonl")
    return record


def criteria(folder: Path) -> Path:
    path = folder / "criteria.yml"
    path.write_text("buckets:\n  - name: files\n    checks:\n      - text: Every opened file is closed.\n")
    return path


def stats(record: Path, *words: str | Path) -> Done:
    return venire("stats", record, "--format", "json", *words, cwd=record.parent.parent)


def refused(done: Done, *parts: str, code: int = 2) -> None:
    assert done.code == code, done
    assert done.out == ""
    for part in parts:
        assert part in done.err, done.err
    assert "Traceback" not in done.err


def test_a_record_is_measured_without_any_truth(audited: Path) -> None:
    done = stats(audited)
    ((name, cell),) = done.json.items()

    assert done.code == 0
    assert "app.py" in name
    assert (cell["N"], cell["empty_rate"], cell["mean_issues"]) == (5, 0.2, 0.8)
    assert cell["jaccard"]["strict"] == 0.3  # three pairs of ten agree
    assert cell["agreement"]["strict"]["spoken"] == 0.5
    assert "recall" not in cell
    assert "surface" not in cell


def test_a_truth_file_adds_validity(audited: Path, tmp_path: Path) -> None:
    label = json.loads(stats(audited).out).popitem()[1]["findings"][0]["label"]
    (tmp_path / "t.csv").write_text(f"{TRUTH}app.py,leak,2,2,{label},high\n")
    cell = stats(audited, "--truth", "t.csv").json.popitem()[1]

    assert (cell["precision"], cell["recall"], cell["fp_per_run"]) == (1.0, 0.8, 0.0)
    assert (cell["drifted"], cell["line_drift_rate"]) == (["leak"], 1.0)
    assert [p["TP"] for p in cell["surface"]["0"]] == [1, 1, 1, 0, 0]
    assert cell["keys"]["region"]["TP"] == [1, 1, 1, 1, 0]


def test_the_same_call_gives_the_same_bytes(audited: Path) -> None:
    assert stats(audited).out == stats(audited).out


def test_output_goes_to_a_file_whole(audited: Path, tmp_path: Path) -> None:
    done = stats(audited, "-o", "out.json")

    assert (done.code, done.out) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text())


def test_nothing_that_is_measured_is_written_over(audited: Path, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TRUTH)
    before = audited.read_bytes()

    refused(stats(audited, "-o", audited), "would take the place of what is measured")
    refused(stats(audited, "--truth", "t.csv", "-o", "t.csv"), "would take the place")
    refused(stats(audited, "--truth", "t.csv", "--figure", "t.csv"), "no kind of figure")
    assert audited.read_bytes() == before


def test_a_damaged_record_is_no_measure(audited: Path) -> None:
    audited.write_bytes(audited.read_bytes().replace(b"Never closed", b"Ever closed!"))

    refused(stats(audited), str(audited.name), code=5)


def test_the_same_record_twice_is_not_twice_the_runs(audited: Path) -> None:
    done = venire("stats", audited, audited, cwd=audited.parent)

    refused(done, "holds the same audit", "give every record once")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ((), ("give either records or --axiom",)),
        (("--axiom", "x", "y.jsonl"), ("give either records or --axiom",)),
        (("--axiom", ""), ("--axiom is empty",)),
        (("--axiom", "none"), ("audit_logs.jsonl", "No such file")),
        (("none.jsonl",), ("none.jsonl",)),
        (("r.jsonl", "--format", "sarif"), ("no form 'sarif'", "terminal, markdown, json, html")),
        (("r.jsonl", "--figure", "f.pdf"), ("f.pdf", ".svg or .png")),
        (("r.jsonl", "--figure", "no/f.svg"), ("its folder does not exist",)),
        (("r.jsonl", "-o", "no/f.json"), ("its folder does not exist",)),
        (("r.jsonl", "--figure", "f.svg", "-o", "./f.svg"), ("cannot be one file",)),
    ],
)
def test_wrong_usage_names_the_remedy(tmp_path: Path, words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    (tmp_path / "r.jsonl").write_text("")

    refused(venire("stats", *words, cwd=tmp_path), *parts)


def test_a_truth_file_that_is_not_text_is_named(audited: Path, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"target,id\xff\n")

    refused(stats(audited, "--truth", "t.csv"), "t.csv: not UTF-8", "store it as UTF-8")


@pytest.mark.parametrize("library", ["numpy", "scipy"])
def test_a_library_that_is_missing_is_named(tmp_path: Path, library: str) -> None:
    (tmp_path / f"{library}.py").write_text(f"raise ModuleNotFoundError('gone', name={library!r})\n")
    done = venire("stats", "r.jsonl", "--format", "json", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})

    refused(done, f"stats needs {library}", 'pip install "venire[stats]"')


def test_a_name_in_the_log_opens_no_file(tmp_path: Path) -> None:
    """The target is foreign text: only files that lie in the folder are read."""
    (tmp_path / "secret.txt").write_text("x = 1\n")
    (tmp_path / "logs").mkdir()
    head = {"type": "provenance", "cell": "c", "target": "../secret", "model": "m", "temp": 0.7}
    run = {"type": "run", "cell": "c", "run_id": 0, "schema_valid": True, "issues": [{"line_number": 1, "category": "A"}]}
    (tmp_path / "logs" / "audit_logs.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(run)}\n")
    done = venire("stats", "--axiom", "logs", "--format", "json", cwd=tmp_path)

    assert done.json["c"]["lines"] == 0


@pytest.mark.corpus
def test_the_experiments_summary_comes_out_of_the_program(corpus: Path, tmp_path: Path) -> None:
    done = venire("stats", "--axiom", corpus, "--truth", corpus / "gt.csv", "--format", "json", cwd=tmp_path)
    summary = json.loads((corpus / "m2_summary.json").read_text())

    for name, cell in summary.items():
        assert {key: done.json[name][key] for key in cell if key != "prov"} == {k: v for k, v in cell.items() if k != "prov"}
