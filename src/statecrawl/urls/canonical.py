"""Canonical form of URLs, so that a URL is recognized however it is written.

The crawler opens the canonical form, so it preserves everything that matters to a server, except for the following:

* Scheme and host are lower case, and the host is written in ASCII (w3lib). The default port, the user name, the
  password and the fragment are dropped.
* `.` and `..` in the path are resolved, and `\\` in it is `/`. Characters that browsers encode are encoded. `%2f` is
  written `%2F`, and in a path `%61` is written `a`.
* An empty query and empty arguments are dropped. If every argument has the form name=value, arguments are sorted by
  name; those of the same name keep their order. Any other query (`?2`, `?/blog/1`, `?a&b=1`) keeps its order.

Nothing else changes: neither a final dot of the host, nor empty segments (`//`) or `;parameters` of a path, nor `+`.
"""

import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, urlsplit

from w3lib.url import canonicalize_url

PORTS = {"http": 80, "https": 443}  # default ports
ROUTE = "/!?$&'()*+,;=:@%~-._"  # characters that a fragment may contain unencoded
LONGEST = 2_000  # characters; longer texts are data, not URLs
_SERVER = re.compile(r"https?://[^/?#\\\s]+", re.IGNORECASE)
_WHOLE = re.compile(_SERVER.pattern + r"[/?#]", re.IGNORECASE)
_PATH = re.compile(r"/(?![/\s])")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,30}:", re.IGNORECASE)
_ENDS = re.compile(r"([?#])")  # end of a path
_AROUND = "".join(map(chr, range(33)))  # characters stripped at both ends
_IGNORED = re.compile(r"[\t\n\r]")  # characters removed everywhere
_ENCODED = re.compile(r"%[0-9a-fA-F]{2}")
_NEEDLESS = re.compile(  # an encoded letter, digit, or one of -._~; not after half an encoded character
    r"(?<!%)(?<!%[0-9a-fA-F])%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])"
)
# Characters that browsers encode: the percent-encode sets of the URL standard for paths and special queries
_NOT_IN_PATH = re.compile(r"[^!$-;=@-\]_a-z~]+")
_NOT_IN_QUERY = re.compile(r"[^!$-&(-;=?-~]+")


def canonical(url: str, base: str = "") -> str | None:
    """Return the canonical form of an http(s) URL; None for other texts. `base` is the URL of its page."""
    if len(url) > LONGEST:
        return None  # usually an inline image, not worth caching
    base = _part(base, url)
    return _cached_form(url, base) if len(base) <= LONGEST else _form(url, base)


def _part(base: str, url: str) -> str:
    """Reduce the base to the part that matters, so that the form of a URL on many pages is computed only once."""
    if _WHOLE.match(url):
        return ""
    server = _SERVER.match(base) if _PATH.match(url) else None
    return server[0] if server else base


def _form(url: str, base: str) -> str | None:
    try:
        parts = urlsplit(_joined(base, url))
        if parts.scheme not in PORTS or not parts.hostname:
            return None
        if any(letter <= " " for letter in parts.hostname):
            return None
        place, query = _place(parts.scheme, parts.netloc), _arguments(parts.query)
        return place + _path(parts.path) + (f"?{query}" if query else "")
    except ValueError:  # incomplete IPv6 address, invalid port, half of a surrogate pair
        return None


_cached_form = lru_cache(maxsize=1 << 17)(_form)  # more than are ever collected; see `collection`


def _joined(base: str, url: str) -> str:
    """Resolve a URL as browsers do; the standard library drops `;` and empty segments."""
    url = _IGNORED.sub("", url.strip(_AROUND))
    path, mark, rest = _ENDS.split(url, maxsplit=1) if _ENDS.search(url) else (url, "", "")
    url = path.replace("\\", "/") + mark + rest
    scheme = _SCHEME.match(url)
    if scheme is not None and (url.startswith("//", scheme.end()) or not base.lower().startswith(scheme[0].lower())):
        return url
    url = url[scheme.end() :] if scheme else url
    parts = urlsplit(base)
    if url.startswith("//"):
        return f"{parts.scheme}:{url}"
    server = f"{parts.scheme}://{parts.netloc}"
    if url.startswith("/"):
        return server + url
    if url[:1] in ("", "#"):
        return f"{server}{parts.path}?{parts.query}"
    if url.startswith("?"):
        return server + parts.path + url
    return f"{server}{parts.path.rpartition('/')[0]}/{url}"


def _path(path: str) -> str:
    """Normalize a path as browsers do."""
    encoded = _NEEDLESS.sub(lambda found: chr(int(found[0][1:], 16)), _encoded(path, _NOT_IN_PATH))
    segments: list[str] = []
    for segment in encoded.split("/")[1:]:
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    is_folder = encoded.endswith(("/.", "/.."))
    return "/" + "/".join([*segments, ""] if is_folder else segments)


def _arguments(query: str) -> str:
    """Normalize a query as browsers do, and sort its arguments if their order is insignificant."""
    arguments = [each for each in _encoded(query, _NOT_IN_QUERY).split("&") if each]
    if all("=" in each for each in arguments):
        arguments.sort(key=lambda each: each.partition("=")[0])
    return "&".join(arguments)


def _encoded(text: str, what: re.Pattern[str]) -> str:
    text = what.sub(lambda found: quote(found[0], safe=""), text)
    return _ENCODED.sub(lambda found: found[0].upper(), text) if "%" in text else text


def with_route(url: str) -> str | None:
    """Return the canonical form, with the fragment if it is a route: #/users, #!users."""
    found, fragment = canonical(url), url.partition("#")[2]
    return f"{found}#{quote(fragment, safe=ROUTE)}" if found and fragment.startswith(("/", "!")) else found


@lru_cache(maxsize=1024)
def _place(scheme: str, written: str) -> str:
    """Return scheme, host and port."""
    parts = SplitResult(scheme, written, "", "", "")
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, PORTS[scheme]) else f":{parts.port}"
    return str(canonicalize_url(f"{scheme}://{host}{port}/")).removesuffix("/")
