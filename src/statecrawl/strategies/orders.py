"""Orders: tasks expressed in ids, which mean the same on every machine."""

from dataclasses import dataclass
from functools import cached_property

from statecrawl.model.graph import Graph
from statecrawl.strategies.task import Pair, Task

Step = tuple[str, str | None]  # event id, and id of the state it should lead to, if known
StateEvent = tuple[str, str]  # state id and event id


@dataclass(frozen=True)
class Order:
    """Walk a known path, then fire unexplored events. An order without steps opens the application.

    The expected states of the first `sure` steps are known, those of the others are guesses. The last step needs no
    expected state.
    """

    reset: bool
    start: str  # id of the state in which the steps start
    steps: tuple[Step, ...]
    sure: int

    @cached_property
    def pairs(self) -> tuple[StateEvent, ...]:
        """State and event of each step."""
        states = (self.start, *(state or "" for _, state in self.steps[:-1]))
        return tuple((state, event) for state, (event, _) in zip(states, self.steps, strict=True))

    @property
    def goal(self) -> StateEvent:
        """The first unexplored pair."""
        return self.pairs[self.sure]


OPEN = Order(reset=True, start="", steps=(), sure=0)


def order_of(task: Task, graph: Graph, ahead: tuple[tuple[Pair, int], ...] = ()) -> Order:
    """Express a task in ids. `ahead` are further pairs, each with the state in which it should be fired."""
    ids, new = graph.ids, (task.pair, *(pair for pair, _ in ahead))
    steps: list[Step] = [(graph.event(*pair).local, ids[graph.targets[pair[0]][pair[1]]]) for pair in task.path]
    guesses = [*(ids[led] for _, led in ahead), None]
    steps += [(graph.event(*pair).local, led) for pair, led in zip(new, guesses, strict=True)]
    start = task.path[0][0] if task.path else task.pair[0]
    return Order(task.reset, ids[start], tuple(steps), len(task.path))
