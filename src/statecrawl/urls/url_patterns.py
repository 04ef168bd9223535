"""Patterns of similar URLs: the same page for many objects, as in /products/17 and /products/18."""

import re
from urllib.parse import urlsplit

ANY = "*"
# A path segment that identifies one of many objects: a number, date, version, UUID or another long key
_ONE_OF_MANY = re.compile(
    r"[.,:_-]*+\d[\d.,:_-]*+"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?=[^/\d]*+\d)[0-9a-zA-Z_=-]{16,}+"
    r"|[0-9a-fA-F]{12,}"
)
_NUMBER = re.compile(r"\d+")
MOST_QUERIES = 10  # sets of parameter names per path; further ones share a pattern


class UrlPatterns:
    """Maps URLs to patterns.

    A pattern is a URL with its numbers, keys and parameter values replaced by *. If a path has too many sets of
    parameter names, all further ones share a pattern.
    """

    def __init__(self) -> None:
        self._known: dict[str, set[tuple[str, ...]]] = {}

    def of(self, url: str) -> str:
        path, names = _parts(url)
        known = self._known.setdefault(path, set())
        if names and names not in known and len(known) >= MOST_QUERIES:
            return f"{path}?{ANY}"
        known.add(names)
        return f"{path}?{'&'.join(f'{name}={ANY}' for name in names)}" if names else path


def _parts(url: str) -> tuple[str, tuple[str, ...]]:
    """Return the URL up to the path, with a route in the fragment (#/users), and the names of the parameters."""
    parts = urlsplit(url)
    path = f"{parts.scheme}://{parts.netloc}{_alike(parts.path)}"
    if parts.fragment.startswith(("/", "!")):
        path += f"#{_alike(parts.fragment)}"
    names = {argument.partition("=")[0] for argument in parts.query.split("&") if argument}
    return path, tuple(sorted({_likeness(name) for name in names}))


def _alike(path: str) -> str:
    return "/".join(map(_likeness, path.split("/")))


def _likeness(part: str) -> str:
    return ANY if _ONE_OF_MANY.fullmatch(part) else _NUMBER.sub(ANY, part)
