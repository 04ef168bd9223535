"""Orders: what a walker is asked to do, in names that mean the same on every machine."""

from dataclasses import dataclass
from functools import cached_property

from statecrawl.model.graph import Graph
from statecrawl.ports.page import Step
from statecrawl.ports.record import Named
from statecrawl.runtime.foresight import Foresight
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Pair, Task


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
    def pairs(self) -> tuple[Named, ...]:
        """Each step with the state in which it is taken."""
        states = (self.start, *(state or "" for _, state in self.steps[:-1]))
        return tuple((state, event) for state, (event, _) in zip(states, self.steps, strict=True))

    @property
    def goal(self) -> Named:
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


def look_ahead(
    task: Task, graph: Graph, strategy: Strategy, foresight: Foresight, suspects: set[Named], room: int
) -> tuple[tuple[Pair, int], ...]:
    """What the walker would be given after this task, as far as that can be guessed: at most `room` pairs with it.

    The walker holds all of these from now on.
    """
    ahead: list[tuple[Pair, int]] = []
    name = _named(graph, task.pair)
    while len(ahead) + 1 < room and name not in suspects:
        led = foresight.guess(name[1], name[0])
        state = None if led is None else graph.numbers.get(led)
        following = None if state is None else strategy.foresee(task.walker, state)
        if state is None or following is None or _named(graph, following) in suspects:
            break
        ahead.append((following, state))
        name = _named(graph, following)
    return tuple(ahead)


def _named(graph: Graph, pair: Pair) -> Named:
    return graph.ids[pair[0]], graph.event(*pair).local
