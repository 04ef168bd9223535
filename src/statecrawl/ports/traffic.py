"""What the application and its servers said to each other: one exchange is a request and what came of it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from statecrawl.privacy.redaction import BLANK, Redactor, without_hashes

REDIRECTED = "Redirected"  # kind of an exchange: we asked for the body of a redirect ourselves
MOST_BODY = 10 << 20  # bytes of one body that are kept
LARGE = "it is larger than 10 MiB"  # why there is none of it
CUT = "cut off after 10 MiB"  # why there is not all of a body
KNOWN = "kept before"  # why there is none: somebody saw the same answer already
GONE = "the page was gone before it could be read"
UNFINISHED = "nobody had read it, or it was still coming, when the page was left"
REDIRECT = "the browser does not tell what stands in a redirect"  # see `crawler.site_files`, which may ask for it
NO_TIME = -1.0  # of a phase that there was not


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Milliseconds of each phase, in their order."""

    blocked: float = NO_TIME
    dns: float = NO_TIME
    connect: float = NO_TIME  # with TLS
    ssl: float = NO_TIME
    send: float = 0.0
    wait: float = 0.0
    receive: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request and its answer."""

    method: str
    url: str
    status: int = 0  # of HTTP; 0: there was no answer
    reason: str = ""  # as the server words the status
    failure: str = ""  # why there was no answer, or only half of one
    kind: str = ""  # what the browser wanted it for: Document, Script, XHR, Fetch, …
    protocol: str = ""  # http/1.1, h2, …
    address: str = ""  # of the server
    cached: bool = False  # the server was not asked
    started: float = 0.0  # seconds since 1970
    timings: Timings = Timings()
    request_headers: tuple[tuple[str, str], ...] = ()
    request_body: bytes | None = None
    response_headers: tuple[tuple[str, str], ...] = ()
    response_body: bytes | None = None
    missing: str = ""  # why there is no body of the answer, or not all of it

    @property
    def request_type(self) -> str:
        return header(self.request_headers, "content-type")

    @property
    def response_type(self) -> str:
        return header(self.response_headers, "content-type")

    @property
    def is_whole(self) -> bool:
        """Whether there is no more to be known of it."""
        return self.response_body is not None or self.status == 0 or not self.missing

    def bare(self) -> "Exchange":
        """Without what was kept when it was seen for the first time."""
        known = (("content-type", self.request_type),) if self.request_type else ()
        return replace(self, request_headers=known, response_headers=(), response_body=None, missing=KNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """An exchange that was kept, and all places where it was seen, the first one first."""

    id: str
    exchange: Exchange
    places: "tuple[Place, ...]"


Place = tuple[str, str | None]  # a state, and the event after which it was; None: a reset
Seen = tuple[Exchange, str, str | None]  # an exchange, in which state, and after which event; None: after a reset


def header(headers: Sequence[tuple[str, str]], name: str) -> str:
    """The value of the first header of this name, which is in small letters; nothing when there is none."""
    return next((value for known, value in headers if known.lower() == name), "")


def identity(exchange: Exchange) -> str:
    """What two exchanges have in common that say the same, whoever was logged in: secrets make no difference."""
    if not exchange.request_body:
        return bodiless_identity(exchange.method, exchange.url, exchange.status)
    body = BLANK.body(exchange.request_body, exchange.request_type or "text/")
    said = without_hashes(body.decode(errors="surrogateescape")).encode(errors="surrogateescape")
    return _hashed(_line(exchange.method, exchange.url, exchange.status) + said)


@lru_cache(maxsize=4096)
def bodiless_identity(method: str, url: str, status: int) -> str:
    """The identity of an exchange whose request has no body."""
    return _hashed(_line(method, url, status))


def _line(method: str, url: str, status: int) -> bytes:
    return f"{method} {without_hashes(BLANK.text(url))} {status}\n".encode(errors="replace")


def _hashed(said: bytes) -> str:
    return hashlib.sha256(said).hexdigest()[:32]


def redacted(exchange: Exchange, redactor: Redactor) -> Exchange:
    """The same without its secrets."""
    asked, told = exchange.request_body, exchange.response_body
    return replace(
        exchange,
        url=redactor.text(exchange.url),
        failure=redactor.text(exchange.failure),
        request_headers=redactor.headers(exchange.request_headers),
        request_body=None if asked is None else redactor.body(asked, exchange.request_type or "text/"),
        response_headers=redactor.headers(exchange.response_headers),
        response_body=None if told is None else redactor.body(told, exchange.response_type or "text/"),
    )
