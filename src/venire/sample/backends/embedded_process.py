"""The child process of the embedded model, seen from its parent: one request, one answer, a deadline, and its end."""

import json
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from venire.errors import BackendFailure

Json = dict[str, Any]


class Child:
    """The process that holds the engine, its pipes, and the last lines it said on stderr."""

    def __init__(self) -> None:
        # -P: the folder it is called in is the audited one and must not lend it modules.
        # A session of its own: Ctrl-C is for the parent to answer.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "venire.sample.backends.embedded_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.said: deque[str] = deque(maxlen=8)
        self.readers = [self._reader(self._hear, self.process.stdout), self._reader(self._overhear, self.process.stderr)]

    def ask(self, request: Json, seconds: float) -> Json:
        """One request and its answer. A child that is late, dead or interrupted is ended. Raises BackendFailure."""
        assert self.process.stdin is not None  # noqa: S101 - it was asked for
        try:
            with suppress(OSError):  # a broken pipe: the end of its replies says the same
                self.process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
                self.process.stdin.flush()
            line = self.replies.get(timeout=seconds)
        except queue.Empty:
            self.end()
            raise BackendFailure("timeout", f"no reply within {seconds:.1f} s; the model's process was ended") from None
        except BaseException:
            self.end()
            raise
        if not line:
            with suppress(subprocess.TimeoutExpired):  # let it die of its own cause, so that the message can name it
                self.process.wait(5)
            self.end()
            raise BackendFailure("crashed", f"the model's process {self._last_words()}", is_transient=True)
        answer: Json = json.loads(line)
        if "fault" in answer:
            raise BackendFailure("transport", answer["fault"])
        return answer

    def end(self) -> None:
        """Kills it, waits for it, closes the pipes. Harmless when it is dead."""
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):  # a request that never went out
                if pipe is not None:
                    pipe.close()

    def leave(self) -> str:
        """Lets it end by itself, so that everything it had to say is out; how it ended and its last words."""
        with suppress(OSError, subprocess.TimeoutExpired):
            assert self.process.stdin is not None  # noqa: S101 - it was asked for
            self.process.stdin.close()
            self.process.wait(5)
        self.end()
        return self._last_words()

    def _last_words(self) -> str:
        code = self.process.poll()
        how = "runs" if code is None else f"ended with exit code {code}" if code >= 0 else f"was ended by {_signal(-code)}"
        return f"{how}; it said last: {' | '.join(self.said) or 'nothing'}"

    def _reader(self, work: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> threading.Thread:
        thread = threading.Thread(target=work, args=(pipe,), daemon=True)
        thread.start()
        return thread

    def _hear(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self.replies.put(line)
        self.replies.put(b"")

    def _overhear(self, pipe: IO[bytes]) -> None:
        while line := pipe.readline(4096):
            self.said.append(line.decode("utf-8", "replace").strip()[:300])


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
