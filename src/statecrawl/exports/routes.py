"""Routes: paths that differ only in which thing they are about become one path with a parameter.

A part of a path is a parameter when it looks like an id (a number, a UUID, a hash), or when many different words stand
at its place, what follows each is the same, and so is what is answered.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping
from urllib.parse import unquote

from statecrawl.exports.json_shapes import is_id

LEAST_WORDS = 5  # at one place, from which they are values and not names
PARAMETER = "\0"  # stands for one while paths are compared; no part of a path is that

Parts = tuple[str, ...]


def routes(paths: Mapping[str, Hashable]) -> dict[str, tuple[str, Mapping[str, str]]]:
    """Each path with its route, as in /goods/{goodId}, and the values of the parameters.

    What is given with a path says what kind of thing is there.
    """
    known = {path: tuple(path.lstrip("/").split("/")) for path in paths}
    generic = _generalised(
        {path: tuple(PARAMETER if is_id(unquote(part)) else part for part in parts) for path, parts in known.items()},
        paths,
    )
    told: dict[str, tuple[str, Mapping[str, str]]] = {}
    for path, parts in generic.items():
        names = _names(parts)
        shown = [f"{{{names[place]}}}" if part == PARAMETER else _literal(part) for place, part in enumerate(parts)]
        values = {names[place]: unquote(known[path][place]) for place, part in enumerate(parts) if part == PARAMETER}
        told[path] = "/" + "/".join(shown), values
    return told


def _generalised(paths: Mapping[str, Parts], kinds: Mapping[str, Hashable]) -> dict[str, Parts]:
    """Words at the same place between the same other parts become a parameter where there are many of one kind."""
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
    """A name for each parameter, after the part before it."""
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
    """A part in which braces mean nothing."""
    return part.replace("{", "%7B").replace("}", "%7D")
