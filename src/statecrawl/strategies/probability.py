"""Probability: go where a new state is most likely, considering the distance (Dincturk et al., 2012).

Sources: M. E. Dincturk, S. Choudhary, G. Bochmann, G.-V. Jourdan, I. V. Onut, "A statistical approach for efficient
crawling of rich Internet applications", 2012, as described in Dincturk et al., "A Model-Based Approach for Crawling
Rich Internet Applications", 2014, §5.5.

Theory of operation
    States are compared in order of the cost of reaching them. A nearer state with chance p, at d, is preferred to a
    farther one with chance q, at d + k, if exploring it and then k further events of average chance m is as promising:

        1 − (1 − p) · (1 − m)^k  ≥  q

    Once this holds for the best chance of all states, no farther state can win, and the search ends. All states at the
    same cost are compared together, because only the best of them matters; `Waves` and `Likelihoods` work on sets.

    The rule `ratio` maximizes the chance per action, p / (d + 1), instead. It needs no average.
"""

import math
from typing import ClassVar, NamedTuple

from statecrawl.model.cheapest_paths import CheapestRoute, Settling, Ties
from statecrawl.model.graph import Graph
from statecrawl.model.reachability import Waves
from statecrawl.strategies.likelihoods import Likelihoods
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.strategies.strategy import Choice, Strategy

ROUNDING = 1e-9  # lowers the floor, so that it never hides a state that the exact comparison would choose


class _Candidate(NamedTuple):
    state: int
    chance: float
    cost: float


class Probability(Strategy):
    """Compares chances over equal numbers of steps."""

    name: ClassVar[str] = "probability"
    _later: ClassVar[float] = 1e-9  # extra cost of a reset if walks win ties; the test vectors were made this way

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        super().__init__(graph, settings)
        self._chances = Likelihoods(self.free, settings.aging)
        self._waves = Waves()
        self._leaders = 0  # set of preferred states, with diversity

    # -- what was learnt --

    def _learn_state(self, state: int) -> None:
        self._waves.add_vertex()
        if self._tier(state) == 0:
            self._leaders |= 1 << state
        self._chances.found([self.graph.logical_of[number] for number in self.graph.events[state]])

    def _learn_event(self, state: int, position: int) -> None:
        self._chances.added(state, self.graph.logical(state, position))

    def _taken(self, state: int, position: int) -> None:
        self._chances.taken(state, self.graph.logical(state, position))

    def _put_back(self, state: int, position: int) -> None:
        self._chances.put_back(state, self.graph.logical(state, position))

    def _learn(self, state: int, position: int, target: int, *, is_new: bool) -> None:
        self._chances.explored(self.graph.logical(state, position), is_new=is_new)

    def _linked(self, source: int, target: int) -> None:
        self._waves.add(source, target)

    def link_lost(self, state: int, target: int) -> None:
        self._waves.remove(state, target)

    # -- what to do --

    def _choose(self, walker: int, position: int | None) -> Choice | None:
        find = self._searched if self.settings.search is SearchMethod.REFERENCE else self._spread
        leaders = self._chances.open & self._leaders
        route = (find(position, leaders) if leaders else None) or find(position, self._chances.open)
        return None if route is None else (route, self._pick(self._chances.likeliest(route.goal), route.goal))

    def _spread(self, position: int | None, states: int) -> CheapestRoute | None:
        """Search by sets. May choose any state at the cost that the reference search would choose."""
        spread = self._waves.spread(position, self.settings.reset_cost)
        chances, best = self._chances, self._chances.best
        chosen: _Candidate | None = None
        for cost, wave in spread:
            floor = 0.0 if chosen is None else self._worth(chosen, cost) - ROUNDING
            better = chances.best_among(wave & states, floor)
            if better is not None:
                candidate = _Candidate(*better, cost)
                if chosen is None or self._beats(candidate, chosen):
                    chosen = candidate
            if chosen is not None and not self._beats(_Candidate(chosen.state, best, spread.beyond), chosen):
                break  # nothing farther can win
        return None if chosen is None else spread.route(chosen.state, chosen.cost, self.settings.ties)

    def _searched(self, position: int | None, states: int) -> CheapestRoute | None:
        """Search state by state, in the fixed order of ties."""
        later = self._later if self.settings.ties is Ties.WALK else 0.0
        search = Settling(self.graph, position, self.settings.reset_cost + later, self.settings.ties)
        best = max(map(self._chances.chance_of, range(len(self.graph))))
        chosen: _Candidate | None = None
        for state, cost in search:
            if chosen is not None and not self._beats(_Candidate(state, best, cost), chosen):
                break
            chance = self._chances.chance_of(state) if states >> state & 1 else 0.0
            candidate = _Candidate(state, chance, cost)
            if chance > 0 and (chosen is None or self._beats(candidate, chosen)):
                chosen = candidate
        return None if chosen is None else search.route(chosen.state)

    def _worth(self, nearer: _Candidate, cost: float) -> float:
        """Return the chance that a state at this cost must exceed to be preferred."""
        return 1 - (1 - nearer.chance) * math.pow(1 - self._chances.mean, cost - nearer.cost)

    def _beats(self, farther: _Candidate, nearer: _Candidate) -> bool:
        return farther.chance > self._worth(nearer, farther.cost)


class Ratio(Probability):
    """Maximizes the chance per action."""

    name: ClassVar[str] = "probability-ratio"
    _later: ClassVar[float] = 0.0

    def _worth(self, nearer: _Candidate, cost: float) -> float:
        return nearer.chance / (nearer.cost + 1) * (cost + 1)

    def _beats(self, farther: _Candidate, nearer: _Candidate) -> bool:
        return farther.chance / (farther.cost + 1) > nearer.chance / (nearer.cost + 1)
