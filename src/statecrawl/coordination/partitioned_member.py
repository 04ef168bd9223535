"""Partitioned: a member that does its own share of an application, and hears of what others find.

What Dist-RIA nodes and peers have in common (S. M. Mirtaheri et al., "Dist-RIA Crawler", 2013, §V; "PDist-RIA Crawler",
2014, §3.1): everybody goes to all states, and fires only those events there that are its own.

Theory of operation
    A member folds what it hears, runs a strategy of its own over that, and withholds from the strategy what belongs to
    others. Who the members are, it learns from facts like everything else. When they change, only the difference is
    withheld or granted; what is in its hand then, it finishes. Two members that explore the same event say the same
    fact, which is harmless. Where events are dealt (see `dealing`), that comes before the partition, and what was not
    dealt yet is nobody's.

    There is a *record*, which others keep: a coordinator's journal, or a log. What a member hears, comes from the
    record and in its order. What its page shows is a report (see `journal.novelty`); as far as it is news it becomes a
    fact, which the member knows at once, and tells (`untold`) until whoever runs it says that this was recorded. So
    what it tells is sound: whatever it speaks of is in the record, or comes before in what it tells.

    The record may lose what was written last. Then a member forgets all that it has heard, and hears the record from
    the beginning (`begin_again`). What it told itself it still knows, and tells again what the record does not have; of
    that, what speaks of states which the record has lost waits until somebody has found them again. When the record
    tells states apart by other rules, all that is void.

    An application may not be the same each time. A surprise is a fact like any other. But where two members have
    explored the same event, and it led each of them elsewhere, one of them learns from the record that it was second:
    for it a surprise was first. It is *contradicted*, and has to begin again, so that all agree on what was first.

    The first state of a record is where the application begins. So while there is none, a member that wants to work
    opens the application, and tells nothing else before that.
"""

from collections.abc import Callable, Iterable, Sequence

from statecrawl.coordination.assignment import owners
from statecrawl.coordination.partition import Partition
from statecrawl.errors import DamagedJournal
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds, CrawlBoundsTracker
from statecrawl.journal.facts import EventAdded, EventsDealt, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant, new_fact
from statecrawl.journal.refusal_reasons import is_forbidden
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.orders import OPEN, Order, StateEvent, order_of
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Task

WALKER = 0  # a member has one page


class PartitionedMember:
    """Does its share. Whoever runs it tells it what was recorded and what its page showed, and asks where to go."""

    def __init__(
        self,
        name: str,
        make_strategy: Callable[[Graph], Strategy],
        partition: Partition,
        bounds: CrawlBounds = NO_BOUNDS,
        *,
        is_dealt: bool = False,
    ) -> None:
        """What it finds beyond the `bounds`, it says is not to be fired. `is_dealt` when an
        event is nobody's until it was dealt, instead of whose the partition says."""
        self.name = name
        self._make_strategy = make_strategy
        self._partition = partition
        self._bounds = bounds
        self._is_dealt = is_dealt
        self._own: list[Fact] = []  # all that it ever told, in order
        self._seen: list[Fact] = []  # reports that are no facts yet, since they speak of states that are not there
        self._rules: tuple[tuple[str, str], ...] = ()  # by which states were told apart in all that
        self._begin()

    def _begin(self) -> None:
        self.crawl = FoldedCrawl()
        self.strategy = self._make_strategy(self.crawl.graph)
        self.idle = False  # it was asked where to go, knew nothing, and has learnt nothing since
        self.untold: list[Fact] = []  # what it saw and nobody has recorded yet, as far as it knows
        self.contradicted = False  # the record says that somebody else was first, and saw something else
        self._later: list[Fact] = []  # what it told once, and can not tell again yet
        self._alone: set[StateEvent] = set()  # explored pairs of which the record has not spoken yet
        self._bounding = CrawlBoundsTracker(self._bounds, self.crawl)
        self._first: str | None = None  # the first state that the record has told of
        self._opening = False  # its page is about to show where the application begins
        self._feed = StrategyFeed(self.crawl, self.strategy)
        self._mine: list[list[bool]] = []  # state -> for each of its events, whether it is our own
        self._members: tuple[str, ...] = ()  # among whom events are dealt out now
        self._unsettled: dict[int, None] = {}  # states of which it has to find out what is its own

    @property
    def takes_part(self) -> bool:
        return self.name in self.crawl.members

    @property
    def backlog(self) -> int:
        """How many events are its own and not explored, whether it can reach them or not."""
        return self.crawl.graph.unexplored - len(self.crawl.closed) - self.strategy.withheld

    # -- what it is told --

    def learn(self, facts: Sequence[Fact]) -> None:
        """These were recorded; by whom does not matter. Raises what `StrategyFeed.tell` raises."""
        for fact in facts:
            is_old = isinstance(fact, StateFound) and fact.state in self.crawl.graph.numbers
            self._compare(fact)
            self._tell(fact)
            if not is_old:
                refused = self._bounding.refusals_after(
                    fact
                )  # by whoever told it, if that one knew of all that it forbids
                self._seen += [each for each in refused if is_forbidden(each.reason)]
        if facts:
            self._catch_up()

    def seen(self, facts: Iterable[Fact]) -> None:
        """Its page has come to the end of a walk and showed this: states before what leads to them.

        When the application was opened, the first is the state that it opens with.
        """
        reports = list(facts)
        if self._opening and reports and len(self.crawl.graph) == 0:
            self._say(reports[0])
        self._opening = False
        self._seen += reports
        self._catch_up()

    def recorded(self, count: int) -> None:
        """The first of what it told is in the record now."""
        del self.untold[:count]

    def begin_again(self) -> None:
        """The record is not what it was: forget what was heard, and tell again what was told."""
        self._own, own = [], [*self._own, *self._later]
        self._begin()
        self._later = own

    # -- what it is asked --

    def next_order(self, position: str | None) -> Order | None:
        """Where to go and what to fire, from the state that its page is in; None when it knows of nothing to do."""
        order = self._next_order(position)
        self.idle = order is None
        return order

    def _next_order(self, position: str | None) -> Order | None:
        graph = self.crawl.graph
        if not self.takes_part:
            return None
        if len(graph) == 0:
            self._opening = True
            return OPEN
        task = self.strategy.next_task(WALKER, None if position is None else graph.numbers.get(position))
        return order_of(task, graph) if isinstance(task, Task) else None

    # -- what it makes of that --

    def _tell(self, fact: Fact) -> None:
        graph = self.crawl.graph
        self._feed.push([fact])
        match fact:
            case StateFound():
                state = graph.numbers[fact.state]
                if state == len(self._mine):
                    self._mine.append([])
                    self._unsettled[state] = None
            case EventAdded() | EventsDealt():
                self._unsettled[graph.numbers[fact.state]] = None

    def _compare(self, fact: Fact) -> None:
        """Whether the record, which is about to tell this, has something else first than we have."""
        graph = self.crawl.graph
        match fact:
            case StateFound() if self._first is None:
                self._first = fact.state
                self.contradicted |= len(graph) > 0 and graph.ids[INITIAL] != fact.state
            case TransitionExplored() if (fact.state, fact.event) in self._alone:
                self._alone.remove((fact.state, fact.event))
                state, position = self.crawl.pair(fact.state, fact.event)
                self.contradicted |= graph.ids[graph.targets[state][position]] != fact.target

    def _say(self, fact: Fact) -> None:
        if isinstance(fact, TransitionExplored):
            self._alone.add((fact.state, fact.event))
        self._tell(fact)
        said = [fact, *self._bounding.refusals_after(fact)]
        for refused in said[1:]:
            self._tell(refused)
        self.untold += said
        self._own += said

    def _catch_up(self) -> None:
        """Tell what can be told of what it saw itself, and see to it that it knows what is its own."""
        if len(self.crawl.graph):
            if self.crawl.rules != self._rules:
                self._rules = self.crawl.rules
                self._later.clear()
                self._seen.clear()
            self._tell_again()
            self._report()
        self._settle()
        self.idle = False

    def _tell_again(self) -> None:
        told, self._later = self._later, []
        for fact in told:
            try:
                if is_redundant(self.crawl, fact):
                    self._own.append(fact)
                else:
                    self._say(fact)
            except DamagedJournal:
                self._later.append(fact)

    def _report(self) -> None:
        seen, self._seen = self._seen, []
        for report in seen:
            try:
                fact = new_fact(self.crawl, report)
            except DamagedJournal:
                self._seen.append(report)
            else:
                if fact is not None:
                    self._say(fact)

    def _settle(self) -> None:
        if self.crawl.members != self._members:
            self._members = self.crawl.members
            self._unsettled = dict.fromkeys(range(len(self._mine)))
        for state in self._unsettled:
            before, self._mine[state] = self._mine[state], self._share(state)
            before += [True] * (len(self._mine[state]) - len(before))  # what is new is free
            for position, (was, now) in enumerate(zip(before, self._mine[state], strict=True)):
                if was and not now:
                    self.strategy.withhold((state, position))
                elif now and not was:
                    self.strategy.grant((state, position))
        self._unsettled = {}

    def _share(self, state: int) -> list[bool]:
        if self.name not in self._members:
            return [False] * len(self.crawl.graph.events[state])
        place = self._members.index(self.name)
        url = self.crawl.urls.get(state, "")
        return [owner == place for owner in owners(self.crawl, state, self._partition, url, is_dealt=self._is_dealt)]


def entered(graph: Graph) -> list[str]:
    """The states to which a way was seen from the initial one, however reliable it is. The others were only told of.

    The same for all who have heard the same, whatever they take for the rule and what for the surprise.
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
    """Whether nothing is left to do in any state to which a reliable way leads."""
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
