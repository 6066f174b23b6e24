"""What an OpenAI-compatible server says of itself and its model. Pure: answers in, facts out; what is not said stays empty."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from venire.errors import BackendFailure
from venire.sample.backends.exchange import excerpt
from venire.sample.backends.openai_wire import Kind

Answer = dict[str, Any]
Look = Callable[[str], Answer | None]
"""A path → the JSON object there; ``None`` where the server has no such thing."""

BATCH = 32  # replies asked of vLLM in one request
UNKNOWN = "OpenAI-compatible server"
VLLM_SAFE = (0, 14, 1)


@dataclass(frozen=True, slots=True)
class Server:
    """Which server it is and what it says. ``context`` 0: not said. ``batch``: replies it may draw in one request."""

    kind: Kind = ""
    engine: str = UNKNOWN
    context: int = 0
    quantization: str = ""
    parameters: str = ""
    batch: int = 1
    warnings: tuple[str, ...] = ()


def entry(models: Answer, model: str) -> Answer | None:
    """The model in an answer to /v1/models, by its id or another name the server has for it; ``None`` when it is not there."""
    for candidate in _listed(models):
        aliases = candidate.get("aliases")
        if candidate.get("id") == model or (isinstance(aliases, list) and model in aliases):
            return candidate
    return None


def names(models: Answer) -> tuple[str, ...]:
    """The ids in an answer to /v1/models; BackendFailure when it holds no list."""
    return tuple(excerpt(str(candidate.get("id")), 100) for candidate in _listed(models))


def detect(model: Answer, look: Look) -> Server:
    """Which server has the model, by signs that only it gives. ``model`` is its entry in /v1/models."""
    if model.get("owned_by") == "vllm":
        return _vllm(model, look("/version") or {})
    name = str(model.get("id"))
    props = look(f"/props?model={quote(name, safe='')}") or {}
    if model.get("owned_by") == "llamacpp" or ("build_info" in props and "default_generation_settings" in props):
        return _llama(model, props)
    own = look("/api/v0/models") or {}
    found = [one for one in _listed(own) if one.get("id") == name] if isinstance(own.get("data"), list) else []
    return _studio(found[0]) if found and "state" in found[0] else Server()


def _vllm(model: Answer, said: Answer) -> Server:
    version = excerpt(str(said.get("version") or ""), 40)
    return Server("vLLM", f"vLLM {version}".strip(), _count(model, "max_model_len"), batch=BATCH, warnings=_old(version))


def _llama(model: Answer, props: Answer) -> Server:
    """The context of one slot: that is what a prompt gets."""
    meta = _part(model, "meta")
    weights = _count(meta, "n_params")
    return Server(
        "llama.cpp",
        f"llama.cpp {excerpt(str(props.get('build_info') or ''), 60)}".strip(),
        _count(_part(props, "default_generation_settings"), "n_ctx") or _count(meta, "n_ctx"),
        excerpt(str(meta.get("ftype") or ""), 60),
        f"{weights / 1e9:.2f}B" if weights else "",
        max(_count(props, "total_slots"), 1),
    )


def _studio(found: Answer) -> Server:
    """The context it is loaded with; the longest that it could have says nothing of that."""
    quantization = excerpt(str(found.get("quantization") or ""), 60)
    return Server("LM Studio", "LM Studio", _count(found, "loaded_context_length"), quantization)


def _old(version: str) -> tuple[str, ...]:
    parts = re.match(r"v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})", version)
    if parts is None or (int(parts[1]), int(parts[2]), int(parts[3])) >= VLLM_SAFE:
        return ()
    return (
        f"vLLM {version} is older than 0.14.1: where it serves a model that takes videos, "
        "whoever reaches it can run code on it (CVE-2026-22778); update vLLM",
    )


def _listed(models: Answer) -> list[Answer]:
    listed = models.get("data")
    if not isinstance(listed, list):
        raise BackendFailure("rubbish", "the answer holds no list of models")
    return [candidate for candidate in listed if isinstance(candidate, dict)]


def _part(answer: Answer, key: str) -> Answer:
    part = answer.get(key)
    return part if isinstance(part, dict) else {}


def _count(answer: Answer, key: str) -> int:
    value = answer.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
