"""Dist-RIA: replies and facts of the coordinator, reports of a node, and repetitions, losses and restarts."""

import msgspec
import pytest

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.dist_ria import (
    DistRiaMachine,
    DistRiaOutput,
    DistRiaStatus,
    NothingNew,
    SharedStates,
    StatusReport,
    Terminate,
    WorkReport,
)
from statecrawl.coordination.dist_ria_node import DistRiaNode
from statecrawl.coordination.partition import Partition
from statecrawl.journal.end_reasons import COMPLETE, UNREACHABLE
from statecrawl.journal.facts import (
    CrawlEnded,
    CrawlStarted,
    EventsDealt,
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
JOINED = [MemberJoined(member="a", epoch=1), MemberJoined(member="b", epoch=2)]
PATIENCE = 3.0


def coordinator(
    *facts: Fact, expected: int = 2, incarnation: int = 0, balance: Balance = Balance.STATIC
) -> DistRiaMachine:
    facts = (STARTED, *facts)
    return DistRiaMachine(facts, expected=expected, patience=PATIENCE, incarnation=incarnation, balance=balance)


def ask(
    node: str,
    number: int,
    received: int,
    *facts: Fact,
    status: DistRiaStatus = DistRiaStatus.ACTIVE,
    incarnation: int = 0,
) -> StatusReport:
    return StatusReport(node, number, status, incarnation, received, facts, len(facts), 0)


def hello(node: str) -> StatusReport:
    return StatusReport(node, 1, DistRiaStatus.DISCONNECTED, -1, 0)


def plain(output: DistRiaOutput) -> list[Fact]:
    """What is written, whatever it cost."""
    return [
        TransitionExplored(state=fact.state, event=fact.event, target=fact.target)
        if isinstance(fact, TransitionExplored)
        else fact
        for fact in output.facts
    ]


def status(one: DistRiaNode) -> DistRiaStatus:
    return one.status


def node(name: str, balance: Balance = Balance.STATIC) -> DistRiaNode:
    return DistRiaNode(
        name, lambda graph: make_strategy("greedy", graph, StrategySettings()), Partition(), balance=balance
    )


# -- the coordinator --


def test_a_crawl_starts_when_all_expected_nodes_have_reported() -> None:
    machine = coordinator()
    assert machine.handle_report(hello("a"), 0.0) == DistRiaOutput()
    assert machine.handle_report(hello("a"), 1.0) == DistRiaOutput()  # again: still not enough
    output = machine.handle_report(hello("b"), 2.0)
    assert output.facts == JOINED
    assert output.replies == [SharedStates(name, 1, 0, 3, (STARTED, *JOINED)) for name in "ab"]


def test_a_node_silent_before_the_start_does_not_count_until_it_reports_again() -> None:
    machine = coordinator()
    machine.handle_report(hello("a"), 0.0)
    assert machine.tick(PATIENCE + 1) == DistRiaOutput()
    assert machine.handle_report(hello("b"), PATIENCE + 1) == DistRiaOutput()
    assert machine.handle_report(hello("a"), PATIENCE + 2).facts == [
        MemberJoined(member="b", epoch=1),
        MemberJoined(member="a", epoch=2),
    ]


def test_a_late_node_joins_at_once_and_receives_everything() -> None:
    machine = coordinator(*JOINED, HOME, STAY)
    output = machine.handle_report(hello("c"), 0.0)
    joined = MemberJoined(member="c", epoch=3)
    assert output.facts == [joined]
    assert output.replies == [SharedStates("c", 1, 0, 6, (STARTED, *JOINED, HOME, STAY, joined))]


def test_states_are_shared_with_one_path_and_other_transitions_only_written() -> None:
    machine = coordinator(*JOINED)
    output = machine.handle_report(ask("a", 1, 3, HOME, STAY, AWAY, GO), 0.0)
    assert plain(output) == [HOME, STAY, AWAY, GO]
    assert output.replies == [NothingNew("a", 1, 6)]
    (answer,) = machine.handle_report(ask("b", 1, 3), 0.0).replies
    assert isinstance(answer, SharedStates)
    assert [type(fact) for fact in answer.facts] == [StateFound, StateFound, TransitionExplored]
    assert answer.facts[:2] == (HOME, AWAY)


def test_fired_events_are_added_up() -> None:
    machine = coordinator(*JOINED)
    machine.handle_report(StatusReport("a", 1, DistRiaStatus.ACTIVE, 0, 3, (HOME, STAY), events=4, resets=1), 0.0)
    machine.handle_report(StatusReport("b", 1, DistRiaStatus.ACTIVE, 0, 3, (AWAY, GO), events=2, resets=2), 0.0)
    assert (machine.crawl.fired, machine.crawl.resets) == (6, 3)


def test_a_repeated_report_gets_the_same_reply_and_an_older_one_none() -> None:
    machine = coordinator(*JOINED, HOME)
    first = machine.handle_report(ask("a", 5, 3), 0.0)
    machine.handle_report(ask("b", 1, 3, AWAY, GO), 0.0)
    again = machine.handle_report(ask("a", 5, 3), 1.0)
    assert again == DistRiaOutput(replies=first.replies)
    assert machine.handle_report(ask("a", 4, 3, STAY), 1.0) == DistRiaOutput()


def test_the_state_of_a_coordinator_follows_from_the_journal() -> None:
    machine = coordinator(*JOINED)
    journal: list[Fact] = [*JOINED]
    journal += machine.handle_report(ask("a", 1, 3, HOME, STAY, AWAY, GO), 0.0).facts
    journal += machine.handle_report(hello("c"), 0.0).facts
    again = coordinator(*journal)
    one, other = (which.handle_report(ask("b", 9, 3), 1.0).replies[0] for which in (machine, again))
    assert one == other


def test_a_node_that_knows_more_than_the_coordinator_gets_no_reply() -> None:
    assert coordinator(*JOINED).handle_report(ask("a", 1, 9, STAY), 0.0) == DistRiaOutput()


def test_a_report_to_an_earlier_incarnation_is_ignored() -> None:
    machine = coordinator(*JOINED, HOME, incarnation=1)
    output = machine.handle_report(ask("a", 1, 9, STAY, status=DistRiaStatus.DONE), 0.0)
    assert output == DistRiaOutput(replies=[SharedStates("a", 1, 1, 4, (STARTED, *JOINED, HOME))])


def test_a_report_is_ignored_from_an_unknown_state_on() -> None:
    machine = coordinator(*JOINED, HOME)
    output = machine.handle_report(ask("a", 1, 4, STAY, GO, AWAY, status=DistRiaStatus.DONE), 0.0)
    assert plain(output) == [STAY]


def test_a_silent_node_leaves_and_joins_again_when_it_reports() -> None:
    machine = coordinator(*JOINED, HOME)
    assert machine.tick(10.0) == DistRiaOutput()  # no node has reported yet: they are given time
    machine.handle_report(ask("a", 1, 4), 12.0)
    assert machine.tick(13.5).facts == [MemberLeft(member="b", epoch=3)]
    output = machine.handle_report(ask("b", 1, 4, AWAY, GO), 14.0)
    assert plain(output) == [AWAY, GO, MemberJoined(member="b", epoch=4)]


def test_the_last_report_of_a_node_counts() -> None:
    machine = coordinator(*JOINED, HOME)
    output = machine.handle_report(ask("a", 1, 4, STAY, status=DistRiaStatus.TERMINATED), 0.0)
    assert plain(output) == [STAY, MemberLeft(member="a", epoch=3)]
    assert output.replies == []


def test_a_node_leaves_only_once() -> None:
    machine = coordinator(*JOINED)
    assert machine.handle_leave("a").facts == [MemberLeft(member="a", epoch=3)]
    assert machine.handle_leave("a") == DistRiaOutput()
    assert machine.handle_leave("nobody") == DistRiaOutput()


def test_the_crawl_is_over_when_all_nodes_are_done_with_everything() -> None:
    machine = coordinator(*JOINED, HOME)
    assert machine.handle_report(ask("a", 1, 4, STAY, status=DistRiaStatus.DONE), 0.0).replies == [
        NothingNew("a", 1, 4)
    ]
    output = machine.handle_report(ask("b", 1, 4, AWAY, GO, status=DistRiaStatus.DONE), 0.0)
    assert output.replies == [NothingNew("b", 1, 6)]  # a has not received of that
    output = machine.handle_report(ask("b", 2, 6, status=DistRiaStatus.DONE), 0.0)
    assert output.replies == [NothingNew("b", 2, 6)]
    assert isinstance(machine.handle_report(ask("a", 2, 4, status=DistRiaStatus.DONE), 0.0).replies[0], SharedStates)
    output = machine.handle_report(ask("a", 3, 6, status=DistRiaStatus.DONE), 0.0)
    assert output == DistRiaOutput([CrawlEnded(reason=COMPLETE)], [Terminate("a", 3, COMPLETE)])
    assert machine.handle_report(ask("b", 3, 6, status=DistRiaStatus.DONE), 9.0).replies == [
        Terminate("b", 3, COMPLETE)
    ]
    assert machine.handle_report(hello("c"), 9.0).replies == [Terminate("c", 1, COMPLETE)]


def test_a_node_that_joins_is_waited_for() -> None:
    machine = coordinator(*JOINED[:1], HOME, STAY, AWAY, GO)
    assert isinstance(machine.handle_report(hello("b"), 0.0).replies[0], SharedStates)
    output = machine.handle_report(ask("a", 1, 6, status=DistRiaStatus.DONE), 0.0)
    assert output.facts == []


def test_unreachable_states_are_named_in_the_end_reason() -> None:
    away = StateFound(state="away", events=("x",))
    machine = coordinator(*JOINED[:1], HOME, STAY, away)
    output = machine.handle_report(ask("a", 1, 4, status=DistRiaStatus.DONE), 0.0)
    assert output.facts == [CrawlEnded(reason=UNREACHABLE)]


def working(
    name: str, number: int, received: int, work: WorkReport, *facts: Fact, status: DistRiaStatus = DistRiaStatus.ACTIVE
) -> StatusReport:
    return StatusReport(name, number, status, 0, received, facts, len(facts), 0, work)


def test_a_dynamic_balance_is_refused() -> None:
    with pytest.raises(ValueError, match="dynamic"):
        coordinator(balance=Balance.DYNAMIC)


def test_a_new_state_is_dealt_at_once_and_the_deal_is_shared() -> None:
    machine = coordinator(*JOINED, balance=Balance.ADAPTIVE)
    output = machine.handle_report(working("a", 1, 3, WorkReport(0, 0, "home"), HOME), 0.0)
    dealt = EventsDealt(state="home", first=0, shares=(("a", 1), ("b", 1)))
    assert output == DistRiaOutput([HOME, dealt], [SharedStates("a", 1, 0, 5, (dealt,))])
    assert machine.handle_report(working("b", 1, 3, WorkReport(0, 0)), 0.0).replies == [
        SharedStates("b", 1, 0, 5, (HOME, dealt))
    ]


@pytest.mark.parametrize(
    "work", [{"done": -1, "backlog": 0}, {"done": 0, "backlog": -1}, {"done": 2**60, "backlog": 0}]
)
def test_negative_work_reports_are_refused(work: dict[str, int]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(work, WorkReport)


def test_the_crawl_is_not_over_while_events_have_no_owner() -> None:
    """A coordinator that takes over finds reserved events; idle nodes receive them one after the other."""
    machine = coordinator(*JOINED[:1], HOME, balance=Balance.HYBRID)
    given: list[Fact] = []
    for number in (1, 2):
        output = machine.handle_report(
            working("a", number, 2 + number, WorkReport(0, 0), status=DistRiaStatus.DONE), 0.0
        )
        given += output.facts
        assert output.replies == [SharedStates("a", number, 0, 3 + number, tuple(output.facts))]
    assert given == [EventsDealt(state="home", first=first, shares=(("a", 1),)) for first in (0, 1)]
    output = machine.handle_report(working("a", 3, 5, WorkReport(2, 0), STAY, AWAY, GO, status=DistRiaStatus.DONE), 0.0)
    assert isinstance(output.replies[0], NothingNew)
    output = machine.handle_report(working("a", 4, 7, WorkReport(0, 0), status=DistRiaStatus.DONE), 0.0)
    assert output == DistRiaOutput([CrawlEnded(reason=COMPLETE)], [Terminate("a", 4, COMPLETE)])


def test_nodes_cannot_deal_events_or_end_the_crawl() -> None:
    machine = coordinator(*JOINED, HOME)
    mine = EventsDealt(state="home", first=0, shares=(("a", 2),))
    gone = MemberLeft(member="b", epoch=3)
    assert machine.handle_report(ask("a", 1, 4, mine, gone, CrawlEnded(reason=COMPLETE)), 0.0).facts == []


# -- a node --


def test_a_node_goes_from_status_to_status() -> None:
    one = node("a")
    assert status(one) is DistRiaStatus.DISCONNECTED
    question = one.next_report()
    assert question == hello("a")
    assert one.next_report() is None  # it waits for the answer
    assert one.repeat() == question
    one.handle_reply(SharedStates("a", 1, 0, 2, (STARTED, JOINED[0])))
    assert status(one) is DistRiaStatus.ACTIVE
    assert one.next_report() is None  # it has found nothing
    assert one.next_order(None) == OPEN
    one.observe([HOME], resets=1)
    assert one.next_report() == StatusReport("a", 2, DistRiaStatus.ACTIVE, 0, 2, (HOME,), 0, 1)
    assert one.next_order("home") == Order(False, "home", (("go", None),), 0)  # without waiting for an answer
    one.observe([AWAY, GO], events=1)
    one.handle_reply(NothingNew("a", 2, 3))
    assert one.next_order("away") == Order(True, "home", (("stay", None),), 0)
    one.observe([HOME, STAY], 1, 1)
    assert one.next_order("home") is None
    assert status(one) is DistRiaStatus.DONE
    assert one.next_report() == StatusReport("a", 3, DistRiaStatus.DONE, 0, 3, (AWAY, GO, STAY), 2, 1)
    one.handle_reply(Terminate("a", 3, COMPLETE))
    assert (one.status, one.over) == (DistRiaStatus.TERMINATED, COMPLETE)
    assert (one.next_order("home"), one.next_report(), one.repeat()) == (None, None, None)


def connected(balance: Balance = Balance.STATIC) -> DistRiaNode:
    one = node("a", balance)
    one.next_report()
    one.handle_reply(SharedStates("a", 1, 0, 2, (STARTED, JOINED[0])))
    one.next_order(None)
    one.observe([HOME])
    return one


def test_a_leaving_node_reports_what_is_unconfirmed() -> None:
    one = connected()
    assert one.next_report() == StatusReport("a", 2, DistRiaStatus.ACTIVE, 0, 2, (HOME,))
    assert one.leave("tired") == StatusReport("a", 3, DistRiaStatus.TERMINATED, 0, 2, (HOME,))
    assert one.over == "tired"
    assert one.next_order("home") is None


@pytest.mark.parametrize("late", [SharedStates("a", 1, 0, 2, (STARTED,)), NothingNew("a", 1, 9), NothingNew("b", 2, 9)])
def test_a_reply_to_another_report_changes_nothing(late: SharedStates | NothingNew) -> None:
    one = connected()
    question = one.next_report()
    one.handle_reply(late)
    assert one.repeat() == question
    one.handle_reply(NothingNew("a", 2, 3))
    one.handle_reply(late)
    one.handle_reply(NothingNew("a", 2, 7))  # a copy
    following = one.repeat()
    assert following is not None
    assert (following.number, following.received, following.facts) == (3, 3, ())


def test_a_node_rereads_another_incarnation_and_reports_what_it_lost() -> None:
    one = connected()
    one.next_report()
    one.handle_reply(NothingNew("a", 2, 3))
    one.repeat()
    one.handle_reply(SharedStates("a", 3, 1, 2, (STARTED, JOINED[0])))
    assert len(one.member.crawl.graph) == 0
    assert one.next_order("home") == OPEN
    one.observe([HOME])
    question = one.next_report()
    assert question is not None
    assert (question.incarnation, question.received, question.facts) == (1, 2, (HOME,))


def test_with_dealt_shares_a_node_waits_at_a_new_state_and_reports_when_little_is_left() -> None:
    one = connected(Balance.ADAPTIVE)
    assert one.next_order("home") is None
    assert status(one) is DistRiaStatus.ACTIVE  # it is not done: nobody knows what it has to do there
    assert one.next_report() == StatusReport("a", 2, DistRiaStatus.ACTIVE, 0, 2, (HOME,), work=WorkReport(0, 0, "home"))
    one.handle_reply(SharedStates("a", 2, 0, 4, (EventsDealt(state="home", first=0, shares=(("a", 2),)),)))
    assert one.next_report() is None  # nothing is done, and two are left
    assert one.next_order("home") == Order(False, "home", (("go", None),), 0)
    one.observe([AWAY, GO], 1)
    assert one.next_order("away") is None
    assert one.next_report() == StatusReport(
        "a", 3, DistRiaStatus.ACTIVE, 0, 4, (AWAY, GO), 1, work=WorkReport(1, 1, "away")
    )
    one.handle_reply(NothingNew("a", 3, 6))
    assert one.next_order("away") == Order(True, "home", (("stay", None),), 0)
    assert one.next_report() is None  # it has said that there is one left
    one.observe([HOME, STAY], 1, 1)
    assert one.next_order("home") is None
    assert status(one) is DistRiaStatus.DONE
    assert one.next_report() == StatusReport("a", 4, DistRiaStatus.DONE, 0, 6, (STAY,), 1, 1, WorkReport(1, 0, "home"))


def test_undealt_events_belong_to_no_node() -> None:
    one = connected(Balance.LAZY_ADAPTIVE)
    one.next_report()
    one.handle_reply(NothingNew("a", 2, 3))
    assert one.next_order("home") is None
    assert status(one) is DistRiaStatus.DONE
