"""Matching: which state of one crawl is which of the other.

Theory of operation
    States with the same id are the same: an id says what a state is. What is left has changed, or is gone or new. A
    state that has changed is still found at the end of the same event, or at the same address, and still says most of
    what it said. So, in rounds, as long as a round finds anything:

    * pairs that the same event leads to, from states that are matched already (or that both crawls began with);
    * when that finds nothing more, pairs at the same address.

    Of all pairs of a round that are alike enough, the most alike are matched first. Two states are as alike as the
    share of lines and events that both have of all that either has; where nobody kept what they said, of events alone.

    Nothing here knows which of the crawls is the older one: exchanging them exchanges the answer. That is why ties are
    broken by both ids together.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.privacy.redaction import without_hashes

LEAST_ARRIVED = 0.25  # how alike states must be that the same event leads to
LEAST_NEARBY = 0.5  # and states that only have their address in common
MOST_COMPARED = 250_000  # pairs at one address; where there are more, only those with the same title are compared

Pair = tuple[int, int]  # a state of either crawl


@dataclass
class Side:
    """One of the two crawls."""

    graph: Graph
    urls: Sequence[str]  # by state
    titles: Sequence[str]
    said: Callable[[str], frozenset[str] | None]  # id -> the lines of a state, as far as they were kept
    _lines: dict[int, frozenset[str]] = field(default_factory=dict)

    def lines(self, state: int) -> frozenset[str]:
        """What tells how alike two states are."""
        known = self._lines.get(state)
        if known is None:
            said = self.said(self.graph.ids[state])
            known = self._lines[state] = self.names(state) | (said or frozenset())
        return known

    def names(self, state: int) -> frozenset[str]:
        """Its events. Each crawl seals secrets in its own way, so they make no difference."""
        return frozenset(self.vocabulary[number] for number in self.graph.events[state])

    @cached_property
    def vocabulary(self) -> list[str]:
        """What events are called, by their numbers."""
        return [without_hashes(event.local) for event in self.graph.vocabulary]

    @cached_property
    def leads(self) -> list[dict[str, int]]:
        """For each state, where its events lead that were explored."""
        graph = self.graph
        return [
            {
                self.vocabulary[number]: target
                for number, target in zip(events, graph.targets[state], strict=True)
                if target != UNEXPLORED
            }
            for state, events in enumerate(graph.events)
        ]


class StateMatch:
    """The answer, which grows."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new = old, new
        self.there: dict[int, int] = {}  # old -> new
        self.back: dict[int, int] = {}

    def match(self, one: int, other: int) -> None:
        self.there[one], self.back[other] = other, one

    def is_open(self, one: int, other: int) -> bool:
        return one not in self.there and other not in self.back


def match(old: Side, new: Side) -> StateMatch:
    """Find out which state is which."""
    matching = StateMatch(old, new)
    for state, number in old.graph.numbers.items():
        if (other := new.graph.numbers.get(state)) is not None:
            matching.match(number, other)
    while _accept(matching, _arrived(matching), LEAST_ARRIVED) or _accept(matching, _nearby(matching), LEAST_NEARBY):
        pass
    return matching


def _arrived(matching: StateMatch) -> set[Pair]:
    """Pairs that the same event leads to."""
    old, new = matching.old, matching.new
    pairs = {(INITIAL, INITIAL)} if len(old.graph) and len(new.graph) else set()
    for one, other in matching.there.items():
        here, there = old.leads[one], new.leads[other]
        pairs |= {(here[event], there[event]) for event in here.keys() & there.keys()}
    return {pair for pair in pairs if matching.is_open(*pair)}


def _nearby(matching: StateMatch) -> set[Pair]:
    """Pairs at the same address."""
    old, new = matching.old, matching.new
    left = _by_place(old, (state for state in range(len(old.graph)) if state not in matching.there))
    right = _by_place(new, (state for state in range(len(new.graph)) if state not in matching.back))
    pairs: set[Pair] = set()
    for place in left.keys() & right.keys():
        all_of_them = len(left[place]) * len(right[place]) <= MOST_COMPARED
        pairs |= {
            (one, other)
            for one in left[place]
            for other in right[place]
            if all_of_them or old.titles[one] == new.titles[other]
        }
    return pairs


def _accept(matching: StateMatch, pairs: Iterable[Pair], least: float) -> bool:
    """Match those that are alike enough, the most alike first; whether there were any."""
    old, new = matching.old, matching.new
    ranked = []
    for one, other in pairs:
        alike = likeness(old.lines(one), new.lines(other))
        if alike >= least:
            ids = sorted((old.graph.ids[one], new.graph.ids[other]))
            ranked.append((-alike, ids, one, other))
    ranked.sort(key=lambda each: each[:2])
    found = False
    for _, _, one, other in ranked:
        if matching.is_open(one, other):
            matching.match(one, other)
            found = True
    return found


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of what both have of what either has; 1 when there is nothing."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _by_place(side: Side, states: Iterable[int]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for state in states:
        places.setdefault(place_of(side.urls[state]), []).append(state)
    return places


def place_of(url: str) -> str:
    """An address without its server: a test server has another port each day."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return parts._replace(scheme="", netloc="").geturl()
