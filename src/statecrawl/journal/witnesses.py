"""Witnesses: paths that were actually walked, from a reset to the state that they found.

A shortest path through the graph combines transitions of different sessions, and an application with hidden state may
not follow it. A witness is the sequence of events that one page fired, in one session, when it found the state.

Each state stores only its own part: the events since the previous state found by the same walk. The states in between
are not stored. They follow from the graph, except where an event led to different states; there, a search finds the
path that ends in the right state. Old journals have no witnesses, and neither have states that were found after a page
had changed by itself. For these, only the shortest path is available.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from statecrawl.journal.fold import FoldedCrawl, Pair
from statecrawl.model.graph import INITIAL, UNEXPLORED
from statecrawl.model.shortest_paths import ShortestPaths, shortest_paths_of

MOST_TRIES = 10_000  # steps of the search where events led to different states


class _PathPlace(NamedTuple):
    """Node of the search: events fired so far, state reached, and predecessor."""

    step: int
    state: int
    before: "_PathPlace | None"
    pair: Pair | None


@dataclass(frozen=True, slots=True)
class WitnessPaths:
    """Paths to the states of a crawl: the witness if it is short enough, otherwise the shortest path."""

    crawl: FoldedCrawl
    shortest: ShortestPaths
    most: int  # events of a witness; longer ones take too long to replay

    def is_reachable(self, state: int) -> bool:
        return self.shortest.depths[state] >= 0 or self.walked(state) is not None

    def to(self, state: int) -> list[Pair]:
        """Return the pairs (state, position) to fire, in order; empty if the state cannot be reached."""
        walked = self.walked(state)
        return self.shortest.to(state) if walked is None else walked

    def walked(self, state: int) -> list[Pair] | None:
        """Return the witness of a state if it has one that is short enough."""
        events = events_of(self.crawl, state, self.most)
        return None if events is None else _resolved(self.crawl, events, state)


def witness_paths_of(crawl: FoldedCrawl, most: int) -> WitnessPaths:
    return WitnessPaths(crawl, shortest_paths_of(crawl.graph), most)


def events_of(crawl: FoldedCrawl, state: int, most: int) -> list[str] | None:
    """Return the ids of the events that first reached a state; None if unknown or too many."""
    parts: list[Sequence[str]] = []
    witness = crawl.witnesses.get(state)
    walk, length = (None, 0) if witness is None else (witness[0], len(witness[2]))
    while witness is not None and witness[0] == walk and length <= most:
        parts.append(witness[2])
        if witness[1] is None:
            return [event for part in reversed(parts) for event in part]
        witness = crawl.witnesses.get(witness[1])
        length += 0 if witness is None else len(witness[2])
    return None


def _resolved(crawl: FoldedCrawl, events: Sequence[str], goal: int) -> list[Pair] | None:
    """Resolve event ids to pairs on a path from the initial state to `goal`; None if there is no such path."""
    open_places = [_PathPlace(0, INITIAL, None, None)]
    seen = {(0, INITIAL)}
    while open_places and len(seen) < MOST_TRIES + len(events):
        place = open_places.pop()
        if place.step == len(events):
            if place.state == goal:
                return _walked(place)
            continue
        pair = _pair(crawl, place.state, events[place.step])
        for target in reversed(_targets(crawl, pair)):
            if (at := (place.step + 1, target)) not in seen:
                seen.add(at)
                open_places.append(_PathPlace(*at, place, pair))
    return None


def _pair(crawl: FoldedCrawl, state: int, event: str) -> Pair | None:
    names = (crawl.graph.vocabulary[number].local for number in crawl.graph.events[state])
    return next(((state, position) for position, name in enumerate(names) if name == event), None)


def _targets(crawl: FoldedCrawl, pair: Pair | None) -> list[int]:
    """Return the states an event led to, the expected one first."""
    if pair is None:
        return []
    expected = crawl.graph.targets[pair[0]][pair[1]]
    landed = dict.fromkeys([expected, *crawl.graph.divergences.get(pair, ())])
    return [target for target in landed if target != UNEXPLORED]


def _walked(place: _PathPlace) -> list[Pair]:
    pairs = []
    at: _PathPlace | None = place
    while at is not None:
        if at.pair is not None:
            pairs.append(at.pair)
        at = at.before
    return pairs[::-1]
