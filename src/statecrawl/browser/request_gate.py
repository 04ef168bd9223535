"""The gate: every request of a tab passes it, where somebody asked for what only a gate can do.

Theory of operation
    The browser holds each request back until it is told to go on (the Fetch domain of DevTools), with other headers if
    need be, or to fail. That costs a message there and back for each, so there is a gate only where one is needed:
    to refuse what may change something, to add headers, to answer who we are, to have no more than a few under way.

    What is meant for the application goes to its own origins only. A request that is redirected passes the gate again
    without what was added before, so nothing that is secret follows a redirect to somebody else. Who is not let in with
    the name and password that there are is not let in: the same request is not answered twice.

    The gate sees what documents, frames and workers of all kinds ask for. It does not see what goes through sockets.

    The agent stops ways out of the scope before anything is requested. It does not see redirects, what is fetched
    ahead, nor where frames of other servers and service workers send the page. A gate does: after a reset, the page
    itself never requests a document out of scope, and nothing out of scope is fetched ahead. But a gate makes every
    reset and every request dearer, also where it lets everything pass or holds back only what is fetched ahead: 11 to
    21 % of a reset, and up to 30 % of an event. Most applications that are one page never need it. So a crawl begins
    with a gate and takes it away once the first page has fetched nothing ahead and turns out to mention nothing that
    does. From then on, the agent stops the first way to another document as well (`held`). That puts the gate back for
    good, and the walk is repeated. So does a frame of another server, a service worker, and a script that comes later
    and fetches ahead. Until then, two things pass no gate: what a script that hides the word fetches ahead, and what an
    event loads and that does so at once, as HTML that stands in no script.

    A shared worker may send its first request before its own session passes requests through the gate: the browser
    prepares its way to the network before it reports the worker. Where requests are refused, a backstop at the
    browser itself therefore looks at everything that the gates of the tabs have let through or have not seen. It
    refuses what the workers of a tab ask for that reads only.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.request_pace import HELD_SECONDS, RequestPace, host_of
from statecrawl.model.regex import matched
from statecrawl.ports.access import Access, Credentials

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
USUAL_PORTS = {"http": 80, "https": 443}
EVERYTHING = ({"urlPattern": "*"},)
DOCUMENTS = tuple({"urlPattern": "*", "resourceType": kind} for kind in ("Document", "Fetch"))  # or fetched ahead
AHEAD = frozenset({"purpose", "sec-purpose"})  # headers by which the browser says that it fetches something ahead
ABORTED = "Aborted"  # why a document does not come: the page stays, and shows no error
BLOCKED = "BlockedByClient"  # why anything else does not
MOST_CHALLENGED = 10_000  # requests that are remembered


class Backstop:
    """Looks at every request of a browser once more, on behalf of the tabs that refuse some."""

    def __init__(self, root: Session) -> None:
        self.refusers: list[Callable[[dict[str, Any]], bool]] = []  # each says whether it refuses a request
        self._root = root

    async def start(self) -> None:
        self._root.on("Fetch.requestPaused", self._paused)
        await self._root.call("Fetch.enable", patterns=EVERYTHING)

    def _paused(self, told: dict[str, Any]) -> None:
        if any(refuses(told) for refuses in self.refusers):
            refuse(self._root, told)
        else:
            ignore(self._root.post("Fetch.continueRequest", requestId=told["requestId"]))


class RequestGate:
    """That of one tab."""

    def __init__(
        self,
        access: Access,
        is_ours: Callable[[str], bool],
        tell: Callable[[str, Any], None],
        *,
        is_in_scope: Callable[[str], bool],
        fetches_ahead: Callable[[], None],
        read_only: bool,
        pace: RequestPace | None = None,
    ) -> None:
        """`is_ours` says whether an address is of the application; `tell` hears what is refused, as notes.

        `fetches_ahead` is called whenever something is.
        """
        self._pace = None if pace is None or pace.concurrent is None else pace
        self._held: dict[str, tuple[str, asyncio.TimerHandle]] = {}  # request -> host, and when it stops to count
        self._waiting: dict[str, tuple[str, Callable[[], None]]] = {}  # request -> host, and what lets it go
        self._access = access
        self._is_ours = is_ours
        self._is_in_scope = is_in_scope
        self._fetches_ahead = fetches_ahead
        self._tell = tell
        self.page = ""  # the frame that is the page itself
        self.is_bounded = False  # documents of the page itself have to be in scope; while it is reset they need not
        self.led_out = ""  # one that was not; the page stays where it is
        self.read_only = read_only  # refuses what may change something; a log-in may suspend it
        self._challenged: set[tuple[str, str]] = set()  # requests that were answered, and to whom
        self.proxy = None if access.proxy is None else access.proxy.credentials
        self._knows = access.basic is not None or self.proxy is not None or access.certificate is not None
        self.is_needed = read_only or bool(access.headers) or self._knows or self._pace is not None

    def watch(self, session: Session) -> None:
        """Have everything that this session asks for pass from now on."""
        self.listen(session)
        self.begin(session, EVERYTHING)

    def listen(self, session: Session) -> None:
        """Decide about what this session asks for, once it is held back."""
        session.on("Fetch.requestPaused", lambda told: self._paused(session, told))
        session.on("Fetch.authRequired", lambda told: self._asked(session, told))
        if self._pace is not None:
            session.on("Network.loadingFinished", lambda told: self._done(str(told["requestId"])))
            session.on("Network.loadingFailed", lambda told: self._done(str(told["requestId"])))

    def begin(self, session: Session, patterns: Sequence[dict[str, str]]) -> None:
        """Have requests held back that match one of these patterns."""
        ignore(session.post("Fetch.enable", patterns=patterns, handleAuthRequests=self._knows))

    def refuses(self, told: dict[str, Any]) -> bool:
        """Whether a request that is held back is refused; then it is reported."""
        request = told["request"]
        if not self.read_only or request["method"].upper() in SAFE_METHODS:
            return False
        self._tell("read-only", [request["method"], request["url"]])
        return True

    def _leads_out(self, told: dict[str, Any]) -> bool:
        """Whether the page itself would leave the scope, or something out of it is fetched ahead."""
        request = told["request"]
        if told.get("resourceType") == "Document":
            return self.is_bounded and told.get("frameId") == self.page and not self._is_in_scope(request["url"])
        if AHEAD.isdisjoint(map(str.lower, request["headers"])):
            return False
        self._fetches_ahead()
        return not self._is_in_scope(request["url"])

    def _paused(self, session: Session, told: dict[str, Any]) -> None:
        request = told["request"]
        if self._leads_out(told):
            if told.get("resourceType") == "Document":
                self.led_out = request["url"]
            self._tell("boundary", request["url"])
            refuse(session, told, ABORTED)
            return
        if self.refuses(told):
            refuse(session, told, ABORTED if told.get("resourceType") == "Document" else BLOCKED)
            return
        more: dict[str, Any] = {}
        if self._access.headers and self._is_ours(request["url"]):
            more["headers"] = with_headers(request["headers"], self._access.headers)
        number = str(told.get("networkId", ""))
        if self._pace is None or number in self._held:  # what is redirected is under way already
            ignore(session.post("Fetch.continueRequest", requestId=told["requestId"], **more))
            return
        host = host_of(request["url"])

        def go() -> None:
            self._waiting.pop(number, None)
            ends = asyncio.get_running_loop().call_later(HELD_SECONDS, self._done, number)
            self._held[number] = host, ends
            answer = session.post("Fetch.continueRequest", requestId=told["requestId"], **more)
            answer.add_done_callback(went)

        def went(answer: asyncio.Future[msgspec.Raw]) -> None:
            if answer.cancelled() or answer.exception() is not None:  # the page does not want it any more
                self._done(number)

        self._waiting[number] = host, go
        self._pace.enter(host, go, urgent=told.get("resourceType") == "Document")

    def _done(self, number: str) -> None:
        """A request does not wait or is not under way any more, or has been for so long that it does not count."""
        if self._pace is None:
            return
        waiting, held = self._waiting.pop(number, None), self._held.pop(number, None)
        if waiting is not None:
            self._pace.give_up(*waiting)
        if held is not None:
            held[1].cancel()
            self._pace.leave(held[0])

    def end(self) -> None:
        """The page is gone, or about to go, with all its requests."""
        for number in (*self._waiting, *self._held):
            self._done(number)

    def _asked(self, session: Session, told: dict[str, Any]) -> None:
        """Somebody wants to know who we are."""
        source = told["authChallenge"].get("source", "Server")
        known = self._credentials(source, told["request"]["url"])
        challenge = (str(told["requestId"]), source)
        answer = {"response": "CancelAuth"}
        if known is not None and challenge not in self._challenged:
            if len(self._challenged) >= MOST_CHALLENGED:
                self._challenged.clear()
            self._challenged.add(challenge)
            answer = {"response": "ProvideCredentials", "username": known[0], "password": known[1]}
        ignore(session.post("Fetch.continueWithAuth", requestId=told["requestId"], authChallengeResponse=answer))

    def _credentials(self, source: str, url: str) -> Credentials | None:
        if source == "Proxy":
            return self.proxy
        return self._access.basic if self._is_ours(url) else None


def refuse(session: Session, told: dict[str, Any], reason: str = BLOCKED) -> asyncio.Future[msgspec.Raw]:
    """Make a request fail that is held back."""
    answer = session.post("Fetch.failRequest", requestId=told["requestId"], errorReason=reason)
    ignore(answer)
    return answer


def with_headers(present: dict[str, str], ours: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """The headers of a request, with ours instead of those of the same name, as the browser takes them."""
    names = {name.lower() for name, _ in ours}
    kept = ((name, value) for name, value in present.items() if name.lower() not in names)
    return [{"name": name, "value": value} for name, value in (*kept, *ours)]


def is_of_application(url: str, first: str, allow: Sequence[str]) -> bool:
    """Whether an address is of the origin where the application begins, or of another that its scope names in full.

    An expression that is found somewhere in an address names no origin: anybody can write an address that has it.
    """
    place = _place(url)
    if place is None:
        return False
    return place == _place(first) or any(matched(each, url) >= len(_beginning(url)) for each in allow)


def _beginning(url: str) -> str:
    """Scheme, host and port as they are written."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _place(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port, if it is an address of the web."""
    try:
        parts = urlsplit(url)
        port = parts.port or USUAL_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return None if parts.hostname is None or port is None else (parts.scheme, parts.hostname, port)
