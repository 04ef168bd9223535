"""Random applications, and a crawl that checks every task it is handed.

`machines()` draws complete deterministic models: few states, few event names, events of one state that share a logical
id, states that cannot be reached. `Expedition` plays the part of the crawl for any number of strategies that share one
graph: it tells all of them the same facts and lets the caller decide who walks when. `lateness` decides whether states
show all their events at once, or some of them only while others are explored.
"""

import os
from collections.abc import Callable, Sequence
from itertools import count
from random import Random

from hypothesis import note, settings
from hypothesis import strategies as st

from statecrawl.model.cheapest_paths import Settling, Ties
from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, MAX_DIVERGENCES, UNEXPLORED, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings, TieOrder
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Pair, Task

NAMES = "abcdef"
RESET_COSTS = (0.5, 1.0, 2.0, 2.5, 3.0, 7.0)
TIMES = int(os.environ.get("EXAMPLES", "1"))  # as many examples as usual; make test-long asks for more
LATE = 0.4  # of the explorations are preceded, and as many followed, by an event that shows itself

lateness: st.SearchStrategy[Random | None] = st.none() | st.randoms(use_true_random=False)


def examples(usual: int) -> settings:
    """Limit the number of examples of a property."""
    return settings(max_examples=usual * TIMES, deadline=None)


@st.composite
def machines(draw: st.DrawFn, most_states: int = 14, most_events: int = 6) -> Graph:
    """Draw a complete model of 1 to `most_states` states; in half of them a state may have a logical event twice."""
    size = draw(st.integers(1, most_states))
    event = st.tuples(st.sampled_from(NAMES), st.integers(0, size - 1))
    by: Callable[[tuple[str, int]], object] = (lambda named: named[0]) if draw(st.booleans()) else (lambda named: named)
    row = st.lists(event, max_size=most_events, unique_by=by)
    rows = draw(st.lists(row, min_size=size, max_size=size))
    note(f"built({rows})")
    return built(rows)


def built(rows: Sequence[Sequence[tuple[str, int]]]) -> Graph:
    """Make a complete graph from state -> ordered (logical id, target). The first state is the initial one."""
    graph = Graph()
    for state, row in enumerate(rows):
        graph.add_state(f"s{state}", [Event(f"{logical}{place}", logical) for place, (logical, _) in enumerate(row)])
    for state, row in enumerate(rows):
        for position, (_, target) in enumerate(row):
            graph.explore(state, position, target)
    return graph


def rules(
    *,
    search: SearchMethod | None = None,
    prefer: StatePreference | None = None,
    order: TieOrder | None = None,
    ties: Ties | None = None,
    by_url: bool = False,
) -> st.SearchStrategy[StrategySettings]:
    """Draw settings, except for those given."""
    return st.builds(
        StrategySettings,
        reset_cost=st.sampled_from(RESET_COSTS),
        ties=st.sampled_from(Ties) if ties is None else st.just(ties),
        order=st.sampled_from(TieOrder) if order is None else st.just(order),
        search=st.sampled_from(SearchMethod) if search is None else st.just(search),
        prefer=st.sampled_from(StatePreference) if prefer is None else st.just(prefer),
        aging=st.sampled_from((1.0, 0.9)),
        seed=st.integers(0, 9),
        by_url=st.just(by_url),
    )


def crawled(truth: Graph, name: str, rules: StrategySettings, walkers: int = 1) -> SimulatedCrawl:
    """Crawl `truth` to the end."""
    crawl = SimulatedCrawl(truth, make_strategy(name, Graph(), rules), walkers=walkers)
    crawl.run()
    assert crawl.finished
    return crawl


def traced(truth: Graph, name: str, rules: StrategySettings) -> list[str]:
    """Format the explored pairs in order: `s-e→t`, followed by * if t was new and preceded by | after a reset."""
    strategy = make_strategy(name, Graph(), rules)
    graph = strategy.graph
    lines: list[str] = []

    def note(task: Task, target: int, is_new: bool) -> None:
        state, position = task.pair
        explored = f"{graph.ids[state]}-{graph.event(state, position).local}→{graph.ids[target]}"
        lines.append("| " * task.reset + explored + "*" * is_new)

    SimulatedCrawl(truth, strategy, on_task=note).run()
    return lines


def fare(task: Task, rules: StrategySettings) -> float:
    """Return the cost of reaching the pair of a task."""
    return len(task.path) + task.reset * rules.reset_cost


class Expedition:
    """Strategies over one graph that receive the same facts; the caller moves the walkers."""

    def __init__(self, truth: Graph, *strategies: Strategy, late: Random | None = None) -> None:
        """With `late`, states are found with only the first few of their events."""
        self.truth = truth
        self.late = late
        self.strategies = strategies
        self.graph = strategies[0].graph
        self.cost = (0, 1)  # events, resets
        self.facts: list[tuple[int, int, int, bool]] = []
        self._fresh = count(1_000)
        self._true: list[int] = []
        self._own: dict[int, int] = {}
        self.see(INITIAL)

    def see(self, true_number: int) -> tuple[int, bool]:
        """Return the number of a true state in the graph, and whether it is new."""
        if true_number in self._own:
            return self._own[true_number], False
        events = [self.truth.vocabulary[number] for number in self.truth.events[true_number]]
        shown = len(events) if self.late is None else self.late.randint(0, len(events))
        own = self.graph.add_state(self.truth.ids[true_number], events[:shown])
        self._own[true_number] = own
        self._true.append(true_number)
        for strategy in self.strategies:
            strategy.found(
                own, url=f"http://h/{'abc'[true_number % 3]}", forms=[number for number in (1,) if shown > 1]
            )
        return own, True

    def reveal(self) -> bool:
        """Add one more event of some state. Return False if there are none left."""
        graph, truth = self.graph, self.truth
        hiding = [own for own, true in enumerate(self._true) if len(graph.events[own]) < len(truth.events[true])]
        if self.late is None or not hiding:
            return False
        state = self.late.choice(hiding)
        position = graph.add_event(state, truth.event(self._true[state], len(graph.events[state])))
        for strategy in self.strategies:
            strategy.event_added(state, position)
        return True

    def explore(self, pair: Pair) -> int:
        """Fire an unexplored event and return its target. Further events may be added before or after."""
        state, position = pair
        assert self.graph.targets[state][position] == UNEXPLORED, "explored twice"
        if self.late is not None and self.late.random() < LATE:
            self.reveal()
        target = self._explore(state, position)
        if self.late is not None and self.late.random() < LATE:
            self.reveal()
        return target

    def _explore(self, state: int, position: int) -> int:
        target, is_new = self.see(self.truth.targets[self._true[state]][position])
        self.graph.explore(state, position, target)
        self.facts.append((state, position, target, is_new))
        for strategy in self.strategies:
            strategy.explored(state, position, target, is_new=is_new)
        return target

    def leads_to(self, pair: Pair) -> int | None:
        """Return the number of the true target of a pair in the graph, if it is known."""
        return self._own.get(self.truth.targets[self._true[pair[0]]][pair[1]])

    def perform(self, task: Task) -> int:
        """Perform a task and return its target."""
        self.check(task)
        events, resets = self.cost
        self.cost = (events + task.events, resets + task.reset)
        return self.explore(task.pair)

    def check(self, task: Task) -> None:
        """The path consists of reliable explored pairs and connects the start to the pair, which is unexplored."""
        here = INITIAL if task.reset else task.start
        assert here is not None, "no page and no reset"
        for state, position in task.path:
            assert state == here
            assert self.graph.travels(state, position)
            here = self.graph.targets[state][position]
        state, position = task.pair
        assert state == here
        assert self.graph.targets[state][position] == UNEXPLORED
        assert task.events == len(task.path) + 1

    def glance(self, strategy: Strategy, position: int | None) -> Task | NoTask:
        """Return the task of a walker without a plan. The task is released at once."""
        walker = next(self._fresh)
        answer = strategy.next_task(walker, position)
        strategy.release(walker)
        return answer

    def lose(self, state: int, position: int) -> None:
        """Make an explored pair diverge too often to be reliable."""
        target = self.graph.targets[state][position]
        if sum(self.graph.diverge(state, position, INITIAL) for _ in range(MAX_DIVERGENCES)):
            for strategy in self.strategies:
                strategy.link_lost(state, target)

    def reachable(self, position: int | None, reset_cost: float) -> dict[int, float]:
        """Return state -> cost of reaching it."""
        search = Settling(self.graph, position, reset_cost, Ties.WALK)
        return dict(search)

    def crawl(self, before: Callable[[int], None] | None = None) -> None:
        """Let one walker work until the first strategy is done. `before` receives its position before each task."""
        position = 0
        while True:
            if before is not None:
                before(position)
            task = self.strategies[0].next_task(0, position)
            if isinstance(task, NoTask):
                assert task is NoTask.DONE
                if self.reveal():
                    continue
                return
            assert (task.walker, task.start) == (0, position)
            position = self.perform(task)
