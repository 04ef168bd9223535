"""Site crawls: URLs first, then equal attention to all pages, with every strategy."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.event import OPENS, Event
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task
from tests.strategies.machines import Expedition, examples, lateness, machines, rules

every_strategy = pytest.mark.parametrize("name", STRATEGIES)
HOST = "http://h/"


class Crawl:
    """Site in which every page has a button that makes the page grow."""

    def __init__(self, name: str, *paths: str) -> None:
        self.strategy: Strategy = make_strategy(name, Graph(), StrategySettings(by_url=True, reset_cost=3.0))
        self.graph = self.strategy.graph
        self.position = self.find(HOST, "", *(f"{OPENS}{HOST}{path}" for path in paths))
        self.done: list[str] = []

    def find(self, url: str, *names: str, links: tuple[int, ...] = (), forms: tuple[int, ...] = ()) -> int:
        events = [Event.named(name or f"grow {url}") for name in names]
        state = self.graph.add_state(f"{url} {len(self.graph)}", events)
        self.strategy.found(state, url=url, links=links, forms=forms)
        return state

    def step(self, *, grows: bool = True) -> str | NoTask:
        """Perform the next task: an opened page can grow, and its successors, too."""
        task = self.strategy.next_task(0, self.position)
        if not isinstance(task, Task):
            return task
        state, position = task.pair
        event = self.graph.event(state, position).local
        self.done.append(event)
        url = event.removeprefix(OPENS) if event.startswith(OPENS) else event.split()[1]
        self.position = self.find(url, "") if grows else INITIAL
        self.graph.explore(state, position, self.position)
        self.strategy.explored(state, position, self.position, is_new=grows)
        return event

    def add(self, path: str) -> None:
        position = self.graph.add_event(INITIAL, Event.named(f"{OPENS}{HOST}{path}"))
        self.strategy.event_added(INITIAL, position)


@every_strategy
def test_urls_are_opened_first_each_template_in_turn(name: str) -> None:
    crawl = Crawl(name, "item/1", "item/2", "item/3", "about")
    assert [crawl.step() for _ in range(2)] == [f"open {HOST}item/1", f"open {HOST}about"]
    crawl.add("late")
    assert [crawl.step() for _ in range(3)] == [f"open {HOST}late", f"open {HOST}item/2", f"open {HOST}item/3"]


@every_strategy
def test_no_page_gets_more_than_its_share(name: str) -> None:
    crawl = Crawl(name, "a", "b", "c")
    for _ in range(120):
        crawl.step()
    grown = [sum(event == f"grow {HOST}{path}" for event in crawl.done) for path in ("", "a", "b", "c")]
    assert sum(grown) == 117
    assert min(grown) * 2 >= max(grown) - 1


@every_strategy
def test_links_come_late_and_forms_last(name: str) -> None:
    crawl = Crawl(name)
    crawl.find(f"{HOST}a", f"submit {HOST}", f"click {HOST}", f"plain {HOST}", links=(1,), forms=(0,))
    crawl.graph.explore(INITIAL, 0, 1)
    crawl.strategy.explored(INITIAL, 0, 1, is_new=True)
    crawl.position = 1
    assert [str(crawl.step(grows=False)).split()[0] for _ in range(3)] == ["plain", "click", "submit"]
    assert crawl.step() is NoTask.DONE


@every_strategy
def test_what_was_given_back_or_taken_is_dealt_with_like_any_other(name: str) -> None:
    crawl = Crawl(name, "a", "b")
    strategy = crawl.strategy
    first = strategy.next_task(0, INITIAL)
    second = strategy.next_task(1, None)
    assert isinstance(first, Task)
    assert isinstance(second, Task)
    assert (first.pair, second.pair) == ((0, 1), (0, 2))
    strategy.release(0)
    assert strategy.take(2, (0, 1))
    strategy.release(2)
    strategy.withhold((0, 1))
    strategy.closed(0, 2)
    task = strategy.next_task(0, INITIAL)
    assert isinstance(task, Task)
    assert task.pair == (0, 0)
    strategy.closed(0, 0)
    assert strategy.next_task(0, INITIAL) is NoTask.WAIT
    strategy.grant((0, 1))
    task = strategy.next_task(0, INITIAL)
    assert isinstance(task, Task)
    assert task.pair == (0, 1)


@every_strategy
@given(truth=machines(), played=rules(by_url=True), late=lateness, chance=st.randoms(use_true_random=False))
@examples(40)
def test_a_crawl_by_url_ends_with_the_whole_model(
    name: str, truth: Graph, played: StrategySettings, late: Random | None, chance: Random
) -> None:
    """Sometimes a walker releases its task, as if its page was lost."""
    strategy = make_strategy(name, Graph(), played)
    trip = Expedition(truth, strategy, late=late)

    def before(position: int) -> None:
        if chance.random() < 0.3:
            trip.glance(strategy, position)

    trip.crawl(before)
    assert trip.graph.same_as(reachable_part(truth))
