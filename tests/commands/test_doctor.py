"""`venire doctor` says what would be used, how fast it is and what an audit would take; every failing line has its remedy."""

import importlib.util
import json
import re
import time
from pathlib import Path

import pytest
from support.cli import Done, script, venire
from support.git import Repo
from support.http import Answer, Request, said
from support.ollama import MODEL, Ollama

from venire.commands.doctor import doctor
from venire.commands.forecast import duration
from venire.config import Settings
from venire.errors import Exit


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("first", app__py="import os\n")
    return made


@pytest.fixture
def server():
    with Ollama() as server:
        server.on("/api/chat", lambda request: constrained(server, request))
        yield server


def constrained(server: Ollama, request: Request) -> Answer:
    """The only text that the schema allows, a millisecond a token."""
    value = json.loads(server.usual(request).body)
    if form := request.json.get("format"):
        (text,) = form["properties"]["answer"]["enum"]
        value["message"]["content"] = json.dumps({"answer": text})
        value |= {"done_reason": "stop", "eval_count": len(text.split()) + 4}
        time.sleep(value["eval_count"] / 1000)
    return said(value)


def examined(server: Ollama, repo: Repo, *words: str) -> Done:
    return venire("doctor", "--host", server.url, *words, cwd=repo.root)


def rows(done: Done) -> dict[str, str]:
    """The lines by what they are about; those of a failing part begin with two dashes."""
    found = re.findall(r"^(ok|--)  (\S.{9}) (.*)$", done.out, re.MULTILINE)
    return {name.strip(): f"-- {text}" if mark == "--" else text for mark, name, text in found}


def test_a_healthy_server_is_stated_timed_and_asked_for_nothing_but_short_replies(server, repo):
    repo.write("app.py", "import os\nx = os.environ['X']\n")
    done = examined(server, repo)
    said_of = rows(done)
    assert done.code == 0, done.err
    assert not re.search("^--", done.out, re.MULTILINE)
    assert said_of["model"] == f"{MODEL}, digest dae161e27b0e, Q4_K_M, 7.6B parameters"
    assert (said_of["engine"], said_of["context"]) == ("ollama 0.35.1", "8,192 tokens asked, 8,192 granted")
    assert said_of["GPU"] == "100% of the model is in its memory"
    assert re.fullmatch(r"\d+\.\d s for a short reply to \d+ prompt tokens", said_of["probe"])
    assert re.search(r"a reply ([\d,]+ tokens/s|too fast to tell)$", said_of["speed"])
    assert re.match(r"about .* for the working tree: 2 prompts of [\d,]+ tokens together, 5 samples of each", said_of["estimate"])
    assert "assumes 60 tokens a reply" in said_of["estimate"]
    assert len(server.asked("/api/chat")) == 4
    assert len(server.loads) == 1


def test_a_clean_working_tree_and_a_folder_without_git_are_said_so(server, repo, tmp_path):
    assert "no change to audit" in rows(examined(server, repo))["estimate"]
    done = venire("doctor", "--host", server.url, cwd=tmp_path)
    assert "no repository here" in rows(done)["estimate"]


def test_every_failing_line_says_what_to_do(server, repo):
    server.version, server.trained = "0.34.2", 4096
    server.running = {"size_vram": 1_250_000_000}
    server.show = {"messages": [{"role": "user", "content": "hi"}]}
    done = examined(server, repo)
    said_of = rows(done)
    assert done.code == 0
    assert said_of["context"] == "-- 8,192 tokens asked, 4,096 granted"
    assert said_of["GPU"] == "-- 25% of the model is in its memory"
    assert "CVE-2026-103663" in done.out
    lines = done.out.splitlines()
    failing = [number for number, line in enumerate(lines) if line.startswith("--")]
    assert len(failing) == 4
    assert all(lines[number + 1].lstrip().startswith("→ ") for number in failing)


@pytest.mark.parametrize("words", [("--backend", "ollama"), ("--backend", "ollama", "--model", "absent")])
def test_a_model_that_cannot_be_had_is_exit_4_with_the_line_that_helps(server, repo, words):
    done = venire("doctor", *words, "--host", server.url if "absent" in words else "127.0.0.1:9", cwd=repo.root)
    assert done.code == 4
    assert "→ ollama pull absent" in done.out if "absent" in words else "→ start it: ollama serve" in done.out


def test_a_model_that_does_not_answer_is_exit_4(server, repo):
    server.on(
        "/api/chat", lambda request: said({"error": "out of memory"}, 500) if "format" in request.json else server.usual(request)
    )
    done = examined(server, repo)
    assert (done.code, rows(done)["probe"][:20]) == (4, "-- no sound reply (s")


def test_a_script_of_replies_is_described_and_asked_only_on_demand(repo, tmp_path, capsys):
    backend = script(tmp_path / "replies.json", [{"findings": []}], digest="ab" * 32)
    done = venire("doctor", "--backend", backend, cwd=repo.root)
    assert (done.code, rows(done)["model"]) == (0, "scripted, digest abababababab, quantization not stated, size not stated")
    assert rows(done)["probe"].startswith("not made")
    assert doctor(Settings(backend=backend, root=repo.root), probe=True) == Exit.OK
    assert "for a short reply to" in capsys.readouterr().out


@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
def test_the_embedded_model_is_not_loaded_unasked(repo, tmp_path, capsys):
    """The file here is none that could be loaded, which shows as soon as it is tried."""
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    settings = Settings(backend="embedded", weights=str(tmp_path / "model.gguf"), root=repo.root)
    assert doctor(settings) == Exit.OK
    assert "not made, since it loads the model" in capsys.readouterr().out
    assert doctor(settings, probe=True) == Exit.UNAVAILABLE
    assert "--  model" in capsys.readouterr().out


def test_a_broken_panel_is_exit_2_and_still_tells_the_rest(server, repo, tmp_path):
    (tmp_path / "bad.yml").write_text("buckets: 3\n")
    done = examined(server, repo, "--criteria", str(tmp_path / "bad.yml"))
    assert done.code == 2
    assert rows(done)["criteria"].startswith("--")
    assert rows(done)["estimate"].startswith("--")
    assert MODEL in rows(done)["model"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "a second"), (45.4, "45 s"), (100, "2 min"), (3600, "60 min"), (7500, "2 h 5 min")]
)
def test_a_duration_is_told_in_the_largest_unit_that_says_something(seconds, text):
    assert duration(seconds) == text
