"""`--live`: a page that shows a crawl as it grows."""

import contextlib
import secrets
from collections.abc import AsyncIterator
from typing import Annotated

import typer

from statecrawl.cli.metrics import listening
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cluster.http.live_page import is_here, serve_live
from statecrawl.cluster.http.server import RunningServer
from statecrawl.crawler.live_view import LivePage
from statecrawl.errors import BadInput
from statecrawl.fleet.http_host import LOOPBACK
from statecrawl.report.live.files import assets

PORT = 8766  # where it is, if that is free: a tab that stays open finds the next crawl there, too

Live = Annotated[
    bool, typer.Option("--live", help="Show the crawl as it grows on a page, which it says the address of.")
]
LiveAt = Annotated[
    str | None,
    typer.Option(
        metavar="[HOST:]PORT",
        help=f"The same at this port; --live takes {PORT} or another. For this machine only, unless a host is named:"
        " then with a password, which it says.",
    ),
]


@contextlib.asynccontextmanager
async def shown_live(show: ProgressDisplay, live: bool, at: str | None) -> AsyncIterator[None]:
    """Serve the page of what is shown, if that is wanted, and say where.

    Raises BadInput when the address cannot be had.
    """
    if not live and at is None:
        yield
        return
    page = LivePage()
    serving = await _served(page, at)
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    password = f" (any user; the password is {serving.token})" if serving.token else ""
    show.note(f"live: http://{host}:{serving.port}/{password}")
    show.looks.append(page.look)
    try:
        yield
    finally:
        show.look()  # how it ended
        await serving.close()


async def _served(page: LivePage, at: str | None) -> RunningServer:
    if at is not None:
        host, port = listening(at, "--live-at")
        return await serve_live(page, assets(), host, port, "" if is_here(host) else secrets.token_urlsafe(18))
    try:
        return await serve_live(page, assets(), LOOPBACK, PORT, "")
    except BadInput:  # somebody has it
        return await serve_live(page, assets(), LOOPBACK, 0, "")
