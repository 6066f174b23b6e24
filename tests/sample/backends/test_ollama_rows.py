"""Every failure that an Ollama server and the way to it can show, one test a row, named by its number in the design's list.

Each stands at the level it is about: the backend, the sampler over it, or a whole audit by the command line.
"""

import itertools
import json
import os
import re
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support import asking
from support.cli import Done, script, venire
from support.git import Repo
from support.http import Answer, Request, said
from support.ollama import DIGEST, MODEL, MODES, NATIVE_OVERFLOW, RENDERED_OVERFLOW, Ollama, changed, cut_to, message

from venire.errors import BackendFailure, BackendUnavailable, ConfigError, Exit
from venire.model import Ask, Attempt, Panel, Plan, Run, Sampling
from venire.panel import prompts
from venire.sample import Sitting, sample
from venire.sample.backends import ollama as backend
from venire.sample.backends import ollama_wait
from venire.sample.backends.address import reach
from venire.sample.backends.embedded_process import Child

CLEAN = '{"findings":[]}'
FOUND = asking.reply(asking.finding())
SCHEMA = asking.prompt().schema
TELLING = "def read(path):\n    return open(path)\n"


@pytest.fixture
def server():
    with Ollama() as server:
        yield server


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py="import os\n")
    made.write("app.py", "import os\n" + TELLING)
    return made


def described(server: Ollama, **more: Any) -> backend.Ollama:
    given = {"host": server.url, "model": MODEL, "plan": Plan(context=4096), "sleep": lambda seconds: None}
    client = backend.Ollama(**{**given, **more})
    client.describe()
    return client


def ask(**changes: Any) -> Ask:
    usual = {"messages": (("system", "x"), ("user", "y")), "schema": SCHEMA, "sampling": Sampling(), "seed": 5}
    return Ask(**{**usual, "reply_tokens": 64, "deadline": 20.0, **changes})


def failure(client: backend.Ollama, **changes: Any) -> BackendFailure:
    with pytest.raises(BackendFailure) as caught:
        client.reply(ask(**changes))
    return caught.value


@dataclass
class Drawn:
    """What the sampler saved."""

    runs: list[Run] = field(default_factory=list)
    warmups: list[Attempt] = field(default_factory=list)

    @property
    def valid(self) -> int:
        return sum(run.status == "valid" for run in self.runs)


def draw(client: backend.Ollama, runs: int, **more: Any) -> Drawn:
    """One prompt about a small file, asked that often."""
    plan, drawn = Plan(runs=runs, context=4096, **more), Drawn()
    asked = prompts(asking.target(), Panel((asking.bucket(),)), plan, MODEL)
    sitting = Sitting(drawn.runs.append, drawn.warmups.append, lambda step: None, time.monotonic)
    assert sample(asked, plan, client, sitting) == "complete"
    return drawn


def audit(server: Ollama, repo: Repo, *words: str, env: dict[str, str] | None = None) -> Done:
    return venire(
        "audit", "--backend", "ollama", "--host", server.url, "--format", "json", "-n", "3", *words, cwd=repo.root, env=env
    )


def is_sample(request: Request) -> bool:
    """A sample has a format; the probe that loads the model has none, and a warm-up has few tokens."""
    return "format" in request.json and request.json["options"]["num_predict"] > 8


def on_samples(server: Ollama, behave: Callable[[Ollama, Request], Answer]) -> None:
    """Samples are answered so; the probe and warm-ups as usual."""
    server.on("/api/chat", lambda request: behave(server, request) if is_sample(request) else server.usual(request))


# ---------------------------------------------------------------- 1 to 13: what a 200 may hide


@pytest.mark.parametrize("mode", ["done_false", "zero_body"])
def test_row_01_an_unfinished_200_is_a_failed_sample_that_keeps_its_reason(server, mode):
    client = described(server)
    on_samples(server, MODES[mode])
    (run,) = draw(client, 1).runs
    assert run.status == "failed"
    assert run.attempts[-1].error.startswith("unfinished: the server ended the reply before it was finished")
    assert '"done": false' in run.attempts[-1].raw


def test_row_02_half_a_reply_fails_wherever_it_is_cut(server):
    """Said to be cut, or, by a server that lies, to have ended by itself."""
    client = described(server)
    for reason, attempts in (("length", 1), ("stop", 4)):
        for end in range(1, len(FOUND), 1 if reason == "length" else 9):
            half = {"role": "assistant", "content": FOUND[:end]}
            on_samples(server, changed(done_reason=reason, message=half))
            (run,) = draw(client, 1).runs
            assert (run.status, len(run.attempts)) == ("failed", attempts)
            assert all(attempt.error or attempt.fault for attempt in run.attempts)


@pytest.mark.parametrize("mode", ["load", "unload"])
def test_row_03_a_model_that_was_only_loaded_or_unloaded_did_not_answer(server, mode):
    client = described(server)
    server.fail(mode)
    assert f"done_reason '{mode}'" in failure(client).message


@pytest.mark.parametrize(("context", "said_count"), [(4096, 2050), (32768, 16386), (65536, 32770)])
def test_row_04_a_prompt_cut_unsaid_leaves_no_valid_run(context, said_count):
    with Ollama(trained=65536) as server:
        client = described(server, plan=Plan(context=context))
        server.on("/api/chat", lambda request: cut_to(context)(server, request))
        found = failure(client)
        assert (found.kind, str(said_count) in found.message) == ("context", True)
        drawn = draw(client, 2)
        assert (drawn.valid, [len(run.attempts) for run in drawn.runs]) == (0, [1, 1])


def test_row_05_an_overflow_told_as_json_in_json_gives_both_numbers_and_is_not_sent_again(server):
    client = described(server)
    server.on("/api/chat", lambda request: NATIVE_OVERFLOW(351, 256))
    found = failure(client)
    assert (found.kind, found.message) == ("context", "the prompt has 351 tokens, the context 256")
    assert [len(run.attempts) for run in draw(client, 2).runs] == [1, 1]


def test_row_05_a_change_too_long_for_the_context_is_split_before_it_is_asked(server, repo):
    repo.write(
        "app.py", "import os\n" + "".join(f"def f{n}(x):\n    return os.path.join(x, 'part {n}')\n\n\n" for n in range(150))
    )
    done = audit(server, repo, "--context", "4096", "-n", "1", "--reply-tokens", "256")
    assert done.json["coverage"][0]["windows"] > 1
    assert not any("context" in failed["reason"] for failed in done.json["failures"])


@pytest.mark.parametrize("is_native", [True, False])
def test_row_05_code_that_the_server_refuses_as_too_long_is_cut_again_and_asked(repo, is_native):
    """Rows of digits have fewer bytes a token than the windows are cut for, and the server says so."""
    repo.write("app.py", "import os\n" + "".join(f"r{n} = [{','.join('7' * 60)}]\n" for n in range(120)))
    with Ollama(is_native=is_native) as server:
        server.on("/api/chat", lambda request: counted(server, request))
        done = audit(server, repo, "--context", "4096", "-n", "1", "--reply-tokens", "256")
    (covered,) = done.json["coverage"]
    assert done.json["failures"] == []
    assert (done.code, done.json["status"]) == (0, "complete")
    assert covered["windows"] > 1
    assert any("cut into smaller windows" in note for note in covered["notes"])
    assert "the model refused a prompt as too long" in done.err


def counted(server: Ollama, request: Request) -> Answer:
    """As a tokenizer that takes every digit and sign for a token: a prompt above the context is refused."""
    tokens = sum(len(re.findall(r"[0-9]|[^\w\s]|[^\W\d]+", m["content"])) for m in request.json["messages"])
    context = request.json["options"]["num_ctx"]
    if tokens > context:
        return NATIVE_OVERFLOW(tokens, context) if server.is_native else RENDERED_OVERFLOW
    return server.usual(request)


def test_row_06_an_overflow_told_in_words_is_of_the_same_kind(server):
    client = described(server)
    server.on("/api/chat", lambda request: RENDERED_OVERFLOW)
    assert failure(client).kind == "context"


def test_row_07_a_prompt_that_is_not_counted_or_not_always_alike_makes_the_run_inconclusive(server, repo):
    client = described(server)
    server.fail("no_count")
    assert "did not count the prompt" in failure(client).message
    counts = itertools.count(100)
    on_samples(server, lambda at, request: changed(prompt_eval_count=next(counts))(at, request))
    done = audit(server, repo)
    assert (done.code, done.json["status"]) == (3, "inconclusive")
    assert any("mismatch: the server counts" in failed["reason"] for failed in done.json["failures"])


def test_row_08_a_smaller_context_than_asked_for_is_refused_before_the_first_sample(server, repo):
    server.running = {"context_length": 4096}
    done = audit(server, repo)
    assert done.code == 4
    assert "a context of 4096, not 8192" in done.err
    assert not any(is_sample(request) for request in server.asked("/api/chat"))


UNCONSTRAINED = {
    "prose": "I looked at the file and line 4 may be a problem, since path is not checked.",
    "a greeting": "Sure! Here is the audit you asked for:",
    "a fence": f"```json\n{FOUND}\n```",
    "a fence after words": f"The findings are:\n```\n{FOUND}\n```",
    "words after": f"{FOUND}\n\nLet me know if you need more.",
    "a doubled brace": '{"{"findings":[]}}',
    "single quotes": "{'findings': []}",
    "a bare list": "[" + FOUND.removeprefix('{"findings":[').removesuffix("]}") + "]",
    "two objects": CLEAN + CLEAN,
    "thinking in the text": f"<think>is it wrong?</think>{FOUND}",
    "a table": "| line | problem |\n|---|---|\n| 4 | It is wrong. |",
    "a tool call": '{"name":"report","arguments":{"findings":[]}}',
}


@pytest.mark.parametrize("content", UNCONSTRAINED.values(), ids=UNCONSTRAINED.keys())
def test_row_09_a_reply_that_ignores_the_format_fails_its_sample(server, content):
    client = described(server)
    on_samples(server, message(content))
    (run,) = draw(client, 1).runs
    assert (run.status, len(run.attempts)) == ("failed", 4)
    assert all(attempt.fault and attempt.text == content for attempt in run.attempts)


def test_row_09_a_report_says_how_many_runs_could_be_used(server, repo):
    """The second run of every prompt answers in prose, however often it is asked."""

    def second_in_prose(at: Ollama, request: Request) -> Answer:
        is_second = request.json["options"]["seed"] % 1_000_003 % 3 == 1
        return message("Looks fine to me.")(at, request) if is_second else at.usual(request)

    on_samples(server, second_in_prose)
    done = audit(server, repo)
    assert (done.json["asked"], done.json["valid"], done.json["status"]) == (3, 2, "partial")


@pytest.mark.parametrize(
    "entry",
    [
        {"line": 4},
        {"line": "900: import os"},
        {"check": "check_99"},
        {"severity": "catastrophic"},
        {"problem": ""},
        {"problem": None},
        {"more": 1},
    ],
)
def test_row_10_json_that_breaks_the_schema_fails_its_sample(server, entry):
    client = described(server)
    on_samples(server, message(asking.reply(asking.finding(**entry))))
    (run,) = draw(client, 1).runs
    assert (run.status, len(run.attempts)) == ("failed", 4)
    assert all(attempt.fault for attempt in run.attempts)


def test_row_11_an_answer_in_the_thinking_fails_with_the_hint(server):
    client = described(server)
    on_samples(server, message("", thinking=FOUND))
    (run,) = draw(client, 1).runs
    assert (run.status, len(run.attempts)) == ("failed", 1)
    assert "thinking although think was false" in run.attempts[0].error
    assert all(request.json["think"] is False for request in server.asked("/api/chat"))


SPACES = " " * 10**6


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (changed(done_reason="length", eval_count=64, message={"role": "assistant", "content": SPACES}), "length"),
        (message(SPACES), "rubbish"),
    ],
    ids=["cut by its tokens", "ended by itself"],
)
def test_row_12_a_million_spaces_are_a_failed_sample(server, answer, kind):
    client = described(server)
    on_samples(server, answer)
    assert failure(client).kind == kind
    assert server.asked("/api/chat")[-1].json["options"]["num_predict"] == 64


def test_row_12_spaces_without_end_are_left_at_the_deadline(server):
    client = described(server)
    server.fail("drip")
    assert failure(client, deadline=0.3).kind == "timeout"


def test_row_12_an_answer_among_a_million_spaces_breaks_the_contract(server):
    client = described(server)
    on_samples(server, message('{"findings":[' + SPACES + "]}"))
    (run,) = draw(client, 1).runs
    assert (run.status, "bytes long" in run.attempts[0].fault) == ("failed", True)


def test_row_13_a_refused_grammar_is_replaced_by_plain_json_once_and_that_is_recorded(server):
    client = described(server)
    server.on(
        "/api/chat",
        lambda request: (
            MODES["grammar"](server, request) if isinstance(request.json.get("format"), dict) else server.usual(request)
        ),
    )
    drawn = draw(client, 2)
    formats = [request.json.get("format") for request in server.asked("/api/chat")]
    assert (formats.count("json"), sum(isinstance(form, dict) for form in formats)) == (3, 1)
    assert drawn.valid == 2
    assert "failed to parse grammar" in drawn.warmups[0].raw
    assert any("plain JSON" in warning for warning in client.recheck().warnings)


# ---------------------------------------------------------------- 14 to 21: the model and its server


def test_row_14_a_missing_model_is_exit_4_with_the_pull_line_and_nothing_is_pulled(server, repo):
    done = audit(server, repo, "--model", "absent:1b")
    assert done.code == 4
    assert "ollama pull absent:1b" in done.err
    assert {request.path for request in server.requests} <= {"/api/version", "/api/tags", "/api/show"}


def test_row_15_a_busy_server_is_asked_again_after_waits_that_are_recorded(server):
    slept: list[float] = []
    client = described(server, sleep=slept.append)
    busy = [lambda request: MODES["busy"](server, request)] * 3
    server.on("/api/chat", *busy, server.usual)
    got = client.reply(ask())
    assert got.text == CLEAN
    assert slept == list(itertools.islice(ollama_wait.waits(5), 3))
    bodies = got.raw.split("\n")
    assert [("server busy" in body, '"done": true' in body) for body in bodies] == [(True, False)] * 3 + [(False, True)]
    assert any("busy and refused 3 requests" in warning for warning in client.recheck().warnings)


def test_row_15_the_waits_double_to_a_cap_and_differ_between_samples():
    for seed in range(50):
        waits = list(ollama_wait.waits(seed))
        bounds = [min(ollama_wait.FIRST * 2**turn, ollama_wait.MOST) for turn in range(len(waits))]
        assert all(bound / 2 <= wait <= bound for wait, bound in zip(waits, bounds, strict=True))
    assert len({tuple(ollama_wait.waits(seed)) for seed in range(50)}) == 50


def test_row_15_a_server_that_stays_busy_fails_the_sample_for_good(server):
    client = described(server)
    server.fail("busy")
    found = failure(client)
    assert (found.kind, found.is_transient, "(asked 6 times)" in found.message) == ("status", False, True)
    assert found.raw.count("server busy") == len(server.asked("/api/chat")) - 1 == ollama_wait.REQUESTS


def test_row_15_no_wait_goes_beyond_the_deadline(server):
    slept: list[float] = []
    client = described(server, sleep=slept.append)
    server.fail("busy")
    assert "(asked 1 times)" in failure(client, deadline=0.2).message
    assert slept == []


def test_row_16_a_slow_load_is_waited_for_by_one_request(server):
    """It takes longer here than a sample may; the time a load is given is far above four minutes."""

    def slow(request: Request) -> Answer:
        time.sleep(0.6)
        return server.usual(request)

    server.on("/api/chat", slow)
    described(server, plan=Plan(context=4096, sample_time=0.1))
    assert len(server.asked("/api/chat")) == len(server.loads) == 1
    assert backend.LOAD_SECONDS > 2 * 240


@dataclass
class Away:
    """The model was unloaded, and a sample's deadline is too short to load it. ``comes_back``: a request of its own does."""

    server: Ollama
    comes_back: bool
    is_away: bool = True

    def __post_init__(self) -> None:
        self.server.on("/api/ps", lambda request: said({"models": []}) if self.is_away else self.server.usual(request))
        self.server.on("/api/chat", self.chat)

    def chat(self, request: Request) -> Answer:
        if "format" not in request.json:
            self.is_away = not self.comes_back
            return self.server.usual(request) if self.comes_back else MODES["crash"](self.server, request)
        return self.server.usual(request) if not self.is_away else Answer(manner="silent")


def loads_asked(server: Ollama) -> int:
    return sum("format" not in request.json for request in server.asked("/api/chat"))


def test_row_17_a_load_that_our_deadline_cut_is_given_its_time_once(server):
    client = described(server)
    Away(server, comes_back=True)
    drawn = draw(client, 3, sample_time=0.3)
    assert (drawn.valid, loads_asked(server)) == (3, 2)


def test_row_17_a_model_that_does_not_come_back_is_not_loaded_in_a_loop(server):
    client = described(server)
    Away(server, comes_back=False)
    drawn = draw(client, 3, sample_time=0.3)
    assert (drawn.valid, loads_asked(server)) == (0, 2)
    assert len([r for r in server.asked("/api/chat") if "format" in r.json]) == 1  # the one that the deadline cut
    assert "could not be loaded again" in drawn.runs[-1].attempts[-1].error


def test_row_18_a_model_loaded_again_in_between_is_flagged_and_warmed_up_again(server):
    client = described(server)
    slow = changed(load_duration=4_000_000_000)
    samples = itertools.count(1)
    on_samples(server, lambda at, request: slow(at, request) if next(samples) == 2 else at.usual(request))
    drawn = draw(client, 3)
    assert [run.attempts[-1].load_ms for run in drawn.runs] == [21, 4000, 21]
    assert (client.loads, len(drawn.warmups)) == (2, 2)


def test_row_18_a_reload_in_the_middle_is_told_by_the_report(server, repo):
    samples = itertools.count(1)
    slow = changed(load_duration=4_000_000_000)
    on_samples(server, lambda at, request: slow(at, request) if next(samples) == 2 else at.usual(request))
    assert any("loaded again before 1 of the counted samples" in warning for warning in audit(server, repo).json["warnings"])


def test_row_18_a_model_loaded_again_with_another_context_fails_the_sample(server):
    client = described(server)
    server.running = {"context_length": 2048}
    server.on("/api/chat", lambda request: changed(load_duration=4_000_000_000)(server, request))
    found = failure(client)
    assert (found.kind, "a context of 2048" in found.message, bool(found.raw)) == ("context", True, True)


def test_row_19_a_model_that_was_exchanged_during_the_audit_is_told(server, repo):
    other = {"digest": "1" * 64}

    def exchanged(request: Request) -> Answer:
        value = json.loads(server.usual(request).body)
        return said({"models": [{**entry, **other} for entry in value["models"]]})

    server.on("/api/ps", server.usual, exchanged)
    done = audit(server, repo)
    assert any("the model changed during the audit (2 digests)" in reason for reason in done.json["reasons"])
    assert [model["digest"] for model in done.json["models"]] == [DIGEST, "1" * 64]
    assert (done.code, done.json["status"]) == (3, "inconclusive")


def test_row_19_a_reload_that_brings_another_model_fails_its_sample(server):
    client = described(server)
    server.running = {"digest": "1" * 64}
    server.on("/api/chat", lambda request: changed(load_duration=4_000_000_000)(server, request))
    assert failure(client).kind == "mismatch"


@pytest.mark.parametrize("where", ["show", "tag"])
@pytest.mark.parametrize("is_off", [True, False])
def test_row_20_a_model_that_runs_elsewhere_is_refused_and_sent_nothing(server, where, is_off):
    setattr(server, where, {"remote_host": "https://ollama.com:443", "remote_model": "glm"})
    server.on("/api/status", lambda request: said({"cloud": {"disabled": is_off, "source": "env"}}))
    with pytest.raises(BackendUnavailable, match=r"runs at https://ollama\.com:443") as caught:
        described(server)
    assert ("OLLAMA_NO_CLOUD=1" in caught.value.remedy) == (not is_off)
    assert server.asked("/api/chat") == []


def test_row_20_a_reply_from_elsewhere_is_no_sample(server):
    client = described(server)
    server.fail("remote")
    assert failure(client).kind == "mismatch"


@pytest.mark.parametrize("vram", [0, 2_500_000_000, None])
def test_row_21_a_model_outside_gpu_memory_is_exit_4_where_a_gpu_is_required(server, vram):
    server.running = {"size_vram": vram}
    with pytest.raises(BackendUnavailable, match="a GPU is required") as caught:
        described(server, require_gpu=True)
    assert (caught.value.exit, bool(caught.value.remedy)) == (Exit.UNAVAILABLE, True)
    assert described(server).recheck().warnings == ()


def test_row_21_a_model_that_left_gpu_memory_is_warned_of_after_the_last_sample(server):
    client = described(server, require_gpu=True)
    assert client.recheck().warnings == ()
    server.running = {"size_vram": 1_250_000_000}
    (warning,) = client.recheck().warnings
    assert "25% of the model is in GPU memory" in warning


# ---------------------------------------------------------------- 22 to 32: the way there


def test_row_22_no_proxy_of_the_environment_sees_a_request(server, repo):
    with Ollama() as proxy:
        proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"), proxy.url)
        done = audit(server, repo, env={**proxies, "NO_PROXY": "", "no_proxy": ""})
        assert done.code == 0, done.err
        assert proxy.requests == []


@pytest.mark.parametrize("status", [301, 307, 308])
def test_row_23_a_redirect_is_an_error_and_the_prompt_goes_nowhere(server, status):
    with Ollama() as other:
        client = described(server)
        server.on("/api/chat", lambda request: Answer(status, b"", {"Location": f"{other.url}/api/chat"}))
        assert "redirects to" in failure(client).message
        assert other.requests == []


def test_row_24_a_key_of_the_environment_stays_at_home_and_foreign_hosts_are_not_asked(server, repo):
    assert audit(server, repo, env={"OLLAMA_API_KEY": "secret"}).code == 0
    assert not any("authorization" in request.headers for request in server.requests)
    assert audit(server, repo, env={"VENIRE_API_KEY": "mine"}).code == 0
    assert server.requests[-1].headers["authorization"] == "Bearer mine"
    with pytest.raises(ConfigError, match="not this machine"):
        backend.Ollama(host="http://198.51.100.7:11434", model=MODEL, plan=Plan(), api_key="mine")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("::", "http://127.0.0.1:11434"),
        ("[::]:8080", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:11434"),
        ('"127.0.0.1:11434"', "http://127.0.0.1:11434"),
        ("'http://127.0.0.1'", "http://127.0.0.1:11434"),
        ("http://localhost", "http://127.0.0.1:11434"),
        ("localhost:1234/", "http://127.0.0.1:1234"),
        ("", "http://127.0.0.1:11434"),
    ],
)
def test_row_25_every_way_to_write_this_machine_is_normalised(text, url):
    assert reach(text).url == url


BROKEN = ("reset", "cut", "html", "empty", "list", "error_list", "error_string", "bad_utf8", "deep", "gzip", "huge")


@pytest.mark.parametrize("mode", BROKEN)
def test_row_26_a_broken_answer_is_a_failed_sample(server, mode):
    client = described(server)
    on_samples(server, MODES[mode])
    drawn = draw(client, 1)
    assert (drawn.valid, bool(drawn.runs[0].attempts[-1].error)) == (0, True)


def test_row_26_an_audit_of_nothing_but_broken_answers_ends_without_a_traceback(server, repo):
    modes = itertools.cycle(BROKEN[:-1])
    on_samples(server, lambda at, request: MODES[next(modes)](at, request))
    done = audit(server, repo)
    assert (done.code, done.json["valid"]) == (3, 0)
    assert "Traceback" not in done.err


def test_row_27_a_stream_without_an_end_fails(server):
    client = described(server)
    server.fail("stream")
    assert failure(client).kind == "rubbish"


def test_row_27_line_separators_in_a_reply_are_text_and_no_stream_is_asked_for(server):
    client = described(server)
    server.fail("raw_nel")
    assert client.reply(ask()).text == f"{CLEAN}\u0085\u2028"
    assert all(request.json["stream"] is False for request in server.asked("/api/chat"))


@pytest.mark.parametrize("mode", ["drip", "drip_head", "silent"])
def test_row_28_a_server_that_never_ends_is_left_at_the_deadline_of_the_whole_exchange(server, mode):
    client = described(server)
    server.fail(mode)
    assert failure(client, deadline=0.3).kind == "timeout"


def test_row_29_a_client_that_cannot_be_imported_is_told_and_other_backends_work(server, repo, tmp_path):
    hostile = {"ALL_PROXY": "socks5h://127.0.0.1:9", "OLLAMA_HOST": "http://[bad"}
    done = audit(server, repo, env=hostile)
    assert done.code == 4
    assert "the Ollama client does not start" in done.err
    assert "Traceback" not in done.err
    scripted = script(tmp_path / "replies.json", [{"findings": []}])
    assert venire("audit", "--backend", scripted, "--host", server.url, cwd=repo.root, env=hostile).code == 0


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_row_30_an_engine_that_dies_costs_one_sample_and_not_this_process():
    child = Child()
    os.kill(child.process.pid, signal.SIGABRT)
    with pytest.raises(BackendFailure) as caught:
        child.ask({"do": "facts"}, 60)
    assert (caught.value.kind, caught.value.is_transient) == ("crashed", True)


def test_row_31_the_same_bytes_for_every_seed_show_no_independence(server, repo):
    def same(at: Ollama, request: Request) -> Answer:
        lines = request.json["format"]["properties"]["findings"]["items"]["properties"]["line"]["enum"]
        return message(asking.reply(asking.finding(line=lines[-1])))(at, request)

    on_samples(server, same)
    done = audit(server, repo)
    assert any("independence not shown" in warning for warning in done.json["warnings"])


def test_row_32_a_server_that_others_can_run_code_on_is_told_in_the_report(repo):
    with Ollama(version="0.34.2") as server:
        done = audit(server, repo)
    assert done.code == 0
    assert any("CVE-2026-103663" in warning and "0.34.2" in warning for warning in done.json["warnings"])
