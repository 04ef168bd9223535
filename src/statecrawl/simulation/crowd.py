"""A crowd: thousands of members that each do their share, over one view of the application that they have in common.

Theory of operation
    A simulated peer or Dist-RIA node keeps a model of its own, which it folds from what it hears: N nodes fold every
    fact N times, and beyond a hundred nodes that takes too long. Members of a crowd follow the same rules: events are
    dealt out by a hash, everybody fires its own in the state that is nearest (or was found first), tells what it saw,
    and goes on meanwhile. But they have one graph in common. That is the same where everybody hears of a fact at the
    same moment, which is when the centre has handed it to all of them. Till then only whoever saw it knows: its own
    links are laid over the common graph for it, and its own part of a new state is its to do.

    What is left out: members are there from the beginning, nobody fails, and who has nothing to do is woken up instead
    of asking now and then. So a crowd is a little faster than machines; `tests/simulation/test_crowd.py` says how much.

    With `states_only` (as Dist-RIA), a fact is told when it speaks of a new state, and what is heard is one way to each
    state; otherwise (as peers that share everything) all links are.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from statecrawl.coordination.partition import Partition
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.kernel import Action, Kernel
from statecrawl.simulation.service_times import ServiceQueue, ServiceTimes

Link = tuple[int, int]  # from a state of the truth to another


@dataclass(slots=True)
class CrowdMember:
    """One of the crowd."""

    number: int
    position: int | None = None  # None: nothing was opened yet
    todo: dict[int, list[int]] = field(default_factory=dict)  # state -> positions of its own that are left there
    links: dict[int, set[int]] = field(default_factory=dict)  # that only this one knows
    untold: list[Link] = field(default_factory=list)
    is_idle: bool = True
    is_telling: bool = False
    heard: int = 0  # facts
    free: float = 0.0  # until when it labours
    walked: float = 0.0  # seconds
    laboured: float = 0.0


class Crowd:
    """Members over one true model."""

    def __init__(
        self,
        truth: Graph,
        *,
        nodes: int,
        seed: int,
        pace: ServiceTimes,
        partition: Partition,
        reset_cost: float,
        states_only: bool,
        oldest_first: bool,
    ) -> None:
        """`oldest_first` is breadth-first; otherwise the nearest state comes first, as greedy has it."""
        self.kernel = Kernel()
        self.members = [CrowdMember(number) for number in range(nodes)]
        self.events = 0
        self.resets = 0
        self.messages = 0
        self.explored = 0
        self.found: dict[int, float] = {}  # state -> when everybody heard of it
        self.ended: float | None = None
        self._truth = truth
        self._chance = Random(seed)
        self._pace = pace
        self._partition = partition
        self._names = [f"n{number}" for number in range(nodes)]
        self._reset_cost = max(1, round(reset_cost))
        self._states_only = states_only
        self._oldest_first = oldest_first
        self._common: list[set[int]] = [set() for _ in truth.ids]
        self._parts: dict[
            int, dict[int, list[int]]
        ] = {}  # state that somebody saw -> member -> its own positions there
        self._early: dict[int, set[int]] = {}  # state that not everybody has heard of -> who saw it
        self._passed_on = 0  # facts that everybody has heard
        self.desk = ServiceQueue(self.kernel, self._hand_out)

    def run(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Until everything is explored and everybody knows, or `stop` answers True."""
        first = self.members[0]
        first.is_idle = False
        self.resets += 1
        first.walked += self._pace.reset
        self.kernel.after(self._pace.reset, lambda: self._arrive(first, None, INITIAL))
        self.kernel.run(stop)
        if self.explored == self._truth.explored:
            self.ended = self.kernel.now + (self._pace.poll if self._states_only else 0.0)

    # -- a member --

    def _decide(self, member: CrowdMember) -> None:
        news, member.heard = self._passed_on - member.heard, self._passed_on
        self._labour(member, news * self._pace.learn)
        way = self._way(member)
        member.is_idle = way is None
        if way is None:
            if member.untold:
                self._tell(member)
            return
        reset, steps, state = way
        positions = member.todo[state]
        position = positions.pop(0)
        if not positions:
            del member.todo[state]
        pace = self._pace
        self._labour(member, pace.think)
        seconds = (steps + 1) * pace.event + reset * pace.reset
        if pace.spread:
            seconds *= self._chance.uniform(1 - pace.spread, 1 + pace.spread)
        member.walked += seconds
        self.events += steps + 1
        self.resets += reset
        wait = max(member.free - self.kernel.now, 0.0)
        target = self._truth.targets[state][position]
        self.kernel.after(wait + seconds, lambda: self._arrive(member, state, target))

    def _arrive(self, member: CrowdMember, state: int | None, target: int) -> None:
        member.position = target
        early = self._early.setdefault(target, set())
        is_new = target not in self.found and member.number not in early
        if state is not None:
            self.explored += 1
            if target != state and target not in self._common[state]:
                member.links.setdefault(state, set()).add(target)
        member.untold.append((target if state is None else state, target))
        if is_new:
            early.add(member.number)
            self._take(member, target)
        if is_new or not self._states_only:
            self._tell(member)
        self._decide(member)

    def _tell(self, member: CrowdMember) -> None:
        if member.is_telling:
            return
        member.is_telling = True
        told, member.untold = member.untold, []
        others = len(self.members) - 1
        self._labour(member, (self._pace.call + self._pace.tell * len(told)) * others)
        self.messages += 1
        self.kernel.after(self._latency(), lambda: self.desk.put((member, told)))

    def _labour(self, member: CrowdMember, seconds: float) -> None:
        member.laboured += seconds
        member.free = max(member.free, self.kernel.now) + seconds

    def _latency(self) -> float:
        return self._chance.uniform(*self._pace.latency)

    # -- the centre --

    def _hand_out(self, told: tuple[CrowdMember, list[Link]]) -> tuple[float, Action]:
        member, links = told
        passed = [link for link in links if not self._states_only or link[1] not in self.found]
        pace = self._pace
        seconds = pace.handle + pace.store * len(links) + pace.serve * len(passed) * len(self.members)
        return seconds, lambda: self.kernel.after(
            self._latency() + pace.wake, lambda: self._heard_by_all(member, links)
        )

    def _heard_by_all(self, teller: CrowdMember, links: Iterable[Link]) -> None:
        self.messages += 1
        woken: set[int] = set()
        for state, target in links:
            is_new = target not in self.found
            if is_new:
                self.found[target] = self.kernel.now
                for number in self._dealt(target).keys() - self._early[target]:
                    self._take(self.members[number], target)
                    woken.add(number)
            if (is_new or not self._states_only) and state != target:
                self._common[state].add(target)
                self._passed_on += 1
                teller.links.get(state, set()).discard(target)
        teller.is_telling = False
        if teller.untold and (not self._states_only or teller.is_idle):
            self._tell(teller)
        for number in sorted(woken):
            if self.members[number].is_idle:
                self._decide(self.members[number])

    # -- what is whose --

    def _take(self, member: CrowdMember, state: int) -> None:
        part = self._dealt(state).get(member.number)
        if part:
            member.todo[state] = list(part)

    def _dealt(self, state: int) -> dict[int, list[int]]:
        """Who has which events of a state."""
        parts = self._parts.get(state)
        if parts is None:
            truth = self._truth
            events = [truth.vocabulary[number] for number in truth.events[state]]
            parts = self._parts[state] = {}
            for position, owner in enumerate(self._partition.owners(truth.ids[state], events, self._names)):
                parts.setdefault(owner, []).append(position)
        return parts

    def _way(self, member: CrowdMember) -> tuple[bool, int, int] | None:
        """Whether to reset, how many known steps to go then, and to which state; None when nothing is left."""
        todo = member.todo
        if not todo:
            return None
        wanted = {next(iter(todo))} if self._oldest_first else todo.keys()
        here = member.position
        fronts = {False: set() if here is None else {here}, True: {INITIAL}}
        begins = {False: 0, True: 0 if here is None else self._reset_cost}
        seen: set[int] = set()
        cost = 0
        while fronts[False] or fronts[True]:
            for reset in (False, True):
                if cost < begins[reset]:
                    continue
                hits = fronts[reset] & wanted
                if hits:
                    return reset, cost - begins[reset], min(hits)
                seen |= fronts[reset]
                fronts[reset] = self._ahead(member, fronts[reset]) - seen
            cost += 1
        raise ValueError(f"member {member.number} has something to do where it can not get")

    def _ahead(self, member: CrowdMember, states: set[int]) -> set[int]:
        ahead: set[int] = set().union(*(self._common[state] for state in states))
        for state in member.links.keys() & states:
            ahead |= member.links[state]
        return ahead
