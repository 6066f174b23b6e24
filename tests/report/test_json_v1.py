"""The JSON report holds everything of a pool, in a committed shape."""

import json
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, is_typeddict

import jsonschema
import pytest
import typing_extensions
from hypothesis import given, settings
from pydantic import TypeAdapter
from support.pools import MODEL, POOLS, evil, poison, severe_among_frequent, troubled

from venire.model import Aside, Decision, Evidence, Gate, Gone, Pool
from venire.report import render
from venire.report.json_types import ReportJson

SCHEMA = "schema/report-v1.schema.json"
ROOT = Path(__file__).parent.parent.parent


def lifted(kind: Any, seen: dict[Any, Any]) -> Any:
    """A typed dictionary in the form pydantic takes on every Python; other types as they are."""
    if is_typeddict(kind):
        if kind not in seen:
            hints = {
                name: lifted(hint, seen) if name in kind.__required_keys__ else typing_extensions.NotRequired[lifted(hint, seen)]
                for name, hint in typing.get_type_hints(kind).items()
            }
            seen[kind] = typing_extensions.TypedDict(kind.__name__, hints)  # type: ignore[operator]
            seen[kind].__doc__ = kind.__doc__
        return seen[kind]
    if typing.get_origin(kind) is list:
        return list[lifted(typing.get_args(kind)[0], seen)]  # type: ignore[misc]
    assert isinstance(kind, type | types.UnionType) or typing.get_origin(kind) is typing.Literal
    return kind


def sealed(schema: Any) -> Any:
    """No object takes a key it does not name; titles say nothing that the names do not."""
    if isinstance(schema, list):
        return [sealed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: sealed(value) for key, value in schema.items() if key != "title" or not isinstance(value, str)}
    return {**kept, "additionalProperties": False} if kept.get("type") == "object" else kept


def schema() -> dict[str, Any]:
    made = TypeAdapter(lifted(ReportJson, {})).json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "venire report, version 1", **sealed(made)}


def committed() -> Any:
    return json.loads((ROOT / SCHEMA).read_text("utf-8"))


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(committed())


def test_the_committed_schema_is_made_from_the_types(expect: Callable[[str, str], None]) -> None:
    expect(SCHEMA, json.dumps(schema(), indent=2, ensure_ascii=True, sort_keys=True) + "\n")


def test_the_schema_is_a_schema_and_refuses_what_it_does_not_name() -> None:
    jsonschema.Draft202012Validator.check_schema(committed())
    report = json.loads(render(troubled(), "json"))
    report["candidates"][0]["verdict"] = "bad"
    with pytest.raises(jsonschema.ValidationError, match="verdict"):
        jsonschema.validate(report, committed())


@pytest.mark.parametrize("name", POOLS)
def test_reports_are_valid(name: str, validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(json.loads(render(POOLS[name](), "json")))


@given(evil)
@settings(max_examples=25, deadline=None)
def test_any_text_is_kept_whole_in_valid_ascii(validator: jsonschema.Draft202012Validator, text: str) -> None:
    report = render(poison(troubled(), text), "json")
    assert report.isascii()
    read = json.loads(report)
    validator.validate(read)
    # A lone half of a pair beside its other half becomes one character in JSON: compare in JSON's own terms.
    whole = json.loads(json.dumps(text))
    assert read["candidates"][0]["problem"] == whole
    assert read["audit"]["panel"][0]["checks"][0]["text"] == whole


def leaves(value: Any) -> Iterator[Any]:
    """The value again and again, each time with another leaf changed."""
    if is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from (replace(value, **{f.name: other}) for other in leaves(getattr(value, f.name)))
    elif isinstance(value, tuple):
        # The ends of a tuple stand for all of it.
        for index in {0, len(value) - 1} if value else ():
            yield from ((*value[:index], other, *value[index + 1 :]) for other in leaves(value[index]))
    elif isinstance(value, Enum):
        yield next(one for one in type(value) if one is not value)
    elif isinstance(value, str):
        yield {"complete": "partial", "partial": "complete", "exact": "file", "clamped": "file", "snapped": "exact"}.get(
            value, value + "~"
        )
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1


def overlaid(pool: Pool) -> Pool:
    """The pool with a decision, evidence, an earlier audit and a gate laid over it."""
    decision = Decision("abc", "confirm", "ann", "2026-01-02T03:04:05Z", "seen", "src/a.py", (("f1", "f2"),))
    first, *rest = pool.candidates
    evidence = (Evidence("bandit", "B608", "src/a.py", 3, 4, "text"),)
    marked = replace(first, decision=decision, evidence=evidence, since="new", reopened="statement")
    return replace(
        pool,
        candidates=(marked, *rest),
        asides=(Aside("src/a.py", "reason", "b", "check_1", "text", 2),),
        gone=(Gone(marked, 5),),
        gate=Gate("evidence", True, ("a reason",)),
        altered=("venire.yml",),
    )


def test_a_report_over_a_record_alone_says_nothing_of_what_may_be_laid_over_it() -> None:
    bare = json.loads(render(troubled(), "json"))
    over = json.loads(render(overlaid(troubled()), "json"))
    assert set(over) - set(bare) == {"asides", "gone", "gate", "altered", "trust"}
    assert set(over["candidates"][0]) - set(bare["candidates"][0]) == {"decision", "evidence", "since", "reopened"}


def test_nothing_of_a_pool_is_missing() -> None:
    """Whatever single fact changes, the report changes."""
    full = overlaid(replace(troubled(), models=(replace(MODEL, warnings=("slow",)),)))
    before = render(full, "json")
    changed: list[Pool] = list(leaves(full))
    assert len(changed) > 200
    assert [one for one in changed if render(one, "json") == before] == []


def test_severe_candidates_come_first_and_near_the_top() -> None:
    text = render(severe_among_frequent(), "json")
    first = json.loads(text)["candidates"][0]
    assert (first["lane"], first["support"], first["valid"]) == ("severe", 1, 51)
    assert '"path": "src/query.py"' in "\n".join(text.splitlines()[:40])


def test_whole_numbers_and_reals_are_written_alike() -> None:
    """A plan read back from a record may hold 120 where 120.0 was meant."""
    plan = troubled().audit.plan
    as_int, as_float = (
        replace(troubled(), audit=replace(troubled().audit, plan=replace(plan, max_time=value))) for value in (120, 120.0)
    )
    assert render(as_int, "json") == render(as_float, "json")


def test_runner_commands_and_del_are_escaped_without_changing_the_value() -> None:
    text = render(poison(troubled(), "##[error]\x7f"), "json")
    assert "##[" not in text
    assert "\x7f" not in text
    assert json.loads(text)["candidates"][0]["problem"] == "##[error]\x7f"
