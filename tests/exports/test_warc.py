"""WARC: records that the library of archives reads back as they were, each compressed by itself."""

from io import BytesIO
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from statecrawl.exports.warc import warc
from statecrawl.ports.traffic import Exchange
from tests.exports.made_up import EXCHANGES, crawled


def read(*exchanges: Exchange) -> list[tuple[Any, bytes]]:
    archive = b"".join(warc(crawled(*exchanges)))
    records = ArchiveIterator(BytesIO(archive), check_digests="raise")
    return [(record, record.content_stream().read()) for record in records]


@settings(max_examples=50)
@given(st.lists(EXCHANGES, max_size=4))
def test_what_goes_in_comes_out(exchanges: list[Exchange]) -> None:
    info, *records = read(*exchanges)
    assert info[0].rec_type == "warcinfo"
    assert info[0].rec_headers.protocol == "WARC/1.1"
    for exchange in exchanges:
        kinds = ["response", "request", "metadata"] if exchange.status else ["request", "metadata"]
        mine, records = records[: len(kinds)], records[len(kinds) :]
        assert [record.rec_type for record, _ in mine] == kinds
        assert {record.rec_headers.get_header("WARC-Target-URI") for record, _ in mine} == {exchange.url}
        bodies = {record.rec_type: body for record, body in mine}
        assert bodies["request"] == (exchange.request_body or b"")
        line = next(record for record, _ in mine if record.rec_type == "request").http_headers.to_str()
        assert line.startswith(f"{exchange.method} /")
        assert bodies.get("response", b"") == ((exchange.response_body or b"") if exchange.status else b"")
    assert not records


def test_the_same_crawl_makes_the_same_archive() -> None:
    exchange = Exchange(method="GET", url="http://host/", status=200, started=5.0, response_body=b"hello")
    assert b"".join(warc(crawled(exchange))) == b"".join(warc(crawled(exchange)))


def test_a_body_that_was_packed_on_its_way_is_not_said_to_be() -> None:
    packed = (("Content-Encoding", "gzip"), ("Content-Length", "3"), ("Content-Type", "text/plain"))
    exchange = Exchange(
        method="GET", url="http://host/a?b", status=200, reason="OK", response_headers=packed, response_body=b"hello"
    )
    _, (response, body), (request, _), (about, told) = read(exchange)
    assert body == b"hello"
    headers = response.http_headers
    assert headers.get_header("Content-Encoding") is None
    assert headers.get_header("x-orig-Content-Encoding") == "gzip"
    assert headers.get_header("Content-Length") == "5"
    assert request.http_headers.to_str().startswith("GET /a?b HTTP/1.1\r\nHost: host\r\n")
    assert about.rec_headers.get_header("WARC-Concurrent-To") == response.rec_headers.get_header("WARC-Record-ID")
    assert b"bbbb click a\r\n" in told


def test_what_a_page_says_cannot_make_records() -> None:
    exchange = Exchange(
        method="GET",
        url="http://host/",
        status=200,
        reason="OK\r\n\r\nWARC/1.1",
        response_headers=(("X", "a\r\nSet-Cookie: b"),),
        failure="\r\n\r\nWARC/1.1\r\nWARC-Type: response",
        response_body=b"",
    )
    records = read(exchange)
    assert len(records) == 4
    assert records[1][0].http_headers.get_header("Set-Cookie") is None
