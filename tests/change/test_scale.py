"""Large inputs cost bounded memory, and processes do not grow with files."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from support.git import Repo

from venire.change import collect, cut
from venire.change.git import _run
from venire.model import Source


def test_a_line_of_50_megabytes_is_never_held(repo: Repo, tmp_path: Path) -> None:
    repo.commit(a__py="1\n")
    repo.write("a.js", b"x" * 50_000_000)
    repo.git("-c", "core.compression=1", "add", "a.js")
    sources = [Source("worktree"), Source("staged")]
    collect(sources[1], repo.root)
    for source in sources:
        tracemalloc.start()
        change = collect(source, repo.root)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert [(item.path, item.reason, item.is_gap) for item in change.skipped] == [("a.js", "too large", True)]
        assert peak < 5_000_000


def imported(repo: Repo, last: str) -> str:
    """The fast-import text of a commit of 3,000 files that end with the line ``last``."""
    texts = ((number, f"a = {number}\nb = {last}\n") for number in range(3000))
    files = "".join(f"M 100644 inline src/{number % 50}/f{number}.py\ndata {len(text)}\n{text}" for number, text in texts)
    return f"commit refs/heads/main\ncommitter A <a@example.org> {last} +0000\ndata 0\n{files}"


def test_3000_files_take_as_many_processes_as_one(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("fast-import", "--quiet", stdin=(imported(repo, "1") + imported(repo, "2")).encode())
    repo.git("read-tree", "main")
    started: list[str] = []

    def counted(folder: Path, *arguments: str, **options: Any) -> Any:
        started.append(arguments[0])
        return _run(folder, *arguments, **options)

    monkeypatch.setattr("venire.change.git._run", counted)
    repo.git("reset", "-q", "--soft", "HEAD~1")
    for source in (Source("range", "HEAD..ORIG_HEAD"), Source("staged")):
        started.clear()
        change = collect(source, repo.root)
        assert len(change.targets) == 3000
        assert {target.changed for target in change.targets} == {((2, 2),)}
        assert len(started) < 20


def test_a_file_of_a_million_lines_is_compared_and_cut(repo: Repo) -> None:
    repo.commit(a__txt=b"\n" * 999_990)
    repo.add(a__txt=b"\n" * 500_000 + b"x\n" + b"\n" * 499_980)
    (target,) = collect(Source("staged"), repo.root).targets
    assert target.changed[0][0] <= 500_001 <= target.changed[-1][1]
    done = cut(target, 20_000)
    assert done.uncovered == ()
    assert sum(last - first + 1 for window in done.windows for first, last in window.shown) < 10_000
