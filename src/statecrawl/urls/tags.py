"""Tags of a page, read in one pass.

A hostile page may contain megabytes designed to keep a parser busy for hours: repeated incomplete tags do that to the
parser of the standard library, and deep nesting to parsers that build a tree. This parser reads everything once and
builds no tree. An unclosed tag extends to the end, as in a browser.
"""

import re
from collections.abc import Iterator
from html import unescape

_TAG = re.compile(r"[a-zA-Z][^\s/>]{0,100}")
_NAME = re.compile(r"[\s/]*([^\s/>=][^\s/>=]*)\s*")
_VALUE = re.compile(r"[^\s>]*")
_SPACE = re.compile(r"\s*")
_ENDS = {tag: re.compile(f"</{tag}", re.IGNORECASE) for tag in ("script", "style", "textarea", "title")}
DOCTYPE = "!doctype"
Tag = tuple[str, dict[str, str], str, int]  # name, attributes, content of raw-text elements, end position


def tags(text: str) -> Iterator[Tag]:
    """Iterate over the start tags; comments are named `!--`, the document type `!doctype`."""
    at = 0
    while (at := next_tag(text, at)) >= 0:
        yield (tag := tag_at(text, at))
        at = tag[3]


def asks_for_password(text: str) -> bool:
    """Whether a page has a field for a password."""
    types = (given.get("type", "") for tag, given, _, _ in tags(text) if tag == "input")
    return "password" in text.lower() and any(kind.lower() == "password" for kind in types)


def next_tag(text: str, at: int) -> int:
    """Return the start of the next tag or comment; negative if there is none."""
    while (at := text.find("<", at)) >= 0:
        if text.startswith("<!--", at) or _TAG.match(text, at + 1) or _is_doctype(text, at):
            return at
        at += 1
    return at


def _is_doctype(text: str, at: int) -> bool:
    return text[at + 1 : at + 1 + len(DOCTYPE)].lower() == DOCTYPE


def tag_at(text: str, at: int) -> Tag:
    """Parse the tag that starts at this position."""
    found = _TAG.match(text, at + 1)
    if found is None and _is_doctype(text, at):
        end = text.find(">", at)
        end = end if end >= 0 else len(text)
        return DOCTYPE, {}, text[at + len(DOCTYPE) + 1 : end], end
    if found is None:
        end = text.find("-->", at + 4)
        end = end if end >= 0 else len(text)
        return "!--", {}, text[at + 4 : end], end
    tag = found[0].lower()
    attributes, at = _attributes(text, found.end())
    inside = ""
    if tag in _ENDS:
        close = _ENDS[tag].search(text, at)
        end = close.start() if close else len(text)
        inside, at = text[at:end], end
    return tag, attributes, inside, at


def _attributes(text: str, at: int) -> tuple[dict[str, str], int]:
    """Parse attributes and return them with the end of the tag. The first of equal names counts."""
    found: dict[str, str] = {}
    while (named := _NAME.match(text, at)) is not None:
        value, at = "", named.end()
        if text.startswith("=", at):
            at = _SPACE.match(text, at + 1).end()  # type: ignore[union-attr] # it always matches
            if text[at : at + 1] in ("'", '"'):
                end = text.find(text[at], at + 1)
                value, at = text[at + 1 : end if end >= 0 else len(text)], end + 1 if end >= 0 else len(text)
            else:
                plain = _VALUE.match(text, at)
                value, at = (plain[0], plain.end()) if plain else ("", at)
        found.setdefault(named[1].lower(), unescape(value))
    end = text.find(">", at)
    return found, end + 1 if end >= 0 else len(text)
