"""``auto`` takes Ollama when it answers and has the model, else the embedded model, else nothing and says what would help."""

from pathlib import Path

import pytest
from support.ollama import Ollama

from venire.config import Settings, settings
from venire.errors import BackendUnavailable, ConfigError
from venire.sample import open_backend, survey
from venire.sample.choose import blobs, cache_folder
from venire.sample.weights import PINNED


def given(tmp_path: Path, **environment: str) -> Settings:
    return settings({}, {"VENIRE_CACHE": str(tmp_path / "cache"), "VENIRE_HOST": "127.0.0.1:9"} | environment, tmp_path)


def with_weights(tmp_path: Path) -> None:
    """A sparse file of the right size: the survey looks at names and sizes only."""
    folder = tmp_path / "cache" / "models"
    folder.mkdir(parents=True)
    with (folder / PINNED.file).open("wb") as file:
        file.truncate(PINNED.size)


def test_ollama_with_the_model_comes_first(tmp_path: Path) -> None:
    with_weights(tmp_path)
    with Ollama() as server:
        name = server.models[0]
        found = survey(given(tmp_path, VENIRE_HOST=server.url, VENIRE_MODEL=name))
        assert (found.chosen, found.model) == ("ollama", name)


def test_the_embedded_model_comes_second(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    with_weights(tmp_path)
    found = survey(given(tmp_path))
    assert (found.chosen, found.model) == ("embedded", PINNED.name)
    assert "no Ollama at" in found.why


def test_a_model_asked_for_by_name_is_not_replaced_by_the_embedded_one(tmp_path: Path) -> None:
    with_weights(tmp_path)
    found = survey(given(tmp_path, VENIRE_MODEL="llama9:70b"))
    assert found.chosen == ""
    assert found.remedies == ("ollama serve, then: ollama pull llama9:70b",)


def test_the_embedded_backend_does_not_stand_in_for_a_model_it_has_not(tmp_path: Path) -> None:
    with_weights(tmp_path)
    found = survey(given(tmp_path, VENIRE_BACKEND="embedded", VENIRE_MODEL="llama9:70b"))
    assert (found.chosen, "not llama9:70b" in found.why) == ("", True)
    assert survey(given(tmp_path, VENIRE_BACKEND="embedded", VENIRE_MODEL=PINNED.name)).weights


def test_without_any_model_both_lines_that_would_help_are_given(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable) as caught:
        open_backend(given(tmp_path), lambda text: None)
    first, second = caught.value.remedy.split("\n")
    assert "ollama pull qwen2.5-coder:7b" in first
    assert "venire fetch" in second
    assert "nothing was audited" in caught.value.message


def test_a_server_without_the_model_asks_for_the_pull_only(tmp_path: Path) -> None:
    with Ollama() as server:
        found = survey(given(tmp_path, VENIRE_HOST=server.url, VENIRE_MODEL="other:1b"))
        assert (found.chosen, found.remedies) == ("", ("ollama pull other:1b",))
        assert server.asked("/api/pull") == []


def test_a_backend_asked_for_is_not_replaced(tmp_path: Path) -> None:
    assert survey(given(tmp_path, VENIRE_BACKEND="ollama")).chosen == "ollama"
    assert survey(given(tmp_path, VENIRE_BACKEND="embedded")).chosen == ""
    assert survey(given(tmp_path, VENIRE_BACKEND="scripted:x.json")).chosen == "scripted"


def test_a_foreign_host_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"198\.51\.100\.7"):
        survey(given(tmp_path, VENIRE_HOST="198.51.100.7"))


def test_folders_follow_the_environment(tmp_path: Path) -> None:
    assert cache_folder(given(tmp_path)) == tmp_path / "cache"
    assert blobs(given(tmp_path, OLLAMA_MODELS=str(tmp_path / "m"))) == [tmp_path / "m" / "blobs"]
