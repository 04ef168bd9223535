"""`--live`: serve a live page of a crawl."""

import contextlib
import secrets
from collections.abc import AsyncIterator
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


@contextlib.asynccontextmanager
async def live_page_served(show: ProgressDisplay, live: bool, at: str | None) -> AsyncIterator[None]:
    """Serve the live page, if requested, and print its URL. Raises BadInput if the port is not available."""
    if not live and at is None:
        yield
        return
    page = LivePage()
    serving = await _served(page, at)
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    password = f" (any user; the password is {serving.token})" if serving.token else ""
    show.note(f"live: http://{host}:{serving.port}/{password}")
    show.observers.append(page.update)
    try:
        yield
    finally:
        show.refresh()  # shows how the crawl ended
        await serving.close()


async def _served(page: LivePage, at: str | None) -> RunningServer:
    if at is not None:
        host, port = parse_address(at, "--live-at")
        return await serve_live(page, assets(), host, port, "" if is_loopback(host) else secrets.token_urlsafe(18))
    try:
        return await serve_live(page, assets(), LOOPBACK, PORT, "")
    except BadInput:  # the port is taken
        return await serve_live(page, assets(), LOOPBACK, 0, "")
