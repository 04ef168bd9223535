"""What nodes and coordinators send each other, as bytes.

Questions and answers are JSON. Evidence is MessagePack, compressed: pictures are bytes, and pages are long. Everything
is decoded into its type or refused; nothing that is sent is ever run.
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

PIECE_BYTES = 8 << 20  # of bodies in one parcel, from which the next one is begun
MOST_BYTES = 256 << 20  # of one parcel, unpacked


class NodeIntroduction(msgspec.Struct, frozen=True):
    """A node introduces itself."""

    version: str
    equivalence: str | None = None  # what it was told that makes a state, if it was


class _EvidenceParcel(msgspec.Struct, frozen=True):
    kept: list[tuple[Snapshot, bytes | None]]
    notes: list[tuple[Note, str, str | None]]
    exchanges: list[tuple[Exchange, str, str | None]] = []


_messages: msgspec.json.Decoder[NodeMessage] = msgspec.json.Decoder(NodeMessage)
_replies: msgspec.json.Decoder[TaskReply] = msgspec.json.Decoder(TaskReply)
_parcels: msgspec.msgpack.Decoder[_EvidenceParcel] = msgspec.msgpack.Decoder(_EvidenceParcel)


def to_message(data: bytes) -> NodeMessage:
    """Raises BadInput."""
    try:
        return _messages.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no message of a node: {trouble}.") from trouble


def to_reply(data: bytes) -> TaskReply:
    """Raises BadInput."""
    try:
        return _replies.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no answer of a coordinator: {trouble}.") from trouble


def from_message(message: NodeMessage | TaskReply) -> bytes:
    return msgspec.json.encode(message)


def parcels(kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> Iterator[bytes]:
    """All of it in pieces, none of which is large."""
    piece: list[NoteEvidence] = []
    size = 0
    for noted in notes:
        length = _length(noted)
        if piece and size + length > PIECE_BYTES:
            yield from_parcel((), piece)
            piece, size = [], 0
        piece.append(noted)
        size += length
    if piece:
        yield from_parcel((), piece)
    for each in kept:
        yield from_parcel([each], ())


def _length(noted: NoteEvidence) -> int:
    what = noted[0]
    return len(what.request_body or b"") + len(what.response_body or b"") if isinstance(what, Exchange) else 0


def from_parcel(kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> bytes:
    said = [(what, state, event) for what, state, event in notes if not isinstance(what, Exchange)]
    exchanges = [(what, state, event) for what, state, event in notes if isinstance(what, Exchange)]
    return zlib.compress(msgspec.msgpack.encode(_EvidenceParcel(list(kept), said, exchanges)), 1)


def to_parcel(data: bytes) -> tuple[list[StateEvidence], list[NoteEvidence]]:
    """Raises BadInput, also when it would be too large."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MOST_BYTES)
        if unpacker.unconsumed_tail:
            raise BadInput("this evidence is too large.")
        parcel = _parcels.decode(plain)
    except (zlib.error, msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no evidence: {trouble}.") from trouble
    return parcel.kept, [*parcel.notes, *parcel.exchanges]


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
