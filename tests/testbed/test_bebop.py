"""The bibliography has the published size, its database agrees with itself, and greedy takes what was published."""

from itertools import pairwise

import pytest

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.application import Application
from statecrawl.testbed.bebop import AUTHORS, PAGE, START, TYPES, YEARS, bebop
from statecrawl.testbed.published import ALL_STATES, COMPLETE


@pytest.fixture(scope="module")
def app() -> Application:
    return bebop()


def row(truth: Graph, state: str) -> dict[str, str]:
    number = truth.numbers[state]
    targets = enumerate(truth.targets[number])
    return {truth.event(number, position).local: truth.ids[target] for position, target in targets}


def test_size(app: Application) -> None:
    numbers = app.truth.statistics()
    assert (numbers.states, numbers.transitions, numbers.unexplored) == (1_800, 145_811, 0)
    assert app.events_per_page == (27, 83)
    assert (app.name, app.reset_cost) == ("bebop", 2)


def test_every_publication_has_one_year_and_one_type() -> None:
    assert sum(YEARS.values()) == sum(TYPES.values()) == 700
    assert max(AUTHORS.values()) <= PAGE


def test_deterministic(app: Application) -> None:
    assert bebop().truth.same_as(app.truth)


def test_the_start_has_years_and_types_only_and_nothing_leads_back(app: Application) -> None:
    truth = app.truth
    assert truth.ids[INITIAL] == START
    assert len(row(truth, START)) == len(YEARS) + len(TYPES) == 27
    assert INITIAL not in {target for _, _, target in truth.transitions()}


def test_a_page_in_the_middle_of_a_list(app: Application) -> None:
    folded, unfolded = row(app.truth, "type/article/page-5"), row(app.truth, "type/article/paper-43")
    assert list(folded) == list(unfolded)
    assert list(folded)[70:] == [*(f"details {place}" for place in range(1, 11)), "first", "previous", "next"]
    assert folded["author knuth"] == unfolded["author knuth"] == "author/knuth"
    assert folded["details 3"] == "type/article/paper-43"
    assert unfolded["details 3"] == "type/article/page-5"
    assert (folded["first"], folded["previous"]) == ("type/article", "type/article/page-4")


def test_one_path_visits_every_state_once(app: Application) -> None:
    truth = app.truth
    lists = [state for state in truth.ids if state != START]
    path = [START, *(s for s in lists if not s.startswith("author/")), *(s for s in lists if s.startswith("author/"))]
    for state, after in pairwise(path):
        assert truth.numbers[after] in truth.links.successors[truth.numbers[state]]


def test_greedy_takes_what_was_published(app: Application) -> None:
    crawled = SimulatedCrawl(app.truth, make_strategy("greedy", Graph(), StrategySettings(reset_cost=2)))
    crawled.run()
    assert len(crawled.discovery) == len(app.truth)
    assert crawled.resets == COMPLETE["bebop"]["greedy"].resets == 27
    assert crawled.events == pytest.approx(COMPLETE["bebop"]["greedy"].events, rel=0.1)
    assert crawled.discovery[-1].events == pytest.approx(ALL_STATES["bebop"]["greedy"].events, rel=0.1)
