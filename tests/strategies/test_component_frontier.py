"""Crawls by components over simulated applications whose components are known."""

from math import ceil, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.journal.end_reasons import COMPLETE, COMPONENTS
from statecrawl.journal.facts import EventAdded, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.model.regions import Region
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.component_frontier import LEAST_STATES, MOVES, TOLERATED, Trust
from statecrawl.strategies.component_summary import summary_of_frontier
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task
from statecrawl.testbed.compositions import (
    Composition,
    linked_composition,
    random_composition,
    widgets_composition,
)
from tests.strategies.machines import examples

SEEDS = st.integers(0, 10_000)
RATE = 0.06  # of a planted dependence: just above what the checks have to exclude
TRIALS = 60


def crawled(
    composition: Composition, name: str = "novelty", model: ModelKind = ModelKind.COMPONENTS, seed: int = 0
) -> tuple[SimulatedCrawl, Strategy]:
    strategy = make_strategy(name, Graph(), StrategySettings(model=model, seed=seed))
    crawl = SimulatedCrawl(composition.application.truth, strategy, regions=composition.page_regions)
    crawl.run()
    return crawl, strategy


def missing(composition: Composition, crawl: SimulatedCrawl) -> int:
    seen = {region for state in crawl.graph.ids for region in composition.regions(state)}
    return len(composition.component_states() - seen)


@pytest.mark.parametrize("name", ["novelty", "greedy", "menu", "probability"])
def test_every_component_state_is_found_with_a_fraction_of_the_events(name: str) -> None:
    composition = widgets_composition(4, 4)
    crawl, strategy = crawled(composition, name)
    summary = summary_of_frontier(strategy.component_frontier)
    assert crawl.finished
    assert missing(composition, crawl) == 0
    assert (summary.components, summary.component_states) == (4, 16)
    assert summary.independence_violated == 0
    assert crawl.graph.explored < composition.application.truth.explored / 5


def test_six_widgets_need_hardly_more_events_than_there_are_tasks() -> None:
    composition = widgets_composition(6, 5)
    crawl, strategy = crawled(composition)
    summary = summary_of_frontier(strategy.component_frontier)
    assert len(composition.tasks()) == 120
    assert 120 <= crawl.events - summary.check_events <= 125


def test_linked_widgets_are_found_whole() -> None:
    composition = linked_composition(4, 4)
    crawl, _ = crawled(composition)
    assert missing(composition, crawl) == 0


@given(seed=SEEDS, machines=st.integers(2, 5))
@examples(20)
def test_random_compositions_are_found_whole(seed: int, machines: int) -> None:
    composition = random_composition(seed, machines=machines)
    crawl, strategy = crawled(composition, seed=seed)
    assert crawl.finished
    assert missing(composition, crawl) == 0
    assert summary_of_frontier(strategy.component_frontier).independence_violated == 0


def test_planted_dependences_are_hardly_ever_overlooked() -> None:
    """A dependence that concerns more events than the checks exclude is found in at least 95 % of the crawls."""
    overlooked = 0
    for seed in range(TRIALS):
        composition = random_composition(seed, machines=5, rate=RATE)
        _, strategy = crawled(composition, seed=seed)
        overlooked += summary_of_frontier(strategy.component_frontier).independence_violated == 0
    assert overlooked <= 0.05 * TRIALS


@given(seed=SEEDS)
@examples(15)
def test_an_automatic_crawl_of_a_small_application_is_exact(seed: int) -> None:
    composition = random_composition(seed, machines=2, most_states=3)
    truth = composition.application.truth
    assert len(truth) < LEAST_STATES
    crawl, strategy = crawled(composition, model=ModelKind.AUTO, seed=seed)
    assert crawl.graph.explored == truth.explored
    assert not summary_of_frontier(strategy.component_frontier).is_used


def test_an_automatic_crawl_switches_when_states_multiply() -> None:
    composition = widgets_composition(6, 5)
    crawl, strategy = crawled(composition, model=ModelKind.AUTO)
    summary = summary_of_frontier(strategy.component_frontier)
    assert summary.is_used
    assert summary.switched_at is not None
    assert summary.switched_at <= 2 * LEAST_STATES
    assert missing(composition, crawl) == 0
    assert crawl.graph.explored < 1_000


def test_the_end_says_what_was_left_out() -> None:
    whole, strategy = crawled(random_composition(1, machines=2, most_states=3), model=ModelKind.STATES)
    crawl = FoldedCrawl()
    crawl.graph = whole.graph
    assert strategy.exhaustion_reason(crawl) == COMPLETE
    part, strategy = crawled(widgets_composition(4, 4))
    crawl.graph = part.graph
    assert strategy.exhaustion_reason(crawl) == COMPONENTS


@given(seed=SEEDS, at=st.floats(0, 1))
@examples(15)
def test_a_resumed_crawl_knows_what_the_first_one_knew(seed: int, at: float) -> None:
    composition = random_composition(seed, machines=3, rate=0.05)
    facts: list[Fact] = []
    strategy = make_strategy("novelty", Graph(), StrategySettings(model=ModelKind.COMPONENTS, seed=seed))
    truth, graph = composition.application.truth, strategy.graph

    def note(state: int, position: int, target: int) -> None:
        ids, event = graph.ids, graph.event(state, position).local
        facts.append(TransitionExplored(state=ids[state], event=event, target=ids[target], fired=crawl.events))

    crawl = SimulatedCrawl(
        truth, strategy, regions=composition.page_regions, on_task=lambda task, target, _: note(*task.pair, target)
    )
    crawl.run()
    found = {
        state: StateFound(
            state=state,
            events=tuple(graph.event(number, position).local for position in range(len(graph.events[number]))),
            regions=composition.page_regions(state),
        )
        for number, state in enumerate(graph.ids)
    }
    journal: list[Fact] = [found[graph.ids[0]]]
    for fact in facts:
        assert isinstance(fact, TransitionExplored)
        if all(not isinstance(other, StateFound) or other.state != fact.target for other in journal):
            journal.append(found[fact.target])
        journal.append(fact)
    resumed = FoldedCrawl()
    again = make_strategy("novelty", resumed.graph, StrategySettings(model=ModelKind.COMPONENTS, seed=seed))
    feed = StrategyFeed(resumed, again)
    cut = int(at * len(journal))
    feed.push(journal[:cut])
    feed.push(journal[cut:])
    assert summary_of_frontier(again.component_frontier) == summary_of_frontier(strategy.component_frontier)


def test_enough_checks_exclude_the_tolerated_share() -> None:
    trust = Trust(confidence=0.95)
    assert trust.needed == ceil(log(0.025) / log(1 - TOLERATED))
    for _ in range(trust.needed):
        assert not trust.is_enough
        trust.add(agrees=True)
    assert trust.is_enough
    assert trust.deviating_share <= TOLERATED


def test_a_deviation_starts_counting_again_with_half_of_the_error() -> None:
    trust = Trust(confidence=0.95)
    before = trust.needed, trust.log_error
    trust.add(agrees=True)
    trust.add(agrees=False)
    assert (trust.checked, trust.violated, trust.agreed) == (2, 1, 0)
    assert trust.needed > before[0]
    assert trust.log_error == pytest.approx(before[1] - log(2))


def test_any_number_of_deviations_can_be_counted() -> None:
    trust = Trust(confidence=0.95)
    for _ in range(5_000):
        trust.add(agrees=False)
    trust.add(agrees=True)
    assert not trust.is_enough
    assert trust.deviating_share == 1.0


def test_an_automatic_crawl_does_not_switch_where_no_regions_are_known() -> None:
    """Such as in a folder that an older release has written."""
    strategy = make_strategy("novelty", Graph(), StrategySettings(model=ModelKind.AUTO))
    for number in range(2 * LEAST_STATES):
        strategy.found(strategy.graph.add_state(f"state {number}", [Event.named("click")]))
    assert summary_of_frontier(strategy.component_frontier).switched_at is None


def test_random_checks_follow_one_another_whatever_the_number_of_walkers() -> None:
    """Which of them counts depends on the ones before it."""
    _, strategy = crawled(widgets_composition(3, 4))
    assert strategy.component_frontier is not None
    assert strategy.next_task(0, 0) is NoTask.DONE
    strategy.component_frontier.trust = Trust(confidence=0.95)
    assert isinstance(strategy.next_task(0, 0), Task)
    assert strategy.next_task(1, 0) is NoTask.WAIT
    strategy.release(0)
    assert isinstance(strategy.next_task(1, 0), Task)


def test_nothing_is_claimed_about_events_that_no_part_of_the_page_explains() -> None:
    """The application draws the result of each event by lot, so most of what was left out would do something else."""
    lots = Random(5)
    strategy = make_strategy("novelty", Graph(), StrategySettings(model=ModelKind.COMPONENTS, seed=1))
    graph, shown = strategy.graph, list[tuple[int, ...]]()

    def seen(values: tuple[int, ...]) -> tuple[int, bool]:
        if str(values) in graph.numbers:
            return graph.numbers[str(values)], False
        state = graph.add_state(str(values), [Event.named(f"click {name}") for name in "abcdef"])
        shown.append(values)
        parts = [Region(f"#{i}", "shape", "look", str(value), (i,)) for i, value in enumerate(values)]
        strategy.found(state, regions=tuple(parts))
        return state, True

    position, _ = seen((0,) * 6)
    while isinstance(task := strategy.next_task(0, position), Task):
        state, event = task.pair
        position, is_new = seen((*shown[state][:event], lots.randrange(3), *shown[state][event + 1 :]))
        graph.explore(state, event, position)
        strategy.explored(state, event, position, is_new=is_new)
    summary = summary_of_frontier(strategy.component_frontier)
    assert summary.spare > 0
    assert summary.unexplained == 6
    assert summary.deviating_share > TOLERATED


@pytest.mark.parametrize("name", ["novelty", "greedy"])
def test_a_site_crawl_leaves_out_the_same_events(name: str) -> None:
    """Events that wait for their stage must not be fired when their turn comes and they have become unnecessary."""
    composition = widgets_composition(4, 4)
    settings = StrategySettings(model=ModelKind.COMPONENTS, by_url=True)
    strategy = make_strategy(name, Graph(), settings)
    crawl = SimulatedCrawl(composition.application.truth, strategy, regions=composition.page_regions)
    crawl.run()
    frontier = strategy.component_frontier
    assert frontier is not None
    assert crawl.finished
    assert missing(composition, crawl) == 0
    assert frontier.checks <= (MOVES + 1) * frontier.trust.needed


def test_a_check_that_no_way_led_to_is_made_when_one_does() -> None:
    crawl = FoldedCrawl()
    strategy = make_strategy("greedy", crawl.graph, StrategySettings(model=ModelKind.COMPONENTS))
    feed = StrategyFeed(crawl, strategy)
    left = Region("left", "l", "1", "1", (0,))
    lost = StateFound(state="t", events=("x",), regions=(left, Region("right", "r", "2", "2")))
    feed.push([StateFound(state="s", events=("x",), regions=(left, Region("right", "r", "1", "1"))), lost])
    feed.push([TransitionExplored(state="s", event="x", target="s")])
    frontier = strategy.component_frontier
    assert frontier is not None
    assert strategy.next_task(0, 0) is NoTask.DONE
    assert frontier.spare == 1
    feed.push([EventAdded(state="s", event="y"), TransitionExplored(state="s", event="y", target="t")])
    task = strategy.next_task(0, 1)
    assert isinstance(task, Task)
    assert task.pair == (1, 0)
