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


def request(number: int, position: int, *facts: Fact, alone: bool = False, incarnation: int = 7) -> LogRequest:
    return LogRequest("me", number, incarnation, position, facts, alone)


def answered(told: PeerLogOutput) -> tuple[tuple[Fact, ...], bool]:
    [entries] = told.replies
    return entries.facts, entries.appended


def test_what_is_appended_is_read_in_the_same_round_trip() -> None:
    told = log().handle_request(request(1, 1, HOME), NOW)
    assert (told.facts, told.replies) == ([HOME], [LogEntries("me", 1, 7, (HOME,), True, {"me": 0.0})])


def test_a_repeated_request_is_answered_again_and_an_older_one_ignored() -> None:
    keeper = log()
    keeper.handle_request(request(2, 1, HOME), NOW)
    again = keeper.handle_request(request(2, 1, HOME), NOW)
    assert (again.facts, answered(again)) == ([], ((HOME,), True))
    assert keeper.handle_request(request(1, 1, AWAY), NOW) == PeerLogOutput()


def test_a_peer_of_another_incarnation_reads_everything_and_appends_nothing() -> None:
    told = log(HOME).handle_request(request(1, 1, AWAY, incarnation=6), NOW)
    assert (told.facts, answered(told)) == ([], ((STARTED, HOME), False))


@pytest.mark.parametrize(("position", "appended"), [(1, False), (2, True), (3, False)])
def test_an_exclusive_entry_is_appended_only_if_the_log_has_not_grown(position: int, appended: bool) -> None:
    ended = CrawlEnded(reason="complete")
    told = log(HOME).handle_request(request(1, position, ended, alone=True), NOW)
    assert (told.facts, answered(told)[1]) == ([ended] if appended else [], appended)


def test_known_facts_are_not_written_and_new_ones_carry_the_costs() -> None:
    keeper = log(HOME, AWAY)
    first = keeper.handle_request(msgspec.structs.replace(request(1, 3, GO), events=4, resets=1), NOW)
    assert first.facts == [msgspec.structs.replace(GO, fired=4, resets=1)]
    second = keeper.handle_request(LogRequest("you", 1, 7, 3, (HOME, GO), events=2), NOW)
    assert (second.facts, second.replies[0].appended) == ([], True)
    assert (keeper.fired, keeper.resets, keeper.repeated) == (6, 1, 1)


@pytest.mark.parametrize(
    "nonsense", [GO, CostMeasured(reset_cost=1.0), EquivalenceRevised(revision=1, rules=()), STARTED]
)
def test_facts_that_no_peer_may_report_are_refused(nonsense: Fact) -> None:
    keeper = log()
    told = keeper.handle_request(request(1, 1, HOME, nonsense, AWAY), NOW)
    assert (told.facts, told.replies) == ([HOME], [])
    assert told.refused.startswith("me ")
    assert keeper.facts == [STARTED, HOME]


def test_of_two_changes_with_the_same_number_the_first_counts() -> None:
    keeper = log()
    keeper.handle_request(request(1, 1, MemberJoined(member="me", epoch=1)), NOW)
    assert keeper.handle_request(LogRequest("you", 1, 7, 1, (MemberJoined(member="you", epoch=1),)), NOW).facts == []
    assert keeper.crawl.members == ("me",)


def test_the_log_reports_the_silence_of_peers() -> None:
    keeper = log()
    keeper.handle_request(request(1, 1), 1.0)
    keeper.handle_request(LogRequest("you", 1, 7, 1), 2.0)
    keeper.mark_alive("me", 4.0)
    [entries] = keeper.handle_request(LogRequest("you", 2, 7, 1), 9.0).replies
    assert entries.silence == {"me": 5.0, "you": 0.0}


def test_a_requested_end_is_written_once() -> None:
    keeper = log(HOME)
    assert keeper.end("max-time") == PeerLogOutput([CrawlEnded(reason="max-time")])
    assert keeper.end("interrupted") == PeerLogOutput()


def test_there_is_news_for_a_peer_with_unread_entries_or_a_token() -> None:
    keeper = log(HOME)
    assert not keeper.has_news("me", 7, 2)
    assert keeper.has_news("me", 7, 1)
    assert keeper.has_news("me", 6, 2)
    keeper.store_token("me", PassedToken(7, Token(1, 1)))
    assert keeper.has_news("me", 7, 2)
    assert keeper.take_token("me") == PassedToken(7, Token(1, 1))
    assert keeper.take_token("me") is None


def test_the_newest_token_waits() -> None:
    keeper = log()
    for token in (PassedToken(7, Token(1, 2)), PassedToken(7, Token(1, 1)), PassedToken(6, Token(9, 9))):
        keeper.store_token("me", token)
    assert keeper.take_token("me") == PassedToken(7, Token(1, 2))


def test_facts_before_a_revision_have_no_position() -> None:
    revised = EquivalenceRevised(revision=1, rules=(("a", "b"),))
    assert PeerLogMachine([STARTED, HOME, revised, AWAY]).facts == [STARTED, revised, AWAY]
