"""Diffs in every form people hand over, and what is wrong in a broken one, by line."""

import pytest

from venire.change.patch import parse
from venire.errors import ChangeError

HUNK = b"@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"


@pytest.mark.parametrize(
    ("header", "path", "old"),
    [
        (b"--- a/x.py\n+++ b/x.py\n", b"x.py", b"x.py"),
        (b"--- x.py\n+++ x.py\n", b"x.py", b"x.py"),
        (b"--- a/x.py\n+++ a/x.py\n", b"a/x.py", b"a/x.py"),
        (b"--- i/x.py\n+++ w/x.py\n", b"x.py", b"x.py"),
        (b"--- ./x.py\t2026-01-01 00:00:00\n+++ ./x.py\t2026-01-01 00:00:00\n", b"x.py", b"x.py"),
        (b"--- x.py.orig\n+++ x.py\n", b"x.py", b"x.py.orig"),
        (b"Index: x.py\n=====\n--- x.py\t(revision 1)\n+++ x.py\t(working copy)\n", b"x.py", b"x.py"),
        (b"diff --git a/x y.py b/x y.py\nindex 1..2 100644\n--- a/x y.py\t\n+++ b/x y.py\t\n", b"x y.py", b"x y.py"),
        (b"diff --git x b/y x b/y\nindex 1..2 100644\n--- x b/y\t\n+++ x b/y\t\n", b"x b/y", b"x b/y"),
        (b'diff --git "a/\\303\\251\\n\\"" "b/\\303\\251\\n\\""\n--- "a/\\303\\251\\n\\""\n+++ "b/\\303\\251\\n\\""\n',
         "é\n\"".encode(), "é\n\"".encode()),
        (b"diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\n--- a/o\n+++ b/n\n", b"n", b"o"),
        (b"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n", b"n", b""),
        (b"--- /dev/null\n+++ b/n\n", b"n", b""),
    ],
)  # fmt: skip
def test_names_are_read_from_every_kind_of_header(header: bytes, path: bytes, old: bytes) -> None:
    (file,) = parse(header + HUNK)
    assert (file.path, file.old) == (path, old)
    assert file.hunks[0].target == (b"1", b"two")
    assert file.hunks[0].changed == ((2, 2),)


def test_a_deleted_file_is_known_by_its_old_name() -> None:
    (file,) = parse(b"--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n")
    assert (file.path, file.is_deleted) == (b"x.py", True)


def test_mail_headers_prose_and_signatures_are_passed_over() -> None:
    mail = (
        b"From 1 Mon Sep 17 00:00:00 2001\nFrom: A\nSubject: [PATCH] x\n\ndiff --git is a command\n---\n"
        b" x.py | 2 +-\n 1 file changed\n\n"
        b"diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n" + HUNK + b"-- \n2.39.5\n\n"
    )
    assert [(file.path, len(file.hunks)) for file in parse(mail + mail.replace(b"x.py", b"y.py"))] == [(b"x.py", 1), (b"y.py", 1)]


def test_lines_of_code_that_look_like_headers_stay_code() -> None:
    (file,) = parse(b"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n--- a/y\n-- \n+++ b/y\n+diff --git a/z b/z\n @@ -1 +1 @@\n")
    assert file.hunks[0].source == (b"-- a/y", b"- ", b"@@ -1 +1 @@")
    assert file.hunks[0].target == (b"++ b/y", b"diff --git a/z b/z", b"@@ -1 +1 @@")


def test_a_patch_with_every_line_end_converted_is_read_and_one_of_a_crlf_file_keeps_them() -> None:
    plain = b"--- a/x\n+++ b/x\n" + HUNK
    assert parse(plain.replace(b"\n", b"\r\n")) == parse(plain)
    (file,) = parse(b"--- a/x\n+++ b/x\n" + HUNK.replace(b"1\n", b"1\r\n"))
    assert file.hunks[0].source == (b"1\r", b"2")


def test_files_that_end_without_a_line_feed_are_marked_by_side() -> None:
    mark = b"\\ No newline at end of file\n"
    (file,) = parse(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n" + mark + b"+2\n")
    assert (file.hunks[0].is_source_open, file.hunks[0].is_target_open) == (True, False)
    (file,) = parse(b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-1\n+2\n 3\n" + mark)
    assert (file.hunks[0].is_source_open, file.hunks[0].is_target_open) == (True, True)


def test_changed_lines_are_the_added_ones_and_those_around_a_deletion() -> None:
    (file,) = parse(b"--- a/x\n+++ b/x\n@@ -10,8 +10,6 @@\n a\n-b\n+B\n c\n-d\n e\n-f\n-g\n+F\n h\n")
    assert file.hunks[0].changed == ((11, 14),)
    (file,) = parse(b"--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n-a\n b\n c\n")
    assert file.hunks[0].changed == ((1, 1),)


def test_binary_files_are_known_in_each_form() -> None:
    for text in (
        b"diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n",
        b"diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n",
        b"Binary files a/x and b/x differ\n",
    ):
        assert [(file.path, file.is_binary) for file in parse(text + b"--- a/y\n+++ b/y\n" + HUNK)] == [
            (b"x", True),
            (b"y", False),
        ]


@pytest.mark.parametrize(
    ("patch", "line", "words"),
    [
        (b"hello\n", 1, "no diff"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n 1\n", 4, "shorter"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n 1\nrubbish\n", 4, "shorter"),
        (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n+evil()\n", 6, "longer"),
        (b"--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-1\n 2\n+3\n", 5, "longer"),
        (b"--- a/x\n+++ b/x\n@@ -one +1 @@\n", 3, "cannot be read"),
        (b"@@ -1 +1 @@\n-1\n+2\n", 1, "without the name"),
        (b"diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n", 1, "combined"),
        (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+\xe9\n", 5, "UTF-8"),
        ("--- a/x\n".encode("utf-16"), 1, "UTF-8"),
    ],
)
def test_a_broken_patch_is_refused_with_its_line_and_file(patch: bytes, line: int, words: str) -> None:
    with pytest.raises(ChangeError, match=words) as caught:
        parse(patch)
    assert caught.value.message.startswith(f"patch line {line}")
    assert ("b/x" in caught.value.message) == (words not in ("no diff", "without the name", "UTF-8", "combined"))
    assert caught.value.remedy
