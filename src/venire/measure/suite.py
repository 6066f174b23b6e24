"""A suite file → the trials of a bench: which target is asked in which way, how often. Alone in ``measure`` in reading YAML.

targets:
  - {name: seeded, file: accounts.py}      # file: from the suite's folder; the model sees its bare name
truth: truth.csv
settings:
  - {name: findings}                       # contract and criteria as in venire.yml
  - {name: plain, contract: issues, criteria: [plain.yml]}
sampled: 51                                # runs at temperature 0.7, 0: none
pinned: 11                                 # runs at temperature 0
probe: true                                # at temperature 0: six replies of one seed, and of six seeds
threads: [1, 4]                            # an axis, for engines whose threads do something
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from venire.errors import ConfigError
from venire.model import Contract
from venire.panel.document import Document
from venire.visible import visible

if TYPE_CHECKING:
    import yaml

BYTES = 1_000_000  # a suite file may have
RUNS = 1000
SAMPLED, PINNED = 51, 11  # as the seed experiment
PROBES = 6  # replies of one seed, and seeds
KEYS = ("targets", "truth", "settings", "sampled", "pinned", "probe", "threads")
CONTRACTS: tuple[Contract, ...] = ("findings", "panel", "issues")

Mode = Literal["sampled", "pinned", "one-seed", "six-seeds"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A target of a suite: its name in tables, and its file."""

    name: str
    file: Path


@dataclass(frozen=True, slots=True)
class Setting:
    """A way of asking. ``criteria``: files, none for the shipped panel."""

    name: str
    contract: Contract = "findings"
    criteria: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """What a suite file says."""

    targets: tuple[Labelled, ...]
    settings: tuple[Setting, ...]
    truth: Path | None = None
    sampled: int = SAMPLED
    pinned: int = PINNED
    probe: bool = False
    threads: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One cell to draw: its name, target, way of asking, mode, runs, and threads (0: as the settings say)."""

    name: str
    target: Labelled
    setting: Setting
    mode: Mode
    runs: int
    threads: int = 0


def trials(suite: Suite) -> tuple[Trial, ...]:
    """Every cell, the cheap pinned ones of a way of asking before its sampled ones."""
    return tuple(trial for setting in suite.settings for trial in _of(suite, setting))


def _of(suite: Suite, setting: Setting) -> Iterator[Trial]:
    modes: list[tuple[Mode, int]] = [("pinned", suite.pinned), ("sampled", suite.sampled)]
    if suite.probe:
        modes += [("one-seed", PROBES), ("six-seeds", PROBES)]
    for mode, runs in modes:
        for target in suite.targets if runs else ():
            for threads in suite.threads or (0,):
                tail = f"-threads{threads}" if threads else ""
                yield Trial(f"{setting.name}-{target.name}-{mode}{tail}", target, setting, mode, runs, threads)


def read_suite(path: Path, *, has_targets: bool = True) -> Suite:
    """The suite of a file. ConfigError lists every fault with its line. Without targets it is a list of ways of asking."""
    try:
        with path.open("rb") as stream:
            data = stream.read(BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{visible(str(path))}: {error.strerror or error}", "name a suite file, see docs/bench.md") from None
    document = Document(visible(path.name))
    root = document.root(data)
    suite = _suite(document, root, path.parent) if root is not None else Suite((), ())
    if root is not None and has_targets and not suite.targets:
        document.fault(root, "the suite names no targets")
    if document.faults:
        rows = (f"{document.label}:{line}: {message}" for line, message in sorted(document.faults))
        raise ConfigError("\n".join(rows), "correct the lines named; docs/bench.md shows a suite")
    return suite


def _suite(document: Document, root: "yaml.Node", folder: Path) -> Suite:
    found = document.mapping(root, "the suite", KEYS)
    targets = tuple(_target(document, node, folder) for node in document.items(found.get("targets"), "targets"))
    settings = tuple(_setting(document, node, folder) for node in document.items(found.get("settings"), "settings"))
    for rows, what in ((targets, "targets"), (settings, "settings")):
        names = [row.name for row in rows]
        if len(set(names)) < len(names):
            document.fault(found[what], f"two {what} have one name")
    truth = document.text(found["truth"], "truth", 1000) if "truth" in found else ""
    threads = tuple(document.count(node, "threads", 1024) for node in document.items(found.get("threads"), "threads"))
    return Suite(
        targets=targets,
        settings=settings or (Setting("findings"),),
        truth=folder / truth if truth else None,
        sampled=document.count(found["sampled"], "sampled", RUNS) if "sampled" in found else SAMPLED,
        pinned=document.count(found["pinned"], "pinned", RUNS) if "pinned" in found else PINNED,
        probe=document.flag(found["probe"], "probe") if "probe" in found else False,
        threads=threads,
    )


def _target(document: Document, node: "yaml.Node", folder: Path) -> Labelled:
    found = document.mapping(node, "a target", ("name", "file"))
    file = folder / document.text(found["file"], "file", 1000) if "file" in found else folder
    if not file.is_file():
        document.fault(node, f"there is no file {visible(str(file))}" if "file" in found else "a target has no file")
    return Labelled(_name(document, found, file.stem), file)


def _setting(document: Document, node: "yaml.Node", folder: Path) -> Setting:
    found = document.mapping(node, "a setting", ("name", "contract", "criteria"))
    contract = document.choice(found["contract"], "contract", CONTRACTS) if "contract" in found else None
    criteria = document.texts(found.get("criteria"), "criteria", 1000)
    contract = contract or "findings"
    return Setting(_name(document, found, contract), contract, tuple(str(folder / one) for one in criteria))


def _name(document: Document, found: "dict[str, yaml.Node]", otherwise: str) -> str:
    """A name that becomes part of a file's."""
    if "name" not in found:
        return otherwise
    name = document.text(found["name"], "name", 60)
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        document.fault(found["name"], "a name has letters, digits, - and _ only: it becomes part of a file's name")
    return name
