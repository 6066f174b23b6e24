"""Is there an OpenAI-compatible server at a host, and has it a model? A quick look; nothing is loaded or changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from venire.errors import BackendFailure
from venire.sample.backends.address import Address, reach
from venire.sample.backends.look import get, problem
from venire.sample.backends.openai_facts import entry, names

PORT = 8000  # vLLM's; there is none that they share


@dataclass(frozen=True, slots=True)
class Found:
    """What answered at ``url`` with a list of models. ``problem`` says why when nothing did."""

    url: str
    models: tuple[str, ...] = ()
    has_model: bool = False
    problem: str = ""

    @property
    def is_ready(self) -> bool:
        return self.has_model


def find(host: str, model: str, *, allow_hosts: Sequence[str] = (), api_key: str = "", seconds: float = 2.0) -> Found:
    """Ask the server at ``host`` for its models. ``seconds`` bound the question. Without a name any model will do.

    ConfigError when the host is unreadable or not allowed; everything else is told by the value.
    """
    address = place(host, allow_hosts)
    try:
        models = get(address, "/v1/models", api_key, seconds)
        listed = names(models)
        return Found(address.url, listed, bool(entry(models, model) if model else listed))
    except BackendFailure as failure:
        return Found(address.url, problem=failure.message)
    except (OSError, ValueError, RecursionError) as error:
        if str(error) in ("status 401", "status 403"):
            return Found(address.url, problem="the server does not accept the API key, or wants one")
        return Found(address.url, problem=problem(error, "an OpenAI-compatible server"))


def place(host: str, allow_hosts: Sequence[str]) -> Address:
    """Where ``host`` is; the /v1 that other tools want at the end of it is taken away."""
    return reach(host.strip().rstrip("/").removesuffix("/v1"), allow_hosts=allow_hosts, port=PORT)
