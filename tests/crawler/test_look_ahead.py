"""Events that can be predicted are part of the same order."""

from statecrawl.crawler.likely_targets import LikelyTargets
from statecrawl.crawler.look_ahead import look_ahead
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import order_of
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Task


def house() -> tuple[Graph, Strategy]:
    """Three rooms with the same three doors; from the first, two of the doors have been tried."""
    graph = Graph()
    strategy = make_strategy("greedy", graph, StrategySettings())
    for room in "ABC":
        graph.add_state(room, [Event.named(f"to {other}") for other in "ABC"])
        strategy.found(len(graph) - 1)
    for target in (1, 2):
        graph.explore(0, target, target)
        strategy.explored(0, target, target, is_new=True)
    return graph, strategy


def test_what_can_be_foreseen_is_in_the_same_order() -> None:
    graph, strategy = house()
    foresight = LikelyTargets()
    foresight.add("to B", "A", "B")
    foresight.add("to C", "A", "C")
    task = strategy.next_task(0, 1)
    assert isinstance(task, Task)
    assert graph.event(*task.pair).local == "to A", "nobody has seen where this leads"
    assert look_ahead(task, graph, strategy, foresight, set(), most=8) == ()
    foresight.add("to A", "B", "A")
    ahead = look_ahead(task, graph, strategy, foresight, set(), most=2)
    order = order_of(task, graph, ahead)
    assert order.steps == (("to A", "A"), ("to A", None))
    assert order.pairs == (("B", "to A"), ("A", "to A"))
    assert order.sure == 0


def test_there_is_no_look_ahead_behind_an_event_that_may_kill_the_page() -> None:
    graph, strategy = house()
    foresight = LikelyTargets()
    for room, door in ("BA", "AB", "AC"):
        foresight.add(f"to {door}", room, door)
    task = strategy.next_task(0, 1)
    assert isinstance(task, Task)
    assert look_ahead(task, graph, strategy, foresight, {("B", "to A")}, most=8) == ()
    assert look_ahead(task, graph, strategy, foresight, {("A", "to A")}, most=8) == ()
