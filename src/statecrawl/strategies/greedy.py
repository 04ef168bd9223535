"""Greedy: fire an event of the current state, otherwise of the nearest state that has one (Peng et al., 2012)."""

from typing import ClassVar

from statecrawl.model.graph import Graph
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Choice, Strategy
from statecrawl.strategies.task import Pair


class Greedy(Strategy):
    """Greedy strategy without preference among equally near states."""

    name: ClassVar[str] = "greedy"
    _takes_nearest: ClassVar[bool] = True

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        super().__init__(graph, settings)
        self._open = self._index()

    def _refresh(self, state: int) -> None:
        if self.free[state]:
            self._open.open(state, self._tier(state))
        else:
            self._open.close(state)

    def _choose(self, walker: int, position: int | None) -> Choice | None:
        route = self._open.nearest(position)
        return None if route is None else (route, self._pick(self.free[route.goal], route.goal))

    def _would_choose(self, state: int) -> Pair | None:
        free = self.free[state]
        return (state, self._pick(free, state)) if free and self._diversity is None else None
