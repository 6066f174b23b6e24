"""The child process answers, is ended when late, says how it died, and outlives nobody."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from venire.errors import BackendFailure
from venire.sample.backends.embedded_process import Child

posix = pytest.mark.skipif(os.name != "posix", reason="signals and process ids as POSIX has them")


@pytest.fixture
def child() -> Iterator[Child]:
    child = Child()
    yield child
    child.end()


def fault(child: Child, seconds: float = 60) -> BackendFailure:
    with pytest.raises(BackendFailure) as caught:
        child.ask({"do": "facts"}, seconds)
    return caught.value


def is_running(pid: int) -> bool:
    """Not gone, and not a zombie that its new parent has yet to collect."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def wait_for_end(pid: int, seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not is_running(pid)


def test_a_fault_in_the_child_is_an_answer_and_the_child_lives_on(child: Child) -> None:
    for _ in range(2):
        found = fault(child)
        assert (found.kind, "no model loaded" in found.message) == ("transport", True)
    assert child.process.poll() is None


@posix
def test_ctrl_c_is_the_parents_to_answer(child: Child) -> None:
    fault(child)
    os.kill(child.process.pid, signal.SIGINT)
    assert fault(child).kind == "transport"
    assert os.getsid(child.process.pid) != os.getsid(0)


def test_a_child_that_is_late_is_ended(child: Child) -> None:
    assert fault(child, 0.0001).kind == "timeout"
    assert child.process.poll() is not None


@posix
def test_a_child_that_dies_is_a_crash_with_its_cause(child: Child) -> None:
    fault(child)
    os.kill(child.process.pid, signal.SIGSEGV)
    found = fault(child)
    assert (found.kind, found.is_transient) == ("crashed", True)
    assert "SIGSEGV" in found.message


@posix
def test_a_parent_that_is_killed_leaves_no_child() -> None:
    program = (
        "import time; from venire.sample.backends.embedded_process import Child as C; c = C(); print(c.process.pid, flush=True)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program + "; time.sleep(600)"], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_running(pid)

    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert wait_for_end(pid)
