"""URLs that a crawl found: as text, as JSON and CSV with where they were found, or as a sitemap (sitemaps.org 0.9)."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.exports.csv_tables import line
from statecrawl.urls.collection import CollectedUrl

MOST_IN_SITEMAP = 50_000  # URLs, limit of the protocol
LONGEST_IN_SITEMAP = 2_048  # characters
LEAST_ERROR = 400  # status
_WEB = re.compile(r"https?://[^\s<>\"\x00-\x1f\x7f]+", re.IGNORECASE)


def urls(crawled: CrawlData) -> Iterator[bytes]:
    """Yield all URLs, one per line."""
    for address in crawled.addresses().urls:
        yield f"{address.url}\n".encode(errors="replace")


def urls_json(crawled: CrawlData) -> Iterator[bytes]:
    """Yield one JSON object per URL and line, and finally what was left out, if anything."""
    found = crawled.addresses()
    for address in found.urls:
        yield json_line(address)
    if found.left_out:
        yield json.dumps({"left_out": found.left_out}).encode() + b"\n"


def json_line(address: CollectedUrl) -> bytes:
    """Return a URL with its details as a line of JSON."""
    fields = {
        "url": address.url,
        "in_scope": address.in_scope,
        "visited": address.visited,
        "status": address.status,
        "states": address.states,
        "found": [{name: value for name, value in place._asdict().items() if value} for place in address.places],
        "more": address.more,
    }
    return json.dumps(fields).encode() + b"\n"


def urls_table(crawled: CrawlData) -> Iterator[bytes]:
    """Yield the URLs as CSV."""
    yield line(("url", "in scope", "visited", "status", "states", "found as", "first state", "first resource"))
    for address in crawled.addresses().urls:
        first = address.places[0]
        yield line(
            (
                *(address.url, address.in_scope, address.visited, "" if address.status is None else address.status),
                *(address.states, " ".join(address.where), first.state, first.resource),
            )
        )


def sitemap(crawled: CrawlData) -> Iterator[bytes]:
    """Yield a sitemap of the application: URLs of states and links on the same server, except broken ones."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    for url in sitemap_urls(crawled):
        yield f"  <url><loc>{escape(url)}</loc></url>\n".encode(errors="replace")
    yield b"</urlset>\n"


def sitemap_urls(crawled: CrawlData) -> list[str]:
    home = next((fact.url for fact in crawled.found.values() if fact.url), crawled.application)
    statuses: dict[str, set[int]] = {}
    for recorded in crawled.traffic():
        statuses.setdefault(recorded.exchange.url, set()).add(recorded.exchange.status)
    broken = {url for url, seen in statuses.items() if min(seen) >= LEAST_ERROR}
    pages = {url.partition("#")[0] for url in _pages(crawled) if _WEB.fullmatch(url)}
    own = (url for url in pages - broken if _origin(url) == _origin(home) and len(url) < LONGEST_IN_SITEMAP)
    return sorted(own)[:MOST_IN_SITEMAP]


def _pages(crawled: CrawlData) -> Iterator[str]:
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
