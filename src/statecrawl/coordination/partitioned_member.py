"""Member that explores its own share of an application and learns what others find.

Common part of Dist-RIA nodes and peers (S. M. Mirtaheri et al., "Dist-RIA Crawler: A Distributed Crawler for Rich
Internet Applications", 2013, §V; "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for Rich Internet
Applications", 2014, §3.1): every member visits all states, and fires only its own events there.

Theory of operation
    A member folds the facts it receives, runs its own strategy over them, and withholds the events of other members
    from the strategy. It learns the membership from facts like everything else. When the membership changes, only the
    difference is withheld or granted; the member finishes the task at hand. Two members that explore the same event
    report the same fact, which is harmless. Where events are dealt (see `assignment`), a deal takes precedence over the
    partition, and events that were not dealt have no owner.

    The *record* is kept elsewhere: the journal of a coordinator, or a log. All facts that a member receives come from
    the record, in its order. What its page shows is a report (see `journal.novelty`). If it is new it becomes a fact,
    which the member knows at once and reports (`unreported`) until its caller confirms that it was recorded. So the
    reports of a member are sound: whatever they refer to is in the record, or earlier in the reports.

    The record may lose its last facts. Then a member forgets everything it has received and receives the record from
    the start (`restart`). It remembers its own reports, and repeats those missing in the record; a report that refers
    to a state which the record has lost waits until a member has found the state again. When the record changes its
    state equivalence rules, all of this is void.

    In a crawl by components, what a member concludes from facts depends on their order (`model.components`). All must
    conclude the same, or an event might have no owner. So its strategy learns facts in the order of the record only,
    its own included, and the member waits where it is until its reports are recorded (`awaits_record`). What is new in
    a report is still decided with everything that it has seen. `crawl` contains its unrecorded reports, `recorded` does
    not; without components, both are the same. The owner of an event is chosen by `components`. The first member
    fires the random checks, since these must follow one another.

    An application may behave differently each time. A surprise is a fact like any other. But when two members have
    explored the same event with different targets, one of them learns from the record that it was second: the target it
    took for the first was a surprise. It is *contradicted* and has to restart, so that all agree on what was first.

    The first state of a record is the initial state of the application. So while the record has no state, a member that
    wants to work opens the application, and reports nothing before that.
"""

from collections.abc import Callable, Iterable, Sequence

from statecrawl.coordination.assignment import owners
from statecrawl.coordination.component_shares import ComponentShares
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition
from statecrawl.errors import DamagedJournal
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds, CrawlBoundsTracker
from statecrawl.journal.facts import (
    ComponentClaimed,
    EventAdded,
    EventsDealt,
    Fact,
    StateFound,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant, new_fact
from statecrawl.journal.refusal_reasons import is_forbidden
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.orders import OPEN, Order, StateEvent, order_of
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task

WALKER = 0  # walker number: a member has one page


class PartitionedMember:
    """State machine of one member. Its caller passes in what was recorded and observed, and requests orders."""

    def __init__(
        self,
        name: str,
        make_strategy: Callable[[Graph], Strategy],
        partition: Partition,
        bounds: CrawlBounds = NO_BOUNDS,
        *,
        is_dealt: bool = False,
        responsibility: Responsibility = Responsibility.GATE_KEEPERS,
    ) -> None:
        """The member refuses events that lie beyond the `bounds`.

        With `is_dealt`, an event has no owner until it was dealt; otherwise the partition chooses its owner. In a crawl
        by components, `responsibility` says which member crawls a component.
        """
        self.name = name
        self._make_strategy = make_strategy
        self._partition = partition
        self._bounds = bounds
        self._is_dealt = is_dealt
        self._responsibility = responsibility
        self._reported: list[Fact] = []  # all facts it ever reported, in order
        self._pending_reports: list[Fact] = []  # reports that refer to unknown states
        self._rules: tuple[tuple[str, str], ...] = ()  # state equivalence rules behind all of that
        self._reset()

    def _reset(self) -> None:
        self.recorded = FoldedCrawl()
        self.strategy = self._make_strategy(self.recorded.graph)
        self.crawl = self.recorded
        self._components: ComponentShares | None = None
        if self.strategy.component_frontier is not None:
            self.crawl = FoldedCrawl()
            frontier = self.strategy.component_frontier
            self._components = ComponentShares(self.name, self._responsibility, frontier, self.recorded)
        self.idle = False  # it had no order when last asked, and has learned nothing since
        self.unreported: list[Fact] = []  # own facts that are not known to be recorded
        self.contradicted = False  # another member was first, with a different result
        self._to_repeat: list[Fact] = []  # earlier reports that cannot be repeated yet
        self._unconfirmed: set[StateEvent] = set()  # own explored pairs that the record does not contain yet
        self._bounds_tracker = CrawlBoundsTracker(self._bounds, self.crawl)
        self._first: str | None = None  # first state of the record
        self._opening = False  # its page is about to show the initial state
        self._feed = StrategyFeed(self.recorded, self.strategy)
        self._own_events: list[list[bool]] = []  # state -> for each event, whether this member owns it
        self._members: tuple[str, ...] = ()  # members for whom `_own_events` was computed
        self._stale_states: dict[int, None] = {}  # states whose `_own_events` must be computed again

    @property
    def is_member(self) -> bool:
        """Whether the record lists this node as a member."""
        return self.name in self.crawl.members

    @property
    def uses_components(self) -> bool:
        """Whether the crawl is one by components."""
        return self._components is not None

    @property
    def awaits_record(self) -> bool:
        """Whether the member knows what to do next only when its reports are recorded."""
        return self.uses_components and bool(self.unreported)

    def exhaustion_reason(self) -> str:
        """Return why the crawl ends if no member has anything left to do."""
        return self.strategy.exhaustion_reason(self.recorded)

    @property
    def backlog(self) -> int:
        """Number of own events that are not explored, reachable or not."""
        return self.crawl.graph.unexplored - len(self.crawl.closed) - self.strategy.withheld

    # -- input --

    def learn(self, facts: Sequence[Fact]) -> None:
        """Process recorded facts, whoever reported them. Raises what `StrategyFeed.push` raises."""
        for fact in facts:
            is_old = isinstance(fact, StateFound) and fact.state in self.crawl.graph.numbers
            self._check(fact)
            self._apply(fact)
            if self.uses_components:
                self.crawl.apply(fact)
            if not is_old:
                refused = self._bounds_tracker.refusals_after(
                    fact
                )  # the finder reports the others; it may not know the forbidden ones
                self._pending_reports += [each for each in refused if is_forbidden(each.reason)]
        if facts:
            self._update()

    def observe(self, facts: Iterable[Fact]) -> None:
        """Process what a completed walk has shown: each state comes before the facts that lead to it.

        When the application was opened, the first fact is its initial state.
        """
        reports = list(facts)
        if self._opening and reports and len(self.crawl.graph) == 0:
            self._report(reports[0])
        self._opening = False
        self._pending_reports += reports
        self._update()

    def mark_recorded(self, count: int) -> None:
        """Confirm that the first `count` unreported facts are in the record."""
        del self.unreported[:count]

    def restart(self) -> None:
        """Forget what was received, because the record has changed; repeat own reports later."""
        self._reported, own = [], [*self._reported, *self._to_repeat]
        self._reset()
        self._to_repeat = own

    # -- output --

    def next_order(self, position: str | None) -> Order | None:
        """Return where to go and what to fire from the current state of the page; None when there is nothing to do."""
        if self.awaits_record:
            return None
        order = self._next_order(position)
        self.idle = order is None and not self.awaits_record
        return order

    def _next_order(self, position: str | None) -> Order | None:
        graph = self.recorded.graph
        if not self.is_member:
            return None
        if len(graph) == 0:
            self._opening = True
            return OPEN
        task = self._next_task(None if position is None else graph.numbers.get(position))
        return order_of(task, graph) if isinstance(task, Task) else None

    def _next_task(self, state: int | None) -> Task | NoTask:
        """Choose the next task, or report that the member claims a component before it goes on."""
        components = self._components
        if components is None or not components.are_claimed:
            return self.strategy.next_task(WALKER, state)
        task = self.strategy.next_task(WALKER, state, checks=False)
        claim = components.claim(state, task)
        if claim is not None:
            self.strategy.release(WALKER)
            self.unreported.append(claim)
            return NoTask.WAIT
        return task if isinstance(task, Task) else self.strategy.next_task(WALKER, state)

    # -- inside --

    def _apply(self, fact: Fact) -> None:
        """Let the strategy learn a fact."""
        graph = self.recorded.graph
        self._feed.push([fact])
        match fact:
            case StateFound():
                state = graph.numbers[fact.state]
                if state == len(self._own_events):
                    self._own_events.append([])
                    self._stale_states[state] = None
            case EventAdded() | EventsDealt():
                self._stale_states[graph.numbers[fact.state]] = None
            case ComponentClaimed() if self._components is not None:
                self._stale_states.update(dict.fromkeys(self._components.learn_claim(fact.place)))

    def _check(self, fact: Fact) -> None:
        """Check whether a recorded fact contradicts what this member saw first."""
        graph = self.crawl.graph
        match fact:
            case StateFound() if self._first is None:
                self._first = fact.state
                self.contradicted |= len(graph) > 0 and graph.ids[INITIAL] != fact.state
            case TransitionExplored() if (fact.state, fact.event) in self._unconfirmed:
                self._unconfirmed.remove((fact.state, fact.event))
                state, position = self.crawl.pair(fact.state, fact.event)
                self.contradicted |= graph.ids[graph.targets[state][position]] != fact.target

    def _report(self, fact: Fact) -> None:
        if isinstance(fact, TransitionExplored):
            self._unconfirmed.add((fact.state, fact.event))
        self._believe(fact)
        facts = [fact, *self._bounds_tracker.refusals_after(fact)]
        for refused in facts[1:]:
            self._believe(refused)
        self.unreported += facts
        self._reported += facts

    def _believe(self, fact: Fact) -> None:
        """Learn an own fact that is not recorded yet."""
        if self.uses_components:
            self.crawl.apply(fact)
        else:
            self._apply(fact)

    def _update(self) -> None:
        """Report what can be reported of the own observations, and bring the own share up to date."""
        if len(self.crawl.graph):
            if self.crawl.rules != self._rules:
                self._rules = self.crawl.rules
                self._to_repeat.clear()
                self._pending_reports.clear()
            self._repeat_reports()
            self._process_reports()
        self._update_shares()
        self.idle = False

    def _repeat_reports(self) -> None:
        facts, self._to_repeat = self._to_repeat, []
        for fact in facts:
            try:
                if is_redundant(self.crawl, fact):
                    self._reported.append(fact)
                else:
                    self._report(fact)
            except DamagedJournal:
                self._to_repeat.append(fact)

    def _process_reports(self) -> None:
        seen, self._pending_reports = self._pending_reports, []
        for report in seen:
            try:
                fact = new_fact(self.crawl, report)
            except DamagedJournal:
                self._pending_reports.append(report)
            else:
                if fact is not None:
                    self._report(fact)

    def _update_shares(self) -> None:
        if self.crawl.members != self._members:
            self._members = self.crawl.members
            self._stale_states = dict.fromkeys(range(len(self._own_events)))
            if self._components is not None:
                self._components.learn_members()
        for state in self._stale_states:
            before, self._own_events[state] = self._own_events[state], self._share(state)
            before += [True] * (len(self._own_events[state]) - len(before))  # new events are granted so far
            for position, (was, now) in enumerate(zip(before, self._own_events[state], strict=True)):
                if was and not now:
                    self.strategy.withhold((state, position))
                elif now and not was:
                    self.strategy.grant((state, position))
        self._stale_states = {}

    def _share(self, state: int) -> list[bool]:
        crawl = self.recorded
        if self.name not in self._members:
            return [False] * len(crawl.graph.events[state])
        owned = {} if self._components is None else self._components.owned(state)
        if owned and len(owned) == len(crawl.graph.events[state]):
            return [owned[position] for position in range(len(owned))]
        place, url = self._members.index(self.name), crawl.urls.get(state, "")
        share = [owner == place for owner in owners(crawl, state, self._partition, url, is_dealt=self._is_dealt)]
        for position, is_own in owned.items():
            share[position] = is_own
        return share


def entered_states(graph: Graph) -> list[str]:
    """Return the states to which a path from the initial state was observed, reliable or not.

    All nodes that have received the same facts agree on this, whatever they consider the rule and what the surprise.
    """
    surprises: dict[int, set[int]] = {}
    for (state, _), landed in graph.divergences.items():
        surprises.setdefault(state, set()).update(landed)
    reached: set[int] = {INITIAL} if len(graph) else set()
    fresh = list(reached)
    while fresh:
        state = fresh.pop()
        ahead = (set(graph.targets[state]) | surprises.get(state, set())) - reached - {UNEXPLORED}
        reached |= ahead
        fresh += ahead
    return [graph.ids[state] for state in sorted(reached)]


def is_finished(crawl: FoldedCrawl) -> bool:
    """Whether nothing is left to do in any state that a reliable path reaches."""
    graph = crawl.graph
    if len(graph) == 0 or graph.unexplored == len(crawl.closed):
        return len(graph) > 0
    reached, fresh = {INITIAL}, [INITIAL]
    while fresh:
        state = fresh.pop()
        if any((state, position) not in crawl.closed for position in graph.pending(state)):
            return False
        ahead = graph.links.successors[state].keys() - reached
        reached |= ahead
        fresh += ahead
    return True
