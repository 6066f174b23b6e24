"""The table of settings: what each is called, what it may be, what it is for. Text or file value in, checked value out.

Flags, variables, file keys and their errors all come from this table: a rule stands in one place, and nothing heavy loads.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from venire.errors import ConfigError
from venire.model import Seat

FORMS = ("terminal", "brief", "markdown", "json", "sarif", "codequality", "rdjsonl", "annotations", "summary")
SCOPES = ("changed", "file")
GATES = ("advisory", "acknowledge", "evidence")
SEVERITIES = ("low", "medium", "high")

Check = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. ``rule`` words the bound that ``holds`` checks. ``is_machine``: never read from a repository's file."""

    name: str
    kind: Literal["int", "float", "str", "bool", "list", "seats"]
    help: str
    rule: str = ""
    holds: Check = lambda _: True
    choices: tuple[str, ...] = ()
    is_machine: bool = False
    is_path: bool = False

    @property
    def variable(self) -> str:
        return f"VENIRE_{self.name.upper()}"

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"


def _within(low: float, high: float) -> Check:
    return lambda value: low <= value <= high


def _is_backend(value: str) -> bool:
    return value in ("auto", "ollama", "openai", "embedded") or value.startswith("scripted:")


def _is_profile(value: str) -> bool:
    return 1 <= len(value) <= 64 and value.isascii() and all(char.isalnum() or char in "._-" for char in value)


_NOT_NEGATIVE = ("must be 0 or more, and finite", _within(0, float("inf")))
_LISTED = (
    Option("runs", "int", "samples of every prompt (default 5)", "must be 1 to 1000", _within(1, 1000)),
    Option("model", "str", "model name, as the engine calls it"),
    Option("models", "seats", "several models: a list of {model, backend, host, runs, contract}; in the file only"),
    Option(
        "contract",
        "str",
        "what a reply is: findings (default); panel, a verdict on every check; issues, the plain way, to compare with",
        choices=("findings", "panel", "issues"),
    ),
    Option("parallel", "int", "samples of a prompt in flight together (default 1)", "must be 1 to 64", _within(1, 64)),
    Option(
        "backend",
        "str",
        "auto, ollama, openai, embedded or scripted:FILE",
        "must be auto, ollama, openai, embedded or scripted:FILE",
        _is_backend,
    ),
    Option("host", "str", "where the server listens (default: this machine, Ollama's port or 8000)"),
    Option("allow_hosts", "list", "hosts besides this machine that code may be sent to", is_machine=True),
    Option("api_key", "str", "key for a server that asks for one", is_machine=True),
    Option("weights", "str", "model file of the embedded backend (default: the pinned one)", is_machine=True, is_path=True),
    Option("require_gpu", "bool", "refuse a model that is not wholly in GPU memory"),
    Option("threads", "int", "threads of the embedded backend (default: all cores)", *_NOT_NEGATIVE),
    Option("criteria", "list", "criteria file or folder; may be given more than once", is_path=True),
    Option(
        "buckets",
        "str",
        "how checks share prompts: separate (default), combined in one, or isolated where a file says so",
        choices=("separate", "combined", "isolated"),
    ),
    Option("ignore", "list", "paths not to audit, as in .gitignore"),
    Option(
        "scope",
        "str",
        "changed (default): candidates off the changed lines go to a lane of their own; file: they do not",
        choices=SCOPES,
    ),
    Option("temperature", "float", "sampling temperature (default 0.7)", "must be 0 to 2", _within(0, 2)),
    Option("seed", "int", "seed of the first run; each run adds one", "must be 0 to 2147483647", _within(0, 2**31 - 1)),
    Option("pinned", "bool", "greedy: temperature 0, top_k 1, top_p 1, one seed for every run"),
    Option("max_time", "float", "stop sampling cleanly after this many seconds (default 0: no limit)", *_NOT_NEGATIVE),
    Option("sample_time", "float", "seconds one reply may take (default 300)", "must be 0.1 to 86400", _within(0.1, 86400)),
    Option(
        "context", "int", "context length to ask for, in tokens (default 8192)", "must be 2048 to 1048576", _within(2048, 2**20)
    ),
    Option("reply_tokens", "int", "tokens one reply may have (default 1024)", "must be 64 to 32768", _within(64, 32768)),
    Option("canaries", "bool", "plant an obvious defect at head and tail of the code, and tell who missed both (findings only)"),
    Option(
        "frequent",
        "float",
        "share of the valid runs that makes a candidate frequent (default 0.5)",
        "must be 0.01 to 1",
        _within(0.01, 1),
    ),
    Option(
        "on_unavailable",
        "str",
        "in a hook, when no model answers or the time is over before the audit is conclusive: warn (default) and go on, or fail",
        choices=("warn", "fail"),
    ),
    Option("no_cache", "bool", "in a hook: ask again, also when an earlier hook has asked the same and has its answers"),
    Option("format", "str", "form of the report (default terminal)", choices=FORMS),
    Option("output", "str", "write the report to this file", is_machine=True),
    Option("record", "str", "folder for records (default .venire/records)", is_path=True, is_machine=True),
    Option("since", "str", "an earlier record: tell what is new, still there, moved or not seen", is_machine=True, is_path=True),
    Option("evidence", "list", "SARIF of another analyser; may be given more than once", is_machine=True, is_path=True),
    Option("decisions", "str", "the ledger (default .venire/decisions.yml)", is_machine=True, is_path=True),
    Option(
        "trust",
        "str",
        "whose configuration, criteria and decisions count: worktree (default), or base, the revision the change starts from",
        choices=("worktree", "base"),
        is_machine=True,
    ),
    Option(
        "gate",
        "str",
        "end with exit code 1: advisory (default) never, acknowledge while a severe candidate has no decision, "
        "evidence when one is confirmed or an analyser points there",
        choices=GATES,
    ),
    Option(
        "gate_severities",
        "list",
        "severities the gate looks at (default: high for acknowledge, all for evidence)",
        f"may hold {', '.join(SEVERITIES)}",
        lambda values: set(values) <= set(SEVERITIES),
    ),
    Option(
        "gate_paths",
        "list",
        "paths the gate looks at, as in .gitignore (default: all)",
        "must name paths",
        lambda values: bool(values) and all(values),
    ),
    Option("base", "str", "what a change is audited against in a workflow (default: as its event says)", is_machine=True),
    Option(
        "comment",
        "str",
        "sticky (default): one comment on the pull request, kept up to date; none",
        choices=("sticky", "none"),
        is_machine=True,
    ),
    Option("summary", "str", "job (default): the report in the job's summary; none", choices=("job", "none"), is_machine=True),
    Option(
        "annotations",
        "str",
        "commands: candidates beside the code, by workflow commands; none (default)",
        choices=("commands", "none"),
        is_machine=True,
    ),
    Option("sarif", "str", "write SARIF 2.1.0 to this file", is_path=True, is_machine=True),
    Option("upload", "bool", "hand the SARIF to code scanning as well", is_machine=True),
    Option(
        "profile",
        "str",
        "tells several audits of one pull request apart (default venire)",
        "must be 1 to 64 letters, digits, dots, dashes or underscores",
        _is_profile,
        is_machine=True,
    ),
    Option("author", "str", "login that comments are written under (default github-actions[bot])", is_machine=True),
    Option("require_post", "bool", "fail when something asked for could not be posted", is_machine=True),
    Option("quiet", "bool", "no progress", is_machine=True),
    Option("verbose", "bool", "every sample and retry on a line of its own", is_machine=True),
)
OPTIONS = {option.name: option for option in _LISTED}

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "str": ((str,), "text"),
    "bool": ((bool,), "true or false"),
    "list": ((str, list, tuple), "a list of texts"),
    "seats": ((list,), "a list of models, each with its settings"),
}
WORDS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


def from_text(option: Option, text: str, place: str) -> Any:
    """A variable's or flag's text as the option's kind; lists are split as paths are."""
    match option.kind:
        case "list":
            return tuple(part for part in text.split(os.pathsep) if part)
        case "bool" if text.lower() in WORDS:
            return WORDS[text.lower()]
        case "bool":
            raise ConfigError(f"{place}: must be true or false, not {text!r}", f"set {option.variable}=1 or =0")
        case "int" | "float":
            return _number(option, text, place)
    return text


def _number(option: Option, text: str, place: str) -> int | float:
    try:
        return int(text) if option.kind == "int" else float(text)
    except ValueError:
        raise ConfigError(f"{place}: must be {KINDS[option.kind][1]}, not {text!r}", option.help) from None


def checked(option: Option, value: Any, place: str) -> Any:
    """The value in its kind and within its rule; ConfigError naming the place otherwise."""
    types, word = KINDS[option.kind]
    if not isinstance(value, types) or (isinstance(value, bool) and option.kind != "bool"):
        raise ConfigError(f"{place}: {option.name} must be {word}, not {value!r}", option.help)
    if option.kind == "list":
        value = _texts(option, value, place)
    if option.kind == "seats":
        return _seats(option, value, place)
    if option.kind == "float":
        value = float(value)
    if option.choices and value not in option.choices:
        message = f"{place}: {option.name} must be one of {', '.join(option.choices)}, not {value!r}"
        raise ConfigError(message, near(value, option.choices))
    if not option.holds(value) or value in (float("inf"), float("-inf")):  # NaN fails every bound
        raise ConfigError(f"{place}: {option.name} {option.rule}, not {value!r}", option.help)
    return value


def _texts(option: Option, value: Any, place: str) -> tuple[str, ...]:
    parts = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(part, str) for part in parts):
        raise ConfigError(f"{place}: {option.name} must be {KINDS['list'][1]}", option.help)
    return parts


def _seats(option: Option, value: Any, place: str) -> tuple[Seat, ...]:
    """Every entry a mapping of the settings that a model may have of its own, by the rules those settings have anyway."""
    names = ("model", "backend", "host", "runs", "contract")
    seats = []
    for number, entry in enumerate(value, 1):
        where = f"{place}: model {number} of {option.name}"
        if not isinstance(entry, dict) or "model" not in entry:
            raise ConfigError(f"{where} must be a mapping with at least `model`", "write - {model: NAME, runs: 5}")
        for key in entry:
            if key not in names:
                raise ConfigError(f"{where}: unknown key {key!r}", near(str(key), names))
        seats.append(Seat(**{key: checked(OPTIONS[key], item, where) for key, item in entry.items()}))
    twice = {seat.model for seat in seats if sum(other.model == seat.model for other in seats) > 1}
    if twice or not seats:
        raise ConfigError(f"{place}: {', '.join(sorted(twice)) or 'no model'} in {option.name}", "name every model once")
    return tuple(seats)


def near(word: str, words: Iterable[str]) -> str:
    """The closest known word as a question, or all of them."""
    import difflib

    known = list(words)
    close = difflib.get_close_matches(str(word), known, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
