"""Dialogs that name a dangerous action: the patterns with which the agent declines them, and the reasons.

Theory of operation
    `confirm` and `prompt` wait for their answer, so the page's agent decides alone, with regular expressions made from
    the lexicon. A message is a sentence, not a label: verbs can be anywhere and are inflected. So every phrase counts
    wherever it occurs, negated or not, and long words also match as the beginning of others. That declines too much
    rather than too little; declined dialogs are reported.

    The agent (`spoken` in agent/guard.js) and the reasons (`spoken`) normalise a message alike: its words as written,
    then the same without accents, separated by single blanks. Short words are compared with their accents: "gỡ" is a
    command, "go" is not.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from unicodedata import category, normalize

from statecrawl.journal.refusal_reasons import DANGEROUS
from statecrawl.politeness import lexicon
from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.phrases import entries, is_unspaced
from statecrawl.ports.page import Note

LONGEST_MESSAGE = 5_000  # characters that are matched; see agent/guard.js
SHORTEST_STEM = 5  # letters of a word that may also begin a longer one
ACCENTS = ("Mn", "Me")
DIALOG = "dialog"  # kind of a note: [kind, message, answer], and one more if it was declined for its message
PLAIN_LENGTH = 3
ALIKE = str.maketrans({"ı": "i", "ς": "σ", "ß": "ss"})
INVISIBLE = frozenset("\xad\u200b\u200d\u200e\u200f\u2060\ufeff")
INFLECTED = {
    Danger.DELETE: """
        removed, removal, removing, gelöscht, entfernt, supprimé, retiré, borrad, eliminad, removid, rimoss, verwijderd,
        usuniet, удален, удаля, видален, silinecek, silinsin, silmek, smazan, odstranen, raderas, slettes, poistet,
        törl, șters, διαγραφ
        """,
    Danger.ACCESS: "deactivated, gesperrt, deaktiviert, revoked, suspended",
    Danger.SEND: "gesendet, veröffentlicht, published",
    Danger.CONTRACT: "gekündigt, storniert, résilié",
}
"""Inflected forms that occur in sentences but not in labels, as beginnings of words."""


def spoken(message: str) -> str:
    """The words of a message, with and without accents."""
    lower = message[:LONGEST_MESSAGE].lower().translate(ALIKE)
    return f" {_words(normalize('NFC', lower))} {_words(_bare(lower))} "


def _bare(text: str) -> str:
    return normalize("NFC", "".join(each for each in normalize("NFKD", text) if category(each) not in ACCENTS))


def _words(text: str) -> str:
    letters = (each if category(each)[0] in "LM" else " " for each in text if each not in INVISIBLE)
    return " ".join("".join(letters).split())


@lru_cache(maxsize=1)
def declining() -> tuple[tuple[str, ...], ...]:
    """Return groups of regular expressions; the agent declines a message that matches all of any group."""
    alone = _expression(text for danger in Danger for text in _alone(danger))
    return ((alone,), *(pair for danger in Danger if (pair := _pair(danger))))


def reason_of(message: str) -> str:
    """Return why a message was declined."""
    text = spoken(message)
    for danger, groups in _by_danger().items():
        for group in groups:
            hits = [expression.search(text) for expression in group]
            if all(hits):
                words = " ".join(hit[0].strip() for hit in hits if hit is not None)
                return f"{DANGEROUS}it {danger.value}: its dialog says '{words}'"
    return f"{DANGEROUS}its dialog names a dangerous action"


def answered(notes: Sequence[Note], dialogs: int) -> tuple[bool, list[str]]:
    """Return whether any of the last dialogs of a walk was accepted, and the messages of those declined.

    A page can forge the notes that a document leaves behind when it unloads, so their shape is checked.
    """
    dialogs_noted = [note.what for note in notes if note.kind == DIALOG and isinstance(note.what, list)]
    choices = [what for what in dialogs_noted if len(what) >= PLAIN_LENGTH and what[0] != "alert"][-dialogs:]
    declined = [str(what[1]) for what in choices if len(what) > PLAIN_LENGTH]
    return len(choices) > len(declined) or not declined, declined


@lru_cache(maxsize=1)
def _by_danger() -> dict[Danger, list[tuple[re.Pattern[str], ...]]]:
    found: dict[Danger, list[tuple[re.Pattern[str], ...]]] = {}
    for danger in (Danger.DELETE, *Danger):
        groups = ((_expression(_alone(danger)),), _pair(danger))
        found[danger] = [tuple(map(re.compile, group)) for group in groups if group and group[0]]
    return found


def _alone(danger: Danger) -> Iterator[str]:
    """Yield phrases that are dangerous without an object; to remove anything is to delete it."""
    for table in (lexicon.STRONG, lexicon.LEADING, INFLECTED):
        yield table.get(danger, "")
    if danger is Danger.DELETE:
        yield lexicon.PAIRS[danger][0]


def _pair(danger: Danger) -> tuple[str, ...]:
    if danger is Danger.DELETE or danger not in lexicon.PAIRS:
        return ()
    verbs, objects = lexicon.PAIRS[danger]
    return _expression([verbs], singles=True), _expression([objects], singles=True)


def _expression(texts: Iterable[str], *, singles: bool = False) -> str:
    """Return the expression that finds these phrases in a `spoken` message; with `singles`, also single characters."""
    parts: set[str] = set()
    stems: set[str] = set()
    wholes: set[str] = set()
    for phrase in (phrase for text in texts for phrase in entries(text)):
        lower = phrase.lower().translate(ALIKE)
        bare, exact = _words(_bare(lower)), _words(normalize("NFC", lower))
        if is_unspaced(phrase):
            if singles or len(bare) > 1:
                parts.add(bare)
        elif len(bare) >= SHORTEST_STEM:
            stems.add(bare)
        elif exact:
            wholes.add(exact)
    shortest = _shortest(stems, " ")
    spaced = [*shortest, *(f"{each} " for each in sorted(wholes))]
    unspaced = [each.replace(" ", " ?") for each in _shortest(parts, "")]
    return "|".join(filter(None, (f" (?:{'|'.join(spaced)})" if spaced else "", *unspaced)))


def _shortest(phrases: set[str], before: str) -> list[str]:
    """Return the phrases that no other phrase finds already."""
    kept: list[str] = []
    for phrase in sorted(phrases, key=lambda each: (len(each), each)):
        if not any(before + other in before + phrase for other in kept):
            kept.append(phrase)
    return kept
