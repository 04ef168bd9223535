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
import html
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from statecrawl.model.secret_names import HINT, is_secret_name

MARKER = "REDACTED"
DIGITS = 8  # of the hash: enough to tell secrets apart
MOST_ROUNDS = 8  # over one text
LEAST_LITERAL = 4  # letters; what is shorter stands in too many texts by chance
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
NO_SECRETS = frozenset({"true", "false", "null", "none", "undefined", "password", "token", "secret", "0", "1"})
Headers = Sequence[tuple[str, str]]

SEAL_END = "z"  # after the digits of what can be undone (see `sealing`): anything may follow it
_HASH = rf"-[0-9a-f]{{{DIGITS},}}(?:{SEAL_END}|(?!\w))"
_MARKER = rf"{MARKER}(?:{_HASH}|(?![\w-]))"
_HASHED = re.compile(MARKER + _HASH)
_LOOKS = (
    r"(?<![\w-])eyJ[\w-]{4,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?"  # a JSON web token
    r"|\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|[sr]k_(?:live|test)_\w{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}"
    r"|xox[abprs]-[\w-]{10,}|glpat-[\w-]{20,})"
)
_NAME = rf"(?<![\w.\[\]-])[\w.\[\]-]{{0,40}}?{HINT}[\w.\[\]-]{{0,40}}"
_TEXT = (
    r"(?i:(?P<scheme>\b(?:bearer|basic|token)\s{1,3})(?P<credentials>(?=[\w.~+/=-]*\d)[\w.~+/-]{12,}=*)"
    r"|(?P<user>://[^\s/?#@:\"'<>]*:)(?P<password>[^\s/?#@\"'<>]+)(?=@)"
    rf"|(?P<mark>[?&#;])(?P<parameter>{_NAME}|session)=(?P<value>[^&\s\"'<>;#\\]+)"
    rf"|(?P<before>(?P<property>{_NAME})[\"']?\s{{0,3}}[:=]\s{{0,3}}(?P<quote>[\"']))"
    r"(?P<quoted>(?:\\.|(?!(?P=quote))[^\\\n])+)(?P=quote)"
    r"|(?P<tag><(?:input|meta)\b(?:[^<>\"']++|\"[^\"]{0,4000}\"|'[^']{0,4000}'){0,400}+>))"
)
_ATTRIBUTE = re.compile(r"([\w:-]+)(\s*=\s*)(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
# Without one of these, in small letters, there is nothing to find: looked for first, since most of a text is innocent
_LOOKS_BEGIN = "eyj|gh[pousr]_|github_|[sr]k_|akia|aiza|xox|glpat"
_BEGIN = (
    f"{MARKER.lower()}|{_LOOKS_BEGIN}|bearer|basic|token|://|<input|<meta"
    "|pass|pwd|secret|key|credential|csrf|xsrf|jwt|sess|auth|sid|otp|cvv|cvc|sig"
)
_NAME_LETTER = re.compile(r"[\w.\[\]-]")
LONGEST_NAME = 41  # letters before the telling part of a name, and one
_PART = re.compile(
    r"(?P<head>^--[^\n]*\n(?:[^\n]+\n)*?content-disposition:[^\n]*?name=\"(?P<name>[^\"]*)\"[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n)"
    r"(?P<value>.*?)(?=\r?\n--)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_PAIR = re.compile(r"([^&=]+)=([^&]+)")
_COOKIE = re.compile(r"(^|;\s*)([^=;]+)=([^;]+)")
PLAIN_TYPES = ("javascript", "ecmascript", "css")  # programs, in which names beside quotes mean nothing
TEXT_TYPES = ("text/", "json", "xml", "html", "x-www-form-urlencoded", "multipart/form-data", *PLAIN_TYPES)


class Redactor:
    """Takes the secrets out of whatever it is given."""

    def __init__(self, key: bytes | None = None, literals: Iterable[str] = ()) -> None:
        """Without a key all secrets look the same. `literals` are secrets as they are."""
        self._key = key
        self._literals: dict[str, str] = {}  # as it may be written -> the secret
        for literal in literals:
            if len(literal) >= LEAST_LITERAL:
                self._literals |= dict.fromkeys(_ways_to_write(literal), literal)
        longest_first = sorted(self._literals, key=lambda way: (-len(way), way))
        words = "|".join(rf"(?<!\w){re.escape(way)}(?!\w)" for way in longest_first) or "(?!)"
        always = rf"(?P<marker>{_MARKER})|(?P<literal>{words})|(?P<looks>{_LOOKS})"
        begin = "|".join(re.escape(way.lower()) for way in longest_first)
        self._always = re.compile(always)
        self._everywhere = re.compile(f"{always}|{_TEXT}")
        self._begin = re.compile(f"{_BEGIN}|{begin}" if begin else _BEGIN)
        self._begin_always = re.compile(f"{_LOOKS_BEGIN}|{begin}" if begin else _LOOKS_BEGIN)

    def knowing(self, literals: Iterable[str]) -> "Redactor":
        """One that knows these secrets, too."""
        return Redactor(self._key, [*self._literals.values(), *literals])

    def mark(self, secret: str) -> str:
        """What stands for a secret; for a marker, itself."""
        return secret if re.fullmatch(_MARKER, secret) else self._stand_in(secret)

    def text(self, text: str) -> str:
        """A text of any kind: a page, an address, a message."""
        for _ in range(MOST_ROUNDS):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def program(self, text: str) -> str:
        """A script or a style sheet, in which only what looks like a secret is one."""
        return self._changed(text, self._begin_always, self._always)

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
                return self._mark_value(value) if is_secret_name(name) else self.text(value)
            case int() | float() if not isinstance(value, bool) and is_secret_name(name):
                return self._mark_value(str(value)) if str(value) not in NO_SECRETS else value
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
            return self.text(_PAIR.sub(self._pair, text))
        if "multipart/form-data" in kind:
            return self.text(_PART.sub(self._part, text))
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
        return self._changed(text, self._begin, self._everywhere)

    def _changed(self, text: str, begin: re.Pattern[str], rules: re.Pattern[str]) -> str:
        """The text with what the rules find replaced, at places where something begins."""
        small = text.replace("İ", "I").lower()  # the only letter that becomes two
        pieces: list[str] = []
        end = 0  # of what is dealt with
        for found in begin.finditer(small):
            match = _rule_at(rules, text, found.start(), end) if found.start() >= end else None
            if match is not None:
                pieces += (text[end : match.start()], self._replaced(match))
                end = match.end()
        return "".join([*pieces, text[end:]]) if pieces else text

    def _mark_value(self, value: str) -> str:
        return value if not value or value.lower() in NO_SECRETS else self.mark(value)

    def _replaced(self, found: re.Match[str]) -> str:
        parts = found.groupdict()
        if parts["marker"]:
            return self.mark(found[0])
        if parts["literal"]:
            return self.mark(self._written(found[0]))
        if parts["looks"]:
            return self.mark(found[0])
        return self._told(found, parts)

    def _written(self, found: str) -> str:
        """The secret that is meant, however it was written."""
        return self._literals[found]

    def _told(self, found: re.Match[str], parts: dict[str, str]) -> str:
        """What the words around it say is a secret."""
        if parts["credentials"]:
            return parts["scheme"] + self.mark(parts["credentials"])
        if parts["password"]:
            return parts["user"] + self.mark(parts["password"])
        if parts["tag"]:
            return self._tag(found[0])
        if parts["parameter"]:
            told = is_secret_name(_plain(parts["parameter"]))
            value = self._mark_value(parts["value"]) if told else self.program(parts["value"])
            return f"{parts['mark']}{parts['parameter']}={value}"
        if is_secret_name(parts["property"]):
            return parts["before"] + self._mark_value(parts["quoted"]) + parts["quote"]
        return parts["before"] + self._once(parts["quoted"]) + parts["quote"]

    def _tag(self, tag: str) -> str:
        """A field, or what a page says about itself; its value is a secret when its type or its name says so."""
        said = {name.lower(): _unquoted(value) for name, _, value in _ATTRIBUTE.findall(tag)}
        named = any(is_secret_name(said.get(name, "")) for name in ("name", "id", "property"))
        kind = said.get("type", "").lower()
        if kind == "password" or (named and kind not in ("checkbox", "radio", "submit", "button", "image")):
            return _ATTRIBUTE.sub(self._attribute, tag)
        return tag[0] + self._once(tag[1:])

    def _attribute(self, found: re.Match[str]) -> str:
        if found[1].lower() not in ("value", "content"):
            return found[0]
        value = _unquoted(found[3])
        quote = found[3][0] if found[3][0] in "\"'" else ""
        return f"{found[1]}{found[2]}{quote}{self._mark_value(value)}{quote}"

    def _header(self, name: str, value: str) -> str:
        if name in ("cookie", "set-cookie"):
            once = 1 if name == "set-cookie" else 0
            return _COOKIE.sub(lambda pair: f"{pair[1]}{pair[2]}={self._mark_value(pair[3])}", value, count=once)
        if name in ("authorization", "proxy-authorization"):
            scheme, blank, credentials = value.partition(" ")
            return f"{scheme} {self.mark(credentials)}" if blank and credentials else self._mark_value(value)
        return self._mark_value(value) if is_secret_name(name) else self.text(value)

    def _pair(self, found: re.Match[str]) -> str:
        return f"{found[1]}={self._mark_value(found[2])}" if is_secret_name(_plain(found[1])) else found[0]

    def _part(self, found: re.Match[str]) -> str:
        return found["head"] + self._mark_value(found["value"]) if is_secret_name(found["name"]) else found[0]


def _rule_at(rules: re.Pattern[str], text: str, at: int, floor: int) -> re.Match[str] | None:
    """What a rule finds at a place, or around the name that is there."""
    if match := rules.match(text, at):
        return match
    start = at
    while start > floor and at - start < LONGEST_NAME and _NAME_LETTER.match(text[start - 1]):
        start -= 1
    if start < at and (match := rules.match(text, start)):
        return match
    return rules.match(text, start - 1) if start > floor and text[start - 1] in "?&#;" else None


def without_hashes(text: str) -> str:
    """A text in which all secrets look the same, however it was redacted before."""
    return _HASHED.sub(MARKER, text)


def _ways_to_write(secret: str) -> set[str]:
    """A secret as it stands in addresses, forms, JSON and markup."""
    coded = "".join(chr(code) if code in UNRESERVED else f"%{code:02X}" for code in secret.encode(errors="replace"))
    return {secret, coded, coded.replace("%20", "+"), json.dumps(secret)[1:-1], html.escape(secret)}


def _plain(name: str) -> str:
    """The name of a parameter, without what an address has to write in another way."""
    return re.sub("%5[BD]|%2E", ".", name, flags=re.IGNORECASE)


def _unquoted(value: str) -> str:
    return value[1:-1] if value[0] in "\"'" else value


BLANK = Redactor()  # all secrets look the same: what two texts have in common but for them
