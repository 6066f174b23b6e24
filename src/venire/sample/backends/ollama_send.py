"""One request to Ollama through the official client → the answer as received, or the failure that an exception stands for."""

import json
from typing import Any

from venire.errors import BackendUnavailable
from venire.sample.backends.address import Address
from venire.sample.backends.exchange import Exchange, excerpt
from venire.sample.backends.transport import Recorder, broken


def send(address: Address, method: str, path: str, body: object = None, *, seconds: float, key: str = "") -> Exchange:
    """Send ``body`` as JSON and return the whole answer, whatever its status.

    BackendFailure when no whole answer came within ``seconds``; BackendUnavailable when the client does not start.
    """
    client, recorder = _client(address, seconds, key)
    content = b"" if body is None else json.dumps(body).encode()
    try:
        client._request_raw(method, path, content=content)  # its public calls lack truncate and shift
    except Exception as error:
        # A whole answer with an error status is told better by its bytes than by what the client makes of them.
        if not recorder.is_complete:
            raise broken(error, recorder) from error
    finally:
        client.close()
    return Exchange(recorder.status, recorder.body, recorder.location)


def _client(address: Address, seconds: float, key: str) -> tuple[Any, Recorder]:
    """The official client. Its import reads the environment and raises on proxies, hosts or certificates it dislikes."""
    try:
        import ollama

        recorder = Recorder(seconds, key)
        client = ollama.Client(host=address.url, trust_env=False, follow_redirects=False, timeout=None, transport=recorder)
    except Exception as error:
        raise BackendUnavailable(
            f"the Ollama client does not start: {type(error).__name__}: {excerpt(str(error))}",
            remedy="unset or mend HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, OLLAMA_HOST and SSL_CERT_FILE",
        ) from error
    return client, recorder
