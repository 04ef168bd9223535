"""Simulated crawl: one strategy, any number of walkers, one true model.

Each walker asks the strategy for a task, takes the time the task takes, and reports what it saw; the kernel interleaves
the walkers. The truth is a complete graph: a generated application, or the recording of a real crawl. The crawl builds
its own graph: the two only share ids.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from statecrawl.errors import BadInput
from statecrawl.model.cost import Cost
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Regions
from statecrawl.simulation.kernel import Kernel
from statecrawl.strategies.task import NoTask, Task


class Adviser(Protocol):
    """What a simulated crawl needs of a strategy."""

    graph: Graph

    def found(self, state: int, *, regions: Regions = ()) -> None: ...
    def explored(self, state: int, position: int, target: int, *, is_new: bool, fired: int | None = None) -> None: ...
    def next_task(self, walker: int, position: int | None) -> Task | NoTask: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualTimes:
    """Durations in virtual seconds."""

    event: float = 1.0
    reset: float = 2.0
    think: float = 0.0


@dataclass(slots=True)
class _Walker:
    number: int
    position: int | None = None  # in the crawl's own graph
    waiting: bool = False


class SimulatedCrawl:
    """Crawls `truth` with `strategy` (which must be fresh, over an empty graph)."""

    def __init__(
        self,
        truth: Graph,
        strategy: Adviser,
        *,
        walkers: int = 1,
        times: VirtualTimes | None = None,
        on_task: Callable[[Task, int, bool], None] | None = None,
        regions: Callable[[str], Regions] = lambda _: (),
    ) -> None:
        """`regions` tells what a page shows in a state.

        `on_task` is called after each task with the state it led to, and whether that state is new."""
        self.kernel = Kernel()
        self.strategy = strategy
        self.graph = strategy.graph
        self.events = 0
        self.resets = 0
        self.discovery: list[Cost] = []
        self.finished = False
        if truth.unexplored:
            raise BadInput(
                f"the model has {truth.unexplored} unexplored events: only a complete model can be simulated."
            )
        self._truth = truth
        self._true_numbers: list[int] = []  # own number -> number in the truth
        self._own_numbers: dict[int, int] = {}
        self._times = times or VirtualTimes()
        self._on_task = on_task
        self._regions = regions
        self._walkers = [_Walker(number) for number in range(walkers)]

    @property
    def cost(self) -> Cost:
        return Cost(self.events, self.resets)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Crawl to the end, or until `until` returns True; what was found stays available."""
        self.resets += 1  # the first load
        first = self._walkers[0]
        first.position, _ = self._see(INITIAL)
        for walker in self._walkers:
            self.kernel.after(self._times.reset, lambda walker=walker: self._ask(walker))  # type: ignore[misc]
        self.kernel.run(until)

    def _ask(self, walker: _Walker) -> None:
        task = self.strategy.next_task(walker.number, walker.position)
        match task:
            case NoTask.DONE:
                self.finished = True
            case NoTask.WAIT:
                walker.waiting = True
            case Task():
                lasts = task.events * self._times.event + task.reset * self._times.reset + self._times.think
                self.kernel.after(lasts, lambda: self._perform(walker, task))

    def _perform(self, walker: _Walker, task: Task) -> None:
        self.events += task.events
        self.resets += task.reset
        state, position = task.pair
        target, is_new = self._see(self._truth.targets[self._true_numbers[state]][position])
        self.graph.explore(state, position, target)
        self.strategy.explored(state, position, target, is_new=is_new, fired=self.events)
        walker.position = target
        if self._on_task is not None:
            self._on_task(task, target, is_new)
        for other in self._walkers:
            if other.waiting:
                other.waiting = False
                self._ask(other)
        self._ask(walker)

    def _see(self, true_number: int) -> tuple[int, bool]:
        """Return the own number of a true state, and whether it is new."""
        own = self._own_numbers.get(true_number)
        if own is not None:
            return own, False
        truth = self._truth
        events = [truth.vocabulary[number] for number in truth.events[true_number]]
        own = self.graph.add_state(truth.ids[true_number], events)
        self._own_numbers[true_number] = own
        self._true_numbers.append(true_number)
        self.strategy.found(own, regions=self._regions(truth.ids[true_number]))
        self.discovery.append(self.cost)
        return own, True
