"""Looking ahead: what a walker would be given next, so that it need not come back and ask."""

from statecrawl.crawler.likely_targets import LikelyTargets
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import StateEvent
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Pair, Task


def look_ahead(
    task: Task, graph: Graph, strategy: Strategy, foresight: LikelyTargets, suspects: set[StateEvent], room: int
) -> tuple[tuple[Pair, int], ...]:
    """What the walker would be given after this task, as far as that can be guessed: at most `room` pairs with it.

    The walker holds all of these from now on.
    """
    ahead: list[tuple[Pair, int]] = []
    name = _named(graph, task.pair)
    while len(ahead) + 1 < room and name not in suspects:
        led = foresight.guess(name[1], name[0])
        state = None if led is None else graph.numbers.get(led)
        following = None if state is None else strategy.look_ahead(task.walker, state)
        if state is None or following is None or _named(graph, following) in suspects:
            break
        ahead.append((following, state))
        name = _named(graph, following)
    return tuple(ahead)


def _named(graph: Graph, pair: Pair) -> StateEvent:
    return graph.ids[pair[0]], graph.event(*pair).local
