"""Shapes: JSON Schemas inferred from values, which all of the values satisfy.

Shapes form a lattice: joining them is associative, commutative and idempotent, so neither the order nor the number of
responses matters.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LEAST_KEYS = 3  # an object with at least so many keys is a dictionary if all keys look like ids
DEEPEST = 40  # levels of nested values
FORMATS = {
    "date-time": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "uuid": re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE),
    "uri": re.compile(r"https?://\S+"),
}
ID = re.compile(
    r"[0-9]+|[0-9a-f]{8,}|[0-9a-f-]{32,}|REDACTED(?:-[0-9a-f]{8})?|(?:[^\W0-9]|-)*+[0-9][\w-]{15,}+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JsonShape:
    """Shape of the values at one place."""

    kinds: frozenset[str] = frozenset()  # names of JSON Schema
    formats: frozenset[str] = frozenset()  # of strings; "" means none
    properties: Mapping[str, "JsonShape"] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    items: "JsonShape | None" = None

    def __or__(self, other: "JsonShape") -> "JsonShape":
        """Return the shape that values of both shapes satisfy."""
        names = {*self.properties, *other.properties}
        both = "object" in self.kinds and "object" in other.kinds
        items = self.items if other.items is None else other.items
        return JsonShape(
            kinds=self.kinds | other.kinds,
            formats=self.formats | other.formats,
            properties={
                name: self.properties.get(name, JsonShape()) | other.properties.get(name, JsonShape())
                for name in sorted(names)
            },
            required=self.required & other.required if both else self.required | other.required,
            items=self.items | other.items if self.items is not None and other.items is not None else items,
        )

    def schema(self) -> dict[str, Any]:
        """Return the shape as JSON Schema, draft 2020-12."""
        kinds = self.kinds - ({"integer"} if "number" in self.kinds else set())
        schema: dict[str, Any] = {}
        if kinds:
            schema["type"] = next(iter(kinds)) if len(kinds) == 1 else sorted(kinds)
        if "string" in kinds and len(self.formats) == 1 and "" not in self.formats:
            schema["format"] = next(iter(self.formats))
        if "object" in kinds:
            schema |= self._object()
        if "array" in kinds:
            schema["items"] = {} if self.items is None else self.items.schema()
        return schema

    def _object(self) -> dict[str, Any]:
        if len(self.properties) >= LEAST_KEYS and all(map(is_id, self.properties)):
            every = JsonShape()
            for shape in self.properties.values():
                every |= shape
            return {"additionalProperties": every.schema()}
        schema: dict[str, Any] = {"properties": {name: shape.schema() for name, shape in self.properties.items()}}
        return schema | ({"required": sorted(self.required)} if self.required else {})


def is_id(text: str) -> bool:
    """Whether a text looks like an id."""
    return bool(ID.fullmatch(text))


def shape_of(value: Any, depth: int = 0) -> JsonShape:
    """Return the shape of one JSON value; values that are nested too deeply have no constraints."""
    if depth > DEEPEST:
        return JsonShape()
    match value:
        case None:
            return JsonShape(frozenset({"null"}))
        case bool():
            return JsonShape(frozenset({"boolean"}))
        case int():
            return JsonShape(frozenset({"integer"}))
        case float():
            return JsonShape(frozenset({"number"}))
        case str():
            return JsonShape(frozenset({"string"}), frozenset({_format(value)}))
        case list():
            items: JsonShape | None = None
            for each in value:
                items = shape_of(each, depth + 1) if items is None else items | shape_of(each, depth + 1)
            return JsonShape(frozenset({"array"}), items=items)
        case dict():
            properties = {str(name): shape_of(value[name], depth + 1) for name in sorted(value)}
            return JsonShape(frozenset({"object"}), properties=properties, required=frozenset(properties))
        case _:
            return JsonShape()


def shape_of_text(text: str) -> JsonShape:
    """Return the shape of a value in a URL or a form, where every value is a text."""
    if re.fullmatch(r"-?(?:0|[1-9][0-9]{0,17})", text):
        return JsonShape(frozenset({"integer"}))
    if re.fullmatch(r"-?[0-9]{1,17}\.[0-9]{1,17}", text):
        return JsonShape(frozenset({"number"}))
    return JsonShape(frozenset({"boolean"})) if text in ("true", "false") else shape_of(text)


def _format(text: str) -> str:
    return next((name for name, looks in FORMATS.items() if looks.fullmatch(text)), "")
