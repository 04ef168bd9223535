"""URLs written in the markup of a page: in attributes, scripts, styles, comments and data."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import unquote

from statecrawl.urls.canonical import LONGEST
from statecrawl.urls.plain_text import in_page_comment, in_program_comments, in_shown, is_file
from statecrawl.urls.scripts import LONGEST_TEXT, in_json, in_program, texts_of
from statecrawl.urls.sources import (
    ATTRIBUTE,
    BASE,
    COMMENT,
    CSP,
    DATA,
    DOCTYPE,
    FORM,
    FRAME,
    LINK,
    MANIFEST,
    META,
    REDIRECT,
    RESOURCE,
    SCRIPT,
    SRCSET,
    STYLE,
    TEXT,
    WrittenUrl,
)
from statecrawl.urls.tags import DOCTYPE as DOCUMENT_TYPE
from statecrawl.urls.tags import next_tag, tag_at

MOST_FOUND = 50_000  # URLs of one text
MOST_INSIDE = 3  # levels of pages nested in attributes

_ATTRIBUTES = {  # (tag, attribute) -> kind of place
    **{(tag, "href"): LINK for tag in ("a", "area")},
    **{(tag, "ping"): LINK for tag in ("a", "area")},
    **{(tag, "src"): FRAME for tag in ("iframe", "frame", "portal")},
    **{(tag, "longdesc"): LINK for tag in ("img", "iframe", "frame")},
    **{("img", name): ATTRIBUTE for name in ("dynsrc", "lowsrc")},
    **{(tag, name): ATTRIBUTE for tag in ("applet", "object") for name in ("codebase", "archive", "data", "movie")},
    **{(tag, "profile"): ATTRIBUTE for tag in ("head", "html")},
    **{(tag, "background"): ATTRIBUTE for tag in ("body", "table", "td", "th")},
    **{(tag, "cite"): ATTRIBUTE for tag in ("blockquote", "q", "ins", "del")},
    **{(tag, "src"): RESOURCE for tag in ("img", "script", "embed", "video", "audio", "source", "track", "input")},
    **{(tag, "formaction"): FORM for tag in ("button", "input")},
    ("form", "action"): FORM,
    ("link", "href"): RESOURCE,
    ("video", "poster"): RESOURCE,
    **{(tag, "href"): RESOURCE for tag in ("use", "image", "script")},
    ("html", "manifest"): MANIFEST,
    ("isindex", "action"): FORM,
}
_PAGES = {  # relations of link elements that refer to other pages
    *("next", "prev", "previous", "first", "last", "up", "top", "start", "home", "index", "contents", "toc"),
    *("chapter", "section", "subsection", "appendix", "glossary", "copyright", "license", "author", "help"),
    *("alternate", "amphtml", "bookmark", "canonical", "prerender", "shortlink"),
}
_ASKS = re.compile(r"(?:data-)?hx-(?:get|post|put|patch|delete|push-url)|(?:ng-)?(?:href|src)|routerlink|up-href")
_SPOKEN = re.compile(r"[\s<>{}|\\^`]")  # characters that URLs do not contain
_MARKUP = re.compile(r"<[a-zA-Z!]")
_URL_START = re.compile(r"https?://[\w\[-]|//[\w-]+[.:/]|\.{0,2}/[\w.~%*-]", re.IGNORECASE)
_DOCUMENT = re.compile(r"data:(?:text/html|image/svg\+xml|application/xhtml\+xml)([^,]{0,100}),", re.IGNORECASE)
_URIS = re.compile(r"-uri=([^;\s]{1,2000})", re.IGNORECASE)
_QUOTED = re.compile(r"[\"']([^\"'\s]{1,2000})[\"']")
_DATA_NAMES = re.compile(r"data-(?:[\w-]{0,60}-)?(?:ur[il]|href|src|link|action|endpoint|path|background|poster)")
_META_NAMES = {
    *("og:url", "og:image", "og:video", "og:audio", "twitter:url", "twitter:image"),
    *("canonical", "msapplication-config"),
}
_CSS = re.compile(
    r"""url\(\s{0,9}(?:"([^"]{0,3000})"|'([^']{0,3000})'|([^()"'\s]{1,3000}))\s{0,9}\)|@import\s{1,9}["']([^"']{0,3000})""",
    re.IGNORECASE,
)
REFRESH = re.compile(r"""^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)""", re.IGNORECASE)
_SOURCE = re.compile(r"""(?<![\w'"-])((?:https?|wss?)://[^\s;,*'"]+)""")


def named_in_html(text: str) -> list[WrittenUrl]:
    """Return the URLs in a page as written. The result does not depend on the URL of the page."""
    return list(islice(_page(text[:LONGEST_TEXT]), MOST_FOUND))


def _page(text: str, depth: int = 0) -> Iterator[WrittenUrl]:
    """Yield the URLs in a page, as written."""
    at = next_tag(text, 0)
    yield from shown(text[: at if at >= 0 else len(text)])
    while at >= 0:
        tag, given, inside, end = tag_at(text, at)
        at = next_tag(text, end)
        yield from named_by(tag, given, inside, depth)
        yield from shown(text[end : at if at >= 0 else len(text)])


def shown(text: str) -> Iterator[WrittenUrl]:
    """Yield the URLs in the text between two tags."""
    return ((each, TEXT) for each in in_shown(text))


def named_by(tag: str, given: Mapping[str, str], inside: str, depth: int = 0) -> Iterator[WrittenUrl]:
    """Yield the URLs in one tag. `depth` is the nesting level of the page."""
    if tag == "!--":
        yield from ((each, COMMENT) for each in (*in_page_comment(inside), *_commented(inside)))
    elif tag == DOCUMENT_TYPE:
        yield from ((each, DOCTYPE) for each in _QUOTED.findall(inside) if _URL_START.match(each))
    elif tag == "base":
        yield given.get("href", ""), BASE
    elif tag == "meta":
        yield from _meta(given)
    elif tag == "link" and "manifest" in given.get("rel", "").lower().split():
        yield given.get("href", ""), MANIFEST
    elif tag == "link" and _is_page(given):
        yield given.get("href", ""), ATTRIBUTE
    else:
        for name, value in given.items():
            yield from _attribute(tag, name.removeprefix("xlink:"), value)
    yield from _inside(tag, given, inside, depth)


def _is_page(given: Mapping[str, str]) -> bool:
    """Whether a link element refers to another page, not to a resource of this one."""
    kinds = set(given.get("rel", "").lower().split())
    return bool(kinds & _PAGES) and "stylesheet" not in kinds and "html" in given.get("type", "html").lower()


def _inside(tag: str, given: Mapping[str, str], inside: str, depth: int) -> Iterator[WrittenUrl]:
    """Yield the URLs in the content of a tag and in pages nested in its attributes."""
    for value in given.values() if depth < MOST_INSIDE else ():
        if "<" in value or value[:5].lower() == "data:":
            yield from (each for each in _page(_document(value), depth + 1) if each[1] not in (BASE, TEXT, COMMENT))
    if tag == "script" and "json" in given.get("type", ""):
        yield from data(inside)
    elif tag == "script":
        yield from ((each, SCRIPT) for each in (*in_program(inside), *in_program_comments(inside)))
    elif tag == "style":
        yield from ((each, STYLE) for each in css(inside))


def _document(value: str) -> str:
    """Return the page in an attribute, plain or as a data: URL; "" if there is none."""
    held = _DOCUMENT.match(value)
    if held is None:
        return value if _MARKUP.search(value) else ""
    text = unquote(value[held.end() :])
    if "base64" not in held[1].lower():
        return text
    try:
        return b64decode("".join(text.split()) + "==").decode(errors="replace")
    except ValueError:
        return ""


def _attribute(tag: str, name: str, value: str) -> Iterator[tuple[str, str]]:
    where = _ATTRIBUTES.get((tag, name))
    if where is not None:
        yield from ((each, where) for each in _listed(name, value))
    elif name in ("srcset", "imagesrcset", "data-srcset"):
        yield from ((each.split()[0], SRCSET) for each in re.split(r",\s", value) if each.strip())
    elif name == "style":
        yield from ((each, STYLE) for each in css(value))
    elif name.startswith("on"):
        yield from ((each, SCRIPT) for each in in_program(value))
    elif _ASKS.fullmatch(name) or _DATA_NAMES.fullmatch(name):
        if value and not re.search(r"[\s<>{]", value):
            yield value, DATA
    elif name.startswith("data-") and value[:1] in ("{", "["):
        yield from data(value)
    elif looks_like_url(value):
        yield value, DATA if name.startswith("data-") else ATTRIBUTE


def looks_like_url(text: str) -> bool:
    """Whether a text as a whole is unmistakably a URL or path."""
    if len(text) > LONGEST or not (_URL_START.match(text) or is_file(text)):
        return False
    return not _SPOKEN.search(text) and bool(text.strip("./"))


def _listed(name: str, value: str) -> list[str]:
    """Split an attribute that holds several URLs."""
    return value.split() if name == "ping" else value.replace(",", " ").split() if name == "archive" else [value]


def _commented(text: str) -> Iterator[str]:
    """Yield the URLs in commented-out markup."""
    for _, url in re.findall(r"""(?:href|src|action)\s{0,9}=\s{0,9}(["']?)([^"'\s>]{1,3000})\1""", text, re.IGNORECASE):
        yield url


def _meta(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    content = given.get("content", "")
    asked = given.get("http-equiv", "").lower()
    if asked == "refresh":
        yield from ((found, REDIRECT) for found in REFRESH.findall(content))
    elif asked == "content-security-policy":
        yield from ((found, CSP) for found in sources(content))
    else:
        name = given.get("property") or given.get("name") or given.get("itemprop") or ""
        if name.lower() in _META_NAMES or (_URL_START.match(content) and not _SPOKEN.search(content)):
            yield content, META
        yield from ((found, META) for found in _URIS.findall(content))


def css(text: str) -> Iterator[str]:
    for groups in _CSS.findall(text):
        found = next(filter(None, groups), "")
        if found and not found.startswith("data:"):
            yield found


def data(text: str) -> Iterator[WrittenUrl]:
    """Yield the URLs in data, and in page fragments inside its strings."""
    yield from ((found, DATA) for found in in_json(text))
    if "<" in text or "\\u003c" in text.lower():
        try:
            content: Any = json.loads(text)
        except (ValueError, RecursionError):
            return
        for _, value in texts_of(content):
            if "<" in value:
                yield from ((found, DATA) for found, where in _page(value, MOST_INSIDE) if where != BASE)


def sources(policy: str) -> Iterator[str]:
    """Yield the absolute URLs and report URIs of a content security policy."""
    yield from _SOURCE.findall(policy)
    for directive in policy.split(";"):
        words = directive.split()
        if words and words[0].lower() == "report-uri":
            yield from words[1:]
