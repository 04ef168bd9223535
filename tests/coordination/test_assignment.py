"""Assignment: a dealt event has exactly one owner, whatever the membership; and which events each balance deals."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.assignment import BY_PARTITION, NOBODY, Assigner, order, owners
from statecrawl.coordination.balance import Balance
from statecrawl.coordination.loads import Loads
from statecrawl.coordination.partition import Partition, PartitionRule
from statecrawl.journal.facts import (
    EventAdded,
    EventRefused,
    EventsDealt,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, fold

NAMES = "abc"
JOINED: list[Fact] = [MemberJoined(member=name, epoch=epoch) for epoch, name in enumerate(NAMES, 1)]
LEFT = MemberLeft(member="a", epoch=9)


def found(state: str, events: int) -> StateFound:
    return StateFound(state=state, events=tuple(f"e{number}" for number in range(events)))


def explored(state: str, event: int, target: str) -> TransitionExplored:
    return TransitionExplored(state=state, event=f"e{event}", target=target)


class Dealer:
    """An assigner with the crawl and the loads it uses."""

    def __init__(self, balance: Balance, *facts: Fact) -> None:
        self.crawl = FoldedCrawl()
        self.loads = Loads()
        self.dealer = Assigner(balance, self.crawl, self.loads)
        self.learn([*JOINED, *facts])
        self.now = 0.0

    def learn(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self.crawl.apply(fact)
            self.dealer.learn(fact)

    def says(self, member: str, done: int, backlog: int, *, is_idle: bool = False) -> None:
        self.loads.report(member, done=done, backlog=backlog, is_idle=is_idle, now=self.now)

    def deal(self, **asking: str | None) -> Counter[str]:
        """Who gets how much."""
        given_: Counter[str] = Counter()
        for fact in self.dealer.deals(asking, self.now):
            self.learn([fact])
            for member, count in fact.shares:
                given_[member] += count
        for member in NAMES:
            self.loads.mark_answered(member)
        return given_

    def at_speeds(self, a: int, b: int, c: int, backlog: int) -> None:
        """Everybody has worked for ten seconds."""
        for member in NAMES:
            self.says(member, 0, 5)
        self.now += 10.0
        for member, done in zip(NAMES, (a, b, c), strict=True):
            self.says(member, done, backlog)


# -- whose an event is --


@given(
    counts=st.lists(st.tuples(st.sampled_from((*NAMES, "stranger", BY_PARTITION)), st.integers(1, 4)), max_size=6),
    gone=st.sets(st.sampled_from(NAMES), max_size=2),
    way=st.sampled_from(PartitionRule),
    late=st.integers(0, 3),
)
def test_a_dealt_event_has_one_owner_and_any_other_has_none(
    counts: list[tuple[str, int]], gone: set[str], way: PartitionRule, late: int
) -> None:
    dealt = sum(count for _, count in counts)
    first = dealt // 2 + 1
    facts: list[Fact] = [*JOINED, found("s", first)]
    facts += [EventAdded(state="s", event=f"late{number}") for number in range(late + dealt - first + 1)]
    if counts:
        facts.append(EventsDealt(state="s", first=0, shares=tuple(counts)))
    facts += [MemberLeft(member=name, epoch=epoch) for epoch, name in enumerate(sorted(gone), 4)]
    crawl = fold(facts)
    whose = owners(crawl, 0, Partition(way))
    by_partition = owners(
        fold([fact for fact in facts if not isinstance(fact, EventsDealt)]), 0, Partition(way), is_dealt=False
    )
    row = iter(order(crawl, 0))
    for member, count in counts:
        for _ in range(count):
            position = next(row)
            if member in crawl.members:
                assert crawl.members[whose[position]] == member
            else:
                assert whose[position] == by_partition[position]
    for position in row:
        assert whose[position] == NOBODY
        assert owners(crawl, 0, Partition(way), is_dealt=False)[position] == by_partition[position]


@given(st.integers(0, 20), st.integers(0, 5))
def test_events_added_later_do_not_change_the_dealing_order(count: int, late: int) -> None:
    facts: list[Fact] = [found("s", count)]
    before = order(fold(facts), 0)
    assert sorted(before) == list(range(count))
    facts += [EventAdded(state="s", event=f"late{number}") for number in range(late)]
    assert order(fold(facts), 0) == [*before, *range(count, count + late)]


# -- who gets what, and when --


def test_a_dynamic_balance_is_refused() -> None:
    with pytest.raises(ValueError, match="a dynamic balance is the client-server architecture"):
        Dealer(Balance.DYNAMIC)


def test_static_deals_nothing() -> None:
    machine = Dealer(Balance.STATIC, found("s", 9))
    assert machine.deal(a="s") == {}
    assert machine.dealer.unassigned == 0


def test_adaptive_deals_all_at_once_by_speed_and_backlog() -> None:
    machine = Dealer(Balance.ADAPTIVE)
    assert machine.deal(a=None) == {}
    machine.learn([found("s", 9)])
    assert machine.deal(a=None) == {"a": 3, "b": 3, "c": 3}
    assert machine.dealer.unassigned == 0
    machine.at_speeds(40, 20, 20, backlog=2)
    machine.learn([found("t", 10), found("u", 24)])
    assert machine.deal(a=None) == {"a": 18, "b": 8, "c": 8}  # 20, 10 and 10 with what they have


def test_explored_events_do_not_count() -> None:
    done = [explored("s", event, "s") for event in range(5)]
    refused = EventRefused(state="s", event="e5", reason="")
    machine = Dealer(Balance.ADAPTIVE, found("s", 12), *done, refused)
    machine.deal(a=None)
    whose = owners(machine.crawl, 0, Partition())
    assert NOBODY not in whose
    assert Counter(whose[6:]) == {0: 2, 1: 2, 2: 2}
    all_done = Dealer(Balance.ADAPTIVE, found("t", 1), explored("t", 0, "t"))
    assert all_done.deal(a=None) == {BY_PARTITION: 1}


def test_lazy_holds_a_quarter_back_until_a_member_runs_out_of_work() -> None:
    machine = Dealer(Balance.LAZY_ADAPTIVE)
    machine.at_speeds(20, 20, 20, backlog=9)
    machine.learn([found("s", 12), found("t", 12)])
    assert machine.deal(a="s") == {"a": 6, "b": 6, "c": 6}
    assert machine.dealer.unassigned == 6
    assert machine.deal(a="s") == {}
    machine.says("b", 0, 1)
    assert machine.deal(a="s") == {"b": 3}  # half of what was left: the rest of a state
    assert machine.dealer.unassigned == 3


def test_hybrid_leaves_everything_to_the_partition_while_no_member_is_idle() -> None:
    machine = Dealer(Balance.HYBRID)
    machine.at_speeds(20, 20, 20, backlog=9)
    machine.learn([found("s", 12)])
    assert machine.deal(a="s") == {BY_PARTITION: 12}


def test_hybrid_reserves_more_for_unequal_members_and_the_finder_gets_a_part() -> None:
    machine = Dealer(Balance.HYBRID)
    machine.at_speeds(20, 20, 18, backlog=9)  # the first two would wait for a tenth of their time, which is 0.2 in all
    machine.learn([found("s", 20)])
    assert machine.deal(b="s") == {BY_PARTITION: 16, "b": 2}
    machine.learn([found("t", 20)])
    assert machine.deal(a="s") == {BY_PARTITION: 16}
    assert machine.dealer.unassigned == 6


def test_hybrid_deals_nearby_events_to_a_member_that_runs_out_of_work() -> None:
    states = [found(state, 12) for state in "stuv"]
    ways = [explored("s", 0, "t"), explored("t", 0, "u")]
    machine = Dealer(Balance.HYBRID, *states, *ways)
    machine.dealer.skip_known()  # an earlier coordinator has reserved all
    for member in NAMES:
        machine.says(member, 0, 9)
    assert machine.deal(a="s") == {}
    machine.says("b", 0, 0, is_idle=True)
    assert machine.deal(b="t") == {"b": 8}  # one in six of 48
    assert sorted(machine.crawl.dealt) == [1, 2]  # t and u, four in each
    assert machine.deal(b="t") == {}
    machine.says("c", 0, 1)
    machine.deal(c=None)
    assert 0 in machine.crawl.dealt  # from where the application begins


@given(
    balance=st.sampled_from((Balance.ADAPTIVE, Balance.LAZY_ADAPTIVE, Balance.HYBRID)),
    sizes=st.lists(st.integers(0, 9), min_size=1, max_size=5),
    data=st.data(),
)
def test_a_member_that_keeps_asking_gets_everything_in_the_end(
    balance: Balance, sizes: list[int], data: st.DataObject
) -> None:
    """Whatever was dealt to others, is explored, or was left by an earlier coordinator."""
    machine = Dealer(balance)
    for number, size in enumerate(sizes):
        machine.learn([found(f"s{number}", size)])
        if data.draw(st.booleans()):
            machine.deal(b=f"s{number}")
        done = data.draw(st.integers(0, size))
        machine.learn([explored(f"s{number}", event, "s0") for event in range(done)])
    if data.draw(st.booleans()):
        machine.learn([LEFT])
    if data.draw(st.booleans()):
        machine.dealer.skip_known()
    while machine.dealer.unassigned:
        machine.says("b", 0, 0, is_idle=True)
        assert machine.deal(b=None)
    for state, size in enumerate(sizes):
        whose = owners(machine.crawl, state, Partition())
        assert len(whose) == size
        assert NOBODY not in whose
