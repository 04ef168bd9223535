"""Tokenization: words in lower case without accents, for all scripts, in linear time."""

from functools import lru_cache
from unicodedata import category, normalize

LONGEST_TEXT = 300  # characters of a text that are inspected; commands are shorter
MARKS = ("Mn", "Me")  # accents and vowel points


def folded(text: str) -> str:
    """Fold to lower case without accents, so that "DÉCONNEXION" and "deconnexion" are equal."""
    return _folded(text[:LONGEST_TEXT])


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    decomposed = normalize("NFKD", text.casefold())
    return normalize("NFC", "".join(letter for letter in decomposed if category(letter) not in MARKS)).casefold()


def tokens_of(text: str) -> tuple[str, ...]:
    """Split a text into words."""
    return _split(folded(text))


def name_tokens(name: str) -> tuple[str, ...]:
    """Split a technical name into words: "btnLogOut", "log_out" and "log-out" contain "log" and "out"."""
    return _name_tokens(name[:LONGEST_TEXT])


@lru_cache(maxsize=4096)
def _name_tokens(name: str) -> tuple[str, ...]:
    parts = [
        f" {letter}" if letter.isupper() and place and name[place - 1].islower() else letter
        for place, letter in enumerate(name)
    ]
    return _split(folded("".join(parts)))


@lru_cache(maxsize=4096)
def _split(text: str) -> tuple[str, ...]:
    letters = (letter if letter.isalpha() or category(letter) == "Mc" else " " for letter in text)
    return tuple("".join(letters).split())
