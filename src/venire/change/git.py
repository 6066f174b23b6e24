"""The only module that touches git: a root folder goes in; object names, changed paths and raw bytes come out.

Only plumbing runs, through GitPython's process runner, with the user's and the system's configuration out of the way, and with
every program that a repository's own configuration may name (fsmonitor, hooks, filters, external diff, text conversion) off.
A ref is resolved once; afterwards commands see full object names only. Nothing is written into the audited repository.
"""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, BinaryIO, ClassVar, Self

from venire.change.content import HEAD_BYTES, MAX_BYTES, Content, shown_path, too_large
from venire.errors import ChangeError

TIME_LIMIT = 300.0
"""Seconds one command may take."""

LINK, GITLINK = "120000", "160000"
"""git's modes of a symbolic link and of a submodule."""

OPTIONS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "safe.bareRepository=explicit", "--no-pager")

QUIET = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "GIT_EXTERNAL_DIFF": "",
    "GIT_DIFF_OPTS": "",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_GLOB_PATHSPECS": "0",
    "GIT_NOGLOB_PATHSPECS": "0",
    "GIT_ICASE_PATHSPECS": "0",
}

# inherited -c options and variables are configuration too, hence the two that are empty
OWN_CONFIG = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_COUNT": "0", "GIT_CONFIG_PARAMETERS": ""}

UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")


@dataclass(frozen=True, slots=True)
class Raw:
    """One line of git's raw diff. A name of zeros means: not in the object store, look at the disk."""

    path: bytes
    old_mode: str
    new_mode: str
    old: str
    new: str

    @property
    def is_added(self) -> bool:
        return self.old_mode == "000000"

    @property
    def is_deleted(self) -> bool:
        return self.new_mode == "000000"


@dataclass(frozen=True, slots=True)
class _Output:
    status: int
    out: bytes
    err: str


def _runner(folder: Path) -> Any:
    try:
        from git import Git
    except ImportError as error:
        raise ChangeError(f"git cannot be used: {str(error).splitlines()[0]}", remedy=_INSTALL) from error
    return Git(folder)


_INSTALL = "install git and put it on PATH, or audit files by name: venire audit PATH..."


def _execute(folder: Path, arguments: tuple[str, ...], env: Mapping[str, str], **options: Any) -> Any:
    runner = _runner(folder)
    from git.exc import GitCommandNotFound

    # -C as well as the working folder: GitPython silently stays where it is when the folder cannot be entered
    command = [runner.GIT_PYTHON_GIT_EXECUTABLE, "-C", str(folder), *OPTIONS, *arguments]
    try:
        return runner.execute(command, env={**QUIET, **env}, shell=False, **options)
    except GitCommandNotFound as error:
        raise ChangeError(f"git cannot be started: {error.stderr.strip() or error}", remedy=_INSTALL) from error


def _run(folder: Path, *arguments: str, env: Mapping[str, str] = OWN_CONFIG, stdin: BinaryIO | None = None) -> _Output:
    status, out, err = _execute(
        folder,
        arguments,
        env,
        istream=stdin,
        with_extended_output=True,
        with_exceptions=False,
        stdout_as_string=False,
        strip_newline_in_stdout=False,
        kill_after_timeout=None if os.name == "nt" else TIME_LIMIT,
    )
    return _Output(status, out, err)


def _at_once(folder: Path, *arguments: str, env: Mapping[str, str] = OWN_CONFIG) -> _Output:
    """The same as ``_run`` by a plain process: importing GitPython takes longer than all that a hook asks first.

    ``env`` (POSIX) adds to the inherited variables, which this module does not read.
    """
    given = (f"{name}={value}" for name, value in {**QUIET, "LANGUAGE": "C", "LC_ALL": "C", **env}.items())
    command = ["env", *given, "git", "-C", str(folder), *OPTIONS, *arguments]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT)  # noqa: S603
    except OSError as error:
        raise ChangeError(f"git cannot be started: {error}", remedy=_INSTALL) from error
    except subprocess.TimeoutExpired:
        return _Output(-1, b"", f"git {arguments[0]} gave no answer in {TIME_LIMIT:.0f} s")
    if done.returncode == MISSING:
        raise ChangeError("git cannot be started: there is no program git on PATH", remedy=_INSTALL)
    return _Output(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


MISSING = 127
"""What ``env`` ends with when it does not find the program."""


class Repository:
    """One repository, read through plumbing. Make it with ``Repository.open``."""

    _start: ClassVar[Callable[..., _Output]] = staticmethod(_run)

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def open(cls, root: Path) -> Self:
        """The repository whose top is ``root``, if git itself, under the user's configuration, agrees to read it.

        The ownership check is git's and is made here, once; later commands do not see the user's configuration and are told the
        verdict. An inherited ``GIT_DIR`` (hooks in linked worktrees have one) is accepted only when it is this repository's.
        """
        if not (root / ".git").exists():
            if (root / "HEAD").is_file() and (root / "objects").is_dir():
                raise ChangeError(
                    f"{str(root)!r} is a bare repository", "run in a clone or a worktree: git worktree add PATH REF"
                )
            remedy = "run inside one, or audit files by name: venire audit PATH..."
            raise ChangeError(f"{str(root)!r} is not a git repository", remedy)
        place = cls._start(root, "rev-parse", "--show-cdup", "--is-inside-work-tree", "--absolute-git-dir", env={})
        if place.status:
            raise _refusal(root, place.err)
        own = cls._start(root, "rev-parse", "--resolve-git-dir", str(root / ".git"), env={})
        if not place.out.startswith(b"\ntrue\n") or not _is_same(place.out[6:-1], own.out[:-1]):
            raise ChangeError(
                f"git does not take {str(root)!r} for the top of its repository",
                remedy="unset GIT_DIR and GIT_WORK_TREE, and look at core.worktree in .git/config",
            )
        return cls(root)

    @property
    def _trust(self) -> tuple[str, ...]:
        return ("-c", f"safe.directory={self.root.absolute()}", "-c", f"safe.directory={self.root.resolve()}")

    def _run(self, *arguments: str, env: Mapping[str, str] | None = None) -> _Output:
        return self._start(self.root, *self._trust, *arguments, env={**OWN_CONFIG, **(env or {})})

    def _ask(self, *arguments: str, env: Mapping[str, str] | None = None) -> bytes:
        output = self._run(*arguments, env=env)
        if output.status:
            message = f"git failed in {str(self.root)!r}: {output.err.strip()}"
            raise ChangeError(message, remedy="git fsck tells whether the repository is whole")
        return output.out

    @cached_property
    def is_shallow(self) -> bool:
        return self._ask("rev-parse", "--is-shallow-repository").strip() == b"true"

    @cached_property
    def empty_tree(self) -> str:
        """The name of the tree without entries, in the repository's own hash; git knows it without having it."""
        return self._ask("hash-object", "-t", "tree", "--stdin").decode().strip()

    def head(self) -> str:
        """The commit HEAD stands on, or "" before the first commit."""
        if self._run("rev-parse", "--verify", "--quiet", "HEAD").status:
            return ""
        return self.commit("HEAD")

    def commit(self, ref: str) -> str:
        """The full name of the commit ``ref`` means."""
        if ref.startswith("-"):
            raise ChangeError(f"{ref!r} is not a ref: it begins with a dash", remedy="give a branch, a tag or a commit")
        found = self._run("rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")
        if not found.status:
            return found.out.decode().strip()
        if ref == "HEAD" and not self.head():
            raise ChangeError("there is no commit yet, so there is no range", remedy="audit the working tree: venire audit")
        remedy = "git branch --all lists what there is"
        raise ChangeError(f"{ref!r} is not a commit in {str(self.root)!r}", remedy=_MORE_HISTORY if self.is_shallow else remedy)

    def find(self, ref: str) -> str:
        """The full name of the commit ``ref`` means, or "" when it means none."""
        found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        return "" if found.status else found.out.decode().strip()

    def refs(self, below: str) -> list[str]:
        """Full names of what the refs below a folder of refs, such as ``refs/remotes/``, stand on."""
        return sorted(set(self._ask("for-each-ref", "--format=%(objectname)", below).decode().split()))

    def ancestor(self, head: str, others: Sequence[str]) -> str:
        """The best common ancestor of a commit with any of the others, or "" when there is none."""
        found = ""
        for first in range(0, len(others), COMMITS):
            known = [*([found] if found else []), *others[first : first + COMMITS]]
            found = self._run("merge-base", head, *known).out.decode().strip() or found
        return found

    def merge_base(self, base: str, head: str) -> str:
        """The common ancestor of two commits, given by full name."""
        found = self._run("merge-base", base, head)
        if not found.status:
            return found.out.decode().strip()
        pair = f"{base[:12]} and {head[:12]}"
        if self.is_shallow:
            raise ChangeError(f"this shallow clone does not reach a common ancestor of {pair}", remedy=_MORE_HISTORY)
        raise ChangeError(f"{pair} have no common ancestor", remedy="compare them as they are: A..B instead of A...B")

    def between(self, base: str, head: str) -> Iterator[Raw]:
        """What differs between two trees."""
        return _raw(self._ask("diff-tree", "-r", *_RAW, base, head, "--"))

    def staged(self, base: str) -> Iterator[Raw]:
        """What differs between a tree and the index that git uses now (in a partial commit ``GIT_INDEX_FILE`` names it)."""
        self._refuse_unmerged()
        return _raw(self._ask("diff-index", "--cached", *_RAW, base, "--"))

    def worktree(self, base: str) -> Iterator[Raw]:
        """Tracked paths whose file may differ from a tree: candidates by size and time, to be compared by content."""
        self._refuse_unmerged()
        return _raw(self._ask("diff-index", *_RAW, "--ignore-submodules=dirty", base, "--", env=self._without_filters()))

    def entries(self, tree: str, path: str) -> list[tuple[str, str, str]]:
        """Mode, object name and path of what a tree has at a path, nothing if there is none; of a folder's own entries with a
        final slash."""
        lines = self._ask("ls-tree", "-z", "--full-tree", tree, "--", path).split(b"\0")
        heads = [(line.partition(b"\t")[0].decode().split(" "), line.partition(b"\t")[2]) for line in lines if line]
        return [(mode, name, os.fsdecode(found)) for (mode, _, name), found in heads]

    def user_name(self) -> str:
        """What git calls its user here, or ""."""
        return _run(self.root, "config", "--get", "user.name", env={}).out.decode("utf-8", "backslashreplace").strip()

    def untracked(self) -> list[bytes]:
        """Paths that git neither tracks nor ignores; a repository inside this one ends with ``/``."""
        return self._listed(*UNTRACKED)

    def known(self, below: bytes) -> list[bytes]:
        """Tracked files and untracked ones that git does not ignore, at or below a path; the empty path is the root."""
        return sorted(set(self._listed("ls-files", "-z", "--", *_limit(below)) + self._listed(*UNTRACKED, "--", *_limit(below))))

    def _listed(self, *arguments: str) -> list[bytes]:
        return [path for path in self._ask(*self._user_ignores, *arguments).split(b"\0") if path]

    @cached_property
    def _user_ignores(self) -> tuple[str, ...]:
        """The user's own ignore file still counts: what git hides from its user is not put into a prompt."""
        found = _run(self.root, "config", "--type=path", "--get", "core.excludesFile", env={})
        return ("-c", "core.excludesFile=" + os.fsdecode(found.out.rstrip(b"\n"))) if found.out.strip() else ()

    def _refuse_unmerged(self) -> None:
        paths = {line.split(b"\t", 1)[1] for line in self._ask("ls-files", "-z", "--unmerged").split(b"\0") if line}
        if paths:
            named = ", ".join(repr(shown_path(path)) for path in sorted(paths)[:3])
            raise ChangeError(f"unmerged files ({len(paths)}): {named}", remedy="resolve the conflicts and git add them first")

    def _without_filters(self) -> dict[str, str]:
        """Overrides for every filter program the repository names.

        git compares a file by content when its time cannot tell, and asks the clean filter for that content. An index with a
        forged time makes that happen at will. Variables rather than ``-c``, since a filter's name may hold ``=``.
        """
        listed = self._run("config", "-z", "--name-only", "--get-regexp", r"^filter\.")
        keys = sorted({os.fsdecode(key) for key in listed.out.split(b"\0") if key})
        env = {"GIT_CONFIG_COUNT": str(len(keys))}
        for number, key in enumerate(keys):
            env[f"GIT_CONFIG_KEY_{number}"] = key
            env[f"GIT_CONFIG_VALUE_{number}"] = "false" if key.endswith(".required") else ""
        return env

    @contextmanager
    def blobs(self) -> Iterator["Blobs"]:
        """A reader of objects by name: one process for all of them."""
        process = _execute(self.root, (*self._trust, "cat-file", "--batch"), OWN_CONFIG, as_process=True, istream=subprocess.PIPE)
        try:
            yield Blobs(process.stdin, process.stdout)
        finally:
            process.stdin.close()
            process.proc.wait()
            process.stdout.close()
            process.stderr.close()


class Glance(Repository):
    """The same repository by plain processes: it answers at once, and is not for reading objects."""

    _start = staticmethod(_at_once)


COMMITS = 1000
"""Names on one command line."""

_RAW = ("-z", "--raw", "--no-renames", "--no-abbrev")

_MORE_HISTORY = "fetch more history: git fetch --unshallow, or fetch-depth: 0 in the checkout step"


def _limit(path: bytes) -> tuple[str, ...]:
    return (os.fsdecode(path),) if path else ()


def _is_same(one: bytes, other: bytes) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _refusal(root: Path, err: str) -> ChangeError:
    if "dubious ownership" in err:
        return ChangeError(
            f"git refuses to read {str(root)!r}: it belongs to another user",
            remedy=f"run as its owner, or tell git that you trust it: git config --global --add safe.directory {root}",
        )
    return ChangeError(f"git cannot read {str(root)!r}: {err.strip()}", remedy="git status, run there, tells more")


def _raw(out: bytes) -> Iterator[Raw]:
    fields = out.split(b"\0")
    for header, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, _ = header.decode().removeprefix(":").split(" ")
        yield Raw(path, old_mode, new_mode, old, new)


class Blobs:
    """Objects by name from a running ``git cat-file --batch``; memory is bounded by the size limit."""

    def __init__(self, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._requests = requests
        self._replies = replies

    def read(self, name: str) -> Content:
        """The object's bytes, or its beginning and the reason why there are no more."""
        self._requests.write(name.encode() + b"\n")
        self._requests.flush()
        header = self._replies.readline().split()
        if not header:
            remedy = "in a partial clone: git fetch --refetch; else git fsck"
            raise ChangeError(f"git stopped while object {name[:12]} was read", remedy)
        if len(header) < 3:
            return Content(reason="unreadable", detail=f"object {name[:12]} is missing from the repository")
        return self._body(int(header[2]))

    def _body(self, size: int) -> Content:
        data = self._replies.read(size if size <= MAX_BYTES else HEAD_BYTES)
        left = size - len(data) + 1  # and the line end after the object
        while left > 0 and (drained := self._replies.read(min(left, 1 << 16))):
            left -= len(drained)
        return Content(data) if size <= MAX_BYTES else too_large(data, size)


def difference(folder: Path, stream: BinaryIO) -> bytes:
    """The patch, without context, from branch ``old`` to branch ``new`` of a fast-import stream.

    It is made in an empty repository in ``folder``, where no configuration and no attribute of the audited one can hide a line.
    A change of line ends alone is no change.
    """
    for part in ("objects", "refs"):
        (folder / "git" / part).mkdir(parents=True)
    (folder / "git" / "HEAD").write_bytes(b"ref: refs/heads/new\n")
    env = {**OWN_CONFIG, "GIT_OBJECT_DIRECTORY": str(folder / "git" / "objects"), "GIT_COMMON_DIR": str(folder / "git")}
    place = ("--git-dir", str(folder / "git"))
    speed = ("-c", "pack.compression=0", "-c", "core.compression=0", "-c", "fastimport.unpackLimit=0")
    made = _run(folder, *place, *speed, "fast-import", "--quiet", "--depth=0", env=env, stdin=stream)
    shown = made if made.status else _run(folder, *place, "diff-tree", *_PATCH, "refs/heads/old", "refs/heads/new", "--", env=env)
    if shown.status:
        raise ChangeError(f"git could not compare the files: {shown.err.strip()}", remedy="is the temporary folder full?")
    return shown.out


_PATCH = (
    *("-r", "-p", "-U0", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-cr-at-eol"),
    *("-M50%", "-l400", "--diff-filter=MR", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"),
)
