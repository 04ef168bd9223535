"""A small server beside a node or a coordinator, for whoever watches machines.

    GET /metrics   numbers, in the text format of Prometheus
    GET /healthz   200, or 503 and what is wrong, for probes

It asks for no token: there is nothing in it but numbers and the names of nodes.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import web

from statecrawl.cluster.http.runner import runner_of
from statecrawl.cluster.http.server import RunningServer, listen

WELL = 200
UNWELL = 503
TYPE = "text/plain; version=0.0.4; charset=utf-8"  # of what Prometheus reads


class ProcessHealth(Protocol):
    """What there is to say of a process."""

    def metrics(self) -> str: ...
    def trouble(self) -> str:
        """What is wrong, if something is."""


async def serve_vitals(vitals: ProcessHealth, host: str, port: int) -> RunningServer:
    """Answer until it is closed. Raises BadInput when the address cannot be had."""
    application = web.Application()
    application.router.add_get("/metrics", _metrics(vitals))
    application.router.add_get("/healthz", _health(vitals))
    at = listen(host, port, "--metrics")
    runner = runner_of(application)
    await runner.setup()
    await web.SockSite(runner, at).start()
    return RunningServer(host, at.getsockname()[1], "", runner)


def _metrics(vitals: ProcessHealth) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=vitals.metrics().encode(), headers={"Content-Type": TYPE})

    return metrics


def _health(vitals: ProcessHealth) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def health(_: web.Request) -> web.Response:
        trouble = vitals.trouble()
        return web.Response(status=UNWELL if trouble else WELL, text=f"{trouble or 'well'}\n")

    return health
