"""Is there an Ollama at a host, and has it a model? A quick look with the standard library; nothing is loaded or changed.

Also the names of models: what a short name stands for, and which names mean somebody else's computer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from venire.errors import BackendUnavailable
from venire.sample.backends.address import reach
from venire.sample.backends.look import get, problem


@dataclass(frozen=True, slots=True)
class Found:
    """What answered at ``url``. ``version`` is empty and ``problem`` says why when it was not an Ollama."""

    url: str
    version: str = ""
    models: tuple[str, ...] = ()
    has_model: bool = False
    problem: str = ""

    @property
    def is_ready(self) -> bool:
        return bool(self.version) and self.has_model


def find(host: str, model: str, *, allow_hosts: Sequence[str] = (), api_key: str = "", seconds: float = 2.0) -> Found:
    """Ask the server at ``host`` for its version and models. ``seconds`` bound each of the two questions.

    ConfigError when the host is unreadable or not allowed; everything else is told by the value.
    """
    address = reach(host, allow_hosts=allow_hosts)
    try:
        version = _text(get(address, "/api/version", api_key, seconds).get("version"))
        models = tuple(_names(get(address, "/api/tags", api_key, seconds)))
    except (OSError, ValueError, RecursionError) as error:
        return Found(address.url, problem=problem(error, "Ollama"))
    return Found(address.url, version, models, any(same(name, model) for name in models))


def digest(host: str, model: str, *, allow_hosts: Sequence[str] = (), api_key: str = "", seconds: float = 2.0) -> str:
    """The digest of a model as the server at ``host`` lists it. BackendUnavailable when it cannot be had."""
    address = reach(host, allow_hosts=allow_hosts)
    try:
        listed = get(address, "/api/tags", api_key, seconds).get("models")
    except (OSError, ValueError, RecursionError) as error:
        raise BackendUnavailable(f"no Ollama at {address.url} ({problem(error, 'Ollama')})", "ollama serve") from error
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and same(str(entry.get("model") or entry.get("name")), model):
            return str(entry.get("digest") or "").removeprefix("sha256:")
    raise BackendUnavailable(f"Ollama at {address.url} has no {model}", f"ollama pull {model}")


def full(name: str) -> str:
    """The name with what Ollama fills in: no registry, no "library", tag "latest"; lower case, as it compares them."""
    plain = name.strip().lower().removeprefix("registry.ollama.ai/").removeprefix("library/")
    return plain if ":" in plain.rpartition("/")[2] else f"{plain}:latest"


def same(one: str, other: str) -> bool:
    """Do both names mean one model?"""
    return full(one) == full(other)


def is_cloud(name: str) -> bool:
    """Does the name mean a model that runs on Ollama's computers?"""
    return name.strip().lower().endswith((":cloud", "-cloud"))


def _names(tags: dict[str, object]) -> Iterator[str]:
    models = tags.get("models")
    if models is not None and not isinstance(models, list):  # null is how an empty list may be written
        raise ValueError("no list of models")
    for entry in models or []:
        if isinstance(entry, dict) and not entry.get("remote_host"):
            yield _text(entry.get("model") or entry.get("name"))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("not an answer of Ollama")
    return value
