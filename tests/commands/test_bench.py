"""A bench draws every cell once, after a cold start, refuses what would measure nothing, and prints the tables of its records."""

import json
from pathlib import Path

import pytest
from support.cli import Done, script, venire
from support.ollama import MODEL, Ollama

CODE = "def read(path):\n    stream = open(path)\n    return stream.read()\n\n\ndef size(items):\n    return len(items)\n"
TRUTH = "target,id,line_lo,line_hi,category,severity,note\nnames.py,open_file,2,3,correctness::check_3|plain::check_1,medium,x\n"
PLAIN = "buckets:\n  - name: plain\n    checks:\n      - {text: ResourceLeak, severity: low, family: leak}\n"
LEAK = {"line": 2, "problem": "the file stays open", "check": "check_3", "severity": "medium"}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of one target, asked in one way: pinned twice, sampled four times."""
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "names.py").write_text(CODE)
    (folder / "truth.csv").write_text(TRUTH)
    (folder / "plain.yml").write_text(PLAIN)
    path = folder / "suite.yml"
    path.write_text("targets:\n  - {name: small, file: names.py}\ntruth: truth.csv\nsampled: 4\npinned: 2\n")
    return path


def answers(path: Path) -> str:
    """Every second run finds the leak, whichever bucket is asked."""
    return script(path, [{"bucket": "correctness", "run": 1, "findings": [LEAK]}, {"findings": []}])


def bench(suite: Path, backend: str, *more: str) -> Done:
    out = suite.parent / "out"
    return venire("bench", str(suite), "--backend", backend, "--record", str(out), "--format", "json", *more, cwd=suite.parent)


def test_every_cell_is_a_sealed_record_and_a_row_of_figures(suite: Path) -> None:
    done = bench(suite, answers(suite.parent / "s.json"))
    assert done.code == 0, done.err
    names = sorted(path.name for path in (suite.parent / "out").glob("*.jsonl"))
    assert names == ["findings-small-pinned.jsonl", "findings-small-sampled.jsonl"]
    for name in names:
        assert venire("verify", f"out/{name}", cwd=suite.parent).code == 0
    assert set(done.json) - {"venire"} == {"findings-small-pinned", "findings-small-sampled"}
    sampled = done.json["findings-small-sampled"]
    assert (sampled["N"], sampled["empty_rate"], sampled["detected_gt"]) == (4, 0.75, 1)


def test_a_sealed_cell_is_not_drawn_again(suite: Path) -> None:
    first = bench(suite, answers(suite.parent / "s.json"))
    before = {path: path.read_bytes() for path in (suite.parent / "out").glob("*.jsonl")}
    again = bench(suite, script(suite.parent / "other.json", [{"findings": []}]))
    assert (first.out, first.code) == (again.out, 0)
    assert {path: path.read_bytes() for path in (suite.parent / "out").glob("*.jsonl")} == before


def test_a_cell_that_was_cut_off_is_completed(suite: Path) -> None:
    same = {"digest": "f" * 64}
    deadly = script(suite.parent / "s.json", [{"bucket": "correctness", "run": 3, "crash": True}, {"findings": []}], **same)
    assert bench(suite, deadly, "--only", "sampled").code != 0
    (part,) = (suite.parent / "out" / "drawing" / "findings-small-sampled").glob("*.part")
    kept = part.read_text().count('"kind":"run"')
    assert kept > 0
    healed = script(suite.parent / "s.json", [{"findings": []}], **same)
    done = bench(suite, healed, "--only", "sampled")
    assert done.code == 0, done.err
    assert "going on" in done.err
    assert (suite.parent / "out" / "findings-small-sampled.jsonl").is_file()


def test_the_model_sees_the_bare_name_of_a_target(suite: Path) -> None:
    """Folders such as seeded/ would give the label away."""
    bench(suite, answers(suite.parent / "s.json"), "--only", "pinned")
    text = (suite.parent / "out" / "findings-small-pinned.jsonl").read_text()
    assert "File: names.py" in text
    assert "suite/names.py" not in text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("    stream = open(path)  # DEFECT: never closed", "names.py:2: 'DEFECT'"),
        ("    stream = open(path)  # a resource leak", "names.py:2: 'ResourceLeak'"),
        ("    stream = open(path)  # see open_file", "names.py:2: 'open_file'"),
    ],
)
def test_a_target_that_carries_its_own_labels_is_refused_with_the_line(suite: Path, line: str, words: str) -> None:
    truth = TRUTH.replace("correctness::check_3", "correctness::check_3|ResourceLeak")
    (suite.parent / "truth.csv").write_text(truth)
    (suite.parent / "names.py").write_text(CODE.replace("    stream = open(path)", line))
    done = bench(suite, answers(suite.parent / "s.json"))
    assert done.code == 2
    assert words in done.err
    assert not list((suite.parent / "out").glob("*.jsonl"))


def test_a_name_that_tells_is_refused(suite: Path) -> None:
    (suite.parent / "buggy_names.py").write_text(CODE)
    suite.write_text("targets:\n  - {name: small, file: buggy_names.py}\n")
    done = bench(suite, answers(suite.parent / "s.json"))
    assert (done.code, "its name says 'buggy'" in done.err) == (2, True)


def test_threads_are_refused_where_the_server_decides_on_them(suite: Path) -> None:
    suite.write_text(suite.read_text() + "threads: [1, 4]\n")
    with Ollama() as server:
        done = bench(suite, "ollama", "--host", server.url, "--model", MODEL)
    assert done.code == 2
    assert "this axis would measure nothing" in done.err
    assert not list((suite.parent / "out").glob("*.jsonl"))


def test_threads_that_a_gpu_leaves_idle_are_refused(suite: Path) -> None:
    suite.write_text(suite.read_text() + "threads: [1, 4]\n")
    on_gpu = script(suite.parent / "gpu.json", [{"findings": []}], gpu_share=1.0)
    done = bench(suite, on_gpu)
    assert (done.code, "100% of the model is in GPU memory" in done.err) == (2, True)


def test_every_cell_begins_with_a_cold_start(suite: Path) -> None:
    """On a server the model is dropped before each cell, so that each cell loads it."""
    with Ollama() as server:
        done = bench(suite, "ollama", "--host", server.url, "--model", MODEL)
        assert done.code == 0, done.err
        assert len(server.loads) == 2


def test_the_seed_probe_counts_distinct_replies(suite: Path) -> None:
    suite.write_text(suite.read_text() + "probe: true\n")
    replies = [{"run": n, "findings": [{**LEAK, "problem": f"wording {n}"}]} for n in range(1, 7)]
    done = bench(suite, script(suite.parent / "s.json", replies), "--only", "seed")
    assert done.code == 0, done.err
    probes = {(row["probe"], row["replies"], row["distinct"]) for row in done.json["venire"]["seed_probe"]}
    assert probes == {("one seed", 6, 6), ("six seeds", 6, 6)}


def test_the_plain_contract_runs_beside_the_others(suite: Path) -> None:
    suite.write_text(suite.read_text() + "settings:\n  - {name: plain, contract: issues, criteria: [plain.yml]}\n")
    issue = {"line_number": 2, "category": "ResourceLeak", "severity": "High", "description": "left open"}
    done = bench(suite, script(suite.parent / "s.json", [{"text": json.dumps({"issues": [issue]})}]))
    assert done.code == 0, done.err
    assert (suite.parent / "out" / "plain-small-sampled.jsonl").is_file()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("targets: []\n", "names no targets"),
        ("targets:\n  - {name: a, file: absent.py}\n", "suite.yml:2: there is no file"),
        ("targets:\n  - {name: ../a, file: names.py}\n", "becomes part of a file's name"),
        ("targets:\n  - {name: a, file: names.py}\nsampled: many\n", "suite.yml:3: sampled must be a whole number"),
        ("targets:\n  - {name: a, file: names.py}\nrun: 3\n", "suite.yml:3: unknown key 'run'"),
        ("targets: [\n", "not YAML"),
    ],
)
def test_a_faulty_suite_is_told_with_its_line(suite: Path, text: str, words: str) -> None:
    suite.write_text(text)
    done = bench(suite, answers(suite.parent / "s.json"))
    assert (done.code, words in done.err) == (2, True), done.err


def test_mutants_are_audited_with_their_twins_and_ranked(tmp_path: Path) -> None:
    backend = script(tmp_path / "s.json", [{"findings": []}])
    done = venire(
        "bench", "--mutants", "3", "--seed", "7", "--runs", "2", "--backend", backend, "--record", str(tmp_path / "out"),
        "--format", "json", cwd=tmp_path,
    )  # fmt: skip
    assert done.code == 0, done.err
    row = done.json["venire"]["rankings"][0]
    assert (row["mutants"], row["twins"]) == (3, 3)
    assert row["pooled"] == 0.0
    text = (tmp_path / "out" / "mutants-3-7-findings.jsonl").read_text()
    assert text.count('"kind":"target"') == 6


def test_neither_suite_nor_mutants_is_wrong_usage(tmp_path: Path) -> None:
    assert venire("bench", cwd=tmp_path).code == 2


def test_ways_of_asking_are_compared_on_the_same_mutants(tmp_path: Path) -> None:
    ways = tmp_path / "ways.yml"
    (tmp_path / "other.yml").write_text(PLAIN)
    ways.write_text("settings:\n  - {name: shipped}\n  - {name: other, criteria: [other.yml]}\n")
    backend = script(tmp_path / "s.json", [{"findings": []}])
    words = ("bench", ways, "--mutants", "2", "--runs", "1", "--backend", backend, "--record", "out", "--format", "json")
    done = venire(*words, cwd=tmp_path)
    assert done.code == 0, done.err
    rows = [row["setting"] for row in done.json["venire"]["rankings"] if row["key"] == "region"]
    assert rows == ["shipped, N=1", "other, N=1"]


def test_twins_can_be_left_out(tmp_path: Path) -> None:
    backend = script(tmp_path / "s.json", [{"findings": []}])
    words = ("bench", "--mutants", "2", "--no-twins", "--runs", "1", "--backend", backend, "--record", "out", "--format", "json")
    done = venire(*words, cwd=tmp_path)
    assert done.code == 0, done.err
    row = done.json["venire"]["rankings"][0]
    assert (row["mutants"], row["twins"], row["twin_candidates"]) == (2, 0, None)
    assert (tmp_path / "out" / "mutants-2-0-no-twins-findings.jsonl").read_text().count('"kind":"target"') == 2


def test_a_record_with_twins_serves_a_comparison_without_them(tmp_path: Path) -> None:
    """The way that is shipped is measured with its false alarms; the others need not be, to be compared with it."""
    backend = script(tmp_path / "s.json", [{"findings": []}])
    words = ("bench", "--mutants", "2", "--runs", "1", "--backend", backend, "--record", "out", "--format", "json")
    assert venire(*words, cwd=tmp_path).code == 0
    done = venire(*words, "--no-twins", cwd=tmp_path)
    assert (done.code, "mutants-2-0-findings: there" in done.err) == (0, True), done.err
    assert done.json["venire"]["rankings"][0]["twins"] == 0
    assert [path.name for path in (tmp_path / "out").glob("*.jsonl")] == ["mutants-2-0-findings.jsonl"]


@pytest.mark.parametrize(
    ("change", "what"), [("text", "target"), ("runs", "number of runs"), ("model", "model"), ("panel", "panel")]
)
def test_a_sealed_cell_of_something_else_is_refused(suite: Path, change: str, what: str) -> None:
    """Else its figures would pass for those of what is asked now."""
    backend = answers(suite.parent / "s.json")
    assert bench(suite, backend, "--only", "sampled").code == 0
    more = {"runs": ("--runs", "6"), "model": ("--model", "other")}.get(change, ())
    if change == "text":
        (suite.parent / "names.py").write_text(CODE + "\n\nx = 1\n")
    if change == "panel":
        suite.write_text(suite.read_text() + "settings:\n  - {name: findings, criteria: [plain.yml]}\n")
    done = bench(suite, backend, "--only", "sampled", *more)
    assert (done.code, f"was drawn with another {what}" in done.err) == (2, True), done.err


def test_an_output_that_cannot_be_written_is_told_before_anything_is_drawn(suite: Path) -> None:
    done = bench(suite, answers(suite.parent / "s.json"), "-o", "no/such/folder/x")
    assert done.code == 2
    assert not list((suite.parent / "out").glob("*.jsonl"))
