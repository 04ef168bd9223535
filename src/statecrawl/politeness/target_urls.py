"""Dangers that a URL reveals by its path and query."""

from collections.abc import Iterator

from statecrawl.politeness import lexicon, word_lists
from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.phrases import LEADING, PAIRS, STRONG, Phrases
from statecrawl.politeness.tokens import name_tokens

LONGEST = 2_000  # characters of a URL that are read
MOST_WORDS = 4  # of a path segment that is a command; longer ones are titles
SPENDS = Phrases.of("pay, buy, buy now, purchase, place order, order now, submit order, confirm order, unsubscribe")
REMOVES = Phrases.of(
    "remove, destroy, drop, kill, disable, revoke, block, ban, trash, deactivate, reset password, resetpassword, empty"
)
OPERATES = Phrases.of("stop, stop all, stopall, restart, restart all, restartall, abort, flush, clear log, clearlog")
NOUNS = frozenset({"stop"})  # commands that are nouns, too, as in stop-times
SWITCHES = ("", "1", "true", "yes")  # values that add nothing to the name of their parameter
READS = frozenset(
    {"subscribe", "order", "checkout", "transfer", "release", "post", "lock", "block"}
)  # may also be names of pages


def danger_of_target(url: str, *, sends: bool = False) -> tuple[Danger, str] | None:
    """Return the likely danger of requesting a URL and the part that reveals it; None if there is none.

    `sends`: the method may change data, so "remove" is sufficient, and document paths are no exception.
    """
    path, query, fragment = _parts(url)
    for name, value in _pairs(query):
        found = _in_query(name, value)
        if found is not None:
            return found
    if is_document(url) and not sends:
        return None
    segments = [segment for segment in (*path.split("/"), *fragment.lstrip("!").split("/")) if segment]
    for segment in segments:
        found = _in_segment(segment, sends=sends)
        if found is not None:
            return found
    command = _last_command(segments[-1]) if sends and segments else None
    return None if command is None else (command, segments[-1])


def is_document(url: str) -> bool:
    """Whether a path leads to a document. A record with a verb, such as /post/7/delete, does not."""
    path, _, fragment = _parts(url)
    segments = [segment for segment in (*path.split("/"), *fragment.split("/")) if segment]
    if len(segments) > 1 and segments[-2].isdigit() and _last_command(segments[-1]) is not None:
        return False
    return any(token in word_lists.DOCUMENT_TOKENS for segment in segments for token in name_tokens(segment))


def _in_segment(segment: str, *, sends: bool) -> tuple[Danger, str] | None:
    tokens = name_tokens(segment.partition(".")[0])
    if not tokens or len(tokens) > MOST_WORDS:
        return None
    for danger, phrases in STRONG.items():
        hit = next(phrases.found(tokens), None)
        if hit is not None and (danger in lexicon.BY_LINK or len(tokens) == hit.end - hit.start):
            return danger, segment
    if sends:
        for danger, (verbs, objects) in PAIRS.items():
            if next(verbs.found(tokens), None) is not None and next(objects.found(tokens), None) is not None:
                return danger, segment
    whole = next((hit for hit in SPENDS.found(tokens) if hit.end - hit.start == len(tokens)), None)
    return None if whole is None else (Danger.PAY, segment)


def _in_query(name: str, value: str) -> tuple[Danger, str] | None:
    """Find a command in a query: as the value of "action" and similar names, or as the name of a parameter."""
    keyed = name_tokens(name)
    if name.lower() in word_lists.ACTION_KEYS or keyed[-1:] in (("action",), ("task",), ("cmd",)):
        parts = [name_tokens(part) for part in value.split("/")]
        found = next(filter(None, (_command(part, whole=False) for part in parts)), None)
        if found is None and _operates(parts[-1], whole=False):
            found = Danger.SYSTEM
        return None if found is None else (found, f"{name}={value}")
    if value in SWITCHES and _operates(keyed, whole=True):
        return Danger.SYSTEM, name
    danger = _command(keyed, whole=True) if value in SWITCHES or value.isdigit() else None
    return None if danger is None else (danger, name)


def _last_command(segment: str) -> Danger | None:
    """Return the command that the last path segment consists of."""
    tokens = name_tokens(segment)
    return Danger.SYSTEM if _operates(tokens, whole=True) else _command(tokens, whole=True)


def _operates(tokens: tuple[str, ...], *, whole: bool) -> bool:
    """Whether these are a command to a system. "stop" with other words may be a bus stop."""
    hits = (hit for hit in OPERATES.found(tokens) if hit.start == 0)
    return any(hit.end == len(tokens) or not (whole or hit.phrase in NOUNS) for hit in hits)


def _command(tokens: tuple[str, ...], *, whole: bool) -> Danger | None:
    if not tokens or len(tokens) > MOST_WORDS:
        return None
    for table in (STRONG, LEADING):
        for danger, phrases in table.items():
            for hit in phrases.found(tokens):
                if hit.phrase not in READS and hit.start == 0 and (not whole or hit.end == len(tokens)):
                    return danger
    return Danger.DELETE if any(hit.start == 0 for hit in REMOVES.found(tokens)) else None


def _parts(url: str) -> tuple[str, str, str]:
    """Split a URL into path, query and route; the host is ignored."""
    rest, _, fragment = url[:LONGEST].partition("#")
    rest, _, query = rest.partition("?")
    _, mark, after = rest.partition("://")
    path = after.partition("/")[2] if mark else rest
    return path, query, fragment if fragment.startswith(("/", "!")) else ""


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    for part in query.replace("&amp;", "&").split("&"):
        name, _, value = part.partition("=")
        yield name, value
