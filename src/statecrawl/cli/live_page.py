"""`--live`: serve a live page of a crawl, and with `--live-keep` also after its end."""

import asyncio
import contextlib
import secrets
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Annotated

from statecrawl.cli.crawl_signature import declared
from statecrawl.cli.metrics import parse_address
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cluster.http.live_page import is_loopback, serve_live
from statecrawl.cluster.http.server import RunningServer
from statecrawl.crawler.live_page import LivePage
from statecrawl.errors import BadInput
from statecrawl.fleet.http_host import LOOPBACK
from statecrawl.report.live.files import assets

PORT = 8766  # used if free: a browser tab that stays open shows the next crawl, too

Live = Annotated[bool, declared("live")]
LiveAt = Annotated[str | None, declared("live-at")]
LiveKeep = Annotated[bool, declared("live-keep")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedLivePage:
    """A live page, its address, and how to tell people about it."""

    page: LivePage
    host: str
    port: int
    token: str
    note: Callable[[str], None]

    @property
    def url(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/"


@contextlib.asynccontextmanager
async def live_page_served(show: ProgressDisplay, live: bool, at: str | None) -> AsyncIterator[ServedLivePage | None]:
    """Serve the live page, if requested, and print its URL. Raises BadInput if the port is not available."""
    if not live and at is None:
        yield None
        return
    page = LivePage()
    serving = await _served(page, at)
    served = ServedLivePage(page=page, host=serving.host, port=serving.port, token=serving.token, note=show.note)
    password = f" (any user; the password is {serving.token})" if serving.token else ""
    show.note(f"live: {served.url}{password}")
    show.observers.append(page.update)
    try:
        yield served
    finally:
        show.refresh()  # shows how the crawl ended
        await serving.close()


def keep_live_page(served: ServedLivePage) -> None:
    """Serve the live page of a crawl that has ended at the same address, until Ctrl-C or SIGTERM."""
    try:
        asyncio.run(_serve_until_signal(served))
    except BadInput as error:  # the results of the crawl are complete all the same
        served.note(f"the live page is gone: {error}")


async def _serve_until_signal(served: ServedLivePage) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    serving = await serve_live(served.page, assets(), served.host, served.port, served.token)
    served.note(f"live: {served.url} stays until Ctrl-C")
    await stopped.wait()
    await serving.close()


async def _served(page: LivePage, at: str | None) -> RunningServer:
    if at is not None:
        host, port = parse_address(at, "--live-at")
        return await serve_live(page, assets(), host, port, "" if is_loopback(host) else secrets.token_urlsafe(18))
    try:
        return await serve_live(page, assets(), LOOPBACK, PORT, "")
    except BadInput:  # the port is taken
        return await serve_live(page, assets(), LOOPBACK, 0, "")
