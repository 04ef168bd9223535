"""Shapes: every value satisfies the schema that was made of it and others, in whatever order they came."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from statecrawl.exports.json_shapes import JsonShape, is_id, shape_of, shape_of_text

NAMES = st.sampled_from(["id", "name", "11", "12", "13", "deadbeef00"]) | st.text(max_size=3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
)


def joined(values: list[Any]) -> JsonShape:
    shape = shape_of(values[0])
    for value in values[1:]:
        shape |= shape_of(value)
    return shape


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_all_values_satisfy_their_schema(values: list[Any]) -> None:
    schema = joined(values).schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for value in values:
        validator.validate(value)


@given(VALUES, VALUES, VALUES)
def test_order_and_repetition_make_no_difference(one: Any, two: Any, three: Any) -> None:
    a, b, c = map(shape_of, (one, two, three))
    assert a | b == b | a
    assert (a | b) | c == a | (b | c)
    assert a | a == a


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([1, 2.5], {"type": "number"}),
        ([1, None], {"type": ["integer", "null"]}),
        (["2024-02-29", "2024-03-01"], {"type": "string", "format": "date"}),
        (["2024-02-29", "soon"], {"type": "string"}),
        ([[], [1]], {"type": "array", "items": {"type": "integer"}}),
        (
            [{"a": 1, "b": ""}, {"a": 2}],
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]},
        ),
        ([{"11": 1, "12": 2}, {"13": 3}], {"type": "object", "additionalProperties": {"type": "integer"}}),
    ],
)
def test_schemas(values: list[Any], schema: dict[str, Any]) -> None:
    assert joined(values).schema() == schema


@pytest.mark.parametrize(
    ("text", "kind"), [("12", "integer"), ("-1.5", "number"), ("true", "boolean"), ("007", "string")]
)
def test_texts_of_addresses(text: str, kind: str) -> None:
    assert shape_of_text(text).kinds == {kind}


def test_ids() -> None:
    ids = ["11", "deadbeef", "0b5f1c9e-3c4d-4d5e-8f6a-7b8c9d0e1f2a", "REDACTED-12345678", "5f3a9c2b1d4e6f7a8b9c0d1e"]
    assert all(map(is_id, ids))
    assert not any(map(is_id, ["users", "v1", "new", "", "api-v2", "facade"]))
