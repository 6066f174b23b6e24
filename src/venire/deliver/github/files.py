"""The files by which a step speaks to the runner: its outputs and its summary."""

import secrets
from collections.abc import Mapping
from pathlib import Path

from venire.errors import UsageError

SUMMARY = 2**20
"""Bytes of a step's summary. A larger one is not shown at all, and is an error on the job's page."""


def outputs(path: str, values: Mapping[str, str]) -> None:
    """Append outputs. A delimiter that nobody can guess: a value cannot end its own entry and begin another."""
    text = "".join(_entry(name, value) for name, value in values.items())
    _append(Path(path), text.encode("utf-8", "backslashreplace"))


def _entry(name: str, value: str) -> str:
    delimiter = f"ghadelimiter_{secrets.token_hex(16)}"
    if delimiter in value:  # 128 random bits: this does not happen
        raise UsageError(f"output {name} holds its delimiter", "run again")
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def summarise(path: str, text: str) -> bool:
    """Append to the step's summary; False where it has no room for the whole of it, and then nothing is written."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > _room(Path(path)):
        return False
    _append(Path(path), data)
    return True


def _room(path: Path) -> int:
    try:
        return SUMMARY - path.stat().st_size
    except OSError:
        return SUMMARY


def _append(path: Path, data: bytes) -> None:
    try:
        with path.open("ab") as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "leave GITHUB_OUTPUT and GITHUB_STEP_SUMMARY to GitHub Actions") from None
