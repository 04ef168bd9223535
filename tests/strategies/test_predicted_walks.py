"""Predicted walks: what is known about events elsewhere spares resets and long walks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Region
from statecrawl.strategies.component_summary import summary_of_frontier
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.strategies.task import Task
from tests.strategies.machines import examples

RESET_COST = 40
Shown = tuple[int, int, bool]  # page, value of its widget, whether a dialog is open


class Office:
    """Pages that link to each other, each with a widget that counts up to its last value, and a dialog over them."""

    def __init__(self, pages: int, values: int, *, name: str = "novelty", reset_cost: float = RESET_COST) -> None:
        self.pages, self.values = pages, values
        settings = StrategySettings(model=ModelKind.COMPONENTS, reset_cost=reset_cost)
        self.strategy = make_strategy(name, Graph(), settings)
        self.shown: list[Shown] = []
        self.resets = 0  # while untried events are left
        self.events = 0

    def names(self, shown: Shown) -> list[str]:
        page, _, dialog = shown
        if dialog:
            return ["click close", "click help"]
        links = [f"click link {number}" for number in range(self.pages)]
        return [*links, f"click next {page}", f"click show {page}", "click dialog"]

    def regions(self, shown: Shown) -> tuple[Region, ...]:
        page, value, dialog = shown
        count = self.pages
        links = Region("nav", "nav", "look", f"nav {page}", (*range(count), count + 2))
        main = Region("main", f"main {page}", "look", f"page {page} shows {value}", (count, count + 1))
        if not dialog:
            return (links, main)
        return (
            links._replace(events=()),
            main._replace(events=()),
            Region("dialog", "dialog", "look", "dialog", (0, 1)),
        )

    def after(self, shown: Shown, event: str) -> Shown:
        page, value, dialog = shown
        what, *which = event.split()[1:]
        if what == "link" and int(which[0]) != page:
            return int(which[0]), 0, dialog
        if what == "next":
            return page, min(value + 1, self.values - 1), dialog
        return page, value, {"dialog": True, "close": False}.get(what, dialog)

    def see(self, shown: Shown) -> tuple[int, bool]:
        graph = self.strategy.graph
        if str(shown) in graph.numbers:
            return graph.numbers[str(shown)], False
        state = graph.add_state(str(shown), map(Event.named, self.names(shown)))
        self.shown.append(shown)
        self.strategy.found(state, regions=self.regions(shown))
        return state, True

    def crawl(self) -> None:
        frontier = self.strategy.component_frontier
        assert frontier is not None
        position, _ = self.see((0, 0, False))
        while isinstance(task := self.strategy.next_task(0, position), Task):
            assert [*task.path, task.pair][0][0] == (INITIAL if task.reset else position)
            self.resets += task.reset and bool(frontier.components.untried)
            self.events += len(task.path) + 1
            state, number = task.pair
            event = self.strategy.graph.event(state, number).local
            position, is_new = self.see(self.after(self.shown[state], event))
            self.strategy.graph.explore(state, number, position)
            self.strategy.explored(state, number, position, is_new=is_new, fired=self.events)


@given(pages=st.integers(2, 5), values=st.integers(2, 4), name=st.sampled_from(["novelty", "greedy", "menu"]))
@examples(15)
def test_nothing_is_missed(pages: int, values: int, name: str) -> None:
    office = Office(pages, values, name=name)
    office.crawl()
    frontier = office.strategy.component_frontier
    assert frontier is not None
    assert not frontier.components.untried
    assert {(page, value) for page, value, _ in office.shown} == {(p, v) for p in range(pages) for v in range(values)}


@pytest.mark.parametrize("name", ["novelty", "greedy"])
def test_links_are_followed_from_where_they_were_never_fired(name: str) -> None:
    """A widget at its last value makes a state that no explored link leaves; a reset would cost 40 events."""
    office = Office(5, 4, name=name)
    office.crawl()
    assert office.resets == 0


def test_resets_are_resets_even_if_they_cost_nothing() -> None:
    Office(4, 3, reset_cost=0.0).crawl()


def test_ways_to_untried_events_are_no_checks() -> None:
    office = Office(5, 4)
    office.crawl()
    frontier = office.strategy.component_frontier
    assert frontier is not None
    summary = summary_of_frontier(frontier)
    tasks = len(list(frontier.components.fired()))
    assert summary.independence_violated == 0
    assert tasks <= office.events - summary.check_events <= 2 * tasks
