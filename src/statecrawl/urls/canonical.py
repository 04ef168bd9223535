"""One form for each address, so that an address is known again however it is written.

The form is that of w3lib (arguments sorted, what may be written plainly written plainly, no fragment), without the name
of a user, and without the port that everybody would use.
"""

import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

from w3lib.url import canonicalize_url

PORTS = {"http": 80, "https": 443}  # the usual ones
ROUTE = "/!?$&'()*+,;=:@%~-._"  # what a fragment may say as it is
LONGEST = 2_000  # characters; what is longer is data and no address
_SERVER = re.compile(r"https?://[^/?#\\\s]+", re.IGNORECASE)
_WHOLE = re.compile(_SERVER.pattern + r"[/?#]", re.IGNORECASE)
_PATH = re.compile(r"/(?![/\s])")


def canonical(address: str, base: str = "") -> str | None:
    """An address of the web as everybody writes it; None when it is none. `base` is where it was found."""
    if len(address) > LONGEST:
        return None  # a picture that is written out, as a rule, and nothing to remember
    base = _part(base, address)
    return _remembered(address, base) if len(base) <= LONGEST else _form(address, base)


def _part(base: str, address: str) -> str:
    """As much of where it was found as has a say: many pages name the same, and it is worked out once."""
    if _WHOLE.match(address):
        return ""
    server = _SERVER.match(base) if _PATH.match(address) else None
    return server[0] if server else base


def _form(address: str, base: str) -> str | None:
    try:
        parts = urlsplit(urljoin(base, address.strip()))
        if parts.scheme not in PORTS or not parts.hostname:
            return None
        if any(letter <= " " for letter in parts.hostname):
            return None
        path, mark, query = str(canonicalize_url(urlunsplit(parts._replace(netloc=_place(parts))))).partition("?")
        return path + mark + query.replace("%2A", "*")  # which says that anything may stand there, as in paths
    except ValueError:  # half an IPv6 address, a port that is no number or too large, half a character
        return None


_remembered = lru_cache(maxsize=1 << 17)(_form)  # more than are ever kept: see `collecting`


def with_route(address: str) -> str | None:
    """The same, with the fragment where that is the name of a page: #/users, #!users."""
    found, fragment = canonical(address), address.partition("#")[2]
    return f"{found}#{quote(fragment, safe=ROUTE)}" if found and fragment.startswith(("/", "!")) else found


def _place(parts: SplitResult) -> str:
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return host if parts.port in (None, PORTS[parts.scheme]) else f"{host}:{parts.port}"
