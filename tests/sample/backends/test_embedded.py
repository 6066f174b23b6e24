"""The embedded backend: what it needs, what it states, how it waits, and (slow) the real small model."""

import hashlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import filelock
import platformdirs
import pytest

from venire.errors import BackendFailure, BackendUnavailable
from venire.model import Ask, Plan, Sampling
from venire.sample.backends.embedded import Embedded
from venire.sample.weights import PINNED, Weights

MODEL = platformdirs.user_cache_path("venire") / "models" / PINNED.file  # read before the tests get a home of their own
needs_engine = pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
needs_model = pytest.mark.skipif(not MODEL.is_file(), reason="the model file is not in the cache; run: venire fetch")

LINES = (
    '1: \t\treturn fmt.Errorf("could not open the file %s: %w", path, err)',
    "2: password = 'c:\\\\temp\\\\é'  # \u2028 <|im_end|> and more",
    '3: cursor.execute("SELECT * FROM users WHERE name = \'" + name + "\'")',
)
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "line": {"type": "string", "enum": list(LINES)},
            "problem": {"type": "string", "maxLength": 60},
            "check": {"enum": ["check_1", "other"]},
        },
        "required": ["line", "problem", "check"],
        "additionalProperties": False,
    }
)
ORDER = 'Answer with one line of compact JSON: {"line":"…","problem":"…","check":"check_1"}'


def ask(user: str = ORDER, *, seed: int = 1, tokens: int = 100, deadline: float = 120, schema: str = SCHEMA) -> Ask:
    messages = (("system", "You review code.\n" + "\n".join(LINES)), ("user", user))
    return Ask(messages, schema, Sampling(pinned=True), seed, tokens, deadline)


def broken(folder: Path) -> tuple[Path, Weights]:
    """A file that is what was pinned, and no model."""
    path = folder / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(4000))
    return path, replace(PINNED, name="broken", size=4004, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def unavailable(backend: Embedded) -> BackendUnavailable:
    with pytest.raises(BackendUnavailable) as caught:
        backend.describe()
    return caught.value


def test_without_the_engine_the_remedy_is_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    found = unavailable(Embedded(weights=tmp_path / "m.gguf", plan=Plan(), lock=tmp_path / "lock"))
    assert found.remedy == 'pip install "venire[embedded]"'


@needs_engine
def test_without_the_file_the_remedy_is_to_fetch_it(tmp_path: Path) -> None:
    found = unavailable(Embedded(weights=tmp_path / "m.gguf", plan=Plan(), lock=tmp_path / "lock"))
    assert found.remedy == "venire fetch"


@needs_engine
def test_a_file_that_is_not_the_pinned_one_is_never_loaded(tmp_path: Path) -> None:
    path, _ = broken(tmp_path)
    backend = Embedded(weights=path, plan=Plan(), lock=tmp_path / "lock")
    found = unavailable(backend)
    assert PINNED.sha256 in found.message
    assert hashlib.sha256(path.read_bytes()).hexdigest() in found.message
    assert backend.loads == 0


@needs_engine
def test_a_model_that_cannot_be_loaded_is_unavailable_in_the_engines_words_and_frees_the_machine(tmp_path: Path) -> None:
    path, model = broken(tmp_path)
    backend = Embedded(weights=path, plan=Plan(), lock=tmp_path / "lock", model=model)
    assert "failed to load model" in unavailable(backend).message
    with filelock.FileLock(tmp_path / "lock", timeout=0):
        assert backend.loads == 0


@needs_engine
def test_two_audits_wait_for_each_other_and_say_so(tmp_path: Path) -> None:
    path, model = broken(tmp_path)
    said: list[str] = []
    waiting = threading.Event()

    def progress(text: str) -> None:
        said.append(text)
        if text == "waiting for another audit":
            waiting.set()

    backend = Embedded(weights=path, plan=Plan(), lock=tmp_path / "locks" / "lock", model=model, progress=progress)
    (tmp_path / "locks").mkdir()
    with filelock.FileLock(tmp_path / "locks" / "lock"):
        thread = threading.Thread(target=unavailable, args=(backend,))
        thread.start()
        assert waiting.wait(30)
        assert not any(text.startswith("loading") for text in said)
    thread.join()
    assert said[-1].startswith("loading broken")


# ---------------------------------------------------------------- the real model


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """One backend for all tests, loaded and warm."""
    backend = Embedded(weights=MODEL, plan=Plan(context=1024), lock=tmp_path_factory.mktemp("lock") / "lock")
    backend.describe()
    yield backend
    backend.close()


@pytest.mark.slow
@needs_engine
@needs_model
class TestRealModel:
    def test_the_facts_are_the_engines(self, real: Embedded) -> None:
        info = real.recheck()
        assert info.engine.startswith("xllamacpp ")
        assert (info.backend, info.name, info.digest) == ("embedded", PINNED.name, PINNED.sha256)
        assert (info.quantization, info.parameters, info.context, info.warnings) == ("Q4_K - Medium", "1.78B", 1024, ())
        assert info.gpu_share in (0.0, None)

    def test_a_reply_is_one_line_of_compact_json_that_keeps_to_the_schema(self, real: Embedded) -> None:
        """Quotes, backslashes, tabs, other scripts and control-token text in the lines notwithstanding."""
        for line in LINES:
            only = json.loads(SCHEMA)
            only["properties"] = {"line": {"enum": [line]}, "check": only["properties"]["check"]}
            reply = real.reply(ask(schema=json.dumps(only)))
            assert list(json.loads(reply.text)) == ["line", "check"]
            assert json.loads(reply.text)["line"] == line
            assert reply.text.startswith('{"line":"')
            assert "\n" not in reply.text
            assert json.loads(reply.raw)["model"] == PINNED.name

    def test_a_pinned_sample_comes_again_and_takes_its_prompt_from_the_cache(self, real: Embedded) -> None:
        _, second, third = (real.reply(ask()) for _ in range(3))
        assert second.text == third.text
        assert third.cached_tokens == third.prompt_tokens - 1
        assert (third.load_ms, real.loads) == (0, 1)

    def test_control_tokens_in_a_message_stay_text(self, real: Embedded) -> None:
        """One token each as control tokens, several as text."""
        plain, marked = (real.reply(ask(user=ORDER + text)) for text in ("", "<|im_end|>" * 4))
        assert marked.prompt_tokens - plain.prompt_tokens >= 4 * 5

    def test_a_reply_cut_by_its_limit_or_a_prompt_too_long_is_no_reply(self, real: Embedded) -> None:
        for kind, wanted in (("length", ask(tokens=3)), ("context", ask(user="word " * 2000))):
            with pytest.raises(BackendFailure) as caught:
                real.reply(wanted)
            assert caught.value.kind == kind

    def test_a_child_that_is_killed_costs_one_sample(self, real: Embedded) -> None:
        assert real._child is not None
        before = real.loads
        killer = threading.Timer(0.5, os.kill, (real._child.process.pid, signal.SIGKILL))
        killer.start()
        with pytest.raises(BackendFailure) as caught:
            real.reply(ask(user="Something else. " + ORDER))
        killer.join()
        assert (caught.value.kind, real.loads) == ("crashed", before + 1)

        reply = real.reply(ask())
        assert reply.load_ms > 0
        assert reply.cached_tokens == 0
        assert real.loads == before + 1

    def test_a_deadline_ends_the_sample_and_the_next_one_works(self, real: Embedded) -> None:
        start = time.monotonic()
        with pytest.raises(BackendFailure) as caught:
            real.reply(ask(user="Another thing. " + ORDER, deadline=0.2))
        assert caught.value.kind == "timeout"
        assert time.monotonic() - start < 30
        assert real.reply(ask()).text

    def test_a_parent_that_is_killed_while_the_model_loads_leaves_no_child(self, tmp_path: Path) -> None:
        program = (
            "import sys, threading, time; from pathlib import Path; from venire.model import Plan;"
            "from venire.sample.backends.embedded import Embedded;"
            "e = Embedded(weights=Path(sys.argv[1]), plan=Plan(context=512), lock=Path(sys.argv[2]));"
            "threading.Thread(target=e.describe, daemon=True).start()\n"
            "while e._child is None: time.sleep(0.01)\n"
            "time.sleep(0.5); print(e._child.process.pid, flush=True); time.sleep(600)"
        )
        command = [sys.executable, "-c", program, str(MODEL), str(tmp_path / "lock")]
        parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        parent.stdout.close()

        end = time.monotonic() + 60
        while _is_running(pid) and time.monotonic() < end:
            time.sleep(0.1)
        assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")
