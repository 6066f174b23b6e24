"""OR inside a field, AND across fields, ``!`` bars, and every level must hold."""

import pytest
from support.asking import bucket, check, target

from venire.model import When
from venire.panel import applicable
from venire.panel.when import both, holds, is_under

PYTHON = target(path="src/app/read.py", language="python")
MODEL = "qwen2.5-coder:7b"


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        (When(), True),
        (When(language=("python",)), True),
        (When(language=("Python",)), True),
        (When(language=("go",)), False),
        (When(language=("go", "python")), True),
        (When(language=("!python",)), False),
        (When(language=("!go",)), True),
        (When(language=("!go", "!rust")), True),
        (When(language=("!go", "!python")), False),
        (When(language=("python", "!python")), False),
        (When(language=("go", "!rust")), False),
        (When(path=("*.py",)), True),
        (When(path=("src/",)), True),
        (When(path=("/src/**/*.py",)), True),
        (When(path=("/app/",)), False),
        (When(path=("app/",)), True),
        (When(path=("*.PY",)), False),
        (When(path=("src/", "!src/app/")), False),
        (When(path=("src/", "!src/gen/")), True),
        (When(model=("qwen*",)), True),
        (When(model=("QWEN2.5-coder:7B",)), True),
        (When(model=("qwen*:1.5b",)), False),
        (When(model=("!qwen*",)), False),
        (When(language=("python",), path=("*.go",)), False),
        (When(language=("python",), path=("*.py",), model=("qwen*",)), True),
        (When(language=("python",), path=("*.py",), model=("llama*",)), False),
    ],
)
def test_a_when_matches_by_its_truth_table(when: When, expected: bool) -> None:
    assert holds(when, PYTHON, MODEL) is expected


YES, NO = When(language=("python",)), When(language=("go",))


@pytest.mark.parametrize("file_level", [YES, NO])
@pytest.mark.parametrize("bucket_level", [YES, NO])
@pytest.mark.parametrize("check_level", [YES, NO])
def test_all_three_levels_must_hold(file_level: When, bucket_level: When, check_level: When) -> None:
    asked = bucket(check(1, when=check_level), when=bucket_level, file_when=file_level)

    found = applicable(asked, PYTHON, MODEL)

    assert bool(found) is (file_level is bucket_level is check_level is YES)


def test_a_check_keeps_its_number_when_another_is_left_out() -> None:
    asked = bucket(check(1), check(2, when=NO), check(3))

    assert [c.id for c in applicable(asked, PYTHON, MODEL)] == ["check_1", "check_3"]


def test_a_glob_that_git_cannot_read_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="pattern"):
        is_under("\\", "a")


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        (When(), When(), True),
        (When(path=("src/",)), When(), True),
        (When(), When(path=("lib/",)), False),
        (When(path=("src/", "lib/")), When(path=("*.go", "*.py")), True),
        (When(path=("lib/",)), When(path=("*.py",)), False),
        (When(path=("src/",)), When(path=("*.go",)), False),
        (When(path=("src/", "!src/app/")), When(path=("*.py",)), False),
        (When(path=("src/",)), When(path=("!src/app/",)), False),
        (When(path=("!src/gen/",)), When(path=("!src/x/",)), True),
        (When(language=("go",)), When(language=("python",)), False),
        (When(language=("python", "go")), When(language=("python",), model=("qwen*",)), True),
        (When(model=("!qwen*",)), When(model=("qwen*",)), False),
    ],
)
def test_two_levels_put_together_hold_where_both_hold(outer: When, inner: When, expected: bool) -> None:
    assert holds(both(outer, inner), PYTHON, MODEL) is expected
    assert (holds(outer, PYTHON, MODEL) and holds(inner, PYTHON, MODEL)) is expected
