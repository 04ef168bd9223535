"""Redaction: texts without the secrets in them, in the same form.

Theory of operation
    A secret is known in one of three ways: by the name beside it (`password=…`, `"token": "…"`, `Cookie: …`; see
    `secret_names`), by its own looks (a JSON web token, keys of well-known services, a password in an address), or
    because somebody said so (what a log-in types). It is replaced by a marker: REDACTED, and where there is a key eight
    digits of a keyed hash, so that equal secrets look equal and none can be got back by trying, once the key is gone.

    A marker is made of letters, digits and a hyphen, so JSON stays JSON, addresses stay addresses, and markup stays
    markup. Redacting twice is redacting once: a marker is no secret, and texts are gone over until nothing changes.

    It errs on the side of silence: an innocent value beside a telling name is lost. What neither its name nor its looks
    betray is kept, and no program can know better.
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
DIGITS = 8  # of the hash: enough to tell secrets apart
MOST_ROUNDS = 8  # over one text
SHORT = 500  # characters; shorter texts recur from state to state, so what became of them is remembered
MOST_SHORT = 8192  # of them
MOST_UNICODE = 0x10FFFF
NO_SECRETS = frozenset({"true", "false", "null", "none", "undefined", "password", "token", "secret", "0", "1"})
Headers = Sequence[tuple[str, str]]

SEAL_END = "z"  # after the digits of what can be undone (see `sealing`): anything may follow it
_HASH = rf"-[0-9a-f]{{{DIGITS},}}(?:{SEAL_END}|(?!\w))"
_MARKER = rf"{MARKER}(?:{_HASH}|(?![\w-]))"
_HASHED = re.compile(MARKER + _HASH)
_LOOKS = re.compile(
    r"(?<![\w-])eyJ[\w-]{4,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?"  # a JSON web token
    r"|\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|[sr]k_(?:live|test)_\w{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}"
    r"|xox[abprs]-[\w-]{10,}|glpat-[\w-]{20,})"
)
_LOOKS_BEGIN = re.compile("eyJ|gh[pousr]_|github_pat_|[sr]k_(?:live|test)_|AKIA|AIza|xox[abprs]-|glpat-")
# Without one of these, in lower case, there is nothing to find: most of a text is innocent, and this is fast
_BEGIN = re.compile(f"{MARKER.lower()}|{_LOOKS_BEGIN.pattern.lower()}|{BEGIN}")
_ALWAYS = re.compile(f"{_MARKER}|{_LOOKS.pattern}")
_CSS_ATTRIBUTE = re.compile(r"\[([\w-]{1,100})([~|^$*]?=)((?:[^\[\]\\]++|\\.)*+)\]", re.DOTALL)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
PLAIN_TYPES = ("javascript", "ecmascript", "css")  # programs, in which names beside quotes mean nothing
TEXT_TYPES = ("text/", "json", "xml", "html", "x-www-form-urlencoded", "multipart/form-data", *PLAIN_TYPES)


class Redactor:
    """Takes the secrets out of whatever it is given."""

    def __init__(self, key: bytes | None = None, literals: Iterable[str] = ()) -> None:
        """Without a key all secrets look the same. `literals` are secrets as they are."""
        self._key = key
        self._known = KnownSecrets(literals, _MARKER)
        self._shown = KnownSecrets((), _MARKER, of_page=True)
        self._short = lru_cache(maxsize=MOST_SHORT)(self._text)

    def knowing(self, values: Iterable[str]) -> "Redactor":
        """One that knows these secrets of a page, too."""
        other = Redactor(self._key)
        other._known, other._shown = self._known, KnownSecrets(values, _MARKER, of_page=True)
        return other

    def mark(self, secret: str) -> str:
        """What stands for a secret; for a marker, itself."""
        return secret if re.fullmatch(_MARKER, secret) else self._stand_in(secret)

    def text(self, text: str) -> str:
        """A text of any kind: a page, a URL, a message."""
        return self._short(text) if len(text) < SHORT else self._text(text)

    def _text(self, text: str) -> str:
        for _ in range(MOST_ROUNDS):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def program(self, text: str) -> str:
        """A script or a style sheet, in which only what looks like a secret is one."""
        text = self._without_known(text)
        return _LOOKS.sub(lambda found: self.mark(found[0]), text) if _LOOKS_BEGIN.search(text) else text

    def selector(self, selector: str) -> str:
        """A CSS selector, in which values may be escaped."""
        return self.text(_CSS_ATTRIBUTE.sub(self._css_attribute, selector))

    def json(self, value: Any, name: str = "") -> Any:
        """A value of JSON, which is called so by what it is in."""
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
        """Headers of a request or an answer."""
        return tuple((name, self._header(name.lower(), value)) for name, value in headers)

    def body(self, data: bytes, content_type: str) -> bytes:
        """What was sent or answered, if it is a text; pictures and the like stay as they are."""
        kind = content_type.lower()
        if not any(each in kind for each in TEXT_TYPES):
            return data
        text = data.decode(errors="surrogateescape")
        return self._of_kind(text, kind).encode(errors="surrogateescape")

    # -- inside --

    def _stand_in(self, secret: str) -> str:
        if self._key is None:
            return MARKER
        told = hmac.new(self._key, secret.encode(errors="surrogatepass"), hashlib.sha256)
        return f"{MARKER}-{told.hexdigest()[:DIGITS]}"

    def _of_kind(self, text: str, kind: str) -> str:
        if any(each in kind for each in PLAIN_TYPES):
            return self.program(text)
        if "x-www-form-urlencoded" in kind:
            return self.text("&".join(map(self._pair, text.split("&"))))
        if "multipart/form-data" in kind:
            return self.text(self._parts(text))
        return self.json_text(text) if "json" in kind else self.text(text)

    def json_text(self, text: str) -> str:
        """The text of a JSON value; of something else, as a text."""
        try:
            value = json.loads(text)
            redacted = self.json(value)
            return text if redacted == value else json.dumps(redacted, ensure_ascii=False, allow_nan=False)
        except (ValueError, RecursionError):
            return self.text(text)

    def _once(self, text: str) -> str:
        """The text without the secrets that are known, have the looks of one or are told by what stands beside them."""
        text = self._without_known(text)
        scanner: Scanner | None = None
        pieces: list[str] = []
        end = 0  # of what is dealt with
        for candidate in _BEGIN.finditer(text.replace("İ", "I").lower()):  # the only letter that becomes two
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
        """The text without the secrets that are known as they are."""

        def mark(written: str, secret: str) -> str:
            return self.mark(self._meant(written, secret))

        return self._shown.replaced(self._known.replaced(text, mark), mark)

    def mark_value(self, value: str) -> str:
        """What stands for the value of something with a secret name, unless it is an ordinary word."""
        return value if not value or value.lower() in NO_SECRETS else self.mark(value)

    def _meant(self, written: str, secret: str) -> str:
        """What a marker stands for: the secret, however it is written."""
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
        """The parts of a form that was sent as multipart/form-data; the first line is what separates them."""
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
    """A text in which all secrets look the same, however it was redacted before."""
    return _HASHED.sub(MARKER, text)


def _field_name(head: str) -> str:
    """What the head of a part says that its field is called."""
    for line in head.splitlines():
        header, _, told = line.partition(":")
        if header.strip().lower() == "content-disposition":
            _, found, rest = told.partition('; name="')
            return rest.partition('"')[0] if found else ""
    return ""


def _css_unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else 0
    return found[2] or (chr(code) if 0 < code <= MOST_UNICODE else "\N{REPLACEMENT CHARACTER}")


def _css_escaped(value: str) -> str:
    """A text as it stands between quotation marks in a selector."""
    return "".join(f"\\{ord(letter):x} " if letter in '\\"\n\r\f' else letter for letter in value)


BLANK = Redactor()  # all secrets look the same: what two texts have in common but for them
