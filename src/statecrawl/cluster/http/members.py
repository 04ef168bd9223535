"""HTTP routes for Dist-RIA nodes and peers, in addition to the common ones (see `cluster.http.server`).

POST /v1/report    report of a Dist-RIA node; waits for the reply, or responds 204: repeat the request
POST /v1/exchange  a peer appends to the log and reads it; likewise
POST /v1/listen    waits for new log entries, or for a token, which is the response
POST /v1/token     token for another peer
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from aiohttp import web

from statecrawl.cluster import member_messages
from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken

POLL_SECONDS = 4.0  # wait for a reply; shorter than the silence after which a node counts as lost
Answer = TypeVar("Answer")


@runtime_checkable
class PeerLogService(Protocol):
    """The log of the peers."""

    async def exchange(self, request: LogRequest) -> LogEntries: ...
    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None: ...
    def pass_on(self, peer: str, passed: PassedToken) -> None: ...


@runtime_checkable
class DistRiaService(Protocol):
    """The coordinator of Dist-RIA."""

    async def report(self, report: dist_ria.StatusReport) -> dist_ria.DistRiaReply: ...


def routes(service: object) -> list[web.RouteDef]:
    """Return the routes that a service needs for Dist-RIA nodes or peers; none if it serves neither."""
    if isinstance(service, PeerLogService):
        log = _LogRoutes(service)
        return [
            web.post("/v1/exchange", log.exchange),
            web.post("/v1/listen", log.listen),
            web.post("/v1/token", log.token),
        ]
    return [web.post("/v1/report", _DistRiaRoutes(service).report)] if isinstance(service, DistRiaService) else []


@dataclass(frozen=True, slots=True)
class _LogRoutes:
    service: PeerLogService

    async def exchange(self, request: web.Request) -> web.StreamResponse:
        message = member_messages.decode_log_request(await request.read())
        return _answered(await _in_time(self.service.exchange(message)))

    async def listen(self, request: web.Request) -> web.StreamResponse:
        message = member_messages.decode_listen_request(await request.read())
        return _answered(await _in_time(self.service.listen(message.peer, message.incarnation, message.position)))

    async def token(self, request: web.Request) -> web.StreamResponse:
        message = member_messages.decode_posted_token(await request.read())
        self.service.pass_on(message.peer, message.passed)
        return web.Response(status=204)


@dataclass(frozen=True, slots=True)
class _DistRiaRoutes:
    service: DistRiaService

    async def report(self, request: web.Request) -> web.StreamResponse:
        message = member_messages.decode_status_report(await request.read())
        return _answered(await _in_time(self.service.report(message)))


async def _in_time(answer: Awaitable[Answer]) -> Answer | None:
    try:
        async with asyncio.timeout(POLL_SECONDS):
            return await answer
    except TimeoutError:
        return None


def _answered(answer: LogEntries | PassedToken | dist_ria.DistRiaReply | None) -> web.StreamResponse:
    if answer is None:
        return web.Response(status=204)
    return web.Response(body=member_messages.encode(answer), content_type="application/json")
