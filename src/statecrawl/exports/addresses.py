"""Addresses that a crawl found: one per line, and as a sitemap (sitemaps.org, protocol 0.9)."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from statecrawl.exports.crawled import Crawled

MOST_IN_SITEMAP = 50_000  # addresses, says the protocol
LONGEST_IN_SITEMAP = 2_048  # letters
LEAST_ERROR = 400  # status
_WEB = re.compile(r"https?://[^\s<>\"\x00-\x1f\x7f]+", re.IGNORECASE)


def urls(crawled: Crawled) -> Iterator[bytes]:
    """All of them: of states, links, ways out and requests."""
    for url in sorted(found_urls(crawled)):
        yield f"{url}\n".encode(errors="replace")


def found_urls(crawled: Crawled) -> set[str]:
    """Addresses of the web; what is none, or holds what no address can, is left out."""
    told = {*_pages(crawled)}
    told |= {boundary.url for boundary in crawled.crawl.boundaries.values()}
    told |= {recorded.exchange.url for recorded in crawled.traffic()}
    return {url for url in told if _WEB.fullmatch(url)}


def sitemap(crawled: Crawled) -> Iterator[bytes]:
    """The pages of the application itself: addresses of states and links at the same server, but for broken ones."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    for url in sitemap_urls(crawled):
        yield f"  <url><loc>{escape(url)}</loc></url>\n".encode(errors="replace")
    yield b"</urlset>\n"


def sitemap_urls(crawled: Crawled) -> list[str]:
    home = next((fact.url for fact in crawled.found.values() if fact.url), crawled.application)
    statuses: dict[str, set[int]] = {}
    for recorded in crawled.traffic():
        statuses.setdefault(recorded.exchange.url, set()).add(recorded.exchange.status)
    broken = {url for url, seen in statuses.items() if min(seen) >= LEAST_ERROR}
    pages = {url.partition("#")[0] for url in _pages(crawled) if _WEB.fullmatch(url)}
    own = (url for url in pages - broken if _origin(url) == _origin(home) and len(url) < LONGEST_IN_SITEMAP)
    return sorted(own)[:MOST_IN_SITEMAP]


def _pages(crawled: Crawled) -> Iterator[str]:
    for state, fact in crawled.found.items():
        if fact.url:
            yield fact.url
        yield from crawled.links(state)


def _origin(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", url
    return parts.scheme.lower(), parts.netloc.lower()
