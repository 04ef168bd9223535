"""The journal of a simulated crawl."""

from itertools import pairwise

import pytest

from statecrawl.journal.facts import CrawlEnded, CrawlStarted, StateFound, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.lab.journal_recorder import GROUP_FACTS
from statecrawl.lab.measurement import measure
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import StrategySettings, TieOrder
from statecrawl.testbed.generated import hypercube, menusite, tiny, widgets


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_fold_of_a_recording_is_the_application(strategy: str) -> None:
    app, journal = menusite(3, 2), MemoryJournal()
    run = measure(app, strategy, StrategySettings(reset_cost=app.reset_cost), journal=journal)
    crawl = fold(journal.read())
    assert crawl.graph.same_as(app.truth)
    assert crawl.progress().complete
    assert crawl.progress().cost == run.cost
    assert crawl.ended == "complete"


def test_a_recording_starts_with_the_settings_and_ends_with_the_reason() -> None:
    journal = MemoryJournal()
    measure(tiny(), "menu", StrategySettings(reset_cost=2.5, order=TieOrder.RANDOM, seed=9), journal=journal)
    started, first, *_, ended = journal.read()
    assert isinstance(started, CrawlStarted)
    assert (started.application, started.reset_cost) == ("tiny", 2.5)
    assert started.configuration == {
        "strategy": "menu",
        "model": "states",
        "exhaustive": False,
        "confidence": 0.95,
        "reset_cost": 2.5,
        "ties": "walk",
        "order": "random",
        "search": "indexed",
        "prefer": "none",
        "aging": 1.0,
        "seed": 9,
        "by_url": False,
    }
    assert first == StateFound(state="H", events=("a", "b", "x"))
    assert ended == CrawlEnded(reason="complete")


def test_counters_only_grow_and_end_at_the_cost() -> None:
    journal = MemoryJournal()
    run = measure(hypercube(4), "breadth-first", StrategySettings(), journal=journal)
    told = [(fact.fired, fact.resets) for fact in journal.read() if isinstance(fact, TransitionExplored)]
    assert told[0] == (1, 1)  # the first load is a reset
    assert told[-1] == (run.cost.events, run.cost.resets)
    for of in (0, 1):
        column = [pair[of] or 0 for pair in told]
        assert column == sorted(column)


def test_an_application_of_one_state_without_events_is_recorded() -> None:
    journal = MemoryJournal()
    measure(widgets(1, 1), "greedy", StrategySettings(), journal=journal)
    started, state, ended = journal.read()
    assert isinstance(started, CrawlStarted)
    assert state == StateFound(state="0", events=())
    assert ended == CrawlEnded(reason="complete")


def test_groups_are_written_during_the_run_and_a_stop_is_recorded() -> None:
    journal, written = MemoryJournal(), [0]

    def on_progress(_: object) -> bool:
        written.append(sum(1 for _ in journal.read()))
        return len(written) < 8

    run = measure(hypercube(9), "greedy", StrategySettings(), on_progress=on_progress, journal=journal)
    assert not run.complete
    assert written == sorted(written)
    assert len(set(written)) > 3
    steps = [after - before for before, after in pairwise(written) if after > before]
    assert all(step >= GROUP_FACTS for step in steps)
    crawl = fold(journal.read())
    assert crawl.ended == "interrupted"
    assert crawl.graph.explored == run.transitions
