"""Configuration file → its keys, each with its value and line. YAML and TOML; nothing else is read."""

from pathlib import Path
from typing import Any

from venire.errors import ConfigError

FILE, PROJECT = "venire.yml", "pyproject.toml"
NAMES = (FILE, PROJECT)
"""Files below the root that may hold settings."""

LIMIT = 1_000_000  # bytes a configuration file may have

Keys = dict[str, tuple[Any, int]]
"""Key → value and line; line 0 where it is not known."""


def read(root: Path) -> tuple[str, Keys]:
    """The file's name and keys: venire.yml, else the table in pyproject.toml, else none."""
    path, project = root / FILE, root / PROJECT
    for file, keys in ((path, _yaml), (project, _toml)):
        if file.is_symlink() or (file.exists() and not file.is_file()):
            raise ConfigError(
                f"{file.name}: not a plain file", "a link could show the lines of any file in an error; put the file itself there"
            )
        if file.is_file():
            return file.name, keys(file)
    return "", {}


def table(text: str) -> dict[str, Any] | None:
    """The settings a pyproject.toml's text holds, {} for none; None when it cannot be read."""
    try:
        return {key: value for key, (value, _) in _tables(text, PROJECT).items()}
    except ConfigError:
        return None


def _text(path: Path) -> str:
    if path.stat().st_size > LIMIT:
        raise ConfigError(f"{path.name}: larger than {LIMIT} bytes", "a configuration file holds a few settings")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path.name}: not UTF-8 at byte {error.start}", "save the file as UTF-8") from None


def _yaml(path: Path) -> Keys:
    """The top-level keys of a YAML mapping with their line numbers. Aliases are refused: no setting needs one."""
    import yaml

    loader = yaml.SafeLoader(_text(path))
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(_text(path), Loader=yaml.SafeLoader)):
            raise ConfigError(f"{path.name}: aliases are not allowed", "write the value out")
        node = loader.get_single_node()
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            raise ConfigError(f"{path.name}:1: must be a mapping of settings", "write lines such as `runs: 5`")
        found: Keys = {}
        for key_node, value_node in node.value:
            key, line = str(loader.construct_object(key_node, deep=True)), key_node.start_mark.line + 1
            if key in found:
                raise ConfigError(f"{path.name}:{line}: {key!r} is set twice", "leave out one of the two")
            found[key] = (loader.construct_object(value_node, deep=True), line)
        return found
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path.name}:{mark.line + 1}" if mark else path.name
        raise ConfigError(f"{place}: {error.problem or error.context}", "mend the YAML there") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ConfigError(f"{path.name}: {str(error).splitlines()[0]}", "mend the YAML there") from None
    finally:
        loader.dispose()


def _toml(path: Path) -> Keys:
    """The keys of ``[tool.venire]``; a pyproject.toml without that table is not parsed."""
    return _tables(_text(path), path.name)


def _tables(text: str, name: str) -> Keys:
    if "tool" not in text or "venire" not in text:
        return {}
    import tomllib

    try:
        tool = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{name}: {error}", "mend the TOML there") from None
    found = tool.get("venire", {}) if isinstance(tool, dict) else tool
    if not isinstance(found, dict):
        raise ConfigError(f"{name}: tool.venire must be a table", "write [tool.venire] and the settings below it")
    return {key: (value, _toml_line(text, key)) for key, value in found.items()}


def _toml_line(text: str, key: str) -> int:
    """The line of a key below ``[tool.venire]``; 0 when it is written in a way we do not look for."""
    inside = False
    for number_, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped.startswith("[tool.venire]")
        elif inside and stripped.partition("=")[0].strip().strip("\"'") == key:
            return number_
    return 0
