"""A real headless Chromium, driven by its DevTools protocol over a pipe: no port, no network, no library."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--force-device-scale-factor=1",
    "--remote-debugging-pipe", "about:blank",
)  # fmt: skip


class View(NamedTuple):
    """How a page is looked at."""

    width: int = 1200
    height: int = 900
    is_dark: bool = False


class Tab:
    """One page. ``errors`` gathers what the console and the policy complain of."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._rest, self._sent, self._session = b"", 0, ""
        self.errors: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._sent += 1
        message = {"id": self._sent, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._sent:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._reading, 1 << 16)
            assert piece, "Chromium ended"
            self._rest += piece
        whole, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(whole)
        match message.get("method"):
            case "Runtime.exceptionThrown" | "Network.requestWillBeSentExtraInfo":
                self.errors.append(json.dumps(message["params"]))
            case "Runtime.consoleAPICalled" if message["params"]["type"] in ("error", "warning", "assert"):
                self.errors.append(json.dumps(message["params"]))
            case "Log.entryAdded" if message["params"]["entry"]["level"] in ("error", "warning"):
                self.errors.append(message["params"]["entry"]["text"])
        return message

    def show(self, file: Path, view: View) -> None:
        """Load a file and wait until it is all there."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=view.width,
            height=view.height,
            deviceScaleFactor=1,
            mobile=view.width < 600,
        )
        scheme = "dark" if view.is_dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=file.as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression on the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")


@contextmanager
def tab(profile: Path) -> Iterator[Tab]:
    """A browser with one page, ended afterwards. ``profile`` is an empty folder of its own."""
    import fcntl  # not on Windows, where the tests that need it are skipped

    assert CHROMIUM, "there is no Chromium here"
    # The browser reads from its descriptor 3 and writes to 4; ours stay clear of both.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for pipe in (os.pipe(), os.pipe()) for end in _closing(pipe)]
    theirs_in, ours_out, ours_in, theirs_out = ends
    script = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    command = ["bash", "-c", script, "bash", CHROMIUM, f"--user-data-dir={profile}", *ARGUMENTS]
    browser = subprocess.Popen(
        command, pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Tab(ours_in, ours_out)
    finally:
        browser.terminate()
        browser.wait()
        os.close(ours_in)
        os.close(ours_out)


def _closing(pipe: tuple[int, int]) -> Iterator[int]:
    """Both ends, each closed once it has been used."""
    for end in pipe:
        yield end
        os.close(end)
