"""What nodes that decide for themselves send, and are sent, as bytes: JSON, like questions (see `cluster.messages`)."""

from typing import TypeVar

import msgspec

from statecrawl.coordination import dist_ria
from statecrawl.coordination.client_server_messages import Leave
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.errors import BadInput

Kind = TypeVar("Kind")


class ListenRequest(msgspec.Struct, frozen=True):
    """A peer waits for news of the log behind a position, or for a token."""

    peer: str
    incarnation: int
    position: int


class PostedToken(msgspec.Struct, frozen=True):
    """A token for a peer."""

    peer: str
    passed: PassedToken


_requests: msgspec.json.Decoder[LogRequest] = msgspec.json.Decoder(LogRequest)
_entries: msgspec.json.Decoder[LogEntries] = msgspec.json.Decoder(LogEntries)
_tokens: msgspec.json.Decoder[PassedToken] = msgspec.json.Decoder(PassedToken)
_listening: msgspec.json.Decoder[ListenRequest] = msgspec.json.Decoder(ListenRequest)
_posted: msgspec.json.Decoder[PostedToken] = msgspec.json.Decoder(PostedToken)
_reports: msgspec.json.Decoder[dist_ria.StatusReport] = msgspec.json.Decoder(dist_ria.StatusReport)
_said: msgspec.json.Decoder[dist_ria.StatusReport | Leave] = msgspec.json.Decoder(dist_ria.StatusReport | Leave)
_news: msgspec.json.Decoder[dist_ria.DistRiaReply] = msgspec.json.Decoder(dist_ria.DistRiaReply)


def to_request(data: bytes) -> LogRequest:
    return _decoded(_requests, data, "request to a log")


def to_entries(data: bytes) -> LogEntries:
    return _decoded(_entries, data, "answer of a log")


def to_token(data: bytes) -> PassedToken:
    return _decoded(_tokens, data, "token")


def to_listening(data: bytes) -> ListenRequest:
    return _decoded(_listening, data, "peer that listens")


def to_posted(data: bytes) -> PostedToken:
    return _decoded(_posted, data, "token for a peer")


def to_report(data: bytes) -> dist_ria.StatusReport:
    return _decoded(_reports, data, "question of a node")


def to_said(data: bytes) -> dist_ria.StatusReport | Leave:
    return _decoded(_said, data, "message of a node")


def to_news(data: bytes) -> dist_ria.DistRiaReply:
    return _decoded(_news, data, "answer of a coordinator")


def from_any(
    message: LogRequest
    | LogEntries
    | PassedToken
    | ListenRequest
    | PostedToken
    | dist_ria.StatusReport
    | dist_ria.DistRiaReply,
) -> bytes:
    return msgspec.json.encode(message)


def _decoded(decoder: msgspec.json.Decoder[Kind], data: bytes, what: str) -> Kind:
    """Raises BadInput."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError) as trouble:
        raise BadInput(f"this is no {what}: {trouble}.") from trouble
