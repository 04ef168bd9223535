"""A strategy told a journal goes on where the crawl that wrote it stopped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    CrawlEnded,
    CrawlStarted,
    EventHung,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import Crawl
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.parts import reachable_part
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.rules import Rules, Search
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Answer, Task
from statecrawl.strategies.telling import Teller
from statecrawl.testbed.small import pager
from tests.strategies.machines import machines


class Live:
    """A crawl of a true model that is nothing but its facts."""

    def __init__(self, truth: Graph, name: str, search: Search = Search.INDEXED) -> None:
        self.truth = truth
        self.crawl = Crawl()
        self.strategy: Strategy = make_strategy(name, self.crawl.graph, Rules(search=search))
        self.teller = Teller(self.crawl, self.strategy)
        self.facts: list[Fact] = []

    def tell(self, *facts: Fact) -> None:
        self.facts += facts
        self.teller.tell(facts)

    def find(self, state_id: str) -> None:
        number = self.truth.numbers[state_id]
        self.tell(StateFound.of(state_id, [self.truth.vocabulary[event] for event in self.truth.events[number]]))

    def perform(self, task: Task) -> str:
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
            if isinstance(task, Answer):
                assert task is Answer.DONE
                return
            position = self.crawl.graph.numbers[self.perform(task)]


@pytest.mark.parametrize("name", STRATEGIES)
@given(truth=machines(), stop=st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_a_stopped_crawl_is_finished_by_another(name: str, truth: Graph, stop: int) -> None:
    first = Live(truth, name)
    first.tell(CrawlStarted(application="x", configuration={}, reset_cost=2.0))
    first.find(truth.ids[INITIAL])
    first.run(INITIAL, stop)
    second = Live(truth, name)
    second.tell(*first.facts, *first.facts, CrawlEnded(reason="killed"))  # twice changes nothing
    second.run(None)
    assert second.crawl.graph.same_as(reachable_part(truth))


@pytest.mark.parametrize("search", Search)
@pytest.mark.parametrize("name", STRATEGIES)
def test_what_failed_is_not_tried_again(name: str, search: Search) -> None:
    live = Live(pager(4).truth, name, search)
    live.find(live.truth.ids[INITIAL])
    task = live.strategy.next_task(0, INITIAL)
    assert isinstance(task, Task)
    failed = live.crawl.graph.event(*task.pair).local
    live.tell(EventHung(state=live.crawl.graph.ids[INITIAL], event=failed, reason="not quiet after 10 s"))
    again = live.strategy.next_task(0, INITIAL)
    assert again is Answer.DONE or (isinstance(again, Task) and again.pair != task.pair)
    live.run(INITIAL)
    assert live.crawl.graph.pending(INITIAL) == [task.pair[1]]
    assert live.crawl.progress().complete


@pytest.mark.parametrize("search", Search)
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_surprise_may_lead_to_a_state_never_seen(name: str, search: Search) -> None:
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
    for incident in (1, 2, 3):
        live.tell(TransitionDiverged(state=first, event="next", expected=second, landed=third, incident=incident))
    live.tell(TransitionExplored(state=first, event="next", target=second))
    for _ in range(20):
        task = live.strategy.next_task(0, INITIAL)
        if isinstance(task, Answer):
            break
        assert (0, live.crawl.graph.position(0, "next")) not in task.path
        live.perform(task)


def test_a_fact_about_nothing_is_damage() -> None:
    live = Live(pager(3).truth, "greedy")
    with pytest.raises(DamagedJournal):
        live.tell(TransitionExplored(state="nowhere", event="next", target="nowhere"))
    live.find(live.truth.ids[INITIAL])
    with pytest.raises(DamagedJournal):
        live.tell(EventHung(state=live.truth.ids[INITIAL], event="nothing", reason="?"))
