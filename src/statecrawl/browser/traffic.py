"""Traffic: what a tab asks for and what it is answered, as the browser tells it (the Network domain of DevTools).

Theory of operation
    The browser tells of every request by its number: that it is sent, redirected, answered, done, failed; and beside
    that, in no fixed order, which headers really went over the wire. A number may be used for several requests, one
    redirected to the next: they are the hops of one journey, each an exchange of its own.

    Nobody waits for any of it. A body is asked for as soon as the browser says that it is there, and only when no
    answer to the same question has been kept yet (`KeptTraffic`). The browser keeps bodies outside of the page's
    process ("durable messages"), so a document that is left at once still has its body. The browser may never say that
    such a document has ended, so its body is asked for once the next document is there. If the page is closed before
    the body came, or the browser does not have it, the exchange says so, in the browser's words. `take` hands over
    what is complete.

    Which event a request belongs to is told by the clock: the agent says when it fired each event. What is sent before
    the first belongs to the reset.
"""

import asyncio
import base64
import binascii
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import BrowserError, CallRefused
from statecrawl.ports.traffic import (
    CUT,
    GONE,
    KNOWN,
    LARGE,
    MOST_BODY,
    REDIRECT,
    UNFINISHED,
    Exchange,
    ObservedExchange,
    Timings,
    bodiless_identity,
    identity,
)

MOST_EXCHANGES = 50_000  # different ones that are kept of a crawl; a page could make up any number
MOST_PLACES = 20  # in which the same exchange is told of
MOST_TIMES = 10_000  # of events that are remembered
MOST_STRAYS = 1_000  # journeys of which only headers were told
BUFFERS = {"maxTotalBufferSize": 48 << 20, "maxResourceBufferSize": MOST_BODY}  # bytes of bodies that the browser keeps
UNREAD_SECONDS = 10.0  # after an answer began, its body is not waited for any more: a stream, or nobody reads it
LAST_SECONDS = 2.0  # for bodies that were asked for, before a page is closed
HEADER_SECONDS = 0.5  # for headers likewise
LOOK_SECONDS = 0.01  # between two looks at whether all is there
LATE_SECONDS = 1.0  # after which headers do not come any more
SLACK_MILLISECONDS = 0.2  # by which the page's clock is coarser than the browser's
BODILESS = frozenset({101, 204, 205, 304})
PHASES = (("dns", "dnsStart", "dnsEnd"), ("connect", "connectStart", "connectEnd"), ("ssl", "sslStart", "sslEnd"))


class KeptTraffic:
    """What the pages of one process have kept already."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = set(known)  # exchanges with their bodies
        self._places: dict[str, set[tuple[str, str | None]]] = defaultdict(set)

    def wants(self, name: str) -> bool:
        """Whether the body of an exchange should be asked for."""
        return name not in self._known and len(self._known) < MOST_EXCHANGES

    def kept(self, name: str) -> None:
        self._known.add(name)

    def is_news(self, name: str, state: str, event: str | None) -> bool:
        """Whether nobody was told that this exchange happens here, and somebody should be."""
        if name not in self._places and len(self._places) >= MOST_EXCHANGES:
            return False
        places = self._places[name]
        if (state, event) in places or len(places) >= MOST_PLACES:
            return False
        places.add((state, event))
        return True


@dataclass(slots=True)
class _Request:
    """One request of a journey."""

    sent: dict[str, Any]  # as the browser said it
    answer: dict[str, Any] = field(default_factory=dict)
    has_extra: bool = False  # headers are told beside the answer
    ended: float = 0.0  # by the browser's own clock


@dataclass(slots=True)
class _RedirectChain:
    """All requests of one number."""

    session: Session
    hops: list[_Request] = field(default_factory=list)
    sent_extra: list[dict[str, Any]] = field(default_factory=list)
    answer_extra: list[dict[str, Any]] = field(default_factory=list)
    answered: float | None = None  # since when the last one is, by our clock
    done: float | None = None  # likewise
    failure: str = ""
    body: bytes | None = None
    missing: str = ""
    cached: bool = False
    asked: asyncio.Future[msgspec.Raw] | None = None  # for the body
    otherwise: str = ""  # why the body is missing if the browser does not have it; else the browser says why
    name: str = ""  # of the last exchange, if the same was kept before
    posted: asyncio.Future[msgspec.Raw] | None = None  # what was sent, when that was too long to be told at once

    def is_left_for(self, frame: str) -> bool:
        """Whether it is a document of this frame that was answered and has not ended."""
        if self.done is not None or self.answered is None:
            return False
        sent = self.hops[-1].sent
        return sent.get("type") == "Document" and sent.get("frameId") == frame

    def is_complete(self, now: float) -> bool:
        if self.done is None:
            return self.answered is not None and now - self.answered > UNREAD_SECONDS
        if not all(each is None or each.done() for each in (self.asked, self.posted)):
            return False
        awaited = sum(hop.has_extra for hop in self.hops)
        return len(self.answer_extra) >= awaited <= len(self.sent_extra) or now - self.done > LATE_SECONDS


class TabTraffic:
    """What one tab says and hears."""

    def __init__(self, ledger: KeptTraffic) -> None:
        self._ledger = ledger
        self._journeys: dict[str, _RedirectChain] = {}  # by number, which no other session has but for the same journey
        self._times: list[float] = []  # at which something was done, in milliseconds since 1970
        self._places: list[tuple[str, str | None]] = []  # what that was

    def watch(self, session: Session) -> asyncio.Future[msgspec.Raw]:
        """Listen to a session from now on."""
        listeners = {
            "requestWillBeSent": self._sent,
            "requestWillBeSentExtraInfo": lambda journey, told: journey.sent_extra.append(told),
            "responseReceived": self._answered,
            "responseReceivedExtraInfo": lambda journey, told: journey.answer_extra.append(told),
            "requestServedFromCache": self._from_cache,
            "loadingFinished": self._finished,
            "loadingFailed": self._failed,
        }
        for name, heard in listeners.items():
            session.on(f"Network.{name}", lambda told, heard=heard: heard(self._journey(session, told), told))  # type: ignore[misc]
        ignore(session.post("Network.configureDurableMessages", **BUFFERS))  # refused by older browsers
        return session.post("Network.enable", **BUFFERS, maxPostDataSize=MOST_BODY)

    def did(self, at: float, state: str, event: str | None) -> None:
        """At this time, in milliseconds since 1970, this event was fired in this state; None: it came by a reset."""
        index = bisect_right(self._times, at)
        self._times.insert(index, at)
        self._places.insert(index, (state, event))
        if len(self._times) > 2 * MOST_TIMES:
            del self._times[:MOST_TIMES], self._places[:MOST_TIMES]

    def take(self) -> list[ObservedExchange]:
        """All that is complete, once."""
        now = time.monotonic()
        complete = [key for key, journey in self._journeys.items() if journey.is_complete(now)]
        journeys = [self._journeys.pop(key) for key in complete]
        for journey in journeys:
            _read(journey)
        return [seen for journey in journeys for seen in self._seen(journey)]

    async def wait_for_bodies(self, seconds: float = LAST_SECONDS) -> None:
        """So long, for bodies that were asked for."""
        journeys = self._journeys.values()
        waiting = [each for journey in journeys for each in (journey.asked, journey.posted) if each and not each.done()]
        if waiting:
            await asyncio.wait(waiting, timeout=seconds)

    async def wait_until_complete(self, seconds: float = HEADER_SECONDS) -> None:
        """So long, for all that was answered or failed."""
        ends = time.monotonic() + seconds
        while (now := time.monotonic()) < ends:
            if all(journey.done is None or journey.is_complete(now) for journey in self._journeys.values()):
                return
            await asyncio.sleep(LOOK_SECONDS)

    def end(self) -> None:
        """The page is gone, and nothing more will come."""
        for key, journey in list(self._journeys.items()):
            if journey.done is None and journey.answered is None:
                del self._journeys[key]  # nothing came of it
                continue
            journey.done = 0.0
            if journey.asked is not None:
                journey.asked.cancel()
            if journey.posted is not None:
                journey.posted.cancel()

    # -- what the browser tells --

    def _journey(self, session: Session, told: dict[str, Any]) -> _RedirectChain:
        key = str(told["requestId"])
        journey = self._journeys.get(key)
        if journey is None:
            journey = self._journeys[key] = _RedirectChain(session)
            if len(self._journeys) > MOST_STRAYS:
                strays = [stray for stray, each in self._journeys.items() if not each.hops and each is not journey]
                for stray in strays:
                    del self._journeys[stray]
        journey.session = session  # the script of a worker is asked for by its page, and answered to itself
        return journey

    def _sent(self, journey: _RedirectChain, told: dict[str, Any]) -> None:
        before = told.get("redirectResponse")
        if before is not None and journey.hops:
            hop = journey.hops[-1]
            hop.answer, hop.has_extra = before, bool(told.get("redirectHasExtraInfo"))
            hop.ended = float(told["timestamp"])
        request = told["request"]
        if not str(request["url"]).startswith(("http:", "https:")):
            return
        journey.hops.append(_Request(told))
        if request.get("hasPostData") and "postData" not in request and "postDataEntries" not in request:
            journey.posted = journey.session.post("Network.getRequestPostData", requestId=told["requestId"])
            ignore(journey.posted)

    def _answered(self, journey: _RedirectChain, told: dict[str, Any]) -> None:
        if not journey.hops:
            return
        if told.get("type") == "Document":
            for left in [each for each in self._journeys.values() if each.is_left_for(told.get("frameId", ""))]:
                self._leave(left)
        journey.hops[-1].answer, journey.hops[-1].has_extra = told["response"], bool(told.get("hasExtraInfo"))
        journey.answered, journey.missing = time.monotonic(), UNFINISHED

    def _leave(self, journey: _RedirectChain) -> None:
        """Another document has come: the browser will tell no more of this one, but may have its body."""
        journey.done, hop = time.monotonic(), journey.hops[-1]
        if self._ledger.wants(name := _name(journey, hop)):
            self._ask(journey, hop.sent["requestId"], UNFINISHED)
        else:
            journey.name, journey.missing = name, KNOWN

    def _from_cache(self, journey: _RedirectChain, _: dict[str, Any]) -> None:
        journey.cached = True

    def _finished(self, journey: _RedirectChain, told: dict[str, Any]) -> None:
        if not self._end(journey, told):
            return
        hop, journey.missing = journey.hops[-1], ""
        if hop.answer.get("status") in BODILESS or hop.sent["request"]["method"] == "HEAD":
            journey.body = b""
        elif told.get("encodedDataLength", 0) > MOST_BODY:
            journey.missing = LARGE
        elif self._ledger.wants(name := _name(journey, hop)):
            self._ask(journey, told["requestId"])
        else:
            journey.name, journey.missing = name, KNOWN

    def _ask(self, journey: _RedirectChain, number: str, otherwise: str = "") -> None:
        """Ask for a body, which is read when the exchange is taken."""
        journey.asked = journey.session.post("Network.getResponseBody", requestId=number)
        journey.otherwise = otherwise
        ignore(journey.asked)

    def _failed(self, journey: _RedirectChain, told: dict[str, Any]) -> None:
        if self._end(journey, told) or journey.hops:  # also a document that was left before it had come
            blocked = told.get("blockedReason")
            journey.failure = str(told.get("errorText") or "it failed") + (f" ({blocked})" if blocked else "")
            journey.body, journey.missing = None, journey.failure

    def _end(self, journey: _RedirectChain, told: dict[str, Any]) -> bool:
        """Whether it was a request of HTTP that ended."""
        if not journey.hops:
            self._journeys.pop(str(told["requestId"]), None)
            return False
        if journey.done is not None:
            return False  # its document was left before
        journey.done = time.monotonic()
        journey.hops[-1].ended = float(told["timestamp"])
        return True

    # -- what is made of it --

    def _seen(self, journey: _RedirectChain) -> Iterable[ObservedExchange]:
        told = 0  # hops whose headers were told beside
        for hop in journey.hops:
            asked = journey.sent_extra[told] if hop.has_extra and told < len(journey.sent_extra) else {}
            answered = journey.answer_extra[told] if hop.has_extra and told < len(journey.answer_extra) else {}
            told += hop.has_extra
            state, event = self._place(float(hop.sent["wallTime"]) * 1000)
            if hop is journey.hops[-1] and journey.name:
                if self._ledger.is_news(journey.name, state, event):
                    yield _asked(journey, hop, asked).without_content(), state, event
                continue
            exchange = _exchange(journey, hop, asked, answered)
            name = identity(exchange)
            wanted, is_news = self._ledger.wants(name), self._ledger.is_news(name, state, event)
            if wanted and exchange.is_whole:
                self._ledger.kept(name)
                yield exchange, state, event
            elif is_news:
                yield exchange if wanted else exchange.without_content(), state, event

    def _place(self, at: float) -> tuple[str, str | None]:
        index = bisect_right(self._times, at + SLACK_MILLISECONDS) - 1
        return self._places[max(index, 0)] if self._places else ("", None)


def _read(journey: _RedirectChain) -> None:
    """Read the body that was asked for, or why it did not come."""
    answer = journey.asked
    if answer is None:
        return
    journey.missing = journey.failure or journey.otherwise or GONE
    if answer.cancelled() or journey.failure:
        return
    if (refused := answer.exception()) is not None:
        if isinstance(refused, CallRefused) and not journey.otherwise:
            journey.missing = f"the browser says: {refused}"
        return
    with suppress(msgspec.DecodeError, binascii.Error, KeyError):
        told = msgspec.json.decode(answer.result())
        body = base64.b64decode(told["body"]) if told["base64Encoded"] else told["body"].encode()
        journey.body, journey.missing = body[:MOST_BODY], CUT if len(body) > MOST_BODY else ""


def _name(journey: _RedirectChain, hop: _Request) -> str:
    """The identity of a request and its status."""
    request = hop.sent["request"]
    if request.get("hasPostData"):
        return identity(_asked(journey, hop, {}))
    return bodiless_identity(str(request["method"]), str(request["url"]), int(hop.answer.get("status", 0)))


def _asked(journey: _RedirectChain, hop: _Request, extra: dict[str, Any]) -> Exchange:
    """What was asked, and which status that got."""
    request = hop.sent["request"]
    headers = _headers(extra.get("headers") or request["headers"])
    return Exchange(
        method=str(request["method"]),
        url=str(request["url"]),
        status=int(hop.answer.get("status", 0)),
        kind=str(hop.sent.get("type", "")),
        started=float(hop.sent["wallTime"]),
        request_headers=headers,
        request_body=_posted(journey, request),
    )


def _exchange(journey: _RedirectChain, hop: _Request, asked: dict[str, Any], answered: dict[str, Any]) -> Exchange:
    is_last, answer = hop is journey.hops[-1], hop.answer
    request = _asked(journey, hop, asked)
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
        cached=(is_last and journey.cached) or bool(answer.get("fromDiskCache") or answer.get("fromPrefetchCache")),
        timings=_timings(answer.get("timing"), hop),
        response_headers=_headers(answered.get("headers") or answer.get("headers") or {}),
        failure=journey.failure if is_last else "",
        response_body=journey.body if is_last else None,
        missing=journey.missing if is_last else REDIRECT,
    )


def _posted(journey: _RedirectChain, request: dict[str, Any]) -> bytes | None:
    """What was sent along."""
    if not request.get("hasPostData"):
        return None
    with suppress(binascii.Error, msgspec.DecodeError, KeyError, BrowserError):
        if "postDataEntries" in request:
            return b"".join(base64.b64decode(entry["bytes"]) for entry in request["postDataEntries"])[:MOST_BODY]
        if "postData" in request:
            return str(request["postData"]).encode()[:MOST_BODY]
        if journey.posted is not None and journey.posted.done() and not journey.posted.cancelled():
            return str(msgspec.json.decode(journey.posted.result())["postData"]).encode()[:MOST_BODY]
    return b""


def _headers(told: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Headers as pairs; the browser joins those of the same name by line ends."""
    return tuple((name, value) for name, joined in told.items() for value in str(joined).split("\n"))


def _timings(told: dict[str, Any] | None, hop: _Request) -> Timings:
    whole = max((hop.ended - float(hop.sent["timestamp"])) * 1000, 0.0) if hop.ended else 0.0
    if not told:
        return Timings(receive=round(whole, 3))
    phases = {
        name: round(told[end] - told[start], 3)
        for name, start, end in PHASES
        if told.get(start, -1) >= 0 and told.get(end, -1) >= told[start]
    }
    begins = (told.get(start, -1) for start in ("dnsStart", "connectStart", "sendStart"))
    ended = (hop.ended - told["requestTime"]) * 1000 if hop.ended else told["receiveHeadersEnd"]
    return Timings(
        blocked=round(next((begin for begin in begins if begin >= 0), 0.0), 3),
        send=round(max(told["sendEnd"] - told["sendStart"], 0.0), 3),
        wait=round(max(told["receiveHeadersEnd"] - told["sendEnd"], 0.0), 3),
        receive=round(max(ended - told["receiveHeadersEnd"], 0.0), 3),
        **phases,
    )
