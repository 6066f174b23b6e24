"""Criteria files are found, read in order, and every fault of all of them is one error."""

import os
from pathlib import Path

import pytest

from venire.errors import CriteriaError, Exit
from venire.model import Severity
from venire.panel import faults, files, load


def write(path: Path, name: str, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"buckets: [{{name: '{name}', checks: ['{text}']}}]\n", "utf-8")
    return path


def names(*paths: Path) -> list[str]:
    return [bucket.name for bucket in load(paths).buckets]


def test_a_folder_is_read_in_name_order_and_only_yaml_counts(tmp_path: Path) -> None:
    write(tmp_path / "b.yml", "two", "B.")
    write(tmp_path / "a.yaml", "one", "A.")
    write(tmp_path / ".hidden.yml", "three", "C.")
    write(tmp_path / "sub" / "c.yml", "four", "D.")
    (tmp_path / "folder.yml").mkdir()
    (tmp_path / "README.md").write_text("buckets: not read")

    assert names(tmp_path) == ["one", "two"]
    assert files([tmp_path]) == (tmp_path / "a.yaml", tmp_path / "b.yml")


def test_paths_are_read_in_the_order_given(tmp_path: Path) -> None:
    one, two = write(tmp_path / "z.yml", "one", "A."), write(tmp_path / "y.txt", "two", "B.")
    folder = write(tmp_path / "more" / "c.yml", "three", "C.").parent

    assert names(two, folder, one) == ["two", "three", "one"]


def test_every_fault_of_every_file_is_in_one_error_with_a_remedy(tmp_path: Path) -> None:
    good = write(tmp_path / "good.yml", "one", "A.")
    same = write(tmp_path / "same.yml", "one", "A.")
    empty = tmp_path / "empty"
    empty.mkdir()

    with pytest.raises(CriteriaError) as caught:
        load([tmp_path / "none.yml", empty, good, same])

    assert caught.value.message.split("\n") == [
        f"{tmp_path}/none.yml: No such file or directory",
        f"{empty}: the folder holds no *.yml or *.yaml file",
        f"{same}:1: the bucket 'one' is already at {good}:1",
        f"{same}:1: the check 'A.' is already at {good}:1",
    ]
    assert "venire criteria check" in caught.value.remedy
    assert caught.value.exit is Exit.USAGE
    assert faults([tmp_path / "none.yml", empty, good, same]) == tuple(caught.value.message.split("\n"))


def test_files_without_a_fault_have_none(tmp_path: Path) -> None:
    assert faults([write(tmp_path / "a.yml", "one", "A.")]) == ()


def test_what_is_not_a_file_is_never_opened(tmp_path: Path) -> None:
    """Opening a pipe would wait for ever."""
    pipe = tmp_path / "pipe.yml"
    os.mkfifo(pipe)

    assert faults([pipe]) == (f"{pipe}: not a file",)
    assert faults([tmp_path]) == (f"{pipe}: not a file",)


def test_a_link_that_leads_nowhere_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.yml").symlink_to(tmp_path / "gone")

    assert faults([tmp_path]) == (f"{tmp_path}/a.yml: No such file or directory",)


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    large = tmp_path / "large.yml"
    with large.open("wb") as stream:
        stream.truncate(10 * 1024**3)  # sparse

    assert faults([large]) == (f"{large}:1: the file is larger than 1000000 bytes",)


# ---------------------------------------------------------------- the shipped panel


def test_without_paths_the_shipped_panel_is_read() -> None:
    panel = load()

    assert [bucket.name for bucket in panel.buckets] == ["security", "correctness"]
    assert all(len(bucket.checks) == 10 for bucket in panel.buckets)
    assert [file.name for file in files()] == ["1-security.yml", "2-correctness.yml"]


def test_every_shipped_check_has_a_family_and_a_cwe_and_reads_as_one_sentence() -> None:
    for check in (check for bucket in load().buckets for check in bucket.checks):
        assert check.family != check.content
        assert check.tags
        assert all(tag.startswith("CWE-") and tag[4:].isdigit() for tag in check.tags)
        assert check.text[0].isupper()
        assert check.text.endswith(".")
        assert check.text.count(".") == 1
        assert len(check.text) < 140


def test_the_injections_are_one_family_and_high() -> None:
    security = next(bucket for bucket in load().buckets if bucket.name == "security")
    injections = [check for check in security.checks if check.family == "injection"]

    assert {tag for check in injections for tag in check.tags} == {"CWE-89", "CWE-78", "CWE-94", "CWE-22"}
    assert {check.severity for check in injections} == {Severity.HIGH}


def test_of_logic_errors_few_are_asked_for() -> None:
    security, correctness = load().buckets

    assert (security.cap, correctness.cap) == (5, 3)
    assert security.fields == correctness.fields == ("line", "problem", "check", "severity")
