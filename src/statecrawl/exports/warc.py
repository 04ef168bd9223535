"""Traffic as a web archive, WARC 1.1: for each exchange the response, the request, and its place in the crawl.

Records are compressed individually, as tools for random access expect. Bodies are decoded, so the headers that describe
their encoding are renamed. Ids are derived from the recorded exchanges, so the same crawl yields the same archive.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from io import BytesIO
from urllib.parse import quote, urlsplit
from uuid import NAMESPACE_URL, uuid5

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.ports.traffic import CUT, Exchange, RecordedExchange

ENCODING_HEADERS = frozenset({"content-encoding", "transfer-encoding", "content-length"})
RENAMED = "x-orig-"
VERSION = "WARC/1.1"


def warc(crawled: CrawlData) -> Iterator[bytes]:
    file = BytesIO()
    writer = WARCWriter(file, gzip=True, warc_version=VERSION)
    begun = next((_date(recorded.exchange.started) for recorded in crawled.traffic()), _date(0.0))
    info = {
        "software": f"statecrawl {metadata.version('statecrawl')}",
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "description": f"the traffic of a crawl of {crawled.application}",
    }
    fields = "".join(f"{name}: {_line(value)}\r\n" for name, value in info.items()).encode()
    headers = {"WARC-Record-ID": _id(crawled.application, "warcinfo"), "WARC-Date": begun}
    writer.write_record(
        writer.create_warc_record("", "warcinfo", BytesIO(fields), len(fields), warc_headers_dict=headers)
    )
    for recorded in crawled.traffic():
        _write(writer, recorded)
        yield file.getvalue()
        file.seek(0)
        file.truncate()
    yield file.getvalue()


def _write(writer: WARCWriter, recorded: RecordedExchange) -> None:
    exchange = recorded.exchange
    url = _line(exchange.url)
    ids = {kind: _id(recorded.id, kind) for kind in ("response", "request", "metadata")}
    shared = {"WARC-Date": _date(exchange.started)}
    first = "response" if exchange.status else "request"
    if exchange.status:
        fields = {**shared, "WARC-Record-ID": ids["response"]}
        if exchange.address:
            fields["WARC-IP-Address"] = exchange.address.rpartition(":")[0].strip("[]")
        if exchange.missing and exchange.response_body is not None:
            fields["WARC-Truncated"] = "length" if exchange.missing == CUT else "unspecified"
        elif exchange.response_body is None:
            fields["WARC-Truncated"] = "unspecified"
        _record(writer, url, "response", fields, exchange.response_body or b"", _answer(exchange))
    asked = {**shared, "WARC-Record-ID": ids["request"]}
    if exchange.status:
        asked["WARC-Concurrent-To"] = ids["response"]
    _record(writer, url, "request", asked, exchange.request_body or b"", _question(exchange))
    about = {**shared, "WARC-Record-ID": ids["metadata"], "WARC-Concurrent-To": ids[first]}
    _record(writer, url, "metadata", about, _about(recorded), None)


def _record(
    writer: WARCWriter, url: str, kind: str, fields: dict[str, str], body: bytes, http: StatusAndHeaders | None
) -> None:
    record = writer.create_warc_record(url, kind, BytesIO(body), len(body), warc_headers_dict=fields, http_headers=http)
    writer.write_record(record)


def _answer(exchange: Exchange) -> StatusAndHeaders:
    headers = [
        (_line(f"{RENAMED}{name}" if name.lower() in ENCODING_HEADERS else name), _line(value))
        for name, value in exchange.response_headers
    ]
    headers.append(("Content-Length", str(len(exchange.response_body or b""))))
    return StatusAndHeaders(
        f"{exchange.status} {_line(exchange.reason)}".strip(),
        headers,
        protocol="HTTP/1.1",
    )


def _question(exchange: Exchange) -> StatusAndHeaders:
    headers = [
        (_line(name), _line(value)) for name, value in exchange.request_headers if name.lower() not in ENCODING_HEADERS
    ]
    if exchange.request_body is not None:
        headers.append(("Content-Length", str(len(exchange.request_body))))
    if not any(name.lower() == "host" for name, _ in headers):
        headers.insert(0, ("Host", _netloc(exchange.url)))
    line = f"{_line(exchange.method)} {_target(exchange.url)} HTTP/1.1"
    return StatusAndHeaders(line, headers, is_http_request=True)


def _about(recorded: RecordedExchange) -> bytes:
    """Return the place in the crawl as metadata fields."""
    lines = [f"fetchTimeMs: {max(recorded.exchange.timings.wait + recorded.exchange.timings.receive, 0):.0f}"]
    for state, event in recorded.places:
        lines.append(f"statecrawl-place: {_line(state)} {_line(event or '(reset)')}")
    if recorded.exchange.failure or recorded.exchange.missing:
        lines.append(f"statecrawl-missing: {_line(recorded.exchange.failure or recorded.exchange.missing)}")
    return "".join(f"{line}\r\n" for line in lines).encode(errors="replace")


def _id(recorded: str, kind: str) -> str:
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, f'statecrawl:{kind}:{recorded}')}>"


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _line(text: str) -> str:
    """Return a text in printable ASCII, without line ends."""
    shown = (letter if letter.isprintable() else " " for letter in text)
    return "".join(letter if letter.isascii() else quote(letter) for letter in shown)


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def _target(url: str) -> str:
    """Return the target in the first line of a request."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    return _line((parts.path or "/") + (f"?{parts.query}" if parts.query else "")).replace(" ", "%20")
