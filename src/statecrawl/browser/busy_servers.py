"""Busy servers: which responses ask the crawl to wait, and for how long."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from statecrawl.ports.page import TOO_MANY

UNAVAILABLE = 503
MAY_BE_BUSY = frozenset({TOO_MANY, UNAVAILABLE})


def wait_request(response: Mapping[str, Any], now: datetime) -> list[Any] | None:
    """Return the URL that asks for a pause, without its query, and the seconds; None when the response does not ask.

    `response` is as the browser reports it. The seconds are None when the server gives no time. An unavailable server
    (503) asks for a pause only if it gives a time.
    """
    status = response.get("status")
    if status not in MAY_BE_BUSY:
        return None
    headers = {str(name).lower(): str(value) for name, value in (response.get("headers") or {}).items()}
    seconds = retry_after(headers.get("retry-after", ""), now)
    if seconds is None and status == UNAVAILABLE:
        return None
    return [str(response.get("url", "")).partition("?")[0], seconds]


def retry_after(written: str, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, which has a number or a date; None when it has neither."""
    written = written.strip()
    if written.isascii() and written.isdecimal():
        return float(written[:9])  # thirty years are enough
    try:
        date = parsedate_to_datetime(written)
    except ValueError:
        return None
    date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max((date - now).total_seconds(), 0.0)
