"""Acting: walking in a true model instead of a browser."""

from dataclasses import dataclass

from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.strategies.orders import Order


@dataclass(slots=True)
class Actor:
    """Stands somewhere in a true model."""

    truth: Graph
    position: int | None = None  # None: nothing was opened yet

    @property
    def state(self) -> str | None:
        return None if self.position is None else self.truth.ids[self.position]

    def act(self, order: Order) -> list[Fact]:
        """Walk to the end of an order; what is seen. ValueError when what it was told is not true."""
        truth = self.truth
        if order.reset:
            self.position = INITIAL
        if not order.steps:
            return []
        if self.state != order.start or self.position is None:
            raise ValueError(f"an order begins in {order.start}, and not in {self.state}")
        here = last = self.position
        for event, expected in order.steps:
            last = here
            here = truth.targets[here][truth.position(here, event)]
            if expected not in (None, truth.ids[here]):
                raise ValueError(f"{event} does not lead to {expected}")
        self.position = here
        return [TransitionExplored(state=truth.ids[last], event=order.steps[-1][0], target=truth.ids[here])]

    def describe(self) -> StateFound:
        """Where it stands. ValueError when it stands nowhere."""
        if self.position is None:
            raise ValueError("nothing was opened yet")
        truth = self.truth
        return StateFound.of(truth.ids[self.position], [truth.vocabulary[each] for each in truth.events[self.position]])
