"""The file browser has the published sizes, opens one folder at a time, and is crawled at the published cost."""

from itertools import pairwise

import pytest

from statecrawl.errors import UnknownName
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.file_tree import PRESETS, START, file_tree
from statecrawl.testbed.published import ALL_STATES, COMPLETE

RANKING = ("menu", "probability", "hypercube", "greedy", "breadth-first", "depth-first")  # Table II, by cost


def crawl(truth: Graph, strategy: str) -> SimulatedCrawl:
    crawled = SimulatedCrawl(truth, make_strategy(strategy, Graph(), StrategySettings(reset_cost=2)))
    crawled.run()
    return crawled


@pytest.mark.parametrize(
    ("preset", "name", "states", "transitions", "page"),
    [
        ("default", "file-tree", 214, 8_428, (13, 67)),
        ("httpd", "file-tree:httpd", 91, 2_293, (10, 38)),
        ("cassandra", "file-tree:cassandra", 163, 4_816, (12, 48)),
    ],
)
def test_size(preset: str, name: str, states: int, transitions: int, page: tuple[int, int]) -> None:
    app = file_tree(preset)
    numbers = app.truth.statistics()
    assert app.name == name
    assert (numbers.states, numbers.transitions, numbers.unexplored) == (states, transitions, 0)
    assert numbers.logical_events == states - 1  # one per folder
    assert app.events_per_page == page
    assert app.reset_cost == 2


def test_a_preset_that_does_not_exist() -> None:
    with pytest.raises(UnknownName, match="httpd"):
        file_tree("htpd")


def test_deterministic() -> None:
    assert file_tree().truth.same_as(file_tree().truth)


def test_an_event_opens_its_folder_from_everywhere_and_nothing_leads_back_to_the_start() -> None:
    truth = file_tree().truth
    assert truth.ids[INITIAL] == START
    for state, position, target in truth.transitions():
        assert truth.event(state, position).local == truth.ids[target] != START


def test_only_the_way_to_the_open_folder_is_unfolded() -> None:
    truth = file_tree().truth
    for state, folder in enumerate(truth.ids):
        shown = {truth.event(state, position).local for position in range(len(truth.events[state]))}
        way = {"", *("/".join(folder.split("/")[:depth]) for depth in range(1, folder.count("/") + 2))}
        assert shown == {path for path in truth.ids if path != START and path.rpartition("/")[0] in way}


@pytest.mark.parametrize("preset", PRESETS)
def test_one_path_visits_every_state_once(preset: str) -> None:
    truth = file_tree(preset).truth
    order = [START, *sorted(set(truth.ids) - {START}, key=lambda path: path.split("/"))]
    for state, after in pairwise(order):
        assert truth.numbers[after] in truth.links.successors[truth.numbers[state]]


def test_crawls_cost_what_was_published() -> None:
    truth = file_tree().truth
    crawls = {strategy: crawl(truth, strategy) for strategy in RANKING}
    found = [crawled.discovery[-1].total(2) for crawled in crawls.values()]
    assert found == sorted(found)
    assert all(len(crawled.discovery) == len(truth) for crawled in crawls.values())
    for strategy in ("greedy", "breadth-first"):
        published = COMPLETE["file-tree"][strategy]
        assert crawls[strategy].events == pytest.approx(published.events, rel=0.1)
        assert crawls[strategy].resets == pytest.approx(published.resets, rel=0.1)
    assert crawls["depth-first"].events > 4 * crawls["breadth-first"].events
    assert crawls["menu"].discovery[-1].events < 2 * ALL_STATES["file-tree"]["menu"].events
