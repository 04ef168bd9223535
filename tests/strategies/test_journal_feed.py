"""A strategy that is fed with a journal continues where the crawl stopped."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    BoundarySeen,
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventAdded,
    EventHung,
    ExternalTransition,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import INITIAL, MAX_DIVERGENCES, Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies.journal_feed import StrategyFeed, since_revision
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task
from statecrawl.testbed.generated import pager
from tests.strategies.machines import LATE, lateness, machines

STARTED = CrawlStarted(application="x", configuration={}, reset_cost=2.0)
REVISED = EquivalenceRevised(revision=1, rules=(("ignore", "#clock"),))


class Live:
    """Crawl of a true model, defined by its facts; with `late`, some events are added only later."""

    def __init__(
        self, truth: Graph, name: str, search: SearchMethod = SearchMethod.INDEXED, late: Random | None = None
    ) -> None:
        self.truth = truth
        self.late = late
        self.crawl = FoldedCrawl()
        self.strategy: Strategy = make_strategy(name, self.crawl.graph, StrategySettings(search=search))
        self.feed = StrategyFeed(self.crawl, self.strategy)
        self.facts: list[Fact] = []

    def tell(self, *facts: Fact) -> None:
        self.facts += facts
        self.feed.push(facts)

    def find(self, state_id: str) -> None:
        number = self.truth.numbers[state_id]
        events = [self.truth.vocabulary[event] for event in self.truth.events[number]]
        shown = len(events) if self.late is None else self.late.randint(0, len(events))
        self.tell(StateFound.of(state_id, events[:shown]))

    def reveal(self, odds: float) -> bool:
        """Add one more event of some state at random. Return False if none was added."""
        own, truth = self.crawl.graph, self.truth
        hiding = [
            state
            for state, state_id in enumerate(own.ids)
            if len(own.events[state]) < len(truth.events[truth.numbers[state_id]])
        ]
        if self.late is None or not hiding or self.late.random() > odds:
            return False
        state = self.late.choice(hiding)
        event = truth.event(truth.numbers[own.ids[state]], len(own.events[state]))
        self.tell(EventAdded.of(own.ids[state], event))
        return True

    def perform(self, task: Task) -> str:
        self.reveal(LATE)
        target = self.explore(task)
        self.reveal(LATE)
        return target

    def explore(self, task: Task) -> str:
        state, position = task.pair
        state_id = self.crawl.graph.ids[state]
        target = self.truth.ids[self.truth.targets[self.truth.numbers[state_id]][position]]
        if target not in self.crawl.graph.numbers:
            self.find(target)
        local = self.crawl.graph.event(state, position).local
        self.tell(TransitionExplored(state=state_id, event=local, target=target))
        return target

    def run(self, position: int | None, tasks: int = 10_000) -> None:
        for _ in range(tasks):
            task = self.strategy.next_task(0, position)
            if isinstance(task, NoTask):
                assert task is NoTask.DONE
                if self.reveal(1.0):
                    continue
                return
            position = self.crawl.graph.numbers[self.perform(task)]


@pytest.mark.parametrize("name", STRATEGIES)
@given(truth=machines(), stop=st.integers(0, 30), search=st.sampled_from(SearchMethod), late=lateness)
@settings(max_examples=40, deadline=None)
def test_a_stopped_crawl_is_finished_by_another(
    name: str, truth: Graph, stop: int, search: SearchMethod, late: Random | None
) -> None:
    first = Live(truth, name, search, late)
    first.tell(STARTED)
    first.find(truth.ids[INITIAL])
    first.run(INITIAL, stop)
    second = Live(truth, name, search, late)
    second.tell(*first.facts)
    assert second.strategy.free == [first.crawl.graph.pending(state) for state in range(len(first.crawl.graph))]
    second.tell(*first.facts, CrawlEnded(reason="killed"))  # twice changes nothing
    assert second.crawl.graph.facts() == first.crawl.graph.facts()
    assert second.strategy.free == [first.crawl.graph.pending(state) for state in range(len(first.crawl.graph))]
    second.run(None)
    assert second.crawl.graph.same_as(reachable_part(truth))


@pytest.mark.parametrize("search", SearchMethod)
@pytest.mark.parametrize("name", STRATEGIES)
def test_what_failed_is_not_tried_again(name: str, search: SearchMethod) -> None:
    live = Live(pager(4).truth, name, search)
    live.find(live.truth.ids[INITIAL])
    task = live.strategy.next_task(0, INITIAL)
    assert isinstance(task, Task)
    failed = live.crawl.graph.event(*task.pair).local
    live.tell(EventHung(state=live.crawl.graph.ids[INITIAL], event=failed, reason="not quiet after 10 s"))
    again = live.strategy.next_task(0, INITIAL)
    assert again is NoTask.DONE or (isinstance(again, Task) and again.pair != task.pair)
    live.run(INITIAL)
    assert live.crawl.graph.pending(INITIAL) == [task.pair[1]]
    assert live.crawl.progress().complete


@pytest.mark.parametrize("search", SearchMethod)
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_surprise_may_lead_to_a_state_never_seen(name: str, search: SearchMethod) -> None:
    live = Live(pager(5).truth, name, search)
    first, second, third = live.truth.ids[:3]
    live.find(first)
    live.find(second)
    live.tell(TransitionExplored(state=first, event="next", target=second))
    live.find(third)
    live.tell(TransitionDiverged(state=first, event="next", expected=second, landed=third, incident=1))
    live.run(live.crawl.graph.numbers[third])
    assert live.crawl.graph.same_as(live.truth)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_way_that_was_unreliable_before_it_was_explored_is_not_travelled(name: str) -> None:
    live = Live(pager(3).truth, name)
    first, second, third = live.truth.ids
    for state_id in (first, second, third):
        live.find(state_id)
    for incident in range(1, MAX_DIVERGENCES + 1):
        live.tell(TransitionDiverged(state=first, event="next", expected=second, landed=third, incident=incident))
    live.tell(TransitionExplored(state=first, event="next", target=second))
    for _ in range(20):
        task = live.strategy.next_task(0, INITIAL)
        if isinstance(task, NoTask):
            break
        assert (0, live.crawl.graph.position(0, "next")) not in task.path
        live.perform(task)


@pytest.mark.parametrize("search", SearchMethod)
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_late_event_is_explored_unless_it_failed(name: str, search: SearchMethod) -> None:
    """After the end, two events are added to a finished state; one of them hangs."""
    live = Live(pager(3).truth, name, search)
    first = live.truth.ids[INITIAL]
    live.find(first)
    live.run(INITIAL)
    live.tell(EventAdded(state=first, event=("ask", "never seen")), EventAdded(state=first, event="wait"))
    live.tell(EventHung(state=first, event="wait", reason="not quiet after 10 s"))
    task = live.strategy.next_task(0, 2)
    assert isinstance(task, Task)
    assert live.crawl.graph.event(*task.pair).local == "ask"
    live.tell(TransitionExplored(state=first, event="ask", target=live.truth.ids[2]))
    assert live.strategy.next_task(0, 2) is NoTask.DONE
    assert live.crawl.progress().complete


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_late_event_may_fail_before_and_after_it_is_explored(name: str) -> None:
    live = Live(pager(3).truth, name)
    first = live.truth.ids[INITIAL]
    live.find(first)
    live.tell(EventAdded(state=first, event="ask"), EventAdded(state=first, event="wait"))
    hung, waited = (EventHung(state=first, event=event, reason="slow") for event in ("ask", "wait"))
    asked, stayed = (TransitionExplored(state=first, event=event, target=first) for event in ("ask", "wait"))
    live.tell(hung, asked, stayed, waited, hung)
    live.run(INITIAL)
    assert live.crawl.closed == set()
    assert live.crawl.graph.statistics().complete


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_way_over_a_late_event_that_proves_unreliable_is_travelled_no_more(name: str) -> None:
    live = Live(pager(3).truth, name)
    first, second, third = live.truth.ids
    live.find(first)
    live.find(third)
    live.tell(EventAdded(state=first, event="leap"), TransitionExplored(state=first, event="leap", target=third))
    for incident in range(1, MAX_DIVERGENCES + 1):
        live.tell(TransitionDiverged(state=first, event="leap", expected=third, landed=first, incident=incident))
    while isinstance(task := live.strategy.next_task(0, INITIAL), Task):
        assert (0, live.crawl.graph.position(0, "leap")) not in task.path
        live.perform(task)
    assert second in live.crawl.graph.numbers
    assert live.crawl.graph.unexplored == 0


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_is_no_transition_changes_no_task(name: str) -> None:
    one, other = Live(pager(3).truth, name), Live(pager(3).truth, name)
    first, second, third = one.truth.ids
    for live in (one, other):
        live.find(first)
        live.find(second)
        live.tell(TransitionExplored(state=first, event="next", target=second))
    one.tell(
        ExternalTransition(state=second, target=first, incident=1),
        BoundarySeen(state=second, event="next", what="scope", url="https://example.org/"),
        CostMeasured(reset_cost=40.0),
    )
    assert one.strategy.next_task(0, 1) == other.strategy.next_task(0, 1)
    assert third not in one.crawl.graph.numbers


@pytest.mark.parametrize("name", STRATEGIES)
@given(truth=machines(), before=machines(), stop=st.integers(0, 30), late=lateness)
@settings(max_examples=20, deadline=None)
def test_after_a_revision_a_fresh_strategy_is_told_what_still_counts(
    name: str, truth: Graph, before: Graph, stop: int, late: Random | None
) -> None:
    void = Live(before, name, late=late)
    void.tell(STARTED, CostMeasured(reset_cost=5.0))
    void.find(before.ids[INITIAL])
    void.run(INITIAL)
    going_on = Live(truth, name, late=late)
    going_on.tell(*since_revision([*void.facts, REVISED]))
    going_on.find(truth.ids[INITIAL])
    going_on.run(INITIAL, stop)
    journal = [*void.facts, REVISED, *going_on.facts[going_on.facts.index(REVISED) + 1 :]]
    resumed = Live(truth, name, late=late)
    resumed.tell(*since_revision(journal))
    assert resumed.crawl.graph.facts() == going_on.crawl.graph.facts() == fold(journal).graph.facts()
    assert resumed.crawl.reset_cost == 5.0
    assert (resumed.crawl.started, resumed.crawl.revision) == (STARTED, 1)
    resumed.run(None)
    assert resumed.crawl.graph.same_as(reachable_part(truth))


def test_the_last_revision_counts_and_what_was_told_of_the_crawl_as_a_whole() -> None:
    found = StateFound(state="s", events=())
    cost, ended = CostMeasured(reset_cost=3.0), CrawlEnded(reason="limit")
    again = EquivalenceRevised(revision=2, rules=())
    assert since_revision([]) == []
    assert since_revision([STARTED, found, cost]) == [STARTED, found, cost]
    assert since_revision([STARTED, found, REVISED, cost, found, ended]) == [STARTED, REVISED, cost, found, ended]
    joined, left = MemberJoined(member="n", epoch=1), MemberLeft(member="n", epoch=2)
    assert since_revision([joined, found, left, REVISED]) == [joined, left, REVISED]
    assert since_revision([STARTED, REVISED, found, cost, again, found, REVISED]) == [
        STARTED,
        cost,
        again,
        found,
        REVISED,
    ]


def test_a_strategy_is_not_told_on_when_what_it_knows_is_void() -> None:
    live = Live(pager(3).truth, "greedy")
    live.tell(REVISED)  # nothing is void yet
    live.find(live.truth.ids[INITIAL])
    live.tell(REVISED)  # in force already
    with pytest.raises(ValueError, match="revision 2 voids what this strategy has learned"):
        live.tell(EquivalenceRevised(revision=2, rules=()))
    assert (live.crawl.revision, len(live.crawl.graph)) == (1, 1)


def test_a_crawl_that_was_revised_goes_on_with_another_strategy() -> None:
    live = Live(pager(3).truth, "greedy")
    first, second = live.truth.ids[:2]
    live.find(first)
    live.find(second)
    live.tell(TransitionExplored(state=first, event="next", target=second, fired=7, resets=2))
    live.crawl.apply(REVISED)
    live.strategy = make_strategy("greedy", live.crawl.graph, StrategySettings())
    live.feed = StrategyFeed(live.crawl, live.strategy)
    live.find(first)
    live.run(INITIAL)
    assert live.crawl.graph.same_as(live.truth)
    assert (live.crawl.fired, live.crawl.resets) == (7, 2)


def test_a_fact_about_nothing_is_damage() -> None:
    live = Live(pager(3).truth, "greedy")
    with pytest.raises(DamagedJournal):
        live.tell(TransitionExplored(state="nowhere", event="next", target="nowhere"))
    live.find(live.truth.ids[INITIAL])
    with pytest.raises(DamagedJournal):
        live.tell(EventHung(state=live.truth.ids[INITIAL], event="nothing", reason="?"))
    with pytest.raises(DamagedJournal):
        live.tell(EventAdded(state="nowhere", event="next"))
