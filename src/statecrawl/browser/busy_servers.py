"""Servers that are busy: which answers say so, and when to come back."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from statecrawl.ports.page import TOO_MANY

UNAVAILABLE = 503
MAY_BE_BUSY = frozenset({TOO_MANY, UNAVAILABLE})


def asks_to_wait(response: Mapping[str, Any], now: datetime) -> list[Any] | None:
    """Which address wants to be left alone, without its query, and for how many seconds; None when it does not.

    `response` is as the browser tells it. Without a time, the seconds are None. That a server is not there (503) is
    another matter as long as it does not say when it will be.
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
    """The seconds of a header Retry-After, which has a number of them or a date; None when it has neither."""
    written = written.strip()
    if written.isascii() and written.isdecimal():
        return float(written[:9])  # thirty years are as good as more
    try:
        date = parsedate_to_datetime(written)
    except ValueError:
        return None
    date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return max((date - now).total_seconds(), 0.0)
