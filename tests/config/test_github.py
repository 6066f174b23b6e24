"""What a job's variables and event say, and what is not believed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.jobs import HEAD, pull_request, workflow_run

from venire.config import GitHub, Occasion, job, occasion
from venire.errors import ConfigError, VenireError

BASE = "b" * 40


def about(folder: Path, event: Any, **more: Any) -> Occasion:
    (folder / "event.json").write_text(event if isinstance(event, str) else json.dumps(event))
    return occasion(GitHub(event_path=str(folder / "event.json"), **{"run_number": 3, "sha": "d" * 40, **more}))


def test_without_variables_there_is_no_job() -> None:
    made = job({})
    assert (made.is_job, made.token, made.repository, made.page) == (False, "", "", "")
    assert occasion(made) == Occasion()


def test_the_variables_of_a_job() -> None:
    made = job(
        {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": "https://github.example/api/v3/",
            "GITHUB_SERVER_URL": "https://github.example/",
            "GITHUB_REPOSITORY": "octo/app",
            "GITHUB_RUN_ID": "99",
            "GITHUB_RUN_NUMBER": "12",
            "GITHUB_TOKEN": "hunter2",
        }
    )
    assert (made.is_job, made.api, made.run_number) == (True, "https://github.example/api/v3", 12)
    assert made.page == "https://github.example/octo/app/actions/runs/99"
    assert "hunter2" not in repr(made)


@pytest.mark.parametrize("name", ["octo", "../x", "octo/app/more", "octo/app?x", "octo /app"])
def test_a_repository_that_would_change_the_address_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="GITHUB_REPOSITORY"):
        job({"GITHUB_REPOSITORY": name})


def test_a_pull_request_s_event(tmp_path: Path) -> None:
    assert about(tmp_path, pull_request(7, HEAD, BASE)) == Occasion(7, HEAD, "d" * 40, BASE, 3)


def test_a_push_and_a_merge_group(tmp_path: Path) -> None:
    assert about(tmp_path, {"before": BASE, "after": HEAD}) == Occasion(0, HEAD, "", BASE, 3)
    assert about(tmp_path, {"before": "0" * 40, "after": HEAD}).base == ""  # a new branch
    assert about(tmp_path, {"merge_group": {"head_sha": HEAD, "base_sha": BASE}}) == Occasion(0, HEAD, "", BASE, 3)


def test_a_run_that_follows_another_has_the_other_s_number_and_commit(tmp_path: Path) -> None:
    event = workflow_run(HEAD, run=12, pulls=[(7, 1)])
    assert about(tmp_path, event) == Occasion(7, HEAD, "", "", 12, "octo:topic")


def test_a_pull_request_of_another_repository_in_the_network_is_not_ours(tmp_path: Path) -> None:
    assert about(tmp_path, workflow_run(pulls=[(7, 2)])).number == 0
    assert about(tmp_path, workflow_run(pulls=[(7, 2), (8, 1)])).number == 8


def test_two_pull_requests_of_one_commit_are_not_guessed_between(tmp_path: Path) -> None:
    assert about(tmp_path, workflow_run(pulls=[(7, 1), (8, 1)])).number == 0


@pytest.mark.parametrize("sha", ["", "abc", "A" * 40, "a" * 41, "g" * 40, "0" * 40, 7, None, ["a" * 40], "a" * 40 + "\n"])
def test_what_is_no_object_name_is_none(tmp_path: Path, sha: Any) -> None:
    assert about(tmp_path, {"pull_request": {"number": 7, "head": {"sha": sha}}}).head == ""


@pytest.mark.parametrize("number", [0, -1, True, "7", 7.0, None])
def test_what_is_no_number_is_none(tmp_path: Path, number: Any) -> None:
    assert about(tmp_path, {"pull_request": {"number": number, "head": {"sha": HEAD}}}).number == 0


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "[" * 100_000])
def test_a_file_that_is_no_event_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="GITHUB_EVENT_PATH"):
        about(tmp_path, text)


def test_a_file_that_is_not_there_or_too_large_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        occasion(GitHub(event_path=str(tmp_path / "none")))
    monkeypatch.setattr("venire.config.github.EVENT_LIMIT", 3)
    with pytest.raises(ConfigError, match="larger than 3"):
        about(tmp_path, "{    }")


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3))
KEYS = st.sampled_from(["workflow_run", "pull_request", "merge_group", "head", "base", "repo", "number", "sha", "pull_requests"])


@given(st.recursive(JSON, lambda inner: st.dictionaries(KEYS, inner | st.lists(inner, max_size=2), max_size=4), max_leaves=20))
def test_no_event_whatever_its_form_is_a_traceback(tmp_path_factory: pytest.TempPathFactory, event: Any) -> None:
    try:
        about(tmp_path_factory.mktemp("event"), event)
    except VenireError:
        assert not isinstance(event, dict)
