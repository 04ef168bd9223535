"""Judgement: a node fires a new event only in a state that it has looked at itself.

Theory of operation
    Which events must not be fired follows from the plan, from the robots rules and from a snapshot of the state. The
    node that finds a state reports the refusals, and the others hear of them. But a report can be late or lost: the
    journal may lose its last facts, a node may die between two of them, and a journal may come from an earlier run. So
    no node relies on what it has heard. Before it fires anything new in a state, it looks at that state once and
    decides by itself. That costs one look per node and state; whoever found the state has looked already.

    What must never happen: an event that the plan denies is fired, by any node, whatever the others say or fail to say.
"""

from collections.abc import Iterable
from dataclasses import replace

from statecrawl.journal.facts import EventRefused
from statecrawl.model.event import DISMISSED
from statecrawl.strategies.orders import Order, StateEvent


class Inspection:
    """What one node has decided about the states that it has looked at."""

    def __init__(self) -> None:
        self._judged: set[str] = set()
        self._refused: dict[StateEvent, EventRefused] = {}

    def knows(self, state: str) -> bool:
        """Whether this node has looked at a state."""
        return state in self._judged

    def judge(self, state: str, refused: Iterable[EventRefused]) -> None:
        """This node has looked at a state, and nothing but these events is refused there."""
        self.refuse(refused)
        self._judged.add(state)

    def refuse(self, refused: Iterable[EventRefused]) -> None:
        """These events must not be fired."""
        self._refused.update(((fact.state, fact.event), fact) for fact in refused)

    def refusal(self, pair: StateEvent) -> EventRefused | None:
        """Why an event must not be fired; None when it may be."""
        state, event = pair
        found = self._refused.get(pair)
        if found is None and event.endswith(DISMISSED):
            plain = self._refused.get((state, event.removesuffix(DISMISSED)))
            found = plain and EventRefused(state=state, event=event, reason=plain.reason)
        return found

    def blocked(self, order: Order) -> EventRefused | None:
        """The first refused event on the known way to the goal of an order."""
        if not self._refused:
            return None
        return next((found for pair in order.pairs[: order.sure] if (found := self.refusal(pair)) is not None), None)

    def permitted(self, order: Order) -> Order:
        """An order without the guesses behind its goal that this node has not judged, or refuses."""
        for place in range(order.sure + 1, len(order.steps)):
            pair = order.pairs[place]
            if not self.knows(pair[0]) or self.refusal(pair) is not None:
                return replace(order, steps=order.steps[:place])
        return order
