"""Regular expressions of users, matched against texts of pages in linear time.

Python's regular expressions backtrack: `(a+)+$` may take forever on a hostile URL. RE2 does not backtrack, and in
return supports neither look-around nor back-references. It knows only the letters, digits and word boundaries of ASCII.
For other texts, `\\w`, `\\d` and `\\s` are widened, and `\\b` matches anywhere: most of these expressions exclude
something, so matching too much is safer than matching too little.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import re2

_TOKEN = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)|(\[\^?\]?)|(\])|[^\\\[\]]+", re.DOTALL)
_WIDE = {"w": r"\w\x{80}-\x{10FFFF}", "d": r"\p{Nd}", "s": r"\s\p{Z}"}  # inside a set


def check(expression: str) -> None:
    """Check the syntax of an expression. Raises ValueError with the reason."""
    for is_wide in (False, True):
        _compiled(expression, ignores_case=False, is_wide=is_wide)


def found(expression: str, text: str, *, ignores_case: bool = False) -> str | None:
    """Return the first match of an expression in a text; None if there is none."""
    match = _compiled(expression, ignores_case=ignores_case, is_wide=not text.isascii()).search(_encodable(text))
    return None if match is None else str(match.group())


def matched(expression: str, text: str) -> int:
    """Return the length of the match at the start of a text; negative if there is none."""
    match = _compiled(expression, ignores_case=False, is_wide=not text.isascii()).match(_encodable(text))
    return -1 if match is None else int(match.end())


def is_in_scope(url: str, allow: Iterable[str], deny: Iterable[str]) -> bool:
    """Whether one of the `allow` expressions matches a URL and none of the `deny` expressions does."""
    if any(found(expression, url) is not None for expression in deny):
        return False
    return any(found(expression, url) is not None for expression in allow)


@lru_cache(maxsize=1024)
def _compiled(expression: str, *, ignores_case: bool, is_wide: bool) -> "re2._Regexp":
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignores_case
    try:
        return re2.compile(_translated(expression, is_wide=is_wide), options)
    except re2.error as wrong:
        reason = wrong.args[0] if wrong.args else ""
        raise ValueError(reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)) from None


def _translated(expression: str, *, is_wide: bool) -> str:
    """Translate an expression to the syntax of RE2."""
    inside = False
    pieces = []
    for token in _TOKEN.finditer(expression):
        code, escaped, opens, closes = token.groups()
        piece = token[0]
        if opens and not inside:
            inside = True
        elif closes:
            inside = False
        elif code:
            piece = rf"\x{{{code}}}"
        elif escaped == "Z":
            piece = r"\z"
        elif is_wide and escaped in _WIDE:
            piece = _WIDE[escaped] if inside else f"[{_WIDE[escaped]}]"
        elif is_wide and escaped == "b" and not inside:
            piece = "(?:)"
        pieces.append(piece)
    return "".join(pieces)


def _encodable(text: str) -> str:
    """Replace halves of surrogate pairs, which pages may contain and UTF-8 cannot encode."""
    return text if text.isascii() else text.encode(errors="replace").decode()
