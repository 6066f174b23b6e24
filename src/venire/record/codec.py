"""Values of ``model`` ↔ bodies of entries, driven by the values' own type hints and strict: no key too many or few.

Every field is stored, also where it has its default, so that a default changed later cannot change an old record.
"""

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from types import MappingProxyType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from venire.model import Attempt, Audit, ModelInfo, Prompt, Run, Seal, Skipped, Target

SCHEMA = "venire/record/1"

Value = Audit | ModelInfo | Target | Skipped | Prompt | Attempt | Run | Seal

KINDS: Mapping[str, type[Value]] = MappingProxyType(
    {
        "audit": Audit,
        "model": ModelInfo,
        "target": Target,
        "skipped": Skipped,
        "prompt": Prompt,
        "warmup": Attempt,
        "run": Run,
        "seal": Seal,
    }
)

_NEWER = re.compile(r"venire/record/([1-9][0-9]{0,5})")
_NAMES = {str: "text", int: "a whole number", float: "a decimal number", bool: "true or false", list: "a list", dict: "an object"}


class NewerForm(ValueError):
    """The record is whole but of a version that this code does not know."""


def digest(raw: str) -> str:
    """SHA-256 (hex) of a reply body as ``Attempt.sha256`` keeps it: over UTF-8, a lone surrogate as ``\\udXXX``."""
    # JSON cannot keep two halves of a surrogate pair apart, so the pair is joined before it is hashed.
    joined = raw.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return sha256(joined.encode("utf-8", "backslashreplace")).hexdigest()


def kind_of(value: Value) -> str:
    """The kind a value is stored under. TypeError for a value that no record holds."""
    for kind, cls in KINDS.items():
        if type(value) is cls:
            return kind
    raise TypeError(f"a record does not hold {type(value).__name__}")


def to_body(value: Value) -> dict[str, Any]:
    """The body of a value's entry: plain JSON types only."""
    body: dict[str, Any] = _dump(type(value), value)
    return body | {"schema": SCHEMA} if isinstance(value, Audit) else body


def from_body(kind: str, body: Any) -> Value:
    """The value of an entry. ValueError names the field that is wrong; NewerForm a version to come."""
    if kind not in KINDS:
        raise ValueError(f"no record of this version holds an entry of the kind {kind[:40]!r}")
    if kind == "audit":
        body = _without_schema(body)
    value: Value = _load(KINDS[kind], body, kind)
    return value


def _without_schema(body: Any) -> Any:
    schema = body.get("schema") if isinstance(body, dict) else None
    if schema == SCHEMA:
        return {key: item for key, item in body.items() if key != "schema"}
    if isinstance(schema, str) and _NEWER.fullmatch(schema):
        raise NewerForm(schema)
    raise ValueError(f"the header does not say {SCHEMA}")


@cache
def _fields(cls: type) -> Mapping[str, Any]:
    return MappingProxyType(get_type_hints(cls))


def _dump(hint: Any, value: Any) -> Any:
    if is_dataclass(hint):
        return {name: _dump(inner, getattr(value, name)) for name, inner in _fields(hint).items()}  # type: ignore[arg-type]
    if get_origin(hint) is tuple:
        return [_dump(inner, item) for inner, item in zip(_items(hint, len(value)), value, strict=True)]
    if isinstance(hint, UnionType):
        return None if value is None else _dump(_some(hint), value)
    if hint is float and type(value) is int:
        return float(value)  # an int is a good float to Python; one spelling is stored
    return value.value if isinstance(value, StrEnum) else value


def _load(hint: Any, data: Any, place: str) -> Any:
    if is_dataclass(hint):
        return _load_fields(hint, data, place)
    if get_origin(hint) is tuple:
        return _load_tuple(hint, data, place)
    if get_origin(hint) is Literal:
        return _one_of(get_args(hint), data, place)
    if isinstance(hint, UnionType):
        return None if data is None else _load(_some(hint), data, place)
    if issubclass(hint, StrEnum):
        return hint(_one_of(tuple(hint), data, place))
    return _typed(hint, data, place)


def _load_fields(cls: Any, data: Any, place: str) -> Any:
    fields = _fields(cls)
    _typed(dict, data, place)
    if missing := fields.keys() - data.keys():
        raise ValueError(f"{place}: {min(missing)} is missing")
    if extra := data.keys() - fields.keys():
        raise ValueError(f"{place}: {min(extra)[:40]!r} does not belong here")
    return cls(**{name: _load(hint, data[name], f"{place}.{name}") for name, hint in fields.items()})


def _load_tuple(hint: Any, data: Any, place: str) -> tuple[Any, ...]:
    _typed(list, data, place)
    hints = _items(hint, len(data))
    if len(hints) != len(data):
        raise ValueError(f"{place}: {len(hints)} items are wanted, there are {len(data)}")
    return tuple(_load(inner, item, f"{place}[{i}]") for i, (inner, item) in enumerate(zip(hints, data, strict=True)))


def _one_of(choices: tuple[Any, ...], data: Any, place: str) -> Any:
    if type(data) is not str or data not in choices:
        raise ValueError(f"{place}: must be one of {', '.join(choices)}")
    return data


def _typed(cls: type, data: Any, place: str) -> Any:
    if type(data) is not cls:
        raise ValueError(f"{place}: {_NAMES[cls]} is wanted, {_NAMES.get(type(data), 'nothing')} is there")
    return data


def _items(hint: Any, count: int) -> tuple[Any, ...]:
    args = get_args(hint)
    return (args[0],) * count if args[-1] is Ellipsis else args


def _some(hint: Any) -> Any:
    """The type of ``X | None``, the only union in use."""
    (some,) = (arg for arg in get_args(hint) if arg is not type(None))
    return some
