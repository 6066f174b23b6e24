"""A patch against a file: after it, before it, or only in pieces."""

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from venire.change.image import images, pieces
from venire.change.patch import parse


def patch(*hunks: str) -> bytes:
    return ("--- a/x\n+++ b/x\n" + "".join(hunks)).encode()


def test_a_file_that_fits_neither_side_gives_nothing() -> None:
    files = parse(patch("@@ -2 +2 @@\n-2\n+two\n"))
    assert images(files, b"1\n2\n") == (b"1\n2\n", b"1\ntwo\n")
    assert images(files, b"1\ntwo\n") == (b"1\n2\n", b"1\ntwo\n")
    assert images(files, b"1\nother\n") is None
    assert images(files, b"1\n") is None


def test_a_change_of_the_last_line_feed_alone_is_told_apart() -> None:
    files = parse(patch("@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"))
    for data in (b"a\n", b"a"):
        assert images(files, data) == (b"a\n", b"a")


def test_a_hunk_without_context_is_read_by_the_side_that_has_lines() -> None:
    added, removed = parse(patch("@@ -1,0 +2 @@\n+2\n")), parse(patch("@@ -2 +1,0 @@\n-2\n"))
    assert images(added, b"1\n2\n3\n") == (b"1\n3\n", b"1\n2\n3\n")
    assert images(added, b"1\n3\n") == (b"1\n3\n", b"1\n2\n3\n")
    assert images(removed, b"1\n2\n3\n") == (b"1\n2\n3\n", b"1\n3\n")


def test_line_ends_of_the_file_are_kept_when_the_patch_lost_them() -> None:
    assert images(parse(patch("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n")), b"1\r\n2\r\n3\r\n") == (
        b"1\r\n2\r\n3\r\n",
        b"1\r\ntwo\r\n3\r\n",
    )


def test_a_later_patch_moves_what_an_earlier_one_showed() -> None:
    first, second = patch("@@ -9,0 +10 @@\n+ten\n"), patch("@@ -1,0 +2,3 @@\n+a\n+b\n+c\n")
    content, changed = pieces([*parse(first), *parse(second)])
    assert {number: line for number, line in enumerate(content.data.split(b"\n"), 1) if line} == {
        2: b"a",
        3: b"b",
        4: b"c",
        13: b"ten",
    }
    assert changed == ((2, 4), (13, 13))


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=25)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(LINES, LINES, st.booleans(), st.booleans(), st.integers(0, 3))
def test_gits_own_patches_lead_from_each_side_to_the_other(
    tmp_path: Path, old: list[str], new: list[str], is_old_open: bool, is_new_open: bool, context: int
) -> None:
    before, after = (
        "\n".join(lines) + ("" if is_open or not lines else "\n") for lines, is_open in ((old, is_old_open), (new, is_new_open))
    )
    (tmp_path / "old").write_text(before)
    (tmp_path / "new").write_text(after)
    done = subprocess.run(
        ["git", "diff", "--no-index", f"-U{context}", "old", "new"], cwd=tmp_path, capture_output=True, check=False
    )
    files = parse(done.stdout)
    if not files or not files[0].hunks:
        return
    for data in (before, after):
        found = images(files, data.encode())
        assert found is not None
        if context:
            assert found == (before.encode(), after.encode())
    content, _ = pieces(files)
    for number, line in enumerate(content.data.decode().split("\n"), 1):
        assert not line or line == after.split("\n")[number - 1]
