"""Phrase search: each label is scanned once, whatever the number of phrases."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from statecrawl.politeness import lexicon
from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.tokens import LONGEST_TEXT, folded, tokens_of

UNSPACED = (
    ("฀", "๿"),  # Thai
    ("぀", "ヿ"),  # Japanese syllables
    ("㐀", "鿿"),  # Chinese characters
    ("가", "힣"),  # Korean syllables: spaced, but with endings
)


def is_unspaced(text: str) -> bool:
    """Whether a text contains letters of a script without blanks between words."""
    return any(first <= letter <= last for letter in text[:LONGEST_TEXT] for first, last in UNSPACED)


def entries(text: str) -> list[str]:
    """Split a table of phrases into its entries."""
    return [entry for entry in (" ".join(part.split()) for part in text.split(",")) if entry]


@dataclass(frozen=True, slots=True)
class PhraseHit:
    """Occurrence of a phrase."""

    phrase: str  # as in the table
    start: int  # token, or character in scripts without blanks
    end: int  # exclusive


@dataclass(slots=True)
class Phrases:
    """Phrases of all languages with the same meaning."""

    _by_first: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    _parts: dict[str, str] = field(default_factory=dict)  # folded -> as in the table

    @classmethod
    def of(cls, text: str) -> "Phrases":
        phrases = cls()
        for entry in entries(text):
            phrases._add(entry)
        return phrases

    def _add(self, entry: str) -> None:
        if is_unspaced(entry):
            self._parts[folded(entry).replace(" ", "")] = entry
            return
        tokens = tokens_of(entry)
        if tokens:
            known = self._by_first.setdefault(tokens[0], [])
            known.append((tokens, entry))
            known.sort(key=lambda item: -len(item[0]))

    def found(self, tokens: tuple[str, ...]) -> Iterator[PhraseHit]:
        """Find every phrase in these tokens, from left to right; at the same place, the longest first."""
        for start, token in enumerate(tokens):
            for phrase, entry in self._by_first.get(token, ()):
                if tokens[start : start + len(phrase)] == phrase:
                    yield PhraseHit(entry, start, start + len(phrase))

    def parts(self, text: str) -> Iterator[PhraseHit]:
        """Find every phrase in a text of a script without blanks."""
        for part, entry in self._parts.items():
            at = text.find(part)
            if at >= 0:
                yield PhraseHit(entry, at, at + len(part))


def tables(texts: Mapping[Danger, str]) -> dict[Danger, Phrases]:
    """Parse a table of phrases for each danger."""
    return {key: Phrases.of(text) for key, text in texts.items()}


def words(text: Iterable[str]) -> frozenset[str]:
    """Return single words, folded."""
    return frozenset(token for word in text for token in tokens_of(word))


STRONG, LEADING = tables(lexicon.STRONG), tables(lexicon.LEADING)
PAIRS = {danger: (Phrases.of(verbs), Phrases.of(objects)) for danger, (verbs, objects) in lexicon.PAIRS.items()}
