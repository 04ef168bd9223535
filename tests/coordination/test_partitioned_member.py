"""A partitioned member explores its own share only, and copes with whatever the record loses."""

import pytest

from statecrawl.coordination.assignment import owners
from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.coordination.partitioned_member import PartitionedMember, entered_states, is_finished
from statecrawl.journal.crawl_bounds import CrawlBounds
from statecrawl.journal.facts import (
    EquivalenceRevised,
    EventAdded,
    EventHung,
    EventRefused,
    EventsDealt,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import fold
from statecrawl.journal.refusal_reasons import DANGEROUS
from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, MAX_DIVERGENCES
from statecrawl.strategies.orders import OPEN, Order
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.generated import menusite
from tests.coordination.member_group import found, member


def test_a_change_of_members_withholds_and_grants_the_difference() -> None:
    one = member("a")
    truth = menusite(3, 2).truth
    one.learn([MemberJoined(member="a", epoch=1), *(found(truth, state) for state in range(len(truth)))])
    everything = truth.explored
    assert sum(map(len, one.strategy.free)) == everything
    one.learn([MemberJoined(member="b", epoch=2)])
    shared = [list(free) for free in one.strategy.free]
    assert 0 < sum(map(len, shared)) < everything
    one.learn([MemberJoined(member="c", epoch=3)])
    assert all(set(now) <= set(before) for now, before in zip(one.strategy.free, shared, strict=True))
    one.learn([MemberLeft(member="c", epoch=4)])
    assert one.strategy.free == shared
    one.learn([MemberLeft(member="b", epoch=4)])  # too late: the epoch is taken
    assert one.strategy.free == shared
    one.learn([MemberLeft(member="b", epoch=5)])
    assert sum(map(len, one.strategy.free)) == everything
    one.learn([MemberLeft(member="a", epoch=6)])
    assert sum(map(len, one.strategy.free)) == 0
    assert one.next_order(None) is None


@pytest.mark.parametrize("way", PartitionRule)
def test_a_late_event_belongs_to_one_member(way: PartitionRule) -> None:
    group = [member(name, partition=Partition(way)) for name in "abc"]
    facts: list[Fact] = [MemberJoined(member=name, epoch=epoch) for epoch, name in enumerate("abc", 1)]
    facts += [StateFound(state="s", events=("x", "y", "z")), EventAdded(state="s", event="late")]
    for one in group:
        one.learn(facts)
    assert sorted(position for one in group for position in one.strategy.free[0]) == [0, 1, 2, 3]


def test_the_url_of_a_state_decides_with_url_keys() -> None:
    partition = Partition(PartitionRule.HASH, PartitionKey.URL)
    names, events = ("x", "y", "z", "w"), [Event.named(name) for name in "xyzw"]
    one = member("a", partition=partition)
    one.learn([MemberJoined(member=name, epoch=epoch) for epoch, name in enumerate("ab", 1)])
    for state, url in enumerate(("https://example.org/", "https://example.org/cart", "https://example.org/")):
        one.learn([StateFound(state=f"s{state}", events=names, url=url)])
        owners = partition.owners(f"s{state}", events, ("a", "b"), url)
        assert one.strategy.free[state] == [position for position, owner in enumerate(owners) if owner == 0]
    assert one.strategy.free[0] == one.strategy.free[2]


def test_two_equal_facts_of_different_members_are_harmless() -> None:
    one = member("a")
    explored = TransitionExplored(state="s", event="x", target="t")
    one.learn([MemberJoined(member="a", epoch=1), StateFound(state="s", events=("x",))])
    assert one.next_order(None) == Order(True, "s", (("x", None),), 0)
    one.learn([StateFound(state="t", events=()), explored])  # somebody else was faster
    one.observe([StateFound(state="t", events=()), explored])
    assert one.unreported == []
    assert one.next_order("t") is None


def test_a_member_first_opens_the_application_and_reports_nothing_else() -> None:
    one = member("a")
    assert one.next_order(None) is None
    one.learn([MemberJoined(member="a", epoch=1)])
    one.observe([StateFound(state="elsewhere", events=())])
    assert one.unreported == []
    assert one.next_order(None) == OPEN
    first = StateFound(state="s", events=("x",))
    one.observe([first])
    assert one.unreported == [first, StateFound(state="elsewhere", events=())]
    assert one.crawl.graph.ids[INITIAL] == "s"


def test_facts_lost_by_the_record_are_reported_again_when_possible() -> None:
    one = member("a")
    joined, first = MemberJoined(member="a", epoch=1), StateFound(state="s", events=("x",))
    second, third = StateFound(state="t", events=("y",)), StateFound(state="u", events=())
    one.learn([joined, first, second, TransitionExplored(state="s", event="x", target="t")])
    walk = one.next_order("s")
    assert walk == Order(False, "s", (("x", "t"), ("y", None)), 1)
    seen: list[Fact] = [third, TransitionExplored(state="t", event="y", target="u")]
    one.observe(seen)
    one.mark_recorded(2)
    assert one.next_order("u") is None
    one.restart()
    assert not one.idle
    one.learn([joined, first])
    assert one.unreported == [third]  # nobody knows where its event is
    assert one.next_order("u") == Order(True, "s", (("x", None),), 0)
    one.observe([second, TransitionExplored(state="s", event="x", target="t")])
    assert (
        one.unreported == [third, second, TransitionExplored(state="s", event="x", target="t")]
        or seen[1] in one.unreported
    )
    one.learn([second])
    assert seen[1] in one.unreported
    assert fold([joined, first, *one.unreported]).graph.unexplored == 0


def test_a_new_record_starts_with_the_initial_state() -> None:
    one, joined = member("a"), MemberJoined(member="a", epoch=1)
    first, second = StateFound(state="s", events=("x",)), StateFound(state="t", events=())
    explored = TransitionExplored(state="s", event="x", target="t")
    one.learn([joined, first])
    one.next_order(None)
    one.observe([second, explored])
    one.observe([first])
    one.restart()
    one.learn([joined])
    assert one.next_order("t") == OPEN
    one.learn([MemberJoined(member="b", epoch=2)])  # of which it hears meanwhile
    assert one.unreported == []
    one.observe([first])
    assert one.unreported == [first, second, explored]


def test_a_member_that_was_second_is_contradicted() -> None:
    one, joined = member("a"), MemberJoined(member="a", epoch=1)
    first, second, third = (StateFound(state=name, events=("x",)) for name in "stu")
    one.learn([joined, first])
    one.next_order("s")
    mine, other = (TransitionExplored(state="s", event="x", target=name) for name in "tu")
    one.observe([second, mine])
    one.learn([third, other])
    assert one.contradicted
    one.restart()
    one.learn([joined, first, third, other])
    assert one.crawl.graph.targets[0][0] == one.crawl.graph.numbers["u"]
    assert one.unreported == [second, mine]  # a surprise, for everybody
    assert entered_states(fold([joined, first, third, other, *one.unreported]).graph) == ["s", "u", "t"]


def test_a_member_that_was_first_is_not_contradicted() -> None:
    one = member("a")
    first, second, third = (StateFound(state=name, events=("x",)) for name in "stu")
    one.learn([MemberJoined(member="a", epoch=1), first])
    one.next_order("s")
    mine, other = (TransitionExplored(state="s", event="x", target=name) for name in "tu")
    one.observe([second, mine])
    one.learn([second, mine, third, other])
    assert not one.contradicted
    assert one.crawl.graph.divergences == {(0, 0): [one.crawl.graph.numbers["u"]]}


def test_two_members_with_different_initial_states_agree_on_one() -> None:
    one, joined = member("a"), MemberJoined(member="a", epoch=1)
    one.learn([joined])
    assert one.next_order(None) == OPEN
    one.observe([StateFound(state="mine", events=())])
    one.learn([StateFound(state="theirs", events=())])
    assert one.contradicted
    one.restart()
    one.learn([joined, StateFound(state="theirs", events=())])
    assert (one.crawl.graph.ids, one.contradicted) == (["theirs", "mine"], False)


def test_a_surprise_is_reported_with_its_number_and_counted_once() -> None:
    one, joined = member("a"), MemberJoined(member="a", epoch=1)
    known: list[Fact] = [StateFound(state="s", events=("x",)), TransitionExplored(state="s", event="x", target="s")]
    one.learn([joined, *known])
    one.next_order("s")
    other, led = StateFound(state="t", events=()), TransitionExplored(state="s", event="x", target="t")
    one.observe([other, led])
    one.observe([led])
    surprises = [
        TransitionDiverged(state="s", event="x", expected="s", landed="t", incident=incident) for incident in (1, 2)
    ]
    assert one.unreported == [other, *surprises]
    one.restart()
    one.learn([joined, *known, other, surprises[0]])
    assert one.unreported == surprises[1:]


def test_the_finder_of_a_state_refuses_events_beyond_the_bounds() -> None:
    one = PartitionedMember(
        "a", lambda graph: make_strategy("greedy", graph, StrategySettings()), Partition(), bounds=CrawlBounds(depth=1)
    )
    one.learn([MemberJoined(member="a", epoch=1), StateFound(state="s", events=("x",))])
    one.next_order("s")
    found_there: list[Fact] = [
        StateFound(state="t", events=("y",)),
        TransitionExplored(state="s", event="x", target="t"),
    ]
    one.observe(found_there)
    refused = EventRefused(state="t", event="y", reason="beyond 1 events from the first page")
    assert one.unreported == [*found_there, refused]
    assert one.next_order("t") is None


def test_after_a_revision_nothing_is_reported_again() -> None:
    one, joined = member("a"), MemberJoined(member="a", epoch=1)
    one.learn([joined, StateFound(state="s", events=("x",))])
    one.observe([StateFound(state="t", events=())])
    one.restart()
    one.learn([joined, EquivalenceRevised(revision=1, rules=(("a", "b"),)), StateFound(state="s1", events=("x",))])
    assert (one.unreported, one.crawl.graph.ids) == ([], ["s1"])


KNOWN: list[Fact] = [
    StateFound(state="s", events=("x", "y")),
    StateFound(state="t", events=("z",)),
    TransitionExplored(state="s", event="x", target="t"),
    EventHung(state="s", event="y", reason=""),
]


@pytest.mark.parametrize(
    ("facts", "states"),
    [
        ([], []),
        (KNOWN[:1], ["s"]),
        (KNOWN[:2], ["s"]),
        (KNOWN, ["s", "t"]),
        ([*KNOWN[:2], TransitionExplored(state="t", event="z", target="t")], ["s"]),
        ([*KNOWN, StateFound(state="u", events=()), TransitionExplored(state="t", event="z", target="u")], [*"stu"]),
        ([*KNOWN, StateFound(state="u", events=()), TransitionExplored(state="s", event="x", target="u")], [*"stu"]),
    ],
)
def test_entered_states(facts: list[Fact], states: list[str]) -> None:
    assert entered_states(fold(facts).graph) == states


LOST = [
    TransitionDiverged(state="s", event="x", expected="t", landed="s", incident=incident)
    for incident in range(1, MAX_DIVERGENCES + 1)
]


@pytest.mark.parametrize(
    ("facts", "finished"),
    [
        ([], False),
        (KNOWN[:1], False),
        (KNOWN, False),
        ([*KNOWN, TransitionExplored(state="t", event="z", target="s")], True),
        ([*KNOWN, *LOST], True),  # nothing leads to t any more
        ([*KNOWN, *LOST, StateFound(state="v", events=("q",))], True),
    ],
)
def test_is_finished(facts: list[Fact], finished: bool) -> None:
    assert is_finished(fold(facts)) is finished


def test_deals_take_precedence_over_the_partition_and_undealt_events_have_no_owner() -> None:
    joined = [MemberJoined(member=name, epoch=epoch) for epoch, name in enumerate("ab", 1)]
    home = StateFound(state="s", events=tuple(f"e{number}" for number in range(20)))
    dealt = EventsDealt(state="s", first=0, shares=(("a", 3), ("b", 4)))
    by_partition, by_deal = (
        member("a"),
        PartitionedMember(
            "a", lambda graph: make_strategy("greedy", graph, StrategySettings()), Partition(), is_dealt=True
        ),
    )
    for one in (by_partition, by_deal):
        one.learn([*joined, home])
    assert 0 < by_partition.backlog < 20
    assert by_deal.backlog == 0
    for one in (by_partition, by_deal):
        one.learn([dealt])
    assert by_deal.backlog == 3
    whose = owners(by_partition.crawl, 0, Partition(), is_dealt=False)
    assert by_partition.backlog == whose.count(0)
    for one in (by_partition, by_deal):
        one.learn([MemberLeft(member="b", epoch=3)])
    assert by_partition.backlog == 20
    assert by_deal.backlog == 7


@pytest.mark.parametrize("first", ["ann", "bob"])
def test_a_url_judged_differently_by_two_members_is_never_opened(first: str) -> None:
    """Neither member has received the fact of the other when it names the URL."""
    url, reason = "http://h/things/1", f"{DANGEROUS}it says 'Delete'"
    said: dict[str, list[Fact]] = {
        "ann": [EventAdded(state="home", event=f"open {url}")],
        "bob": [
            EventAdded(state="home", event=f"unopened {url}"),
            EventRefused(state="home", event=f"unopened {url}", reason=reason),
        ],
    }
    start: list[Fact] = [StateFound(state="home", events=()), MemberJoined(member="ann", epoch=1)]
    record = [*said[first], *said["bob" if first == "ann" else "ann"]]
    for name in ("ann", "bob"):
        one = member(name)
        one.learn(start)
        one.observe(said[name])
        one.learn(record)
        assert one.crawl.pair("home", f"open {url}") in one.crawl.closed
        assert EventRefused(state="home", event=f"open {url}", reason=reason) in one.unreported
