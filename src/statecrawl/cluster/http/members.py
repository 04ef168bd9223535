"""What nodes that decide for themselves say over HTTP, beside what all nodes say (see `cluster.http.server`).

POST /v1/report    a question of Dist-RIA; waits for the answer, or answers 204: ask the same again
POST /v1/exchange  a peer appends to the log and reads it; the same
POST /v1/listen    waits until there is something to read, or a token, which it answers with
POST /v1/token     a token for another peer
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from aiohttp import web

from statecrawl.cluster import member_messages as wire
from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken

POLL_SECONDS = 4.0  # that anybody waits for an answer; less than the time after which a node counts as lost
Answer = TypeVar("Answer")


@runtime_checkable
class PeerLogService(Protocol):
    """Where the log is."""

    async def exchange(self, request: LogRequest) -> LogEntries: ...
    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None: ...
    def pass_on(self, peer: str, passed: PassedToken) -> None: ...


@runtime_checkable
class DistRiaService(Protocol):
    """The coordinator of Dist-RIA."""

    async def report(self, ask: dist_ria.StatusReport) -> dist_ria.DistRiaReply: ...


def routes(service: object) -> list[web.RouteDef]:
    """What a service is asked for by nodes that decide for themselves; nothing, when it is none for them."""
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
        said = wire.to_request(await request.read())
        return _answered(await _in_time(self.service.exchange(said)))

    async def listen(self, request: web.Request) -> web.StreamResponse:
        said = wire.to_listening(await request.read())
        return _answered(await _in_time(self.service.listen(said.peer, said.incarnation, said.position)))

    async def token(self, request: web.Request) -> web.StreamResponse:
        said = wire.to_posted(await request.read())
        self.service.pass_on(said.peer, said.passed)
        return web.Response(status=204)


@dataclass(frozen=True, slots=True)
class _DistRiaRoutes:
    service: DistRiaService

    async def report(self, request: web.Request) -> web.StreamResponse:
        said = wire.to_report(await request.read())
        return _answered(await _in_time(self.service.report(said)))


async def _in_time(answer: Awaitable[Answer]) -> Answer | None:
    try:
        async with asyncio.timeout(POLL_SECONDS):
            return await answer
    except TimeoutError:
        return None


def _answered(answer: LogEntries | PassedToken | dist_ria.DistRiaReply | None) -> web.StreamResponse:
    if answer is None:
        return web.Response(status=204)
    return web.Response(body=wire.from_any(answer), content_type="application/json")
