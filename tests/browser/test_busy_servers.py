"""Answers that ask to be left alone."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.browser.busy_servers import retry_after, wait_request

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@given(st.integers(0, 10**8))
def test_a_number_is_seconds(seconds: int) -> None:
    assert retry_after(f" {seconds} ", NOW) == seconds


@given(st.integers(-(10**6), 10**6))
def test_a_date_is_how_long_it_takes_until_then(seconds: int) -> None:
    assert retry_after(format_datetime(NOW + timedelta(seconds=seconds), usegmt=True), NOW) == max(seconds, 0)


@given(st.text())
def test_anything_else_is_nothing(written: str) -> None:
    found = retry_after(written, NOW)
    assert found is None or 0 <= found < float("inf")


@pytest.mark.parametrize(
    ("status", "headers", "asked"),
    [
        (200, {"Retry-After": "5"}, None),
        (429, {"retry-AFTER": "5"}, ["http://h/a", 5.0]),
        (429, {}, ["http://h/a", None]),
        (429, {"Retry-After": "soon"}, ["http://h/a", None]),
        (503, {"Retry-After": "0"}, ["http://h/a", 0.0]),
        (503, {}, None),  # it is down, which is another matter
    ],
)
def test_what_asks_to_wait(status: int, headers: dict[str, str], asked: list[Any] | None) -> None:
    assert wait_request({"status": status, "headers": headers, "url": "http://h/a?b"}, NOW) == asked
