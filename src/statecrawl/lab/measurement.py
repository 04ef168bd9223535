"""Measurement of one simulated crawl: its cost, and the computing time of the strategy."""

import itertools
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.lab.journal_recorder import JournalRecorder
from statecrawl.model.graph import Graph
from statecrawl.model.regions import Regions
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.simulation.crawl import SimulatedCrawl, VirtualTimes
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task
from statecrawl.testbed.application import Application

PROGRESS_TASKS = 256  # tasks between two progress reports


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run."""

    states: int
    transitions: int
    events: int


class Stopwatch:
    """Wrapper of a strategy that measures its computing time: learning a task's result and choosing the next task."""

    def __init__(self, strategy: Strategy) -> None:
        self.graph: Graph = strategy.graph
        self.durations = array("Q")  # nanoseconds per task
        self._strategy = strategy
        self._learning = 0

    def found(self, state: int, *, regions: Regions = ()) -> None:
        begin = time.perf_counter_ns()
        self._strategy.found(state, regions=regions)
        self._learning += time.perf_counter_ns() - begin

    def explored(self, state: int, position: int, target: int, *, is_new: bool, fired: int | None = None) -> None:
        begin = time.perf_counter_ns()
        self._strategy.explored(state, position, target, is_new=is_new, fired=fired)
        self._learning += time.perf_counter_ns() - begin

    def next_task(self, walker: int, position: int | None) -> Task | NoTask:
        begin = time.perf_counter_ns()
        task = self._strategy.next_task(walker, position)
        self.durations.append(self._learning + time.perf_counter_ns() - begin)
        self._learning = 0
        return task

    def mean_us(self) -> float:
        return sum(self.durations) / len(self.durations) / 1000

    def quantile_us(self, share: float) -> float:
        return sorted(self.durations)[min(int(share * len(self.durations)), len(self.durations) - 1)] / 1000


OnProgress = Callable[[RunProgress], bool]  # returns False to end the run


def stop_check(progress: Callable[[], RunProgress], on_progress: OnProgress, every: int) -> Callable[[], bool]:
    """Return a function that reports progress at every n-th call, and returns whether to end the run."""
    calls = itertools.count(1)
    return lambda: next(calls) % every == 0 and not on_progress(progress())


def measure(
    app: Application,
    strategy: str,
    rules: StrategySettings,
    *,
    on_progress: OnProgress = lambda _: True,
    journal: Journal | None = None,
) -> MeasuredRun:
    """Crawl an application in simulation. `on_progress` is called regularly and returns False to end the run."""
    watch = Stopwatch(make_strategy(strategy, Graph(), rules))
    recorder = None if journal is None else JournalRecorder(journal, watch.graph)
    times = VirtualTimes(event=app.event_seconds, reset=app.event_seconds * rules.reset_cost)
    crawl = SimulatedCrawl(app.truth, watch, times=times, on_task=None if recorder is None else recorder.task)

    def progress() -> RunProgress:
        return RunProgress(len(watch.graph), watch.graph.explored, crawl.cost.events)

    if recorder is not None:
        recorder.begin(app.name, strategy, rules)
    begin = time.perf_counter()
    crawl.run(until=stop_check(progress, on_progress, PROGRESS_TASKS))
    seconds = time.perf_counter() - begin
    if recorder is not None:
        recorder.end("complete" if crawl.finished else "interrupted")
    return MeasuredRun(
        app=app.name,
        strategy=strategy,
        seed=rules.seed,
        reset_cost=rules.reset_cost,
        event_seconds=app.event_seconds,
        states=len(watch.graph),
        transitions=watch.graph.explored,
        complete=crawl.finished,
        cost=crawl.cost,
        discovery=tuple(crawl.discovery),
        next_task_mean_us=watch.mean_us(),
        next_task_p999_us=watch.quantile_us(0.999),
        seconds=seconds,
        expected_states=len(app.truth),
    )
