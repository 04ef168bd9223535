"""What pages report becomes facts: told to model and strategy at once, to the journal in groups, and never lost."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import StoreError
from statecrawl.journal.facts import (
    BoundarySeen,
    CostMeasured,
    CrawlEnded,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import Crawl, fold
from statecrawl.journal.memory import MemoryJournal
from statecrawl.model.graph import MAX_DIVERGENCES
from statecrawl.ports.page import Note, Snapshot
from statecrawl.runtime.observing import GROUP_FACTS, GROUP_SECONDS, Observer
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.task import Answer, Task


class Clock:
    """Time that goes on when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Disk(MemoryJournal):
    """A journal on a disk that may be full for a while."""

    is_full = False

    def append(self, facts: Iterable[Fact]) -> int:
        if self.is_full:
            raise StoreError("the disk is full")
        return super().append(facts)


def snapshot(state: str, *events: str) -> Snapshot:
    return Snapshot(
        state=state,
        events=events,
        labels=events,
        url=f"http://host/{state}",
        title=f"title of {state}",
        html="",
        normal="",
        links=(),
        forms=(),
        cut=False,
    )


def observer(strategy: str = "greedy", journal: MemoryJournal | None = None, clock: Clock | None = None) -> Observer:
    crawl = Crawl()
    made = make_strategy(strategy, crawl.graph, Rules())
    return Observer(crawl, made, MemoryJournal() if journal is None else journal, clock or Clock())


def begin_again(observer: Observer, strategy: str, facts: Iterable[Fact]) -> None:
    crawl = Crawl()
    observer.begin_again(crawl, make_strategy(strategy, crawl.graph, Rules()), facts)


class Seen:
    """An observer with two states: A (a, b) and B (c)."""

    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.observer = observer(journal=self.journal)
        self.a = self.observer.found(snapshot("A", "a", "b"))
        self.b = self.observer.found(snapshot("B", "c"))

    def facts(self) -> list[Fact]:
        """What was told beyond the two states."""
        self.observer.write()
        return list(self.journal.read())[2:]


@pytest.fixture
def seen() -> Seen:
    return Seen()


class TestFacts:
    def test_a_state_is_found_once(self) -> None:
        journal = MemoryJournal()
        watching = observer(journal=journal)
        assert [watching.found(snapshot(state, "a", "b")) for state in "ABAB"] == [0, 1, 0, 1]
        watching.write()
        assert list(journal.read()) == [
            StateFound(state=state, events=("a", "b"), url=f"http://host/{state}", title=f"title of {state}")
            for state in "AB"
        ]

    def test_a_transition_says_what_was_spent_up_to_then(self, seen: Seen) -> None:
        seen.observer.tally.events, seen.observer.tally.resets = 7, 2
        assert not seen.observer.is_explored((0, 1))
        seen.observer.explored((0, 1), 1)
        assert seen.observer.is_explored((0, 1))
        assert seen.facts() == [TransitionExplored(state="A", event="b", target="B", fired=7, resets=2)]

    def test_surprises_are_counted_and_the_way_given_up(self, seen: Seen) -> None:
        seen.observer.explored((0, 0), 1)
        for _ in range(MAX_DIVERGENCES):
            assert seen.observer.crawl.graph.travels(0, 0)
            seen.observer.diverged((0, 0), 0)
        assert not seen.observer.crawl.graph.travels(0, 0)
        assert seen.facts()[1:] == [
            TransitionDiverged(state="A", event="a", expected="B", landed="A", incident=number) for number in (1, 2, 3)
        ]

    def test_failures(self, seen: Seen) -> None:
        seen.observer.refused((0, 0), "denied")
        seen.observer.hung((0, 1), "no answer")
        seen.observer.crashed((1, 0), "it died")
        assert seen.facts() == [
            EventRefused(state="A", event="a", reason="denied"),
            EventHung(state="A", event="b", reason="no answer"),
            EventCrashed(state="B", event="c", reason="it died"),
        ]
        assert seen.observer.strategy.next_task(0, 0) is Answer.DONE, "nothing of it is tried again"
        assert seen.observer.crawl.progress().complete

    def test_a_page_that_moves_by_itself(self, seen: Seen) -> None:
        for _ in range(2):
            seen.observer.moved(0, 1)
        assert seen.facts() == [ExternalTransition(state="A", target="B", incident=number) for number in (1, 2)]
        assert seen.observer.crawl.external == {(0, 1): 2}

    def test_an_event_that_shows_itself_late_is_fired(self, seen: Seen) -> None:
        for pair in ((0, 0), (0, 1), (1, 0)):
            seen.observer.explored(pair, 1)
        seen.observer.event_added(1, "c (dismissed)")
        task = seen.observer.strategy.next_task(0, 1)
        assert isinstance(task, Task)
        assert task.pair == (1, 1)
        assert seen.facts()[-1] == EventAdded(state="B", event="c (dismissed)")

    def test_what_a_reset_costs(self, seen: Seen) -> None:
        seen.observer.measured(3.5)
        assert seen.facts() == [CostMeasured(reset_cost=3.5)]
        assert seen.observer.crawl.reset_cost == 3.5

    def test_ways_out_of_the_application_and_nothing_else(self, seen: Seen) -> None:
        notes = [
            Note("boundary", "http://other/"),
            Note("request", ["GET", "http://host/x"]),
            Note("window", "http://host/w"),
            Note("download", "http://host/d"),
            Note("dialog", ["alert", "hello", True]),
        ]
        seen.observer.boundaries(notes, (0, 1), 0)
        seen.observer.boundaries(notes[:1], None, 1)
        assert seen.facts() == [
            BoundarySeen(state="A", event="b", what="scope", url="http://other/"),
            BoundarySeen(state="A", event="b", what="window", url="http://host/w"),
            BoundarySeen(state="A", event="b", what="download", url="http://host/d"),
            BoundarySeen(state="B", event=None, what="scope", url="http://other/"),
        ]


class TestGroups:
    """One synchronous write for many facts, but not long after they were learnt."""

    def test_few_facts_wait(self) -> None:
        journal = MemoryJournal()
        watching = observer(journal=journal)
        watching.found(snapshot("A", "a"))
        assert len(watching.crawl.graph) == 1, "the model knows at once"
        assert list(journal.read()) == []
        watching.write()
        assert len(list(journal.read())) == 1

    def test_many_do_not(self) -> None:
        journal = MemoryJournal()
        watching = observer(journal=journal)
        for number in range(GROUP_FACTS - 1):
            watching.found(snapshot(str(number)))
        assert list(journal.read()) == []
        watching.found(snapshot("last"))
        assert len(list(journal.read())) == GROUP_FACTS

    def test_nor_do_old_ones(self) -> None:
        journal, clock = MemoryJournal(), Clock()
        watching = observer(journal=journal, clock=clock)
        watching.found(snapshot("A"))
        clock.now += GROUP_SECONDS * 1.1
        watching.found(snapshot("B"))
        assert len(list(journal.read())) == 2
        watching.found(snapshot("C"))
        assert len(list(journal.read())) == 2, "the time begins anew"

    def test_a_last_word_is_written_at_once_and_behind_all_others(self) -> None:
        journal = MemoryJournal()
        watching = observer(journal=journal)
        watching.found(snapshot("A"))
        watching.tell_journal(CrawlEnded(reason="complete"))
        assert [type(fact).__name__ for fact in journal.read()] == ["StateFound", "CrawlEnded"]

    def test_what_a_full_disk_refused_is_written_later_without_a_gap(self) -> None:
        disk = Disk()
        watching = observer(journal=disk)
        watching.found(snapshot("A", "a"))
        disk.is_full = True
        with pytest.raises(StoreError, match="the disk is full"):
            watching.write()
        disk.is_full = False
        watching.explored((0, 0), 0)
        watching.write()
        assert fold(disk.read()).graph.same_as(watching.crawl.graph)
        assert len(list(disk.read())) == 2


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["explored", "diverged", "refused", "hung", "crashed", "moved", "added", "found"]),
        *(st.integers(0, 5) for _ in range(3)),
    ),
    max_size=40,
)


def act(watching: Observer, verb: str, state: int, position: int, target: int) -> None:
    """Something that a page may report, whatever is known so far."""
    graph = watching.crawl.graph
    if verb == "found" or not len(graph):
        watching.found(snapshot(f"{state:x}", *(f"e{number}" for number in range(position))))
        return
    state, target = state % len(graph), target % len(graph)
    watching.tally.events += 1
    if verb == "moved":
        watching.moved(state, target)
    elif verb == "added":
        watching.event_added(state, f"e{position}")
    elif graph.events[state]:
        pair = (state, position % len(graph.events[state]))
        if verb in ("refused", "hung", "crashed"):
            getattr(watching, verb)(pair, "why")
        elif watching.is_explored(pair):
            watching.diverged(pair, target)
        else:
            watching.explored(pair, target)


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(deadline=None, max_examples=40)
@given(actions=ACTIONS)
def test_whoever_reads_the_journal_knows_what_the_observer_knows(
    strategy: str, actions: list[tuple[str, int, int, int]]
) -> None:
    """Also an observer that goes on with the crawl, and its strategy."""
    journal = MemoryJournal()
    watching = observer(strategy, journal)
    for action in actions:
        act(watching, *action)
    watching.write()
    assert fold(journal.read()).progress() == watching.crawl.progress()
    later = observer(strategy)
    begin_again(later, strategy, journal.read())
    assert later.crawl.graph.same_as(watching.crawl.graph)
    assert later.crawl.progress() == watching.crawl.progress()
    assert later.strategy.free == watching.strategy.free
    assert later.crawl.fired == watching.crawl.fired


def test_beginning_again_goes_on_counting_and_writes_nothing_again() -> None:
    first = Seen()
    first.observer.tally.events, first.observer.tally.resets = 5, 2
    first.observer.explored((0, 0), 1)
    first.observer.write()
    known = list(first.journal.read())
    begin_again(first.observer, "greedy", known)
    assert (first.observer.tally.events, first.observer.tally.resets) == (5, 2)
    first.observer.found(snapshot("A", "a", "b"))
    first.observer.write()
    assert list(first.journal.read()) == known
