"""Every state a repository can be in, from each of the five sources."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from support.git import PINNED, Repo

from venire.change import collect
from venire.change.content import HUNKS_ONLY
from venire.errors import ChangeError
from venire.model import Change, Source


def changed(change: Change) -> dict[str, tuple[tuple[int, int], ...]]:
    return {target.path: target.changed for target in change.targets}


def reasons(change: Change) -> dict[str, str]:
    return {item.path: item.reason for item in change.skipped}


def gaps(change: Change) -> set[str]:
    return {item.path for item in change.skipped if item.is_gap}


WORKTREE, STAGED, PATCH, PATHS = (Source(mode) for mode in ("worktree", "staged", "patch", "paths"))


def between(spec: str) -> Source:
    return Source("range", spec)


# ---------------------------------------------------------------- working tree


def test_the_working_tree_is_compared_with_head_whether_staged_or_not(repo: Repo) -> None:
    head = repo.commit(a__py="1\n2\n3\n", b__py="1\n2\n")
    repo.add(a__py="1\ntwo\n3\n")
    repo.write("b.py", "1\n2\n3\n")
    change = collect(WORKTREE, repo.root)
    assert changed(change) == {"a.py": ((2, 2),), "b.py": ((3, 3),)}
    assert (change.source.base, change.source.head) == (head, "")


def test_untracked_files_are_changes_and_ignored_ones_are_not(repo: Repo) -> None:
    repo.commit(__gitignore="*.log\n")
    repo.write("new.py", "1\n2\n")
    repo.write("noise.log", "1\n")
    assert changed(collect(WORKTREE, repo.root)) == {"new.py": ((1, 2),)}


def test_what_the_users_own_ignore_file_hides_is_not_audited(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "home" / "hidden").write_text(".env\n")
    (tmp_path / "home" / ".gitconfig").write_text("[core]\n\texcludesFile = ~/hidden\n")
    repo.write(".env", "SECRET=1\n")
    repo.write("a.py", "1\n")
    assert changed(collect(WORKTREE, repo.root)) == {"a.py": ((1, 1),)}
    assert changed(collect(PATHS, repo.root, paths=[str(repo.root)])) == {"a.py": ((1, 1),)}


def test_a_file_that_was_only_touched_is_no_change(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    os.utime(repo.root / "a.py", (1, 1))
    change = collect(WORKTREE, repo.root)
    assert change.targets == change.skipped == ()


def test_a_file_taken_out_of_the_index_but_kept_on_disk_is_a_changed_file(repo: Repo) -> None:
    repo.commit(a__py="1\n2\n")
    repo.git("rm", "-q", "--cached", "a.py")
    repo.write("a.py", "1\n2\n3\n")
    change = collect(WORKTREE, repo.root)
    assert changed(change) == {"a.py": ((3, 3),)}
    assert change.skipped == ()


def test_a_file_that_git_is_only_told_of_is_new(repo: Repo) -> None:
    repo.commit()
    repo.write("a.py", "1\n")
    repo.git("add", "--intent-to-add", "a.py")
    assert changed(collect(WORKTREE, repo.root)) == {"a.py": ((1, 1),)}
    assert changed(collect(STAGED, repo.root)) == {}


def test_line_ends_changed_by_a_checkout_mark_no_line(repo: Repo) -> None:
    repo.commit(a__py="1\n2\n3\n", b__py="1\n2\n")
    repo.write("a.py", "1\r\ntwo\r\n3\r\n")
    repo.write("b.py", "1\r\n2\r\n")
    change = collect(WORKTREE, repo.root)
    assert changed(change) == {"a.py": ((2, 2),)}
    assert [(item.path, item.reason, item.detail) for item in change.skipped] == [("b.py", "mode only", "only line ends differ")]


def test_a_large_file_as_its_pointer_in_git_says_is_no_change(repo: Repo) -> None:
    digest = "2b4c342f5433ebe591a1da77e013d1b72475562d48578dca8b84bac6651c3cb9"
    repo.commit(a__csv=f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 1\n")
    repo.write("a.csv", "\t")
    change = collect(WORKTREE, repo.root)
    assert change.targets == change.skipped == ()


def test_a_tracked_file_replaced_by_a_link_to_a_secret_is_not_opened(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.py").write_text("password\n")
    repo.write("folder/a.py", "1\n")
    repo.commit()
    (repo.root / "folder" / "a.py").unlink()
    (repo.root / "folder").rmdir()
    (repo.root / "folder").symlink_to(tmp_path / "secret")
    change = collect(WORKTREE, repo.root)
    assert change.targets == ()
    assert reasons(change) == {"folder": "symlink", "folder/a.py": "deleted"}


def test_a_repository_inside_the_repository_is_named_and_not_entered(repo: Repo) -> None:
    Repo(repo.root / "inner").commit(a__py="1\n")
    change = collect(WORKTREE, repo.root)
    assert change.targets == ()
    assert reasons(change) == {"inner": "submodule"}


# ---------------------------------------------------------------- index


def test_unstaged_edits_do_not_leak_into_what_is_staged(repo: Repo) -> None:
    repo.commit(a__py="1\n2\n")
    repo.add(a__py="1\nstaged\n")
    repo.write("a.py", "1\nstaged\nunstaged\n")
    repo.write("untracked.py", "1\n")
    change = collect(STAGED, repo.root)
    assert changed(change) == {"a.py": ((2, 2),)}
    assert change.targets[0].text == "1\nstaged\n"


HOOK = """#!/bin/sh
exec {python} -W error -c "
from pathlib import Path
from venire.change import collect
from venire.model import Source
change = collect(Source('staged'), Path.cwd())
print([(target.path, target.text, target.changed) for target in change.targets])
" > "{out}"
"""


def hooked(repo: Repo, out: Path, *commit: str, cwd: Path | None = None) -> str:
    """Commits through a real pre-commit hook that collects what is staged; what the hook saw."""
    hooks = repo.root / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").write_text(HOOK.format(python=sys.executable, out=out))
    (hooks / "pre-commit").chmod(0o755)
    subprocess.run(
        ["git", "-c", f"core.hooksPath={hooks}", "commit", "-q", "-m", "hooked", *commit],
        cwd=cwd or repo.root, env={**os.environ, **PINNED}, check=True,
    )  # fmt: skip
    return out.read_text().strip()


def test_a_partial_commit_shows_the_hook_what_will_be_committed(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n", b__py="1\n", __gitignore="hooks\n")
    repo.add(a__py="staged\n")
    repo.write("b.py", "partial\n")
    assert hooked(repo, tmp_path / "out", "b.py") == "[('b.py', 'partial\\n', ((1, 1),))]"


def test_a_commit_of_all_shows_the_hook_the_working_tree(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n", __gitignore="hooks\n")
    repo.write("a.py", "all\n")
    assert hooked(repo, tmp_path / "out", "--all") == "[('a.py', 'all\\n', ((1, 1),))]"


def test_a_hook_in_a_linked_worktree_sees_that_worktree(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked" / "a.py").write_text("linked\n")
    assert hooked(repo, tmp_path / "out", "--all", cwd=tmp_path / "linked") == "[('a.py', 'linked\\n', ((1, 1),))]"


def test_an_unfinished_merge_is_refused_by_name(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    repo.git("checkout", "-q", "-b", "other")
    repo.commit(a__py="other\n")
    repo.git("checkout", "-q", "main")
    repo.commit(a__py="main\n")
    with pytest.raises(AssertionError):
        repo.git("merge", "other")
    for source in (STAGED, WORKTREE):
        with pytest.raises(ChangeError, match=r"unmerged files \(1\): 'a.py'") as caught:
            collect(source, repo.root)
        assert "git add" in caught.value.remedy


# ---------------------------------------------------------------- kinds of files


def test_each_kind_of_file_that_is_not_audited_is_listed_with_its_reason(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit(x__py="1\n")
    repo.commit(gone__py="1\n", mode__sh="1\n", old__py="1\n2\n3\n", edited__py="1\n2\n3\n4\n5\n6\n7\n8\n")
    (repo.root / "gone.py").unlink()
    (repo.root / "mode.sh").chmod(0o755)
    (repo.root / "old.py").rename(repo.root / "renamed.py")
    (repo.root / "edited.py").unlink()
    (repo.root / "link.py").symlink_to("/etc/passwd")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
    repo.add(
        moved__py="1\n2\n3\nfour\n5\n6\n7\n8\n",
        nul__dat=b"a\0b",
        hidden__py=b"a" * 9000 + b"\0",
        wide__txt="a".encode("utf-16"),
        pointer__bin="version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
        image__png=b"\x89PNG\xff",
        long__js="x" * 20_001,
        big__py="x = 1\n" * 200_000,
        none__py="",
        made__min__js="1\n",
    )
    for source in (STAGED, WORKTREE):
        change = collect(source, repo.root, ignore=["*.min.js"])
        assert changed(change) == {".gitmodules": ((1, 3),), "moved.py": ((4, 4),)}
        assert change.targets[1].notes == ("renamed from edited.py",)
        assert reasons(change) == {
            "gone.py": "deleted", "mode.sh": "mode only", "renamed.py": "mode only", "link.py": "symlink", "sub": "submodule",
            "nul.dat": "binary", "hidden.py": "binary", "wide.txt": "not text", "pointer.bin": "LFS pointer",
            "image.png": "binary", "long.js": "too large", "big.py": "too large", "none.py": "empty", "made.min.js": "ignored",
        }  # fmt: skip
        assert gaps(change) == {"hidden.py", "wide.txt", "long.js", "big.py"}
        details = {item.path: item.detail for item in change.skipped}
        assert details["mode.sh"] == "100644 → 100755"
        assert details["renamed.py"] == "renamed without edits from old.py"
        assert details["big.py"] == "1,200,000 bytes; the limit is 1,000,000"


NAMES = [
    b"with space.py",
    b"new\nline.py",
    b'quo"te.py',
    b"-leading.py",
    b"back\\slash.py",
    b":(glob)*.py",
    b"caf\xc3\xa9.py",
    b"tab\t.py",
]


def test_file_names_of_every_kind_are_read_and_shown(repo: Repo) -> None:
    repo.commit()
    for name in NAMES:
        repo.write(name, "1\n")
    wanted = sorted(name.decode() for name in NAMES)
    assert [target.path for target in collect(WORKTREE, repo.root).targets] == wanted
    repo.git("add", "--all")
    assert [target.path for target in collect(STAGED, repo.root).targets] == wanted
    repo.git("commit", "-q", "-m", "x")
    assert [target.path for target in collect(between("HEAD~1"), repo.root).targets] == wanted
    patch = repo.git("diff", "HEAD~1", "HEAD").encode()
    assert [target.path for target in collect(PATCH, repo.root, patch=patch).targets] == wanted
    assert [target.path for target in collect(PATHS, repo.root, paths=[str(repo.root)]).targets] == wanted


def test_a_name_that_is_not_utf8_is_shown_escaped_and_its_content_read(repo: Repo) -> None:
    repo.write(b"caf\xe9.py", "1\n")
    repo.git("add", "--all")
    for source in (STAGED, WORKTREE):
        change = collect(source, repo.root)
        assert changed(change) == {"caf\\xe9.py": ((1, 1),)}
        assert change.targets[0].path.encode("utf-8")


def test_two_names_that_read_alike_are_not_mixed_up(repo: Repo) -> None:
    repo.write(b"a\xe9.py", "1\n")
    repo.write(b"a\\xe9.py", "2\n")
    change = collect(WORKTREE, repo.root)
    assert [target.path for target in change.targets] == ["a\\xe9.py"]
    assert [(item.path, item.reason, item.is_gap) for item in change.skipped] == [("a\\xe9.py", "unreadable", True)]


@pytest.mark.parametrize(
    ("data", "lines", "note"),
    [
        (b"a\r\nb\r\n", ("a", "b"), "CRLF line ends"),
        (b"\xef\xbb\xbfa\nb", ("a", "b"), "a byte order mark before line 1 is not shown"),
        (b"caf\xe9\nb\n", ("caf\\xe9", "b"), "not UTF-8: some bytes are shown as \\x.."),
        (b"a\rb\nc\n", ("a\rb", "c"), "a lone carriage return does not end a line here"),
        ("a\x85b\u2028c\x0cd\ne\n".encode(), ("a\x85b\u2028c\x0cd", "e"), ""),
    ],
)
def test_lines_are_counted_as_git_counts_them(repo: Repo, data: bytes, lines: tuple[str, ...], note: str) -> None:
    repo.commit(a__py=data)
    (target,) = collect(PATHS, repo.root, paths=[str(repo.root / "a.py")]).targets
    assert target.lines == lines
    assert target.notes == ((note,) if note else ())
    assert target.sha256 == sha256(data).hexdigest()
    blamed = [line for line in repo.git("blame", "-s", "a.py").encode("utf-8", "surrogateescape").split(b"\n") if line]
    assert len(blamed) == len(lines)


def test_attributes_hide_nothing(repo: Repo) -> None:
    repo.commit(a__py="1\n2\n", b__dat="1\n", c__py="1\n")
    repo.write(".gitattributes", "*.py -diff\n*.dat binary\nc.py export-ignore linguist-generated -text\n")
    repo.add(a__py="1\ntwo\n", b__dat="one\n", c__py="1\n2\n")
    for source in (STAGED, WORKTREE):
        assert changed(collect(source, repo.root)) == {
            ".gitattributes": ((1, 3),), "a.py": ((2, 2),), "b.dat": ((1, 1),), "c.py": ((2, 2),),
        }  # fmt: skip


def test_lines_around_a_pure_deletion_are_changed(repo: Repo) -> None:
    repo.commit(a__py="def f():\n    check()\n    return 1\n", b__py="guard\n1\n", c__py="1\nguard\n")
    repo.add(a__py="def f():\n    return 1\n", b__py="1\n", c__py="1\n")
    assert changed(collect(STAGED, repo.root)) == {"a.py": ((1, 2),), "b.py": ((1, 1),), "c.py": ((1, 1),)}


# ---------------------------------------------------------------- histories


def test_before_the_first_commit_everything_is_new_and_there_is_no_range(repo: Repo) -> None:
    repo.add(a__py="1\n")
    repo.write("b.py", "1\n")
    assert changed(collect(STAGED, repo.root)) == {"a.py": ((1, 1),)}
    assert changed(collect(WORKTREE, repo.root)) == {"a.py": ((1, 1),), "b.py": ((1, 1),)}
    assert collect(STAGED, repo.root).source.base == ""
    with pytest.raises(ChangeError, match="no commit yet"):
        collect(between("HEAD"), repo.root)


def test_a_repository_of_sha256_names_works(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    repo = Repo(tmp_path / "r", is_new=False)
    repo.git("init", "-q", "--object-format=sha256", "--template=")
    repo.add(a__py="1\n")
    assert changed(collect(STAGED, repo.root)) == {"a.py": ((1, 1),)}
    repo.commit()
    repo.commit(a__py="1\n2\n")
    assert changed(collect(between("HEAD~1..HEAD"), repo.root)) == {"a.py": ((2, 2),)}


def test_a_range_starts_at_the_common_ancestor_with_three_dots_and_at_the_commit_with_two(repo: Repo) -> None:
    start = repo.commit(a__py="1\n", b__py="1\n")
    repo.git("checkout", "-q", "-b", "feature")
    head = repo.commit(a__py="1\n2\n")
    repo.git("checkout", "-q", "main")
    repo.commit(b__py="1\n2\n")
    three = collect(between("main...feature"), repo.root)
    assert changed(three) == {"a.py": ((2, 2),)}
    assert (three.source.base, three.source.head) == (start, head)
    assert set(changed(collect(between("main..feature"), repo.root))) == {"a.py", "b.py"}
    assert changed(collect(between("main~1"), repo.root)) == {"b.py": ((2, 2),)}
    assert changed(collect(between("main~1.."), repo.root)) == {"b.py": ((2, 2),)}


def test_a_range_does_not_depend_on_the_working_tree(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    repo.commit(a__py="1\n2\n")
    repo.write("a.py", "rubbish\n")
    assert collect(between("HEAD~1"), repo.root).targets[0].text == "1\n2\n"


def test_a_merge_commit_is_compared_with_the_parent_that_is_named(repo: Repo) -> None:
    repo.commit(a__py="1\n", b__py="1\n")
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit(a__py="1\n2\n")
    repo.git("checkout", "-q", "main")
    repo.commit(b__py="1\n2\n")
    repo.git("merge", "-q", "--no-edit", "feature")
    assert changed(collect(between("HEAD^1..HEAD"), repo.root)) == {"a.py": ((2, 2),)}
    assert changed(collect(between("HEAD^2..HEAD"), repo.root)) == {"b.py": ((2, 2),)}


def test_a_detached_head_and_a_linked_worktree_are_like_any_other(repo: Repo, tmp_path: Path) -> None:
    first = repo.commit(a__py="1\n")
    repo.commit(a__py="1\n2\n")
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), first)
    (tmp_path / "linked" / "a.py").write_text("one\n")
    change = collect(WORKTREE, tmp_path / "linked")
    assert changed(change) == {"a.py": ((1, 1),)}
    assert change.source.base == first


def test_histories_without_a_common_ancestor_are_refused_and_two_dots_work(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit(a__py="1\n2\n")
    with pytest.raises(ChangeError, match="no common ancestor") as caught:
        collect(between("main...other"), repo.root)
    assert "A..B" in caught.value.remedy
    assert changed(collect(between("main..other"), repo.root)) == {"a.py": ((2, 2),)}


def test_a_shallow_clone_without_the_ancestor_says_how_to_get_it(repo: Repo, tmp_path: Path) -> None:
    start = repo.commit(a__py="1\n")
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit(a__py="1\n2\n")
    repo.git("checkout", "-q", "main")
    repo.commit(b__py="1\n")
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", repo.root.as_uri(), str(tmp_path / "shallow"))
    with pytest.raises(ChangeError, match="shallow") as caught:
        collect(between("origin/main...origin/feature"), tmp_path / "shallow")
    assert "fetch-depth: 0" in caught.value.remedy
    with pytest.raises(ChangeError, match="not a commit") as caught:
        collect(between(start), tmp_path / "shallow")
    assert "--unshallow" in caught.value.remedy


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "-h", "HEAD:a.py", "nul\n", "caf\udce9", "@{upstream}"])
def test_a_ref_that_is_none_is_refused_by_name(repo: Repo, ref: str) -> None:
    repo.commit(a__py="1\n")
    for spec in (ref, f"{ref}..HEAD", f"HEAD...{ref}"):
        with pytest.raises(ChangeError) as caught:
            collect(between(spec), repo.root)
        assert repr(ref) in caught.value.message
        assert ("begins with a dash" in caught.value.message) == ref.startswith("-")
        assert caught.value.message.encode()
        assert caught.value.remedy
    assert not (repo.root / "x").exists()


@pytest.mark.parametrize("spec", ["", "..", "..."])
def test_a_range_without_ends_is_refused(repo: Repo, spec: str) -> None:
    repo.commit()
    with pytest.raises(ChangeError, match="not a range"):
        collect(between(spec), repo.root)


# ---------------------------------------------------------------- paths


def test_paths_are_whole_files_named_from_the_current_folder(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("src/a.py", "1\n2\n")
    repo.write("src/inner/b.py", "1\n")
    repo.write("c.py", "1\n")
    monkeypatch.chdir(repo.root / "src")
    assert changed(collect(PATHS, repo.root, paths=["a.py"])) == {"src/a.py": ((1, 2),)}
    assert set(changed(collect(PATHS, repo.root, paths=["."]))) == {"src/a.py", "src/inner/b.py"}
    assert set(changed(collect(PATHS, repo.root, paths=["../c.py", "inner"]))) == {"c.py", "src/inner/b.py"}


def test_a_folder_in_git_is_what_git_knows_and_a_named_file_is_audited_even_when_ignored(repo: Repo) -> None:
    repo.commit(__gitignore="build\n", a__py="1\n", gone__py="1\n")
    (repo.root / "gone.py").unlink()
    repo.write("build/made.py", "1\n")
    repo.write("new.py", "1\n")
    assert set(changed(collect(PATHS, repo.root, paths=[str(repo.root)]))) == {".gitignore", "a.py", "new.py"}
    assert set(changed(collect(PATHS, repo.root, paths=[str(repo.root / "build" / "made.py")]))) == {"build/made.py"}
    assert reasons(collect(PATHS, repo.root, paths=[str(repo.root / "build")])) == {"build": "empty"}


def test_a_folder_without_git_is_walked_without_hidden_folders_and_links(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    for name in ("a.py", "inner/b.py", ".hidden/c.py", ".env"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("1\n")
    (root / "loop").symlink_to(root)
    (root / "out.py").symlink_to("/etc/passwd")
    change = collect(PATHS, root, paths=[str(root)])
    assert set(changed(change)) == {"a.py", "inner/b.py", ".env"}
    assert reasons(change) == {"loop": "symlink", "out.py": "symlink"}


def test_paths_that_are_not_there_or_outside_are_refused(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n")
    (tmp_path / "outside.py").write_text("1\n")
    with pytest.raises(ChangeError, match=r"'b\.py' does not exist"):
        collect(PATHS, repo.root, paths=[str(repo.root / "b.py")])
    with pytest.raises(ChangeError, match="lies outside"):
        collect(PATHS, repo.root, paths=[str(tmp_path / "outside.py")])
    with pytest.raises(ChangeError, match="no path"):
        collect(PATHS, repo.root)


def test_paths_narrow_the_other_sources(repo: Repo) -> None:
    repo.commit(a__py="1\n", b__py="1\n", gone__py="1\n")
    repo.write("src/c.py", "1\n")
    (repo.root / "gone.py").unlink()
    repo.add(a__py="2\n", b__py="2\n")
    assert set(changed(collect(STAGED, repo.root, paths=[str(repo.root / "a.py"), str(repo.root / "src")]))) == {
        "a.py",
        "src/c.py",
    }
    assert reasons(collect(STAGED, repo.root, paths=[str(repo.root / "gone.py")])) == {"gone.py": "deleted"}
    with pytest.raises(ChangeError, match="does not exist"):
        collect(STAGED, repo.root, paths=[str(repo.root / "typo.py")])


def test_a_link_named_by_the_user_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("1\n")
    (repo.root / "link.py").symlink_to(tmp_path / "secret.py")
    assert reasons(collect(PATHS, repo.root, paths=[str(repo.root / "link.py")])) == {"link.py": "symlink"}


def test_a_root_reached_through_a_link_is_the_same_root(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("a.py", "1\n")
    (tmp_path / "alias").symlink_to(repo.root)
    monkeypatch.chdir(tmp_path / "alias")
    assert changed(collect(PATHS, tmp_path / "alias", paths=["a.py"])) == {"a.py": ((1, 1),)}
    assert changed(collect(WORKTREE, tmp_path / "alias")) == {"a.py": ((1, 1),)}


def test_a_pipe_is_listed_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    change = collect(PATHS, tmp_path, paths=[str(tmp_path / "pipe")])
    assert [(item.path, item.reason, item.is_gap) for item in change.skipped] == [("pipe", "unreadable", True)]


# ---------------------------------------------------------------- patch


def series(repo: Repo) -> bytes:
    """Two commits that touch one file twice, as mails; the repository stands on the second."""
    repo.commit(a__py="".join(f"line {n}\n" for n in range(1, 31)), b__py="1\n")
    repo.commit("first", a__py="".join(f"line {n}\n" for n in range(1, 31)).replace("line 3\n", "line 3\nnew 3\n"))
    repo.commit("second", a__py=(repo.root / "a.py").read_text().replace("line 20\n", "line twenty\n"), c__py="1\n")
    return repo.git("format-patch", "--stdout", "HEAD~2").encode() + b"\n"


def test_a_patch_is_completed_from_the_file_after_it_or_before_it(repo: Repo) -> None:
    patch = series(repo)
    after = collect(PATCH, repo.root, patch=patch)
    assert changed(after) == {"a.py": ((4, 4), (21, 21)), "c.py": ((1, 1),)}
    repo.git("checkout", "-q", "HEAD~2")
    before = collect(PATCH, repo.root, patch=patch)
    assert before.targets == after.targets


def test_a_patch_alone_shows_its_hunks_at_their_true_lines(repo: Repo, tmp_path: Path) -> None:
    patch = series(repo)
    whole = collect(PATCH, repo.root, patch=patch).targets[0]
    target = collect(PATCH, tmp_path / "home", patch=patch).targets[0]
    assert HUNKS_ONLY in target.notes
    assert target.changed == whole.changed
    shown = {number: line for number, line in enumerate(target.lines, 1) if line}
    assert shown == {number: whole.lines[number - 1] for number in shown}
    assert {1, 4, 18, 21, 24} <= shown.keys()
    assert not {8, 17, 26} & shown.keys()


def test_a_patch_does_not_open_what_is_outside_or_a_link(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("1\n2\n")
    (repo.root / "link.py").symlink_to(tmp_path / "secret.py")
    patch = b"--- a/link.py\n+++ b/link.py\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n"
    assert collect(PATCH, repo.root, patch=patch).targets[0].notes == (HUNKS_ONLY,)
    for name in (b"../secret.py", b"/etc/passwd", b"a/../../x"):
        with pytest.raises(ChangeError, match=r"patch line 1 .*outside the root"):
            collect(PATCH, repo.root, patch=b"--- %b\n+++ %b\n@@ -1 +1 @@\n-1\n+2\n" % (name, name))


def test_kinds_of_files_in_a_patch(repo: Repo, tmp_path: Path) -> None:
    repo.commit(gone__py="1\n", mode__sh="1\n", old__py="1\n2\n3\n", image__dat=b"\0")
    (repo.root / "gone.py").unlink()
    (repo.root / "mode.sh").chmod(0o755)
    (repo.root / "old.py").rename(repo.root / "moved.py")
    (repo.root / "link").symlink_to("a")
    repo.add(image__dat=b"\0\1", none__py="", new__py="1")
    for options in ((), ("--binary",), ("--no-prefix",)):
        patch = repo.git("diff", "--cached", "-M", *options).encode() + b"\n"
        for root in (repo.root, tmp_path / "home"):
            change = collect(PATCH, root, patch=patch)
            assert changed(change) == {"new.py": ((1, 1),)}
            assert change.targets[0].text == "1"
            assert reasons(change) == {
                "gone.py": "deleted", "mode.sh": "mode only", "moved.py": "mode only", "link": "symlink", "image.dat": "binary",
                "none.py": "empty",
            }  # fmt: skip


def test_a_patch_of_a_file_that_is_too_long_is_a_gap(tmp_path: Path) -> None:
    patch = b"--- a/a.py\n+++ b/a.py\n@@ -1000000000 +1000000000 @@\n-1\n+2\n"
    change = collect(PATCH, tmp_path, patch=patch)
    assert reasons(change) == {"a.py": "too large"}
    assert gaps(change) == {"a.py"}


def test_an_empty_patch_is_an_empty_change(tmp_path: Path) -> None:
    assert collect(PATCH, tmp_path, patch=b"\n") == Change(PATCH, (), ())
