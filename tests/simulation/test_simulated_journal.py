"""Simulated journals: one writer at a time, and what a power cut removes."""

import pytest

from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound
from statecrawl.simulation.simulated_journal import FencedJournal, SimulatedJournal, WriteRefused

STARTED = CrawlStarted(application="a", configuration={}, reset_cost=2.0)
FACTS: list[Fact] = [STARTED, *(StateFound(state=f"s{number}", events=()) for number in range(4))]


@pytest.mark.parametrize(("lost", "kept"), [(1, 4), (3, 2), (4, 1), (40, 1)])
def test_a_power_cut_takes_what_was_written_last_but_never_the_beginning(lost: int, kept: int) -> None:
    journal = SimulatedJournal()
    journal.write(FACTS)
    journal.cut_power(lost)
    assert journal.facts == FACTS[:kept]
    assert journal.incarnation == 1


def test_a_crawl_that_has_ended_is_safe() -> None:
    journal = SimulatedJournal()
    journal.write([*FACTS, CrawlEnded(reason="complete")])
    assert journal.ended_at == 6
    journal.cut_power(3)
    assert (len(journal.facts), journal.incarnation) == (6, 0)


def test_an_earlier_leader_is_refused() -> None:
    journal = FencedJournal()
    first = journal.lead()
    journal.append(FACTS[:2], first, 0)
    second = journal.lead()
    with pytest.raises(WriteRefused):
        journal.append(FACTS[2:], first, 0)
    journal.append(FACTS[2:], second, 0)
    assert journal.facts == FACTS


def test_a_writer_that_knows_lost_facts_is_refused() -> None:
    journal = FencedJournal()
    fence = journal.lead()
    journal.append(FACTS, fence, 0)
    journal.cut_power(1)
    with pytest.raises(WriteRefused):
        journal.append([], fence, 0)
    journal.append([], fence, 1)
