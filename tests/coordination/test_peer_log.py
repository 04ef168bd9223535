"""The log: it appends each request once, in order, and only in the right incarnation; tokens wait for their peers."""

import msgspec
import pytest

from statecrawl.coordination.peer_log import PeerLogMachine, PeerLogOutput
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.coordination.termination import Token
from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    Fact,
    MemberJoined,
    StateFound,
    TransitionExplored,
)

STARTED = CrawlStarted(application="a", configuration={}, reset_cost=2.0)
HOME, AWAY = StateFound(state="home", events=("go",)), StateFound(state="away", events=())
GO = TransitionExplored(state="home", event="go", target="away")
NOW = 5.0


def log(*facts: Fact, incarnation: int = 7) -> PeerLogMachine:
    return PeerLogMachine([STARTED, *facts], incarnation=incarnation)


def request(number: int, position: int, *facts: Fact, exclusive: bool = False, incarnation: int = 7) -> LogRequest:
    return LogRequest("me", number, incarnation, position, facts, exclusive)


def answered(output: PeerLogOutput) -> tuple[tuple[Fact, ...], bool]:
    [entries] = output.replies
    return entries.facts, entries.appended


def test_what_is_appended_is_read_in_the_same_round_trip() -> None:
    output = log().handle_request(request(1, 1, HOME), NOW)
    assert (output.facts, output.replies) == ([HOME], [LogEntries("me", 1, 7, (HOME,), True, {"me": 0.0})])


def test_a_repeated_request_is_answered_again_and_an_older_one_ignored() -> None:
    machine = log()
    machine.handle_request(request(2, 1, HOME), NOW)
    again = machine.handle_request(request(2, 1, HOME), NOW)
    assert (again.facts, answered(again)) == ([], ((HOME,), True))
    assert machine.handle_request(request(1, 1, AWAY), NOW) == PeerLogOutput()


def test_a_peer_of_another_incarnation_reads_everything_and_appends_nothing() -> None:
    output = log(HOME).handle_request(request(1, 1, AWAY, incarnation=6), NOW)
    assert (output.facts, answered(output)) == ([], ((STARTED, HOME), False))


@pytest.mark.parametrize(("position", "appended"), [(1, False), (2, True), (3, False)])
def test_an_exclusive_entry_is_appended_only_if_the_log_has_not_grown(position: int, appended: bool) -> None:
    ended = CrawlEnded(reason="complete")
    output = log(HOME).handle_request(request(1, position, ended, exclusive=True), NOW)
    assert (output.facts, answered(output)[1]) == ([ended] if appended else [], appended)


def test_known_facts_are_not_written_and_new_ones_carry_the_costs() -> None:
    machine = log(HOME, AWAY)
    first = machine.handle_request(msgspec.structs.replace(request(1, 3, GO), events=4, resets=1), NOW)
    assert first.facts == [msgspec.structs.replace(GO, fired=4, resets=1)]
    second = machine.handle_request(LogRequest("you", 1, 7, 3, (HOME, GO), events=2), NOW)
    assert (second.facts, second.replies[0].appended) == ([], True)
    assert (machine.fired, machine.resets, machine.repeated) == (6, 1, 1)


@pytest.mark.parametrize(
    "nonsense", [GO, CostMeasured(reset_cost=1.0), EquivalenceRevised(revision=1, rules=()), STARTED]
)
def test_facts_that_no_peer_may_report_are_refused(nonsense: Fact) -> None:
    machine = log()
    output = machine.handle_request(request(1, 1, HOME, nonsense, AWAY), NOW)
    assert (output.facts, output.replies) == ([HOME], [])
    assert output.refused.startswith("me ")
    assert machine.facts == [STARTED, HOME]


def test_of_two_changes_with_the_same_number_the_first_counts() -> None:
    machine = log()
    machine.handle_request(request(1, 1, MemberJoined(member="me", epoch=1)), NOW)
    assert machine.handle_request(LogRequest("you", 1, 7, 1, (MemberJoined(member="you", epoch=1),)), NOW).facts == []
    assert machine.crawl.members == ("me",)


def test_the_log_reports_the_silence_of_peers() -> None:
    machine = log()
    machine.handle_request(request(1, 1), 1.0)
    machine.handle_request(LogRequest("you", 1, 7, 1), 2.0)
    machine.mark_alive("me", 4.0)
    [entries] = machine.handle_request(LogRequest("you", 2, 7, 1), 9.0).replies
    assert entries.silence == {"me": 5.0, "you": 0.0}


def test_a_requested_end_is_written_once() -> None:
    machine = log(HOME)
    assert machine.end("max-time") == PeerLogOutput([CrawlEnded(reason="max-time")])
    assert machine.end("interrupted") == PeerLogOutput()


def test_there_is_news_for_a_peer_with_unread_entries_or_a_token() -> None:
    machine = log(HOME)
    assert not machine.has_news("me", 7, 2)
    assert machine.has_news("me", 7, 1)
    assert machine.has_news("me", 6, 2)
    machine.store_token("me", PassedToken(7, Token(1, 1)))
    assert machine.has_news("me", 7, 2)
    assert machine.take_token("me") == PassedToken(7, Token(1, 1))
    assert machine.take_token("me") is None


def test_the_newest_token_waits() -> None:
    machine = log()
    for token in (PassedToken(7, Token(1, 2)), PassedToken(7, Token(1, 1)), PassedToken(6, Token(9, 9))):
        machine.store_token("me", token)
    assert machine.take_token("me") == PassedToken(7, Token(1, 2))


def test_facts_before_a_revision_have_no_position() -> None:
    revised = EquivalenceRevised(revision=1, rules=(("a", "b"),))
    assert PeerLogMachine([STARTED, HOME, revised, AWAY]).facts == [STARTED, revised, AWAY]
