"""Where addresses are found in what a server sends: pages, style sheets, scripts, headers, and files made for crawlers.

Theory of operation
    Everything here reads text that somebody else wrote and nothing is ever run. What is found is resolved against where
    it was found, brought into one form (`canonical`), and told with the place by which a person would look for it. What
    merely looks like an address, in scripts and comments, is told as such: the caller decides what is worth a visit.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from statecrawl.urls.canonical import canonical
from statecrawl.urls.tags import tags

# Where something was found. The first four are what a person would follow.
LINK, FORM, FRAME, REDIRECT = "link", "form", "frame", "redirect"
HEADER, META, RESOURCE, STYLE, MANIFEST = "header", "meta", "resource", "style sheet", "manifest"
SCRIPT, COMMENT, ROBOTS, SITEMAP, REQUEST = "script", "comment", "robots.txt", "sitemap", "request"
PLACES = (
    *(LINK, FORM, FRAME, REDIRECT, HEADER, META, RESOURCE, STYLE),
    *(MANIFEST, SCRIPT, COMMENT, ROBOTS, SITEMAP, REQUEST),
)
LONGEST_TEXT = 5_000_000  # characters that are read of one text

_ATTRIBUTES = {  # (tag, attribute) -> where that is
    **{(tag, "href"): LINK for tag in ("a", "area")},
    **{(tag, "ping"): LINK for tag in ("a", "area")},
    **{(tag, "src"): FRAME for tag in ("iframe", "frame")},
    **{(tag, "src"): RESOURCE for tag in ("img", "script", "embed", "video", "audio", "source", "track", "input")},
    **{(tag, "formaction"): FORM for tag in ("button", "input")},
    ("form", "action"): FORM,
    ("link", "href"): RESOURCE,
    ("object", "data"): RESOURCE,
    ("video", "poster"): RESOURCE,
    ("body", "background"): RESOURCE,
    ("blockquote", "cite"): RESOURCE,
    ("q", "cite"): RESOURCE,
    ("use", "href"): RESOURCE,
    ("image", "href"): RESOURCE,
}
_META_NAMES = {
    *("og:url", "og:image", "og:video", "og:audio", "twitter:url", "twitter:image"),
    *("canonical", "msapplication-config"),
}
_CSS = re.compile(
    r"""url\(\s{0,9}(?:"([^"]{0,3000})"|'([^']{0,3000})'|([^()"'\s]{1,3000}))\s{0,9}\)|@import\s{1,9}["']([^"']{0,3000})""",
    re.IGNORECASE,
)
_REFRESH = re.compile(r"""^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)""", re.IGNORECASE)
_LINK_HEADER = re.compile(r"<([^<>]*)>")
_SOURCE = re.compile(r"""(?<![\w'"-])((?:https?|wss?)://[^\s;,*'"]+)""")
_WHOLE = re.compile(r"""https?://[^\s"'`<>()\[\]{}|\\^]+""")
# A text in quotes that looks like a path: /api/v1/x, ./x.html, ../x, x/y.json; no types (text/html), no expressions.
_QUOTED = re.compile(
    r"""(["'`])("""
    r"""\.{0,2}/[\w~!$&()*+,;=:@%./?#{}-]{1,300}"""
    r"""|[\w-]{1,100}(?:/[\w.~-]{1,100}){0,20}\.(?:json|html?|php|aspx?|jsp|do|action|xml|txt|csv|pdf)"""
    r"""(?:\?[^"'`\s]{0,200})?)\1"""
)
_TEMPLATE = re.compile(r"\$?\{[^}]*\}")
_LOC = re.compile(r"<(?:\w{1,20}:)?loc>([^<]{1,3000}|\s{0,20}<!\[CDATA\[[^\]]{1,3000}\]\]>\s{0,20})<", re.IGNORECASE)
_CDATA = re.compile(r"<!\[CDATA\[(.*)\]\]>", re.DOTALL)
_ROBOTS = re.compile(r"^\s*(allow|disallow|sitemap)\s*:\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """An address, and where it was found."""

    url: str
    where: str


def in_html(text: str, base: str) -> Iterator[Found]:
    """In a page that was loaded from `base`."""
    text = text[:LONGEST_TEXT]
    written = next((given["href"] for tag, given, _ in tags(text) if tag == "base" and "href" in given), "")
    return _each(_page(text), canonical(written, base) or base)


def in_css(text: str, base: str) -> Iterator[Found]:
    return _each(((found, STYLE) for found in _css(text[:LONGEST_TEXT])), base)


def in_script(text: str, base: str) -> Iterator[Found]:
    """What looks like an address in a program. Parts that are only known when it runs are left open, as *."""
    return _each(((found, SCRIPT) for found in _quoted(text[:LONGEST_TEXT])), base)


def in_headers(headers: Mapping[str, str], base: str) -> Iterator[Found]:
    """In the headers of an answer."""
    return _each(_headers({name.lower(): value for name, value in headers.items()}), base)


def in_robots(text: str, base: str) -> Iterator[Found]:
    """In a robots.txt: what it names, without what stands for anything."""
    return _each(_robots(text[:LONGEST_TEXT]), base)


def in_sitemap(text: str, base: str) -> Iterator[Found]:
    """In a sitemap, or an index of sitemaps; also one that is only a list of lines."""
    text = text[:LONGEST_TEXT]
    located = [whole[1] if (whole := _CDATA.search(found)) else unescape(found) for found in _LOC.findall(text)]
    lines = () if "<" in text else [line.strip() for line in text.splitlines() if line.strip().startswith("http")]
    return _each(((found, SITEMAP) for found in (*located, *lines)), base)


def in_manifest(text: str, base: str) -> Iterator[Found]:
    """In the manifest of an application that can be installed."""
    try:
        told: Any = json.loads(text[:LONGEST_TEXT])
    except (ValueError, RecursionError):
        return iter(())
    return _each(((found, MANIFEST) for found in _manifest(told)), base)


def in_answer(kind: str, text: str, base: str) -> Iterator[Found]:
    """In the body of an answer, by its content type."""
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
    if kind.endswith("xml") and "<loc>" in text[:LONGEST_TEXT].lower():
        return in_sitemap(text, base)
    if "javascript" in kind or kind.endswith(("json", "ecmascript")):
        return in_script(text, base)
    return iter(())


# -- inside --


def _each(found: Iterable[tuple[str, str]], base: str) -> Iterator[Found]:
    """Each once, in the order in which they were found."""
    told: set[Found] = set()
    for written, where in found:
        if written.lstrip().startswith("#"):
            continue  # a place in the same page
        address = canonical(written, base)
        if address is not None and (one := Found(address, where)) not in told:
            told.add(one)
            yield one


def _page(text: str) -> Iterator[tuple[str, str]]:
    """What a page names, as it is written."""
    for tag, given, inside in tags(text):
        if tag == "!--":
            yield from ((each, COMMENT) for each in (*_WHOLE.findall(inside), *_commented(inside)))
        elif tag == "meta":
            yield from _meta(given)
        elif tag == "link" and "manifest" in given.get("rel", "").lower().split():
            yield given.get("href", ""), MANIFEST
        else:
            for name, value in given.items():
                yield from _attribute(tag, name.removeprefix("xlink:"), value)
        if tag == "script":
            yield from ((each, SCRIPT) for each in _quoted(inside))
        elif tag == "style":
            yield from ((each, STYLE) for each in _css(inside))


def _attribute(tag: str, name: str, value: str) -> Iterator[tuple[str, str]]:
    where = _ATTRIBUTES.get((tag, name))
    if where is not None:
        yield from ((each, where) for each in (value.split() if name == "ping" else [value]))
    elif name in ("srcset", "imagesrcset"):
        yield from ((each.split()[0], RESOURCE) for each in re.split(r",\s", value) if each.strip())
    elif name == "style":
        yield from ((each, STYLE) for each in _css(value))
    elif name.startswith("on"):
        yield from ((each, SCRIPT) for each in _quoted(value))
    elif name.startswith("data-") and value.startswith(("/", "http://", "https://")):
        yield value, SCRIPT


def _commented(text: str) -> Iterator[str]:
    """What a page had, and has only in a comment now."""
    for _, address in re.findall(
        r"""(?:href|src|action)\s{0,9}=\s{0,9}(["']?)([^"'\s>]{1,3000})\1""", text, re.IGNORECASE
    ):
        yield address


def _meta(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    content = given.get("content", "")
    asked = given.get("http-equiv", "").lower()
    if asked == "refresh":
        yield from ((found, REDIRECT) for found in _REFRESH.findall(content))
    elif asked == "content-security-policy":
        yield from ((found, META) for found in _sources(content))
    elif (given.get("property") or given.get("name") or "").lower() in _META_NAMES:
        yield content, META


def _headers(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from ((headers[name], REDIRECT) for name in ("location", "content-location") if name in headers)
    yield from ((found, REDIRECT) for found in _REFRESH.findall(headers.get("refresh", "")))
    yield from ((found, HEADER) for found in _LINK_HEADER.findall(headers.get("link", "")))
    for name in ("content-security-policy", "content-security-policy-report-only"):
        yield from ((found, HEADER) for found in _sources(headers.get(name, "")))
    yield from ((headers[name], HEADER) for name in ("sourcemap", "x-sourcemap") if name in headers)


def _sources(policy: str) -> Iterator[str]:
    """The places that a content security policy names in full."""
    yield from _SOURCE.findall(policy)
    for directive in policy.split(";"):
        words = directive.split()
        if words and words[0].lower() == "report-uri":
            yield from words[1:]


def _css(text: str) -> Iterator[str]:
    for groups in _CSS.findall(text):
        found = next(filter(None, groups), "")
        if found and not found.startswith("data:"):
            yield found


def _quoted(text: str) -> Iterator[str]:
    yield from (_TEMPLATE.sub("*", found).rstrip(".,;:") for found in _WHOLE.findall(text))
    for _, found in _QUOTED.findall(text):
        address = _TEMPLATE.sub("*", found)
        if address.strip("/.*") and not address.startswith(("//", "/*")):
            yield address


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
    if isinstance(told, list):
        for each in told:
            yield from _manifest(each)
    elif isinstance(told, dict):
        for name, value in told.items():
            if isinstance(value, str) and name in ("start_url", "scope", "src", "url", "action", "id"):
                yield value
            else:
                yield from _manifest(value)
