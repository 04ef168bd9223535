"""Secrets that are known as they are, found however a page or a protocol writes them.

Theory of operation
    A password is rarely written as it was typed: URLs, JSON, scripts, markup and selectors each escape some characters,
    libraries escape more than they must, and one format is put inside another. So there is one expression for a secret,
    in which each character may be written in each of these ways, whatever its neighbours do. Beside that, a secret may
    be inside something in Base64 (`ann:password` of an `Authorization` header) or be written in hexadecimal digits.

    Such an expression is slow to search for. It is used only on texts that hold an anchor: the longest run of letters
    and digits of the secret, which few formats escape, or one of these escaped. Anchors are plain texts. How long one
    attempt takes depends on the secret alone, so a page cannot keep the expression busy.

    To compile it takes a millisecond for each character that may be escaped. That is little for what a user has said,
    once in a crawl. A page can show other secrets in every state, and as long as it likes, so those are looked for with
    their letters as they are, and with MOST_ESCAPED other characters at most; with more, only as a whole.
"""

import base64
import html.entities
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

LEAST = 4  # letters of a secret; what is shorter stands in too many texts by chance
DISTINCTIVE = 8  # letters; a secret of that length is taken out wherever it stands
LEAST_CODED = 8  # characters of Base64 or hexadecimal digits
MOST_ESCAPED = 12  # characters of a secret that a page shows

_BACKSLASH = r"(?:\\|%(?:25){0,3}+5[cC])"
_AND = r"(?:&|%(?:25){0,3}+26)(?:amp(?:;|%(?:25){0,3}+3[bB])){0,3}+"
_NUMBER, _END = r"(?:\#|%(?:25){0,3}+23)", r"(?:;|%(?:25){0,3}+3[bB])?+"
_PLUS = r"[+]|%(?:25){0,3}+2[bB]"
_PLAIN = {
    " ": rf"[ ]|{_PLUS}",
    "&": _AND.removesuffix("+"),
    "%": "%(?:25){0,4}",
}  # may be followed by the same as in an escape
_NAMED = {**html.entities.name2codepoint, "apos": ord("'")}
_LETTERS = re.compile(r"[A-Za-z0-9]+")
_NEVER_ESCAPED = re.compile(r"[A-Za-z0-9_-]+")
_RUNS = re.compile(r"(\\+)|.", re.DOTALL)  # backslashes escape each other, so they are counted together


class KnownSecrets:
    """Finds some secrets."""

    def __init__(self, secrets: Iterable[str], marker: str, *, of_page: bool = False) -> None:
        """`marker`: an expression for what is left alone, though a secret may be in it; `of_page`: pages show them."""
        longest_first = sorted({each for each in secrets if len(each) >= LEAST}, key=lambda each: (-len(each), each))
        self.all = tuple(longest_first)
        self._anchors = tuple(anchor for secret in self.all for anchor in _anchors(secret, of_page=of_page))
        expressions = "|".join(f"({_expression(secret, of_page=of_page)})" for secret in self.all)
        self._expression = re.compile(f"{marker}|{expressions}") if self.all else None

    def replaced(self, text: str, replace: Callable[[str, str], str]) -> str:
        """The text with what `replace` makes of each secret in it, given how it is written and the secret itself."""
        if self._expression is None or not any(anchor in text for anchor in self._anchors):
            return text

        def replacement(found: re.Match[str]) -> str:
            return found[0] if found.lastindex is None else replace(found[0], self.all[found.lastindex - 1])

        return self._expression.sub(replacement, text)


def _anchors(secret: str, *, of_page: bool) -> Iterator[str]:
    """Texts of which one is in every text that has this secret in it."""
    yield from _coded(secret)
    run = max(_LETTERS.findall(secret), key=len, default="")
    yield run  # nothing, which every text has, where the secret has no letters
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
    """For a secret in every way to write it, or in the usual ones.

    One that could be an ordinary word must stand by itself, or "demo" would be taken out of "demonstration".
    """
    written = re.escape(secret)
    if not of_page or len(_NEVER_ESCAPED.sub("", secret)) <= MOST_ESCAPED:
        written += f"|{''.join(_part(run, of_page=of_page) for run in _RUNS.finditer(secret))}"
    if len(secret) < DISTINCTIVE and (len(secret) <= LEAST or secret.isalpha()):
        written = rf"(?:(?<![^\W_])|(?<=%[0-9A-Fa-f]{{2}}))(?:{written})(?![^\W_])"
    return "|".join([written, *map(re.escape, _coded(secret))])


def _part(run: re.Match[str], *, of_page: bool) -> str:
    """For backslashes, or for one other character."""
    if run[1] is not None:
        return _backslashes(len(run[1]))
    return run[0] if of_page and _NEVER_ESCAPED.match(run[0]) else _character(run[0])


def _backslashes(count: int) -> str:
    """For so many of them; one before another escape belongs to that."""
    one = rf"{_BACKSLASH}(?:(?i:u005c|x5c)|(?!u[0-9a-fA-F]{{4}}|x[0-9a-fA-F]{{2}}))"
    in_markup = rf"{_AND}(?i:{_NUMBER}0{{0,4}}+92|{_NUMBER}x0{{0,4}}+5c|bsol){_END}"
    return f"(?>(?:{one}|{in_markup}){{{count},{4 * count}}}+)"


@lru_cache(maxsize=256)
def _character(character: str) -> str:
    """For one character: as it is, in a URL, in markup, in a script or in a selector, and these inside each other."""
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
    """What is sure to stand in the Base64 of every text with this secret in it, and its hexadecimal digits."""
    data = secret.encode(errors="replace")
    ways = {data.hex(), data.hex().upper()}
    for offset in range(3):
        whole = base64.b64encode(bytes(offset) + data)
        sure = whole[-(-offset * 8 // 6) : (offset + len(data)) * 8 // 6].decode()
        ways |= {sure, sure.replace("+", "-").replace("/", "_"), sure.replace("/", r"\/")}
        ways.add(sure.replace("+", "%2B").replace("/", "%2F"))
    return tuple(sorted(way for way in ways if len(way) >= LEAST_CODED))
