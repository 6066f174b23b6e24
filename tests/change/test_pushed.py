"""What a push sends, from git's lines or from what the remote is known to have."""

from pathlib import Path

import pytest
from support.git import Repo

from venire.change.git import Glance
from venire.change.pushed import Push, pushed, ranged
from venire.errors import ChangeError

ZERO = "0" * 40


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("one", app__py="a = 1\n")
    return made


def ends(repo: Repo, **push: str) -> list[tuple[str, str]]:
    return [(source.base, source.head) for source in pushed(Glance.open(repo.root), Push(**push))]


def line(local: str, name: str, there: str = ZERO) -> str:
    return f"{local} {name} refs/heads/x {there}\n"


def test_a_branch_the_remote_has_is_compared_with_what_it_has(repo: Repo) -> None:
    one, two = repo.git("rev-parse", "HEAD"), repo.commit("two", app__py="a = 2\n")
    assert ends(repo, remote="origin", lines=line("refs/heads/main", two, one)) == [(one, two)]


def test_a_rewritten_branch_is_compared_with_what_both_have(repo: Repo) -> None:
    one, old = repo.git("rev-parse", "HEAD"), repo.commit("old", app__py="a = 2\n")
    repo.git("reset", "-q", "--hard", one)
    new = repo.commit("new", app__py="a = 3\n")
    assert ends(repo, remote="origin", lines=line("refs/heads/main", new, old)) == [(one, new)]


def test_a_new_branch_is_compared_with_the_best_of_all_that_the_remote_has(repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    two = repo.commit("two", app__py="a = 2\n")
    repo.git("update-ref", "refs/remotes/origin/dev", two)
    three = repo.commit("three", app__py="a = 3\n")
    assert ends(repo, remote="origin", lines=line("refs/heads/new", three)) == [(two, three)]


def test_what_the_remote_has_and_this_clone_does_not_is_compared_as_a_new_branch(repo: Repo) -> None:
    one = repo.git("rev-parse", "HEAD")
    repo.git("update-ref", "refs/remotes/origin/main", one)
    two = repo.commit("two", app__py="a = 2\n")
    assert ends(repo, remote="origin", lines=line("refs/heads/main", two, "ab" * 20)) == [(one, two)]


def test_a_first_push_sends_everything_with_the_root_commit(repo: Repo) -> None:
    repository = Glance.open(repo.root)
    head = repo.git("rev-parse", "HEAD")
    assert ends(repo, remote="origin", lines=line("refs/heads/main", head)) == [(repository.empty_tree, head)]
    assert ends(repo, remote="origin") == [(repository.empty_tree, head)]


def test_every_ref_of_a_push_has_its_range_once_and_deleted_ones_none(repo: Repo) -> None:
    one, two = repo.git("rev-parse", "HEAD"), repo.commit("two", app__py="a = 2\n")
    repo.git("tag", "-a", "-m", "a tag", "v1")
    tag = repo.git("rev-parse", "v1")
    blob = repo.git("rev-parse", "HEAD:app.py")
    assert tag != two
    lines = (
        line("refs/heads/a", two, one) + line("refs/tags/v1", tag, one) + line("(delete)", ZERO, one) + line("refs/tags/b", blob)
        + line(":/a message with words", two, one)
    )  # fmt: skip
    assert ends(repo, remote="origin", lines=lines) == [(one, two)]
    assert ends(repo, remote="origin", lines=line("(delete)", ZERO, one)) == []


@pytest.mark.parametrize(
    "text", ["refs/heads/main", "a b c d\n", "--output=x 1 2 3\n", "x\0y z w v\n", f"a {ZERO[1:]} b {ZERO}\n"]
)
def test_lines_that_git_never_wrote_are_refused(repo: Repo, text: str) -> None:
    with pytest.raises(ChangeError, match="no line of a pre-push hook"):
        ends(repo, remote="origin", lines=text)


def test_without_lines_the_upstream_comes_before_the_remote_s_branches(repo: Repo) -> None:
    repo.git("remote", "add", "origin", "nowhere")
    repo.git("update-ref", "refs/remotes/origin/up", "HEAD")
    one, two = repo.git("rev-parse", "HEAD"), repo.commit("two", app__py="a = 2\n")
    repo.git("update-ref", "refs/remotes/origin/other", two)
    three = repo.commit("three", app__py="a = 3\n")
    assert ends(repo) == [(two, three)]
    repo.git("branch", "--set-upstream-to", "origin/up")
    assert ends(repo) == [(one, three)]


def test_nothing_to_compare_with_is_said(repo: Repo) -> None:
    with pytest.raises(ChangeError, match="nothing to compare") as raised:
        ends(repo)
    assert "venire audit --diff" in raised.value.remedy


def test_a_shallow_clone_says_that_it_needs_history(repo: Repo, tmp_path: Path) -> None:
    for number in range(3):
        repo.commit(f"{number}", app__py=f"a = {number}\n")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow", is_new=False)
    shallow.git("update-ref", "-d", "refs/remotes/origin/main")
    shallow.git("update-ref", "-d", "refs/remotes/origin/HEAD")
    with pytest.raises(ChangeError, match="shallow"):
        ends(shallow, remote="other")


def test_refs_without_a_common_ancestor_are_compared_as_they_are(repo: Repo) -> None:
    one = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "--orphan", "alone")
    two = repo.commit("alone", app__py="b = 1\n")
    source = ranged(Glance.open(repo.root), one, two)
    assert (source.base, source.head, source.spec) == (one, two, f"{one[:12]}..{two[:12]}")


def test_many_branches_of_a_remote_fit_on_a_command_line(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("venire.change.git.COMMITS", 2)
    for number in range(7):
        commit = repo.commit(f"{number}", app__py=f"a = {number}\n")
        repo.git("update-ref", f"refs/remotes/origin/{(number * 3) % 7}", commit)
    head = repo.commit("last", app__py="a = 9\n")
    assert ends(repo, remote="origin") == [(commit, head)]
