"""A web application in a thread of its own, while a test runs commands."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from aiohttp import web


@contextmanager
def serving(application: web.Application) -> Iterator[int]:
    """The port at which it answers on this machine."""
    loop = asyncio.new_event_loop()
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)

    async def start() -> int:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port: int = runner.addresses[0][1]
        return port

    port = loop.run_until_complete(start())
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield port
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
