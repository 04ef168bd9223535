"""The table: pages, columns and days are independent, and tasks are as long as published."""

import pytest

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.dyna_table import EVENT_SECONDS, RESET_COST, dyna_table
from statecrawl.testbed.published import NEXT_TASK


@pytest.fixture(scope="module")
def graph() -> Graph:
    return dyna_table().truth


def target(graph: Graph, state: str, event: str) -> str:
    number = graph.numbers[state]
    return graph.ids[graph.targets[number][graph.position(number, event)]]


def test_what_leads_where(graph: Graph) -> None:
    assert graph.ids[INITIAL] == "name/mon+tue+wed+fri/page 1"
    assert target(graph, "name/mon/page 3", "first") == "name/mon/page 1"
    assert target(graph, "name/mon/page 3", "previous") == "name/mon/page 2"
    assert target(graph, "name/mon/page 1", "previous") == "name/mon/page 1"
    assert target(graph, "name/mon/page 3", "next") == "name/mon/page 4"
    assert target(graph, "name/mon/page 14", "next") == "name/mon/page 14"
    assert target(graph, "name/mon/page 3", "refresh") == "name/mon/page 3"
    assert target(graph, "name/mon/page 3", "sort by description") == "description/mon/page 3"
    assert target(graph, "name/mon/page 3", "sort by name") == "name/mon/page 3"
    assert target(graph, "name/mon/page 3", "box fri") == "name/mon+fri/page 3"
    assert target(graph, "name/mon/page 3", "box mon") == "name/no days/page 3"
    assert target(graph, "name/mon/page 3", "all days") == "name/mon+tue+wed+fri/page 3"
    assert target(graph, "name/mon/page 3", "no days") == "name/no days/page 3"


def test_starting_over_is_offered_where_the_last_person_is_free(graph: Graph) -> None:
    offered = [state for state, events in zip(graph.ids, graph.events, strict=True) if len(events) == 13]
    assert sorted(offered) == [
        "description/no days/page 14",
        "description/tue/page 14",
        "name/no days/page 14",
        "name/tue/page 14",
    ]
    assert {target(graph, state, "start over") for state in offered} == {graph.ids[INITIAL]}


def test_costs() -> None:
    app = dyna_table()
    assert (app.reset_cost, app.event_seconds) == (RESET_COST, EVENT_SECONDS)


@pytest.mark.parametrize(
    ("strategy", "as_published", "measured"),
    [
        ("greedy", "greedy", 1.77),
        ("probability", "probability", 1.80),
        ("breadth-first-default", "breadth-first", 7.94),
    ],
)
def test_events_per_task_are_near_the_published_ones(
    graph: Graph, strategy: str, as_published: str, measured: float
) -> None:
    crawl = SimulatedCrawl(graph, make_strategy(strategy, Graph(), StrategySettings(reset_cost=RESET_COST)))
    crawl.run()
    per_task = crawl.events / graph.explored
    assert per_task == pytest.approx(measured, rel=0.05)
    assert per_task == pytest.approx(NEXT_TASK[as_published].events, rel=0.1)
