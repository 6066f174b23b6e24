"""Flags, environment and file → one frozen Settings. Flags beat ``VENIRE_*`` variables, which beat the file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from venire.config import files
from venire.config.github import GitHub, job
from venire.config.options import OPTIONS, checked, from_text, near
from venire.errors import ConfigError, UsageError
from venire.model import Contract, Plan, Sampling, Seat, Trust

LEDGER = Path(".venire") / "decisions.yml"
"""The ledger of decisions, below the root."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the environment says besides our own variables. ``is_captured``: a host shows our output only afterwards."""

    cache: str = ""
    ollama_models: str = ""
    no_color: bool = False
    force_color: bool = False
    is_captured: bool = False
    columns: int = 0
    from_ref: str = ""  # what pre-commit is told about a range or a push
    to_ref: str = ""
    remote: str = ""
    local_branch: str = ""
    github: GitHub = field(default_factory=GitHub)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a command needs to know, from wherever it came. ``origin`` says where each given value is from."""

    runs: int = 5
    model: str = ""
    models: tuple[Seat, ...] = ()
    contract: Contract = "findings"
    parallel: int = 1
    backend: str = "auto"
    host: str = "http://127.0.0.1:11434"
    allow_hosts: tuple[str, ...] = ()
    api_key: str = ""
    weights: str = ""
    require_gpu: bool = False
    threads: int = 0
    criteria: tuple[str, ...] = ()
    buckets: Literal["separate", "combined", "isolated"] = "separate"
    ignore: tuple[str, ...] = ()
    scope: Literal["changed", "file"] = "changed"
    temperature: float = 0.7
    seed: int = 0
    pinned: bool = False
    max_time: float = 0.0
    sample_time: float = 300.0
    context: int = 8192
    reply_tokens: int = 1024
    canaries: bool = False
    frequent: float = 0.5
    on_unavailable: Literal["warn", "fail"] = "warn"
    no_cache: bool = False
    format: Literal["terminal", "brief", "markdown", "json"] = "terminal"
    output: str = ""
    record: str = ""
    since: str = ""
    evidence: tuple[str, ...] = ()
    decisions: str = ""
    trust: Trust = "worktree"
    gate: Literal["advisory", "acknowledge", "evidence"] = "advisory"
    gate_severities: tuple[str, ...] = ()
    gate_paths: tuple[str, ...] = ()
    base: str = ""
    comment: Literal["sticky", "none"] = "sticky"
    summary: Literal["job", "none"] = "job"
    annotations: Literal["commands", "none"] = "none"
    sarif: str = ""
    upload: bool = False
    profile: str = "venire"
    author: str = "github-actions[bot]"
    require_post: bool = False
    quiet: bool = False
    verbose: bool = False
    root: Path = Path()
    files: Path | None = None  # stands for the root wherever a file of the repository is read; None: the root itself
    surroundings: Surroundings = Surroundings()
    origin: tuple[tuple[str, str], ...] = ()

    @property
    def records(self) -> Path:
        """Where new records go."""
        return Path(self.record) if self.record else self.root / ".venire" / "records"

    @property
    def ledger(self) -> Path:
        """The decisions that count; ``decisions`` names another file."""
        return Path(self.decisions) if self.decisions else (self.files or self.root) / LEDGER

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The models to ask, with what each leaves open filled in. Without a list it is one."""
        if not self.models:
            return (Seat(self.model, self.backend, self.host, self.runs, self.contract),)
        return tuple(
            replace(s, backend=s.backend or self.backend, host=s.host or self.host, runs=s.runs or self.runs) for s in self.models
        )

    @property
    def plan(self) -> Plan:
        """The part of the settings that a record keeps."""
        sampling = Sampling(temperature=self.temperature, seed=self.seed)
        if self.pinned:
            sampling = Sampling(temperature=0.0, top_k=1, top_p=1.0, seed=self.seed, pinned=True)
        return Plan(
            runs=self.runs,
            scope=self.scope,
            sampling=sampling,
            max_time=self.max_time,
            sample_time=self.sample_time,
            context=self.context,
            reply_tokens=self.reply_tokens,
            frequent=self.frequent,
            canaries=self.canaries,
        )


SKIP = "VENIRE_SKIP"
"""The variable that has a hook do nothing; no setting, so that it also helps out of a configuration with a fault in it."""

REPLACES = {"temperature": ("pinned",), "pinned": ("temperature",), "model": ("models",), "models": ("model",)}
"""A setting from a stronger source takes the place of these from a weaker one."""

Given = dict[str, tuple[Any, str]]
"""Setting → value and the place it was given."""


def settings(flags: Mapping[str, Any], environment: Mapping[str, str], start: Path, files: Path | None = None) -> Settings:
    """One Settings from all sources for a call made in ``start``; ConfigError names source, place and remedy.

    ``files`` is a folder that holds the repository's files as they are to be trusted, in place of those in the checkout.
    """
    root = project_root(start)
    trusted = files or root
    sources = (_from_ollama(environment), in_file := _from_file(trusted), _from_environment(environment), _from_flags(flags))
    given: Given = {}
    for source in sources:
        given = _overlaid(given, source)
    values = {name: checked(OPTIONS[name], value, place) for name, (value, place) in given.items()}
    in_files = {name for name in given if given[name] == in_file.get(name)}
    values = {
        name: _placed(name, value, trusted if name in in_files else start, is_file=name in in_files)
        for name, value in values.items()
    }
    origin = tuple(sorted((name, place) for name, (_, place) in given.items()))
    return Settings(**values, root=root, files=files, surroundings=_surroundings(environment), origin=origin)


def trust(flags: Mapping[str, Any], environment: Mapping[str, str]) -> Trust:
    """Whose files count. Asked before any is read, so that only a flag or a variable can say it."""
    given = _from_environment({name: text for name, text in environment.items() if name == OPTIONS["trust"].variable})
    given |= _from_flags({"trust": flags.get("trust")})
    value: Trust = checked(OPTIONS["trust"], *given["trust"]) if given else "worktree"
    return value


def _overlaid(weaker: Given, stronger: Given) -> Given:
    """The stronger source's values over the weaker's. Greedy and a temperature exclude each other: the stronger one stays."""
    if "temperature" in stronger and stronger.get("pinned", (False, ""))[0]:
        places = f"{stronger['pinned'][1]} and {stronger['temperature'][1]}"
        raise ConfigError(f"{places}: pinned and temperature exclude each other", "leave out one; pinned means temperature 0")
    dropped = {name for given in stronger for name in REPLACES.get(given, ())}
    return {name: value for name, value in weaker.items() if name not in dropped} | stronger


def _refuse_outside(paths: Sequence[str], root: Path) -> None:
    """A repository's file names criteria of the repository only: errors quote what they read."""
    for path in paths:
        if not (root / path).resolve().is_relative_to(root.resolve()):
            raise ConfigError(f"{path}: criteria outside the repository", "name them by the flag or VENIRE_CRITERIA")


def _placed(name: str, value: Any, base: Path, *, is_file: bool) -> Any:
    """Relative paths count from the folder of the call when given there, from the root when given in the file."""
    if name == "backend" and value.startswith("scripted:"):
        return f"scripted:{base / value.removeprefix('scripted:')}"
    if name == "models":
        return tuple(replace(seat, backend=_placed("backend", seat.backend, base, is_file=is_file)) for seat in value)
    if name == "criteria" and is_file:
        _refuse_outside(value, base)
    if not OPTIONS[name].is_path or not value:
        return value
    return str(base / value) if isinstance(value, str) else tuple(str(base / part) for part in value)


def is_skipped(environment: Mapping[str, str]) -> bool:
    """Does ``VENIRE_SKIP`` say that a hook shall do nothing?"""
    return environment.get(SKIP, "").strip().lower() not in ("", "0", "false", "no")


def project_root(start: Path) -> Path:
    """The nearest folder upwards that holds ``.git``; ``start`` itself when there is none."""
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder
    return start


def _from_file(root: Path) -> Given:
    name, keys = files.read(root)
    known = [option.name for option in OPTIONS.values() if not option.is_machine]
    found: Given = {}
    for key, (value, line) in keys.items():
        place = f"{name}:{line}" if line else name
        if key in OPTIONS and key not in known:
            raise ConfigError(
                f"{place}: {key} cannot be set in a repository's file", f"set {OPTIONS[key].variable} or use the flag"
            )
        if key not in known:
            raise ConfigError(f"{place}: unknown key {key!r}", near(key, known))
        found[key] = (value, place)
    return found


def _from_ollama(environment: Mapping[str, str]) -> Given:
    """Ollama's own variable: where its server is, unless our settings say otherwise."""
    return {"host": (environment["OLLAMA_HOST"], "OLLAMA_HOST")} if environment.get("OLLAMA_HOST") else {}


def _from_environment(environment: Mapping[str, str]) -> Given:
    names = {option.variable: option for option in OPTIONS.values()}
    found: Given = {}
    for variable, text in sorted(environment.items()):
        if not variable.startswith("VENIRE_") or variable in ("VENIRE_CACHE", SKIP):
            continue
        if text == "":  # set to nothing means not set
            continue
        if variable not in names:
            raise ConfigError(f"environment: unknown variable {variable}", near(variable, names))
        found[names[variable].name] = (from_text(names[variable], text, variable), variable)
    return found


def _from_flags(flags: Mapping[str, Any]) -> Given:
    """Flags as argparse gives them: text, lists of text, True, or None for those not given."""
    found: Given = {}
    for name, value in flags.items():
        if name in OPTIONS and value is not None:
            option = OPTIONS[name]
            if option.is_path and "" in (value, *(value if isinstance(value, list) else ())):
                raise UsageError(f"{option.flag} is empty", "an unset variable? name a path, or leave the option out")
            found[name] = (
                from_text(option, value, option.flag) if isinstance(value, str) and option.kind != "list" else value,
                option.flag,
            )
    return found


def _surroundings(environment: Mapping[str, str]) -> Surroundings:
    columns = environment.get("COLUMNS", "")
    return Surroundings(
        cache=environment.get("VENIRE_CACHE", ""),
        ollama_models=environment.get("OLLAMA_MODELS", ""),
        no_color=bool(environment.get("NO_COLOR")),
        force_color=bool(environment.get("FORCE_COLOR")),
        is_captured=bool(environment.get("CI") or environment.get("PRE_COMMIT")),
        columns=int(columns) if columns.isdecimal() else 0,
        from_ref=environment.get("PRE_COMMIT_FROM_REF", ""),
        to_ref=environment.get("PRE_COMMIT_TO_REF", ""),
        remote=environment.get("PRE_COMMIT_REMOTE_NAME", ""),
        local_branch=environment.get("PRE_COMMIT_LOCAL_BRANCH", ""),
        github=job(environment),
    )
