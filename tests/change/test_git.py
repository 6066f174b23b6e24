"""What a repository says of itself runs nothing, hides nothing, and a git that cannot answer is a clear error."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from support.git import Repo

from venire.change import collect
from venire.change.git import Repository
from venire.errors import ChangeError
from venire.model import Source

SOURCES = [Source("worktree"), Source("staged"), Source("range", "HEAD~1...HEAD"), Source("paths")]


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "marker"


@pytest.fixture
def trap(repo: Repo, marker: Path) -> str:
    """A program that leaves a marker file when it runs."""
    path = repo.write(".git/trap", f'#!/bin/sh\necho "$0 $*" >> "{marker}"\nexit 1\n')
    path.chmod(0o755)
    return str(path)


HOSTILE = """
[core]
    fsmonitor = TRAP
    pager = TRAP
    sshCommand = TRAP
    editor = TRAP
    hooksPath = .git/evil
    untrackedCache = true
    quotePath = false
[diff]
    external = TRAP
    noprefix = true
    mnemonicPrefix = true
    renames = copies
    ignoreSubmodules = all
    suppressBlankEmpty = true
[diff "evil"]
    textconv = TRAP
    command = TRAP
[filter "evil"]
    clean = TRAP
    smudge = TRAP
    required = true
[filter "ev=il"]
    clean = TRAP
[filter "process"]
    process = TRAP
[alias]
    rev-parse = !TRAP
    diff-index = !TRAP
[color]
    ui = always
    diff = always
[gpg]
    program = TRAP
[credential]
    helper = !TRAP
[uploadpack]
    packObjectsHook = TRAP
[remote "origin"]
    uploadpack = TRAP
"""


def hostile(repo: Repo, trap: str) -> None:
    """Every way a repository's own configuration can name a program, and attributes that use them."""
    with (repo.root / ".git" / "config").open("a") as config:
        config.write(HOSTILE.replace("TRAP", trap))
    repo.write(".git/info/attributes", "a.py filter=evil diff=evil\nb.py filter=ev=il -diff\nc.py filter=process\n")
    for hook in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        path = repo.write(f".git/evil/{hook}", Path(trap).read_bytes())
        path.chmod(0o755)
        shutil.copy(path, repo.write(f".git/hooks/{hook}", ""))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.mode)
def test_no_program_that_the_repository_names_runs(repo: Repo, trap: str, marker: Path, source: Source) -> None:
    repo.commit(a__py="1\n", b__py="1\n", c__py="1\n")
    repo.commit(a__py="1\n2\n", b__py="1\n2\n", c__py="1\n2\n")
    repo.add(a__py="one\n2\n", b__py="one\n2\n")
    repo.write("a.py", "one\ntwo\n")
    hostile(repo, trap)
    # an index older than its files makes git compare by content, which is when a clean filter would run
    os.utime(repo.root / ".git" / "index", (1, 1))
    change = collect(source, repo.root, paths=[str(repo.root)])
    assert {"a.py", "b.py"} <= {target.path for target in change.targets}
    assert not marker.exists(), marker.read_text()


def test_the_traps_do_catch_an_ordinary_git(repo: Repo, trap: str, marker: Path) -> None:
    repo.commit(a__py="1\n")
    hostile(repo, trap)
    subprocess.run(["git", "status"], cwd=repo.root, capture_output=True, check=False)
    assert marker.exists()


def test_settings_of_a_repository_change_no_result(repo: Repo, trap: str) -> None:
    repo.commit(a__py="1\n2\n", b__py="x\n")
    repo.commit(a__py="1\ntwo\n", c__py="1\n2\n")
    plain = collect(SOURCES[2], repo.root)
    hostile(repo, trap)
    assert collect(SOURCES[2], repo.root) == plain


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_EXTERNAL_DIFF", "{trap}"),
        ("GIT_CONFIG_PARAMETERS", "'core.fsmonitor'='{trap}'"),
        ("GIT_CONFIG_PARAMETERS", "'core.fileMode'='false'"),
        ("GIT_DIFF_OPTS", "-u9"),
        ("GIT_GLOB_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_PAGER", "{trap}"),
        ("GIT_WORK_TREE", "."),
    ],
)
def test_inherited_variables_run_nothing_and_change_nothing(
    repo: Repo, trap: str, marker: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    repo.commit(a__py="1\n", mode__sh="1\n")
    repo.add(a__py="1\n2\n")
    repo.write("*/a.py", "1\n")
    (repo.root / "mode.sh").chmod(0o755)
    monkeypatch.setenv(name, value.format(trap=trap))
    monkeypatch.chdir(repo.root)
    assert [target.changed for target in collect(Source("staged"), repo.root, paths=["a.py"]).targets] == [((2, 2),)]
    assert [item.path for item in collect(Source("worktree"), repo.root).skipped] == ["mode.sh"]
    assert [target.path for target in collect(Source("paths"), repo.root, paths=["*"]).targets] == ["*/a.py"]
    assert not marker.exists()


def test_inherited_settings_given_by_number_run_nothing(
    repo: Repo, trap: str, marker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(a__py="1\n")
    settings = {"COUNT": "2", "KEY_0": "core.fsmonitor", "VALUE_0": trap, "KEY_1": "core.excludesFile", "VALUE_1": trap}
    for name, value in settings.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    for source in SOURCES[:2]:
        collect(source, repo.root)
    assert not marker.exists()


def test_replaced_objects_and_grafts_do_not_stand_in_for_the_true_ones(repo: Repo) -> None:
    first = repo.commit(a__py="1\n")
    second = repo.commit(a__py="evil\n")
    innocent = repo.git("hash-object", "-w", "--stdin", stdin=b"innocent\n")
    repo.git("replace", repo.git("rev-parse", "HEAD:a.py"), innocent)
    repo.write(".git/info/grafts", f"{second}\n")
    change = collect(Source("range", "HEAD~1...HEAD"), repo.root)
    assert [target.text for target in change.targets] == ["evil\n"]
    assert change.source.base == first


def test_a_submodules_own_configuration_is_not_used(repo: Repo, tmp_path: Path, trap: str, marker: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.commit(x__py="1\n")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub")
    repo.commit()
    sub = Repo(repo.root / "sub", is_new=False)
    sub.git("config", "core.fsmonitor", trap)
    sub.write("x.py", "3\n")
    assert collect(Source("worktree"), repo.root).skipped == ()
    assert not marker.exists()
    sub.git("config", "--unset", "core.fsmonitor")
    sub.commit()
    sub.git("config", "core.fsmonitor", trap)
    assert [(item.path, item.reason) for item in collect(Source("worktree"), repo.root).skipped] == [("sub", "submodule")]
    assert not marker.exists()


def test_the_repository_is_left_as_it_was(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    repo.commit(b__py="1\n")
    repo.write("a.py", "1\n2\n")
    os.utime(repo.root / "b.py", (1, 1))

    def files() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in repo.root.rglob("*") if path.is_file()}

    before = files()
    for source in SOURCES:
        collect(source, repo.root, paths=[str(repo.root)])
    assert files() == before


# ---------------------------------------------------------------- refusals


def test_a_folder_that_is_no_repository_is_refused_with_what_would_help(tmp_path: Path) -> None:
    for source in SOURCES[:3]:
        with pytest.raises(ChangeError, match="is not a git repository") as caught:
            collect(source, tmp_path)
        assert "venire audit PATH" in caught.value.remedy


def test_a_broken_repository_does_not_stand_for_the_one_around_it(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    (repo.root / "inner" / ".git").mkdir(parents=True)
    with pytest.raises(ChangeError, match="top of its repository"):
        Repository.open(repo.root / "inner")


def test_a_repository_of_another_user_is_refused_until_the_user_trusts_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(a__py="1\n")
    repo.add(a__py="2\n")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(ChangeError, match="belongs to another user") as caught:
        collect(Source("staged"), repo.root)
    assert f"safe.directory {repo.root}" in caught.value.remedy
    (tmp_path / "home" / ".gitconfig").write_text(f"[safe]\n\tdirectory = {repo.root}\n")
    assert len(collect(Source("staged"), repo.root).targets) == 1


def test_an_inherited_git_dir_of_another_repository_is_refused(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(a__py="1\n")
    other = Repo(tmp_path / "other")
    other.commit(secret__py="1\n")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    with pytest.raises(ChangeError, match="top of its repository") as caught:
        collect(Source("staged"), repo.root)
    assert "GIT_DIR" in caught.value.remedy
    monkeypatch.setenv("GIT_DIR", str(repo.root / ".git"))
    assert collect(Source("staged"), repo.root).targets == ()


def test_a_work_tree_set_elsewhere_by_the_repository_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n")
    repo.git("config", "core.worktree", str(tmp_path / "home"))
    with pytest.raises(ChangeError, match="top of its repository"):
        collect(Source("worktree"), repo.root)


def test_an_object_that_is_missing_is_a_gap(repo: Repo) -> None:
    repo.commit(a__py="1\n")
    repo.add(a__py="2\n", b__py="1\n2\n")
    name = repo.git("rev-parse", ":b.py")
    (repo.root / ".git" / "objects" / name[:2] / name[2:]).unlink()
    change = collect(Source("staged"), repo.root)
    assert [target.path for target in change.targets] == ["a.py"]
    assert [(item.path, item.reason, item.is_gap) for item in change.skipped] == [("b.py", "unreadable", True)]


def test_a_blob_left_out_of_a_partial_clone_is_not_fetched(repo: Repo, tmp_path: Path, trap: str, marker: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit(a__py="1\n")
    repo.commit(a__py="2\n")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", repo.root.as_uri(), str(clone))
    Repo(clone, is_new=False).git("config", "remote.origin.uploadpack", trap)
    with suppress(ChangeError):  # git may stop, or say that the object is missing: it depends on its version
        change = collect(Source("range", "HEAD~1"), clone)
        assert [item.reason for item in change.skipped] == ["unreadable"]
    assert not marker.exists()


def test_without_git_the_error_says_so(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n")
    program = (
        "from pathlib import Path\nfrom venire.change import collect\n"
        "from venire.errors import ChangeError\nfrom venire.model import Source\n"
        f"root = Path({str(repo.root)!r})\n"
        "try: collect(Source('staged'), root)\nexcept ChangeError as error: print(error.message, '|', error.remedy)\n"
        "print(len(collect(Source('paths'), root, paths=[str(root / 'a.py')]).targets))\n"
    )
    for settings in ({}, {"GIT_PYTHON_REFRESH": "quiet"}):
        done = subprocess.run(
            [sys.executable, "-c", program], env={"PATH": str(tmp_path), **settings}, capture_output=True, text=True, check=True
        )
        assert "git cannot be" in done.stdout
        assert "install git" in done.stdout
        assert done.stdout.endswith("\n1\n")


def test_importing_the_folder_loads_neither_git_nor_other_heavy_parts() -> None:
    heavy = ("git", "unidiff", "identify", "pathspec", "pydantic")
    program = f"import sys, venire.change; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
