"""Files that browsers do not store or never request: robots.txt, sitemaps, manifests, and the bodies of redirects.

Theory of operation
    When a whole site is crawled, the crawl requests them itself: robots.txt and sitemaps when its first page is found,
    a manifest when a page names it, a redirect when it was followed, each once in a process. It is as polite as with
    pages: it keeps the same pace, respects robots.txt, and requests files only from the application's own servers. The
    responses are exchanges like any other, and are stored with the traffic.

    A sitemap may be compressed, and an index of other sitemaps. Depth and total number are limited.
"""

import re
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from statecrawl.browser.request_pace import RequestPace
from statecrawl.config.plan import origin
from statecrawl.crawler.http_client import HttpClient, HttpResponse
from statecrawl.crawler.robots import Robots
from statecrawl.errors import SiteUnreachable
from statecrawl.ports.traffic import CUT, MOST_BODY, REDIRECTED, Exchange
from statecrawl.ports.url_sources import in_exchange, text_of
from statecrawl.urls.extraction import in_html
from statecrawl.urls.sources import MANIFEST, SITEMAP

SECONDS = 20.0  # for a response
MOST_DEPTH = 3  # of indexes in indexes
MOST_SITEMAPS = 50
MOST_MANIFESTS = 20
MOST_REDIRECTS = 20
_INDEX = re.compile(r"<(?:\w{1,20}:)?sitemapindex\b", re.IGNORECASE)


@dataclass(slots=True)
class SiteFiles:
    """The files of one application."""

    client: HttpClient
    robots: Robots  # which also names sitemaps
    heeds: bool  # whether robots.txt is respected
    pace: RequestPace | None
    first: str  # URL where the application starts
    holds: Callable[[str], bool]  # whether a URL belongs to the application
    _requested: set[str] = field(default_factory=set)
    _manifests: int = 0
    _redirects: int = 0

    async def for_crawlers(self) -> AsyncIterator[Exchange]:
        """Yield robots.txt, and all sitemaps that it names or that are in the default place."""
        home = origin(self.first)
        waiting: list[tuple[str, int]] = [(f"{home}/sitemap.xml", 0)]
        rules = await self.robots.answer(self.first)
        if rules is not None:
            robots = _exchange(f"{home}/robots.txt", "Robots", rules)
            yield robots
            waiting = [(each.url, 0) for each in in_exchange(robots) if each.where == SITEMAP] + waiting
        read = 0
        while waiting and read < MOST_SITEMAPS:
            url, depth = waiting.pop(0)
            exchange = await self._get(url, "Sitemap")
            if exchange is None:
                continue
            read += 1
            yield exchange
            if depth < MOST_DEPTH and _INDEX.search(text_of(exchange.response_body or b"")[:2_000]):
                waiting += [(each.url, depth + 1) for each in in_exchange(exchange) if each.where == SITEMAP]

    async def of_page(self, html: str, url: str) -> AsyncIterator[Exchange]:
        """Yield the manifests that a page names."""
        if "manifest" not in html.lower():
            return
        for named in in_html(html, url):
            if named.where == MANIFEST and named.url not in self._requested and self._manifests < MOST_MANIFESTS:
                self._manifests += 1
                exchange = await self._get(named.url, "Manifest")
                if exchange is not None:
                    yield exchange

    async def of_redirect(self, url: str) -> Exchange | None:
        """Return the response of a redirect with its body, which no browser stores, and which may name pages."""
        if self._redirects >= MOST_REDIRECTS or url in self._requested or not self.holds(url):
            return None
        self._redirects += 1
        return await self._get(url, REDIRECTED)

    async def _get(self, url: str, kind: str) -> Exchange | None:
        """Return a response; None if the URL must not be requested, or was requested before."""
        if url in self._requested or not (self.holds(url) or origin(url) == origin(self.first)):
            return None
        self._requested.add(url)
        if self.heeds and not await self.robots.allows(url):
            return None
        if self.pace is not None:
            await self.pace.wait()
            self.pace.count(url)
        try:
            answer = await self.client.get(url, SECONDS, MOST_BODY, follows=kind != REDIRECTED)
        except SiteUnreachable:
            return None  # loading the page reports what is wrong
        return _exchange(url, kind, answer)


def _exchange(url: str, kind: str, answer: HttpResponse) -> Exchange:
    return Exchange(
        method="GET",
        url=url,
        status=answer.status,
        kind=kind,
        started=round(time.time(), 3),
        response_headers=tuple((str(name), str(value)) for name, value in answer.headers.items()),
        response_body=answer.body,
        missing=CUT if len(answer.body) == MOST_BODY else "",
    )
