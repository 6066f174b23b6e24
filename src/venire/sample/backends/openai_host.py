"""The server as a place to ask: waits until it is ready, finds the model in its list, and looks which server it is."""

import time

from venire.errors import BackendFailure, BackendUnavailable
from venire.sample.backends import openai_facts as facts
from venire.sample.backends import openai_wire as wire
from venire.sample.backends.address import Address
from venire.sample.backends.exchange import Exchange
from venire.sample.backends.openai_send import send

FACT_SECONDS = 20.0
POLL_SECONDS = 0.5
PORTS = "say the right port: vLLM has 8000, llama.cpp 8080, LM Studio 1234"


class Host:
    """One server and the name of one model there. Every method may raise BackendFailure."""

    def __init__(self, address: Address, model: str, key: str) -> None:
        self._address, self._model, self._key = address, model, key

    def be_ready(self, seconds: float) -> None:
        """Wait while the server says that it is loading, as llama.cpp does under /health."""
        until = time.monotonic() + seconds
        while is_loading(self._get("/health")):
            if time.monotonic() >= until:
                raise BackendFailure("timeout", f"the server was still loading after {seconds:.0f} s")
            time.sleep(POLL_SECONDS)

    def entry(self) -> facts.Answer:
        """The model as the server lists it; BackendUnavailable when it is not there."""
        models = wire.parsed(self.allowed(self._get("/v1/models")))
        found = facts.entry(models, self._model)
        if found is None:
            has = facts.names(models)
            listed = ", ".join(has[:20]) or "no model at all"
            remedy = f"set model to one of these: {listed}" if has else "load a model there"
            raise BackendUnavailable(f"{self._address.url} has no model {self._model!r}; it lists {listed}", remedy)
        return found

    def look(self) -> facts.Server:
        """Which server it is and what it says of the model; BackendUnavailable when it is an Ollama."""
        server = facts.detect(self.entry(), self._found)
        if not server.kind and b"Ollama is running" in self._get("/").body[:100]:
            # There it cuts long prompts unsaid and may hand them to a cloud model.
            raise BackendUnavailable(f"{self._address.url} is an Ollama, which is reached by its own API", "backend: ollama")
        return server

    def chat(self, body: object, seconds: float) -> Exchange:
        """The answer to one chat, whatever its status."""
        return send(self._address, "POST", "/v1/chat/completions", body, seconds=seconds, key=self._key)

    def allowed(self, exchange: Exchange) -> Exchange:
        """The same, unless the server wants another key: BackendUnavailable."""
        if wire.wants_key(exchange):
            raise BackendUnavailable(
                f"{self._address.url}: {wire.refusal(exchange).message}",
                remedy="set api_key to the key that the server was started with" if self._key else "set api_key",
            )
        return exchange

    def unavailable(self, failure: BackendFailure) -> BackendUnavailable:
        """What a failure means for the whole audit, and what helps."""
        url = self._address.url
        if failure.kind == "refused":
            return BackendUnavailable(f"no server answers at {url} ({failure.message})", f"start it, or {PORTS}")
        remedy = {
            "rubbish": f"look what listens at {url}: it does not answer as an OpenAI-compatible server does; or {PORTS}",
            "timeout": f"look whether the server at {url} is busy, stuck or still loading",
        }.get(failure.kind, f"look into the log of the server at {url}; a smaller model or context may help")
        return BackendUnavailable(f"{url}: {failure.message}", remedy)

    def _found(self, path: str) -> facts.Answer | None:
        """The JSON object at a path; ``None`` where the server has no such thing."""
        exchange = self.allowed(self._get(path))
        try:
            return wire.parsed(exchange)
        except BackendFailure as failure:
            if failure.is_transient:
                raise
            return None

    def _get(self, path: str) -> Exchange:
        return send(self._address, "GET", path, seconds=FACT_SECONDS, key=self._key)


def is_loading(answer: Exchange) -> bool:
    """Does the server say that it is loading the model? vLLM's bare 503 means that it is dead."""
    return answer.status == 503 and b"loading" in answer.body.lower()
