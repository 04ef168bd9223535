"""Where secrets stand in a text, told by what is written beside them. Linear in the length of the text.

Theory of operation
    Python's regular expressions backtrack and hold the interpreter lock while they do, and a page may consist of
    megabytes that were written to keep them busy. So one alternation of plain words finds candidates, and a `Scanner`
    reads what stands around each candidate:
    * A name is at most `LONGEST_NAME` characters long, and each run of name characters is looked at once.
    * What may be arbitrarily long (a quotation, a tag) is paid from a budget in proportion to the text. On an ordinary
      page every tag and quotation is read once or twice, so the budget lasts; on a hostile page it runs out, and the
      rest of that page's tags and quotations are left as they are.
    * Everything else matches one run of characters, without a second attempt.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from statecrawl.privacy.secret_names import is_secret_name

LONGEST_NAME = 100  # characters
LONGEST_PREFIX = 60  # of a parameter's name before its telling part, as in user%5Bpassword%5D
BUDGET = 8  # characters read in tags and quotations, for each character of the text

# What a candidate contains, in lower case
BEGIN = "bearer|basic|token|://|<input|<meta|pass|pwd|secret|key|credential|csrf|xsrf|jwt|sess|auth|sid|otp|cvv|cvc|sig"
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
_MARKS = "?&#;"  # before the name of a parameter
_PRESSED = ("checkbox", "radio", "submit", "button", "image")  # inputs whose value is a label


class Span(NamedTuple):
    """A secret in a text."""

    start: int
    end: int
    is_sure: bool = False  # it is a secret even if it reads like an ordinary word


class Scanner:
    """Reads one text. Ask for positions in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._budget = BUDGET * len(text) + 1_000
        self._read = 0  # end of the last run of name characters

    def spans(self, at: int) -> Iterator[Span]:
        """The secrets told by the candidate that begins here."""
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
        """What goes by the name that is written here."""
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
        """The value of a parameter of a URL, if its name is secret."""
        text = self._text
        before = text[max(0, start - LONGEST_PREFIX) : start]
        mark = max(map(before.rfind, _MARKS))
        equals = _PARAMETER_END.match(text, end)
        if mark < 0 or equals is None or _end(_PREFIX, before, mark + 1) < len(before):
            return None
        name = before[mark + 1 :] + text[start : equals.end() - 1]
        value = _PARAMETER_VALUE.match(text, equals.end())
        return Span(*value.span()) if value and is_secret_name(plain_name(name)) else None

    def _closing(self, opened: int, quote: str) -> int:
        """Where a quotation ends that was opened before this position; less than 0 if it does not on its line."""
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
        """The value of a field or of a property of the page, if its type or name says that it is secret."""
        named = _TAG_NAME.match(self._text, at)
        end = -1 if named is None else self._tag_end(named.end())
        if end < 0:
            return
        values = {found[1].lower(): found for found in reversed(list(_ATTRIBUTE.finditer(self._text, at, end)))}
        told = {name: found[2] or found[3] or found[4] or "" for name, found in values.items()}
        kind = told.get("type", "").lower()
        is_secret = any(is_secret_name(told.get(name, "")) for name in ("name", "id", "property"))
        if kind == "password" or (is_secret and kind not in _PRESSED):
            for found in sorted((values[name] for name in ("value", "content") if told.get(name)), key=re.Match.start):
                yield Span(*found.span(found.lastindex or 0))

    def _tag_end(self, at: int) -> int:
        """Where a tag ends; less than 0 if it does not."""
        text, begun = self._text, at
        while self._budget > 0:
            at = _end(_OUTSIDE_QUOTES, text, at)
            ends = text[at : at + 1]
            close = text.find(ends, at + 1) if ends in ("'", '"') else -1
            if close < 0:
                self._budget -= (at if ends == ">" or not ends or ends == "<" else len(text)) - begun
                return at + 1 if ends == ">" else -1
            at = close + 1
            self._budget -= at - begun
            begun = at
        return -1


def plain_name(name: str) -> str:
    """The name of a parameter without what a URL has to encode: user%5Bpassword%5D becomes user.password."""
    return re.sub("%5[BD]|%2E", ".", name, flags=re.IGNORECASE).rstrip(".")


def _end(expression: re.Pattern[str], text: str, at: int) -> int:
    """Where something ends that always matches."""
    found = expression.match(text, at)
    return at if found is None else found.end()
