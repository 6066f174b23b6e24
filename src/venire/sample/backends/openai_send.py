"""One request to an OpenAI-compatible server → the answer as received, or the failure that an exception stands for."""

import json

from venire.sample.backends.address import Address
from venire.sample.backends.exchange import Exchange
from venire.sample.backends.transport import Recorder, broken


def send(address: Address, method: str, path: str, body: object = None, *, seconds: float, key: str = "") -> Exchange:
    """Send ``body`` as JSON and return the whole answer, whatever its status; BackendFailure when none came within ``seconds``.

    There is no client around the transport: nothing reads the environment, takes a proxy or follows a redirect.
    """
    import httpx

    recorder = Recorder(seconds, key)
    content = b"" if body is None else json.dumps(body).encode()
    headers = {"accept": "application/json", "content-type": "application/json"}
    try:
        recorder.handle_request(httpx.Request(method, address.url + path, headers=headers, content=content))
    except Exception as error:
        if not recorder.is_complete:
            raise broken(error, recorder) from error
    finally:
        recorder.close()
    return Exchange(recorder.status, recorder.body, recorder.location)
