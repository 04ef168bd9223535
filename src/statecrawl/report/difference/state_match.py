"""Matching of states: which state of one crawl corresponds to which state of the other.

Theory of operation
    States with the same id are the same, because an id is a hash of the content. All other states have changed, were
    removed or are new. A changed state is still the target of the same event, or still at the same URL, and most of its
    content is the same. So the matching proceeds in rounds, until a round finds no more pairs:

    * pairs that the same event leads to, from states that are already matched (or from the start of both crawls);
    * if there are none, pairs at the same URL.

    Of all pairs of a round that are similar enough, the most similar are matched first. The similarity of two states is
    the number of lines and events that both have, divided by the number that either has. If their lines were not
    stored, only events count.

    The matching is symmetric: exchanging the crawls exchanges the result. Therefore, ties are broken by both ids
    together.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.privacy.redaction import without_hashes

LEAST_ARRIVED = 0.25  # minimum similarity of states that the same event leads to
LEAST_NEARBY = 0.5  # minimum similarity of states at the same URL
MOST_COMPARED = 250_000  # pairs at one URL; if there are more, only those with the same title are compared

Pair = tuple[int, int]  # a state of either crawl


@dataclass
class Side:
    """One of the two crawls."""

    graph: Graph
    urls: Sequence[str]  # by state
    titles: Sequence[str]
    said: Callable[[str], frozenset[str] | None]  # id -> the lines of a state, if they were stored
    _lines: dict[int, frozenset[str]] = field(default_factory=dict)

    def lines(self, state: int) -> frozenset[str]:
        """Return the lines and events of a state, for comparison."""
        known = self._lines.get(state)
        if known is None:
            said = self.said(self.graph.ids[state])
            known = self._lines[state] = self.names(state) | (said or frozenset())
        return known

    def names(self, state: int) -> frozenset[str]:
        """Return the events of a state. Sealed secrets differ between crawls and are ignored."""
        return frozenset(self.vocabulary[number] for number in self.graph.events[state])

    @cached_property
    def vocabulary(self) -> list[str]:
        """Names of events, by number."""
        return [without_hashes(event.local) for event in self.graph.vocabulary]

    @cached_property
    def leads(self) -> list[dict[str, int]]:
        """Targets of the explored events of each state."""
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
    """The matching found so far."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new = old, new
        self.there: dict[int, int] = {}  # old -> new
        self.back: dict[int, int] = {}

    def match(self, one: int, other: int) -> None:
        self.there[one], self.back[other] = other, one

    def is_open(self, one: int, other: int) -> bool:
        return one not in self.there and other not in self.back


def match(old: Side, new: Side) -> StateMatch:
    """Match the states of two crawls."""
    matching = StateMatch(old, new)
    for state, number in old.graph.numbers.items():
        if (other := new.graph.numbers.get(state)) is not None:
            matching.match(number, other)
    while _accept(matching, _arrived(matching), LEAST_ARRIVED) or _accept(matching, _nearby(matching), LEAST_NEARBY):
        pass
    return matching


def _arrived(matching: StateMatch) -> set[Pair]:
    """Return unmatched pairs that the same event leads to."""
    old, new = matching.old, matching.new
    pairs = {(INITIAL, INITIAL)} if len(old.graph) and len(new.graph) else set()
    for one, other in matching.there.items():
        here, there = old.leads[one], new.leads[other]
        pairs |= {(here[event], there[event]) for event in here.keys() & there.keys()}
    return {pair for pair in pairs if matching.is_open(*pair)}


def _nearby(matching: StateMatch) -> set[Pair]:
    """Return unmatched pairs at the same URL."""
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
    """Match the pairs that are similar enough, the most similar first. Return whether there were any."""
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
    """Return the Jaccard similarity of two sets; 1 if both are empty."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _by_place(side: Side, states: Iterable[int]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for state in states:
        places.setdefault(place_of(side.urls[state]), []).append(state)
    return places


def place_of(url: str) -> str:
    """Return a URL without its server, because test servers change their ports."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return parts._replace(scheme="", netloc="").geturl()
