"""Which model would be asked, by name and digest, and nothing is loaded for it."""

import json
from pathlib import Path

import pytest
from support.ollama import DIGEST, MODEL, Ollama

from venire.config import Settings
from venire.errors import BackendUnavailable
from venire.sample import glance


def test_ollama_states_the_digest_without_loading() -> None:
    with Ollama() as server:
        for backend in ("ollama", "auto"):
            found = glance(Settings(backend=backend, host=server.url, model=MODEL))
            assert (found.backend, found.name, found.digest) == ("ollama", MODEL, DIGEST)
        assert not server.loads
        assert not server.asked("/api/chat")
        with pytest.raises(BackendUnavailable, match="has no other:1b"):
            glance(Settings(backend="ollama", host=server.url, model="other:1b"))
    with pytest.raises(BackendUnavailable, match="no Ollama"):
        glance(Settings(backend="ollama", host=server.url, model=MODEL))


def test_a_script_states_its_own(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"model": {"name": "n", "digest": "d"}, "replies": []}))
    found = glance(Settings(backend=f"scripted:{path}"))
    assert (found.name, found.digest) == ("n", "d")
