"""Positions of secrets in a text, recognized by the names beside them. Linear in the length of the text.

Theory of operation
    Python's regular expressions backtrack while holding the interpreter lock, and a hostile page may contain megabytes
    of text designed to keep them busy. So one alternation of plain words finds candidates, and a `Scanner` reads the
    text around each candidate:
    * A name is at most `LONGEST_NAME` characters long, and each run of name characters is read once.
    * Constructs of arbitrary length (quoted strings, tags) consume a budget proportional to the text. On an ordinary
      page every tag and string is read once or twice, so the budget suffices. On a hostile page it runs out, and the
      remaining tags and strings of that page are not redacted.
    * Everything else matches one run of characters without backtracking.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from statecrawl.privacy.secret_names import STEMS, is_secret_name

LONGEST_NAME = 100  # characters
LONGEST_PREFIX = 60  # of a parameter name before its secret part, as in user%5Bpassword%5D
BUDGET = 8  # characters read in tags and quoted strings per character of the text

BEGIN = f"basic|://|<input|<meta|{STEMS}"  # how a candidate starts, in lower case
_USERINFO = re.compile(r"://[^\s/?#@:\"'<>]*+:([^\s/?#@\"'<>]++)@")
_SCHEME = re.compile(r"\b(?:bearer|basic|token)\s{1,3}([\w.~+/-]{12,}+=*+)", re.IGNORECASE)
_NAME_END = re.compile(r"[\w.\[\]-]*+")
_NAME_LETTER = re.compile(r"[\w.\[\]-]")
_PREFIX = re.compile(r"[\w.\[\]%-]*+")
_PARAMETER_END = re.compile(r"(?:%[0-9A-Fa-f]{2}|[\w.\[\]-]){0,60}+=")
_PARAMETER_VALUE = re.compile(r"[^&\s\"'<>;#\\]++")
_QUOTE = r"[\"']|\\{1,3}[\"']|&quot;|&\#3[49];|%22"
_ASSIGNED = re.compile(rf"(?:{_QUOTE})?\s{{0,3}}(?:[:=]|%3A)\s{{0,3}}({_QUOTE})", re.IGNORECASE)
_CLOSED = {quote: re.compile(rf"(?:[^\\\n{quote}]++|\\.)*+{quote}") for quote in "\"'"}
_TAG_NAME = re.compile(r"<(?:input|meta)\b", re.IGNORECASE)
_OUTSIDE_QUOTES = re.compile(r"[^<>\"']*+")
_ATTRIBUTE = re.compile(r"(?<![\w:-])([\w:-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")
_SEPARATORS = "?&#;"  # before the name of a parameter
_LABELLED = ("checkbox", "radio", "submit", "button", "image")  # inputs whose value is a label


class Span(NamedTuple):
    """Position of a secret in a text."""

    start: int
    end: int
    is_sure: bool = False  # secret even if it is an ordinary word


class Scanner:
    """Scans one text. Positions must be passed in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._budget = BUDGET * len(text) + 1_000
        self._read = 0  # end of the last run of name characters

    def spans(self, at: int) -> Iterator[Span]:
        """Find the secrets marked by the candidate at this position."""
        match self._text[at]:
            case ":":
                if found := _USERINFO.match(self._text, at):
                    yield Span(*found.span(1), is_sure=True)
            case "<":
                yield from self._tag(at)
            case _:
                scheme = _SCHEME.match(self._text, at)
                if scheme and any(map(str.isdigit, scheme[1])):
                    yield Span(*scheme.span(1), is_sure=True)
                elif at >= self._read:
                    yield from self._named(at)

    def _named(self, at: int) -> Iterator[Span]:
        """Find the value of the name at this position."""
        text = self._text
        start, self._read = at, _end(_NAME_END, text, at)
        while start and at - start <= LONGEST_NAME and _NAME_LETTER.match(text[start - 1]):
            start -= 1
        if self._read - start > LONGEST_NAME:
            return
        end = self._read
        if (value := self._parameter(start, end)) is not None:
            yield value
        elif (assigned := _ASSIGNED.match(text, end)) and is_secret_name(text[start:end]):
            close = self._closing(assigned.end(), assigned[1])
            if close > assigned.end():
                yield Span(assigned.end(), close)

    def _parameter(self, start: int, end: int) -> Span | None:
        """Find the value of a URL parameter if its name is secret."""
        text = self._text
        before = text[max(0, start - LONGEST_PREFIX) : start]
        mark = max(map(before.rfind, _SEPARATORS))
        equals = _PARAMETER_END.match(text, end)
        if mark < 0 or equals is None or _end(_PREFIX, before, mark + 1) < len(before):
            return None
        name = before[mark + 1 :] + text[start : equals.end() - 1]
        value = _PARAMETER_VALUE.match(text, equals.end())
        return Span(*value.span()) if value and is_secret_name(plain_name(name)) else None

    def _closing(self, opened: int, quote: str) -> int:
        """Return the position of the closing quote; negative if the string does not end on its line."""
        text = self._text
        if self._budget <= 0:
            return -1
        if quote in _CLOSED:
            found = _CLOSED[quote].match(text, opened)
            close = found.end() - 1 if found else -1
        else:
            line_end = text.find("\n", opened)
            line_end = len(text) if line_end < 0 else line_end
            close = text.find(quote, opened, line_end)
            while close > 0 and text[close - 1] == "\\":  # an escaped quotation mark
                close = text.find(quote, close + 1, line_end)
        self._budget -= close - opened if close >= 0 else len(text) - opened
        return close

    def _tag(self, at: int) -> Iterator[Span]:
        """Find the value of an input or meta tag if its type or name marks it as secret."""
        named = _TAG_NAME.match(self._text, at)
        end = -1 if named is None else self._tag_end(named.end())
        if end < 0:
            return
        values = {found[1].lower(): found for found in reversed(list(_ATTRIBUTE.finditer(self._text, at, end)))}
        texts = {name: found[2] or found[3] or found[4] or "" for name, found in values.items()}
        kind = texts.get("type", "").lower()
        is_secret = any(is_secret_name(texts.get(name, "")) for name in ("name", "id", "property"))
        if kind == "password" or (is_secret and kind not in _LABELLED):
            for found in sorted((values[name] for name in ("value", "content") if texts.get(name)), key=re.Match.start):
                yield Span(*found.span(found.lastindex or 0))

    def _tag_end(self, at: int) -> int:
        """Return the end of a tag; negative if it is not closed."""
        text, begin = self._text, at
        while self._budget > 0:
            at = _end(_OUTSIDE_QUOTES, text, at)
            ends = text[at : at + 1]
            close = text.find(ends, at + 1) if ends in ("'", '"') else -1
            if close < 0:
                self._budget -= (at if ends == ">" or not ends or ends == "<" else len(text)) - begin
                return at + 1 if ends == ">" else -1
            at = close + 1
            self._budget -= at - begin
            begin = at
        return -1


def plain_name(name: str) -> str:
    """Decode the name of a parameter: user%5Bpassword%5D becomes user.password."""
    return re.sub("%5[BD]|%2E", ".", name, flags=re.IGNORECASE).rstrip(".")


def _end(expression: re.Pattern[str], text: str, at: int) -> int:
    """Return the end of a match of an expression that always matches."""
    found = expression.match(text, at)
    return at if found is None else found.end()
