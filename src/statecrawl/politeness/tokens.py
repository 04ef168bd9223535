"""Text as words: folded to small letters without accents, in every script, in linear time."""

from functools import lru_cache
from unicodedata import category, normalize

LONGEST_TEXT = 300  # characters of a text that are read; a command is shorter
MARKS = ("Mn", "Me")  # accents and vowel points


def folded(text: str) -> str:
    """Small letters without accents, so that "DÉCONNEXION" and "deconnexion" are the same word."""
    return _folded(text[:LONGEST_TEXT])


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    decomposed = normalize("NFKD", text.casefold())
    return normalize("NFC", "".join(letter for letter in decomposed if category(letter) not in MARKS)).casefold()


def tokens_of(text: str) -> tuple[str, ...]:
    """The words of a text as people read it."""
    return _split(folded(text))


def name_tokens(name: str) -> tuple[str, ...]:
    """The words of a technical name: "btnLogOut", "log_out" and "log-out" have "log" and "out"."""
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
    kept = (letter if letter.isalpha() or category(letter) == "Mc" else " " for letter in text)
    return tuple("".join(kept).split())
