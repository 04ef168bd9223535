"""Coverage: which parts of an application's scripts have run, in values that add up.

A script is known by its address and a hash of its text. What two pages, or two runs, saw of it is added up: a part has
run when it ran anywhere. Functions inside one that never ran are not told of: nobody compiled them.
"""

from collections.abc import Iterable

import msgspec

Range = tuple[int, int]  # characters from, up to


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """A function of a script."""

    name: str
    line: int  # of its script, from 1
    start: int
    end: int
    ran: bool


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """What has run of a script."""

    url: str
    hash: str
    length: int  # characters
    covered: tuple[Range, ...]  # disjoint, in order
    functions: tuple[Function, ...]  # in order

    @property
    def key(self) -> tuple[str, str]:
        return self.url, self.hash

    def with_more(self, other: "Script") -> "Script":
        """What this and another saw of the same script."""
        known = {(each.start, each.end): each for each in self.functions}
        for each in other.functions:
            before = known.get((each.start, each.end))
            if before is None or (each.ran and not before.ran):
                known[each.start, each.end] = each
        functions = tuple(known[place] for place in sorted(known, key=lambda place: (place[0], -place[1])))
        return msgspec.structs.replace(self, covered=united((*self.covered, *other.covered)), functions=functions)


def added_up(scripts: Iterable[Script]) -> list[Script]:
    """Each script once, by address."""
    found: dict[tuple[str, str], Script] = {}
    for script in scripts:
        known = found.get(script.key)
        found[script.key] = script if known is None else known.with_more(script)
    return [found[key] for key in sorted(found)]


def united(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """The same characters in as few ranges as possible."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        elif end > start:
            found.append((start, end))
    return tuple(found)


def covered(nested: Iterable[tuple[Range, bool]]) -> tuple[Range, ...]:
    """What has run, by nested ranges: each says whether that ran of which no range inside it speaks."""
    found: list[Range] = []
    around: list[tuple[int, bool]] = []  # ends of the ranges that we are in, the innermost last
    at = 0

    def go(to: int) -> None:
        nonlocal at
        if around and around[-1][1]:
            found.append((at, to))
        at = to

    for (start, end), ran in sorted(nested, key=lambda each: (each[0][0], -each[0][1])):
        while around and around[-1][0] <= start:
            go(around[-1][0])
            around.pop()
        go(start)
        around.append((end, ran))
    while around:
        go(around[-1][0])
        around.pop()
    return united(found)
