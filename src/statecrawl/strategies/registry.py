"""Registry of strategies by name."""

from statecrawl.errors import UnknownName
from statecrawl.model.graph import Graph
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.hypercube import Hypercube
from statecrawl.strategies.menu import Menu
from statecrawl.strategies.novelty import Novelty
from statecrawl.strategies.probability import Probability, Ratio
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.traversal import BreadthFirst, BreadthFirstDefault, DepthFirst, DepthFirstDefault

STRATEGIES: dict[str, type[Strategy]] = {
    "breadth-first": BreadthFirst,
    "breadth-first-default": BreadthFirstDefault,
    "depth-first": DepthFirst,
    "depth-first-default": DepthFirstDefault,
    "greedy": Greedy,
    "hypercube": Hypercube,
    "menu": Menu,
    "novelty": Novelty,
    "probability": Probability,
    "probability-ratio": Ratio,
}


def make_strategy(name: str, graph: Graph, settings: StrategySettings) -> Strategy:
    """Create a strategy by name over an empty graph. Raises UnknownName."""
    if name not in STRATEGIES:
        raise UnknownName("strategy", name, STRATEGIES)
    return STRATEGIES[name](graph, settings)
