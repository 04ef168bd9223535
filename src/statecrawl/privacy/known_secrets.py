"""Search for known secrets in every encoding that pages and protocols use.

Theory of operation
    A password rarely appears as it was typed: URLs, JSON, scripts, markup and selectors each escape some characters,
    libraries escape more than necessary, and formats are nested. Each secret therefore gets one regular expression in
    which every character may be written in each of these encodings, independently of its neighbors. In addition, the
    secret may be part of a Base64 text (`ann:password` in an `Authorization` header) or written in hexadecimal digits.

    Such an expression is slow. It runs only on texts that contain an anchor: the longest run of letters and digits of
    the secret, which few formats escape, or an escaped form of its first character. Anchors are plain substrings. The
    time of one match attempt depends on the secret alone, so a page cannot keep the expression busy.

    Compiling takes a millisecond for each character that may be escaped. That is acceptable for secrets supplied by the
    user, which are compiled once per crawl. A page can show different secrets of any length in every state, so their
    letters are matched unescaped, and at most MOST_ESCAPED other characters may be escaped; a secret with more of them
    is matched literally only.
"""

import base64
import html.entities
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

LEAST = 4  # characters of a secret; shorter ones occur by chance in too many texts
DISTINCTIVE = 8  # characters; a secret of this length is replaced even inside a word
LEAST_CODED = 8  # characters of Base64 or hexadecimal digits
MOST_ESCAPED = 12  # characters of a page's secret that may be escaped

_BACKSLASH = r"(?:\\|%(?:25){0,3}+5[cC])"
_AND = r"(?:&|%(?:25){0,3}+26)(?:amp(?:;|%(?:25){0,3}+3[bB])){0,3}+"
_NUMBER, _END = r"(?:\#|%(?:25){0,3}+23)", r"(?:;|%(?:25){0,3}+3[bB])?+"
_PLUS = r"[+]|%(?:25){0,3}+2[bB]"
_PLAIN = {
    " ": rf"[ ]|{_PLUS}",
    "&": _AND.removesuffix("+"),
    "%": "%(?:25){0,4}",
}  # characters whose plain form may be followed by the rest of an escape
_NAMED = {**html.entities.name2codepoint, "apos": ord("'")}
_LETTERS = re.compile(r"[A-Za-z0-9]+")
_NEVER_ESCAPED = re.compile(r"[A-Za-z0-9_-]+")
_RUNS = re.compile(r"(\\+)|.", re.DOTALL)  # backslashes escape each other, so they are counted together


class KnownSecrets:
    """Finds a given set of secrets in texts."""

    def __init__(self, secrets: Iterable[str], marker: str, *, of_page: bool = False) -> None:
        """Compile the expressions.

        `marker` matches text that is left unchanged even if it contains a secret. `of_page` marks secrets of a page.
        """
        longest_first = sorted({each for each in secrets if len(each) >= LEAST}, key=lambda each: (-len(each), each))
        self.all = tuple(longest_first)
        self._anchors = tuple(anchor for secret in self.all for anchor in _anchors(secret, of_page=of_page))
        expressions = "|".join(f"({_expression(secret, of_page=of_page)})" for secret in self.all)
        self._expression = re.compile(f"{marker}|{expressions}") if self.all else None

    def replaced(self, text: str, replace: Callable[[str, str], str]) -> str:
        """Replace each secret in a text by `replace(written form, secret)`."""
        if self._expression is None or not any(anchor in text for anchor in self._anchors):
            return text

        def replacement(found: re.Match[str]) -> str:
            return found[0] if found.lastindex is None else replace(found[0], self.all[found.lastindex - 1])

        return self._expression.sub(replacement, text)


def _anchors(secret: str, *, of_page: bool) -> Iterator[str]:
    """Yield substrings, one of which occurs in every text that contains this secret."""
    yield from _coded(secret)
    run = max(_LETTERS.findall(secret), key=len, default="")
    yield run  # "" if the secret has no letters: then every text is searched
    if run and not of_page:
        code = ord(run[0])
        for digits in {f"{code:x}", f"{code:X}"}:
            yield from (
                f"u00{digits}",
                f"x{digits}",
                f"u{{{digits}",
                f"\\{digits}",
                f"000{digits}",
                f"%{digits}",
                f"25{digits}",
            )
        yield from (f"#{code}", f"#0{code}", f"23{code}", f"230{code}")


@lru_cache(maxsize=256)
def _expression(secret: str, *, of_page: bool) -> str:
    """Return a regular expression for a secret in all encodings; for secrets of pages, in the common ones.

    A secret that could be an ordinary word must stand alone; otherwise "demo" would be removed from "demonstration".
    """
    written = re.escape(secret)
    if not of_page or len(_NEVER_ESCAPED.sub("", secret)) <= MOST_ESCAPED:
        written += f"|{''.join(_part(run, of_page=of_page) for run in _RUNS.finditer(secret))}"
    if len(secret) < DISTINCTIVE and (len(secret) <= LEAST or secret.isalpha()):
        written = rf"(?:(?<![^\W_])|(?<=%[0-9A-Fa-f]{{2}}))(?:{written})(?![^\W_])"
    return "|".join([written, *map(re.escape, _coded(secret))])


def _part(run: re.Match[str], *, of_page: bool) -> str:
    """Return the expression for a run of backslashes or for one other character."""
    if run[1] is not None:
        return _backslashes(len(run[1]))
    return run[0] if of_page and _NEVER_ESCAPED.match(run[0]) else _character(run[0])


def _backslashes(count: int) -> str:
    """Return the expression for this many backslashes. A backslash that starts an escape does not count."""
    one = rf"{_BACKSLASH}(?:(?i:u005c|x5c)|(?!u[0-9a-fA-F]{{4}}|x[0-9a-fA-F]{{2}}))"
    in_markup = rf"{_AND}(?i:{_NUMBER}0{{0,4}}+92|{_NUMBER}x0{{0,4}}+5c|bsol){_END}"
    return f"(?>(?:{one}|{in_markup}){{{count},{4 * count}}}+)"


@lru_cache(maxsize=256)
def _character(character: str) -> str:
    """Return the expression for one character, plain or escaped for URLs, markup, scripts, selectors."""
    code, units = ord(character), character.encode("utf-16-be", errors="surrogatepass").hex()
    in_url = "".join(f"%(?:25){{0,3}}+{byte:02x}" for byte in character.encode(errors="replace"))
    in_script = (_BACKSLASH + "{1,4}+").join(f"u{units[at : at + 4]}" for at in range(0, len(units), 4))
    names = [name for name, value in _NAMED.items() if value == code]
    in_markup = "|".join([rf"{_NUMBER}0{{0,4}}+{code}", rf"{_NUMBER}x0{{0,4}}+{code:x}", *names])
    escaped = rf"{in_script}|u\{{0{{0,4}}+{code:x}\}}|x{code:02x}|0{{0,4}}+{code:x}(?![0-9a-f])[ ]?"
    plain = f"(?i:{in_url})|{_AND}(?i:{in_markup}){_END}|{_PLAIN.get(character) or re.escape(character)}"
    group = "?:" if character in "&%" else "?>"
    return f"({group}{_BACKSLASH}{{1,4}}+(?i:{escaped})|{_BACKSLASH}{{0,4}}+(?:{plain}))"


@lru_cache(maxsize=256)
def _coded(secret: str) -> tuple[str, ...]:
    """Return the hexadecimal form, and the parts that the Base64 form of every text with this secret must contain."""
    data = secret.encode(errors="replace")
    forms = {data.hex(), data.hex().upper()}
    for offset in range(3):
        whole = base64.b64encode(bytes(offset) + data)
        sure = whole[-(-offset * 8 // 6) : (offset + len(data)) * 8 // 6].decode()
        forms |= {sure, sure.replace("+", "-").replace("/", "_"), sure.replace("/", r"\/")}
        forms.add(sure.replace("+", "%2B").replace("/", "%2F"))
    return tuple(sorted(form for form in forms if len(form) >= LEAST_CODED))
