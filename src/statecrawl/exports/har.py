"""Traffic as an HTTP archive, HAR 1.2: an entry for each exchange, a page for each state.

Entries come before pages, so that only one entry at a time is in memory. Fields that HAR does not define start with an
underscore: places (state and event), error, resource type, and whether the response came from the cache.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.ports.traffic import Exchange, RecordedExchange, header

VERSIONS = {"h2": "HTTP/2.0", "h3": "HTTP/3.0"}
SPENT = ("blocked", "dns", "connect", "send", "wait", "receive")  # TLS is part of connecting


def har(crawled: CrawlData) -> Iterator[bytes]:
    creator = {"name": "statecrawl", "version": metadata.version("statecrawl")}
    begun: dict[str, float] = {}  # state -> time of its first exchange
    yield f'{{"log": {{"version": "1.2", "creator": {json.dumps(creator)}, "entries": ['.encode()
    for number, recorded in enumerate(crawled.traffic()):
        entry = har_entry(recorded)
        page = entry["pageref"] = recorded.places[0][0] if recorded.places else ""
        if page in crawled.found:
            begun[page] = min(recorded.exchange.started, begun.get(page, recorded.exchange.started))
        else:
            del entry["pageref"]
        yield (",\n" if number else "\n").encode() + json.dumps(entry).encode()
    pages = [
        {"startedDateTime": moment(at), "id": state, "title": crawled.title(state), "pageTimings": {}}
        for state, at in begun.items()
    ]
    yield f'\n], "pages": {json.dumps(pages)}}}}}\n'.encode()


def har_entry(recorded: RecordedExchange) -> dict[str, Any]:
    """Return one exchange as an entry."""
    exchange = recorded.exchange
    timings = {name: getattr(exchange.timings, name) for name in (*SPENT, "ssl")}
    entry: dict[str, Any] = {
        "startedDateTime": moment(exchange.started),
        "time": round(sum(max(timings[name], 0.0) for name in SPENT), 3),
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": timings,
        "_resourceType": exchange.kind.lower(),
        "_fromCache": exchange.cached,
        "_places": [{"state": state, "event": event} for state, event in recorded.places],
    }
    if exchange.address:
        entry["serverIPAddress"], _, entry["connection"] = exchange.address.rpartition(":")
    if exchange.failure:
        entry["_error"] = exchange.failure
    return entry


def moment(seconds: float) -> str:
    """Return a time in ISO 8601 format."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _request(exchange: Exchange) -> dict[str, Any]:
    body = exchange.request_body
    request: dict[str, Any] = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": _version(exchange),
        "cookies": _cookies(header(exchange.request_headers, "cookie").split(";")),
        "headers": _named(exchange.request_headers),
        "queryString": _named(parse_qsl(_query(exchange.url), keep_blank_values=True)),
        "headersSize": -1,
        "bodySize": len(body or b""),
    }
    if body is not None:
        kind = exchange.request_type
        request["postData"] = {"mimeType": kind, "text": body.decode(errors="replace")}
        if "x-www-form-urlencoded" in kind:
            fields = parse_qsl(body.decode(errors="replace"), keep_blank_values=True)
            request["postData"] = {"mimeType": kind, "params": _named(fields), "text": body.decode(errors="replace")}
    return request


def _response(exchange: Exchange) -> dict[str, Any]:
    body = exchange.response_body
    content: dict[str, Any] = {"size": len(body or b""), "mimeType": exchange.response_type or "x-unknown"}
    if body is not None:
        try:
            content["text"] = body.decode()
        except UnicodeDecodeError:
            content |= {"text": base64.b64encode(body).decode(), "encoding": "base64"}
    if exchange.missing:
        content["comment"] = exchange.missing
    set_cookies = [value for name, value in exchange.response_headers if name.lower() == "set-cookie"]
    return {
        "status": exchange.status,
        "statusText": exchange.reason,
        "httpVersion": _version(exchange),
        "cookies": _cookies([value.partition(";")[0] for value in set_cookies]),
        "headers": _named(exchange.response_headers),
        "content": content,
        "redirectURL": header(exchange.response_headers, "location"),
        "headersSize": -1,
        "bodySize": -1,
    }


def _named(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _cookies(pairs: Sequence[str]) -> list[dict[str, str]]:
    split = (pair.strip().partition("=") for pair in pairs)
    return [{"name": name, "value": value} for name, _, value in split if name]


def _query(url: str) -> str:
    try:
        return urlsplit(url).query
    except ValueError:
        return ""


def _version(exchange: Exchange) -> str:
    return VERSIONS.get(exchange.protocol, exchange.protocol.upper() or "HTTP/1.1")
