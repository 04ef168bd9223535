"""Texts that look like URLs in scripts and in data.

Scripts are neither executed nor parsed. A quoted text counts if it starts like a path or is passed to something that
takes URLs (`fetch("items")`, `location = "next"`). Texts composed of constants of the same script are composed here,
too: with `+`, in a template, with `join` or with `concat`. Parts that are only known at run time become `*`:
`/items/${id}` and `"/items/" + id` both yield /items/*.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

LONGEST_TEXT = 5_000_000  # characters of one text that are read
OPEN = "*"

_LETTER = r"[\w~!$&()*+,;=:@%./?#{}\[\]-]"
_PATH = rf"(?:\*|\.{{0,2}})/{_LETTER}{{1,300}}"
_FILE = (
    r"[\w-]{1,100}(?:/[\w.~-]{1,100}){0,20}\.(?:json|html?|php|aspx?|jsp|do|action|xml|txt|csv|pdf)"
    r"(?:\?[^\"'`\s]{0,200})?"
)
_ANY = r"([\"'`])([^\"'`\s<>\\|^]{1,300})\1"
WHOLE = re.compile(r"""https?://[^\s"'`<>()\[\]{}|\\^]+""")
# Quoted text that looks like a path: /api/v1/x, ./x.html, ../x, x/y.json; no types (text/html), no regular expressions
_QUOTED = re.compile(rf"""(["'`])({_PATH}|{_FILE})\1""")
_TAKES_ANY = re.compile(  # the argument is a URL, whatever it looks like
    r"(?:\b(?:fetch|axios|importScripts|Worker|SharedWorker|EventSource|sendBeacon|getJSON|window\.open)"
    rf"|\blocation\.(?:assign|replace)|\.open\(\s{{0,9}}[\"'`][A-Za-z]{{3,7}}[\"'`]\s{{0,9}},)\(?\s{{0,9}}{_ANY}"
)
_IS_SET = re.compile(
    rf"(?:\blocation(?:\.href)?|\.(?:href|src|action))\s{{0,9}}=\s{{0,9}}{_ANY}|\b(?:url|href|endpoint)[\"']?\s{{0,9}}:"
    r"\s{0,9}([\"'`])([^\"'`\s<>\\|^]{1,300})\3"
)
_TAKES_PATHS = re.compile(  # `map.get("key")` is not a request, `http.get("users/all")` is one
    r"\.(?:get|post|put|patch|delete|head|request|ajax|load)\(\s{0,9}([\"'`])([\w.~%*-]{1,100}/[^\"'`\s<>\\|^]{1,300})\1"
)
_JOINED = re.compile(  # "/items/" + id + "/parts"
    rf"""(["'`])((?:https?:/|\.{{0,2}})/{_LETTER}{{0,300}})\1"""
    rf"""((?:\s{{0,9}}\+\s{{0,9}}(?:[\w$.()\[\]]{{1,80}}|"{_LETTER}{{0,200}}"|'{_LETTER}{{0,200}}')){{1,10}})"""
)
_JOINT = re.compile(r"""\+\s{0,9}(?:"([^"]{0,200})"|'([^']{0,200})'|[\w$.()\[\]]{1,80})""")
_CONSTANT = re.compile(  # base = "/api"
    r"""(?<![\w$.])([\w$]{1,80})\s{0,9}[=:]\s{0,9}(?:"([^"\\\n]{0,300})"|'([^'\\\n]{0,300})')(?!\s{0,9}\+)"""
)
_ATOM = r"""[\w$]{1,80}|"[^"\\\n]{0,300}"|'[^'\\\n]{0,300}'"""
_SUM = re.compile(rf"""(?<![\w$."'+])(?:{_ATOM})(?:\s{{0,9}}\+\s{{0,9}}(?:{_ATOM})){{1,10}}(?![\w$.(\[])""")
_LIST = rf"(?:{_ATOM})(?:\s{{0,9}},\s{{0,9}}(?:{_ATOM})){{0,10}}"
_LISTED = re.compile(
    rf"""\[\s{{0,9}}({_LIST})\s{{0,9}}\]\.join\(\s{{0,9}}(?:"([^"\\\n]{{0,9}})"|'([^'\\\n]{{0,9}})')"""
)
_CONCATENATED = re.compile(rf"""(?<![\w$."'])((?:{_ATOM})\.concat\(\s{{0,9}}{_LIST})\s{{0,9}}\)""")
_SUMMAND = re.compile(_ATOM)
_NAMED = re.compile(r"\$\{\s{0,9}([\w$]{1,80})\s{0,9}\}")  # in a template
_EXPRESSION = re.compile(r"\$\{[^{}`]{0,200}\}")
_TEMPLATE = re.compile(r"\{[^{}]{0,100}\}")
_ELSEWHERE = re.compile(r"//[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}(?::\d{1,5})?(?:[/?#]|$)")
_BEGINS = re.compile(r"https?://|\.{0,2}/")
_MAP = re.compile(r"[#@]\s{0,3}sourceMappingURL=([^\s'\"*]{1,300})")
_NAMES = re.compile(
    r"(?:ur[il]|href|src|link|next|prev|previous|self|first|last|location|path|endpoint|action)s?", re.IGNORECASE
)


def in_program(text: str) -> Iterator[str]:
    """Yield the URLs in a script as written, with unknown parts replaced by *."""
    text = text[:LONGEST_TEXT].replace("\\/", "/").replace("\\u002F", "/").replace("\\u002f", "/")
    constants = _constants(text)
    if "${" in text:
        text = _NAMED.sub(lambda found: constants.get(found[1]) or found[0], text) if constants else text
        text = _EXPRESSION.sub(OPEN, text)
    yield from (found.rstrip(".,;:") for found in WHOLE.findall(text))
    joined = list(_JOINED.finditer(text))
    inside = {found.start(3) + quoted.start() for found in joined for quoted in _QUOTED.finditer(found[3])}
    quoted_alone = (found[2] for found in _QUOTED.finditer(text) if found.start() not in inside)
    yield from filter(None, map(_opened, quoted_alone))
    for search in (_TAKES_ANY, _IS_SET, _TAKES_PATHS):
        for groups in search.findall(text):
            written = next(filter(None, groups[1::2]), "")
            if _is_name(written):
                yield from filter(None, [_opened(written)])
    yield from filter(None, map(_opened, _sums(text, constants)))
    for _, first, rest in (found.groups() for found in joined):
        parts = (a or b or ("" if quoted in "\"'" else OPEN) for quoted, a, b in _joints(rest))
        yield from filter(None, [_opened(first + "".join(parts))])


def _constants(text: str) -> dict[str, str | None]:
    """Return the values of string constants by name; None if a name has several values."""
    known: dict[str, str | None] = {}
    for name, one, other in _CONSTANT.findall(text):
        known[name] = one or other if known.get(name, one or other) == (one or other) else None
    return known


def _sums(text: str, known: dict[str, str | None]) -> Iterator[str]:
    """Yield the URLs composed of constants only: base + "/users", if base has one value."""
    sums = [(found, "") for found in _SUM.findall(text)] if known else []
    if ".join(" in text:
        sums += [(found, one or other) for found, one, other in _LISTED.findall(text)]
    if ".concat(" in text:
        sums += [(found.replace(".concat(", ",", 1), "") for found in _CONCATENATED.findall(text)]
    for found, between in sums:
        parts = [each[1:-1] if each[0] in "\"'" else known.get(each) for each in _SUMMAND.findall(found)]
        whole = between.join(part or "" for part in parts)
        if None not in parts and _BEGINS.match(whole) and _is_name(whole):
            yield whole


def map_of(text: str) -> Iterator[str]:
    """Yield the source map URL in the last lines of a script or style sheet."""
    yield from _MAP.findall(text[-1_000:])


def in_json(text: str) -> Iterator[str]:
    """Yield the URLs in JSON; other texts are searched like a script."""
    try:
        content: Any = json.loads(text[:LONGEST_TEXT])
    except (ValueError, RecursionError):
        yield from in_program(text)
        return
    for name, value in texts_of(content):
        if value.startswith(("http://", "https://", "/", "./", "../")) or _NAMES.fullmatch(name):
            if value.strip("/.") and _is_name(value):
                yield _TEMPLATE.sub(OPEN, value)
        elif "http" in value:
            yield from WHOLE.findall(value)


def texts_of(content: Any) -> Iterator[tuple[str, str]]:
    """Yield every string in JSON data, at any depth, with its key."""
    waiting: list[tuple[str, Any]] = [("", content)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list):
            waiting += [(name, each) for each in reversed(value)]
        elif isinstance(value, dict):
            waiting += [(str(key), each) for key, each in reversed(value.items())]


def _joints(rest: str) -> Iterator[tuple[str, str, str]]:
    for found in _JOINT.finditer(rest):
        yield found[0].lstrip("+ \t\n")[:1], found[1] or "", found[2] or ""


def _is_name(written: str) -> bool:
    """Whether a text can be a URL, not a sentence, script or selector."""
    return not re.search(r"[\s<>\\^`|]", written) and not written.startswith(("#", ".#", "*", "javascript:", "data:"))


def _opened(written: str) -> str | None:
    url = _TEMPLATE.sub(OPEN, written)
    if url.startswith("*/"):
        url = url[1:]  # the unknown part is usually the root of the application
    if url.startswith("//") and not _ELSEWHERE.match(url):
        return None
    return url if url.strip("/.*+") and not url.startswith("/*") else None
