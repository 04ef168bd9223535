"""HTML and SVG with automatic escaping.

Names of model files and remarks are untrusted. Every plain `str` is escaped, in text and in attributes. Only `tag` and
`join` make `Markup`, and only `Markup` is not escaped.
"""

import re
from collections.abc import Iterable
from html import escape

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_VOID = {"img", "wbr"}  # HTML elements without an end tag


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


def tag(name: str, *children: str | None, **attributes: str | float | None) -> Markup:
    """Return an element. `class_` sets `class`, `data_low` sets `data-low`; None omits an attribute or child."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(child for child in children if child is not None)}</{name}>")


def join(parts: Iterable[str]) -> Markup:
    return Markup("".join(part if isinstance(part, Markup) else _escaped(part) for part in parts))


def _escaped(text: str) -> str:
    return escape(_UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def _written(value: str | float) -> str:
    """Round coordinates to a tenth of a pixel."""
    return value if isinstance(value, str) else number(value)


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
