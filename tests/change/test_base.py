"""Files of the revision a change starts from, out of git's store: whatever the checkout holds, however names are spelled."""

from pathlib import Path

import pytest
from support.git import Repo

from venire.change import Repository, base_of, copy_out
from venire.errors import ChangeError
from venire.model import Source


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.write("checks/a.yml", "a: 1\n")
    made.write("checks/b.yaml", "b: 1\n")
    made.write("checks/notes.md", "text\n")
    made.write("checks/deep/c.yml", "c: 1\n")
    made.write(".venire/decisions.yml", "version: 1\n")
    made.write(":(glob)*", "odd: 1\n")
    made.commit("first", venire__yml="runs: 1\n")
    return made


def copied(repo: Repo, folder: Path, *paths: str, commit: str = "") -> dict[str, str]:
    copy_out(repo.root, commit or repo.git("rev-parse", "HEAD"), list(paths), folder)
    return {file.relative_to(folder).as_posix(): file.read_text() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_files_are_copied_from_the_commit_and_not_from_the_checkout(repo: Repo, tmp_path: Path) -> None:
    repo.write("venire.yml", "runs: 9\n")
    repo.git("rm", "-rq", "--cached", "checks")
    assert copied(repo, tmp_path / "out", "venire.yml", ".venire/decisions.yml", "missing.yml") == {
        "venire.yml": "runs: 1\n",
        ".venire/decisions.yml": "version: 1\n",
    }


def test_a_folder_gives_its_own_criteria_files_and_no_others(repo: Repo, tmp_path: Path) -> None:
    assert sorted(copied(repo, tmp_path / "out", "checks")) == ["checks/a.yml", "checks/b.yaml"]


def test_a_name_that_git_could_take_for_a_pattern_is_a_name(repo: Repo, tmp_path: Path) -> None:
    assert copied(repo, tmp_path / "out", ":(glob)*") == {":(glob)*": "odd: 1\n"}


@pytest.mark.parametrize("place", ["venire.yml", "checks/link.yml"])
def test_a_link_in_the_base_revision_is_refused_and_not_followed(repo: Repo, tmp_path: Path, place: str) -> None:
    (repo.root / place).unlink(missing_ok=True)
    (repo.root / place).symlink_to("/etc/passwd")
    repo.commit("link")
    with pytest.raises(ChangeError, match=f"{place} of .* is no plain file"):
        copied(repo, tmp_path / "out", "venire.yml", "checks")


def test_an_oversized_file_is_refused(repo: Repo, tmp_path: Path) -> None:
    repo.commit("large", venire__yml="# " + "x" * 1_000_001)
    with pytest.raises(ChangeError, match=r"venire.yml of .* cannot be read: too large"):
        copied(repo, tmp_path / "out", "venire.yml")


def test_the_base_of_a_range_is_its_left_end_as_it_stands(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "change")
    change = repo.commit("second", a__py="x = 1\n")
    repo.git("checkout", "-q", "main")
    newer = repo.commit("newer", b__py="x = 1\n")
    assert base_of(Source("range", "main...change"), repo.root) == newer
    assert base_of(Source("range", f"{first}..change"), repo.root) == first
    assert base_of(Source("range", "..change"), repo.root) == newer
    assert base_of(Source("staged"), repo.root) == newer
    assert base_of(Source("worktree", base=change), repo.root) == change
    assert base_of(Source("paths"), repo.root) == base_of(Source("patch"), repo.root) == ""


def test_a_recorded_range_whose_branch_is_gone_counts_from_the_recorded_commit(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    assert base_of(Source("range", "gone...change", base=first), repo.root) == first
    with pytest.raises(ChangeError, match="'gone' is not a commit"):
        base_of(Source("range", "gone...change"), repo.root)
    with pytest.raises(ChangeError, match="begins with a dash"):
        base_of(Source("range", "--output=x...change"), repo.root)


def test_before_the_first_commit_there_is_no_base(tmp_path: Path) -> None:
    assert base_of(Source("staged"), Repo(tmp_path / "new").root) == ""


def test_git_s_user_is_asked_for_in_the_users_own_configuration(repo: Repo) -> None:
    assert Repository.open(repo.root).user_name() == ""
    repo.git("config", "user.name", "Jürgen  B.")
    assert Repository.open(repo.root).user_name() == "Jürgen  B."
