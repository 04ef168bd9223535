"""Encoding of the messages between nodes and coordinators.

Requests and replies are JSON. Evidence is compressed MessagePack: screenshots are binary, and pages are long. All
input is decoded into its type or rejected; nothing received is ever executed.
"""

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from statecrawl.coordination.client_server_messages import NodeMessage, TaskReply
from statecrawl.errors import BadInput
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange

PIECE_BYTES = 8 << 20  # of bodies in one parcel; more start another parcel
MOST_BYTES = 256 << 20  # of one parcel, decompressed


class NodeIntroduction(msgspec.Struct, frozen=True):
    """Greeting of a node."""

    version: str
    equivalence: str | None = None  # state equivalence required by the user of the node, if any


class _EvidenceParcel(msgspec.Struct, frozen=True):
    states: list[tuple[Snapshot, bytes | None]]
    notes: list[tuple[Note, str, str | None]]
    exchanges: list[tuple[Exchange, str, str | None]] = []


_messages: msgspec.json.Decoder[NodeMessage] = msgspec.json.Decoder(NodeMessage)
_replies: msgspec.json.Decoder[TaskReply] = msgspec.json.Decoder(TaskReply)
_parcels: msgspec.msgpack.Decoder[_EvidenceParcel] = msgspec.msgpack.Decoder(_EvidenceParcel)


def decode_message(data: bytes) -> NodeMessage:
    """Raises BadInput."""
    try:
        return _messages.decode(data)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadInput(f"invalid node message: {error}.") from error


def decode_reply(data: bytes) -> TaskReply:
    """Raises BadInput."""
    try:
        return _replies.decode(data)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadInput(f"invalid coordinator reply: {error}.") from error


def encode(message: NodeMessage | TaskReply) -> bytes:
    return msgspec.json.encode(message)


def split_evidence(states: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> Iterator[bytes]:
    """Yield the evidence in parcels of limited size."""
    piece: list[NoteEvidence] = []
    size = 0
    for noted in notes:
        length = _length(noted)
        if piece and size + length > PIECE_BYTES:
            yield encode_evidence((), piece)
            piece, size = [], 0
        piece.append(noted)
        size += length
    if piece:
        yield encode_evidence((), piece)
    for each in states:
        yield encode_evidence([each], ())


def _length(noted: NoteEvidence) -> int:
    what = noted[0]
    return len(what.request_body or b"") + len(what.response_body or b"") if isinstance(what, Exchange) else 0


def encode_evidence(states: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> bytes:
    page_notes = [(what, state, event) for what, state, event in notes if not isinstance(what, Exchange)]
    exchanges = [(what, state, event) for what, state, event in notes if isinstance(what, Exchange)]
    return zlib.compress(msgspec.msgpack.encode(_EvidenceParcel(list(states), page_notes, exchanges)), 1)


def decode_evidence(data: bytes) -> tuple[list[StateEvidence], list[NoteEvidence]]:
    """Raises BadInput, also when the decompressed parcel would be too large."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MOST_BYTES)
        if unpacker.unconsumed_tail:
            raise BadInput("the evidence is too large.")
        parcel = _parcels.decode(plain)
    except (zlib.error, msgspec.DecodeError, ValueError) as error:
        raise BadInput(f"invalid evidence: {error}.") from error
    return parcel.states, [*parcel.notes, *parcel.exchanges]


def plain(value: Any) -> Any:
    """Convert a value to JSON types, with paths as text."""
    return msgspec.to_builtins(value, enc_hook=_encoded)


def typed(value: Any, kind: Any) -> Any:
    """Convert JSON types back to a value of type `kind`. Raises BadInput."""
    try:
        return msgspec.convert(value, kind, dec_hook=_decoded)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise BadInput(f"invalid value: {error}.") from error


def _encoded(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value)} cannot be sent")


def _decoded(kind: Any, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise TypeError(f"{kind} cannot be received")
