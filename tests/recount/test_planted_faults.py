"""Faults planted into a copy of the package are caught: by the recount of many audits, or by the tests that a fault names."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from support.audits import audits, seal
from support.planted import PLANTED, Planted

from venire.model import Record

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "venire"
AUDITS = 250

PROBE = """
import json, sys
from pathlib import Path
import venire
from venire.assess import assess
from venire.record import read
from venire.recount import recount
from venire.report import render

assert Path(venire.__file__).is_relative_to(sys.argv[1])
for path in sorted(Path(sys.argv[2]).rglob("*.jsonl")):
    done = recount(path, json.loads(render(assess(read(path)), "json")))
    if done.difference:
        print(done.difference)
        sys.exit(5)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, copied, to plant faults into; nothing but a test of this module uses it."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(SOURCE, folder / "venire", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of sealed audits, always the same ones."""
    folder = tmp_path_factory.mktemp("records")
    numbers = iter(range(AUDITS * 10))

    @settings(max_examples=AUDITS, derandomize=True, database=None, phases=[Phase.generate])
    @given(made=audits())
    def draw(made: Record) -> None:
        seal(folder / f"{next(numbers):04}", made)

    draw()
    shutil.copy(ROOT / "records" / "demo.jsonl", folder)
    return folder


@pytest.fixture
def planted(copy: Path, request: pytest.FixtureRequest) -> Iterator[Planted]:
    """A fault, in its place while the test lasts."""
    fault: Planted = request.param
    path = copy / "venire" / fault.file
    if not path.is_file():
        pytest.skip(f"no {fault.file} in this checkout")
    text = path.read_text("utf-8")
    assert text.count(fault.old) == 1, f"{fault.file}: {fault.old!r} stands there {text.count(fault.old)} times"
    path.write_text(text.replace(fault.old, fault.new), "utf-8")
    yield fault
    path.write_text(text, "utf-8")


def probe(copy: Path, records: Path) -> subprocess.CompletedProcess[str]:
    return run(copy, "-c", PROBE, str(copy), str(records))


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "hasty"}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=240)


def test_there_are_twenty_at_least_and_each_is_another() -> None:
    assert len(PLANTED) >= 20
    assert len({(fault.file, fault.old, fault.new) for fault in PLANTED}) == len(PLANTED)


def test_without_a_fault_all_audits_pass(copy: Path, records: Path) -> None:
    done = probe(copy, records)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("planted", PLANTED, ids=lambda fault: fault.what, indirect=True)
def test_a_planted_fault_is_caught(copy: Path, records: Path, planted: Planted) -> None:
    """By a figure that differs, never by a crash alone; where tests are named, by one that fails."""
    if planted.tests:
        done = run(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *planted.tests)
        assert done.returncode == 1, done.stdout
        return
    done = probe(copy, records)
    assert (done.returncode, done.stderr) == (5, "")
    assert "the report says" in done.stdout
