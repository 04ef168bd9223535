"""Measuring does not change a run, and a run can be stopped."""

import pytest

from statecrawl.errors import UnknownName
from statecrawl.lab.measurement import PROGRESS_TASKS, RunProgress, Stopwatch, measure
from statecrawl.model.cost import Cost
from statecrawl.model.graph import Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.generated import hypercube, menusite, tiny


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_measuring_changes_nothing(strategy: str) -> None:
    app = menusite(4, 2)
    run = measure(app, strategy, StrategySettings(reset_cost=app.reset_cost))
    bare = SimulatedCrawl(app.truth, make_strategy(strategy, Graph(), StrategySettings(reset_cost=app.reset_cost)))
    bare.run()
    assert (run.cost, run.discovery) == (bare.cost, tuple(bare.discovery))
    assert (run.states, run.transitions, run.complete) == (len(app.truth), app.truth.explored, True)
    assert run.next_task_mean_us > 0
    assert run.next_task_p999_us > 0
    assert run.seconds > 0


def test_a_run_contains_its_settings() -> None:
    run = measure(tiny(), "greedy", StrategySettings(reset_cost=5, seed=3))
    assert (run.app, run.strategy, run.seed, run.reset_cost) == ("tiny", "greedy", 3, 5)
    assert (run.event_seconds, run.expected_states) == (tiny().event_seconds, 4)
    assert run.discovery[0] == Cost(0, 1)


def test_it_reports_progress_and_stops_on_request() -> None:
    seen: list[RunProgress] = []

    def on_progress(at: RunProgress) -> bool:
        seen.append(at)
        return len(seen) < 3

    app = hypercube(8)
    run = measure(app, "greedy", StrategySettings(), on_progress=on_progress)
    assert len(seen) == 3
    assert seen == sorted(seen, key=lambda at: (at.states, at.transitions, at.events))
    assert not run.complete
    assert (run.states, run.transitions, run.cost.events) == (seen[-1].states, seen[-1].transitions, seen[-1].events)
    assert 2 * PROGRESS_TASKS < run.transitions <= 3 * PROGRESS_TASKS
    assert run.expected_states == 256


def test_an_unknown_strategy() -> None:
    with pytest.raises(UnknownName):
        measure(tiny(), "gredy", StrategySettings())


def test_the_stopwatch_counts_every_task_and_the_learning_before_it() -> None:
    watch = Stopwatch(make_strategy("greedy", Graph(), StrategySettings()))
    SimulatedCrawl(tiny().truth, watch).run()
    assert len(watch.durations) == 14  # one per transition, and the last answer
    assert all(watch.durations)
    low, high = watch.quantile_us(0), watch.quantile_us(1)
    assert low <= watch.mean_us() <= high
    assert high == max(watch.durations) / 1000
