"""`--metrics`: serve metrics and a health check of a process."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from statecrawl.cli.crawl_signature import declared
from statecrawl.cluster.http.metrics import ProcessHealth, serve_metrics
from statecrawl.errors import BadInput
from statecrawl.fleet.http_host import LOOPBACK

Metrics = Annotated[str | None, declared("metrics")]


def parse_address(text: str, option: str = "--metrics") -> tuple[str, int]:
    """Parse a host and a port. Raises BadInput."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit()):
        raise BadInput(f"{option} takes a port, such as 9464 or 0.0.0.0:9464, not '{text}'.")
    return host.removeprefix("[").removesuffix("]") or LOOPBACK, int(port)


@contextlib.asynccontextmanager
async def metrics_served(metrics: str | None, health: ProcessHealth, say: Callable[[str], None]) -> AsyncIterator[None]:
    """Serve metrics, if requested, and print the URL. Raises BadInput if the port is not available."""
    if metrics is None:
        yield
        return
    serving = await serve_metrics(health, *parse_address(metrics))
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    say(f"metrics: http://{host}:{serving.port}/metrics")
    try:
        yield
    finally:
        await serving.close()
