"""An outline stands for a change without reading it, and git is asked by it as safely as by everything else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.git import Repo

from venire.change import Push, between, collect, sent, staged
from venire.errors import ChangeError
from venire.model import Source


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("one", app__py="a = 1\n")
    return made


def test_equal_changes_have_equal_digests_whatever_the_commits_are_called(repo: Repo) -> None:
    repo.add(app__py="a = 2\n", other__py="b = 1\n")
    before = staged(repo.root).digest
    repo.commit("two")
    assert between(repo.root, "HEAD~1", "HEAD").digest == before != ""
    assert staged(repo.root).digest == ""


@pytest.mark.parametrize("change", ["content", "mode", "name", "base"])
def test_any_difference_gives_another_digest(repo: Repo, change: str) -> None:
    repo.add(app__py="a = 2\n")
    before = staged(repo.root).digest
    match change:
        case "content":
            repo.add(app__py="a = 3\n")
        case "mode":
            repo.git("update-index", "--chmod=+x", "app.py")
        case "name":
            repo.git("mv", "app.py", "apq.py")
        case "base":
            repo.git("update-index", "--cacheinfo", f"100644,{repo.git('rev-parse', 'HEAD:app.py')},app.py")
            repo.commit("other", app__py="a = 1  # one\n")
            repo.add(app__py="a = 2\n")
    assert staged(repo.root).digest not in ("", before)


def test_a_push_that_has_nothing_new_has_an_empty_digest(repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    (outline,) = sent(repo.root, Push("origin"))
    assert outline.digest == ""


def test_a_source_with_both_ends_is_collected_as_it_is(repo: Repo) -> None:
    (outline,) = sent(repo.root, Push("origin"))
    change = collect(outline.source, repo.root)
    assert (change.source, [target.path for target in change.targets]) == (outline.source, ["app.py"])


def test_unmerged_files_and_another_repository_s_git_dir_are_refused(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", app__py="a = 2\n")
    repo.git("checkout", "-q", "main")
    repo.commit("main", app__py="a = 3\n")
    repo.git("read-tree", "-m", "main~1", "main", "side")
    with pytest.raises(ChangeError, match="unmerged"):
        staged(repo.root)
    other = Repo(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    with pytest.raises(ChangeError, match="does not take"):
        staged(repo.root)


def test_no_program_that_a_repository_names_is_run(repo: Repo, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    program = repo.write("evil.sh", f"#!/bin/sh\ntouch {marker}\ncat\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "diff.external", "filter.x.clean", "filter.x.smudge", "core.pager", "diff.x.textconv"):
        repo.git("config", key, str(program))
    repo.write(".gitattributes", "* filter=x diff=x\n")
    repo.write(".git/hooks/post-index-change", program.read_bytes()).chmod(0o755)
    repo.git("-c", "filter.x.clean=cat", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "--all")
    marker.unlink(missing_ok=True)
    assert staged(repo.root).digest
    assert sent(repo.root, Push("origin"))
    assert not marker.exists()


def test_gitpython_is_not_imported_for_an_outline(repo: Repo) -> None:
    asked = f"staged(Path({str(repo.root)!r}))"
    code = f"import sys; from pathlib import Path; from venire.change import staged; {asked}; print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=dict(os.environ), capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_a_machine_without_git_is_told(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "env").symlink_to("/usr/bin/env")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(ChangeError, match="git cannot be started"):
        staged(repo.root)


def test_staged_sources_carry_their_base(repo: Repo) -> None:
    repo.add(app__py="a = 2\n")
    assert staged(repo.root).source == Source("staged", base=repo.git("rev-parse", "HEAD"))
