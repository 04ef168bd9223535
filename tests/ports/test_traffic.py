"""Exchanges: identity and redaction."""

import pytest
from hypothesis import given

from statecrawl.ports.traffic import GONE, KNOWN, REDIRECT, Exchange, identity, redacted
from statecrawl.privacy.redaction import Redactor
from tests.exports.made_up import EXCHANGES

FORM = (("Content-Type", "application/x-www-form-urlencoded"),)


def asked(url: str = "http://host/", body: bytes | None = None, status: int = 200) -> Exchange:
    return Exchange(method="POST", url=url, status=status, request_headers=FORM, request_body=body)


def test_secrets_make_no_difference_and_everything_else_does() -> None:
    one = asked("http://host/?sid=abc", b"csrf=abc&q=1")
    assert identity(one) == identity(asked("http://host/?sid=xyz", b"csrf=xyz&q=1"))
    others = [
        asked("http://host/?sid=abc", b"csrf=abc&q=2"),
        asked("http://host/"),
        asked(status=404),
        asked(body=b"x"),
    ]
    assert len({identity(each) for each in (one, *others)}) == 1 + len(others)


@given(EXCHANGES)
def test_an_exchange_is_known_again_without_its_secrets(exchange: Exchange) -> None:
    once = redacted(exchange, Redactor(b"key"))
    assert identity(once) == identity(exchange) == identity(exchange.without_content())
    assert redacted(once, Redactor(b"key")) == once
    assert redacted(once, Redactor(b"another")) == once, "a marker stays whose it is"


def test_secrets_are_gone_from_all_of_it() -> None:
    exchange = Exchange(
        method="POST",
        url="http://host/?token=s3cr3t",
        request_headers=(("Cookie", "sid=s3cr3t"), *FORM),
        request_body=b"password=s3cr3t",
        response_headers=(("Set-Cookie", "sid=s3cr3t; Path=/"), ("Content-Type", "application/json")),
        response_body=b'{"token": "s3cr3t", "name": "ann"}',
    )
    left = redacted(exchange, Redactor())
    assert "s3cr3t" not in repr(left)
    assert left.response_body == b'{"token": "REDACTED", "name": "ann"}'


@pytest.mark.parametrize(
    ("changed", "whole"),
    [
        ({"status": 200, "response_body": b""}, True),
        ({"status": 200, "missing": GONE}, False),
        ({"status": 200, "missing": KNOWN}, False),
        ({"status": 302, "missing": REDIRECT}, False),
        ({"status": 200, "missing": "net::ERR", "failure": "net::ERR"}, False),
        ({"missing": "net::ERR", "failure": "net::ERR"}, True),
    ],
)
def test_whether_there_is_more_to_be_known(changed: dict[str, object], whole: bool) -> None:
    assert Exchange(method="GET", url="http://host/", **changed).is_whole is whole  # type: ignore[arg-type]
