"""Encoding of the messages of Dist-RIA nodes and peers: JSON, like task requests (see `cluster.messages`)."""

from typing import TypeVar

import msgspec

from statecrawl.coordination import dist_ria
from statecrawl.coordination.client_server_messages import Leave
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.errors import BadInput

Kind = TypeVar("Kind")


class ListenRequest(msgspec.Struct, frozen=True):
    """A peer waits for log entries after a position, or for a token."""

    peer: str
    incarnation: int
    position: int


class PostedToken(msgspec.Struct, frozen=True):
    """Token addressed to a peer."""

    peer: str
    passed: PassedToken


_requests: msgspec.json.Decoder[LogRequest] = msgspec.json.Decoder(LogRequest)
_entries: msgspec.json.Decoder[LogEntries] = msgspec.json.Decoder(LogEntries)
_tokens: msgspec.json.Decoder[PassedToken] = msgspec.json.Decoder(PassedToken)
_listen_requests: msgspec.json.Decoder[ListenRequest] = msgspec.json.Decoder(ListenRequest)
_posted_tokens: msgspec.json.Decoder[PostedToken] = msgspec.json.Decoder(PostedToken)
_reports: msgspec.json.Decoder[dist_ria.StatusReport] = msgspec.json.Decoder(dist_ria.StatusReport)
_node_messages: msgspec.json.Decoder[dist_ria.StatusReport | Leave] = msgspec.json.Decoder(
    dist_ria.StatusReport | Leave
)
_replies: msgspec.json.Decoder[dist_ria.DistRiaReply] = msgspec.json.Decoder(dist_ria.DistRiaReply)


def decode_log_request(data: bytes) -> LogRequest:
    return _decoded(_requests, data, "log request")


def decode_log_entries(data: bytes) -> LogEntries:
    return _decoded(_entries, data, "log reply")


def decode_token(data: bytes) -> PassedToken:
    return _decoded(_tokens, data, "token")


def decode_listen_request(data: bytes) -> ListenRequest:
    return _decoded(_listen_requests, data, "listen request")


def decode_posted_token(data: bytes) -> PostedToken:
    return _decoded(_posted_tokens, data, "token for a peer")


def decode_status_report(data: bytes) -> dist_ria.StatusReport:
    return _decoded(_reports, data, "status report")


def decode_node_message(data: bytes) -> dist_ria.StatusReport | Leave:
    return _decoded(_node_messages, data, "node message")


def decode_reply(data: bytes) -> dist_ria.DistRiaReply:
    return _decoded(_replies, data, "coordinator reply")


def encode(
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
    except (msgspec.DecodeError, ValueError) as error:
        raise BadInput(f"invalid {what}: {error}.") from error
