"""Settings come from flags, environment and file, in that order of strength, and every error names its place."""

from pathlib import Path
from typing import Any

import pytest

from venire.config import Settings, settings
from venire.config.load import project_root
from venire.errors import ConfigError, UsageError


def load(folder: Path, flags: dict[str, Any] | None = None, environment: dict[str, str] | None = None) -> Settings:
    return settings(flags or {}, environment or {}, folder)


def test_defaults_need_no_file(tmp_path: Path) -> None:
    assert load(tmp_path).runs == 5
    assert load(tmp_path).records == tmp_path / ".venire" / "records"


def test_flags_beat_environment_beat_file(tmp_path: Path) -> None:
    (tmp_path / "venire.yml").write_text("runs: 2\nseed: 7\nmodel: from-file\n")
    found = load(tmp_path, {"runs": "4"}, {"VENIRE_RUNS": "3", "VENIRE_SEED": "9"})
    assert (found.runs, found.seed, found.model) == (4, 9, "from-file")
    assert dict(found.origin) == {"runs": "--runs", "seed": "VENIRE_SEED", "model": "venire.yml:3"}


def test_pyproject_is_read_when_there_is_no_venire_yml(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n\n[tool.venire]\nruns = 3\nignore = ["*.lock"]\n')
    assert (load(tmp_path).runs, load(tmp_path).ignore) == (3, ("*.lock",))
    (tmp_path / "venire.yml").write_text("runs: 2\n")
    assert load(tmp_path).runs == 2


def test_the_file_is_found_at_the_root_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "venire.yml").write_text("criteria: checks\n")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert project_root(below) == tmp_path
    assert load(below).criteria == (str(tmp_path / "checks"),)
    assert load(below, {"criteria": ["mine.yml"]}).criteria == (str(below / "mine.yml"),)


@pytest.mark.parametrize(
    ("text", "place", "remedy"),
    [
        ("runs: 5\nmodle: x\n", "venire.yml:2: unknown key 'modle'", "did you mean model?"),
        ("runs: 0\n", "venire.yml:1: runs must be 1 to 1000, not 0", ""),
        ("\nruns: -3\n", "venire.yml:2: runs must be 1 to 1000, not -3", ""),
        ("runs: yes\n", "venire.yml:1: runs must be a whole number, not True", ""),
        ("runs: 2.5\n", "venire.yml:1: runs must be a whole number, not 2.5", ""),
        ("temperature: .nan\n", "venire.yml:1: temperature must be 0 to 2", ""),
        ("max_time: .inf\n", "venire.yml:1: max_time must be 0 or more", ""),
        ("scope: fil\n", "venire.yml:1: scope must be one of changed, file", "did you mean file?"),
        ("runs: 1\nruns: 2\n", "venire.yml:2: 'runs' is set twice", ""),
        ("- runs\n", "venire.yml:1: must be a mapping", ""),
        ("runs: [1\n", "venire.yml:2", "mend the YAML"),
        ("a: &a [x, x]\nb: *a\n", "venire.yml: aliases", ""),
        ("model: no\n", "venire.yml:1: model must be text, not False", ""),
        ("ignore: [1]\n", "venire.yml:1: ignore must be a list of texts", ""),
        ("backend: gpt\n", "venire.yml:1: backend must be auto", ""),
        ("allow_hosts: [a]\n", "venire.yml:1: allow_hosts cannot be set in a repository's file", "VENIRE_ALLOW_HOSTS"),
        ("api_key: a\n", "venire.yml:1: api_key cannot be set in a repository's file", "VENIRE_API_KEY"),
        ("{" * 2000, "venire.yml", ""),
    ],
)
def test_a_wrong_file_is_refused_with_place_and_remedy(tmp_path: Path, text: str, place: str, remedy: str) -> None:
    (tmp_path / "venire.yml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(tmp_path)
    assert place in caught.value.message
    assert remedy in caught.value.remedy
    assert caught.value.exit == 2


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "venire.yml").write_bytes(b"model: \xff\n")
    with pytest.raises(ConfigError, match="not UTF-8 at byte 7"):
        load(tmp_path)


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "venire.yml").write_text("# " + "x" * 1_000_001)
    with pytest.raises(ConfigError, match="larger than"):
        load(tmp_path)


def test_toml_errors_name_the_line(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.venire]\nruns = 3\nrusn = 4\n")
    with pytest.raises(ConfigError, match=r"pyproject.toml:3: unknown key 'rusn'"):
        load(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.venire]\nruns = = 3\n")
    with pytest.raises(ConfigError, match=r"pyproject.toml: .*line 2"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"VENIRE_RUN": "3"}, "unknown variable VENIRE_RUN"),
        ({"VENIRE_RUNS": "three"}, "VENIRE_RUNS: must be a whole number, not 'three'"),
        ({"VENIRE_PINNED": "maybe"}, "VENIRE_PINNED: must be true or false"),
        ({"VENIRE_TEMPERATURE": "nan"}, "VENIRE_TEMPERATURE: temperature must be 0 to 2"),
    ],
)
def test_a_wrong_variable_is_refused(tmp_path: Path, environment: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, environment=environment)
    assert message in caught.value.message


@pytest.mark.parametrize("runs", ["0", "-1", "x", "1001", "1e3"])
def test_a_wrong_flag_is_refused(tmp_path: Path, runs: str) -> None:
    with pytest.raises(ConfigError, match="--runs"):
        load(tmp_path, {"runs": runs})


def test_pinned_is_greedy_and_excludes_a_temperature(tmp_path: Path) -> None:
    sampling = load(tmp_path, {"pinned": True, "seed": "3"}).plan.sampling
    assert (sampling.temperature, sampling.top_k, sampling.top_p, sampling.seed) == (0.0, 1, 1.0, 3)
    with pytest.raises(ConfigError, match="exclude each other"):
        load(tmp_path, {"pinned": True, "temperature": "0.5"})


def test_the_stronger_of_pinned_and_temperature_stays(tmp_path: Path) -> None:
    (tmp_path / "venire.yml").write_text("temperature: 0.5\n")
    assert load(tmp_path, {"pinned": True}).plan.sampling.temperature == 0.0
    (tmp_path / "venire.yml").write_text("pinned: true\n")
    assert load(tmp_path, {"temperature": "0.5"}).plan.sampling.temperature == 0.5
    assert load(tmp_path).plan.sampling.temperature == 0.0


def test_lists_in_variables_are_split_as_paths_are(tmp_path: Path) -> None:
    assert load(tmp_path, environment={"VENIRE_IGNORE": "a:b"}).ignore == ("a", "b")


def test_ollama_host_is_the_weakest_source_of_the_host(tmp_path: Path) -> None:
    assert load(tmp_path, environment={"OLLAMA_HOST": "1.2.3.4"}).host == "1.2.3.4"
    assert load(tmp_path, environment={"OLLAMA_HOST": "1.2.3.4", "VENIRE_HOST": "h"}).host == "h"
    (tmp_path / "venire.yml").write_text("host: from-file\n")
    assert load(tmp_path, environment={"OLLAMA_HOST": "1.2.3.4"}).host == "from-file"


def test_a_scripted_backend_in_the_file_counts_from_the_root(tmp_path: Path) -> None:
    (tmp_path / "venire.yml").write_text("backend: scripted:replies.json\n")
    assert load(tmp_path).backend == f"scripted:{tmp_path / 'replies.json'}"


@pytest.mark.parametrize(
    "flags", [{"since": ""}, {"decisions": ""}, {"evidence": [""]}, {"criteria": ["a.yml", ""]}, {"record": ""}]
)
def test_an_empty_path_is_refused_and_not_taken_for_none(tmp_path: Path, flags: dict[str, Any]) -> None:
    """An unset variable in a script gives one; a gate without its ledger would be another gate."""
    with pytest.raises(UsageError, match="is empty"):
        load(tmp_path, flags)
