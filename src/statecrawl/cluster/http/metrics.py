"""Metrics server beside a node or a coordinator, for monitoring.

    GET /metrics   metrics in the text format of Prometheus
    GET /healthz   200, or 503 with the problem, for health checks

No token is required: the responses contain only numbers and the names of nodes.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import web

from statecrawl.cluster.http.runner import runner_of
from statecrawl.cluster.http.server import RunningServer, listen

HEALTHY = 200
UNHEALTHY = 503
TYPE = "text/plain; version=0.0.4; charset=utf-8"  # content type of the Prometheus text format


class ProcessHealth(Protocol):
    """Health report of a process."""

    def metrics(self) -> str: ...
    def problem(self) -> str:
        """Return the current problem, or nothing."""


async def serve_metrics(health: ProcessHealth, host: str, port: int) -> RunningServer:
    """Serve until closed. Raises BadInput when the address is not available."""
    application = web.Application()
    application.router.add_get("/metrics", _metrics(health))
    application.router.add_get("/healthz", _health(health))
    at = listen(host, port, "--metrics")
    runner = runner_of(application)
    await runner.setup()
    await web.SockSite(runner, at).start()
    return RunningServer(host, at.getsockname()[1], "", runner)


def _metrics(health: ProcessHealth) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=health.metrics().encode(), headers={"Content-Type": TYPE})

    return metrics


def _health(health: ProcessHealth) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def healthz(_: web.Request) -> web.Response:
        problem = health.problem()
        return web.Response(status=UNHEALTHY if problem else HEALTHY, text=f"{problem or 'healthy'}\n")

    return healthz
