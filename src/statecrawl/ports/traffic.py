"""Traffic between the application and its servers: an exchange is a request with its response."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from statecrawl.privacy.redaction import BLANK, Redactor, without_hashes

REDIRECTED = "Redirected"  # kind of an exchange: the crawler itself requested the body of a redirect
MOST_BODY = 10 << 20  # stored bytes of one body
# Why a body is missing or incomplete
LARGE = "larger than 10 MiB"
CUT = "cut off after 10 MiB"
KNOWN = "stored before"  # the same response was recorded earlier
GONE = "the page was gone before the body could be read"
UNFINISHED = "the page was left before the body was complete"
REDIRECT = "the browser does not expose the body of a redirect"  # `crawler.site_files` may request it
NO_TIME = -1.0  # of a phase that did not take place


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Duration of each phase in milliseconds, in chronological order."""

    blocked: float = NO_TIME
    dns: float = NO_TIME
    connect: float = NO_TIME  # including TLS
    ssl: float = NO_TIME
    send: float = 0.0
    wait: float = 0.0
    receive: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """HTTP request and response."""

    method: str
    url: str
    status: int = 0  # HTTP status; 0: no response
    reason: str = ""  # reason phrase of the status
    failure: str = ""  # why the response is missing or incomplete
    kind: str = ""  # resource type in the browser: Document, Script, XHR, Fetch, …
    protocol: str = ""  # http/1.1, h2, …
    address: str = ""  # IP address and port of the server
    cached: bool = False  # served from the browser's cache
    started: float = 0.0  # seconds since 1970
    timings: Timings = Timings()
    request_headers: tuple[tuple[str, str], ...] = ()
    request_body: bytes | None = None
    response_headers: tuple[tuple[str, str], ...] = ()
    response_body: bytes | None = None
    missing: str = ""  # why the response body is missing or incomplete

    @property
    def request_type(self) -> str:
        return header(self.request_headers, "content-type")

    @property
    def response_type(self) -> str:
        return header(self.response_headers, "content-type")

    @property
    def is_whole(self) -> bool:
        """Whether the response is complete, as far as it can be known."""
        return self.response_body is not None or self.status == 0 or not self.missing

    def without_content(self) -> "Exchange":
        """Return a copy without headers and response body, which were stored on first sight."""
        known = (("content-type", self.request_type),) if self.request_type else ()
        return replace(self, request_headers=known, response_headers=(), response_body=None, missing=KNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedExchange:
    """Stored exchange with all places where it occurred, the first one first."""

    id: str
    exchange: Exchange
    places: "tuple[Place, ...]"


Place = tuple[str, str | None]  # state id and the event that caused the request; None: a reset
ObservedExchange = tuple[Exchange, str, str | None]  # exchange, state id, event as in `Place`


def header(headers: Sequence[tuple[str, str]], name: str) -> str:
    """Return the value of the first header of this lower-case name, or ""."""
    return next((value for known, value in headers if known.lower() == name), "")


def identity(exchange: Exchange) -> str:
    """Hash of method, URL, status and request body. Secrets are ignored, so different users yield the same identity."""
    if not exchange.request_body:
        return bodiless_identity(exchange.method, exchange.url, exchange.status)
    body = BLANK.body(exchange.request_body, exchange.request_type or "text/")
    text = without_hashes(body.decode(errors="surrogateescape")).encode(errors="surrogateescape")
    return _hashed(_line(exchange.method, exchange.url, exchange.status) + text)


@lru_cache(maxsize=4096)
def bodiless_identity(method: str, url: str, status: int) -> str:
    """Return the identity of an exchange whose request has no body."""
    return _hashed(_line(method, url, status))


def _line(method: str, url: str, status: int) -> bytes:
    return f"{method} {without_hashes(BLANK.text(url))} {status}\n".encode(errors="replace")


def _hashed(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def redacted(exchange: Exchange, redactor: Redactor) -> Exchange:
    """Redact an exchange before it is stored. The rules are in `privacy`."""
    request, response = exchange.request_body, exchange.response_body
    return replace(
        exchange,
        url=redactor.text(exchange.url),
        failure=redactor.text(exchange.failure),
        request_headers=redactor.headers(exchange.request_headers),
        request_body=None if request is None else redactor.body(request, exchange.request_type or "text/"),
        response_headers=redactor.headers(exchange.response_headers),
        response_body=None if response is None else redactor.body(response, exchange.response_type or "text/"),
    )
