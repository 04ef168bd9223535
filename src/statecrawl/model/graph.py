"""The application graph: every state found, its ordered events, and where the explored ones lead.

Theory of operation
    States are numbered 0, 1, 2, … in the order in which they were found; 0 is the initial state. Inside a state an
    event is named by its *position* in the state's ordered list of enabled events, so a pair (state, position)
    names one possible transition. Ids (text) appear only at the edges: in facts, files and reports. An event that
    showed itself only after its state was found comes last, so positions never change.

    `targets[s][p]` is the state that event p of state s led to, or UNEXPLORED. Exploring a pair is final: a second
    exploration of the same pair is either the same again (nothing happens) or a divergence.

    A divergence (the application is not deterministic here) never breaks anything: it is counted per pair, and after
    MAX_DIVERGENCES the pair is no longer used for travelling. It stays in `targets`, and so in every report. Going
    back in the history depends on the way to a state, and is never used for travelling.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from statecrawl.model.event import BACK, Event
from statecrawl.model.successors import Successors

UNEXPLORED = -1
INITIAL = 0
MAX_DIVERGENCES = 3  # by the third surprise at the same pair, travelling over it costs more than it saves


@dataclass(frozen=True, slots=True)
class Statistics:
    """A graph in numbers."""

    states: int
    transitions: int  # explored pairs
    unexplored: int  # enabled pairs not explored yet
    logical_events: int
    diverged: int  # distinct pairs that surprised us at least once

    @property
    def complete(self) -> bool:
        return self.states > 0 and self.unexplored == 0


class Graph:
    """Grows by `add_state`, `add_event`, `explore` and `diverge`; every other method only reads."""

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
        self.divergences: dict[tuple[int, int], list[int]] = {}  # pair -> where it landed instead
        self._event_numbers: dict[Event, int] = {}
        self._back = UNEXPLORED  # the number of the event BACK, once a state has it
        self._logical_numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def add_state(self, state_id: str, events: Iterable[Event]) -> int:
        """The number of this state, adding it when it is new. A known state keeps the events it was found with."""
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
        """The position of this event in the state, adding it behind the others when its local id is new there."""
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
        """Record where a pair leads; True when this made two states neighbours that were not."""
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
        """Record that a known pair led elsewhere; True when this took away the link between two states."""
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
        """Whether a pair may be used to get somewhere: explored, and not unreliable."""
        if self.targets[state][position] == UNEXPLORED or self.events[state][position] == self._back:
            return False
        return len(self.divergences.get((state, position), ())) < MAX_DIVERGENCES

    def pending(self, state: int) -> list[int]:
        """The unexplored positions of a state, in enabled order."""
        return [position for position, target in enumerate(self.targets[state]) if target == UNEXPLORED]

    def event(self, state: int, position: int) -> Event:
        return self.vocabulary[self.events[state][position]]

    def logical(self, state: int, position: int) -> int:
        """The logical number of a pair's event."""
        return self.logical_of[self.events[state][position]]

    def position(self, state: int, local: str) -> int:
        """Where the event with this local id stands in the state; KeyError when the state does not enable it."""
        for position, number in enumerate(self.events[state]):
            if self.vocabulary[number].local == local:
                return position
        raise KeyError(local)

    def transitions(self) -> Iterator[tuple[int, int, int]]:
        """Every explored (state, position, target), by state and position."""
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
        """Whether both know the same states, events and transitions, in whatever order they were found."""
        return self.facts() == other.facts()

    def facts(self) -> dict[str, dict[Event, str | None]]:
        """State id -> event -> id of the state it leads to, None where unexplored. Free of numbering and order."""
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
