"""The OpenAI backend against llama.cpp's own HTTP server with the small model (slow), and the double against it."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import platformdirs
import pytest
from support.asking import bucket, prompt
from support.openai import OpenAI as Double

from venire.errors import BackendUnavailable
from venire.model import Ask, Plan, Reply, Sampling
from venire.panel import parse
from venire.sample.backends.openai import OpenAI, find
from venire.sample.weights import PINNED

MODEL = platformdirs.user_cache_path("venire") / "models" / PINNED.file  # read before the tests get a home of their own
KEY, SLOTS, CONTEXT = "the-key", 2, 2048
PLAN = Plan(context=4096, reply_tokens=128, sampling=Sampling(temperature=0.7, seed=3))
PROMPT = prompt(bucket(cap=1), plan=PLAN)

SERVE = """
import os, sys
os.putenv("OMP_WAIT_POLICY", "passive")
import xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.model_alias, p.api_keys = sys.argv[1], {sys.argv[2]}, [sys.argv[3]]
p.n_parallel, p.n_ctx, p.cache_ram_mib, p.ui = int(sys.argv[4]), int(sys.argv[5]), 0, False
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 2
p.verbosity = 1
server = xllamacpp.Server(p)
print(server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The server in a process of its own, which ends when its stdin does."""
    command = [sys.executable, "-c", SERVE, str(MODEL), PINNED.name, KEY, str(SLOTS), str(SLOTS * CONTEXT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout is not None
        lines = iter(child.stdout.readline, "")
        yield next(line.strip() for line in lines if line.startswith("http://"))
        assert child.stdin is not None
        child.stdin.close()
        child.wait(30)


@pytest.fixture(scope="module")
def client(url: str) -> OpenAI:
    backend = OpenAI(host=url, model=PINNED.name, plan=PLAN, api_key=KEY)
    backend.describe()
    return backend


def ask(seed: int, sampling: Sampling = PLAN.sampling) -> Ask:
    messages = (("system", PROMPT.system), ("user", PROMPT.user))
    return Ask(messages, PROMPT.schema, sampling, seed, PROMPT.reply_tokens, 120)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
@pytest.mark.skipif(not MODEL.is_file(), reason="the model file is not in the cache; run: venire fetch")
class TestRealServer:
    def test_its_facts_are_stated_as_it_says_them(self, client: OpenAI) -> None:
        info = client.recheck()
        assert info == client.describe()
        assert info.engine.startswith("llama.cpp ")
        assert (info.backend, info.name, info.context) == ("openai", PINNED.name, CONTEXT)
        assert (info.quantization, info.parameters) == ("Q4_K - Medium", "1.78B")
        assert info.warnings == (f"context of {PLAN.context} tokens asked, {CONTEXT} granted",)
        assert client.batch == SLOTS

    def test_replies_keep_to_the_contract_and_take_their_prompt_from_the_cache(self, client: OpenAI) -> None:
        first, second = client.reply(ask(1)), client.reply(ask(2))
        for reply in (first, second):
            parse(reply.text, PROMPT)
        assert first.prompt_tokens == second.prompt_tokens
        assert second.cached_tokens is not None
        assert second.cached_tokens > second.prompt_tokens // 2

    def test_a_pinned_sample_comes_again(self, client: OpenAI) -> None:
        pinned = Sampling(pinned=True)
        assert client.reply(ask(1, pinned)).text == client.reply(ask(1, pinned)).text

    def test_two_samples_come_from_one_request(self, client: OpenAI) -> None:
        outcomes = client.replies([ask(5), ask(6)])
        assert client.batch == SLOTS  # it did not refuse
        for outcome in outcomes:
            assert isinstance(outcome, Reply)
            parse(outcome.text, PROMPT)
        assert '"choices"' in outcomes[0].raw
        assert '"choices"' not in outcomes[1].raw

    def test_a_missing_key_is_told(self, url: str) -> None:
        with pytest.raises(BackendUnavailable, match="API key"):
            OpenAI(host=url, model=PINNED.name, plan=PLAN).describe()
        assert find(url, PINNED.name, api_key=KEY).is_ready

    def test_the_double_has_the_shapes_of_the_server(self, url: str) -> None:
        """Every field that the double gives is there, and of its type."""
        with Double("llama.cpp", slots=SLOTS) as double:
            for path in ("/health", "/v1/models", "/props"):
                assert_within(get(double.url, path), get(url, path), path)
            for changes in ({}, {"n": 2}, {"n": SLOTS + 1}, {"messages": [{"role": "user", "content": "word " * 40_000}]}):
                fake, real = (
                    chat(where, model, changes) for where, model in ((double.url, double.models[0]), (url, PINNED.name))
                )
                assert fake.status_code == real.status_code
                assert_within(fake.json(), real.json(), str(list(changes)))


def get(url: str, path: str) -> Any:
    return httpx.get(url + path, headers={"Authorization": f"Bearer {KEY}"}, trust_env=False, timeout=60).json()


def chat(url: str, model: str, changes: dict[str, object]) -> httpx.Response:
    body = {"model": model, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 2, "temperature": 0.5, "seed": 1}
    headers = {"Authorization": f"Bearer {KEY}"}
    return httpx.post(f"{url}/v1/chat/completions", json={**body, **changes}, headers=headers, trust_env=False, timeout=120)


def assert_within(fake: Any, real: Any, place: str) -> None:
    if isinstance(fake, dict):
        assert isinstance(real, dict), place
        for key, value in fake.items():
            if value is not None:
                assert key in real, f"{place}.{key}"
                assert_within(value, real[key], f"{place}.{key}")
    elif isinstance(fake, list):
        assert isinstance(real, list), place
        for one, other in zip(fake, real, strict=False):
            assert_within(one, other, f"{place}[]")
    else:
        assert isinstance(real, type(fake)) or (isinstance(fake, float) and isinstance(real, int)), f"{place}: {real!r}"
