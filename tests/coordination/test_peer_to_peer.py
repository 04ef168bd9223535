"""Peers: what they append and when, membership, the path of the token, and the end."""

import pytest

from statecrawl.coordination.partition import Partition
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken, Peer, PeerStatus
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.coordination.termination import Token
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import (
    CrawlEnded,
    CrawlStarted,
    EventAdded,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionExplored,
)
from statecrawl.strategies.orders import OPEN, Order
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings

STARTED = CrawlStarted(application="a", configuration={}, reset_cost=2.0)
HOME = StateFound(state="home", events=("go", "stay"))
AWAY = StateFound(state="away", events=())
GO = TransitionExplored(state="home", event="go", target="away")
STAY = TransitionExplored(state="home", event="stay", target="home")
A, B = MemberJoined(member="a", epoch=1), MemberJoined(member="b", epoch=2)
PATIENCE = 3.0


def peer(name: str, sharing: SharingRules | None = None) -> Peer:
    make = lambda graph: make_strategy("greedy", graph, StrategySettings())  # noqa: E731
    return Peer(name, make, Partition(), sharing or SharingRules(), PATIENCE)


def status(one: Peer) -> PeerStatus:
    return one.status


class Log:
    """A log without faults."""

    def __init__(self, *facts: Fact) -> None:
        self.facts = [STARTED, *facts]
        self.incarnation = 0
        self.silence: dict[str, float] = {"a": 0.0, "b": 0.0}

    def answer(self, request: LogRequest | None) -> LogEntries:
        assert request is not None
        current = request.incarnation == self.incarnation
        appended = current and not (request.exclusive and request.position != len(self.facts))
        if appended:
            self.facts += request.facts
        news = tuple(self.facts[request.position if current else 0 :])
        return LogEntries(request.peer, request.number, self.incarnation, news, appended, self.silence)

    def serve(self, one: Peer, now: float = 0.0) -> LogRequest:
        """One round trip, whether there is reason for it or not."""
        request = one.repeat(now)
        one.handle_entries(self.answer(request), now)
        assert request is not None
        return request


def at_work(name: str, log: Log, sharing: SharingRules | None = None) -> Peer:
    """A peer that has read the log and is a member."""
    one = peer(name, sharing)
    log.serve(one)
    if not one.member.is_member:
        log.serve(one)
    return one


def test_a_peer_goes_from_status_to_status() -> None:
    log, one = Log(), peer("a")
    assert status(one) is PeerStatus.INITIAL
    assert one.next_request(0.0) == LogRequest("a", 1, -1, 0)
    log.serve(one)
    assert status(one) is PeerStatus.AWAKE
    assert one.next_request(0.0) == LogRequest("a", 2, 0, 1, (A,))
    assert one.next_request(0.0) is None  # it waits for the answer
    log.serve(one)
    assert status(one) is PeerStatus.AWAKE
    assert one.next_order(None) == OPEN
    one.observe([HOME], 0.0)
    assert status(one) is PeerStatus.WORKING
    assert log.serve(one).facts == (HOME,)
    assert one.next_order("home") == Order(False, "home", (("go", None),), 0)
    one.observe([AWAY, GO], 0.0)
    assert log.serve(one).facts == (AWAY, GO)
    one.next_order("away")
    one.observe([HOME, STAY], 0.0)
    assert one.next_order("home") is None
    assert status(one) is PeerStatus.IDLE
    assert log.serve(one).facts == (STAY,)
    assert one.next_order("home") is None
    assert log.serve(one) == LogRequest("a", 6, 0, 6, (CrawlEnded(reason=COMPLETE),), exclusive=True)
    assert (one.status, one.over) == (PeerStatus.TERMINATED, COMPLETE)
    assert (one.next_order("home"), one.next_request(0.0), one.repeat(0.0)) == (None, None, None)


def test_only_the_first_member_opens_the_application() -> None:
    log = Log(A)
    one = at_work("b", log)
    assert log.facts == [STARTED, A, B]
    assert one.next_order(None) is None
    assert status(one) is PeerStatus.AWAKE
    log.facts.append(HOME)
    log.serve(one)
    assert status(one) is PeerStatus.WORKING


def test_of_two_changes_with_one_number_the_first_counts_and_the_other_is_written_again() -> None:
    log, one = Log(), peer("b")
    log.serve(one)
    request = one.next_request(0.0)
    log.facts.append(A)  # somebody was faster
    assert request is not None
    assert request.facts == (MemberJoined(member="b", epoch=1),)
    one.handle_entries(log.answer(request), 0.0)
    assert not one.member.is_member
    assert log.serve(one).facts == (B,)
    assert one.member.crawl.members == ("a", "b")


def test_a_silent_peer_is_removed_and_joins_again() -> None:
    log = Log(A, B, HOME)
    one = at_work("a", log)
    log.silence = {"a": 9.0, "b": PATIENCE, "stranger": 9.0}
    log.serve(one)
    assert one.next_request(0.0) is None
    log.silence = {"a": 9.0, "b": PATIENCE + 0.1, "stranger": 9.0}
    log.serve(one)
    assert log.serve(one).facts == (MemberLeft(member="b", epoch=3),)
    log.silence = {"a": 0.0}
    assert at_work("b", log).member.crawl.members == ("a", "b")
    assert log.facts[-1] == MemberJoined(member="b", epoch=4)


def test_a_member_unknown_to_the_log_is_given_the_same_time() -> None:
    log = Log(A, B, HOME)
    one = at_work("a", log)
    log.silence = {"a": 0.0}
    log.serve(one, 10.0)
    log.serve(one, 10.0 + PATIENCE)
    assert one.next_request(10.0 + PATIENCE) is None
    log.serve(one, 10.1 + PATIENCE)
    assert log.serve(one, 10.1 + PATIENCE).facts == (MemberLeft(member="b", epoch=3),)


def test_a_leaving_peer_reports_the_rest_and_its_departure() -> None:
    log = Log(A, HOME)
    one = at_work("a", log, SharingRules(count=99))
    one.next_order(None)
    one.observe([AWAY, GO], 0.0)
    assert one.leave("tired") == LogRequest("a", 2, 0, 3, (AWAY, GO, MemberLeft(member="a", epoch=2)))
    assert status(one) is PeerStatus.TERMINATED
    assert one.next_request(0.0) is None
    assert peer("b").leave("tired").facts == ()  # it was never there


@pytest.mark.parametrize(
    ("sharing", "moments"),
    [
        (SharingRules(), [True, True]),
        (SharingRules(count=3), [False, True]),  # a state, then a state and a transition
        (SharingRules(count=99, seconds=1.5), [False, True]),
        (SharingRules(count=99, seconds=9.0), [False, False]),
    ],
)
def test_when_a_peer_reports(sharing: SharingRules, moments: list[bool]) -> None:
    log = Log()
    one = at_work("a", log, sharing)
    one.next_order(None)
    one.observe([HOME], 1.0)
    first = one.next_request(1.0)
    if first is not None:
        one.handle_entries(log.answer(first), 1.0)
    one.next_order("home")
    one.observe([AWAY, GO], 3.0)
    assert [first is not None, one.next_request(3.0) is not None] == moments


def test_an_idle_peer_reports_the_rest() -> None:
    log = Log(HOME, AWAY, GO)
    one = at_work("a", log, SharingRules(count=99))
    assert one.next_order("home") == Order(False, "home", (("stay", None),), 0)
    one.observe([HOME, STAY], 0.0)
    assert one.next_request(0.0) is None
    one.next_order("home")
    assert log.serve(one).facts == (STAY,)


@pytest.mark.parametrize("extent", SharingExtent)
def test_a_peer_processes_the_shared_facts(extent: SharingExtent) -> None:
    log = Log(A, B, HOME)
    one = at_work("b", log, SharingRules(extent=extent))
    log.facts += [STAY, AWAY, GO]
    log.serve(one)
    assert one.member.crawl.graph.explored == (2 if extent is SharingExtent.ALL else 1)
    log.facts += [MemberLeft(member="a", epoch=3)]
    log.serve(one)
    assert one.member.crawl.graph.explored == 2  # what was a's is b's, and done


def test_a_duplicate_or_late_reply_changes_nothing() -> None:
    log, one = Log(), peer("a")
    request = one.next_request(0.0)
    answer = log.answer(request)
    one.handle_entries(answer, 0.0)
    log.serve(one)
    members = one.member.crawl.members
    one.handle_entries(answer, 0.0)
    assert one.member.crawl.members == members
    assert one.next_request(0.0) is None


def test_the_end_is_written_only_if_no_other_peer_has_written() -> None:
    log = Log(A, HOME, STAY, AWAY, GO)
    one = at_work("a", log)
    assert one.next_order(None) is None
    request = one.next_request(0.0)
    assert request is not None
    assert request.exclusive
    log.facts.append(B)
    one.handle_entries(log.answer(request), 0.0)
    assert one.over is None
    assert one.next_order(None) is None
    log.serve(one)
    assert one.over == COMPLETE


def test_facts_lost_by_the_log_are_reported_again() -> None:
    log = Log(A, HOME)
    one = at_work("a", log)
    one.next_order(None)
    one.observe([AWAY, GO], 0.0)
    log.serve(one)
    assert log.facts[-1] == GO
    del log.facts[-2:]
    log.incarnation += 1
    one.next_order("away")
    one.observe([HOME, STAY], 0.0)
    log.serve(one)  # is refused, and hears everything from the beginning
    assert log.facts == [STARTED, A, HOME]
    assert set(map(str, log.serve(one).facts)) == set(map(str, (AWAY, GO, STAY)))


# -- the token --

STATES_ONLY = SharingRules(extent=SharingExtent.STATES)


def two_idle_peers() -> tuple[Log, Peer, Peer]:
    log = Log(A, B, HOME, STAY, AWAY, GO)
    one, other = (at_work(name, log, STATES_ONLY) for name in "ab")
    for each in (one, other):
        each.next_order(None)
        log.serve(each)
        assert each.next_order(None) is None
    return log, one, other


def test_the_first_member_makes_the_token_and_it_circulates() -> None:
    log, one, other = two_idle_peers()
    assert other.token_to_pass() is None
    passing = one.token_to_pass()
    assert passing == ("b", PassedToken(0, Token(2, 1, ("away", "home"), {"a": 2})))
    assert one.token_to_resend() == passing  # until it sees a later one
    assert passing is not None
    other.handle_token(passing[1])
    assert other.token_to_pass() is None  # not before it has read the log
    request = other.next_request(0.0)
    assert request is not None
    assert request.facts == ()
    other.handle_entries(log.answer(request), 0.0)
    assert other.token_to_pass() is None  # all know all
    assert log.serve(other).facts == (CrawlEnded(reason=COMPLETE),)


def test_work_left_in_a_known_state_holds_the_token() -> None:
    """The peer that passed the token has work again, which only the whole record shows."""
    log, one, other = two_idle_peers()
    passing = one.token_to_pass()
    assert passing is not None
    other.handle_token(passing[1])
    log.facts.append(EventAdded(state="home", event="late"))
    log.serve(other)
    assert other.next_order(None) is None  # it is not its own
    assert other.next_request(0.0) is None
    assert other.token_to_pass() is None
    log.serve(one)
    assert one.next_order("home") == Order(False, "home", (("late", None),), 0)
    one.observe([HOME, TransitionExplored(state="home", event="late", target="home")], 0.0)
    log.serve(one)
    log.serve(other)
    assert other.next_order(None) is None
    assert log.serve(other).facts == (CrawlEnded(reason=COMPLETE),)


def test_a_peer_that_knows_less_passes_the_token_on() -> None:
    log, one, other = two_idle_peers()
    token = Token(2, 7, ("away", "further", "home"), {"a": 3})
    other.handle_token(PassedToken(0, token))
    log.serve(other)
    assert other.token_to_pass() == ("a", PassedToken(0, Token(2, 8, token.states, {"a": 3, "b": 2})))
    assert log.serve(one).facts == ()


def test_a_state_without_a_known_path_does_not_count() -> None:
    log, one, _ = two_idle_peers()
    log.facts.append(StateFound(state="lost", events=("x", "y", "z")))
    log.serve(one)
    assert one.next_order(None) is None
    passing = one.token_to_pass()
    assert passing is not None
    assert passing[1].token.states == ("away", "home")


@pytest.mark.parametrize(
    "passed",
    [
        PassedToken(0, Token(1, 9)),  # of an earlier round
        PassedToken(0, Token(3, 9)),  # of a later one, of which the log knows nothing
        PassedToken(1, Token(2, 9)),  # of another incarnation
        PassedToken(0, Token(2, 5)),  # seen
        PassedToken(0, Token(2, 4)),  # older
    ],
)
def test_tokens_that_do_not_count(passed: PassedToken) -> None:
    log, _, other = two_idle_peers()
    other.handle_token(PassedToken(0, Token(2, 5, ("x",))))
    log.serve(other)
    assert other.token_to_pass() is not None
    other.handle_token(passed)
    log.serve(other)
    assert other.token_to_pass() is None


def test_a_token_that_overtakes_the_news_of_its_round_is_accepted_later() -> None:
    log, _, other = two_idle_peers()
    log.facts.append(MemberJoined(member="c", epoch=3))
    log.silence["c"] = 0.0
    behind = log.answer(other.repeat(0.0))
    log.facts.append(MemberLeft(member="c", epoch=4))
    token = Token(4, 1, ("away", "home"), {"a": 2})
    other.handle_token(PassedToken(0, token))
    other.handle_token(PassedToken(0, Token(3, 2)))  # one of the round before, which came late
    other.handle_entries(behind, 0.0)  # which was said before the token left
    other.next_order(None)
    assert other.token_to_pass() is None
    request = other.next_request(0.0)
    assert request is not None, "it wants to know of that round"
    other.handle_entries(log.answer(request), 0.0)
    other.next_order(None)
    assert other.next_request(0.0) is not None  # once more, since a token has come
    log.serve(other)
    assert other.next_order(None) is None
    assert log.serve(other).facts == (CrawlEnded(reason=COMPLETE),)


def test_a_token_of_a_lost_round_is_forgotten() -> None:
    log, _, other = two_idle_peers()
    other.handle_token(PassedToken(7, Token(9, 9)))
    request = other.next_request(0.0)
    assert request is not None
    other.handle_entries(log.answer(request), 0.0)
    other.next_order(None)
    assert other.next_request(0.0) is None


def test_a_change_of_members_starts_a_round() -> None:
    log, one, other = two_idle_peers()
    assert one.token_to_pass() is not None
    log.facts.append(MemberLeft(member="b", epoch=3))
    log.serve(one)
    assert one.token_to_resend() is None
    assert one.token_to_pass() is None  # it has not looked whether there is something to do
    one.next_order(None)
    assert one.token_to_pass() is None  # it is alone, and this is the end
    assert log.serve(one).facts == (CrawlEnded(reason=COMPLETE),)
    log.serve(other)
    assert other.over == COMPLETE


def test_a_working_peer_holds_the_token() -> None:
    log = Log(A, HOME)
    one = at_work("a", log, STATES_ONLY)
    assert one.next_order(None) is not None
    assert one.token_to_pass() is None
    assert one.next_request(0.0) is None
