"""What nodes that decide for themselves send, and are sent, as bytes: JSON, like questions (see `cluster.wire`)."""

from typing import TypeVar

import msgspec

from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import Entries, Passed, Request
from statecrawl.coordination.questions import Leave
from statecrawl.errors import BadInput

Kind = TypeVar("Kind")


class Listening(msgspec.Struct, frozen=True):
    """A peer waits for news of the log behind a position, or for a token."""

    peer: str
    incarnation: int
    position: int


class Posted(msgspec.Struct, frozen=True):
    """A token for a peer."""

    peer: str
    passed: Passed


_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_entries: msgspec.json.Decoder[Entries] = msgspec.json.Decoder(Entries)
_tokens: msgspec.json.Decoder[Passed] = msgspec.json.Decoder(Passed)
_listening: msgspec.json.Decoder[Listening] = msgspec.json.Decoder(Listening)
_posted: msgspec.json.Decoder[Posted] = msgspec.json.Decoder(Posted)
_reports: msgspec.json.Decoder[dist_ria.Ask] = msgspec.json.Decoder(dist_ria.Ask)
_said: msgspec.json.Decoder[dist_ria.Ask | Leave] = msgspec.json.Decoder(dist_ria.Ask | Leave)
_news: msgspec.json.Decoder[dist_ria.Reply] = msgspec.json.Decoder(dist_ria.Reply)


def to_request(data: bytes) -> Request:
    return _decoded(_requests, data, "request to a log")


def to_entries(data: bytes) -> Entries:
    return _decoded(_entries, data, "answer of a log")


def to_token(data: bytes) -> Passed:
    return _decoded(_tokens, data, "token")


def to_listening(data: bytes) -> Listening:
    return _decoded(_listening, data, "peer that listens")


def to_posted(data: bytes) -> Posted:
    return _decoded(_posted, data, "token for a peer")


def to_report(data: bytes) -> dist_ria.Ask:
    return _decoded(_reports, data, "question of a node")


def to_said(data: bytes) -> dist_ria.Ask | Leave:
    return _decoded(_said, data, "message of a node")


def to_news(data: bytes) -> dist_ria.Reply:
    return _decoded(_news, data, "answer of a coordinator")


def from_any(message: Request | Entries | Passed | Listening | Posted | dist_ria.Ask | dist_ria.Reply) -> bytes:
    return msgspec.json.encode(message)


def _decoded(decoder: msgspec.json.Decoder[Kind], data: bytes, what: str) -> Kind:
    """Raises BadInput."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no {what}: {trouble}.") from trouble
