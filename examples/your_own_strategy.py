"""A custom strategy: implement what it chooses, and the base class does the rest.

This one goes to the nearest state with the fewest events left, to finish states off. It is compared with greedy, of
which it is a variation. `_refresh` updates the index of targets, and `_choose` queries it.
"""

from typing import ClassVar

from statecrawl.model.graph import Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Choice, Strategy
from statecrawl.testbed.catalogue import application


class FinishOff(Strategy):
    """The nearest state; among equally near ones, the one with the fewest events left."""

    name: ClassVar[str] = "finish-off"

    def __init__(self, graph: Graph, rules: StrategySettings) -> None:
        super().__init__(graph, rules)
        self._open = self._index()

    def _refresh(self, state: int) -> None:
        left = len(self.free[state])
        if left:
            self._open.open(state, rank=left)
        else:
            self._open.close(state)

    def _choose(self, walker: int, position: int | None) -> Choice | None:
        route = self._open.nearest(position)
        return None if route is None else (route, self._pick(self.free[route.goal], route.goal))


def main() -> None:
    for name in ("altoro", "file-tree:httpd", "periodic-table"):
        app = application(name)
        for strategy in (Greedy, FinishOff):
            crawl = SimulatedCrawl(app.truth, strategy(Graph(), StrategySettings(reset_cost=app.reset_cost)))
            crawl.run()
            print(f"{name:<16}{strategy.name:<12}{crawl.cost.events:>8,} events {crawl.cost.resets:>4} resets")


if __name__ == "__main__":
    main()
