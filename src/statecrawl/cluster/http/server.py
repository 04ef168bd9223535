"""HTTP server of a coordinator: nodes send requests and get replies as soon as there is something to do.

    POST /v1/hello    greeting of a node; responds with the plan of the crawl, or 409 and the reason for refusing
    POST /v1/ask      task request; waits for the reply, or responds 204: repeat the request
    POST /v1/beat     heartbeat; responds whether the crawl is over
    POST /v1/parcel   evidence; stored before the response
    POST /v1/leave    a node leaves
    POST /v1/report, /v1/exchange, /v1/listen, /v1/token   Dist-RIA nodes and peers; see `cluster.http.members`
    GET  /status      status as JSON; /metrics for Prometheus; / for people, see `cluster.http.live_page`

Every request needs the token of the crawl: `Authorization: Bearer …`, or, for GET requests, as the password of any
user, as browsers send it. The token gives access to the pages' content and allows changing the results, so every
request without it is refused.
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
from statecrawl.cluster.network_errors import describe_os_error
from statecrawl.coordination.client_server_messages import Heartbeat, Leave, TaskReply, TaskRequest
from statecrawl.errors import BadInput, NodeRefused, StoreError
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

OVER = b"over"  # response to a heartbeat when the crawl is over
PORTS = 1 << 16  # number of TCP ports
LARGEST = 128 << 20  # bytes of one request
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
REFUSAL = "wrong token: use the one that statecrawl serve prints."


class HttpService(Protocol):
    """Service behind the server, whatever the architecture."""

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Return the plan for a node, as soon as nodes may join. Raises NodeRefused."""

    def leave(self, node: str) -> None: ...
    def store_evidence(self, states: list[StateEvidence], notes: list[NoteEvidence]) -> None:
        """Raises StoreError."""

    def status(self) -> dict[str, Any]: ...
    def metrics(self) -> str: ...


@runtime_checkable
class TaskService(Protocol):
    """Service behind the server in the client-server architecture."""

    async def ask(self, request: TaskRequest) -> TaskReply: ...
    def beat(self, heartbeat: Heartbeat) -> None: ...
    def is_over(self) -> bool:
        """Whether the crawl is over."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that runs until it is closed."""

    host: str
    port: int
    token: str
    _runner: web.AppRunner

    async def close(self) -> None:
        await self._runner.cleanup()


def listen(host: str, port: int, options: str = "--host and --port") -> socket.socket:
    """Bind an address; port 0 is any free port. Raises BadInput, naming the `options`, when it is not available."""
    if not 0 <= port < PORTS:
        raise BadInput(f"cannot listen on {host}:{port}: no such port; choose another with {options}.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
        return socket.create_server((str(address[0]), port), family=family)
    except OSError as error:
        reason = describe_os_error(error)
        raise BadInput(f"cannot listen on {host}:{port}: {reason}; choose another with {options}.") from error


async def serve(
    service: HttpService,
    at: socket.socket,
    token: str,
    tls: ssl.SSLContext | None = None,
    also: Callable[[web.Application], None] = lambda _: None,
) -> RunningServer:
    """Serve on a bound socket; `also` adds more routes."""
    application = web.Application(client_max_size=LARGEST, middlewares=[require_token(token)])
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
            return web.Response(status=204)  # not yet: repeat the request
        except NodeRefused as refused:
            return web.Response(status=409, text=str(refused))
        except msgspec.DecodeError as error:
            return web.Response(status=400, text=f"invalid greeting: {error}.")

    async def parcel(self, request: web.Request) -> web.StreamResponse:
        try:
            self.service.store_evidence(*messages.decode_evidence(await request.read()))
        except StoreError as error:
            return web.Response(status=507, text=str(error))
        return web.Response(status=204)

    async def leave(self, request: web.Request) -> web.StreamResponse:
        message = messages.decode_message(await request.read())
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
        message = messages.decode_message(await request.read())
        if not isinstance(message, TaskRequest):
            return web.Response(status=400, text="expected a task request.")
        try:
            async with asyncio.timeout(POLL_SECONDS):
                reply = await self.service.ask(message)
        except TimeoutError:
            return web.Response(status=204)
        return web.Response(body=messages.encode(reply), content_type="application/json")

    async def beat(self, request: web.Request) -> web.StreamResponse:
        message = messages.decode_message(await request.read())
        if isinstance(message, Heartbeat):
            self.service.beat(message)
        return web.Response(body=OVER) if self.service.is_over() else web.Response(status=204)


def require_token(token: str) -> Any:
    """Return a middleware that refuses requests without the token."""

    @web.middleware
    async def check_token(request: web.Request, handler: Handler) -> web.StreamResponse:
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
        except BadInput as error:
            answer = web.Response(status=400, text=str(error))
        answer.headers.setdefault("Cache-Control", "no-store")
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers.setdefault("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        return answer

    return check_token


def _token(request: web.Request) -> str:
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "basic" and request.method == "GET":  # a web page must not be able to make a browser send more
        try:
            return base64.b64decode(value, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            return ""
    return value if kind.lower() == "bearer" else ""
