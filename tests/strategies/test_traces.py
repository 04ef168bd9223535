"""Crawls small enough to follow by hand, step by step. A bar is a reset, a star a new state."""

from statecrawl.model.cheapest_paths import Ties
from statecrawl.model.cost import Cost
from statecrawl.strategies.anticipated_hypercubes import CubeSurprise, CubeViolation
from statecrawl.strategies.hypercube import Hypercube
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.testbed.generated import tiny, viol8
from tests.strategies.machines import crawled, traced

RULES = StrategySettings(reset_cost=2, ties=Ties.RESET, search=SearchMethod.REFERENCE)


def test_hypercube_on_an_application_that_breaks_its_promises() -> None:
    assert traced(viol8().truth, "hypercube", RULES) == [
        "s1-e1→s2*",
        "s2-e2→s3*",
        "s3-e3→s4*",
        "| s1-e2→s3",
        "| s1-e3→s5*",
        "s5-e1→s8*",
        "s8-e2→s4",
        "| s2-e3→s8",
        "| s5-e2→s6*",
        "s6-e1→s7*",
        "s7-e4→s4",
        "| s7-e5→s4",
    ]


def test_what_surprised_the_hypercube_and_how() -> None:
    strategy = crawled(viol8().truth, "hypercube", RULES).strategy
    assert isinstance(strategy, Hypercube)
    number = strategy.graph.numbers

    def surprise(state: str, event: str, target: str, *kinds: CubeViolation) -> CubeSurprise:
        position = strategy.graph.position(number[state], event)
        return CubeSurprise(number[state], position, number[target], kinds)

    assert strategy.cubes.surprises == [
        surprise("s1", "e2", "s3", CubeViolation.MERGE, CubeViolation.DISAPPEARING),
        surprise("s6", "e1", "s7", CubeViolation.SPLIT, CubeViolation.APPEARING),
        surprise("s7", "e4", "s4", CubeViolation.MERGE, CubeViolation.DISAPPEARING),
        surprise("s7", "e5", "s4", CubeViolation.MERGE, CubeViolation.DISAPPEARING),
    ]
    assert strategy.cubes.homes[number["s7"]] == (number["s7"], 0), "a cube of its own"


def test_costs_of_the_broken_cube() -> None:
    costs = {name: crawled(viol8().truth, name, RULES) for name in ("hypercube", "greedy", "depth-first")}
    assert {crawl.cost for crawl in costs.values()} == {Cost(17, 6)}
    assert costs["hypercube"].discovery[-1] == Cost(12, 5)
    assert crawled(viol8().truth, "breadth-first", RULES).cost == Cost(24, 11)


def test_menu_on_the_tiny_application() -> None:
    assert traced(tiny().truth, "menu", RULES) == [
        "H-a→A*",
        "A-b→B*",
        "B-x→B",
        "B-c→C*",
        "C-a→A",
        "A-x→A",
        "B-b→B",
        "B-a→A",
        "A-a→A",
        "| H-x→H",
        "H-b→B",
        "C-x→C",
        "C-b→B",
    ]


def test_probability_on_the_tiny_application() -> None:
    trace = traced(tiny().truth, "probability", RULES)
    assert trace[:7] == ["H-a→A*", "A-a→A", "A-b→B*", "B-b→B", "B-a→A", "A-x→A", "B-c→C*"]
    crawl = crawled(tiny().truth, "probability", RULES)
    assert (crawl.discovery[-1], crawl.cost) == (Cost(8, 1), Cost(16, 3))
