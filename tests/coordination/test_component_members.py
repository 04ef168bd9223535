"""Crawls by components: members conclude alike, each part belongs to one of them, and one of them checks."""

import pytest

from statecrawl.coordination.components import MOST_OPEN, Responsibility, responsible
from statecrawl.coordination.followed_crawl import FollowedCrawl
from statecrawl.coordination.partition import Partition
from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.journal.facts import ComponentClaimed, Fact, MemberJoined, MemberLeft, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Region
from statecrawl.simulation.actor import Actor
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.testbed.compositions import Composition, widgets_composition

NAMES = ("a", "b", "c")
every_kind = pytest.mark.parametrize("kind", Responsibility)


def strategy(graph: Graph) -> Strategy:
    return make_strategy("greedy", graph, StrategySettings(model=ModelKind.COMPONENTS))


def member(name: str, kind: Responsibility = Responsibility.HANDLERS) -> PartitionedMember:
    return PartitionedMember(name, strategy, Partition(), responsibility=kind)


def joined(*names: str) -> list[Fact]:
    return [MemberJoined(member=name, epoch=epoch) for epoch, name in enumerate(names, 1)]


class Crew:
    """Members that take turns; each reads the whole record before its walk, and reports after it."""

    def __init__(self, composition: Composition, kind: Responsibility, *names: str) -> None:
        self.record: list[Fact] = joined(*names)
        self.members = {name: member(name, kind) for name in names}
        self.fired: dict[str, list[TransitionExplored]] = {name: [] for name in names}
        self._actors = {name: Actor(composition.application.truth, regions=composition.page_regions) for name in names}
        self._read = dict.fromkeys(names, 0)

    def turn(self, name: str) -> bool:
        """Let a member do one walk. Return whether it had anything to do."""
        one, actor = self.members[name], self._actors[name]
        one.learn(self.record[self._read[name] :])
        self._read[name] = len(self.record)
        order = one.next_order(actor.state)
        if order is not None:
            facts = actor.act(order)
            one.observe([*actor.inspect(), *facts])
            self.fired[name] += [fact for fact in facts if isinstance(fact, TransitionExplored)]
        has_news = bool(one.unreported)
        self.record += one.unreported
        one.mark_recorded(len(one.unreported))
        return has_news

    def work(self) -> None:
        while sum(self.turn(name) for name in self.members):
            pass

    def lose(self, name: str) -> None:
        del self.members[name]
        epoch = sum(isinstance(fact, MemberJoined | MemberLeft) for fact in self.record) + 1
        self.record.append(MemberLeft(member=name, epoch=epoch))


def test_each_part_belongs_to_one_member_in_all_states() -> None:
    composition = widgets_composition(3, 3)
    actor = Actor(composition.application.truth, regions=composition.page_regions)
    facts = joined(*NAMES)
    for state in range(len(composition.application.truth)):
        actor.position = state
        facts.append(actor.describe())
    crew = [member(name) for name in NAMES]
    for one in crew:
        one.learn(facts)
    for one in crew:
        graph = one.recorded.graph
        free = {(s, p) for s, positions in enumerate(one.strategy.free) for p in positions}
        owners = {composition.component_of(graph.event(*pair).local) for pair in free}
        assert owners == {f"widget {at}" for at in (1, 2, 3) if responsible(f"widget {at}", NAMES) == one.name}
    assert sum(len(free) for one in crew for free in one.strategy.free) == composition.application.truth.explored


@every_kind
def test_no_task_is_fired_twice_and_none_is_left(kind: Responsibility) -> None:
    composition = widgets_composition(3, 4)
    crew = Crew(composition, kind, *NAMES)
    crew.work()
    fired = [(fact.state, fact.event) for facts in crew.fired.values() for fact in facts]
    assert len(fired) == len(set(fired))
    followed = FollowedCrawl(strategy)
    followed.extend(crew.record)
    found = followed.components()
    assert followed.exhaustion_reason() == "components"
    assert (found.components, found.component_states, found.independence_violated) == (3, 12, 0)
    reasons = {one.exhaustion_reason() for one in crew.members.values()}
    assert reasons == {"components"}


def test_only_the_first_member_fires_random_pairs_and_each_counts_once() -> None:
    crew = Crew(widgets_composition(3, 4), Responsibility.HANDLERS, *NAMES)
    crew.work()
    tasks = 3 * 4 * 3
    fired = {name: len(facts) for name, facts in crew.fired.items()}
    frontiers = [one.strategy.component_frontier for one in crew.members.values()]
    trusts = [frontier.trust for frontier in frontiers if frontier is not None]
    assert {trust.checked for trust in trusts} == {trusts[0].needed}
    assert fired["a"] >= 4 * trusts[0].needed
    assert fired["b"] + fired["c"] <= tasks + 3  # with moves back to values that were left too early


@every_kind
def test_the_parts_of_a_lost_member_and_its_checks_go_to_others(kind: Responsibility) -> None:
    crew = Crew(widgets_composition(3, 4), kind, *NAMES)
    for _ in range(3):
        for name in NAMES:
            crew.turn(name)
    crew.lose("a")
    crew.work()
    followed = FollowedCrawl(strategy)
    followed.extend(crew.record)
    assert followed.components().component_states == 12
    assert followed.components().independence_checked > 0
    assert followed.exhaustion_reason() == "components"


def page(state: str, left: str, right: str) -> StateFound:
    regions = (Region("left", "l", left, left, (0,)), Region("right", "r", right, right, (1,)))
    return StateFound(state=state, events=("x", "y"), regions=regions)


def test_own_facts_count_when_they_are_recorded() -> None:
    one = member("a")
    one.learn([*joined("a"), page("s", "1", "1")])
    order = one.next_order("s")
    assert order is not None
    seen: list[Fact] = [page("t", "2", "1"), TransitionExplored(state="s", event=order.goal[1], target="t")]
    one.observe(seen)
    assert one.unreported == seen
    assert one.awaits_record
    assert len(one.recorded.graph) == 1
    assert len(one.crawl.graph) == 2
    assert (one.next_order("t"), one.idle) == (None, False)  # it is not done: it waits
    one.mark_recorded(len(seen))
    one.learn(seen)
    assert one.next_order("t") is not None


def test_members_that_were_faster_or_slower_conclude_the_same() -> None:
    first, second = member("a"), member("b")
    start = [*joined("a", "b"), page("s", "1", "1")]
    left: list[Fact] = [page("t", "2", "1"), TransitionExplored(state="s", event="x", target="t")]
    right: list[Fact] = [page("u", "1", "2"), TransitionExplored(state="s", event="y", target="u")]
    for one, own in ((first, left), (second, right)):
        one.learn(start)
        one.observe(own)
        one.mark_recorded(len(own))
        one.learn([*right, *left])
    frontiers = [one.strategy.component_frontier for one in (first, second)]
    ids = [one.recorded.graph.ids for one in (first, second)]
    assert ids[0] == ids[1] == ["s", "u", "t"]
    assert first.recorded.graph.ids[INITIAL] == "s"
    tasks = [list(frontier.components.untried_tasks()) for frontier in frontiers if frontier is not None]
    assert tasks[0] == tasks[1]


@pytest.mark.parametrize("names", [("a",), ("a", "b")])
def test_an_event_outside_all_regions_belongs_to_one_member(names: tuple[str, ...]) -> None:
    state = StateFound(state="s", events=("x", "y"), regions=(Region("left", "l", "1", "1", (0,)),))
    crew = [member(name) for name in names]
    for one in crew:
        one.learn([*joined(*names), state])
    assert sorted(position for one in crew for position in one.strategy.free[0]) == [0, 1]


# -- claims --


def claims(one: PartitionedMember) -> list[str]:
    return [fact.place for fact in one.unreported if isinstance(fact, ComponentClaimed)]


def test_a_member_claims_before_it_fires_and_the_first_claim_counts() -> None:
    first, second = (member(name, Responsibility.GATE_KEEPERS) for name in "ab")
    start = [*joined("a", "b"), page("s", "1", "1")]
    for one in (first, second):
        one.learn(start)
        assert (one.next_order("s"), one.idle) == (None, False)
        assert claims(one) == ["left"]
        assert one.next_order("s") is None  # it waits for the reply
        assert len(one.unreported) == 1
    record = [*second.unreported, *first.unreported]
    for one in (first, second):
        one.mark_recorded(1)
        one.learn(record)
    order = second.next_order("s")
    assert order is not None
    assert order.goal == ("s", "x")
    assert first.next_order("s") is None
    assert claims(first) == ["right"]  # the next one


def test_a_member_with_many_tasks_leaves_what_it_has_found_to_others() -> None:
    menu = Region("menu", "m", "1", "1", tuple(range(MOST_OPEN + 2)))
    names = tuple(f"click {number}" for number in range(MOST_OPEN + 2))
    one = member("a", Responsibility.GATE_KEEPERS)
    one.learn([*joined("a"), StateFound(state="s", events=names, regions=(menu,))])
    one.learn([ComponentClaimed(place="menu", member="a", epoch=1)])
    dialog = Region("dialog", "d", "1", "1", (0,))
    for fired, name in enumerate(names, 1):
        found = StateFound(state=f"t{fired}", events=("close",), regions=(dialog,))
        one.learn([found, TransitionExplored(state="s", event=name, target=f"t{fired}")])
        order = one.next_order(f"t{fired}")
        is_busy = len(names) - fired >= MOST_OPEN
        assert (order is not None, claims(one)) == (is_busy, [] if is_busy else ["dialog"])
        one.mark_recorded(len(one.unreported))


def test_checks_wait_until_nothing_is_left_to_claim() -> None:
    one = member("a", Responsibility.GATE_KEEPERS)
    one.learn([*joined("a", "b"), page("s", "1", "1"), ComponentClaimed(place="left", member="a", epoch=2)])
    one.learn([page("t", "2", "1"), TransitionExplored(state="s", event="x", target="t")])
    one.learn([ComponentClaimed(place="right", member="b", epoch=2)])
    one.learn([TransitionExplored(state="t", event="x", target="s")])
    assert one.next_order("s") is None  # what is left belongs to b
    assert one.idle
    one.learn([MemberLeft(member="b", epoch=3)])
    assert one.next_order("s") is None
    assert claims(one) == ["right"]
