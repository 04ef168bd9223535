"""Novelty: every event is tried before any is repeated for long."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.graph import Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.novelty import MANY, Novelty
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.task import Task
from tests.strategies.machines import built, examples, machines


def order_of(truth: Graph) -> tuple[SimulatedCrawl, list[tuple[str, set[str]]]]:
    """Crawl a model. Return the logical id of each event explored, with those that were known and untried before it."""
    strategy = Novelty(Graph(), StrategySettings())
    graph, explored = strategy.graph, list[tuple[str, set[str]]]()
    tried: set[str] = set()
    known: list[set[str]] = []  # before each task

    def note(task: Task, _: int, __: bool) -> None:
        logical = graph.event(*task.pair).logical
        explored.append((logical, known[-1] - tried))
        tried.add(logical)
        known.append(set(graph.logical_ids))

    crawl = SimulatedCrawl(truth, strategy, on_task=note)
    known.append({truth.event(0, position).logical for position in range(len(truth.events[0]))})
    crawl.run()
    return crawl, explored


@given(truth=machines(), walkers=st.integers(1, 3))
@examples(40)
def test_everything_is_explored(truth: Graph, walkers: int) -> None:
    crawl = SimulatedCrawl(truth, Novelty(Graph(), StrategySettings()), walkers=walkers)
    crawl.run()
    assert crawl.finished
    assert crawl.graph.unexplored == 0


@given(pages=st.integers(12, 40), every=st.integers(1, 5))
@examples(20)
def test_no_event_is_repeated_for_the_tenth_time_while_one_is_untried(pages: int, every: int) -> None:
    """Each page has a link home, and every few pages have a button of their own."""
    rows = [
        [("home", 0), ("next", min(page + 1, pages)), *([(f"button {page}", page)] if page % every == 0 else [])]
        for page in range(pages + 1)
    ]
    homes = 0
    for logical, untried in order_of(built(rows))[1]:
        if logical == "home":
            homes += 1
            assert homes <= MANY or untried == set()
    assert homes == pages + 1


def test_an_event_that_always_makes_new_states_starves_no_other() -> None:
    """A list that grows at every click, beside four buttons that nobody must forget."""
    size = 60
    rows = [
        [("add", min(state + 1, size)), *((button, state) for button in ("help", "sort", "print", "save"))]
        for state in range(size + 1)
    ]
    _, explored = order_of(built(rows))
    first = [logical for logical, _ in explored[:5]]
    assert sorted(first) == ["add", "help", "print", "save", "sort"]


def test_what_repeats_itself_waits_for_what_does_not() -> None:
    """A link that leads home from everywhere is not followed from all pages before their own events are tried."""
    pages = 30
    rows = [[("home", 0), ("next", min(page + 1, pages))] for page in range(pages + 1)]
    _, explored = order_of(built(rows))
    homes = [place for place, (logical, _) in enumerate(explored) if logical == "home"]
    assert homes[MANY] > pages
