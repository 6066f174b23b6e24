"""One model on one Ollama server, as a place to ask: what the server states of it, a chat with it, and what a failure means.

Nothing is ever pulled, created or deleted there, and no model that runs on another computer is asked.
"""

from dataclasses import dataclass

from venire.errors import BackendFailure, BackendUnavailable
from venire.sample.backends import ollama_facts as facts
from venire.sample.backends import ollama_wire as wire
from venire.sample.backends.address import Address
from venire.sample.backends.ollama_send import send

FACT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What a server says without loading anything: its version, and the model's entries in tags and show."""

    version: str
    stored: facts.Answer
    show: facts.Answer

    @property
    def digest(self) -> str:
        return facts.digest(self.stored)


class Host:
    """The server at an address and the name of a model there. Every question may raise BackendFailure."""

    def __init__(self, address: Address, model: str, key: str) -> None:
        self._address, self._model, self._key = address, model, key

    def look(self) -> Seen:
        """The model as stored; BackendUnavailable when it is not there or runs elsewhere."""
        version = facts.version(self._get("/api/version"))
        stored = facts.entry(self._get("/api/tags"), self._model)
        if stored is None:
            raise self._missing()
        self._refuse_remote(stored)
        exchange = self._send("POST", "/api/show", {"model": self._model, "verbose": False}, FACT_SECONDS)
        if exchange.status == 404:
            raise self._missing()
        show = wire.parsed(exchange)
        self._refuse_remote(show)
        return Seen(version, stored, show)

    def running(self, seconds: float = FACT_SECONDS) -> facts.Answer | None:
        """The model as loaded; ``None`` when it is not."""
        return facts.entry(self._get("/api/ps", seconds), self._model)

    def loaded(self, digest: str, context: int) -> facts.Answer:
        """The model as loaded, when it has this digest and this context."""
        running = self.running()
        if running is None:
            raise BackendFailure("mismatch", f"{self._model} is not among the loaded models right after it answered")
        if facts.digest(running) != digest:
            raise BackendFailure("mismatch", f"the loaded {self._model} is another one than the stored: their digests differ")
        if running.get("context_length") != context:
            said = running.get("context_length", "unknown")
            raise BackendFailure("context", f"the server gives {self._model} a context of {said}, not {context} tokens")
        return running

    def chat(self, body: object, seconds: float) -> wire.Exchange:
        """The answer to one chat, whatever its status."""
        return self._send("POST", "/api/chat", body, seconds)

    def unload(self) -> None:
        """Have the model dropped from memory. The one request without messages: it asks nothing."""
        body = {"model": self._model, "messages": [], "stream": False, "keep_alive": 0}
        wire.parsed(self._send("POST", "/api/chat", body, FACT_SECONDS))

    def refuse_cpu(self, running: facts.Answer) -> None:
        """BackendUnavailable unless all of the loaded model is in GPU memory."""
        if not facts.is_on_gpu(share := facts.gpu_share(running)):
            raise BackendUnavailable(
                f"{self._model} on {self._address.url}: {facts.share_text(share)}, and a GPU is required",
                remedy="free GPU memory, ask for a smaller context or model, or do not require a GPU; the server's log says why",
            )

    def unavailable(self, failure: BackendFailure) -> BackendUnavailable:
        """What a failure means for the whole audit, and what helps."""
        url = self._address.url
        if failure.kind == "refused":
            return BackendUnavailable(f"no server answers at {url} ({failure.message})", remedy="start it: ollama serve")
        remedy = {
            "rubbish": f"look what listens at {url}: it does not answer as Ollama does",
            "timeout": f"look whether the server at {url} is busy or stuck: ollama ps",
            "context": "ask for a smaller context, or free memory for the server",
        }.get(failure.kind, f"look into the log of the server at {url}; a smaller model or context may help")
        return BackendUnavailable(f"{url}: {failure.message}", remedy)

    def _refuse_remote(self, answer: facts.Answer) -> None:
        if where := wire.remote(answer):
            more = "" if self._is_cloud_off() else ", and set OLLAMA_NO_CLOUD=1 for the server"
            raise BackendUnavailable(
                f"{self._model} on {self._address.url} runs at {where}, not on that server",
                remedy=f"take a model that is stored there{more}",
            )

    def _is_cloud_off(self) -> bool:
        """Does the server say that it never uses Ollama's computers? Old ones do not say."""
        try:
            return facts.is_cloud_off(self._get("/api/status"))
        except BackendFailure:
            return False

    def _missing(self) -> BackendUnavailable:
        return BackendUnavailable(f"{self._address.url} has no model {self._model}", remedy=f"ollama pull {self._model}")

    def _get(self, path: str, seconds: float = FACT_SECONDS) -> facts.Answer:
        return wire.parsed(self._send("GET", path, None, seconds))

    def _send(self, method: str, path: str, body: object, seconds: float) -> wire.Exchange:
        return send(self._address, method, path, body, seconds=seconds, key=self._key)
