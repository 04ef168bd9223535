"""Recognize labels that are dangerous commands, in all languages of the lexicon."""

import re
from collections.abc import Iterator

from statecrawl.politeness import word_lists
from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.phrases import LEADING, PAIRS, STRONG, PhraseHit, Phrases, is_unspaced, words
from statecrawl.politeness.tokens import LONGEST_TEXT, folded, tokens_of

SHORT = 6  # words; in a label this short, a command may be anywhere
FRONT = 3  # words at the start of a longer label where a command may be
SHORT_UNSPACED = 16  # characters of a short label in a script without blanks

_ENDPOINT = re.compile(
    r"\A(?:(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE)[ \u200b]*"
    r"|(?i:get|put|post|delete|patch|head|options|trace)[ \u200b]+)/(?=[a-z{\u200b]|\Z)"
)

_QUESTIONS, _VIEWS = Phrases.of(word_lists.QUESTIONS), Phrases.of(word_lists.VIEWS)
_NEGATIONS, _FILLERS = words(word_lists.NEGATIONS), words(word_lists.FILLERS)


def command_in(text: str, *, is_control: bool = True) -> tuple[Danger, str] | None:
    """Return the danger of a label and the phrase that reveals it; None if the label is not a dangerous command."""
    if _is_endpoint(text):
        return None
    if is_unspaced(text):
        return _unspaced_command(folded(text).replace(" ", ""), is_control=is_control)
    tokens = tokens_of(text)
    if not tokens or _is_question(tokens) or _is_record(tokens, text):
        return None
    clears_view = any(True for _ in _VIEWS.found(tokens))
    for danger, hit in _commands(tokens):
        if clears_view and danger in (Danger.DELETE, Danger.SYSTEM):
            continue
        if not _is_negated(tokens, hit.start) and (is_control or _is_whole(tokens, hit)):
            return danger, hit.phrase
    return None


def _commands(tokens: tuple[str, ...]) -> Iterator[tuple[Danger, PhraseHit]]:
    for danger, phrases in STRONG.items():
        for hit in phrases.found(tokens):
            if len(tokens) <= SHORT or hit.start < FRONT:
                yield danger, hit
    for danger, phrases in LEADING.items():
        yield from ((danger, hit) for hit in phrases.found(tokens) if _leads(tokens, hit))
    if len(tokens) <= SHORT:
        for danger, (verbs, objects) in PAIRS.items():
            verb, thing = next(verbs.found(tokens), None), next(objects.found(tokens), None)
            if verb is not None and thing is not None and not _overlap(verb, thing):
                yield (
                    danger,
                    PhraseHit(f"{verb.phrase} {thing.phrase}", min(verb.start, thing.start), max(verb.end, thing.end)),
                )


def _leads(tokens: tuple[str, ...], hit: PhraseHit) -> bool:
    """Whether an ambiguous phrase is a command: at the start and not part of a noun, or at the end."""
    if len(tokens) > SHORT:
        return False
    if hit.end == len(tokens) and tokens[hit.start] not in word_lists.FRONT_ONLY:
        return True  # in many languages the verb comes last
    after = tokens[hit.end] if hit.end < len(tokens) else ""
    is_noun = after in word_lists.NOUNS or (hit.phrase == "order" and after in word_lists.ORDER_NOUNS)
    return all(token in _FILLERS for token in tokens[: hit.start]) and not is_noun


def _overlap(one: PhraseHit, other: PhraseHit) -> bool:
    return one.start < other.end and other.start < one.end


def _is_whole(tokens: tuple[str, ...], hit: PhraseHit) -> bool:
    """Whether a label consists of the command and words such as "now" or "my account"."""
    rest = (*tokens[: hit.start], *tokens[hit.end :])
    return all(token in word_lists.OBJECTS or token in _FILLERS for token in rest)


def _is_negated(tokens: tuple[str, ...], start: int) -> bool:
    return any(token in _NEGATIONS for token in tokens[max(0, start - 2) : start])


def _is_question(tokens: tuple[str, ...]) -> bool:
    """Whether a label starts like a question or an explanation."""
    return len(tokens) > 2 and any(hit.start == 0 for hit in _QUESTIONS.found(tokens))


def _is_record(tokens: tuple[str, ...], text: str) -> bool:
    """Whether a label names a record by its number: "Order 4711"."""
    has_number = any(letter.isdigit() for letter in text[:LONGEST_TEXT])
    return has_number and len(tokens) == 1 and tokens[0] in word_lists.NUMBERED


def explains(text: str) -> bool:
    """Whether a label contains a word of questions or explanations."""
    if is_unspaced(text):
        return any(True for _ in _QUESTIONS.parts(folded(text).replace(" ", "")))
    return any(True for _ in _QUESTIONS.found(tokens_of(text)))


def _is_endpoint(text: str) -> bool:
    """Whether a label is the title of an API operation: "DELETE /pets/{id}"."""
    return _ENDPOINT.match(text) is not None


def _unspaced_command(text: str, *, is_control: bool) -> tuple[Danger, str] | None:
    if any(True for phrases in (_QUESTIONS, _VIEWS) for _ in phrases.parts(text)):
        return None
    if len(text) > SHORT_UNSPACED:
        return None
    found = (
        (danger, hit) for danger, hit in _unspaced_commands(text) if is_control or hit.end - hit.start == len(text)
    )
    return next(((danger, hit.phrase) for danger, hit in found), None)


def _unspaced_commands(text: str) -> Iterator[tuple[Danger, PhraseHit]]:
    for danger, phrases in STRONG.items():
        yield from ((danger, hit) for hit in phrases.parts(text))
    for danger, phrases in LEADING.items():
        for hit in phrases.parts(text):
            is_noun = text[hit.end :].startswith(word_lists.NOUN_SIGNS)
            if (hit.start == 0 or hit.end == len(text)) and not is_noun:
                yield danger, hit
    for danger, (verbs, objects) in PAIRS.items():
        verb, thing = next(verbs.parts(text), None), next(objects.parts(text), None)
        if verb is not None and thing is not None:
            yield danger, PhraseHit(verb.phrase + thing.phrase, min(verb.start, thing.start), max(verb.end, thing.end))
