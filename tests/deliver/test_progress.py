"""Progress tells done, total, time left and candidates: live on a terminal, one line a sample elsewhere."""

import os
import pty
import subprocess
import sys

import pytest

from venire.deliver import Step, progress
from venire.deliver.progress import Live, Plain, Silent, duration, sentence

STEP = Step(3, 12, 40.4, "app.py security run 3", "valid", 4)


def test_a_sentence_has_everything() -> None:
    assert sentence(STEP) == "3/12 app.py security run 3: valid; about 40 s left; 4 candidates so far"
    assert sentence(Step(12, 12, 0.0, "a.py b run 1", "valid", 1)) == "12/12 a.py b run 1: valid; 1 candidate so far"
    assert sentence(Step(0, 12, None, "a.py b", "", 0)) == "0/12 a.py b; 0 candidates so far"


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (119, "119 s"), (120, "2 min"), (3600, "60 min")])
def test_durations_are_rounded(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_elsewhere_a_line_is_written_for_every_finished_sample(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(is_quiet=False, is_verbose=False, is_captured=False) as watcher:
        assert isinstance(watcher, Plain)
        watcher.step(Step(2, 12, None, "app.py security", "", 4))
        watcher.step(STEP)
        watcher.say("loading")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [f"venire: {sentence(STEP)}", "venire: loading"]


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(is_quiet=True, is_verbose=True, is_captured=False) as watcher:
        assert isinstance(watcher, Silent)
        watcher.step(STEP)
        watcher.say("loading")
    assert capsys.readouterr().err == ""


SHOW = """
import sys
from venire.deliver import Step, progress
with progress(is_quiet=False, is_verbose=False, is_captured="captured" in sys.argv) as watcher:
    print(type(watcher).__name__, flush=True)
    watcher.say("loading")
    watcher.step(Step(3, 12, 40.4, "app\\x1b[31m.py security run 3", "valid", 4))
"""


@pytest.mark.parametrize(("word", "kind"), [("", Live), ("captured", Plain)])
def test_a_terminal_gets_a_live_line_unless_somebody_captures_it(word: str, kind: type) -> None:
    leader, follower = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    done = subprocess.run([sys.executable, "-c", SHOW, word], stdout=subprocess.PIPE, stderr=follower, env=env, text=True)
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    assert (done.returncode, done.stdout.strip()) == (0, kind.__name__)
    assert b"3/12 app\\x1b[31m.py security run 3: valid" in shown
    assert b"app\x1b[31m" not in shown
