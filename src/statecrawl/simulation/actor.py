"""Acting: walking in a true model instead of a browser."""

from dataclasses import dataclass, field

from statecrawl.coordination.inspection import Inspection
from statecrawl.journal.facts import EventRefused, Fact, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.strategies.orders import Order, StateEvent

DENIED = "denied: by the plan"


@dataclass(frozen=True, slots=True)
class Denial:
    """What the plan of a simulated crawl denies. A node sees that when it looks at a state."""

    pairs: frozenset[StateEvent] = frozenset()
    judgement: type[Inspection] = Inspection  # may be another that is wrong, to see that this is noticed


NO_DENIAL = Denial()


@dataclass(slots=True)
class Actor:
    """Stands somewhere in a true model. Like a walker, it judges a state before it fires anything new there."""

    truth: Graph
    position: int | None = None  # None: nothing was opened yet
    denied: frozenset[StateEvent] = frozenset()
    judgement: Inspection = field(default_factory=Inspection)
    fired: int = 0  # events
    wrongly: list[StateEvent] = field(default_factory=list)  # fired though the plan denies it

    @property
    def state(self) -> str | None:
        return None if self.position is None else self.truth.ids[self.position]

    def act(self, order: Order) -> list[Fact]:
        """Walk to the end of an order; what is seen. ValueError when what it was told is not true."""
        if order.reset:
            self.position = INITIAL
        if not order.steps:
            return []
        if self.state != order.start or self.position is None:
            raise ValueError(f"an order begins in {order.start}, and not in {self.state}")
        for event, expected in order.steps[: order.sure]:
            self.position = self._fire(self.position, event)
            if expected != self.state:
                raise ValueError(f"{event} does not lead to {expected}")
        goal = order.goal
        facts = [] if self.judgement.knows(goal[0]) else self._look(self.position)
        refused = self.judgement.refusal(goal)
        if refused is not None:
            return [*facts, refused]
        self.position = self._fire(self.position, goal[1])
        return [*facts, TransitionExplored(state=goal[0], event=goal[1], target=self.truth.ids[self.position])]

    def describe(self) -> StateFound:
        """Where it stands. ValueError when it stands nowhere."""
        if self.position is None:
            raise ValueError("nothing was opened yet")
        truth = self.truth
        return StateFound.of(truth.ids[self.position], [truth.vocabulary[each] for each in truth.events[self.position]])

    def meet(self) -> list[Fact]:
        """The same, and what must not be fired there."""
        found = self.describe()
        return [found, *self._look(self.truth.numbers[found.state])]

    def _look(self, at: int) -> list[Fact]:
        state = self.truth.ids[at]
        names = [self.truth.vocabulary[each].local for each in self.truth.events[at]]
        refused = [
            EventRefused(state=state, event=name, reason=DENIED) for name in names if (state, name) in self.denied
        ]
        self.judgement.judge(state, refused)
        return list(refused)

    def _fire(self, at: int, event: str) -> int:
        truth, pair = self.truth, (self.truth.ids[at], event)
        self.fired += 1
        if pair in self.denied:
            self.wrongly.append(pair)
        return truth.targets[at][truth.position(at, event)]
