"""Settings → the model that an audit would ask, by name and digest, at once: nothing is loaded, and no heavy library either."""

from pathlib import Path

from venire.config import Settings
from venire.errors import BackendUnavailable
from venire.model import ModelInfo
from venire.sample.backends import ollama_find, openai_find
from venire.sample.choose import openai_host, survey
from venire.sample.weights_file import PINNED


def glance(settings: Settings) -> ModelInfo:
    """Backend, name and digest, as ``describe`` will give them; the digest is empty where the engine states none.

    BackendUnavailable when the model cannot be reached.
    """
    found = survey(settings)
    match found.chosen:
        case "scripted":
            from venire.sample.backends.scripted import Scripted

            return Scripted(Path(settings.backend.removeprefix("scripted:"))).describe()
        case "ollama":
            return ModelInfo("ollama", found.model, digest=_digest(settings, found.model))
        case "openai":
            return _served(settings, found.model)
        case "embedded":
            return ModelInfo("embedded", PINNED.name, digest=PINNED.sha256)  # no other file is ever loaded
    raise BackendUnavailable(f"no model can be used: {found.why}", "\n".join(found.remedies))


def _digest(settings: Settings, model: str) -> str:
    return ollama_find.digest(settings.host, model, allow_hosts=settings.allow_hosts, api_key=settings.api_key)


def _served(settings: Settings, model: str) -> ModelInfo:
    found = openai_find.find(openai_host(settings), model, allow_hosts=settings.allow_hosts, api_key=settings.api_key)
    if not found.is_ready:
        raise BackendUnavailable(
            f"{found.url}: {found.problem or f'no model {model}'}", "start the server, or name another --host"
        )
    return ModelInfo("openai", model)
