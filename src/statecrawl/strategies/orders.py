"""Orders: what a walker is asked to do, in names that mean the same on every machine."""

from dataclasses import dataclass
from functools import cached_property

from statecrawl.model.graph import Graph
from statecrawl.strategies.task import Pair, Task

Step = tuple[str, str | None]  # an event, and the state it should lead to when that is known
StateEvent = tuple[str, str]  # a state and one of its events


@dataclass(frozen=True)
class Order:
    """Go a known way, then fire what nobody has fired yet. Without steps: open the application.

    The states that the first `sure` steps should lead to are known, those of the others are guesses; nobody has to know
    where the last one leads.
    """

    reset: bool
    start: str  # the state in which the steps begin
    steps: tuple[Step, ...]
    sure: int

    @cached_property
    def pairs(self) -> tuple[StateEvent, ...]:
        """Each step with the state in which it is taken."""
        states = (self.start, *(state or "" for _, state in self.steps[:-1]))
        return tuple((state, event) for state, (event, _) in zip(states, self.steps, strict=True))

    @property
    def goal(self) -> StateEvent:
        """The first pair that is new."""
        return self.pairs[self.sure]


OPEN = Order(reset=True, start="", steps=(), sure=0)


def order_of(task: Task, graph: Graph, ahead: tuple[tuple[Pair, int], ...] = ()) -> Order:
    """A task in names; `ahead` is what comes after it, each with the state in which it should be fired."""
    ids, new = graph.ids, (task.pair, *(pair for pair, _ in ahead))
    steps: list[Step] = [(graph.event(*pair).local, ids[graph.targets[pair[0]][pair[1]]]) for pair in task.path]
    guesses = [*(ids[led] for _, led in ahead), None]
    steps += [(graph.event(*pair).local, led) for pair, led in zip(new, guesses, strict=True)]
    start = task.path[0][0] if task.path else task.pair[0]
    return Order(task.reset, ids[start], tuple(steps), len(task.path))
