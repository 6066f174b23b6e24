"""Files are read without ever following a link."""

import os
from pathlib import Path

import pytest

from venire.change.content import HEAD_BYTES, MAX_BYTES
from venire.change.disk import kind, read


def test_a_link_anywhere_on_the_way_is_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_text("1\n")
    (tmp_path / "alias").symlink_to("real")
    assert [kind(tmp_path, path) for path in (b"real/a", b"real", b"alias", b"alias/a", b"real/b", b"real/a/b")] == [
        "file", "folder", "symlink", "symlink", "missing", "missing",
    ]  # fmt: skip
    assert read(tmp_path, b"alias/a").reason == "symlink"
    assert read(tmp_path, b"real/a").data == b"1\n"


def test_a_link_put_in_place_after_the_look_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("1\n")
    (tmp_path / "a").symlink_to("secret")
    (tmp_path / "folder").symlink_to(".")
    monkeypatch.setattr("venire.change.disk.kind", lambda root, path: "file")
    for path in (b"a", b"folder/secret"):
        content = read(tmp_path, path)
        assert (content.reason, content.data) == ("unreadable", b"")
    os.mkfifo(tmp_path / "pipe")
    assert read(tmp_path, b"pipe").detail == "not a regular file"


def test_only_the_beginning_of_a_file_that_is_too_large_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    content = read(tmp_path, b"a")
    assert content.reason == "too large"
    assert len(content.data) == HEAD_BYTES
    os.truncate(tmp_path / "a", MAX_BYTES)
    assert len(read(tmp_path, b"a").data) == MAX_BYTES


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "a").chmod(0)
    assert read(tmp_path, b"a").detail == "Permission denied"
