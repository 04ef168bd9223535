"""Inspection: a node fires a new event only in a state that it has inspected itself.

Theory of operation
    Which events must not be fired follows from the plan, the robots rules and a snapshot of the state. The node that
    finds a state reports the refusals, and the other nodes receive them. But a report can be late or lost: the journal
    may lose its last facts, a node may die between two of them, and a journal may stem from an earlier run. So no node
    relies on the refusals it has received. Before it fires a new event in a state, it inspects that state once and
    decides for itself. This costs one inspection per node and state; the finder of a state has inspected it already.

    What must never happen: that any node fires an event that the plan denies, whatever the other nodes report or fail
    to report.
"""

from collections.abc import Iterable
from dataclasses import replace

from statecrawl.journal.facts import EventRefused
from statecrawl.model.event import DISMISSED
from statecrawl.strategies.orders import Order, StateEvent


class Inspection:
    """Decisions of one node about the states that it has inspected."""

    def __init__(self) -> None:
        self._judged: set[str] = set()
        self._refused: dict[StateEvent, EventRefused] = {}

    def knows(self, state: str) -> bool:
        """Whether this node has inspected a state."""
        return state in self._judged

    def judge(self, state: str, refused: Iterable[EventRefused]) -> None:
        """Record that this node has inspected a state, and which of its events must not be fired."""
        self.refuse(refused)
        self._judged.add(state)

    def refuse(self, refused: Iterable[EventRefused]) -> None:
        """Record events that must not be fired."""
        self._refused.update(((fact.state, fact.event), fact) for fact in refused)

    def refusal(self, pair: StateEvent) -> EventRefused | None:
        """Return why an event must not be fired; None when it may be fired."""
        state, event = pair
        found = self._refused.get(pair)
        if found is None and event.endswith(DISMISSED):
            plain = self._refused.get((state, event.removesuffix(DISMISSED)))
            found = plain and EventRefused(state=state, event=event, reason=plain.reason)
        return found

    def blocked(self, order: Order) -> EventRefused | None:
        """Return the refusal of the first refused event on the known path of an order, if any."""
        if not self._refused:
            return None
        return next((found for pair in order.pairs[: order.sure] if (found := self.refusal(pair)) is not None), None)

    def permitted(self, order: Order) -> Order:
        """Return the order without predicted steps in states that were not inspected, or whose events are refused."""
        for place in range(order.sure + 1, len(order.steps)):
            pair = order.pairs[place]
            if not self.knows(pair[0]) or self.refusal(pair) is not None:
                return replace(order, steps=order.steps[:place])
        return order
