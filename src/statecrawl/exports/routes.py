"""Routes: paths that differ only in an id become one path with a parameter.

A part of a path is a parameter if it looks like an id (a number, a UUID, a hash), or if there are many different words
in its place, followed by the same parts and with the same kind of response.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping
from urllib.parse import unquote

from statecrawl.exports.json_shapes import is_id

LEAST_WORDS = 5  # different words in one place that make it a parameter
PARAMETER = "\0"  # placeholder while paths are compared; does not occur in paths

Parts = tuple[str, ...]


def routes(paths: Mapping[str, Hashable]) -> dict[str, tuple[str, Mapping[str, str]]]:
    """Return for each path its route, such as /goods/{goodId}, and the values of the parameters.

    `paths` maps each path to the kind of its responses.
    """
    known = {path: tuple(path.lstrip("/").split("/")) for path in paths}
    generic = _generalised(
        {path: tuple(PARAMETER if is_id(unquote(part)) else part for part in parts) for path, parts in known.items()},
        paths,
    )
    routed: dict[str, tuple[str, Mapping[str, str]]] = {}
    for path, parts in generic.items():
        names = _names(parts)
        shown = [f"{{{names[place]}}}" if part == PARAMETER else _literal(part) for place, part in enumerate(parts)]
        values = {names[place]: unquote(known[path][place]) for place, part in enumerate(parts) if part == PARAMETER}
        routed[path] = "/" + "/".join(shown), values
    return routed


def _generalised(paths: Mapping[str, Parts], kinds: Mapping[str, Hashable]) -> dict[str, Parts]:
    """Replace words by a parameter if many words in one place have equal surrounding parts and equal responses."""
    found = dict(paths)
    for place in range(1, max(map(len, found.values()), default=0)):
        words: dict[tuple[Parts, Parts, Hashable], dict[str, str]] = defaultdict(dict)  # path -> its word here
        for path, parts in found.items():
            if place < len(parts) and parts[place] != PARAMETER:
                words[parts[:place], parts[place + 1 :], kinds[path]][path] = parts[place]
        for (before, after, _), alike in words.items():
            if len(set(alike.values())) >= LEAST_WORDS:
                found |= dict.fromkeys(alike, (*before, PARAMETER, *after))
    return found


def _names(parts: Parts) -> dict[int, str]:
    """Return a name for each parameter, derived from the preceding part."""
    names: dict[int, str] = {}
    for place, part in enumerate(parts):
        if part != PARAMETER:
            continue
        before = parts[place - 1] if place and parts[place - 1] != PARAMETER else ""
        word = re.sub(r"[^A-Za-z0-9]+", "_", before).strip("_")
        base = f"{_singular(word)}Id" if word else "id"
        name, number = base, 2
        while name in names.values():
            name, number = f"{base}{number}", number + 1
        names[place] = name
    return names


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > len("dies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2 else word


def _literal(part: str) -> str:
    """Return a part with its braces escaped."""
    return part.replace("{", "%7B").replace("}", "%7D")
