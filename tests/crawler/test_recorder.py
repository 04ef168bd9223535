"""Reports become facts: model and strategy get them at once, the journal in groups, and none is lost."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.crawler.recorder import GROUP_FACTS, GROUP_SECONDS, LATE_SECONDS, CrawlRecorder
from statecrawl.errors import StoreError
from statecrawl.journal.crawl_bounds import CrawlBounds, exhaustion_reason
from statecrawl.journal.facts import (
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
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.model.graph import MAX_DIVERGENCES
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.task import NoTask, Task


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


def found(state: str, *events: str) -> StateFound:
    return StateFound(state=state, events=events, url=f"http://host/{state}", title=f"title of {state}")


def explored(state: str, event: str, target: str) -> TransitionExplored:
    return TransitionExplored(state=state, event=event, target=target)


def recorder_of(
    strategy: str = "greedy", journal: MemoryJournal | None = None, clock: Clock | None = None
) -> CrawlRecorder:
    crawl = FoldedCrawl()
    made = make_strategy(strategy, crawl.graph, StrategySettings())
    return CrawlRecorder(crawl, made, MemoryJournal() if journal is None else journal, clock or Clock())


def restarted(recorder: CrawlRecorder, strategy: str, facts: Iterable[Fact]) -> None:
    crawl = FoldedCrawl()
    recorder.restart(crawl, make_strategy(strategy, crawl.graph, StrategySettings()), facts)


class ObservedExchange:
    """A recorder with two states: A (a, b) and B (c)."""

    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.recorder = recorder_of(journal=self.journal)
        self.recorder.report(found("A", "a", "b"), found("B", "c"))

    def facts(self) -> list[Fact]:
        """What was told beyond the two states."""
        self.recorder.write()
        return list(self.journal.read())[2:]


@pytest.fixture
def seen() -> ObservedExchange:
    return ObservedExchange()


class TestFacts:
    def test_a_state_is_found_once(self) -> None:
        journal = MemoryJournal()
        recorder = recorder_of(journal=journal)
        for state in "ABAB":
            recorder.report(found(state, "a", "b"))
            assert recorder.knows(state)
        assert not recorder.knows("C")
        recorder.write()
        assert list(journal.read()) == [found(state, "a", "b") for state in "AB"]

    def test_a_transition_says_what_was_spent_up_to_then(self, seen: ObservedExchange) -> None:
        seen.recorder.tally.events, seen.recorder.tally.resets = 7, 2
        assert seen.recorder.is_open(("A", "b"))
        seen.recorder.report(explored("A", "b", "B"))
        assert not seen.recorder.is_open(("A", "b"))
        assert seen.facts() == [TransitionExplored(state="A", event="b", target="B", fired=7, resets=2)]

    def test_surprises_are_counted_and_the_way_given_up(self, seen: ObservedExchange) -> None:
        seen.recorder.report(explored("A", "a", "B"))
        for _ in range(MAX_DIVERGENCES):
            assert seen.recorder.crawl.graph.travels(0, 0)
            seen.recorder.report(explored("A", "a", "A"))
        assert not seen.recorder.crawl.graph.travels(0, 0)
        assert seen.facts()[1:] == [
            TransitionDiverged(state="A", event="a", expected="B", landed="A", incident=number)
            for number in range(1, MAX_DIVERGENCES + 1)
        ]

    def test_what_failed_is_not_tried_again(self, seen: ObservedExchange) -> None:
        failures = (
            EventRefused(state="A", event="a", reason="denied"),
            EventHung(state="A", event="b", reason="no answer"),
            EventCrashed(state="B", event="c", reason="it died"),
        )
        seen.recorder.report(*failures)
        assert seen.facts() == list(failures)
        assert seen.recorder.strategy.next_task(0, 0) is NoTask.DONE
        assert seen.recorder.crawl.progress().complete

    def test_a_page_that_moves_by_itself(self, seen: ObservedExchange) -> None:
        for _ in range(2):
            seen.recorder.report(ExternalTransition(state="A", target="B", incident=1))
        assert seen.facts() == [ExternalTransition(state="A", target="B", incident=number) for number in (1, 2)]
        assert seen.recorder.crawl.external == {(0, 1): 2}

    def test_an_event_that_shows_itself_late_is_fired(self, seen: ObservedExchange) -> None:
        for state, event in (("A", "a"), ("A", "b"), ("B", "c")):
            seen.recorder.report(explored(state, event, "B"))
        seen.recorder.report(EventAdded(state="B", event="c (dismissed)"))
        task = seen.recorder.strategy.next_task(0, 1)
        assert isinstance(task, Task)
        assert task.pair == (1, 1)
        assert seen.facts()[-1] == EventAdded(state="B", event="c (dismissed)")


def test_what_lies_too_deep_is_closed_as_soon_as_it_is_known_how_deep_it_lies() -> None:
    crawl = FoldedCrawl()
    recorder = CrawlRecorder(
        crawl,
        make_strategy("greedy", crawl.graph, StrategySettings()),
        MemoryJournal(),
        Clock(),
        bounds=CrawlBounds(depth=1),
    )
    recorder.report(found("A", "a"), found("B", "b"), explored("A", "a", "B"))
    assert recorder.strategy.next_task(0, 1) is NoTask.DONE
    assert exhaustion_reason(crawl) == "max-depth"


class TestGroups:
    """One synchronous write for many facts, but not long after they were learnt."""

    def test_few_facts_wait(self) -> None:
        journal = MemoryJournal()
        recorder = recorder_of(journal=journal)
        recorder.report(found("A", "a"))
        assert len(recorder.crawl.graph) == 1, "the model knows at once"
        assert list(journal.read()) == []
        recorder.write()
        assert len(list(journal.read())) == 1

    def test_many_do_not(self) -> None:
        journal = MemoryJournal()
        recorder = recorder_of(journal=journal)
        for number in range(GROUP_FACTS - 1):
            recorder.report(found(str(number)))
        assert list(journal.read()) == []
        recorder.report(found("last"))
        assert len(list(journal.read())) == GROUP_FACTS

    def test_nor_do_old_ones(self) -> None:
        journal, clock = MemoryJournal(), Clock()
        recorder = recorder_of(journal=journal, clock=clock)
        recorder.report(found("A"))
        clock.now += GROUP_SECONDS * 1.1
        recorder.report(found("B"))
        assert len(list(journal.read())) == 2
        recorder.report(found("C"))
        assert len(list(journal.read())) == 2, "the time begins anew"

    def test_those_whose_evidence_is_still_being_written_wait_a_little_longer(self) -> None:
        journal, clock, busy = MemoryJournal(), Clock(), [True]
        crawl = FoldedCrawl()
        strategy = make_strategy("greedy", crawl.graph, StrategySettings())
        recorder = CrawlRecorder(crawl, strategy, journal, clock, is_busy=lambda: busy[0])
        recorder.report(found("A"))
        clock.now += GROUP_SECONDS * 1.1
        recorder.report(found("B"))
        assert list(journal.read()) == []
        clock.now += LATE_SECONDS
        recorder.report(found("C"))
        assert len(list(journal.read())) == 3, "but not for ever"
        busy[0] = False
        clock.now += GROUP_SECONDS * 1.1
        recorder.report(found("D"))
        assert len(list(journal.read())) == 4

    def test_a_last_word_is_written_at_once_and_behind_all_others(self) -> None:
        journal = MemoryJournal()
        recorder = recorder_of(journal=journal)
        recorder.report(found("A"))
        recorder.write_last(CrawlEnded(reason="complete"))
        assert [type(fact).__name__ for fact in journal.read()] == ["StateFound", "CrawlEnded"]

    def test_what_a_full_disk_refused_is_written_later_without_a_gap(self) -> None:
        disk = Disk()
        recorder = recorder_of(journal=disk)
        recorder.report(found("A", "a"))
        disk.is_full = True
        with pytest.raises(StoreError, match="the disk is full"):
            recorder.write()
        disk.is_full = False
        recorder.report(explored("A", "a", "A"))
        recorder.write()
        assert fold(disk.read()).graph.same_as(recorder.crawl.graph)
        assert len(list(disk.read())) == 2


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["explored", "refused", "hung", "crashed", "moved", "added", "found"]),
        *(st.integers(0, 5) for _ in range(3)),
    ),
    max_size=40,
)


FAILURES: dict[str, type[EventRefused | EventHung | EventCrashed]] = {
    "refused": EventRefused,
    "hung": EventHung,
    "crashed": EventCrashed,
}


def act(recorder: CrawlRecorder, verb: str, state: int, position: int, target: int) -> None:
    """Something that a page may report, whatever is known so far."""
    graph = recorder.crawl.graph
    if verb == "found" or not len(graph):
        recorder.report(found(f"{state:x}", *(f"e{number}" for number in range(position))))
        return
    recorder.tally.events += 1
    number = state % len(graph)
    name, led = graph.ids[number], graph.ids[target % len(graph)]
    if verb == "moved":
        recorder.report(ExternalTransition(state=name, target=led, incident=1))
    elif verb == "added":
        recorder.report(EventAdded(state=name, event=f"e{position}"))
    elif graph.events[number]:
        event = graph.event(number, position % len(graph.events[number])).local
        if verb in FAILURES:
            recorder.report(FAILURES[verb](state=name, event=event, reason="why"))
        else:
            recorder.report(explored(name, event, led))


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(deadline=None, max_examples=40)
@given(actions=ACTIONS)
def test_a_reader_of_the_journal_knows_what_the_recorder_knows(
    strategy: str, actions: list[tuple[str, int, int, int]]
) -> None:
    """Also a recorder that goes on with the crawl, and its strategy."""
    journal = MemoryJournal()
    recorder = recorder_of(strategy, journal)
    for action in actions:
        act(recorder, *action)
    recorder.write()
    assert fold(journal.read()).progress() == recorder.crawl.progress()
    later = recorder_of(strategy)
    restarted(later, strategy, journal.read())
    assert later.crawl.graph.same_as(recorder.crawl.graph)
    assert later.crawl.progress() == recorder.crawl.progress()
    assert later.strategy.free == recorder.strategy.free
    assert later.crawl.fired == recorder.crawl.fired


def test_beginning_again_goes_on_counting_and_writes_nothing_again() -> None:
    first = ObservedExchange()
    first.recorder.tally.events, first.recorder.tally.resets = 5, 2
    first.recorder.report(explored("A", "a", "B"))
    first.recorder.write()
    known = list(first.journal.read())
    restarted(first.recorder, "greedy", known)
    assert (first.recorder.tally.events, first.recorder.tally.resets) == (5, 2)
    first.recorder.report(found("A", "a", "b"))
    first.recorder.write()
    assert list(first.journal.read()) == known
