"""Requests of a crawl that are subject to access control: for pages and by scripts, without their bodies."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from statecrawl.exports.openapi import CALLS, is_call, kind_of_answer, split
from statecrawl.exports.routes import routes
from statecrawl.ports.traffic import Exchange, RecordedExchange, header

PAGE = "Document"
WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRequest:
    """A request and its result."""

    method: str
    server: str  # empty: the application's own
    path: str
    status: int  # 0: no response
    to: str  # target of a redirect, without its query, and without the application's own server
    kind: Hashable  # distinguishes kinds of responses


def requests(traffic: Iterable[RecordedExchange], own: str) -> Iterator[SeenRequest]:
    """Yield the requests of a crawl. `own` is the server of the application, whose port may change between crawls."""
    for recorded in traffic:
        exchange = recorded.exchange
        server, path, _ = split(exchange.url)
        wanted = exchange.kind == PAGE or exchange.kind in CALLS or is_call(exchange)
        if wanted and server.startswith(WEB):
            yield SeenRequest(
                method=exchange.method.upper(),
                server=server if server != own else "",
                path=path,
                status=exchange.status,
                to=_leads_to(exchange, own),
                kind=kind_of_answer(exchange),
            )


def routes_of(seen: Iterable[SeenRequest]) -> dict[str, str]:
    """Return the route of each path, such as /goods/{goodId}."""
    kinds: dict[str, set[Hashable]] = defaultdict(set)
    for request in seen:
        kinds[request.path].add(request.kind)
    routed = routes({path: frozenset(known) for path, known in kinds.items()})
    return {path: route for path, (route, _) in routed.items()}


def _leads_to(exchange: Exchange, own: str) -> str:
    location = header(exchange.response_headers, "location")
    if not location or not 300 <= exchange.status < 400:
        return ""
    try:
        server, path, _ = split(urljoin(exchange.url, location))
    except ValueError:
        return ""
    return path if server == own else f"{server}{path}"
