"""Probability: near or far, compared over equal numbers of steps."""

from random import Random

import pytest
from hypothesis import given, settings

from statecrawl.model.graph import Graph
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings, TieOrder
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Pair, Task
from tests.strategies.machines import Expedition, built, crawled, fare, lateness, machines, rules, traced

both_searches = pytest.mark.parametrize("search", SearchMethod)
NEARLY = 1e-6  # chances that differ by less are a tie of rounding


class Weighing:
    """Derives from the facts alone the value of each state, and whether a task was the best one."""

    def __init__(self, trip: Expedition, strategy: Strategy, played: StrategySettings) -> None:
        self.trip = trip
        self.strategy = strategy
        self.played = played

    def chances(self) -> dict[Pair, float]:
        """Return free pair -> chance, by the rule of succession with aging."""
        graph, aging = self.trip.graph, self.played.aging
        tried: dict[int, tuple[float, float]] = {}
        for state, position, _, is_new in self.trip.facts:
            times, finds = tried.get(graph.logical(state, position), (0.0, 0.0))
            tried[graph.logical(state, position)] = (aging * times + 1, aging * finds + is_new)
        free = [(state, position) for state, positions in enumerate(self.strategy.free) for position in positions]
        counts = {pair: tried.get(graph.logical(*pair), (0.0, 0.0)) for pair in free}
        return {pair: (finds + 1) / (times + 2) for pair, (times, finds) in counts.items()}

    def check_average(self, position: int) -> None:
        """Scan states by cost and keep the best one, as in the definition; rounding ties are allowed."""
        task, chances = self.trip.glance(self.strategy, position), self.chances()
        best = {state: max(p for (s, _), p in chances.items() if s == state) for state, _ in chances}
        mean = sum(best.values()) / len(self.trip.graph)
        kept: tuple[float, float] | None = None
        sure = True
        for state, cost in self.trip.reachable(position, self.played.reset_cost).items():
            if state not in best:
                continue
            if kept is not None:
                worth = 1 - (1 - kept[0]) * (1 - mean) ** (cost - kept[1])
                sure = sure and (abs(best[state] - worth) > NEARLY or cost == kept[1])
                if best[state] <= worth + NEARLY:
                    continue
            kept = (best[state], cost)
        self.compare(task, kept, chances, sure=sure)

    def check_ratio(self, position: int) -> None:
        task, chances = self.trip.glance(self.strategy, position), self.chances()
        costs = self.trip.reachable(position, self.played.reset_cost)
        worths = [chance / (costs[pair[0]] + 1) for pair, chance in chances.items() if pair[0] in costs]
        if isinstance(task, NoTask):
            assert not worths
            return
        assert chances[task.pair] / (fare(task, self.played) + 1) == pytest.approx(max(worths))

    def compare(
        self, task: Task | NoTask, kept: tuple[float, float] | None, chances: dict[Pair, float], *, sure: bool
    ) -> None:
        if isinstance(task, NoTask):
            assert kept is None
        elif sure:
            assert kept is not None
            assert chances[task.pair] == pytest.approx(kept[0])
            assert fare(task, self.played) == kept[1]


@given(truth=machines(), played=rules(prefer=StatePreference.NONE), late=lateness)
@settings(max_examples=160, deadline=None)
def test_the_state_is_the_one_the_definition_keeps(truth: Graph, played: StrategySettings, late: Random | None) -> None:
    strategy = make_strategy("probability", Graph(), played)
    trip = Expedition(truth, strategy, late=late)
    trip.crawl(Weighing(trip, strategy, played).check_average)


@given(truth=machines(), played=rules(prefer=StatePreference.NONE), late=lateness)
@settings(max_examples=80, deadline=None)
def test_the_ratio_is_the_greatest_there_is(truth: Graph, played: StrategySettings, late: Random | None) -> None:
    strategy = make_strategy("probability-ratio", Graph(), played)
    trip = Expedition(truth, strategy, late=late)
    trip.crawl(Weighing(trip, strategy, played).check_ratio)


@both_searches
def test_an_event_that_found_something_is_tried_again_elsewhere(search: SearchMethod) -> None:
    """`b` found nothing at s0, `a` found s1: at s1, `a` comes before `b`."""
    truth = built([[("b", 0), ("a", 1)], [("b", 1), ("a", 2)], []])
    assert traced(truth, "probability", StrategySettings(search=search))[:3] == ["s0-b0→s0", "s0-a1→s1*", "s1-a1→s2*"]


@both_searches
def test_aging_lets_an_early_burst_of_finds_fade(search: SearchMethod) -> None:
    """`a` found four states and then nothing twice; the longer memory still prefers it to an event never tried."""
    burst = [[("a", 1)], [("a", 2)], [("a", 3)], [("a", 4)]]
    rows = [*burst, [("a", 4), ("u", 5)], [("a", 5), ("z", 6)], [("a", 6), ("w", 6)]]
    for aging, wanted in ((1.0, "s6-a0→s6"), (0.3, "s6-w1→s6")):
        assert wanted in traced(built(rows), "probability", StrategySettings(search=search, aging=aging))


@pytest.mark.timeout(10)
@pytest.mark.parametrize("name", ["probability", "probability-ratio"])
@pytest.mark.parametrize("reset_cost", [0.1, 1.7, 2.3, 10 / 3])
def test_a_measured_reset_cost_need_not_be_a_round_number(name: str, reset_cost: float) -> None:
    truth = built([[("a", 1), ("b", 2)], [("a", 3)], [("a", 4)], [("a", 5)], [("a", 5)], [("b", 6)], []])
    crawl = crawled(truth, name, StrategySettings(reset_cost=reset_cost, order=TieOrder.FIXED))
    assert crawl.graph.same_as(truth)
