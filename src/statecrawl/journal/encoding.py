"""Encoding of facts: one JSON object per line, in UTF-8. Equal facts always give equal bytes.

Theory of operation
    Almost every line is plain: written by this release, with a kind and fields that it knows. One call of a compiled
    decoder decodes many such lines at once. The decoder knows the types of the facts and accepts nothing else.

    When it rejects its input, each line is decoded separately to find out which case applies:
    * A field is unknown because a newer release added it. It is stored in the fact's `unknown` and written back.
    * A text contains half of a surrogate pair, as strings of web pages may. JSON can represent it as an escape, UTF-8
      cannot. Python's JSON module reads and writes it, the compiled decoder does not.
    * The version is newer than ours. This raises NewerFormat before anything else in the line is checked.
    * Anything else is damage. This raises DamagedJournal with the line number.

    A line carries the lowest version whose readers understand it. This version belongs to its kind. So an unknown kind
    in a line of a known version is damage, not an extension, and so is a kind with a version other than its own.
"""

import json
from collections.abc import Iterable
from typing import Any, NoReturn

import msgspec

from statecrawl.errors import DamagedJournal, NewerFormat
from statecrawl.journal.facts import NOTHING_UNKNOWN, VERSION, Fact, UnknownFields

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder: msgspec.json.Decoder[Fact] = msgspec.json.Decoder(Fact)
_FIELDS: dict[str, frozenset[str]] = {
    str(kind.__struct_config__.tag): frozenset(kind.__struct_encode_fields__) - {"unknown"} | {"kind"}
    for kind in Fact.__args__
}


def encode(facts: Iterable[Fact]) -> bytes:
    """Encode facts as lines, each with its line end."""
    facts = list(facts)
    if not any(fact.unknown for fact in facts):
        try:
            return _encoder.encode_lines(facts)
        except UnicodeEncodeError:
            pass  # a text contains half of a surrogate pair
    return b"".join([_encode_line(fact) for fact in facts])


def decode(lines: bytes, first: int = 1) -> list[Fact]:
    """Decode lines to facts. `first` is the number of the first line in the journal, for error messages.

    Raises DamagedJournal or NewerFormat, with the number of the faulty line.
    """
    try:
        facts = _decoder.decode_lines(lines)
    except (ValueError, RecursionError):
        pass  # not plain; decode line by line
    else:
        if len(facts) == lines.count(b"\n") + (not lines.endswith(b"\n")):
            return facts
    numbered = enumerate(lines.removesuffix(b"\n").split(b"\n") if lines else (), first)
    return [_decode_line(line, number) for number, line in numbered]


def _encode_line(fact: Fact) -> bytes:
    try:
        if not fact.unknown:
            return _encoder.encode(fact) + b"\n"
    except UnicodeEncodeError:
        pass
    known = msgspec.to_builtins(fact)
    known.pop("unknown", None)
    ordered = {name: _sorted(value) for name, value in known.items()} | _sorted(dict(fact.unknown))
    return json.dumps(ordered, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _sorted(value: Any) -> Any:
    """Sort the keys of every object in a JSON value, as the compiled encoder does."""
    match value:
        case dict():
            return {key: _sorted(value[key]) for key in sorted(value)}
        case list() | tuple():
            return [_sorted(item) for item in value]
        case _:
            return value


def _decode_line(line: bytes, number: int) -> Fact:
    try:
        return _decoder.decode(line)
    except (ValueError, RecursionError):
        return _decode_by_hand(line, number)


def _decode_by_hand(line: bytes, number: int) -> Fact:
    try:
        fields = json.loads(line.decode(), parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise DamagedJournal(f"line {number} of the journal is not JSON: {error}.") from error
    if not isinstance(fields, dict):
        raise DamagedJournal(f"line {number} of the journal is JSON, but not an object.")
    version = fields.get("v")
    if type(version) is int and version > VERSION:
        raise NewerFormat(
            f"line {number} of the journal has format version {version}, and this statecrawl reads up to {VERSION}:"
            " use a newer statecrawl to read it."
        )
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise DamagedJournal(
            f"line {number} of the journal has the unknown kind {kind!r}; known kinds: {', '.join(_FIELDS)}."
        )
    unknown = UnknownFields({name: fields.pop(name) for name in fields.keys() - _FIELDS[kind]})
    try:
        fact: Fact = msgspec.convert(fields, Fact)
    except msgspec.ValidationError as error:
        raise DamagedJournal(f"line {number} of the journal is not a valid '{kind}' fact: {error}.") from error
    return msgspec.structs.replace(fact, unknown=unknown or NOTHING_UNKNOWN)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too large a number")
    return number
