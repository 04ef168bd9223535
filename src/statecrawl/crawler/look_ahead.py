"""Look-ahead: orders that also name the events which the strategy would choose next.

A walker that knows them need not return to the strategy after each event. Only as much is planned as can be predicted.
"""

from statecrawl.config.plan import CrawlLimits
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.likely_targets import LikelyTargets
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import StateEvent
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Pair, Task

MOST_NEW = 8  # events of one walk that have not been fired before, and
LONGEST_SECONDS = 0.5  # that they may take: the user may want the crawl to stop


def look_ahead(
    task: Task, graph: Graph, strategy: Strategy, likely_targets: LikelyTargets, suspects: set[StateEvent], most: int
) -> tuple[tuple[Pair, int], ...]:
    """Return what the walker would be given after this task: pairs, each with the state in which it should be fired.

    The task and these pairs are at most `most` new events. The walker holds all of them from now on.
    """
    ahead: list[tuple[Pair, int]] = []
    named = _named(graph, task.pair)
    while len(ahead) + 1 < most and named not in suspects:
        target = likely_targets.guess(named[1], named[0])
        state = None if target is None else graph.numbers.get(target)
        following = None if state is None else strategy.look_ahead(task.walker, state)
        if state is None or following is None or (next_named := _named(graph, following)) in suspects:
            break
        ahead.append((following, state))
        named = next_named
    return tuple(ahead)


def most_new_events(times: EventTimes, limits: CrawlLimits, fired: int, pages: int) -> int:
    """How many new events one walk may fire."""
    if limits.events is not None and limits.events - fired < 2 * MOST_NEW * pages:
        return 1  # near the limit no walker looks ahead
    seconds = times.events[-1] if times.events else LONGEST_SECONDS
    return min(MOST_NEW, int(LONGEST_SECONDS / max(seconds, 1e-3)))


def _named(graph: Graph, pair: Pair) -> StateEvent:
    return graph.ids[pair[0]], graph.event(*pair).local
