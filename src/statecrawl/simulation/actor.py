"""Actor: walks in a true model instead of a browser."""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from statecrawl.coordination.inspection import Inspection
from statecrawl.journal.facts import EventRefused, Fact, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Regions
from statecrawl.strategies.orders import Order, StateEvent

DENIED = "denied: by the plan"


@dataclass(frozen=True, slots=True)
class Denial:
    """Events that the plan of a simulated crawl denies. A node learns of them when it inspects a state."""

    pairs: frozenset[StateEvent] = frozenset()
    inspection: type[Inspection] = Inspection  # tests plant a wrong one, to see that it is detected


NO_DENIAL = Denial()


def no_regions(_: str) -> Regions:
    """Show nothing but the state itself."""
    return ()


@dataclass(slots=True)
class Actor:
    """A page in a true model. Like a walker, it inspects a state before it fires a new event there."""

    truth: Graph
    position: int | None = None  # None before the application was opened
    denied: frozenset[StateEvent] = frozenset()
    inspection: Inspection = field(default_factory=Inspection)
    fired: int = 0  # events
    violations: list[StateEvent] = field(default_factory=list)  # events fired although the plan denies them
    regions: Callable[[str], Regions] = no_regions  # what the parts of the page show in a state

    @property
    def state(self) -> str | None:
        return None if self.position is None else self.truth.ids[self.position]

    def act(self, order: Order) -> list[Fact]:
        """Execute an order and return the facts observed. ValueError when the order contradicts the model."""
        if order.reset:
            self.position = INITIAL
        if not order.steps:
            return []
        if self.state != order.start or self.position is None:
            raise ValueError(f"the order starts in {order.start}, but the page is in {self.state}")
        for event, expected in order.steps[: order.sure]:
            self.position = self._fire(self.position, event)
            if expected != self.state:
                raise ValueError(f"{event} does not lead to {expected}")
        goal = order.goal
        facts = [] if self.inspection.knows(goal[0]) else self._inspect(self.position)
        refused = self.inspection.refusal(goal)
        if refused is not None:
            return [*facts, refused]
        self.position = self._fire(self.position, goal[1])
        return [*facts, TransitionExplored(state=goal[0], event=goal[1], target=self.truth.ids[self.position])]

    def describe(self) -> StateFound:
        """Return the current state. ValueError before the application was opened."""
        if self.position is None:
            raise ValueError("the application was not opened yet")
        truth, state = self.truth, self.truth.ids[self.position]
        found = StateFound.of(state, [truth.vocabulary[each] for each in truth.events[self.position]])
        return msgspec.structs.replace(found, regions=self.regions(state))

    def inspect(self) -> list[Fact]:
        """Return the current state and the events that must not be fired there."""
        found = self.describe()
        return [found, *self._inspect(self.truth.numbers[found.state])]

    def _inspect(self, at: int) -> list[Fact]:
        state = self.truth.ids[at]
        names = [self.truth.vocabulary[each].local for each in self.truth.events[at]]
        refused = [
            EventRefused(state=state, event=name, reason=DENIED) for name in names if (state, name) in self.denied
        ]
        self.inspection.judge(state, refused)
        return list(refused)

    def _fire(self, at: int, event: str) -> int:
        truth, pair = self.truth, (self.truth.ids[at], event)
        self.fired += 1
        if pair in self.denied:
            self.violations.append(pair)
        return truth.targets[at][truth.position(at, event)]
