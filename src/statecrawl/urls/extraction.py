"""Extraction of URLs from pages, style sheets, scripts, headers, and files for crawlers.

Theory of operation
    All input is untrusted text, and nothing is ever executed. Each URL is resolved against its base, brought into
    canonical form, and returned with the kind of place where it was found. Texts in scripts and comments that merely
    look like URLs are returned with their kind, too; the caller decides what is worth a visit.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import islice
from string import whitespace
from typing import Any, NamedTuple

from statecrawl.urls.canonical import canonical
from statecrawl.urls.markup import MOST_FOUND, REFRESH, css, data, looks_like_url, named_in_html, sources
from statecrawl.urls.plain_text import in_program_comments
from statecrawl.urls.scripts import LONGEST_TEXT, WHOLE, in_program, map_of, texts_of
from statecrawl.urls.sources import (
    BASE,
    CSP,
    DATA,
    HEADER,
    MANIFEST,
    REDIRECT,
    ROBOTS,
    SCRIPT,
    SITEMAP,
    STYLE,
    WrittenUrl,
)

_NAMING = ("sourcemap", "x-sourcemap", "hx-redirect", "hx-location", "hx-push-url", "x-pjax-url")
_IN_HEADER = re.compile(r'"\.{0,2}/[^"\s]{1,300}"|https?://[^\s",;<>]{1,300}')
_LINK_HEADER = re.compile(r"<([^<>]*)>")
_LOC = re.compile(r"<(?:\w{1,20}:)?loc>([^<]{1,3000}|\s{0,20}<!\[CDATA\[[^\]]{1,3000}\]\]>\s{0,20})<", re.IGNORECASE)
_CDATA = "<![CDATA["
_QUOTES = "\"'`"
_ROBOTS = re.compile(r"^\s*(allow|disallow|sitemap)\s*:\s*(\S+)", re.IGNORECASE)

A_SITEMAP = "text/x-sitemap"  # internal content type of files that were requested as sitemaps


class ExtractedUrl(NamedTuple):
    """URL with the kind of place where it was found."""

    url: str
    where: str


def in_html(text: str, base: str) -> Iterator[ExtractedUrl]:
    """Extract URLs from a page that was loaded from `base`."""
    return resolved(named_in_html(text), base)


def resolved(named: Iterable[WrittenUrl], base: str) -> Iterator[ExtractedUrl]:
    """Resolve the URLs written in a page that was loaded from `base`."""
    named = list(named)
    written = next((written for written, where in named if where == BASE), "")
    return _each(named, (canonical(written, base) if written else None) or base)


def in_css(text: str, base: str) -> Iterator[ExtractedUrl]:
    return _each(((found, STYLE) for found in (*css(text[:LONGEST_TEXT]), *map_of(text))), base)


def in_script(text: str, base: str, page: str = "") -> Iterator[ExtractedUrl]:
    """Extract texts that look like URLs from a script. Parts that are only known at run time become *.

    `page` is the URL of the page that runs it, if known; relative URLs are resolved against it.
    """
    yield from _each(((found, SCRIPT) for found in map_of(text)), base)
    named = (*in_program(text), *in_program_comments(text[:LONGEST_TEXT]))
    yield from _each(((found, SCRIPT) for found in named), page or base)


def in_strings(texts: Iterable[str], base: str) -> Iterator[ExtractedUrl]:
    """Extract URLs from strings in variables of a running script."""
    return _each(((text, SCRIPT) for text in texts if looks_like_url(text)), base)


def in_data(text: str, base: str) -> Iterator[ExtractedUrl]:
    """Extract URLs from data: JSON, feeds, page fragments."""
    text = text[:LONGEST_TEXT]
    if text.lstrip()[:1] in ("{", "[", '"'):
        return _each(data(text), base)
    written = (found for found, where in named_in_html(text) if where != BASE)
    return _each(((found, DATA) for found in (*WHOLE.findall(text), *written)), base)


def in_headers(headers: Mapping[str, str], base: str) -> Iterator[ExtractedUrl]:
    """Extract URLs from the headers of a response."""
    return _each(_headers({name.lower(): value for name, value in headers.items()}), base)


def in_robots(text: str, base: str) -> Iterator[ExtractedUrl]:
    """Extract the URLs in a robots.txt, except patterns with wildcards."""
    return _each(_robots(text[:LONGEST_TEXT]), base)


def in_sitemap(text: str, base: str) -> Iterator[ExtractedUrl]:
    """Extract URLs from a sitemap, a sitemap index, or a plain list of URLs."""
    text = text[:LONGEST_TEXT]
    located = [_located(found.strip()) for found in _LOC.findall(text)]
    lines = () if "<" in text else [line.strip() for line in text.splitlines() if line.strip().startswith("http")]
    return _each(((found, SITEMAP) for found in (*located, *lines)), base)


def _located(written: str) -> str:
    """Return the URL in a <loc> element."""
    return written.removeprefix(_CDATA).removesuffix("]]>") if written.startswith(_CDATA) else unescape(written)


def in_manifest(text: str, base: str) -> Iterator[ExtractedUrl]:
    """Extract URLs from a web application manifest."""
    try:
        content: Any = json.loads(text[:LONGEST_TEXT])
    except (ValueError, RecursionError):
        return iter(())
    return _each(((found, MANIFEST) for found in _manifest(content)), base)


def in_answer(kind: str, text: str, base: str, page: str = "") -> Iterator[ExtractedUrl]:
    """Extract URLs from a response body by its content type. `page` is the URL of the requesting page, if known."""
    kind = kind.partition(";")[0].strip().lower()
    path = base.partition("?")[0]
    if path.endswith("/robots.txt"):
        return in_robots(text, base)
    if kind.endswith("manifest+json") or path.endswith((".webmanifest", "/manifest.json")):
        return in_manifest(text, base)
    if "html" in kind:
        return in_html(text, base)
    if kind == "text/css":
        return in_css(text, base)
    if kind == A_SITEMAP or is_sitemap(kind, text, base):
        return in_sitemap(text, base)
    if "javascript" in kind or kind.endswith("ecmascript"):
        return in_script(text, base, page)
    if kind.endswith(("json", "xml")) or kind == "text/plain":
        return in_data(text, page or base)
    return iter(())


def is_sitemap(kind: str, text: str, base: str) -> bool:
    """Whether a text is a sitemap."""
    if re.search(r"<(?:\w{1,20}:)?(?:urlset|sitemapindex)\b", text[:2_000], re.IGNORECASE):
        return True
    return kind == "text/plain" and "sitemap" in base.rpartition("/")[2]


# -- inside --


def _each(found: Iterable[tuple[str, str]], base: str) -> Iterator[ExtractedUrl]:
    """Resolve URLs and yield each once, in the order in which they were found."""
    yielded: set[ExtractedUrl] = set()
    for quoted, where in islice(found, MOST_FOUND):
        written = _unquoted(quoted)
        if not written or written.lstrip().startswith("#"):
            continue  # an anchor in the same page
        url = canonical(written, base)
        if url is not None and (one := ExtractedUrl(url, where)) not in yielded:
            yielded.add(one)
            yield one


def _unquoted(written: str) -> str:
    """Remove the quotes around a URL, which belong to the surrounding code or text."""
    plain = written.strip()
    is_quoted = len(plain) > 1 and plain[0] == plain[-1] and plain[0] in _QUOTES
    return plain.strip(_QUOTES + whitespace) if is_quoted else plain


def _headers(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from ((headers[name], REDIRECT) for name in ("location", "content-location") if name in headers)
    yield from ((found, REDIRECT) for found in REFRESH.findall(headers.get("refresh", "")))
    yield from ((found, HEADER) for found in _LINK_HEADER.findall(headers.get("link", "")))
    for name in ("content-security-policy", "content-security-policy-report-only"):
        yield from ((found, CSP) for found in sources(headers.get(name, "")))
    yield from ((headers[name], HEADER) for name in _NAMING if name in headers)
    for name in ("reporting-endpoints", "report-to", "nel", "access-control-allow-origin", "speculation-rules"):
        yield from ((found.strip('"'), HEADER) for found in _IN_HEADER.findall(headers.get(name, "")))


def _robots(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        found = _ROBOTS.match(line.partition("#")[0])
        if found is None:
            continue
        if found[1].lower() == "sitemap":
            yield found[2], SITEMAP
        elif not set("*$") & set(found[2]):
            yield found[2], ROBOTS


def _manifest(content: Any) -> Iterator[str]:
    """Yield the values of all keys of a manifest that hold URLs, at any depth."""
    return (text for name, text in texts_of(content) if name in ("start_url", "scope", "src", "url", "action", "id"))
