"""Graph of an application: all states found, their ordered events, and the targets of explored events.

Theory of operation
    States are numbered 0, 1, 2, … in the order in which they were found; 0 is the initial state. Within a state, an
    event is identified by its *position* in the state's ordered list of enabled events, so a pair (state, position)
    identifies one possible transition. Ids (text) appear only at the edges: in facts, files and reports. An event that
    is discovered after its state is appended to the list, so positions never change.

    `targets[s][p]` is the state that event p of state s led to, or UNEXPLORED. Exploring a pair is final: a second
    exploration of the same pair either has the same target (nothing happens) or is a divergence.

    A divergence (the application is not deterministic here) is never an error. Divergences are counted per pair. After
    DOUBTFUL_DIVERGENCES, only paths that start with a reset use the pair, because the application may remember more
    than its pages show; after MAX_DIVERGENCES, no path does. It stays in `targets`, and so in every report. The target
    of going back in the history depends on the path to the state, so paths never use it.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from statecrawl.model.event import BACK, Event
from statecrawl.model.successors import Successors

UNEXPLORED = -1
INITIAL = 0
DOUBTFUL_DIVERGENCES = 2  # from then on, a pair is used only in paths that start with a reset
MAX_DIVERGENCES = 6  # with more surprises at the same pair, using it in paths costs more than it saves


@dataclass(frozen=True, slots=True)
class Statistics:
    """Size of a graph."""

    states: int
    transitions: int  # explored pairs
    unexplored: int  # enabled pairs not explored yet
    logical_events: int
    diverged: int  # distinct pairs with at least one divergence

    @property
    def complete(self) -> bool:
        return self.states > 0 and self.unexplored == 0


class Graph:
    """States, events and transitions found. Changed only by `add_state`, `add_event`, `explore` and `diverge`."""

    def __init__(self) -> None:
        self.ids: list[str] = []  # state number -> state id
        self.numbers: dict[str, int] = {}  # state id -> state number
        self.vocabulary: list[Event] = []  # event number -> event, shared by all states that enable it
        self.events: list[tuple[int, ...]] = []  # state -> event numbers, in enabled order
        self.targets: list[array[int]] = []  # state -> target of each position
        self.remaining: list[int] = []  # state -> number of unexplored positions
        self.links = Successors()
        self.logical_of: list[int] = []  # event number -> logical number
        self.logical_ids: list[str] = []  # logical number -> logical id
        self.unexplored = 0
        self.explored = 0
        self.divergences: dict[tuple[int, int], list[int]] = {}  # pair -> unexpected targets
        self._event_numbers: dict[Event, int] = {}
        self._back = UNEXPLORED  # the number of the event BACK, once a state has it
        self._logical_numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def add_state(self, state_id: str, events: Iterable[Event]) -> int:
        """Add a state if it is new and return its number. A known state keeps its events."""
        known = self.numbers.get(state_id)
        if known is not None:
            return known
        number = len(self.ids)
        enabled = tuple([self._intern(event) for event in events])
        if len({self.vocabulary[event].local for event in enabled}) != len(enabled):
            raise ValueError(f"state {state_id} lists an event twice")
        self.ids.append(state_id)
        self.numbers[state_id] = number
        self.events.append(enabled)
        self.targets.append(array("i", [UNEXPLORED]) * len(enabled))
        self.remaining.append(len(enabled))
        self.links.add_vertex()
        self.unexplored += len(enabled)
        return number

    def add_event(self, state: int, event: Event) -> int:
        """Append an event to a state if its local id is new there, and return its position."""
        enabled = self.events[state]
        for position, number in enumerate(enabled):
            if self.vocabulary[number].local == event.local:
                return position
        self.events[state] = (*enabled, self._intern(event))
        self.targets[state].append(UNEXPLORED)
        self.remaining[state] += 1
        self.unexplored += 1
        return len(enabled)

    def explore(self, state: int, position: int, target: int) -> bool:
        """Record the target of a pair. Return whether this added a link between two states."""
        targets = self.targets[state]
        if targets[position] != UNEXPLORED:
            if targets[position] != target:
                self.diverge(state, position, target)
            return False
        targets[position] = target
        self.remaining[state] -= 1
        self.unexplored -= 1
        self.explored += 1
        return self.travels(state, position) and self.links.add(state, target, position)

    def diverge(self, state: int, position: int, landed: int) -> bool:
        """Record that an explored pair led to a different state. Return whether this removed a link."""
        landings = self.divergences.setdefault((state, position), [])
        landings.append(landed)
        if len(landings) != MAX_DIVERGENCES:
            return False
        target = self.targets[state][position]
        if self.links.successors[state].get(target) != position:
            return False
        self.links.remove(state, target)
        for other, there in enumerate(self.targets[state]):
            if there == target and self.travels(state, other):
                self.links.add(state, target, other)
                return False
        return True

    def travels(self, state: int, position: int) -> bool:
        """Whether a pair may be used in paths: it is explored and reliable."""
        if self.targets[state][position] == UNEXPLORED or self.events[state][position] == self._back:
            return False
        return len(self.divergences.get((state, position), ())) < MAX_DIVERGENCES

    def is_doubtful(self, state: int, target: int) -> bool:
        """Whether the link between two states depends on what happened before, as far as can be told."""
        position = self.links.successors[state].get(target, UNEXPLORED)
        return len(self.divergences.get((state, position), ())) >= DOUBTFUL_DIVERGENCES

    def pending(self, state: int) -> list[int]:
        """Return the unexplored positions of a state, in enabled order."""
        return [position for position, target in enumerate(self.targets[state]) if target == UNEXPLORED]

    def event(self, state: int, position: int) -> Event:
        return self.vocabulary[self.events[state][position]]

    def logical(self, state: int, position: int) -> int:
        """Return the logical number of a pair's event."""
        return self.logical_of[self.events[state][position]]

    def position(self, state: int, local: str) -> int:
        """Return the position of the event with this local id. Raises KeyError if the state does not enable it."""
        for position, number in enumerate(self.events[state]):
            if self.vocabulary[number].local == local:
                return position
        raise KeyError(local)

    def transitions(self) -> Iterator[tuple[int, int, int]]:
        """Iterate over the explored (state, position, target), ordered by state and position."""
        for state, targets in enumerate(self.targets):
            for position, target in enumerate(targets):
                if target != UNEXPLORED:
                    yield state, position, target

    def statistics(self) -> Statistics:
        return Statistics(
            states=len(self.ids),
            transitions=self.explored,
            unexplored=self.unexplored,
            logical_events=len(self.logical_ids),
            diverged=len(self.divergences),
        )

    def same_as(self, other: "Graph") -> bool:
        """Whether both graphs have the same states, events and transitions, in any order."""
        return self.facts() == other.facts()

    def facts(self) -> dict[str, dict[Event, str | None]]:
        """Return state id -> event -> id of its target (None: unexplored), independent of numbering and order."""
        return {
            self.ids[state]: {
                self.vocabulary[number]: None if target == UNEXPLORED else self.ids[target]
                for number, target in zip(self.events[state], targets, strict=True)
            }
            for state, targets in enumerate(self.targets)
        }

    def _intern(self, event: Event) -> int:
        number = self._event_numbers.get(event)
        if number is None:
            number = self._event_numbers[event] = len(self.vocabulary)
            if event.local == BACK:
                self._back = number
            self.vocabulary.append(event)
            logical = self._logical_numbers.setdefault(event.logical, len(self.logical_ids))
            if logical == len(self.logical_ids):
                self.logical_ids.append(event.logical)
            self.logical_of.append(logical)
        return number
