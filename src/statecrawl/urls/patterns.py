"""What is alike among addresses: the same page for many things, as in /products/17 and /products/18."""

import re
from urllib.parse import urlsplit

ANY = "*"
# A part of a path that names one of many: a number, a date, a version, a UUID or another long key.
_ONE_OF_MANY = re.compile(
    r"[.,:_-]*+\d[\d.,:_-]*+"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?=[^/\d]*+\d)[0-9a-zA-Z_=-]{16,}+"
    r"|[0-9a-fA-F]{12,}"
)
_NUMBER = re.compile(r"\d+")


def pattern(address: str) -> str:
    """An address without what tells it from those that are like it: numbers, keys, and the values of arguments."""
    parts = urlsplit(address)
    path = "/".join(_likeness(part) for part in parts.path.split("/"))
    names = sorted({argument.partition("=")[0] for argument in parts.query.split("&") if argument})
    return f"{parts.scheme}://{parts.netloc}{path}{'?' if names else ''}{'&'.join(f'{name}={ANY}' for name in names)}"


def _likeness(part: str) -> str:
    return ANY if _ONE_OF_MANY.fullmatch(part) else _NUMBER.sub(ANY, part)
