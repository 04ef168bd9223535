"""Redaction: replace the secrets in a text by markers without changing its format.

Theory of operation
    A secret is recognized in one of three ways: by the name beside it (`password=…`, `"token": "…"`, `Cookie: …`; see
    `secret_names`), by its form (a JSON web token, keys of well-known services, a password in a URL), or because it was
    supplied (the credentials of a login). It is replaced by a marker: REDACTED, followed, if there is a key, by eight
    digits of a keyed hash. Equal secrets get equal markers, and once the key is gone no secret can be recovered by
    guessing.

    A marker consists of letters, digits and a hyphen, so JSON stays JSON, URLs stay URLs, and markup stays markup.
    Redaction is idempotent: a marker is not a secret, and a text is redacted repeatedly until nothing changes.

    Redaction prefers false positives: a harmless value beside a secret name is lost. A secret that neither its name nor
    its form reveals is kept; no program can do better.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from statecrawl.privacy.known_secrets import KnownSecrets
from statecrawl.privacy.secret_names import is_secret_name
from statecrawl.privacy.secret_spans import BEGIN, Scanner, plain_name

MARKER = "REDACTED"
DIGITS = 8  # of the hash: enough to distinguish secrets
MOST_ROUNDS = 8  # of redaction of one text
SHORT = 500  # characters; shorter texts recur from state to state, so their results are cached
MOST_SHORT = 8192  # cached results
MOST_UNICODE = 0x10FFFF
NO_SECRETS = frozenset({"true", "false", "null", "none", "undefined", "password", "token", "secret", "0", "1"})
Headers = Sequence[tuple[str, str]]

SEAL_END = "z"  # ends a reversible marker (see `seals`), whatever follows it
_HASH = rf"-[0-9a-f]{{{DIGITS},}}(?:{SEAL_END}|(?!\w))"
_MARKER = rf"{MARKER}(?:{_HASH}|(?![\w-]))"
_HASHED = re.compile(MARKER + _HASH)
_JWT = r"(?<![\w-])eyJ[\w-]{4,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?"
SERVICE_KEYS = {  # prefix of a key -> rest
    "gh[pousr]_": r"\w{20,}",
    "github_pat_": r"\w{20,}",
    "[sr]k_(?:live|test)_": r"\w{10,}",
    "AKIA": r"[0-9A-Z]{16}",
    "AIza": r"[\w-]{30,}",
    "xox[abprs]-": r"[\w-]{10,}",
    "glpat-": r"[\w-]{20,}",
}
_SERVICE_KEY = "|".join(prefix + rest for prefix, rest in SERVICE_KEYS.items())
_SECRET_FORMS = re.compile(rf"{_JWT}|\b(?:{_SERVICE_KEY})")
_FORM_PREFIXES = re.compile("|".join(["eyJ", *SERVICE_KEYS]))
# Every secret contains one of these, in lower case; a fast filter, since most text is harmless
_BEGIN = re.compile(f"{MARKER.lower()}|{_FORM_PREFIXES.pattern.lower()}|{BEGIN}")
_ALWAYS = re.compile(f"{_MARKER}|{_SECRET_FORMS.pattern}")
_CSS_ATTRIBUTE = re.compile(r"\[([\w-]{1,100})([~|^$*]?=)((?:[^\[\]\\]++|\\.)*+)\]", re.DOTALL)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
PLAIN_TYPES = ("javascript", "ecmascript", "css")  # code, in which a secret name before a quoted text proves nothing
TEXT_TYPES = ("text/", "json", "xml", "html", "x-www-form-urlencoded", "multipart/form-data", *PLAIN_TYPES)


class Redactor:
    """Replaces secrets by markers."""

    def __init__(self, key: bytes | None = None, literals: Iterable[str] = ()) -> None:
        """`key` is that of the hash in markers; without it all markers are equal. `literals` are known secrets."""
        self._key = key
        self._known = KnownSecrets(literals, _MARKER)
        self._shown = KnownSecrets((), _MARKER, of_page=True)
        self._short = lru_cache(maxsize=MOST_SHORT)(self._text)

    def with_page_secrets(self, values: Iterable[str]) -> "Redactor":
        """Return a redactor that also replaces these secrets of a page."""
        other = Redactor(self._key)
        other._known, other._shown = self._known, KnownSecrets(values, _MARKER, of_page=True)
        return other

    def mark(self, secret: str) -> str:
        """Return the marker for a secret. A marker is returned unchanged."""
        return secret if re.fullmatch(_MARKER, secret) else self._stand_in(secret)

    def text(self, text: str) -> str:
        """Redact a text of any kind: a page, a URL, a message."""
        return self._short(text) if len(text) < SHORT else self._text(text)

    def _text(self, text: str) -> str:
        for _ in range(MOST_ROUNDS):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def program(self, text: str) -> str:
        """Redact a script or style sheet, in which secrets are recognized only by their form."""
        text = self._without_known(text)
        return _SECRET_FORMS.sub(lambda found: self.mark(found[0]), text) if _FORM_PREFIXES.search(text) else text

    def selector(self, selector: str) -> str:
        """Redact a CSS selector, in which values may be escaped."""
        return self.text(_CSS_ATTRIBUTE.sub(self._css_attribute, selector))

    def json(self, value: Any, name: str = "") -> Any:
        """Redact a JSON value. `name` is its key in the enclosing object."""
        match value:
            case dict():
                about = is_secret_name(name) or name.lower() == "session"
                inner = {key: name if about and key.lower() in ("id", "key", "value") else key for key in value}
                return {self.text(key): self.json(each, inner[key]) for key, each in value.items()}
            case list():
                return [self.json(each, name) for each in value]
            case str():
                return self.mark_value(value) if is_secret_name(name) else self.text(value)
            case int() | float() if not isinstance(value, bool) and is_secret_name(name):
                return self.mark_value(str(value)) if str(value) not in NO_SECRETS else value
            case _:
                return value

    def headers(self, headers: Headers) -> tuple[tuple[str, str], ...]:
        """Redact the headers of a request or response."""
        return tuple((name, self._header(name.lower(), value)) for name, value in headers)

    def body(self, data: bytes, content_type: str) -> bytes:
        """Redact the body of a request or response if it is text. Binary data is returned unchanged."""
        kind = content_type.lower()
        if not any(each in kind for each in TEXT_TYPES):
            return data
        text = data.decode(errors="surrogateescape")
        return self._of_kind(text, kind).encode(errors="surrogateescape")

    # -- inside --

    def _stand_in(self, secret: str) -> str:
        if self._key is None:
            return MARKER
        digest = hmac.new(self._key, secret.encode(errors="surrogatepass"), hashlib.sha256)
        return f"{MARKER}-{digest.hexdigest()[:DIGITS]}"

    def _of_kind(self, text: str, kind: str) -> str:
        if any(each in kind for each in PLAIN_TYPES):
            return self.program(text)
        if "x-www-form-urlencoded" in kind:
            return self.text("&".join(map(self._pair, text.split("&"))))
        if "multipart/form-data" in kind:
            return self.text(self._parts(text))
        return self.json_text(text) if "json" in kind else self.text(text)

    def json_text(self, text: str) -> str:
        """Redact the text of a JSON document; other texts are redacted like `text`."""
        try:
            value = json.loads(text)
            redacted = self.json(value)
            return text if redacted == value else json.dumps(redacted, ensure_ascii=False, allow_nan=False)
        except (ValueError, RecursionError):
            return self.text(text)

    def _once(self, text: str) -> str:
        """Redact once: known secrets, and secrets recognized by their form or by the name beside them."""
        text = self._without_known(text)
        scanner: Scanner | None = None
        pieces: list[str] = []
        end = 0  # of the part that is done
        for candidate in _BEGIN.finditer(text.replace("İ", "I").lower()):  # the only letter whose lower case is longer
            at = candidate.start()
            if at < end:
                continue
            if found := _ALWAYS.match(text, at):
                pieces += (text[end:at], self.mark(found[0]))
                end = found.end()
                continue
            scanner = scanner or Scanner(text)
            for span in scanner.spans(at):
                if span.start >= end:
                    secret = text[span.start : span.end]
                    pieces += (text[end : span.start], self.mark(secret) if span.is_sure else self.mark_value(secret))
                    end = span.end
        return "".join([*pieces, text[end:]]) if pieces else text

    def _without_known(self, text: str) -> str:
        """Replace the known secrets."""

        def mark(written: str, secret: str) -> str:
            return self.mark(self._meant(written, secret))

        return self._shown.replaced(self._known.replaced(text, mark), mark)

    def mark_value(self, value: str) -> str:
        """Return the marker for a value with a secret name, unless it is an ordinary word."""
        return value if not value or value.lower() in NO_SECRETS else self.mark(value)

    def _meant(self, written: str, secret: str) -> str:
        """Return the text that the marker stands for: the secret, however it was written."""
        return secret

    def _css_attribute(self, found: re.Match[str]) -> str:
        name, sign, written = found.groups()
        value = _CSS_ESCAPE.sub(_css_unescaped, written)
        inner = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
        redacted = self.mark_value(inner) if is_secret_name(name) else self.text(inner)
        return found[0] if redacted == inner else f'[{name}{sign}"{_css_escaped(redacted)}"]'

    def _header(self, name: str, value: str) -> str:
        if name in ("cookie", "set-cookie"):
            first, *rest = value.split(";")
            attributes = rest if name == "set-cookie" else map(self._cookie, rest)
            return ";".join([self._cookie(first), *attributes])
        if name in ("authorization", "proxy-authorization"):
            scheme, blank, credentials = value.partition(" ")
            return f"{scheme} {self.mark(credentials)}" if blank and credentials else self.mark_value(value)
        return self.mark_value(value) if is_secret_name(name) else self.text(value)

    def _cookie(self, pair: str) -> str:
        name, equals, value = pair.partition("=")
        return f"{name}{equals}{self.mark_value(value)}"

    def _pair(self, pair: str) -> str:
        name, equals, value = pair.partition("=")
        return f"{name}{equals}{self.mark_value(value)}" if is_secret_name(plain_name(name)) else pair

    def _parts(self, text: str) -> str:
        """Redact the parts of a multipart/form-data body. Its first line is the boundary."""
        boundary = text.partition("\n")[0].rstrip("\r")
        if not boundary.startswith("--"):
            return text
        between = f"\n{boundary}"
        first, *rest = text.split(between)
        return between.join([self._part(first), *map(self._part, rest)])

    def _part(self, part: str) -> str:
        blank = "\r\n\r\n" if "\r\n\r\n" in part else "\n\n"
        head, separator, value = part.partition(blank)
        if not separator or not is_secret_name(_field_name(head)):
            return part
        content = value.removesuffix("\r")
        return f"{head}{separator}{self.mark_value(content)}{value[len(content) :]}"


def without_hashes(text: str) -> str:
    """Remove the hashes from all markers, so that texts redacted with different keys are equal."""
    return _HASHED.sub(MARKER, text)


def _field_name(head: str) -> str:
    """Return the field name in the headers of a part."""
    for line in head.splitlines():
        header, _, value = line.partition(":")
        if header.strip().lower() == "content-disposition":
            _, found, rest = value.partition('; name="')
            return rest.partition('"')[0] if found else ""
    return ""


def _css_unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else 0
    return found[2] or (chr(code) if 0 < code <= MOST_UNICODE else "\N{REPLACEMENT CHARACTER}")


def _css_escaped(value: str) -> str:
    """Escape a text for a quoted string in a selector."""
    return "".join(f"\\{ord(letter):x} " if letter in '\\"\n\r\f' else letter for letter in value)


BLANK = Redactor()  # all markers are equal, so texts that differ only in secrets become equal
