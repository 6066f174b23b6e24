"""One repository of hooks and one environment of each runner for the session: installing takes longer than all the tests."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.git import Repo
from support.hosts import Host, hook_repository, offline

HOMES = {"pre-commit": "PRE_COMMIT_HOME", "prek": "PREK_HOME"}


@pytest.fixture(scope="session")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Host]:
    """A runner by name; what it needs is made when it is first asked for."""
    folder = tmp_path_factory.mktemp("hosts")
    rev = hook_repository(folder / "hooks")
    variables = {**offline(folder / "wheels"), "HOME": str(folder), "XDG_CACHE_HOME": str(folder)}

    def host(name: str) -> Host:
        return Host(name, folder / "hooks", rev, {**variables, HOMES[name]: str(folder / name)})

    return host


@pytest.fixture(params=HOMES)
def host(request: pytest.FixtureRequest, hosts: Callable[[str], Host]) -> Host:
    return hosts(request.param)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with one commit and a remote, a bare one beside it; commits need an identity of their own here."""
    made = Repo(tmp_path / "repo")
    made.git("config", "user.name", "A. Author")
    made.git("config", "user.email", "author@example.org")
    made.commit("first", README__md="# Words\n")
    Repo(tmp_path / "bare.git", is_new=False).root.mkdir()
    made.git("init", "-q", "--bare", "-b", "main", os.fspath(tmp_path / "bare.git"))
    made.git("remote", "add", "origin", os.fspath(tmp_path / "bare.git"))
    return made
