"""Where addresses are found in what a server sends: pages, style sheets, scripts, headers, and files made for crawlers.

Theory of operation
    Everything here reads text that somebody else wrote and nothing is ever run. What is found is resolved against where
    it was found, brought into one form (`canonical`), and told with the place by which a person would look for it. What
    merely looks like an address, in scripts and comments, is told as such: the caller decides what is worth a visit.
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


A_SITEMAP = "text/x-sitemap"  # a content type that nobody sends, for what was asked for as one


class ExtractedUrl(NamedTuple):
    """An address, and where it was found."""

    url: str
    where: str


def in_html(text: str, base: str) -> Iterator[ExtractedUrl]:
    """In a page that was loaded from `base`."""
    return resolved(named_in_html(text), base)


def resolved(named: Iterable[WrittenUrl], base: str) -> Iterator[ExtractedUrl]:
    """What that means in a page that was loaded from `base`."""
    named = list(named)
    written = next((written for written, where in named if where == BASE), "")
    return _each(named, (canonical(written, base) if written else None) or base)


def in_css(text: str, base: str) -> Iterator[ExtractedUrl]:
    return _each(((found, STYLE) for found in (*css(text[:LONGEST_TEXT]), *map_of(text))), base)


def in_script(text: str, base: str, page: str = "") -> Iterator[ExtractedUrl]:
    """What looks like an address in a program. Parts that are only known when it runs are left open, as *.

    `page` is where it runs, if that is known: what it asks for is resolved against that.
    """
    yield from _each(((found, SCRIPT) for found in map_of(text)), base)
    named = (*in_program(text), *in_program_comments(text[:LONGEST_TEXT]))
    yield from _each(((found, SCRIPT) for found in named), page or base)


def in_strings(texts: Iterable[str], base: str) -> Iterator[ExtractedUrl]:
    """In the texts that a program keeps while it runs."""
    return _each(((text, SCRIPT) for text in texts if looks_like_url(text)), base)


def in_data(text: str, base: str) -> Iterator[ExtractedUrl]:
    """In what programs exchange: JSON, feeds, pieces of pages."""
    text = text[:LONGEST_TEXT]
    if text.lstrip()[:1] in ("{", "[", '"'):
        return _each(data(text), base)
    written = (found for found, where in named_in_html(text) if where != BASE)
    return _each(((found, DATA) for found in (*WHOLE.findall(text), *written)), base)


def in_headers(headers: Mapping[str, str], base: str) -> Iterator[ExtractedUrl]:
    """In the headers of an answer."""
    return _each(_headers({name.lower(): value for name, value in headers.items()}), base)


def in_robots(text: str, base: str) -> Iterator[ExtractedUrl]:
    """In a robots.txt: what it names, without what stands for anything."""
    return _each(_robots(text[:LONGEST_TEXT]), base)


def in_sitemap(text: str, base: str) -> Iterator[ExtractedUrl]:
    """In a sitemap, or an index of sitemaps; also one that is only a list of lines."""
    text = text[:LONGEST_TEXT]
    located = [_located(found.strip()) for found in _LOC.findall(text)]
    lines = () if "<" in text else [line.strip() for line in text.splitlines() if line.strip().startswith("http")]
    return _each(((found, SITEMAP) for found in (*located, *lines)), base)


def _located(written: str) -> str:
    """The URL that a sitemap gives."""
    return written.removeprefix(_CDATA).removesuffix("]]>") if written.startswith(_CDATA) else unescape(written)


def in_manifest(text: str, base: str) -> Iterator[ExtractedUrl]:
    """In the manifest of an application that can be installed."""
    try:
        told: Any = json.loads(text[:LONGEST_TEXT])
    except (ValueError, RecursionError):
        return iter(())
    return _each(((found, MANIFEST) for found in _manifest(told)), base)


def in_answer(kind: str, text: str, base: str, page: str = "") -> Iterator[ExtractedUrl]:
    """In the body of an answer, by its content type; `page` is that which asked for it, if that is known."""
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
    """Whether this is a list of addresses for crawlers."""
    if re.search(r"<(?:\w{1,20}:)?(?:urlset|sitemapindex)\b", text[:2_000], re.IGNORECASE):
        return True
    return kind == "text/plain" and "sitemap" in base.rpartition("/")[2]


# -- inside --


def _each(found: Iterable[tuple[str, str]], base: str) -> Iterator[ExtractedUrl]:
    """Each once, in the order in which they were found."""
    told: set[ExtractedUrl] = set()
    for quoted, where in islice(found, MOST_FOUND):
        written = _unquoted(quoted)
        if not written or written.lstrip().startswith("#"):
            continue  # a place in the same page
        address = canonical(written, base)
        if address is not None and (one := ExtractedUrl(address, where)) not in told:
            told.add(one)
            yield one


def _unquoted(written: str) -> str:
    """Without the quotation marks around it, which belong to the program or the text that it was found in."""
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


def _manifest(told: Any) -> Iterator[str]:
    """Every text under a name that says that it is an address, however deep."""
    return (text for name, text in texts_of(told) if name in ("start_url", "scope", "src", "url", "action", "id"))
