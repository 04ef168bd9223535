"""Escapes: ids of any content written so that no format, and no page they are pasted into, can mistake them.

A state or event id may hold quotes, newlines, arrows, markup or control characters. Each character that a format might
misread becomes its code point between an opening and a semicolon: `&#34;` in DOT and `#34;` in Mermaid, which both
show it as the character, and `\\1;` in GraphML, since XML has no way at all to hold a control character. The first
character of the opening is always escaped itself, so reading back is never ambiguous.
"""

import re

MAX_CODE_POINT = 0x10FFFF
LABEL_UNSAFE = re.compile(r"[^\w .,:/=+()!?-]")  # everything but letters, digits and harmless punctuation
# Controls, and marks that turn the direction of writing: an XML file is also looked at in terminals
XML_UNSAFE = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Escapes:
    """One format's way of writing ids."""

    def __init__(self, opening: str, unsafe: re.Pattern[str]) -> None:
        self._opening = opening
        self._unsafe = unsafe
        self._escaped = re.compile(re.escape(opening) + "([0-9]{1,7});")

    def write(self, text: str) -> str:
        """The text with every unsafe character escaped."""
        return self._unsafe.sub(self._write_one, text)

    def read(self, text: str) -> str:
        """The text that was written. What looks like an escape but names no character is left as it is."""
        return self._escaped.sub(_read_one, text)

    def _write_one(self, match: re.Match[str]) -> str:
        return f"{self._opening}{ord(match[0])};"


def _read_one(match: re.Match[str]) -> str:
    code = int(match[1])
    return chr(code) if code <= MAX_CODE_POINT else match[0]
