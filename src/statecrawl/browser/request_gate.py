"""Request gate: holds back the requests of a tab and decides about each, where a feature needs that.

Theory of operation
    The browser holds each request back until it is paused to continue it (the Fetch domain of DevTools), with other
    headers if need be, or to fail it. That costs a message in each direction per request, so there is a gate only where
    one is needed: to refuse requests that may change something, to add headers, to authenticate, or to limit the number
    of concurrent requests.

    Headers and credentials for the application go to its own origins only. A request that is redirected passes the gate
    again without what was added before, so no secret follows a redirect to another server. A server that rejects the
    credentials gets them once only: the same request is not authenticated twice.

    The gate sees the requests of documents, frames and workers of all kinds. It does not see what goes through sockets.

    The agent stops navigation out of the scope before anything is requested. It does not see redirects, prefetches, or
    where frames of other servers and service workers send the page. A gate does: after a reset, the page itself never
    requests a document out of scope, and nothing out of scope is prefetched. But a gate makes every reset and every
    request more expensive, even if it lets everything pass or holds back only prefetches: 11 to 21 % of a reset, and up
    to 30 % of an event. Most single-page applications never need it. So a crawl starts with a gate and removes it once
    the first page has prefetched nothing and turns out to mention nothing that does. From then on, the agent also stops
    the first navigation to another document (`held`). That restores the gate for good, and the walk is repeated. So do
    a frame of another server, a service worker, and a script that comes later and prefetches. Until then, two things
    pass no gate: the prefetches of a script that hides the word, and those of HTML that an event loads, that stands in
    no script, and that prefetches at once.

    A shared worker may send its first request before its own session passes requests through the gate: the browser
    prepares the worker's connection to the network before it reports the worker. In a read-only crawl, a backstop at
    the browser itself therefore inspects everything that the gates of the tabs have let through or have not seen. It
    refuses requests that may change something from the workers of a read-only tab.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.request_pace import COUNTED_SECONDS, RequestPace, host_of
from statecrawl.model.regex import matched
from statecrawl.ports.access import Access, Credentials

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
DEFAULT_PORTS = {"http": 80, "https": 443}
EVERYTHING = ({"urlPattern": "*"},)
# Documents and prefetches
DOCUMENTS = tuple({"urlPattern": "*", "resourceType": kind} for kind in ("Document", "Fetch"))
PREFETCH_HEADERS = frozenset({"purpose", "sec-purpose"})  # of a prefetch
ABORTED = "Aborted"  # error for a refused document: the page stays and shows no error page
BLOCKED = "BlockedByClient"  # error for every other refused request
MOST_CHALLENGED = 10_000  # requests that are remembered as authenticated


class Backstop:
    """Inspects every request of a browser once more, for the tabs that refuse some."""

    def __init__(self, root: Session) -> None:
        self.refusers: list[Callable[[dict[str, Any]], bool]] = []  # each returns whether it refuses a request
        self._root = root

    async def start(self) -> None:
        self._root.on("Fetch.requestPaused", self._paused)
        await self._root.call("Fetch.enable", patterns=EVERYTHING)

    def _paused(self, paused: dict[str, Any]) -> None:
        if any(refuses(paused) for refuses in self.refusers):
            refuse(self._root, paused)
        else:
            ignore(self._root.post("Fetch.continueRequest", requestId=paused["requestId"]))


class RequestGate:
    """The request gate of one tab."""

    def __init__(
        self,
        access: Access,
        is_own_url: Callable[[str], bool],
        add_note: Callable[[str, Any], None],
        *,
        is_in_scope: Callable[[str], bool],
        on_prefetch: Callable[[], None],
        read_only: bool,
        pace: RequestPace | None = None,
    ) -> None:
        """`is_own_url` decides whether a URL belongs to the application.

        `add_note` gets a note for every refused request. `on_prefetch` is called at every prefetch.
        """
        self._pace = None if pace is None or pace.concurrent is None else pace
        self._held: dict[str, tuple[str, asyncio.TimerHandle]] = {}  # request -> host, and when it stops counting
        self._waiting: dict[str, tuple[str, Callable[[], None]]] = {}  # request -> host, and what continues it
        self._access = access
        self._is_own_url = is_own_url
        self._is_in_scope = is_in_scope
        self._on_prefetch = on_prefetch
        self._add_note = add_note
        self.page = ""  # id of the main frame
        self.is_bounded = False  # documents of the main frame have to be in scope; not during a reset
        self.led_out = ""  # URL of a refused document out of scope
        self.read_only = read_only  # refuse requests that may change something; a login suspends this
        self._challenged: set[tuple[str, str]] = set()  # authenticated requests, and whether by proxy or server
        self.proxy = None if access.proxy is None else access.proxy.credentials
        self._has_credentials = access.basic is not None or self.proxy is not None or access.certificate is not None
        self.is_needed = read_only or bool(access.headers) or self._has_credentials or self._pace is not None

    def watch(self, session: Session) -> None:
        """Pass all requests of this session through the gate from now on."""
        self.listen(session)
        self.start(session, EVERYTHING)

    def listen(self, session: Session) -> None:
        """Decide about the requests of this session that are held back."""
        session.on("Fetch.requestPaused", lambda event: self._paused(session, event))
        session.on("Fetch.authRequired", lambda event: self._auth_required(session, event))
        if self._pace is not None:
            session.on("Network.loadingFinished", lambda event: self._done(str(event["requestId"])))
            session.on("Network.loadingFailed", lambda event: self._done(str(event["requestId"])))

    def start(self, session: Session, patterns: Sequence[dict[str, str]]) -> None:
        """Hold back requests that match one of these patterns."""
        ignore(session.post("Fetch.enable", patterns=patterns, handleAuthRequests=self._has_credentials))

    def refuses(self, paused: dict[str, Any]) -> bool:
        """Return whether a request is refused because it may change something; add a note if so."""
        request = paused["request"]
        if not self.read_only or request["method"].upper() in SAFE_METHODS:
            return False
        self._add_note("read-only", [request["method"], request["url"]])
        return True

    def _leads_out(self, paused: dict[str, Any]) -> bool:
        """Return whether the main frame would leave the scope, or a prefetch is out of scope."""
        request = paused["request"]
        if paused.get("resourceType") == "Document":
            return self.is_bounded and paused.get("frameId") == self.page and not self._is_in_scope(request["url"])
        if PREFETCH_HEADERS.isdisjoint(map(str.lower, request["headers"])):
            return False
        self._on_prefetch()
        return not self._is_in_scope(request["url"])

    def _paused(self, session: Session, paused: dict[str, Any]) -> None:
        request = paused["request"]
        if self._leads_out(paused):
            if paused.get("resourceType") == "Document":
                self.led_out = request["url"]
            self._add_note("boundary", request["url"])
            refuse(session, paused, ABORTED)
            return
        if self.refuses(paused):
            refuse(session, paused, ABORTED if paused.get("resourceType") == "Document" else BLOCKED)
            return
        more: dict[str, Any] = {}
        if self._access.headers and self._is_own_url(request["url"]):
            more["headers"] = with_headers(request["headers"], self._access.headers)
        number = str(paused.get("networkId", ""))
        if self._pace is None or number in self._held:  # a redirected request is counted already
            ignore(session.post("Fetch.continueRequest", requestId=paused["requestId"], **more))
            return
        host = host_of(request["url"])

        def go() -> None:
            self._waiting.pop(number, None)
            ends = asyncio.get_running_loop().call_later(COUNTED_SECONDS, self._done, number)
            self._held[number] = host, ends
            answer = session.post("Fetch.continueRequest", requestId=paused["requestId"], **more)
            answer.add_done_callback(went)

        def went(answer: asyncio.Future[msgspec.Raw]) -> None:
            if answer.cancelled() or answer.exception() is not None:  # the page has cancelled it
                self._done(number)

        self._waiting[number] = host, go
        self._pace.enter(host, go, urgent=paused.get("resourceType") == "Document")

    def _done(self, number: str) -> None:
        """Stop counting a request, or remove it from the queue."""
        if self._pace is None:
            return
        waiting, held = self._waiting.pop(number, None), self._held.pop(number, None)
        if waiting is not None:
            self._pace.give_up(*waiting)
        if held is not None:
            held[1].cancel()
            self._pace.leave(held[0])

    def end(self) -> None:
        """Stop counting all requests: the page is gone, or about to go."""
        for number in (*self._waiting, *self._held):
            self._done(number)

    def _auth_required(self, session: Session, paused: dict[str, Any]) -> None:
        """Answer a request for credentials."""
        source = paused["authChallenge"].get("source", "Server")
        credentials = self._credentials(source, paused["request"]["url"])
        challenge = (str(paused["requestId"]), source)
        answer = {"response": "CancelAuth"}
        if credentials is not None and challenge not in self._challenged:
            if len(self._challenged) >= MOST_CHALLENGED:
                self._challenged.clear()
            self._challenged.add(challenge)
            answer = {"response": "ProvideCredentials", "username": credentials[0], "password": credentials[1]}
        ignore(session.post("Fetch.continueWithAuth", requestId=paused["requestId"], authChallengeResponse=answer))

    def _credentials(self, source: str, url: str) -> Credentials | None:
        if source == "Proxy":
            return self.proxy
        return self._access.basic if self._is_own_url(url) else None


def refuse(session: Session, paused: dict[str, Any], reason: str = BLOCKED) -> asyncio.Future[msgspec.Raw]:
    """Fail a request that is held back."""
    answer = session.post("Fetch.failRequest", requestId=paused["requestId"], errorReason=reason)
    ignore(answer)
    return answer


def with_headers(present: dict[str, str], ours: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Return the headers of a request for the browser, with ours instead of those of the same name."""
    names = {name.lower() for name, _ in ours}
    others = ((name, value) for name, value in present.items() if name.lower() not in names)
    return [{"name": name, "value": value} for name, value in (*others, *ours)]


def is_of_application(url: str, first: str, allow: Sequence[str]) -> bool:
    """Return whether a URL has the origin of the start URL, or another one that the scope names in full.

    A regular expression that matches somewhere inside a URL names no origin: anybody can make a URL that it matches.
    """
    origin = _origin(url)
    if origin is None:
        return False
    return origin == _origin(first) or any(matched(each, url) >= len(_origin_text(url)) for each in allow)


def _origin_text(url: str) -> str:
    """Return scheme, host and port as they are written."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port; None when there is no host or port."""
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return None if parts.hostname is None or port is None else (parts.scheme, parts.hostname, port)
