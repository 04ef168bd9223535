"""Crowd: thousands of members that each explore their share, over one common view of the application.

Theory of operation
    A simulated peer or Dist-RIA node folds the facts it receives into its own model: N nodes fold every fact N times,
    which takes too long beyond a hundred nodes. The members of a crowd follow the same rules: a hash assigns the
    events, each member fires its own events in the nearest state (or the one found first), reports what it saw, and
    continues meanwhile. But they share one graph. This makes no difference where all members receive a fact at the same
    moment, which is when the server has sent it to all of them. Until then only the member that observed it knows: its
    own links are added to the common graph for it alone, and its own part of a new state is available to it.

    What is left out: all members are there from the start, none of them fails, and an idle member is woken up instead
    of polling. So a crowd is a little faster than the machines; `tests/simulation/test_crowd.py` measures by how much.

    With `states_only` (as in Dist-RIA), members report facts about new states, and receive one path to each state;
    otherwise (as for peers that share everything) they report and receive all links.
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
    """One member of the crowd."""

    number: int
    position: int | None = None  # None before the application was opened
    todo: dict[int, list[int]] = field(default_factory=dict)  # state -> positions of its own events left there
    links: dict[int, set[int]] = field(default_factory=dict)  # links that only this member knows
    unreported: list[Link] = field(default_factory=list)
    is_idle: bool = True
    is_reporting: bool = False
    received: int = 0  # number of facts
    busy_until: float = 0.0  # end of its current overhead
    walked: float = 0.0  # seconds
    overhead: float = 0.0


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
        """`oldest_first` selects breadth-first; otherwise the nearest state comes first, as with greedy."""
        self.kernel = Kernel()
        self.members = [CrowdMember(number) for number in range(nodes)]
        self.events = 0
        self.resets = 0
        self.messages = 0
        self.explored = 0
        self.found: dict[int, float] = {}  # state -> when all members received it
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
        self._parts: dict[int, dict[int, list[int]]] = {}  # observed state -> member -> positions of its own events
        self._early: dict[int, set[int]] = {}  # state not yet shared -> members that observed it
        self._shared = 0  # number of facts that all members have received
        self.server = ServiceQueue(self.kernel, self._hand_out)

    def run(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Run until everything is explored and all members know it, or `stop` returns True."""
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
        news, member.received = self._shared - member.received, self._shared
        self._add_overhead(member, news * self._pace.learn)
        route = self._route(member)
        member.is_idle = route is None
        if route is None:
            if member.unreported:
                self._report(member)
            return
        reset, steps, state = route
        positions = member.todo[state]
        position = positions.pop(0)
        if not positions:
            del member.todo[state]
        pace = self._pace
        self._add_overhead(member, pace.think)
        seconds = (steps + 1) * pace.event + reset * pace.reset
        if pace.spread:
            seconds *= self._chance.uniform(1 - pace.spread, 1 + pace.spread)
        member.walked += seconds
        self.events += steps + 1
        self.resets += reset
        wait = max(member.busy_until - self.kernel.now, 0.0)
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
        member.unreported.append((target if state is None else state, target))
        if is_new:
            early.add(member.number)
            self._add_work(member, target)
        if is_new or not self._states_only:
            self._report(member)
        self._decide(member)

    def _report(self, member: CrowdMember) -> None:
        if member.is_reporting:
            return
        member.is_reporting = True
        links, member.unreported = member.unreported, []
        others = len(self.members) - 1
        self._add_overhead(member, (self._pace.call + self._pace.tell * len(links)) * others)
        self.messages += 1
        self.kernel.after(self._latency(), lambda: self.server.put((member, links)))

    def _add_overhead(self, member: CrowdMember, seconds: float) -> None:
        member.overhead += seconds
        member.busy_until = max(member.busy_until, self.kernel.now) + seconds

    def _latency(self) -> float:
        return self._chance.uniform(*self._pace.latency)

    # -- the server --

    def _hand_out(self, report: tuple[CrowdMember, list[Link]]) -> tuple[float, Action]:
        member, links = report
        passed = [link for link in links if not self._states_only or link[1] not in self.found]
        pace = self._pace
        seconds = pace.handle + pace.store * len(links) + pace.serve * len(passed) * len(self.members)
        return seconds, lambda: self.kernel.after(
            self._latency() + pace.wake, lambda: self._receive_everywhere(member, links)
        )

    def _receive_everywhere(self, reporter: CrowdMember, links: Iterable[Link]) -> None:
        self.messages += 1
        woken: set[int] = set()
        for state, target in links:
            is_new = target not in self.found
            if is_new:
                self.found[target] = self.kernel.now
                for number in self._owners(target).keys() - self._early[target]:
                    self._add_work(self.members[number], target)
                    woken.add(number)
            if (is_new or not self._states_only) and state != target:
                self._common[state].add(target)
                self._shared += 1
                reporter.links.get(state, set()).discard(target)
        reporter.is_reporting = False
        if reporter.unreported and (not self._states_only or reporter.is_idle):
            self._report(reporter)
        for number in sorted(woken):
            if self.members[number].is_idle:
                self._decide(self.members[number])

    # -- shares and routes --

    def _add_work(self, member: CrowdMember, state: int) -> None:
        part = self._owners(state).get(member.number)
        if part:
            member.todo[state] = list(part)

    def _owners(self, state: int) -> dict[int, list[int]]:
        """Return the events of a state by owner."""
        parts = self._parts.get(state)
        if parts is None:
            truth = self._truth
            events = [truth.vocabulary[number] for number in truth.events[state]]
            parts = self._parts[state] = {}
            for position, owner in enumerate(self._partition.owners(truth.ids[state], events, self._names)):
                parts.setdefault(owner, []).append(position)
        return parts

    def _route(self, member: CrowdMember) -> tuple[bool, int, int] | None:
        """Return whether to reset, how many known steps to walk then, and to which state; None when nothing is left."""
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
        raise ValueError(f"member {member.number} has work in a state that it cannot reach")

    def _ahead(self, member: CrowdMember, states: set[int]) -> set[int]:
        ahead: set[int] = set().union(*(self._common[state] for state in states))
        for state in member.links.keys() & states:
            ahead |= member.links[state]
        return ahead
