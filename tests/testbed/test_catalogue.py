"""What can be asked for by name is built; what cannot is refused with the right form; the published shapes hold."""

import re
from functools import cache
from types import ModuleType

import pytest

from statecrawl.errors import BadInput, UnknownName
from statecrawl.model.cost import Cost
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed import altoro, clip_marks, company, dyna_table, periodic_table, published
from statecrawl.testbed.application import Application
from statecrawl.testbed.catalogue import ENTRIES, LISTED, PUBLISHED, application

BUILDERS = {  # the applications whose shape is tested here: (module, states, transitions, events per page)
    "test-ria": (company, 39, 305, (5, 10)),
    "altoro": (altoro, 45, 1_210, (3, 34)),
    "periodic-table": (periodic_table, 240, 29_040, (119, 122)),
    "clip-marks": (clip_marks, 129, 10_580, (69, 129)),
    "dyna-table": (dyna_table, 448, 5_380, (12, 13)),
}
COMPARED = [name for name in BUILDERS if name in published.COMPLETE]
LINE = re.compile(r"^ +([a-z-]+) +\S+ +([\d,]+)/([\d,]+) +\S+ +([\d,]+)/([\d,]+)$", re.MULTILINE)


@cache
def built(name: str) -> Application:
    return application(name)


@cache
def crawled(name: str, strategy: str) -> tuple[Cost, Cost]:
    """Cost when the last state was found, and of the whole crawl."""
    app = built(name)
    crawl = SimulatedCrawl(app.truth, make_strategy(strategy, Graph(), StrategySettings(reset_cost=app.reset_cost)))
    crawl.run()
    assert crawl.graph.same_as(app.truth)
    return crawl.discovery[-1], crawl.cost


@pytest.mark.parametrize("name", BUILDERS)
def test_size_is_the_published_one_and_everything_can_be_reached(name: str) -> None:
    _, states, transitions, events_per_page = BUILDERS[name]
    app = built(name)
    numbers = app.truth.statistics()
    assert (numbers.states, numbers.transitions, numbers.complete) == (states, transitions, True)
    assert app.events_per_page == events_per_page
    found = [INITIAL]
    for state in found:
        found += [target for target in app.truth.links.successors[state] if target not in found]
    assert len(found) == states


@pytest.mark.parametrize("name", BUILDERS)
def test_same_model_every_time(name: str) -> None:
    assert application(name).truth.events == built(name).truth.events
    assert application(name).truth.same_as(built(name).truth)


@pytest.mark.parametrize("name", COMPARED)
def test_costs_are_those_of_the_experiments(name: str) -> None:
    assert built(name).reset_cost == published.RESET_COSTS[name]
    assert built(name).event_seconds == published.event_seconds(name)


@pytest.mark.parametrize("strategy", ["breadth-first", "greedy"])
@pytest.mark.parametrize("name", COMPARED)
def test_complete_crawl_is_near_the_published_one(name: str, strategy: str) -> None:
    figures = published.COMPLETE[name][strategy]
    _, complete = crawled(name, strategy)
    assert complete.events == pytest.approx(figures.events, rel=0.3)
    assert figures.resets / 2 <= complete.resets <= figures.resets * 2


@pytest.mark.parametrize("name", COMPARED)
def test_strategies_rank_as_published(name: str) -> None:
    """By the cost of finding all states; those published within 1 % of each other may swap."""
    figures = published.ALL_STATES[name]
    for better in figures:
        for worse in figures:
            if 1.01 * (figures[better].cost or 0) < (figures[worse].cost or 0):
                costs = [
                    found.total(built(name).reset_cost) for found, _ in (crawled(name, better), crawled(name, worse))
                ]
                assert costs[0] < costs[1], (better, worse)


@pytest.mark.parametrize("name", COMPARED)
def test_figures_in_the_docstring_are_what_we_measure(name: str) -> None:
    module: ModuleType = BUILDERS[name][0]
    lines = LINE.findall(module.__doc__ or "")
    assert [line[0] for line in lines] == list(published.STRATEGIES)
    for strategy, *figures in lines:
        found, complete = crawled(name, strategy)
        measured = (found.events, found.resets, complete.events, complete.resets)
        assert [int(figure.replace(",", "")) for figure in figures] == pytest.approx(measured, rel=0.05), strategy


@pytest.mark.parametrize(
    "spec", ["tiny", "viol8", "hypercube:4", "widgets:2,3", "menusite:5,3", "pager:20", "file-tree:httpd"]
)
def test_is_built_as_it_is_asked_for(spec: str) -> None:
    assert application(spec).name == spec
    assert application(f" {spec} ").name == spec


def test_parameters_are_passed_in_order() -> None:
    assert len(application("widgets:2,5").truth) == 25
    assert len(application("menusite: 2, 3").truth) == 9
    assert application("synthetic:1000").truth.explored == 1_000
    assert application("file-tree: httpd").name == "file-tree:httpd"


def test_what_is_listed_and_published_is_known_and_has_a_title() -> None:
    assert set(PUBLISHED) <= set(LISTED)
    assert [name for name in PUBLISHED if name in published.COMPLETE] == list(published.COMPLETE)
    assert {form.partition(":")[0] for form in LISTED} == set(ENTRIES)
    assert all(title and "\n" not in title for title in LISTED.values())


@pytest.mark.parametrize(
    "spec", [form for form in LISTED if form not in ("bebop", "elfinder", "synthetic:100000", "widgets:6,5")]
)
def test_every_listed_form_is_built_under_its_name(spec: str) -> None:
    assert built(spec).name == spec


@pytest.mark.parametrize(
    ("written", "nearest"), [("periodic", "periodic-table"), ("hypercub:3", "hypercube"), ("altorro", "altoro")]
)
def test_unknown_name_offers_the_nearest(written: str, nearest: str) -> None:
    with pytest.raises(UnknownName, match=nearest):
        application(written)


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("hypercube", "hypercube:10"),
        ("hypercube:", "hypercube:10"),
        ("hypercube:ten", "hypercube:10"),
        ("hypercube:3,4", "hypercube:10"),
        ("hypercube:-3", "hypercube:10"),
        ("hypercube:²", "hypercube:10"),
        ("hypercube:" + 5_000 * "9", "hypercube:10"),
        ("widgets:6", "widgets:6,5"),
        ("menusite:5,", "menusite:5,3"),
        ("tiny:3", "write tiny"),
        ("tiny:", "write tiny"),
        ("file-tree:linux", "file-tree:cassandra"),
        ("pager:99999999", "between"),
    ],
)
def test_wrong_parameters_show_the_right_form(written: str, form: str) -> None:
    with pytest.raises(BadInput, match=form):
        application(written)


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name in published.COMPLETE])
def test_published_applications_take_their_published_times(name: str) -> None:
    app = application(name)
    assert (app.reset_cost, app.event_seconds) == (published.RESET_COSTS[name], published.event_seconds(name))
