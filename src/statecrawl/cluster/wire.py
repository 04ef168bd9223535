"""What nodes and coordinators send each other, as bytes.

Questions and answers are JSON. Evidence is MessagePack, compressed: pictures are bytes, and pages are long. Everything
is decoded into its type or refused; nothing that is sent is ever run.
"""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import Entries, Passed, Request
from statecrawl.coordination.questions import Ask, Beat, Reply
from statecrawl.errors import BadInput
from statecrawl.ports.line import Kept, Noted
from statecrawl.ports.page import Note, Snapshot

Kind = TypeVar("Kind")
MOST_BYTES = 256 << 20  # of one parcel, unpacked


class Hello(msgspec.Struct, frozen=True):
    """A node introduces itself."""

    version: str
    equivalence: str | None = None  # what it was told that makes a state, if it was


class Leave(msgspec.Struct, frozen=True):
    """A node goes."""

    node: str


class Listening(msgspec.Struct, frozen=True):
    """A peer waits for news of the log behind a position, or for a token."""

    peer: str
    incarnation: int
    position: int


class Posted(msgspec.Struct, frozen=True):
    """A token for a peer."""

    peer: str
    passed: Passed


class _Parcel(msgspec.Struct, frozen=True):
    kept: list[tuple[Snapshot, bytes | None]]
    notes: list[tuple[Note, str, str | None]]


_messages: msgspec.json.Decoder[Ask | Beat] = msgspec.json.Decoder(Ask | Beat)
_replies: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_entries: msgspec.json.Decoder[Entries] = msgspec.json.Decoder(Entries)
_tokens: msgspec.json.Decoder[Passed] = msgspec.json.Decoder(Passed)
_listening: msgspec.json.Decoder[Listening] = msgspec.json.Decoder(Listening)
_posted: msgspec.json.Decoder[Posted] = msgspec.json.Decoder(Posted)
_reports: msgspec.json.Decoder[dist_ria.Ask] = msgspec.json.Decoder(dist_ria.Ask)
_news: msgspec.json.Decoder[dist_ria.Reply] = msgspec.json.Decoder(dist_ria.Reply)
_parcels: msgspec.msgpack.Decoder[_Parcel] = msgspec.msgpack.Decoder(_Parcel)


def to_message(data: bytes) -> Ask | Beat:
    """Raises BadInput."""
    try:
        return _messages.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no message of a node: {trouble}.") from trouble


def to_reply(data: bytes) -> Reply:
    """Raises BadInput."""
    try:
        return _replies.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no answer of a coordinator: {trouble}.") from trouble


def to_request(data: bytes) -> Request:
    return _decoded_by(_requests, data, "request to a log")


def to_entries(data: bytes) -> Entries:
    return _decoded_by(_entries, data, "answer of a log")


def to_token(data: bytes) -> Passed:
    return _decoded_by(_tokens, data, "token")


def to_listening(data: bytes) -> Listening:
    return _decoded_by(_listening, data, "peer that listens")


def to_posted(data: bytes) -> Posted:
    return _decoded_by(_posted, data, "token for a peer")


def to_report(data: bytes) -> dist_ria.Ask:
    return _decoded_by(_reports, data, "question of a node")


def to_news(data: bytes) -> dist_ria.Reply:
    return _decoded_by(_news, data, "answer of a coordinator")


def _decoded_by(decoder: msgspec.json.Decoder[Kind], data: bytes, what: str) -> Kind:
    """Raises BadInput."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no {what}: {trouble}.") from trouble


def from_message(
    message: Ask | Beat | Reply | Request | Entries | Passed | Listening | Posted | dist_ria.Ask | dist_ria.Reply,
) -> bytes:
    return msgspec.json.encode(message)


def from_parcel(kept: Sequence[Kept], notes: Sequence[Noted]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(_Parcel(list(kept), list(notes))), 1)


def to_parcel(data: bytes) -> tuple[list[Kept], list[Noted]]:
    """Raises BadInput, also when it would be too large."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MOST_BYTES)
        if unpacker.unconsumed_tail:
            raise BadInput("this evidence is too large.")
        parcel = _parcels.decode(plain)
    except (zlib.error, msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no evidence: {trouble}.") from trouble
    return parcel.kept, parcel.notes


def plain(value: Any) -> Any:
    """A value for JSON, paths as texts."""
    return msgspec.to_builtins(value, enc_hook=_encoded)


def typed(value: Any, kind: Any) -> Any:
    """The other way round. Raises BadInput."""
    try:
        return msgspec.convert(value, kind, dec_hook=_decoded)
    except (msgspec.ValidationError, TypeError, ValueError) as trouble:
        raise BadInput(f"this is not what it should be: {trouble}.") from trouble


def _encoded(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value)} cannot be sent")


def _decoded(kind: Any, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise TypeError(f"{kind} cannot be received")
