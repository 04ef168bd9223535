"""Detection of a crawl that is stuck in one widget, such as a growing list or a counter.

Theory of operation
    Each new state is compared with the last few states at the same URL, by the lines of their normal forms. Two states
    differ in the innermost element around everything between their common beginning and their common end. Of the states
    compared, the one that differs in the smallest part of the page counts. The deepest element in which at least half
    of the states differ is the widget, unless it was most of the page in the first state there: then it is the
    application itself, and the advice to ignore it would be useless.

    A comparison costs little more than one pass over a normal form. Of large crawls only some states are compared: all
    of the first 100, then fewer and fewer, so that there are never more than a few thousand comparisons.
"""

import itertools
import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from operator import ne

from statecrawl.ports.page import LINE_END

LEAST_STATES = 30  # that differ only in a widget, before there is a warning
LEAST_SHARE = 0.5  # of all states that were compared
CHECK_STATES = 10  # between two checks
MOST_PAGE = 0.8  # share of the lines of a page that a widget has at first
COMPARED = 3  # states with which each is compared
ALL_OF = 100  # states, of which all are compared
MOST_URLS = 100  # whose states are stored
MOST_LINES = 20_000  # of one state; larger ones are not compared
INSIDE = "/~"  # ends the path of a frame or of an element with a shadow tree
WHOLE = re.compile(r"(?:html|body)(?:\.[^/]*)?")  # no widgets
OF_ONE_NODE = "the states that one node met first"  # in a fleet
BEGINNING = "stuck in one widget: "
_COUNT = re.compile(r"\((\d+) of \d+\)")
_NAME = re.compile(r"[^\w-]")
_OPENS, _CLOSES = "\x1f<\x1f", "\x1f>\x1f"  # in the lines with which an element begins and ends


@dataclass(frozen=True, slots=True)
class Widget:
    """An element in which most states differ."""

    path: str  # in the normal form
    states: int  # that differ only there
    compared: int

    @property
    def selector(self) -> str:
        """The element as a selector for `--ignore`."""
        steps = self.path.rpartition(INSIDE + "/")[2].removesuffix(INSIDE).strip("/").split("/")
        return " > ".join(map(_escaped, steps))

    def sentence(self, states: str = "the states") -> str:
        """Return the warning; `states` tells which states were compared."""
        share = self.states / self.compared
        return (
            f"{BEGINNING}{share:.0%} of {states} ({self.states} of {self.compared}) differ only in '{self.selector}':"
            f" --ignore '{self.selector}' leaves it out"
        )


class WidgetWatch:
    """Watches new states for a widget."""

    def __init__(self) -> None:
        self._states = 0
        self._compared = 0
        self._recent: dict[
            str, deque[str]
        ] = {}  # URL -> normal forms of its last states; the latest URLs are at the end
        self._first: dict[str, str] = {}  # URL -> normal form of the first state there
        self._differing: Counter[tuple[str, ...]] = Counter()  # elements around where states differ, outermost first

    def add(self, url: str, normal: str) -> None:
        """Compare a new state with the last ones at its URL."""
        self._states += 1
        if self._states > ALL_OF and self._states % isqrt(self._states // ALL_OF * 4):
            return
        if not normal or normal.count(LINE_END) > MOST_LINES:
            return
        place = url.partition("#")[0]
        recent = self._recent[place] = self._recent.pop(place, deque(maxlen=COMPARED))
        if len(self._recent) > MOST_URLS:
            self._first.pop(oldest := next(iter(self._recent)), None)
            del self._recent[oldest]
        self._compared += 1
        if recent:
            lines = normal.split(LINE_END)
            self._first.setdefault(place, recent[0])
            places = [_difference(before.split(LINE_END), lines) for before in recent]
            self._differing[max(_around(lines, places), key=len)] += 1
        recent.append(normal)

    @property
    def is_due(self) -> bool:
        """Whether enough states were compared since the last check."""
        return self._compared % CHECK_STATES == 0

    def stuck(self) -> Widget | None:
        """Return the widget in which most states differ, if there is one."""
        counts: Counter[tuple[str, ...]] = Counter()
        for place, count in self._differing.items():
            for depth in range(1, len(place) + 1):
                counts[place[:depth]] += count
        least = max(LEAST_STATES, LEAST_SHARE * self._compared)
        found = [(len(place), place[-1], count) for place, count in counts.items() if count >= least]
        if not found:
            return None
        _, path, count = max(found)
        if WHOLE.fullmatch(path.rpartition("/")[2]):
            return None
        if any(_share(first.split(LINE_END), path) > MOST_PAGE for first in self._first.values()):
            return None
        return Widget(path, count, self._compared)


def differing(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Return the paths of the elements around everything in which two states differ, outermost first."""
    return next(_around(other, [_difference(one, other)]))


def _difference(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """The first line in which two states differ, and how many elements the difference leaves, as 0 or less."""
    begin = _alike(one, other)
    most = min(len(one), len(other)) - begin
    end = min(most, _alike(one[::-1], other[::-1]))
    return begin, min(_least(one[begin : len(one) - end]), _least(other[begin : len(other) - end]))


def _around(lines: Sequence[str], places: Sequence[tuple[int, int]]) -> Iterator[tuple[str, ...]]:
    """Yield for each place the paths of the elements around it, outermost first, in one pass over the lines."""
    around: list[str] = []
    open_at, last = {}, 0
    for begin in sorted({begin for begin, _ in places}):
        for line in lines[last:begin]:
            if _OPENS in line:
                around.append(line.partition("\x1f")[0])
            elif _CLOSES in line and around:
                around.pop()
        open_at[begin], last = tuple(around), begin
    return (open_at[begin][: len(open_at[begin]) + depth] for begin, depth in places)


def _share(lines: Sequence[str], path: str) -> float:
    """The share of the lines of a state that belong to the first element at a path."""
    begin = next((at for at, line in enumerate(lines) if line.startswith(path + _OPENS)), None)
    if begin is None:
        return 0.0
    depth = 0
    for held, line in enumerate(lines[begin:], 1):
        depth += (_OPENS in line) - (_CLOSES in line)
        if depth == 0:
            return held / len(lines)
    return 1.0


def _alike(one: Collection[str], other: Collection[str]) -> int:
    """The number of equal lines at the beginning."""
    differs = map(ne, one, other)
    return next(itertools.compress(itertools.count(), differs), min(len(one), len(other)))


def _least(lines: Iterable[str]) -> int:
    """How many elements these lines leave, as 0 or less."""
    steps = [(_OPENS in line) - (_CLOSES in line) for line in lines]
    return min(itertools.accumulate(steps, initial=0))


def latest(warnings: Iterable[str], *, all_done: bool = False) -> list[str]:
    """Return the warnings, but of those about widgets only the one with the largest figures.

    A crawl that is complete was not stuck.
    """
    all_warnings = list(warnings)
    stuck = [each for each in all_warnings if each.startswith(BEGINNING)]
    last = None if all_done else max(stuck, key=_counted, default=None)
    return [each for each in all_warnings if each == last or each not in stuck]


def withdraw(warnings: dict[str, None]) -> None:
    """Remove the warnings about widgets, because other rules identify states from now on."""
    for each in [each for each in warnings if each.startswith(BEGINNING)]:
        del warnings[each]


def _counted(warning: str) -> int:
    found = _COUNT.search(warning)
    return int(found[1]) if found else 0


def _escaped(step: str) -> str:
    """A step of a path as a selector: #id, tag or tag.class."""
    mark = step[:1] if step[:1] == "#" else ""
    tag, dot, name = ("", "", step[1:]) if mark else step.partition(".")
    return f"{mark}{tag}{dot}{_NAME.sub(lambda found: chr(92) + found[0], name)}"
