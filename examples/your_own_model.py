"""Which strategy suits an application like yours? Sketch its states and events, and ask.

The sketch is a shop: a menu on every page, a list of products with details, and a basket from which only one event
leads home.
"""

from statecrawl.model.graph import Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.offline_bounds import all_states, completion
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.application import machine

RESET_COST = 3.0  # loading the page takes as long as three events
PRODUCTS = [f"product {number}" for number in range(1, 9)]


def shop() -> Graph:
    """State -> ordered (event, target state); the crawl starts in the first state."""
    menu = [("menu: home", "home"), ("menu: products", "products"), ("menu: about", "about")]
    pages = {"home": menu, "products": [*menu, *((f"open {name}", name) for name in PRODUCTS)], "about": menu}
    details = {name: [*menu, ("buy", f"basket with {name}")] for name in PRODUCTS}
    baskets = {f"basket with {name}": [("empty", "home")] for name in PRODUCTS}
    return machine({**pages, **details, **baskets})


def main() -> None:
    truth = shop()
    print(f"{len(truth)} states, {truth.explored} transitions")
    print(f"{'strategy':<22}{'all states':>12}{'complete':>10}")
    for name in STRATEGIES:
        crawl = SimulatedCrawl(truth, make_strategy(name, Graph(), StrategySettings(reset_cost=RESET_COST)))
        crawl.run()
        found, done = crawl.discovery[-1].total(RESET_COST), crawl.cost.total(RESET_COST)
        print(f"{name:<22}{found:>12.0f}{done:>10.0f}")
    found, done = all_states(truth, RESET_COST).lower, completion(truth, RESET_COST)
    print(f"{'the least possible':<22}{found:>12.0f}{done:>10.0f}")


if __name__ == "__main__":
    main()
