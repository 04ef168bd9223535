"""`--metrics`: a port at which a process says how it is."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Annotated

import typer

from statecrawl.cluster.http.metrics import ProcessHealth, serve_vitals
from statecrawl.errors import BadInput
from statecrawl.fleet.http_host import LOOPBACK

Metrics = Annotated[
    str | None,
    typer.Option(
        metavar="[HOST:]PORT",
        help="Say how it goes at this port: /metrics for Prometheus, /healthz for probes. For this machine only, unless"
        " a host is named.",
    ),
]


def listening(text: str, option: str = "--metrics") -> tuple[str, int]:
    """Where to answer. Raises BadInput."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit()):
        raise BadInput(f"{option} takes a port, as in 9464 or 0.0.0.0:9464, not '{text}'.")
    return host.removeprefix("[").removesuffix("]") or LOOPBACK, int(port)


@contextlib.asynccontextmanager
async def looked_at(metrics: str | None, vitals: ProcessHealth, say: Callable[[str], None]) -> AsyncIterator[None]:
    """Answer whoever looks, if that is wanted, and say where. Raises BadInput when the address cannot be had."""
    if metrics is None:
        yield
        return
    serving = await serve_vitals(vitals, *listening(metrics))
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    say(f"how it goes: http://{host}:{serving.port}/metrics")
    try:
        yield
    finally:
        await serving.close()
