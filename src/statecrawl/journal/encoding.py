"""The one encoding of facts: a JSON object per line, in UTF-8, the same bytes for the same facts every time.

Theory of operation
    Almost every line is plain: written by this release, of a kind and with fields that it knows. Such lines are
    decoded many at a time by one call of a compiled decoder that knows the facts' types and accepts nothing else.

    When it refuses, the lines are taken one by one, by hand, to find out which of these is the case:
    * a field is not known: a newer release added it. It is kept in the fact's `unknown` and written back.
    * a text holds half of a surrogate pair, as the strings of web pages may. JSON can write it (as an escape) but UTF-8
      can not; Python's own JSON module reads and writes it, the compiled one does not.
    * the version is newer than ours: NewerFormat, before anything else about the line is judged.
    * anything else is damage: DamagedJournal, with the number of the line.

    A line bears the lowest version whose readers understand it, and that belongs to its kind. So a kind that we do not
    know, in a line of a version that we do know, is damage and not novelty; and so is a kind that bears another version
    than its own.
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
    """One line per fact, each with its line end."""
    facts = list(facts)
    if not any(fact.unknown for fact in facts):
        try:
            return _encoder.encode_lines(facts)
        except UnicodeEncodeError:
            pass  # half a surrogate pair somewhere
    return b"".join([_encode_line(fact) for fact in facts])


def decode(lines: bytes, first: int = 1) -> list[Fact]:
    """The facts in these lines; `first` is the number of the first line in its journal, for messages.

    Raises DamagedJournal or NewerFormat, naming the line at fault.
    """
    try:
        facts = _decoder.decode_lines(lines)
    except (ValueError, RecursionError):
        pass  # not plain: the long way below finds out why
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
    """The same JSON value with the keys of every object in order, as the compiled encoder writes them."""
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
            f"line {number} of the journal has format version {version} and this statecrawl reads up to {VERSION}:"
            " a newer statecrawl wrote it and is needed to read it."
        )
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise DamagedJournal(
            f"line {number} of the journal is of kind {kind!r}, which does not exist: known are {', '.join(_FIELDS)}."
        )
    unknown = UnknownFields({name: fields.pop(name) for name in fields.keys() - _FIELDS[kind]})
    try:
        fact: Fact = msgspec.convert(fields, Fact)
    except msgspec.ValidationError as error:
        raise DamagedJournal(f"line {number} of the journal is no fact of kind '{kind}': {error}.") from error
    return msgspec.structs.replace(fact, unknown=unknown or NOTHING_UNKNOWN)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too large a number")
    return number
