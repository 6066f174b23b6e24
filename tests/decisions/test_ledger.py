"""The ledger: what is written is read back, people's own lines stay, and a fault is named with its place."""

import os
import random
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.decisions import add, read
from venire.errors import ConfigError, UsageError
from venire.model import Decision, Severity

ONE = Decision(
    "32928de12baa", "dismiss", "A. Author", "2026-01-02T03:04:05Z", "checked: before # really", "src/app.py",
    (("2bafaaef30611043", "1234567890123456"), ("0" * 16, "1e10000000000000")), Severity.HIGH, "find", 'q = "a: b" # c',
)  # fmt: skip
OTHER = replace(ONE, path="src/z.py", verdict="confirm", severity=None, scope="", statement="")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".venire" / "decisions.yml"


def test_no_file_is_an_empty_ledger(path: Path) -> None:
    assert read(path) == ()


def test_what_is_written_is_read_back_sorted_in_any_order_of_writing(path: Path, tmp_path: Path) -> None:
    found = [ONE, OTHER, replace(ONE, when="2026-01-03T00:00:00Z"), replace(ONE, path="a.py")]
    for decision in found:
        add(path, decision)
    assert list(read(path)) == sorted(found, key=lambda d: (d.path, d.candidate, d.when))
    for decision in random.Random(7).sample(found, 4):
        add(tmp_path / "again.yml", decision)
    assert (tmp_path / "again.yml").read_bytes() == path.read_bytes()


words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(lambda text: text.strip())


@given(words, words, words)
def test_any_text_is_kept(tmp_path_factory: pytest.TempPathFactory, why: str, path: str, statement: str) -> None:
    ledger = tmp_path_factory.mktemp("ledger") / "decisions.yml"
    hostile = replace(ONE, why=why, path=path, statement=statement)
    add(ledger, OTHER)
    add(ledger, hostile)
    assert set(read(ledger)) == {OTHER, hostile}


def test_text_that_would_deceive_a_reader_is_written_as_numbers(path: Path) -> None:
    add(path, replace(ONE, path="src/\u202eyp.ppa"))
    assert "\u202e" not in path.read_text("utf-8")
    assert read(path)[0].path == "src/\u202eyp.ppa"


def test_comments_order_quotes_and_indentation_of_people_stay(path: Path) -> None:
    add(path, ONE)
    add(path, OTHER)
    mine = path.read_text().replace("- path: src/z.py", "# ask ann again\n- path: 'src/z.py'   # moved soon") + "# the end\n"
    path.write_text("".join(f"  {line}" if number > 2 else line for number, line in enumerate(mine.splitlines(keepends=True))))
    kept = path.read_text().splitlines()
    add(path, replace(ONE, path="src/m.py"))
    now = path.read_text().splitlines()
    added = len(now) - len(kept)
    assert any(now[:at] + now[at + added :] == kept for at in range(len(kept) + 1))
    assert now.index("  # ask ann again") == now.index("  - path: 'src/z.py'   # moved soon") - 1
    assert [decision.path for decision in read(path)] == ["src/app.py", "src/m.py", "src/z.py"]


def test_a_comment_above_the_first_entry_stays_with_it(path: Path) -> None:
    add(path, ONE)
    path.write_text(path.read_text().replace("- path: src/app.py", "# about app\n- path: src/app.py"))
    add(path, replace(ONE, path="a.py"))
    lines = path.read_text().splitlines()
    assert lines.index("# about app") == lines.index("- path: src/app.py") - 1
    assert lines.index("- path: a.py") == lines.index("decisions:") + 1


def test_a_ledger_that_goes_on_below_its_list_is_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    text = f"decisions:\n{ENTRY}version: 1\n"
    path.write_text(text)
    assert len(read(path)) == 1
    with pytest.raises(ConfigError, match="cannot be put between the others"):
        add(path, OTHER)
    assert path.read_text() == text


def test_line_ends_of_a_windows_editor_stay(path: Path) -> None:
    add(path, OTHER)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    add(path, ONE)
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")
    assert len(read(path)) == 2


def test_a_last_line_without_an_end_is_no_trouble(path: Path) -> None:
    add(path, ONE)
    path.write_text(path.read_text().rstrip("\n"))
    add(path, OTHER)
    assert len(read(path)) == 2


def test_a_file_of_comments_alone_keeps_them(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("# ours\nversion: 1\ndecisions: []\n")
    add(path, ONE)
    assert path.read_text().startswith("# ours\n")
    assert read(path) == (ONE,)


def test_a_list_on_one_line_is_refused_and_left_as_it_is(path: Path) -> None:
    add(path, ONE)
    entry = ", ".join(line.strip(" -") for line in path.read_text().splitlines()[3:-3])
    text = f"version: 1\ndecisions: [{{{entry}, anchors: [[{'0' * 16}, {'1' * 16}]]}}]\n"
    path.write_text(text)
    with pytest.raises(ConfigError, match="on one line"):
        add(path, OTHER)
    assert path.read_text() == text


ENTRY = """\
- path: a.py
  candidate: 32928de12baa
  verdict: dismiss
  who: ann
  when: 2026-01-02T03:04:05Z
  why: no
  anchors:
  - [2bafaaef30611043, ba677c306a4f7b79]
"""
HEAD = "version: 1\ndecisions:\n"


def test_an_entry_written_by_hand_is_read(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(HEAD + ENTRY)
    (decision,) = read(path)
    assert (decision.when, decision.why, decision.severity) == ("2026-01-02T03:04:05Z", "no", None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + ENTRY.replace("why:", "reason:"), r"decisions.yml:8: decision 1: unknown key 'reason'"),
        (HEAD + ENTRY.replace("  who: ann\n", ""), r"decisions.yml:3: decision 1: who missing"),
        (HEAD + ENTRY.replace("who: ann", "who: ' '"), r"decision 1: who empty"),
        (HEAD + ENTRY.replace("dismiss", "reject"), r"decision 1: verdict must be one of confirm, dismiss, defer, not 'reject'"),
        (HEAD + ENTRY.replace("2026-01-02T03:04:05Z", "yesterday"), r"decision 1: when must be UTC"),
        (HEAD + ENTRY.replace("ba677c306a4f7b79", "XYZ"), r"decisions.yml:10: decision 1: an anchor must be two fingerprints"),
        (HEAD + ENTRY.replace("  - [2bafaaef30611043, ba677c306a4f7b79]", "  - x"), r"decisions.yml:10: decision 1: an anchor"),
        (HEAD + ENTRY.replace("anchors:\n  - [2bafaaef30611043, ba677c306a4f7b79]", "anchors: []"), r"must be a list of pairs"),
        (HEAD + ENTRY + "  severity: grave\n", r"severity must be one of low, medium, high"),
        (HEAD + ENTRY + "  why: twice\n", r"decisions.yml:11: decision 1: 'why' is given twice"),
        (HEAD + ENTRY.replace("why: no", "why: [no]"), r"decisions.yml:8: decision 1: why must be text"),
        (HEAD + ENTRY + ENTRY + "- text\n", r"decisions.yml:19: decision 3 must be a mapping"),
        ("version: 2\ndecisions: []\n", r"version '2'; this venire reads version 1"),
        ("decisions: []\n", r"no version"),
        ("- a\n", r"decisions.yml:1: the file must be a mapping"),
        ("version: 1\ndecisions: {a: 1}\n", r"decisions.yml:2: decisions must be a list"),
        ("version: 1\ndecision: []\n", r"decisions.yml:2: the file: unknown key 'decision'"),
        ("<<<<<<< HEAD\nversion: 1\n=======\n", r"decisions.yml:\d+: "),
        ("version: 1\ndecisions: &a [*a]\n", r"aliases are not allowed"),
        ("a: [" * 5000, r"decisions.yml"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file_line_and_entry(path: Path, text: str, message: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        read(path)
    assert caught.value.remedy
    with pytest.raises(ConfigError):
        add(path, ONE)
    assert path.read_text() == text


def test_bytes_that_are_no_text_are_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"version: 1 # \xff\n")
    with pytest.raises(ConfigError, match="not UTF-8 at byte 13"):
        read(path)


@pytest.mark.parametrize("place", ["file", "folder"])
def test_no_link_is_followed(path: Path, tmp_path: Path, place: str) -> None:
    secret = tmp_path / "elsewhere" / "decisions.yml"
    secret.parent.mkdir()
    secret.write_text("secret: 1\n")
    if place == "file":
        path.parent.mkdir()
        path.symlink_to(secret)
    else:
        path.parent.symlink_to(secret.parent)
    for call in (lambda: read(path), lambda: add(path, ONE)):
        with pytest.raises(ConfigError, match="not a plain file"):
            call()
    assert sorted(file.name for file in secret.parent.iterdir()) == ["decisions.yml"]
    assert secret.read_text() == "secret: 1\n"


def test_git_is_told_to_keep_the_ledger_and_a_users_own_words_stay(path: Path, tmp_path: Path) -> None:
    ignore = path.parent / ".gitignore"
    path.parent.mkdir()
    ignore.write_text("*\n")  # as the folder of records has it
    add(path, ONE)
    assert ignore.read_text() == "*\n!decisions.yml\n"
    ignore.write_text("records/\n")
    add(path, OTHER)
    assert ignore.read_text() == "records/\n"


def test_decisions_taken_at_the_same_time_are_all_kept(path: Path) -> None:
    made = [replace(ONE, path=f"{n}.py") for n in range(8)]
    threads = [threading.Thread(target=add, args=(path, decision)) for decision in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(read(path)) == set(made)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match=r"\.venire"):
        add(tmp_path / ".venire" / "decisions.yml", ONE)
