"""Runner of the crawl's HTTP servers: silent about malformed requests, and without decompression."""

import logging

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

CLOSING_SECONDS = 0.5  # for pending responses, when a server is closed


def runner_of(application: web.Application) -> web.AppRunner:
    """Return a runner, ready to be set up. It cancels a request when its client disconnects."""
    return web.AppRunner(
        application,
        access_log=None,
        logger=_LOGGER,
        shutdown_timeout=CLOSING_SECONDS,
        handler_cancellation=True,
        auto_decompress=False,  # a few kilobytes could become gigabytes; nodes send nothing compressed
    )


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a log record reports an error of this program. Malformed requests are only answered with 400."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


_LOGGER = logging.getLogger("statecrawl.http")
_LOGGER.addFilter(_is_ours)
