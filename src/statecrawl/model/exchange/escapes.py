"""Escapes: write ids of any content so that neither the format nor a page with the text can misread them.

A state or event id may contain quotes, newlines, arrows, markup or control characters. Each unsafe character is written
as its code point between an opening and a semicolon: `&#34;` in DOT and `#34;` in Mermaid, which both display the
character, and `\\1;` in GraphML, because XML cannot represent control characters. The first character of the opening is
always escaped itself, so reading is never ambiguous.
"""

import re

MAX_CODE_POINT = 0x10FFFF
LABEL_UNSAFE = re.compile(r"[^\w .,:/=+()!?-]")  # everything but letters, digits and harmless punctuation
# Control characters, and marks that change the writing direction, because XML files are also shown in terminals
XML_UNSAFE = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Escapes:
    """Escapes of one format."""

    def __init__(self, opening: str, unsafe: re.Pattern[str]) -> None:
        self._opening = opening
        self._unsafe = unsafe
        self._escaped = re.compile(re.escape(opening) + "([0-9]{1,7});")

    def write(self, text: str) -> str:
        """Escape every unsafe character."""
        return self._unsafe.sub(self._write_one, text)

    def read(self, text: str) -> str:
        """Decode the escapes in a text. Escapes without a valid code point are kept."""
        return self._escaped.sub(_read_one, text)

    def _write_one(self, match: re.Match[str]) -> str:
        return f"{self._opening}{ord(match[0])};"


def _read_one(match: re.Match[str]) -> str:
    code = int(match[1])
    return chr(code) if code <= MAX_CODE_POINT else match[0]
