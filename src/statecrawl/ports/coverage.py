"""Script coverage: which parts of an application's scripts have run.

A script is identified by its URL and a hash of its text. The coverage seen by several pages or runs is merged: a range
is covered if it ran anywhere. Functions nested in a function that never ran are missing, because V8 has not compiled
them.
"""

from collections.abc import Iterable

import msgspec

Range = tuple[int, int]  # offsets in characters: start, end (exclusive)


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """Function of a script."""

    name: str
    line: int  # in its script, from 1
    start: int
    end: int
    ran: bool


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """Coverage of one script."""

    url: str
    hash: str
    length: int  # characters
    covered: tuple[Range, ...]  # disjoint, in order
    functions: tuple[Function, ...]  # in order

    @property
    def key(self) -> tuple[str, str]:
        return self.url, self.hash

    def merged_with(self, other: "Script") -> "Script":
        """Combine two coverages of the same script."""
        functions = {(each.start, each.end): each for each in self.functions}
        for each in other.functions:
            known = functions.get((each.start, each.end))
            if known is None or (each.ran and not known.ran):
                functions[each.start, each.end] = each
        in_order = sorted(functions, key=lambda place: (place[0], -place[1]))
        return msgspec.structs.replace(
            self,
            covered=merged_ranges((*self.covered, *other.covered)),
            functions=tuple(functions[place] for place in in_order),
        )


def merged_scripts(scripts: Iterable[Script]) -> list[Script]:
    """Merge the coverages of each script. The result is sorted by URL."""
    merged: dict[tuple[str, str], Script] = {}
    for script in scripts:
        known = merged.get(script.key)
        merged[script.key] = script if known is None else known.merged_with(script)
    return [merged[key] for key in sorted(merged)]


def merged_ranges(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Cover the same characters with as few ranges as possible."""
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif end > start:
            merged.append((start, end))
    return tuple(merged)


def covered(nested: Iterable[tuple[Range, bool]]) -> tuple[Range, ...]:
    """Flatten nested ranges to those that ran. The innermost range around a character decides whether it ran."""
    ran_ranges: list[Range] = []
    enclosing: list[tuple[int, bool]] = []  # end and flag of the ranges around `position`, the innermost last
    position = 0

    def advance(to: int) -> None:
        nonlocal position
        if enclosing and enclosing[-1][1]:
            ran_ranges.append((position, to))
        position = to

    for (start, end), ran in sorted(nested, key=lambda each: (each[0][0], -each[0][1])):
        while enclosing and enclosing[-1][0] <= start:
            advance(enclosing[-1][0])
            enclosing.pop()
        advance(start)
        enclosing.append((end, ran))
    while enclosing:
        advance(enclosing[-1][0])
        enclosing.pop()
    return merged_ranges(ran_ranges)
