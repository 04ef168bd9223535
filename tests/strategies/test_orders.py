"""Orders equal tasks, expressed in ids."""

from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import Order, order_of
from statecrawl.strategies.task import Task


def test_a_task_in_names() -> None:
    graph = Graph()
    for room in "ABC":
        graph.add_state(room, [Event.named(f"to {other}") for other in "ABC"])
    graph.explore(0, 1, 1)
    order = order_of(Task(0, None, True, ((0, 1),), (1, 2)), graph)
    assert order == Order(reset=True, start="A", steps=(("to B", "B"), ("to C", None)), sure=1)
    assert order.pairs == (("A", "to B"), ("B", "to C"))
    assert order.goal == ("B", "to C")
