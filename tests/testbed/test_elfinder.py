"""The file manager has the published sizes, keeps its pane, and is crawled at about the published cost."""

from itertools import pairwise

import pytest

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.application import Application
from statecrawl.testbed.elfinder import elfinder
from statecrawl.testbed.published import COMPLETE

PANE = "preview/"


@pytest.fixture(scope="module")
def app() -> Application:
    return elfinder()


def crawl(truth: Graph, strategy: str) -> SimulatedCrawl:
    crawled = SimulatedCrawl(truth, make_strategy(strategy, Graph(), StrategySettings(reset_cost=10)))
    crawled.run()
    return crawled


def test_size(app: Application) -> None:
    numbers = app.truth.statistics()
    assert (numbers.states, numbers.transitions, numbers.unexplored) == (1_360, 43_816, 0)
    assert app.events_per_page == (15, 1_359)
    assert (app.name, app.reset_cost) == ("elfinder", 10)


def test_deterministic(app: Application) -> None:
    assert elfinder().truth.same_as(app.truth)


def test_the_pane_comes_up_208_times_and_never_goes_away(app: Application) -> None:
    truth = app.truth
    assert truth.ids[INITIAL] == "/home"
    crossings = [
        (source, target)
        for source, _, target in truth.transitions()
        if truth.ids[source].startswith(PANE) != truth.ids[target].startswith(PANE)
    ]
    assert len(crossings) == 208
    assert all(f"{PANE}{truth.ids[source][1:]}" == truth.ids[target] for source, target in crossings)


def test_one_path_visits_every_state_once(app: Application) -> None:
    """Down the tree without the pane, up the tree with it; in each folder the files one after the other."""
    truth = app.truth
    down = [state for state in truth.ids if not state.startswith(PANE)]
    path = [*down]
    for folder in _upwards(down):
        path.append(f"{PANE}{folder}")
        path += [state for state in truth.ids if state.startswith(f"{PANE}{folder}/file-")]
    assert sorted(path) == sorted(truth.ids)
    for state, after in pairwise(path):
        assert truth.numbers[after] in truth.links.successors[truth.numbers[state]]


def _upwards(down: list[str]) -> list[str]:
    """All folders from the last one: the nested ones from the innermost out, then branch by branch."""
    nested = [path[1:] for path in down if path.startswith("/home/projects/work")]
    branches: dict[str, list[str]] = {}
    for path in (path[1:] for path in down):
        if path not in nested and path != "home":
            branches.setdefault("/".join(path.split("/")[:2]), []).append(path)
    last = branches.pop("home/projects")
    rest = [path for branch in branches.values() for path in branch]
    return [*nested[::-1], *last[1:], last[0], *rest, "home"]


@pytest.mark.long
def test_crawls_cost_about_what_was_published(app: Application) -> None:
    crawls = {strategy: crawl(app.truth, strategy) for strategy in ("menu", "greedy", "breadth-first", "depth-first")}
    found = [crawled.discovery[-1].total(10) for crawled in crawls.values()]
    assert found == sorted(found)
    assert all(len(crawled.discovery) == len(app.truth) for crawled in crawls.values())
    for strategy in ("greedy", "breadth-first"):
        published = COMPLETE["elfinder"][strategy]
        assert crawls[strategy].events == pytest.approx(published.events, rel=0.3)
        assert crawls[strategy].resets == pytest.approx(published.resets, rel=0.4)
    assert crawls["greedy"].resets == crawls["depth-first"].resets == 209
    assert crawls["depth-first"].events > 10 * crawls["breadth-first"].events
    assert 2 * crawls["menu"].discovery[-1].events < crawls["menu"].events
