"""Recorded figures of every strategy on the generated applications, to the event.

The first table was computed by an independent simulator with the same order of ties; the second with walks preferred to
resets of the same cost. The figures of the hypercube of ten dimensions are those of Dincturk et al., "A Model-Based
Approach for Crawling Rich Internet Applications", 2014, tables II and III, as far as they do not depend on chance.
"""

from math import ceil, comb

import pytest

from statecrawl.model.cheapest_paths import Ties
from statecrawl.model.cost import Cost
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.menu import Menu
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.testbed.application import Application
from statecrawl.testbed.generated import hypercube, menusite, pager, tiny, widgets
from tests.strategies.machines import crawled

APPS: dict[str, tuple[Application, float]] = {
    "hyper3": (hypercube(3), 2),
    "hyper4": (hypercube(4), 2),
    "hyper5": (hypercube(5), 2),
    "hyper6": (hypercube(6), 2),
    "hyper8": (hypercube(8), 3),
    "tiny": (tiny(), 2),
    "menusite(5,3)": (menusite(5, 3), 2),
    "menusite(10,10)": (menusite(10, 10), 2),
    "pager(20)": (pager(20), 2),
    "widgets(3,3)": (widgets(3, 3), 2),
    "widgets(2,6)": (widgets(2, 6), 2),
}

COLUMNS = ("breadth-first", "depth-first", "greedy", "hypercube", "menu", "probability", "probability-ratio")

# events/resets when the last state was found → when the last transition was explored
RESET_WINS = """
hyper3          | 18/10→24/12         | 12/5→15/6        | 12/5→15/6         | 8/3→15/6        | 12/5→15/6         | 10/4→15/6         | 10/4→15/6
hyper4          | 68/29→80/32         | 47/16→52/18      | 33/10→40/12       | 21/6→40/12      | 33/10→40/12       | 27/8→44/14        | 27/8→44/14
hyper5          | 220/76→240/80       | 158/47→165/50    | 107/28→115/30     | 44/10→115/30    | 107/28→115/30     | 94/24→124/33      | 91/23→121/32
hyper6          | 642/187→672/192     | 477/126→486/130  | 258/56→276/60     | 104/20→276/60   | 258/56→276/60     | 207/44→300/68     | 233/50→292/65
hyper8          | 4552/1017→4608/1024 | 3579/764→3592/770| 1601/274→1634/280 | 468/70→1632/280 | 1601/274→1634/280 | 1359/227→1809/322 | 1251/207→1777/314
tiny            | 14/4→20/4           | 8/1→18/3         | 9/1→16/3          | 9/1→16/3        | 4/1→15/2          | 8/1→16/3          | 8/1→16/3
menusite(5,3)   | 86/30→341/31        | 326/1→346/6      | 72/1→242/6        | 72/1→242/6      | 35/1→205/5        | 45/1→222/6        | 45/1→224/6
menusite(10,10) | 411/155→3611/156    | 4681/1→4721/11   | 400/1→2510/11     | 400/1→2510/11   | 210/1→2225/10     | 243/1→2394/11     | 243/1→2408/11
pager(20)       | 395/19→438/20       | 19/1→248/1       | 19/1→248/1        | 19/1→248/1      | 26/1→248/1        | 19/1→248/1        | 19/1→248/1
widgets(3,3)    | 169/50→364/73       | 126/1→689/2      | 49/1→179/1        | 49/1→179/1      | 88/1→193/2        | 107/1→187/1       | 107/1→171/1
widgets(2,6)    | 110/45→804/175      | 407/1→1991/2     | 68/1→389/1        | 68/1→389/1      | 210/1→407/5       | 240/1→391/7       | 240/1→384/4
"""  # noqa: E501  a table is read by its columns

WALK_WINS = [
    ("tiny", "greedy", 17, 3),
    ("tiny", "menu", 16, 2),
    ("menusite(5,3)", "menu", 209, 5),
    ("menusite(5,3)", "probability", 225, 6),
    ("widgets(3,3)", "depth-first", 691, 1),
    ("widgets(3,3)", "menu", 192, 1),
    ("widgets(2,6)", "depth-first", 1993, 1),
    ("widgets(2,6)", "menu", 407, 1),
    ("widgets(2,6)", "probability", 393, 6),
]


def table() -> dict[tuple[str, str], str]:
    rows = [[cell.strip() for cell in line.split("|")] for line in RESET_WINS.strip().splitlines()]
    return {(app, name): cell for app, *cells in rows for name, cell in zip(COLUMNS, cells, strict=True)}


VECTORS = table()


def reference(app: str, name: str, ties: Ties) -> SimulatedCrawl:
    application, reset_cost = APPS[app]
    rules = StrategySettings(reset_cost=reset_cost, ties=ties, search=SearchMethod.REFERENCE)
    crawl = crawled(application.truth, name, rules)
    assert crawl.graph.same_as(application.truth)
    return crawl


def shown(crawl: SimulatedCrawl) -> str:
    found, done = crawl.discovery[-1], crawl.cost
    return f"{found.events}/{found.resets}→{done.events}/{done.resets}"


@pytest.mark.parametrize(("app", "name"), VECTORS)
def test_where_a_reset_wins_ties(app: str, name: str) -> None:
    assert shown(reference(app, name, Ties.RESET)) == VECTORS[app, name]


@pytest.mark.parametrize(("app", "name", "events", "resets"), WALK_WINS)
def test_where_a_walk_wins_ties(app: str, name: str, events: int, resets: int) -> None:
    assert reference(app, name, Ties.WALK).cost == Cost(events, resets)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("app", ["hyper4", "pager(20)"])
def test_where_there_are_no_such_ties(app: str, name: str) -> None:
    assert shown(reference(app, name, Ties.WALK)) == VECTORS[app, name]


@pytest.mark.parametrize(
    ("app", "violations"),
    [("tiny", 0), ("menusite(5,3)", 0), ("pager(20)", 3), ("widgets(3,3)", 9), ("widgets(2,6)", 12)],
)
def test_menu_counts_what_contradicted_it(app: str, violations: int) -> None:
    strategy = reference(app, "menu", Ties.RESET).strategy
    assert isinstance(strategy, Menu)
    assert strategy.violations == violations


@pytest.mark.parametrize(("name", "costs"), [("greedy", [81, 207, 315, 402]), ("menu", [46, 102, 158, 212])])
def test_costs_of_each_quarter_of_the_states(name: str, costs: list[int]) -> None:
    discovery = reference("menusite(10,10)", name, Ties.RESET).discovery
    assert [discovery[ceil(part * len(discovery) / 4) - 1].total(2) for part in (1, 2, 3, 4)] == costs


@pytest.mark.parametrize(
    ("name", "search", "all_states", "complete"),
    [
        ("breadth-first", SearchMethod.INDEXED, Cost(28_070, 5_111), Cost(28_160, 5_120)),
        ("depth-first", SearchMethod.INDEXED, Cost(23_033, 4_090), Cost(23_050, 4_098)),
        ("hypercube", SearchMethod.INDEXED, None, Cost(8_860, 1_260)),
        ("hypercube", SearchMethod.REFERENCE, None, Cost(8_860, 1_260)),
    ],
)
def test_published_figures_of_the_hypercube(
    name: str, search: SearchMethod, all_states: Cost | None, complete: Cost
) -> None:
    crawl = crawled(hypercube(10).truth, name, StrategySettings(reset_cost=3, search=search))
    assert crawl.cost == complete
    assert all_states in (None, crawl.discovery[-1])


@pytest.mark.parametrize("name", ["greedy", "menu"])
def test_resets_that_no_order_of_ties_changes(name: str) -> None:
    crawl = crawled(hypercube(10).truth, name, StrategySettings(reset_cost=3))
    assert crawl.resets == 1_260
    assert crawl.graph.statistics().complete


@pytest.mark.parametrize("search", SearchMethod)
@pytest.mark.parametrize("n", range(2, 10))
def test_hypercube_is_optimal_on_hypercubes(n: int, search: SearchMethod) -> None:
    """Lemma 6.2 of Dincturk et al., 2014; ten dimensions are above."""
    resets = comb(n, n // 2) * ((n + 1) // 2)
    events = (2**n * n + 2 * resets * n) // 4
    assert crawled(hypercube(n).truth, "hypercube", StrategySettings(reset_cost=3, search=search)).cost == Cost(
        events, resets
    )


@pytest.mark.parametrize("n", range(3, 8))
def test_greedy_resets_no_more_than_the_optimum_on_hypercubes(n: int) -> None:
    resets = comb(n, n // 2) * ((n + 1) // 2)
    assert crawled(hypercube(n).truth, "greedy", StrategySettings(reset_cost=3)).resets == resets


@pytest.mark.parametrize("n", range(3, 8))
def test_breadth_first_on_hypercubes_by_formula(n: int) -> None:
    events = sum(comb(n, level) * (n - level) * (level + 1) for level in range(n + 1))
    assert crawled(hypercube(n).truth, "breadth-first", StrategySettings()).cost == Cost(events, n * 2 ** (n - 1))


def test_hypercube_finds_states_in_the_recorded_order() -> None:
    rules = StrategySettings(ties=Ties.RESET, search=SearchMethod.REFERENCE)
    discovery = crawled(hypercube(4).truth, "hypercube", rules).discovery
    found = {state: (discovery[state - 1].events, discovery[state - 1].resets) for state in (5, 6, 8, 11, 14, 15, 16)}
    assert found == {5: (4, 1), 6: (5, 2), 8: (7, 2), 11: (11, 3), 14: (15, 4), 15: (18, 5), 16: (21, 6)}
