"""Requests of a crawl that somebody could be refused: for pages, and by programs; without bodies, which are large."""

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
    """One of them, and what came of it."""

    method: str
    server: str  # nothing: the application's own
    path: str
    status: int  # 0: there was no answer
    to: str  # where a redirect leads, without its query; and without its server, if that is the application's own
    kind: Hashable  # tells one kind of thing from another


def requests(traffic: Iterable[RecordedExchange], own: str) -> Iterator[SeenRequest]:
    """Those of a crawl. `own` is the application's server: a test server has another port each day."""
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


def routes_of(found: Iterable[SeenRequest]) -> dict[str, str]:
    """Each path with its route, as in /goods/{goodId}."""
    kinds: dict[str, set[Hashable]] = defaultdict(set)
    for request in found:
        kinds[request.path].add(request.kind)
    told = routes({path: frozenset(known) for path, known in kinds.items()})
    return {path: route for path, (route, _) in told.items()}


def _leads_to(exchange: Exchange, own: str) -> str:
    told = header(exchange.response_headers, "location")
    if not told or not 300 <= exchange.status < 400:
        return ""
    try:
        server, path, _ = split(urljoin(exchange.url, told))
    except ValueError:
        return ""
    return path if server == own else f"{server}{path}"
