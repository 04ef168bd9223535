"""Assignment of the events of each state to members, where the partition alone does not decide.

Theory of operation
    The events of each state are dealt in an order that follows from the state, so that every node computes the same
    order. The coordinator writes how many of the next events in this order each member receives (`EventsDealt`). So a
    few numbers say which events of a state were dealt, to whom, and which still have no owner. A state can be dealt at
    once or in parts, and all readers of the journal up to the same position know the same owners.

    At any time and for any membership, a dealt event belongs to exactly one member: to the member it was dealt to
    while that member takes part, otherwise to the member that the partition chooses. So a deal is a lease that lasts
    as long as the membership: when a member is lost, the others own its share, and nothing has to be taken back.

    The kinds of `Balance` differ only in when which events are dealt to whom:

        static         nothing is dealt: the partition decides
        adaptive       every state at once, in shares that let all members finish together
        lazy-adaptive  most of each state at once, in such shares; the rest is held back until a member is about to run
                       out of work, and then half of the rest is dealt
        hybrid         all but the last events of a state by the partition; the last events are reserved, and a member
                       that is about to run out of work receives some of them
        dynamic        not for partitioned members: this is the client-server architecture

    Differences from the thesis, and their reasons. The thesis did not try these methods; here they were simulated:

        According to the thesis, a partition by events lets a node find work wherever an event takes it. If all events
        of a new state are held back or reserved, this advantage is lost: the finder has to leave the state and return
        later. So lazy-adaptive holds back only a quarter, and hybrid gives the finder one member's part of the reserved
        events at once. A member that runs out of work receives events in nearby states, a few in each.

        In the thesis, lazy-adaptive deals everything as soon as one member runs out of work, and has nothing left for
        corrections; hybrid assigns one task at a time. Here both deal a fraction of what is left, which is large while
        much is left and a single event at the end (C. D. Polychronopoulos, D. J. Kuck, "Guided Self-Scheduling",
        1987).

        How much hybrid reserves depends on how idle members would be otherwise, which the thesis takes from earlier
        crawls. Here it is measured. Since all members are busy at first, when most states are found, it is also
        predicted from their speeds.

    A coordinator that takes over knows from the journal which events were dealt, but not how fast the members were,
    and measures again. Events reserved by its predecessor stay reserved. A member that joins late receives its share
    of what is dealt from then on, and of what the partition decides.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from statecrawl.coordination.balance import (
    Balance,
    MemberLoad,
    allot,
    deal,
    predicted_idle,
    reserved,
    reserved_ratio,
    runs_out,
    shares,
)
from statecrawl.coordination.loads import Loads
from statecrawl.coordination.partition import Partition, shuffled
from statecrawl.journal.facts import EventAdded, EventsDealt, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import INITIAL, UNEXPLORED

BY_PARTITION = ""  # instead of a member: the partition decides
PART_AT_ONCE = 2  # a deal takes one part in this many of what is reserved or held back
HELD_BACK = 4  # lazy holds back one event in this many; one in two took a fifth longer on dyna-table
NOBODY = -1


def order(crawl: FoldedCrawl, state: int) -> list[int]:
    """Return the positions of a state's events in dealing order; events added later come last."""
    found_with = crawl.found_with(state)
    late = range(found_with, len(crawl.graph.events[state]))
    return [*shuffled(found_with, crawl.graph.ids[state]), *late]


def owners(crawl: FoldedCrawl, state: int, partition: Partition, url: str = "", *, is_dealt: bool = True) -> list[int]:
    """Return for each event of a state the position of its owner among the members, or NOBODY.

    `is_dealt` says who owns the events that were not dealt: nobody yet, or the member that the partition chooses.
    ValueError when there are no members.
    """
    graph = crawl.graph
    given = crawl.dealt.get(state, [])
    places = {member: place for place, member in enumerate(crawl.members)}
    rest = [NOBODY] * len(graph.events[state])
    by_partition = rest
    if not is_dealt or any(member not in places for member, _ in given):
        events = [graph.vocabulary[number] for number in graph.events[state]]
        by_partition = partition.owners(graph.ids[state], events, crawl.members, url)
    found = list(rest if is_dealt else by_partition)
    positions = iter(order(crawl, state) if given else ())
    for member, count in given:
        for _ in range(count):
            position = next(positions)
            found[position] = places.get(member, by_partition[position])
    return found


class Assigner:
    """Tracks the events without an owner, and decides when to deal them to whom."""

    def __init__(self, balance: Balance, crawl: FoldedCrawl, loads: Loads) -> None:
        """ValueError for a balance that does not work with partitioned members."""
        if balance is Balance.DYNAMIC:
            raise ValueError(
                "a dynamic balance is the client-server architecture: choose that architecture, or a hybrid balance"
            )
        self._balance = balance
        self._crawl = crawl
        self._loads = loads
        self._unassigned: dict[int, int] = {}  # state -> number of its events without an owner, if any
        self._new_states: dict[int, None] = {}  # states found since the last deal
        self.unassigned = 0  # events without an owner

    def learn(self, fact: Fact) -> None:
        """Take a new fact of the crawl into account."""
        if self._balance is Balance.STATIC or not isinstance(fact, StateFound | EventAdded | EventsDealt):
            return
        state = self._crawl.graph.numbers[fact.state]
        dealt = sum([count for _, count in self._crawl.dealt.get(state, ())])
        left = len(self._crawl.graph.events[state]) - dealt
        if isinstance(fact, StateFound) and state not in self._unassigned and left and not dealt:
            self._new_states[state] = None
        self.unassigned += left - self._unassigned.get(state, 0)
        self._unassigned[state] = left
        if not left:
            del self._unassigned[state]

    def skip_known(self) -> None:
        """Treat all states found so far as dealt with by an earlier coordinator."""
        self._new_states = {}

    def deals(self, asking: Mapping[str, str | None], now: float) -> Iterator[EventsDealt]:
        """Yield the deals to make now. Each must be learned before the next one is requested.

        `asking` maps the members that wait for a reply to the states of their pages.
        """
        fresh, self._new_states = self._new_states, {}
        match self._balance:
            case Balance.STATIC | Balance.DYNAMIC:
                return
            case Balance.ADAPTIVE:
                for state in tuple(self._unassigned):
                    yield self._share_out(state, self._unassigned[state], now)
            case Balance.LAZY_ADAPTIVE:
                for state in fresh:
                    yield self._share_out(state, self._unassigned[state] - self._unassigned[state] // HELD_BACK, now)
                while self.unassigned and runs_out(self._current(now)):
                    yield from self._release(now)
            case Balance.HYBRID:
                yield from self._reserve(fresh, asking, now)
                for member, place in asking.items():
                    if self.unassigned and runs_out({member: self._loads.of(member, now)}):
                        yield from self._give(member, place)

    def _current(self, now: float) -> dict[str, MemberLoad]:
        return {member: self._loads.of(member, now) for member in self._crawl.members}

    def _share_out(self, state: int, count: int, now: float) -> EventsDealt:
        """Deal the next `count` events of a state such that all members finish together."""
        tail = self._tail(state)[:count]
        undone = sum(tail)
        given = allot(tail, deal(undone, shares(undone, self._current(now))))
        over = count - sum([number for _, number in given])
        return self._deal(state, [*given, (BY_PARTITION, over)] if over else given)

    def _release(self, now: float) -> Iterator[EventsDealt]:
        """Deal part of what is held back: whole states, the oldest first."""
        target = self.unassigned - math.ceil(self.unassigned / PART_AT_ONCE)
        for state in tuple(self._unassigned):
            if self.unassigned > target:
                yield self._share_out(state, self._unassigned[state], now)

    def _reserve(self, fresh: Iterable[int], asking: Mapping[str, str | None], now: float) -> Iterator[EventsDealt]:
        """Leave all but the last events of new states to the partition, and give the finder a part of the last."""
        members = self._crawl.members
        idle = max(self._loads.idle(members, now), predicted_idle(self._current(now).values()))
        ratio = reserved_ratio(idle, len(members))
        finders = {place: member for member, place in asking.items()}
        for state in fresh:
            last = reserved(self._unassigned[state], ratio)
            given = [(BY_PARTITION, self._unassigned[state] - last)] if last < self._unassigned[state] else []
            finder = finders.get(self._crawl.graph.ids[state])
            if last and finder is not None:
                given.append((finder, math.ceil(last / len(members))))
            if given:
                yield self._deal(state, given)

    def _give(self, member: str, place: str | None) -> Iterator[EventsDealt]:
        """Deal some of the reserved events in states near the member; events that are done already do not count."""
        members = len(self._crawl.members)
        count = math.ceil(self.unassigned / (PART_AT_ONCE * members))
        for state in self._nearest(place):
            if count <= 0:
                return
            tail = self._tail(state)
            undone = min(count, math.ceil(sum(tail) / members))
            yield self._deal(state, allot(tail, {member: undone}) if undone else [(member, len(tail))])
            count -= undone

    def _nearest(self, place: str | None) -> Iterator[int]:
        """Yield the states with unassigned events, nearest first; unreachable states come last."""
        graph = self._crawl.graph
        begin = INITIAL if place is None else graph.numbers.get(place, INITIAL)
        reached, rest = {begin: None}, [begin]
        for state in rest:
            ahead = [target for target in graph.links.successors[state] if target not in reached]
            reached |= dict.fromkeys(ahead)
            rest += ahead
            if state in self._unassigned:
                yield state
        yield from [state for state in self._unassigned if state not in reached]

    def _tail(self, state: int) -> list[bool]:
        """Return for each unassigned event of a state, in dealing order, whether it is still to be explored."""
        crawl = self._crawl
        targets, closed = crawl.graph.targets[state], crawl.closed
        return [
            targets[position] == UNEXPLORED and (state, position) not in closed
            for position in order(crawl, state)[-self._unassigned[state] :]
        ]

    def _deal(self, state: int, given: Sequence[tuple[str, int]]) -> EventsDealt:
        crawl = self._crawl
        first = len(crawl.graph.events[state]) - self._unassigned[state]
        for member, count in given:
            if member != BY_PARTITION:
                self._loads.assign(member, count)
        return EventsDealt(state=crawl.graph.ids[state], first=first, shares=tuple(given))
