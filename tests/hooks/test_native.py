"""The example files for git itself, lefthook and husky, run by the real tools in a throwaway repository.

husky comes from npm: where npm or its registry is not to be had, its files are run by the very command line that it uses.
"""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from support.changes import CODE, finds, gone
from support.git import Repo
from support.hosts import BIN, HOOKS, Host, Outcome, call

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "hooks"
HUSKY = "husky@9.1.7"


def by_git(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", os.fspath(EXAMPLES / "native"))


def by_copy(repo: Repo) -> None:
    for name in ("pre-commit", "pre-push"):
        (repo.root / ".git" / "hooks").mkdir(exist_ok=True)
        shutil.copy2(EXAMPLES / "native" / name, repo.root / ".git" / "hooks" / name)


def by_lefthook(repo: Repo) -> None:
    shutil.copy(EXAMPLES / "lefthook.example.yml", repo.root / "lefthook.yml")
    done = call([str(BIN / "lefthook"), "install"], repo, {})
    assert done.code == 0, done.out


def by_husky(repo: Repo) -> None:
    """husky's own program sets core.hooksPath; without it two files that call ours as husky's do."""
    shutil.copytree(EXAMPLES / "husky", repo.root / ".husky")
    (repo.root / "package.json").write_text("{}\n")
    words = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--silent", HUSKY]
    is_real = shutil.which("npm") and subprocess.run(words, cwd=repo.root, capture_output=True, timeout=200).returncode == 0
    if is_real:
        done = call(["node", "node_modules/husky/bin.js"], repo, {})
        assert done.code == 0, done.out
        assert repo.git("config", "core.hooksPath") == ".husky/_"
        return
    print("husky is not to be had here: its files are run as it runs them")
    for name in ("pre-commit", "pre-push"):
        hook = repo.write(f".git/hooks/{name}", f'#!/bin/sh\nsh -e ".husky/{name}" "$@"\n')
        hook.chmod(0o755)


WAYS: dict[str, Callable[[Repo], None]] = {"git": by_git, "a copy": by_copy, "lefthook": by_lefthook, "husky": by_husky}


@pytest.mark.parametrize("way", WAYS)
def test_a_commit_and_pushes_are_audited(way: str, repo: Repo, tmp_path: Path) -> None:
    WAYS[way](repo)
    (repo.root / ".git" / "info").mkdir(exist_ok=True)
    (repo.root / ".git" / "info" / "exclude").write_text("node_modules\npackage*.json\n.husky\nlefthook.yml\n")
    env = finds(tmp_path)

    def git(*words: str) -> Outcome:
        done = call(["git", *words], repo, env)
        assert done.code == 0, done.out
        return done

    repo.add(app__py=CODE)
    assert "app.py:6" in git("commit", "-m", "second").out
    first = git("push", "origin", "main").out
    assert "app.py:6" in first
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("third", other__py=CODE)
    repo.git("tag", "-a", "-m", "a tag", "v1")
    second = git("push", "origin", "feature", "v1").out
    assert "other.py:6" in second
    assert "app.py" not in second
    repo.git("commit", "-q", "--amend", "-m", "third again", "--no-verify")
    git("push", "-f", "origin", "feature")
    assert "sends no commits" in git("push", "origin", "--delete", "feature").out


@pytest.mark.parametrize("name", ["pre-commit", "pre-push"])
def test_without_venire_the_native_hooks_say_so(name: str, repo: Repo, tmp_path: Path) -> None:
    hook = EXAMPLES / "native" / name
    for policy, code in (("warn", 0), ("fail", 1), ("", 0)):
        env = {"PATH": str(tmp_path), "VENIRE_ON_UNAVAILABLE": policy}
        done = subprocess.run(["/bin/sh", str(hook), "origin", "url"], env=env, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (code, "")
        assert "NOTHING WAS AUDITED" in done.stderr


def test_no_model_and_a_policy_of_failing_stops_the_push(repo: Repo, tmp_path: Path) -> None:
    by_git(repo)
    repo.commit("second", app__py=CODE)
    stopped = call(["git", "push", "origin", "main"], repo, {**gone(tmp_path), "VENIRE_ON_UNAVAILABLE": "fail"})
    assert stopped.code != 0
    assert "nothing" in stopped.out.lower() or "the machine is off" in stopped.out
    bare = Repo(repo.root.parent / "bare.git", is_new=False)
    assert bare.git("for-each-ref") == ""
    assert call(["git", "push", "origin", "main"], repo, gone(tmp_path)).code == 0


def test_a_linked_worktree_audits_its_own_index(repo: Repo, tmp_path: Path) -> None:
    by_git(repo)
    repo.add(app__py="staged = 'in the first'\n")
    repo.git("worktree", "add", "-q", os.fspath(tmp_path / "linked"), "-b", "linked", "HEAD")
    linked = Repo(tmp_path / "linked", is_new=False)
    linked.add(other__py=CODE)
    done = call(["git", "commit", "-m", "linked"], linked, finds(tmp_path))
    assert done.code == 0, done.out
    assert "other.py:6" in done.out
    assert "app.py" not in done.out


def test_every_shell_file_is_clean() -> None:
    files = [os.fspath(file) for folder in ("native", "husky") for file in sorted((EXAMPLES / folder).iterdir())]
    assert len(files) == 4
    for command in (["shellcheck", "-s", "sh"], ["shfmt", "-d", "-ln", "posix"]):
        done = subprocess.run([BIN / command[0], *command[1:], *files], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_the_manifest_is_valid_and_every_id_is_explained() -> None:
    manifest = ROOT / ".pre-commit-hooks.yaml"
    done = subprocess.run([BIN / "pre-commit", "validate-manifest", str(manifest)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    hooks = yaml.safe_load(manifest.read_text())
    page = (ROOT / "docs" / "hooks.md").read_text()
    assert tuple(hook["id"] for hook in hooks) == HOOKS
    for hook in hooks:
        assert (hook["pass_filenames"], hook["require_serial"], hook["verbose"]) == (False, True, True)
        assert hook["minimum_pre_commit_version"]
        assert "manual" in hook["stages"]
        assert f"`{hook['id']}`" in page
        usage = subprocess.run([BIN / "venire", *hook["entry"].split()[1:], "--help"], capture_output=True, text=True)
        assert (hook["entry"].split()[0], usage.returncode) == ("venire", 0)


def example(repo: Repo, host: Host, name: str, to: str) -> None:
    """A shipped configuration, with our repository in the place of the one that it names."""
    text = (EXAMPLES / name).read_text()
    assert "https://github.com/OWNER/venire" in text
    assert "v0.1.0" in text
    repo.write(to, text.replace("https://github.com/OWNER/venire", str(host.hooks)).replace("v0.1.0", host.rev))


def test_the_shipped_configuration_works_with_both_runners(host: Host, repo: Repo, tmp_path: Path) -> None:
    example(repo, host, "pre-commit-config.example.yaml", ".pre-commit-config.yaml")
    assert host.run(repo, "install", "-t", "pre-commit", "-t", "pre-push").code == 0
    repo.add(app__py=CODE)
    done = host.git(repo, "commit", "-m", "second", env=finds(tmp_path))
    assert (done.code, "app.py:6" in done.out) == (0, True), done.out


def test_prek_s_own_form_works(hosts: Callable[[str], Host], repo: Repo, tmp_path: Path) -> None:
    prek = hosts("prek")
    example(repo, prek, "prek.example.toml", "prek.toml")
    assert tomllib.loads((repo.root / "prek.toml").read_text())
    assert prek.run(repo, "install", "-t", "pre-commit", "-t", "pre-push").code == 0
    repo.add(app__py=CODE)
    done = prek.git(repo, "commit", "-m", "second", env=finds(tmp_path))
    assert (done.code, "app.py:6" in done.out) == (0, True), done.out


def test_the_examples_name_the_version_that_this_is() -> None:
    from venire import __version__

    for name in ("pre-commit-config.example.yaml", "prek.example.toml"):
        assert f"v{__version__}" in (EXAMPLES / name).read_text()
