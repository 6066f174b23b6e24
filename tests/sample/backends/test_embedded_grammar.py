"""A schema becomes a grammar for compact JSON, and what cannot be said in it is refused."""

import json

import pytest

from venire.sample.backends.embedded_grammar import grammar


def rules(schema: object) -> dict[str, str]:
    return dict(line.split(" ::= ", 1) for line in grammar(json.dumps(schema)).split("\n"))


def test_properties_keep_the_schemas_order_and_nothing_stands_between_tokens() -> None:
    schema = {"type": "object", "properties": {"b": {"type": "boolean"}, "a": {"enum": ["x"]}}, "required": ["b"]}
    assert rules(schema)["root"] == r'"{"  "\"b\":" ("true" | "false") "," "\"a\":" ("\"x\"")  "}"'


@pytest.mark.parametrize(
    ("line", "literal"),
    [
        ('1: s = "a"', r'"\"1: s = \\\"a\\\"\""'),
        ("2: p = a\\b", r'"\"2: p = a\\\\b\""'),
        ("3: \treturn", r'"\"3: \\treturn\""'),
        ("4: é \u2028 \U0001f600", '"\\"4: é \u2028 \U0001f600\\""'),
        ("5: <|im_end|>", r'"\"5: <|im_end|>\""'),
        ("6: \x00", r'"\"6: \\u0000\""'),
    ],
)
def test_a_line_of_code_is_one_literal_whatever_it_holds(line: str, literal: str) -> None:
    assert rules({"enum": [line]})["root"] == f"({literal})"


def test_long_lines_with_quotes_and_tabs_are_whole() -> None:
    """The engine's own converter cuts them; see the module."""
    line = '7: \t\t\treturn fmt.Errorf("could not open %s: %w", path, err) // ' + "and so on " * 20
    literal = rules({"enum": [line, "8: x"]})["root"].removeprefix("(").split(" | ")[0]
    assert json.loads(json.loads(literal)) == line


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({}, '"[" (item0 ("," item0){0,})? "]"'),
        ({"maxItems": 3}, '"[" (item0 ("," item0){0,2})? "]"'),
        ({"minItems": 2, "maxItems": 3}, '"[" item0 ("," item0){1,2} "]"'),
        ({"maxItems": 0}, '"[]"'),
    ],
)
def test_lists_hold_as_many_items_as_the_schema_says(limits: dict[str, int], expected: str) -> None:
    assert rules({"type": "array", "items": {"type": "boolean"}, **limits})["root"] == expected


def test_lists_in_lists_have_rules_of_their_own() -> None:
    inner = {"type": "array", "items": {"type": "boolean"}}
    found = rules({"type": "array", "items": {"type": "object", "properties": {"a": inner, "b": inner}}})
    assert {name for name in found if name.startswith("item")} == {"item0", "item1", "item2"}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "a"},
        {"type": "string", "format": "date"},
        {"$ref": "#/x"},
        {"type": "object", "properties": {"a": {"anyOf": []}}},
        {"type": ["string", "null"]},
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        {},
    ],
)
def test_what_the_grammar_cannot_say_is_refused(schema: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        grammar(json.dumps(schema))


def test_white_space_stands_between_tokens_only_where_it_is_asked_for() -> None:
    """And never in a literal: an enum's own text stays as it is."""
    schema = json.dumps(
        {"type": "object", "properties": {"a b": {"enum": ["x y"]}, "c": {"type": "array", "items": {"type": "boolean"}}}}
    )
    spaced = grammar(schema, is_compact=False)
    assert spaced.splitlines()[-1].startswith("gap ::= [ ")
    assert "gap" not in grammar(schema)
    assert spaced.replace("gap ", "").rsplit("\n", 1)[0] == grammar(schema)
    assert json.dumps('"a b":') in spaced
    assert json.dumps('"x y"') in spaced
