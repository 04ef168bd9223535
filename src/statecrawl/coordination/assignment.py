"""Dealing: whose the events of a state are, where that is decided state by state rather than by a partition alone.

Theory of operation
    Each state's events have an order in which they are dealt, which follows from the state: everybody computes the
    same. A coordinator writes how many of them, from where the last deal ended, are whose (`EventsDealt`). So a few
    numbers say what was dealt of a state, to whom, and what is still nobody's; deals may come at once or bit by bit,
    and whoever reads the journal up to the same position knows the same.

    At any time, for any members, an event that was dealt belongs to exactly one of them: to whom it was dealt while
    that one takes part, else to whom the partition says. So what was dealt is a lease as long as the membership: when a
    member is lost its share is the others', and nothing has to be taken back.

    The five ways of `balance` differ only in when what is dealt to whom:

        static         nothing is dealt: the partition decides
        adaptive       every state at once, in the shares that let all end together
        lazy-adaptive  most of each state at once in such shares; the rest is held back until somebody is about to run
                       out of work, and then half of what is left is dealt
        hybrid         all but the last events of a state by the partition. These are reserved: whoever is about to run
                       out of work is given some
        dynamic        is not for partitioned members: the client-server architecture is that

    Where we differ from the thesis, and why. Nothing of it was tried there; here it was, in simulation:

        A partition by events, so the thesis, lets a node find something to do wherever an event takes it. Where all of
        a new state is held back or reserved, that is lost: its finder has to leave it, and comes back later. So lazy
        holds back only a quarter, and of what hybrid reserves the finder is given a member's part at once. Whoever runs
        out is given events in the states around it, a few in each.

        Lazy deals everything as soon as somebody runs out in the thesis, and has nothing left to correct itself with.
        Hybrid gives one task at a time. Here both give a part of what is there, large while much is left and one event
        at the end (C. D. Polychronopoulos, D. J. Kuck, "Guided Self-Scheduling", 1987).

        How much hybrid reserves depends on how idle members are otherwise, which the thesis takes from earlier crawls.
        Here it is measured; and since at first, when most states are found, everybody is busy, it is foreseen from
        their speeds as well.

    A coordinator that takes over knows what was dealt, but not how fast anybody was, and measures anew. What an earlier
    one had reserved stays so. Who joins late has its share of what is dealt from then on, and of what falls to the
    partition.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from statecrawl.coordination.balance import (
    Balance,
    MemberLoad,
    deal,
    foreseen_idle,
    hand_out,
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

BY_PARTITION = ""  # instead of a member: whoever the partition says
PART_AT_ONCE = 2  # of what is reserved or held back, one part in so many is given at a time
HELD_BACK = 4  # lazy holds back one event of a state in so many; of two, it took a fifth longer on dyna-table
NOBODY = -1


def order(crawl: FoldedCrawl, state: int) -> list[int]:
    """The positions of a state's events in the order in which they are dealt; those that came later come last."""
    found_with = crawl.found_with(state)
    late = range(found_with, len(crawl.graph.events[state]))
    return [*shuffled(found_with, crawl.graph.ids[state]), *late]


def owners(crawl: FoldedCrawl, state: int, partition: Partition, url: str = "", *, is_dealt: bool = True) -> list[int]:
    """For each event of a state, whose it is: a place among the members, or NOBODY.

    `is_dealt` says whose those are that were not dealt: nobody's yet, or by the partition. ValueError when there are no
    members.
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
    """Knows what is nobody's yet, and decides who gets it and when."""

    def __init__(self, balance: Balance, crawl: FoldedCrawl, loads: Loads) -> None:
        """ValueError for a balance that is not for members who work by a partition."""
        if balance is Balance.DYNAMIC:
            raise ValueError("a dynamic balance is what client and server do: choose that architecture, or hybrid here")
        self._balance = balance
        self._crawl = crawl
        self._loads = loads
        self._left: dict[int, int] = {}  # state -> how many of its events are nobody's; only such states
        self._fresh: dict[int, None] = {}  # states that were found since anything was dealt
        self.left = 0  # events that are nobody's

    def learn(self, fact: Fact) -> None:
        """The crawl has learnt this."""
        if self._balance is Balance.STATIC or not isinstance(fact, StateFound | EventAdded | EventsDealt):
            return
        state = self._crawl.graph.numbers[fact.state]
        dealt = sum([count for _, count in self._crawl.dealt.get(state, ())])
        left = len(self._crawl.graph.events[state]) - dealt
        if isinstance(fact, StateFound) and state not in self._left and left and not dealt:
            self._fresh[state] = None
        self.left += left - self._left.get(state, 0)
        self._left[state] = left
        if not left:
            del self._left[state]

    def forget_news(self) -> None:
        """All that is known was known to whoever dealt before."""
        self._fresh = {}

    def deals(self, asking: Mapping[str, str | None], now: float) -> Iterator[EventsDealt]:
        """What to deal now, while these members ask, being in these states. Each must be learnt before the next."""
        fresh, self._fresh = self._fresh, {}
        match self._balance:
            case Balance.STATIC | Balance.DYNAMIC:
                return
            case Balance.ADAPTIVE:
                for state in tuple(self._left):
                    yield self._share_out(state, self._left[state], now)
            case Balance.LAZY_ADAPTIVE:
                for state in fresh:
                    yield self._share_out(state, self._left[state] - self._left[state] // HELD_BACK, now)
                while self.left and runs_out(self._current(now)):
                    yield from self._release(now)
            case Balance.HYBRID:
                yield from self._reserve(fresh, asking, now)
                for member, place in asking.items():
                    if self.left and runs_out({member: self._loads.of(member, now)}):
                        yield from self._give(member, place)

    def _current(self, now: float) -> dict[str, MemberLoad]:
        return {member: self._loads.of(member, now) for member in self._crawl.members}

    def _share_out(self, state: int, count: int, now: float) -> EventsDealt:
        """The next so many events of a state, such that all members end together."""
        tail = self._tail(state)[:count]
        undone = sum(tail)
        given = hand_out(tail, deal(undone, shares(undone, self._current(now))))
        over = count - sum([number for _, number in given])
        return self._deal(state, [*given, (BY_PARTITION, over)] if over else given)

    def _release(self, now: float) -> Iterator[EventsDealt]:
        """Part of what is held back: whole states, the oldest first."""
        kept = self.left - math.ceil(self.left / PART_AT_ONCE)
        for state in tuple(self._left):
            if self.left > kept:
                yield self._share_out(state, self._left[state], now)

    def _reserve(self, fresh: Iterable[int], asking: Mapping[str, str | None], now: float) -> Iterator[EventsDealt]:
        """All but the last events of what is new to the partition, and of these a part to whoever is there."""
        members = self._crawl.members
        idle = max(self._loads.idle(members, now), foreseen_idle(self._current(now).values()))
        ratio = reserved_ratio(idle, len(members))
        finders = {place: member for member, place in asking.items()}
        for state in fresh:
            last = reserved(self._left[state], ratio)
            given = [(BY_PARTITION, self._left[state] - last)] if last < self._left[state] else []
            finder = finders.get(self._crawl.graph.ids[state])
            if last and finder is not None:
                given.append((finder, math.ceil(last / len(members))))
            if given:
                yield self._deal(state, given)

    def _give(self, member: str, place: str | None) -> Iterator[EventsDealt]:
        """Some of what is reserved, around where the member is; what is found done already is thrown in."""
        members = len(self._crawl.members)
        count = math.ceil(self.left / (PART_AT_ONCE * members))
        for state in self._nearest(place):
            if count <= 0:
                return
            tail = self._tail(state)
            undone = min(count, math.ceil(sum(tail) / members))
            yield self._deal(state, hand_out(tail, {member: undone}) if undone else [(member, len(tail))])
            count -= undone

    def _nearest(self, place: str | None) -> Iterator[int]:
        """The states that have events left, those first that are the fewest steps away, and last those that are not."""
        graph = self._crawl.graph
        begin = INITIAL if place is None else graph.numbers.get(place, INITIAL)
        reached, rest = {begin: None}, [begin]
        for state in rest:
            ahead = [target for target in graph.links.successors[state] if target not in reached]
            reached |= dict.fromkeys(ahead)
            rest += ahead
            if state in self._left:
                yield state
        yield from [state for state in self._left if state not in reached]

    def _tail(self, state: int) -> list[bool]:
        """For each event of a state that is nobody's, in the order of dealing, whether there is something to do."""
        crawl = self._crawl
        targets, closed = crawl.graph.targets[state], crawl.closed
        return [
            targets[position] == UNEXPLORED and (state, position) not in closed
            for position in order(crawl, state)[-self._left[state] :]
        ]

    def _deal(self, state: int, given: Sequence[tuple[str, int]]) -> EventsDealt:
        crawl = self._crawl
        first = len(crawl.graph.events[state]) - self._left[state]
        for member, count in given:
            if member != BY_PARTITION:
                self._loads.given(member, count)
        return EventsDealt(state=crawl.graph.ids[state], first=first, shares=tuple(given))
