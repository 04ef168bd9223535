"""A coordinator over HTTP: nodes ask, and are answered as soon as there is something to do.

    POST /v1/hello    who comes; answers with the plan of the crawl, or 409 and why not
    POST /v1/ask      a question; waits for the answer, or answers 204: ask the same again
    POST /v1/beat     a node is alive; answers whether the crawl is over
    POST /v1/parcel   evidence, kept before it answers
    POST /v1/leave    a node goes
    POST /v1/report, /v1/exchange, /v1/listen, /v1/token   where nodes decide for themselves; see `cluster.http.members`
    GET  /status      what is going on, as JSON; /metrics for Prometheus; / for people, see `cluster.http.live_page`

Every request bears the token of the crawl: `Authorization: Bearer …`, or, to look, as the password of whatever user, as
browsers send it. Whoever has it can change what is found and see what the pages hold, so nothing is answered without.
"""

import asyncio
import base64
import binascii
import hmac
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import msgspec
from aiohttp import web

from statecrawl.cluster import messages
from statecrawl.cluster.http import members
from statecrawl.cluster.http.members import POLL_SECONDS
from statecrawl.cluster.http.runner import runner_of
from statecrawl.cluster.network_errors import os_words
from statecrawl.coordination.client_server_messages import Heartbeat, Leave, TaskReply, TaskRequest
from statecrawl.errors import BadInput, NodeRefused, StoreError
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

OVER = b"over"  # what is answered to a sign of life when the crawl is
PORTS = 1 << 16  # that a machine has
LARGEST = 128 << 20  # bytes of one request
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
REFUSAL = "the token is not the one of this crawl: take what statecrawl serve shows."


class HttpService(Protocol):
    """What is served, whatever nodes do."""

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """The plan, for a node, as soon as nodes may come. Raises NodeRefused."""

    def leave(self, node: str) -> None: ...
    def keep(self, kept: list[StateEvidence], notes: list[NoteEvidence]) -> None:
        """Raises StoreError."""

    def status(self) -> dict[str, Any]: ...
    def metrics(self) -> str: ...


@runtime_checkable
class TaskService(Protocol):
    """What is served where nodes do what they are told."""

    async def ask(self, ask: TaskRequest) -> TaskReply: ...
    def beat(self, beat: Heartbeat) -> None: ...
    def is_over(self) -> bool:
        """Whether the crawl is."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that answers until it is closed."""

    host: str
    port: int
    token: str
    _runner: web.AppRunner

    async def close(self) -> None:
        await self._runner.cleanup()


def listen(host: str, port: int, options: str = "--host and --port") -> socket.socket:
    """Have an address; port 0 is any that is free. Raises BadInput when it cannot be had; `options` say which it is."""
    if not 0 <= port < PORTS:
        raise BadInput(f"cannot serve at {host}:{port}: there is no such port; name another with {options}.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
        return socket.create_server((str(address[0]), port), family=family)
    except OSError as trouble:
        raise BadInput(f"cannot serve at {host}:{port}: {os_words(trouble)}; name another with {options}.") from trouble


async def serve(
    service: HttpService,
    at: socket.socket,
    token: str,
    tls: ssl.SSLContext | None = None,
    also: Callable[[web.Application], None] = lambda _: None,
) -> RunningServer:
    """Serve at an address that was had; `also` adds what else is to be served there."""
    application = web.Application(client_max_size=LARGEST, middlewares=[guard(token)])
    routes = _Routes(service)
    application.router.add_post("/v1/hello", routes.hello)
    if isinstance(service, TaskService):
        tasks = _TaskRoutes(service)
        application.router.add_post("/v1/ask", tasks.ask)
        application.router.add_post("/v1/beat", tasks.beat)
    application.router.add_routes(members.routes(service))
    application.router.add_post("/v1/parcel", routes.parcel)
    application.router.add_post("/v1/leave", routes.leave)
    application.router.add_get("/status", routes.status)
    application.router.add_get("/metrics", routes.metrics)
    also(application)
    runner = runner_of(application)
    await runner.setup()
    await web.SockSite(runner, at, ssl_context=tls).start()
    host, port, *_ = at.getsockname()
    return RunningServer(host, port, token, runner)


@dataclass(frozen=True, slots=True)
class _Routes:
    service: HttpService

    async def hello(self, request: web.Request) -> web.StreamResponse:
        try:
            hello = msgspec.json.decode(await request.read(), type=messages.NodeIntroduction)
            async with asyncio.timeout(POLL_SECONDS):
                return web.json_response(await self.service.welcome(hello))
        except TimeoutError:
            return web.Response(status=204)  # not yet: say the same again
        except NodeRefused as refused:
            return web.Response(status=409, text=str(refused))
        except msgspec.DecodeError as trouble:
            return web.Response(status=400, text=f"this is no greeting: {trouble}.")

    async def parcel(self, request: web.Request) -> web.StreamResponse:
        try:
            self.service.keep(*messages.to_parcel(await request.read()))
        except StoreError as trouble:
            return web.Response(status=507, text=str(trouble))
        return web.Response(status=204)

    async def leave(self, request: web.Request) -> web.StreamResponse:
        message = messages.to_message(await request.read())
        if isinstance(message, Leave):
            self.service.leave(message.node)
        return web.Response(status=204)

    async def status(self, _: web.Request) -> web.StreamResponse:
        return web.json_response(self.service.status())

    async def metrics(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=self.service.metrics(), content_type="text/plain", charset="utf-8")


@dataclass(frozen=True, slots=True)
class _TaskRoutes:
    service: TaskService

    async def ask(self, request: web.Request) -> web.StreamResponse:
        message = messages.to_message(await request.read())
        if not isinstance(message, TaskRequest):
            return web.Response(status=400, text="this is no question.")
        try:
            async with asyncio.timeout(POLL_SECONDS):
                reply = await self.service.ask(message)
        except TimeoutError:
            return web.Response(status=204)
        return web.Response(body=messages.from_message(reply), content_type="application/json")

    async def beat(self, request: web.Request) -> web.StreamResponse:
        message = messages.to_message(await request.read())
        if isinstance(message, Heartbeat):
            self.service.beat(message)
        return web.Response(body=OVER) if self.service.is_over() else web.Response(status=204)


def guard(token: str) -> Any:
    """Answers nobody who does not know the token."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not hmac.compare_digest(_token(request).encode(errors="surrogateescape"), token.encode()):
            challenge = {"WWW-Authenticate": 'Basic realm="statecrawl"'} if request.method == "GET" else {}
            return web.Response(
                status=401,
                text=REFUSAL,
                headers=challenge,
            )
        if "Content-Encoding" in request.headers:
            return web.Response(status=415, text="compressed requests are not accepted.")
        try:
            answer = await handler(request)
        except BadInput as trouble:
            answer = web.Response(status=400, text=str(trouble))
        answer.headers.setdefault("Cache-Control", "no-store")
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers.setdefault("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        return answer

    return guard


def _token(request: web.Request) -> str:
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "basic" and request.method == "GET":  # no page may make a browser say more than that
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return value if kind.lower() == "bearer" else ""
