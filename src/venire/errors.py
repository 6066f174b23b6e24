"""The error tree, each branch with its exit code.

    VenireError                 2  (never raised bare)
    ├── UsageError              2  wrong options, refs, paths
    │   ├── ConfigError         2  venire.yml, pyproject.toml, VENIRE_*
    │   ├── CriteriaError       2  a criteria file; lists every fault
    │   ├── ChangeError         2  git or a patch cannot give the change
    │   ├── RecordBusy          2  another audit is writing this record
    │   └── Undelivered         2  a report could not be posted where it had to be
    ├── BackendUnavailable      4  no model could be reached
    ├── RecordDamaged           5  a record is not what was written
    └── Interrupted           130  Ctrl-C; what was sampled is kept
    BackendFailure              –  one sample failed; the run records it and the audit goes on

Only ``cli`` turns an error into an exit code. ``remedy`` is the line a user can act on; it is printed below the message.
"""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes, as the table in the README names them."""

    OK = 0
    GATE = 1
    USAGE = 2
    INCONCLUSIVE = 3
    UNAVAILABLE = 4
    DAMAGED = 5
    BUG = 70
    INTERRUPTED = 130


class VenireError(Exception):
    """An expected failure: a message naming the place, and a remedy."""

    exit = Exit.USAGE

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(VenireError):
    """Options, refs or paths that make no sense together."""


class ConfigError(UsageError):
    """A configuration file or variable is wrong; the message names file, place and remedy."""


class CriteriaError(UsageError):
    """A criteria file is wrong; the message lists every fault, one a line, with file and line."""


class ChangeError(UsageError):
    """The change to audit cannot be read from git, a patch or the disk."""


class RecordBusy(UsageError):
    """Another process is writing this record."""


class Undelivered(UsageError):
    """A report was made, and could not be posted where the user said it must be."""


class BackendUnavailable(VenireError):
    """No model could be reached: nothing was audited."""

    exit = Exit.UNAVAILABLE


class Interrupted(VenireError):
    """The user stopped the audit."""

    exit = Exit.INTERRUPTED


class RecordDamaged(VenireError):
    """A record fails verification; ``line`` is the first bad line, 1-based (0: the file as a whole)."""

    exit = Exit.DAMAGED

    def __init__(self, message: str, remedy: str = "", line: int = 0) -> None:
        super().__init__(message, remedy)
        self.line = line


class BackendFailure(Exception):
    """One sample failed. ``kind`` is a short stable word kept in the record.

    Kinds: refused, timeout, crashed, transport, status, rubbish, unfinished, length, context, mismatch.
    ``is_transient`` says that the same request may succeed when sent once more.
    ``raw`` keeps what the server sent, if anything.
    """

    def __init__(self, kind: str, message: str, *, is_transient: bool = False, raw: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.is_transient = is_transient
        self.raw = raw
