"""One request with its redirects, and the exchanges that it becomes."""

import asyncio
import base64
import binascii
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from statecrawl.browser.devtools import Session
from statecrawl.errors import BrowserError, CallRefused
from statecrawl.ports.traffic import CUT, GONE, MOST_BODY, REDIRECT, Exchange, Timings, bodiless_identity, identity

UNREAD_SECONDS = 10.0  # after the response started, its body is not waited for any more: a stream, or never read
LATE_SECONDS = 1.0  # after the end of a request, its headers do not come any more
PHASES = (("dns", "dnsStart", "dnsEnd"), ("connect", "connectStart", "connectEnd"), ("ssl", "sslStart", "sslEnd"))


@dataclass(slots=True)
class Hop:
    """One request of a chain of redirects."""

    sent: dict[str, Any]  # as the browser reports it
    answer: dict[str, Any] = field(default_factory=dict)
    has_extra: bool = False  # the browser reports the headers separately
    ended: float = 0.0  # by the browser's own clock


@dataclass(slots=True)
class RedirectChain:
    """All requests of one request id."""

    session: Session
    hops: list[Hop] = field(default_factory=list)
    sent_extra: list[dict[str, Any]] = field(default_factory=list)
    answer_extra: list[dict[str, Any]] = field(default_factory=list)
    answered: float | None = None  # when the last one was answered, by our clock
    done: float | None = None  # when the last one ended, by our clock
    failure: str = ""
    body: bytes | None = None
    missing: str = ""
    cached: bool = False
    body_answer: asyncio.Future[msgspec.Raw] | None = None
    fallback: str = ""  # why the body is missing if the browser does not have it; without it, the browser's words
    name: str = ""  # identity of the last exchange, if the same was recorded before
    post_answer: asyncio.Future[msgspec.Raw] | None = None  # a request body that the event was too small for

    def is_unfinished_document(self, frame: str) -> bool:
        """Return whether this is a document of this frame that was answered and has not ended."""
        if self.done is not None or self.answered is None:
            return False
        sent = self.hops[-1].sent
        return sent.get("type") == "Document" and sent.get("frameId") == frame

    def is_complete(self, now: float) -> bool:
        if self.done is None:
            return self.answered is not None and now - self.answered > UNREAD_SECONDS
        if not all(each is None or each.done() for each in (self.body_answer, self.post_answer)):
            return False
        awaited = sum(hop.has_extra for hop in self.hops)
        return len(self.answer_extra) >= awaited <= len(self.sent_extra) or now - self.done > LATE_SECONDS


def read_body(chain: RedirectChain) -> None:
    """Read the body that was requested, or the reason why it did not come."""
    answer = chain.body_answer
    if answer is None:
        return
    chain.missing = chain.failure or chain.fallback or GONE
    if answer.cancelled() or chain.failure:
        return
    if (refused := answer.exception()) is not None:
        if isinstance(refused, CallRefused) and not chain.fallback:
            chain.missing = f"the browser says: {refused}"
        return
    with suppress(msgspec.DecodeError, binascii.Error, KeyError):
        response = msgspec.json.decode(answer.result())
        body = base64.b64decode(response["body"]) if response["base64Encoded"] else response["body"].encode()
        chain.body, chain.missing = body[:MOST_BODY], CUT if len(body) > MOST_BODY else ""


def identity_of(chain: RedirectChain, hop: Hop) -> str:
    """Return the identity of a request and its status."""
    request = hop.sent["request"]
    if request.get("hasPostData"):
        return identity(request_of(chain, hop, {}))
    return bodiless_identity(str(request["method"]), str(request["url"]), int(hop.answer.get("status", 0)))


def request_of(chain: RedirectChain, hop: Hop, extra: dict[str, Any]) -> Exchange:
    """Return the exchange without its response, apart from the status."""
    request = hop.sent["request"]
    headers = _headers(extra.get("headers") or request["headers"])
    return Exchange(
        method=str(request["method"]),
        url=str(request["url"]),
        status=int(hop.answer.get("status", 0)),
        kind=str(hop.sent.get("type", "")),
        started=float(hop.sent["wallTime"]),
        request_headers=headers,
        request_body=_request_body(chain, request),
    )


def exchange_of(chain: RedirectChain, hop: Hop, sent: dict[str, Any], received: dict[str, Any]) -> Exchange:
    is_last, answer = hop is chain.hops[-1], hop.answer
    request = request_of(chain, hop, sent)
    port = answer.get("remotePort")
    return Exchange(
        method=request.method,
        url=request.url,
        status=request.status,
        kind=request.kind,
        started=request.started,
        request_headers=request.request_headers,
        request_body=request.request_body,
        reason=str(answer.get("statusText", "")),
        protocol=str(answer.get("protocol", "")),
        address=f"{answer['remoteIPAddress']}:{port}" if answer.get("remoteIPAddress") else "",
        cached=(is_last and chain.cached) or bool(answer.get("fromDiskCache") or answer.get("fromPrefetchCache")),
        timings=_timings(answer.get("timing"), hop),
        response_headers=_headers(received.get("headers") or answer.get("headers") or {}),
        failure=chain.failure if is_last else "",
        response_body=chain.body if is_last else None,
        missing=chain.missing if is_last else REDIRECT,
    )


def _request_body(chain: RedirectChain, request: dict[str, Any]) -> bytes | None:
    """Return the body of a request."""
    if not request.get("hasPostData"):
        return None
    with suppress(binascii.Error, msgspec.DecodeError, KeyError, BrowserError):
        if "postDataEntries" in request:
            return b"".join(base64.b64decode(entry["bytes"]) for entry in request["postDataEntries"])[:MOST_BODY]
        if "postData" in request:
            return str(request["postData"]).encode()[:MOST_BODY]
        if chain.post_answer is not None and chain.post_answer.done() and not chain.post_answer.cancelled():
            return str(msgspec.json.decode(chain.post_answer.result())["postData"]).encode()[:MOST_BODY]
    return b""


def _headers(joined_headers: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return headers as pairs; the browser joins those of the same name by line ends."""
    return tuple((name, value) for name, joined in joined_headers.items() for value in str(joined).split("\n"))


def _timings(timing: dict[str, Any] | None, hop: Hop) -> Timings:
    whole = max((hop.ended - float(hop.sent["timestamp"])) * 1000, 0.0) if hop.ended else 0.0
    if not timing:
        return Timings(receive=round(whole, 3))
    phases = {
        name: round(timing[end] - timing[start], 3)
        for name, start, end in PHASES
        if timing.get(start, -1) >= 0 and timing.get(end, -1) >= timing[start]
    }
    begins = (timing.get(start, -1) for start in ("dnsStart", "connectStart", "sendStart"))
    ended = (hop.ended - timing["requestTime"]) * 1000 if hop.ended else timing["receiveHeadersEnd"]
    return Timings(
        blocked=round(next((begin for begin in begins if begin >= 0), 0.0), 3),
        send=round(max(timing["sendEnd"] - timing["sendStart"], 0.0), 3),
        wait=round(max(timing["receiveHeadersEnd"] - timing["sendEnd"], 0.0), 3),
        receive=round(max(ended - timing["receiveHeadersEnd"], 0.0), 3),
        **phases,
    )
