"""Every value survives being stored, and nothing but such a value is ever read."""

import json
from dataclasses import is_dataclass, replace
from enum import StrEnum
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import attempt, audit, model, prompt, run, small, target

from venire.model import Plan, Sampling, Seal, Skipped
from venire.record import digest
from venire.record.chain import canonical
from venire.record.codec import KINDS, NewerForm, from_body, kind_of, to_body


def joined(text: str) -> str:
    """Halves of a surrogate pair joined; alone they stay."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: ANY_TEXT.map(joined),
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type of the model."""
    args = get_args(hint)
    if is_dataclass(hint):
        return st.builds(hint, **{name: values(inner) for name, inner in get_type_hints(hint).items()})
    if get_origin(hint) is Literal:
        return st.sampled_from(args)
    if isinstance(hint, UnionType):
        return st.one_of(map(values, args))
    if get_origin(hint) is tuple:
        return st.lists(values(args[0]), max_size=2).map(tuple) if args[-1] is ... else st.tuples(*map(values, args))
    return st.sampled_from(list(hint)) if issubclass(hint, StrEnum) else PLAIN[hint]


def stored(kind: str, value: Any) -> Any:
    return from_body(kind, json.loads(canonical(to_body(value))))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_value_of_any_kind_is_read_as_it_was_stored(kind, data):
    value = data.draw(values(KINDS[kind]))

    assert stored(kind, value) == value
    assert kind_of(value) == kind


@given(ANY_TEXT)
def test_text_is_kept_but_for_surrogate_pairs_which_are_joined(text):
    assert stored("skipped", Skipped(text, "binary")).path == joined(text)


def bodies() -> list[tuple[str, Any]]:
    made = small()
    every = (
        made.audit,
        model(),
        *made.targets,
        *made.skipped,
        *made.prompts,
        attempt(),
        *made.runs,
        Seal(1, "", "", "complete", 2),
    )
    return [(kind_of(value), to_body(value)) for value in every]


def objects(body: Any) -> list[dict[str, Any]]:
    """Every object inside a body, itself included."""
    inner = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    here = [body] if isinstance(body, dict) else []
    return here + [found for item in inner for found in objects(item)]


@pytest.mark.parametrize(("kind", "body"), bodies(), ids=[kind for kind, _ in bodies()])
def test_a_missing_an_extra_and_a_mistyped_field_are_refused_at_every_depth(kind, body):
    text = json.dumps(body)
    for i, place in enumerate(objects(body)):
        for name, held in place.items():
            wrong = [{}, {"x": 1}, "no such word", 7, 1.5, True, None, [5], [[1, 2, 3]]]
            for other in [item for item in wrong if not fits(held, item, name)]:
                mutant = json.loads(text)
                objects(mutant)[i][name] = other
                with pytest.raises(ValueError, match=f"{kind}[.:]|header"):
                    from_body(kind, mutant)
            mutant = json.loads(text)
            del objects(mutant)[i][name]
            with pytest.raises(ValueError, match=f"{name} is missing|header"):
                from_body(kind, mutant)
        mutant = json.loads(text)
        objects(mutant)[i]["surplus"] = 1
        with pytest.raises(ValueError, match="'surplus' does not belong"):
            from_body(kind, mutant)


WORDS = {"mode", "reason", "severity", "scope", "status", "stop"}


def fits(held: Any, other: Any, name: str) -> bool:
    """Whether ``other`` is a good value where ``held`` stands."""
    if name == "gpu_share":
        return other is None or type(other) is float
    return type(held) is type(other) and name not in WORDS and held != "venire/record/1" and not isinstance(held, dict | list)


@pytest.mark.parametrize("body", [None, 1, "text", [], [[]]])
@pytest.mark.parametrize("kind", KINDS)
def test_a_body_that_is_no_object_is_refused(kind, body):
    with pytest.raises(ValueError, match=r"wanted|header"):
        from_body(kind, body)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind 'verdict'"):
        from_body("verdict", {})
    with pytest.raises(TypeError, match="does not hold Plan"):
        kind_of(Plan())  # type: ignore[arg-type]


def test_the_header_names_the_form_and_a_newer_one_is_told_apart():
    body = to_body(audit())
    assert body["schema"] == "venire/record/1"
    with pytest.raises(NewerForm, match="venire/record/12"):
        from_body("audit", body | {"schema": "venire/record/12", "new": 1})


def test_a_whole_number_given_for_a_decimal_one_is_stored_as_decimal():
    plan = Plan(max_time=60, sampling=Sampling(temperature=0))

    body = to_body(replace(audit(), plan=plan))

    assert type(body["plan"]["max_time"]) is float
    assert from_body("audit", body).plan == plan


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_not_stored(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(to_body(model(gpu_share=number)))


def test_every_field_is_stored_also_where_it_has_its_default():
    assert to_body(audit())["plan"]["lift"] == 0.5
    assert to_body(target())["notes"] == []
    assert to_body(prompt())["contract"] == "findings"
    assert to_body(run(prompt()))["attempts"][0]["fault"] == ""


@given(ANY_TEXT)
def test_the_digest_of_a_reply_survives_being_stored(text):
    assert digest(stored("warmup", attempt(text)).raw) == digest(text)


def test_the_digest_of_a_plain_reply_is_that_of_its_utf8_bytes():
    from hashlib import sha256

    assert digest("\ufeffé😀") == sha256("\ufeffé😀".encode()).hexdigest()
    assert digest("\ud800") == sha256(b"\\ud800").hexdigest()
