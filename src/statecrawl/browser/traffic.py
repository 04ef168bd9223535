"""Traffic: what a tab requests and receives, as the browser reports it (the Network domain of DevTools).

Theory of operation
    The browser reports every request by its id: that it is sent, redirected, answered, complete, failed; and beside
    that, in no fixed order, which headers really went over the wire. One id may stand for several requests, each
    redirected to the next: these are the hops of one chain (`browser.redirect_chain`), each an exchange of its own.

    Nothing waits for any of it. A body is requested as soon as the browser reports that it is complete, and only when
    no response to the same request has been recorded yet (`TrafficIndex`). The browser stores bodies outside of the
    page's process ("durable messages"), so the body of a document that is left at once is still there. The browser may
    never report that such a document has ended, so its body is requested once the next document is there. If the page
    is closed before the body came, or the browser does not have it, the exchange says so, in the browser's words.
    `take` returns what is complete.

    The clock decides to which event a request belongs: the agent reports when it fired each event. What is sent before
    the first event belongs to the reset.
"""

import asyncio
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec

from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.redirect_chain import Hop, RedirectChain, exchange_of, identity_of, read_body, request_of
from statecrawl.ports.traffic import KNOWN, LARGE, MOST_BODY, UNFINISHED, ObservedExchange, identity

MOST_EXCHANGES = 50_000  # different ones that a crawl records; a page could make up any number
MOST_PLACES = 20  # for which the same exchange is recorded
MOST_TIMES = 10_000  # of events that are remembered
MOST_STRAYS = 1_000  # chains of which only headers were reported
BUFFERS = {
    "maxTotalBufferSize": 48 << 20,
    "maxResourceBufferSize": MOST_BODY,
}  # bytes of stored bodies
LAST_SECONDS = 2.0  # for bodies that were requested, before a page is closed
HEADER_SECONDS = 0.5  # for headers, before a page is closed
POLL_SECONDS = 0.01
SLACK_MILLISECONDS = 0.2  # by which the page's clock is coarser than the browser's
BODILESS = frozenset({101, 204, 205, 304})  # HTTP status codes


class TrafficIndex:
    """Index of the traffic that the pages of one process have recorded already."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = set(known)  # exchanges with their bodies
        self._places: dict[str, set[tuple[str, str | None]]] = defaultdict(set)

    def wants(self, name: str) -> bool:
        """Return whether the body of an exchange should be requested."""
        return name not in self._known and len(self._known) < MOST_EXCHANGES

    def add(self, name: str) -> None:
        self._known.add(name)

    def is_news(self, name: str, state: str, event: str | None) -> bool:
        """Return whether it should be recorded that this exchange happens here, and was not recorded before."""
        if name not in self._places and len(self._places) >= MOST_EXCHANGES:
            return False
        places = self._places[name]
        if (state, event) in places or len(places) >= MOST_PLACES:
            return False
        places.add((state, event))
        return True


class TabTraffic:
    """Recorder of the traffic of one tab."""

    def __init__(self, index: TrafficIndex) -> None:
        self._index = index
        self._chains: dict[str, RedirectChain] = {}  # by request id; ids are unique across sessions
        self._times: list[float] = []  # of events and resets, in milliseconds since 1970
        self._places: list[tuple[str, str | None]] = []  # state and event at each of these times

    def watch(self, session: Session) -> asyncio.Future[msgspec.Raw]:
        """Record the traffic of a session from now on."""
        listeners = {
            "requestWillBeSent": self._sent,
            "requestWillBeSentExtraInfo": lambda chain, event: chain.sent_extra.append(event),
            "responseReceived": self._received,
            "responseReceivedExtraInfo": lambda chain, event: chain.answer_extra.append(event),
            "requestServedFromCache": self._from_cache,
            "loadingFinished": self._finished,
            "loadingFailed": self._failed,
        }
        for name, listener in listeners.items():
            session.on(f"Network.{name}", lambda event, listener=listener: listener(self._chain(session, event), event))  # type: ignore[misc]
        ignore(session.post("Network.configureDurableMessages", **BUFFERS))  # refused by older browsers
        return session.post("Network.enable", **BUFFERS, maxPostDataSize=MOST_BODY)

    def record_event(self, at: float, state: str, event: str | None) -> None:
        """Record that this event was fired in this state, in milliseconds since 1970. Without an event: a reset."""
        index = bisect_right(self._times, at)
        self._times.insert(index, at)
        self._places.insert(index, (state, event))
        if len(self._times) > 2 * MOST_TIMES:
            del self._times[:MOST_TIMES], self._places[:MOST_TIMES]

    def take(self) -> list[ObservedExchange]:
        """Return every complete exchange once."""
        now = time.monotonic()
        complete = [key for key, chain in self._chains.items() if chain.is_complete(now)]
        chains = [self._chains.pop(key) for key in complete]
        for chain in chains:
            read_body(chain)
        return [seen for chain in chains for seen in self._seen(chain)]

    async def wait_for_bodies(self, seconds: float = LAST_SECONDS) -> None:
        """Wait at most this long for bodies that were requested."""
        chains = self._chains.values()
        waiting = [
            each for chain in chains for each in (chain.body_answer, chain.post_answer) if each and not each.done()
        ]
        if waiting:
            await asyncio.wait(waiting, timeout=seconds)

    async def wait_until_complete(self, seconds: float = HEADER_SECONDS) -> None:
        """Wait at most this long for everything that was answered or failed."""
        ends = time.monotonic() + seconds
        while (now := time.monotonic()) < ends:
            if all(chain.done is None or chain.is_complete(now) for chain in self._chains.values()):
                return
            await asyncio.sleep(POLL_SECONDS)

    def end(self) -> None:
        """Complete everything: the page is gone."""
        for key, chain in list(self._chains.items()):
            if chain.done is None and chain.answered is None:
                del self._chains[key]  # it has no response
                continue
            chain.done = 0.0
            if chain.body_answer is not None:
                chain.body_answer.cancel()
            if chain.post_answer is not None:
                chain.post_answer.cancel()

    # -- events of the browser --

    def _chain(self, session: Session, event: dict[str, Any]) -> RedirectChain:
        key = str(event["requestId"])
        chain = self._chains.get(key)
        if chain is None:
            chain = self._chains[key] = RedirectChain(session)
            if len(self._chains) > MOST_STRAYS:
                strays = [stray for stray, each in self._chains.items() if not each.hops and each is not chain]
                for stray in strays:
                    del self._chains[stray]
        chain.session = session  # the page of a worker requests its script, and the worker gets the response
        return chain

    def _sent(self, chain: RedirectChain, event: dict[str, Any]) -> None:
        before = event.get("redirectResponse")
        if before is not None and chain.hops:
            hop = chain.hops[-1]
            hop.answer, hop.has_extra = before, bool(event.get("redirectHasExtraInfo"))
            hop.ended = float(event["timestamp"])
        request = event["request"]
        if not str(request["url"]).startswith(("http:", "https:")):
            return
        chain.hops.append(Hop(event))
        if request.get("hasPostData") and "postData" not in request and "postDataEntries" not in request:
            chain.post_answer = chain.session.post("Network.getRequestPostData", requestId=event["requestId"])
            ignore(chain.post_answer)

    def _received(self, chain: RedirectChain, event: dict[str, Any]) -> None:
        if not chain.hops:
            return
        if event.get("type") == "Document":
            for left in [
                each for each in self._chains.values() if each.is_unfinished_document(event.get("frameId", ""))
            ]:
                self._give_up(left)
        chain.hops[-1].answer, chain.hops[-1].has_extra = event["response"], bool(event.get("hasExtraInfo"))
        chain.answered, chain.missing = time.monotonic(), UNFINISHED

    def _give_up(self, chain: RedirectChain) -> None:
        """End a document because another one was loaded: the browser reports no more of it, but may have its body."""
        chain.done, hop = time.monotonic(), chain.hops[-1]
        if self._index.wants(name := identity_of(chain, hop)):
            self._request_body(chain, hop.sent["requestId"], UNFINISHED)
        else:
            chain.name, chain.missing = name, KNOWN

    def _from_cache(self, chain: RedirectChain, _: dict[str, Any]) -> None:
        chain.cached = True

    def _finished(self, chain: RedirectChain, event: dict[str, Any]) -> None:
        if not self._end(chain, event):
            return
        hop, chain.missing = chain.hops[-1], ""
        if hop.answer.get("status") in BODILESS or hop.sent["request"]["method"] == "HEAD":
            chain.body = b""
        elif event.get("encodedDataLength", 0) > MOST_BODY:
            chain.missing = LARGE
        elif self._index.wants(name := identity_of(chain, hop)):
            self._request_body(chain, event["requestId"])
        else:
            chain.name, chain.missing = name, KNOWN

    def _request_body(self, chain: RedirectChain, number: str, fallback: str = "") -> None:
        """Request a body, which is read when the exchange is taken."""
        chain.body_answer = chain.session.post("Network.getResponseBody", requestId=number)
        chain.fallback = fallback
        ignore(chain.body_answer)

    def _failed(self, chain: RedirectChain, event: dict[str, Any]) -> None:
        if self._end(chain, event) or chain.hops:  # also a document that was left before it arrived
            blocked = event.get("blockedReason")
            chain.failure = str(event.get("errorText") or "it failed") + (f" ({blocked})" if blocked else "")
            chain.body, chain.missing = None, chain.failure

    def _end(self, chain: RedirectChain, event: dict[str, Any]) -> bool:
        """Mark a request as ended. Return whether it is one that is recorded."""
        if not chain.hops:
            self._chains.pop(str(event["requestId"]), None)
            return False
        if chain.done is not None:
            return False  # another document was loaded before
        chain.done = time.monotonic()
        chain.hops[-1].ended = float(event["timestamp"])
        return True

    # -- results --

    def _seen(self, chain: RedirectChain) -> Iterable[ObservedExchange]:
        extra = 0  # hops whose headers were reported separately
        for hop in chain.hops:
            sent = chain.sent_extra[extra] if hop.has_extra and extra < len(chain.sent_extra) else {}
            received = chain.answer_extra[extra] if hop.has_extra and extra < len(chain.answer_extra) else {}
            extra += hop.has_extra
            state, event = self._place(float(hop.sent["wallTime"]) * 1000)
            if hop is chain.hops[-1] and chain.name:
                if self._index.is_news(chain.name, state, event):
                    yield request_of(chain, hop, sent).without_content(), state, event
                continue
            exchange = exchange_of(chain, hop, sent, received)
            name = identity(exchange)
            wanted, is_news = self._index.wants(name), self._index.is_news(name, state, event)
            if wanted and exchange.is_whole:
                self._index.add(name)
                yield exchange, state, event
            elif is_news:
                yield exchange if wanted else exchange.without_content(), state, event

    def _place(self, at: float) -> tuple[str, str | None]:
        index = bisect_right(self._times, at + SLACK_MILLISECONDS) - 1
        return self._places[max(index, 0)] if self._places else ("", None)
