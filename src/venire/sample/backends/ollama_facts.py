"""What Ollama's answers to version, tags, show and ps say of a model. Pure: parsed answers in, single facts out."""

import re
from typing import Any

from venire.errors import BackendFailure
from venire.sample.backends.ollama_find import same
from venire.sample.backends.ollama_wire import excerpt

Answer = dict[str, Any]

SAFE = (0, 35, 0)
UNSAFE = "older than 0.35.0, and whoever reaches such a server can run code on it (CVE-2026-103663): update Ollama"


def version(answer: Answer) -> str:
    """The server's version; BackendFailure when the answer holds none."""
    said = answer.get("version")
    if not isinstance(said, str) or not said:
        raise BackendFailure("rubbish", "no version in the answer to /api/version")
    return said


def entry(answer: Answer, model: str) -> Answer | None:
    """The model in an answer of tags or ps; ``None`` when it is not there."""
    models = answer.get("models")
    if models is not None and not isinstance(models, list):  # null is how an empty list may be written
        raise BackendFailure("rubbish", "the answer holds no list of models")
    for candidate in models or []:
        if isinstance(candidate, dict) and any(same(str(candidate.get(key)), model) for key in ("model", "name")):
            return candidate
    return None


def digest(found: Answer) -> str:
    """The model's manifest digest, 64 hex digits."""
    return str(found.get("digest") or "").removeprefix("sha256:")


def detail(found: Answer, key: str) -> str:
    """A detail of a model in tags, such as ``quantization_level``; empty when not said."""
    details = found.get("details")
    return str(details.get(key) or "") if isinstance(details, dict) else ""


def context(show: Answer, asked: int) -> int:
    """The tokens asked for, or the most the model was trained with where that is less: the server would clamp it unsaid."""
    if not isinstance(show.get("model_info"), dict):
        raise BackendFailure("rubbish", "no model_info in the answer to /api/show")
    trained = _model_info(show).get(f"{architecture(show)}.context_length")
    return min(asked, trained) if isinstance(trained, int) and trained > 0 else asked


def think(show: Answer) -> bool | str:
    """What to send so that the model does not think; one family knows levels only."""
    return "low" if architecture(show) in ("gptoss", "gpt-oss") else False


def architecture(show: Answer) -> str:
    """The model's architecture, empty when not said."""
    return str(_model_info(show).get("general.architecture") or "")


def gpu_share(running: Answer) -> float | None:
    """The part of the loaded model that is in GPU memory, 0 to 1; ``None`` where the server does not say."""
    size, on_gpu = running.get("size"), running.get("size_vram", 0)
    if not isinstance(size, int) or not isinstance(on_gpu, int) or size <= 0:
        return None
    return round(min(max(on_gpu / size, 0.0), 1.0), 4)


def is_on_gpu(share: float | None) -> bool:
    """Is all of the model in GPU memory, and does the server say so?"""
    return share is not None and share >= 1


def share_text(share: float | None) -> str:
    """``gpu_share`` in words."""
    return "the server does not say what is in GPU memory" if share is None else f"{share:.0%} of the model is in GPU memory"


def is_cloud_off(answer: Answer) -> bool:
    """Does the answer to status say that the server uses no computer of Ollama's?"""
    cloud = answer.get("cloud")
    return isinstance(cloud, dict) and cloud.get("disabled") is True


def warnings(said_version: str, show: Answer, refused_schemas: int, refused_requests: int = 0) -> tuple[str, ...]:
    """What a reader of the report should know of server and model."""
    found = []
    if is_unsafe(said_version):
        found.append(f"Ollama {excerpt(said_version, 40)} is {UNSAFE}")
    if show.get("messages"):
        # Its SYSTEM text is another matter: the server leaves it out when a prompt begins with a system message, as ours do.
        found.append("the model's Modelfile puts messages of its own before every prompt (MESSAGE): take one without them")
    if refused_schemas:
        found.append(f"the server could not use {refused_schemas} reply schemas; those replies were asked for as plain JSON")
    if refused_requests:
        found.append(f"the server was busy and refused {refused_requests} requests, which were sent again after a wait")
    return tuple(found)


def is_unsafe(said: str) -> bool:
    """Is the version below SAFE, a pre-release of it, or unreadable?"""
    parts = re.match(r"v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-\S+)?", said)
    if parts is None:
        return True
    number = (int(parts[1]), int(parts[2]), int(parts[3]))
    return number < SAFE or (number == SAFE and bool(parts[4]))


def _model_info(show: Answer) -> Answer:
    info = show.get("model_info")
    return info if isinstance(info, dict) else {}
