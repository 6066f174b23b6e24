"""Settings → the backend to use, and why. ``auto`` takes Ollama when it has the model, else the embedded one when installed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from venire.config import Settings
from venire.errors import BackendUnavailable
from venire.sample.backend import Backend
from venire.sample.backends.ollama_find import Found, find
from venire.sample.weights_file import PINNED

OLLAMA_MODEL = "qwen2.5-coder:7b"

Name = Literal["ollama", "openai", "embedded", "scripted", ""]


@dataclass(frozen=True, slots=True)
class Survey:
    """What there is on this machine. ``chosen`` is empty when nothing can be used; ``remedies`` are the lines that would help."""

    chosen: Name
    why: str
    model: str
    ollama: Found | None = None
    has_engine: bool = False
    weights: Path | None = None
    remedies: tuple[str, ...] = ()


def open_backend(settings: Settings, say: Callable[[str], None]) -> Backend:
    """The backend that the settings ask for or lead to; BackendUnavailable (exit 4) with the lines that would help."""
    found = survey(settings)
    match found.chosen:
        case "scripted":
            from venire.sample.backends.scripted import Scripted

            return Scripted(Path(settings.backend.removeprefix("scripted:")))
        case "ollama":
            from venire.sample.backends.ollama import Ollama

            return Ollama(**_server(settings, found), require_gpu=settings.require_gpu)
        case "openai":
            from venire.sample.backends.openai import OpenAI

            return OpenAI(**_server(settings, found))
        case "embedded" if found.weights:
            from venire.sample.backends.embedded import Embedded

            lock = cache_folder(settings) / "embedded.lock"
            threads = settings.threads
            return Embedded(weights=found.weights, plan=settings.plan, threads=threads, progress=say, lock=lock)
    raise BackendUnavailable(f"no model can be used: {found.why}; nothing was audited", "\n".join(found.remedies))


def _server(settings: Settings, found: Survey) -> dict[str, Any]:
    """What both kinds of server are told."""
    hosts, key = settings.allow_hosts, settings.api_key
    return {"host": openai_host(settings), "model": found.model, "plan": settings.plan, "allow_hosts": hosts, "api_key": key}


def survey(settings: Settings) -> Survey:
    """Look at what is there, quickly and without loading anything."""
    if settings.backend.startswith("scripted:"):
        return Survey("scripted", "asked for", settings.model or "scripted")
    if settings.backend == "embedded" and settings.model not in ("", PINNED.name):
        what = f"the embedded backend has one model, {PINNED.name}, not {settings.model}"
        return Survey("", what, settings.model, remedies=("leave out --model, or name another --backend",))
    if settings.backend == "embedded":
        return _embedded(settings, "asked for")
    if settings.backend == "openai":
        return _openai(settings)
    model = settings.model or OLLAMA_MODEL
    if settings.backend == "ollama":
        return Survey("ollama", "asked for", model)  # the backend itself tells best what is wrong
    found = find(settings.host, model, allow_hosts=settings.allow_hosts, api_key=settings.api_key)
    if found.is_ready:
        return Survey("ollama", f"Ollama {found.version} at {found.url} has {model}", model, ollama=found)
    problem = _problem(found, model)
    other = _embedded(settings, problem)
    if settings.model and settings.model != PINNED.name:
        return Survey("", problem, model, found, other.has_engine, other.weights, _remedies(found, model))
    remedies = (*_remedies(found, model), *other.remedies)
    why = f"{problem}, and {other.why}" if not other.chosen else problem
    return Survey(other.chosen, why, PINNED.name, found, other.has_engine, other.weights, remedies)


def openai_host(settings: Settings) -> str:
    """The host given; the default is Ollama's, which the other servers do not share."""
    is_default = settings.host == Settings().host
    return "" if is_default and settings.backend == "openai" else settings.host


def _openai(settings: Settings) -> Survey:
    """The server asked for; without a model name it must serve one only."""
    if settings.model:
        return Survey("openai", "asked for", settings.model)
    from venire.sample.backends.openai_find import find as find_server

    found = find_server(openai_host(settings), "", allow_hosts=settings.allow_hosts, api_key=settings.api_key)
    if len(found.models) == 1:
        return Survey("openai", f"the one model of the server at {found.url}", found.models[0])
    what = f"the server at {found.url} serves {len(found.models)} models" if found.models else f"{found.url}: {found.problem}"
    remedy = (
        f"add --model NAME, one of: {', '.join(found.models)}" if found.models else "start the server, or name another --host"
    )
    return Survey("", what, "", remedies=(remedy,))


def _embedded(settings: Settings, why: str) -> Survey:
    from importlib.util import find_spec

    from venire.sample.weights import find as find_weights

    has_engine = find_spec("xllamacpp") is not None
    weights = find_weights(models_folder(settings), blobs(settings), Path(settings.weights) if settings.weights else None)
    if not has_engine:
        remedy = 'pip install "venire[embedded]", then: venire fetch'
        return Survey("", "the embedded engine is not installed", PINNED.name, weights=weights, remedies=(remedy,))
    if weights is None:
        what = f"there is no {settings.weights}" if settings.weights else "the embedded model's file is not here"
        return Survey("", what, PINNED.name, has_engine=True, remedies=("venire fetch   (1.1 GB, once)",))
    return Survey("embedded", why, PINNED.name, has_engine=True, weights=weights)


def _problem(found: Found, model: str) -> str:
    return f"Ollama at {found.url} has no {model}" if found.version else f"no Ollama at {found.url} ({found.problem})"


def _remedies(found: Found, model: str) -> tuple[str, ...]:
    return (f"ollama pull {model}",) if found.version else (f"ollama serve, then: ollama pull {model}",)


def cache_folder(settings: Settings) -> Path:
    """Where big files are kept: VENIRE_CACHE, else the user's cache folder."""
    if settings.surroundings.cache:
        return Path(settings.surroundings.cache)
    from platformdirs import user_cache_path

    return user_cache_path("venire")


def models_folder(settings: Settings) -> Path:
    """Where model files are kept."""
    return cache_folder(settings) / "models"


def blobs(settings: Settings) -> list[Path]:
    """Ollama's own stores, where the same model file may lie already."""
    own = settings.surroundings.ollama_models
    places = [Path(own)] if own else [Path.home() / ".ollama" / "models", Path("/usr/share/ollama/.ollama/models")]
    return [place / "blobs" for place in places]
