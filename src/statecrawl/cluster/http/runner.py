"""How the servers of a crawl are run: quiet about what strangers send, and without unpacking it."""

import logging

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

CLOSING_SECONDS = 0.5  # for answers under way, when a server is closed


def runner_of(application: web.Application) -> web.AppRunner:
    """Ready to be set up. A request whose client is gone is given up, and compressed requests stay compressed."""
    return web.AppRunner(
        application,
        access_log=None,
        logger=_LOGGER,
        shutdown_timeout=CLOSING_SECONDS,
        handler_cancellation=True,
        auto_decompress=False,  # a few kilobytes could become gigabytes; nodes send nothing compressed
    )


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a message is about trouble of our own: who sends what is no HTTP is answered 400, and that is all."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


_LOGGER = logging.getLogger("statecrawl.http")
_LOGGER.addFilter(_is_ours)
