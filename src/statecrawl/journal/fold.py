"""The fold: the facts of a journal become the crawl they describe.

Theory of operation
    `FoldedCrawl.apply` takes facts one at a time, in the order of the journal. The content of a `FoldedCrawl` after n
    facts depends on those facts alone, so all processes that read the same journal up to the same position have the
    same knowledge.

    Applying a fact twice changes nothing (`journal.facts` lists the keys). The graph ensures this for states and
    transitions. It counts every surprise it receives, so the fold remembers which ones it has passed on. A failed event
    stays failed, but an explored pair counts as explored whatever other facts exist about it: a failure may be
    temporary, an observed transition is not.

    Impossible is a fact about a state that was not found before, or about an event that the state does not have. No
    crawl writes such a fact, so the journal is damaged, and the error names the fact. An application that behaves
    differently each time is possible and never an error.

    A pair whose event was refused, hung or crashed, and that was never explored, is *closed*: it is not tried again,
    and a crawl is complete when every pair is explored or closed.

    When the rules of state equivalence are revised, ids change their meaning. The fold then starts again with an empty
    graph and keeps only the cost spent (events, resets), the run, the members and the cost of a reset. An earlier fact
    that is repeated after the revision counts like any other, under the new rules.

    Members are listed in the order in which they joined; a member that joins again moves to the end. A member that
    leaves loses the components that it has claimed. The events of a state may be assigned to members in several facts.
    One that starts before the end of the previous one is a repetition; one that starts after it is damage.

    Looking up an event's position by its local id is the inner loop, so each state with unexplored pairs has a
    dictionary. It is dropped when the state is done and rebuilt if a late fact needs it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    BoundarySeen,
    ComponentClaimed,
    CostMeasured,
    CrawlEnded,
    CrawlFact,
    CrawlStarted,
    EquivalenceRevised,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    EventsDealt,
    ExternalTransition,
    Fact,
    Failure,
    MemberJoined,
    MemberLeft,
    Membership,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.model.cost import Cost
from statecrawl.model.event import BACK, Event
from statecrawl.model.graph import UNEXPLORED, Graph, Statistics

Pair = tuple[int, int]  # state number, position of the event in it
Witness = tuple[str, int | None, tuple[str, ...]]  # walk, state found before it in that walk, events since then
Boundary = tuple[int, int | None, str, str]  # state number, position of the event or None, what, URL


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """Size and progress of a crawl."""

    facts: int
    graph: Statistics
    closed: int
    failures: int
    cost: Cost
    ended: str | None

    @property
    def complete(self) -> bool:
        """Whether every enabled event of every state is explored or closed."""
        return self.graph.states > 0 and self.graph.unexplored == self.closed


class FoldedCrawl:
    """State of a crawl according to its journal. Changed only by `apply` and `extend`."""

    def __init__(self) -> None:
        self.position = 0  # facts folded so far
        self.started: CrawlStarted | None = None  # of the latest run
        self.fired = 0  # events fired, the maximum of all facts
        self.resets = 0  # likewise
        self.revision = 0  # of the rules of state equivalence
        self.rules: tuple[tuple[str, str], ...] = ()
        self.members: tuple[str, ...] = ()  # in the order in which they joined
        self.epoch = 0  # of the latest change of members
        self.claims: dict[str, str] = {}  # place of components -> the member that crawls them
        self._joined: dict[str, int] = {}  # member -> epoch in which it joined
        self._ended: CrawlEnded | None = None  # of the latest run that ended
        self._measured: float | None = None  # cost of a reset
        self._events: dict[str | tuple[str, str], Event] = {}
        self._clear_findings()

    def _clear_findings(self) -> None:
        """Forget everything that was found under earlier rules."""
        self.graph = Graph()
        self.containers: dict[int, tuple[tuple[int, str], ...]] = {}  # state -> its events on containers, if any
        self.urls: dict[int, str] = {}  # state -> its URL, if recorded
        self.witnesses: dict[int, Witness] = {}  # state -> how it was first reached, if recorded
        self.failures: dict[Pair, list[Failure]] = {}  # the first of each kind
        self.failed: Counter[type[Failure]] = Counter()  # how many of each kind
        self.refusals: Counter[str] = Counter()  # reason -> number of refused events
        self.closed: set[Pair] = set()  # failed and never explored
        self.external: dict[tuple[int, int], int] = {}  # (state, target) -> how often the page changed by itself
        self.boundaries: dict[Boundary, BoundarySeen] = {}
        self.dealt: dict[int, list[tuple[str, int]]] = {}  # state -> (member, number of its events)
        self._found_with: dict[int, int] = {}  # state -> number of events when it was found, if some were added later
        self._positions: dict[int, dict[str, int]] = {}  # state -> local id -> position, while it has unexplored pairs
        self.landings: set[tuple[int, int, int, int]] = set()  # surprises passed to the graph: pair, landed, incident
        self.incidents: set[tuple[int, int, int]] = set()  # external transitions counted: state, target, incident

    def extend(self, facts: Iterable[Fact]) -> "FoldedCrawl":
        """Apply facts in order and return self.

        Raises DamagedJournal when a fact refers to an unknown state or event. The facts before it remain applied.
        """
        for fact in facts:
            self.apply(fact)
        return self

    def apply(self, fact: Fact) -> None:
        """Apply one fact. Raises DamagedJournal like `extend`."""
        match fact:
            case TransitionExplored():
                self._explored(fact)
            case StateFound():
                self._found(fact)
            case EventAdded():
                self._added(fact)
            case TransitionDiverged():
                state, position = self.pair(fact.state, fact.event)
                self.state(fact.expected)
                self._surprise(state, position, self.state(fact.landed), fact.incident)
            case EventRefused() | EventHung() | EventCrashed():
                self._failed(fact)
            case ExternalTransition():
                self._changed_by_itself(fact)
            case BoundarySeen():
                self._boundary_seen(fact)
            case CrawlStarted() | CrawlEnded() | EquivalenceRevised() | CostMeasured():
                self._crawl_changed(fact)
            case MemberJoined() | MemberLeft() | EventsDealt() | ComponentClaimed():
                self._members_changed(fact)
            case _:
                assert_never(fact)
        self.position += 1

    @property
    def ended(self) -> str | None:
        """Reason why the latest run ended; None while it is running."""
        if self._ended is None or (self.started is not None and self.started.run > self._ended.run):
            return None
        return self._ended.reason

    @property
    def ended_run(self) -> int:
        """Number of the latest run that has ended; 0 if none has."""
        return 0 if self._ended is None else self._ended.run

    @property
    def is_cost_measured(self) -> bool:
        """Whether the cost of a reset has been measured."""
        return self._measured is not None

    @property
    def reset_cost(self) -> float | None:
        """c_r: the last measured value, or the initial value of the latest run; None before the first run."""
        if self._measured is None and self.started is not None:
            return self.started.reset_cost
        return self._measured

    def pair(self, state_id: str, local: str) -> Pair:
        """Resolve a state id and an event id in the next fact. Raises DamagedJournal when one of them is unknown."""
        state = self.state(state_id)
        positions = self._positions.get(state)
        if positions is None:
            vocabulary = self.graph.vocabulary
            positions = {vocabulary[number].local: place for place, number in enumerate(self.graph.events[state])}
            if self.graph.remaining[state]:
                self._positions[state] = positions
        position = positions.get(local)
        if position is None:
            raise self._damaged(f"refers to event {local!r}, which state {state_id!r} does not have")
        return state, position

    def found_with(self, state: int) -> int:
        """Return the number of events a state had when it was found. The others were added later."""
        return self._found_with.get(state, len(self.graph.events[state]))

    def knows(self, fact: CrawlFact) -> bool:
        """Whether a fact about runs, rules, members or shares would change nothing."""
        run = 0 if self.started is None else self.started.run
        match fact:
            case CrawlStarted():
                return fact.run <= run
            case CrawlEnded():
                return fact.run < run or fact.run <= self.ended_run or self.ended == fact.reason
            case EquivalenceRevised():
                return fact.revision <= self.revision
            case MemberJoined() | MemberLeft():
                return fact.epoch <= self.epoch
            case ComponentClaimed():
                return fact.place in self.claims or fact.epoch < self._joined.get(fact.member, fact.epoch + 1)
            case EventsDealt():
                return fact.first < sum([count for _, count in self.dealt.get(self.state(fact.state), ())])
            case CostMeasured():
                return self._measured == fact.reset_cost
            case _:
                assert_never(fact)

    def progress(self) -> Exploration:
        return Exploration(
            facts=self.position,
            graph=self.graph.statistics(),
            closed=len(self.closed),
            failures=self.failed.total(),
            cost=Cost(self.fired, self.resets),
            ended=self.ended,
        )

    def _found(self, fact: StateFound) -> None:
        state = self.graph.add_state(fact.state, [self._event(name) for name in fact.events])
        if fact.url is not None:
            self.urls.setdefault(state, fact.url)
        if fact.walk is not None and state not in self.witnesses:
            after = None if fact.after is None else self.graph.numbers.get(fact.after)
            if fact.after is None or after is not None:  # otherwise the path is unknown
                steps = tuple([self._event(step).local for step in fact.steps])
                self.witnesses[state] = fact.walk, after, steps
        if fact.containers:
            self.containers.setdefault(state, fact.containers)

    def _explored(self, fact: TransitionExplored) -> None:
        state, position = self.pair(fact.state, fact.event)
        target = self.state(fact.target)
        known = self.graph.targets[state][position]
        if known == UNEXPLORED:
            self.graph.explore(state, position, target)
            self.closed.discard((state, position))
            if not self.graph.remaining[state]:
                self._positions.pop(state, None)
        elif known != target and fact.event != BACK:
            self._surprise(state, position, target, 0)
        self._spent(fact)

    def _spent(self, fact: TransitionExplored | CrawlEnded) -> None:
        if fact.fired is not None and fact.fired > self.fired:
            self.fired = fact.fired
        if fact.resets is not None and fact.resets > self.resets:
            self.resets = fact.resets

    def _crawl_changed(self, fact: CrawlStarted | CrawlEnded | EquivalenceRevised | CostMeasured) -> None:
        """Apply a fact about the crawl as a whole."""
        match fact:
            case CrawlStarted():
                if self.started is None or fact.run > self.started.run:
                    self.started = fact
            case CrawlEnded():
                self._spent(fact)
                if self._ended is None or fact.run > self._ended.run:
                    self._ended = fact
            case EquivalenceRevised():
                if fact.revision > self.revision:
                    self.revision, self.rules = fact.revision, fact.rules
                    if len(self.graph):  # users of an empty graph may go on using it
                        self._clear_findings()
            case CostMeasured():
                self._measured = fact.reset_cost
            case _:
                assert_never(fact)

    def _members_changed(self, fact: Membership | EventsDealt | ComponentClaimed) -> None:
        """Apply a fact about members or their shares."""
        if isinstance(fact, EventsDealt):
            self._dealt(fact)
        elif isinstance(fact, ComponentClaimed):
            if not self.knows(fact):
                self.claims[fact.place] = fact.member
        elif fact.epoch > self.epoch:
            self.epoch = fact.epoch
            others = tuple([member for member in self.members if member != fact.member])
            self.members = (*others, fact.member) if isinstance(fact, MemberJoined) else others
            self._joined.pop(fact.member, None)
            if isinstance(fact, MemberJoined):
                self._joined[fact.member] = fact.epoch
            self.claims = {place: member for place, member in self.claims.items() if member != fact.member}

    def _added(self, fact: EventAdded) -> None:
        state, event = self.state(fact.state), self._event(fact.event)
        before = len(self.graph.events[state])
        position = self.graph.add_event(state, event)
        if position == before:
            self._found_with.setdefault(state, before)
        if state in self._positions:
            self._positions[state][event.local] = position

    def _dealt(self, fact: EventsDealt) -> None:
        state = self.state(fact.state)
        shares = self.dealt.get(state, [])
        dealt = sum([count for _, count in shares])
        if fact.first > dealt:
            raise self._damaged(f"assigns events of state {fact.state!r} and skips some before them")
        if fact.first == dealt:
            if dealt + sum([count for _, count in fact.shares]) > len(self.graph.events[state]):
                raise self._damaged(f"assigns more events than state {fact.state!r} has")
            self.dealt[state] = [*shares, *fact.shares]

    def _changed_by_itself(self, fact: ExternalTransition) -> None:
        state, target = self.state(fact.state), self.state(fact.target)
        if (state, target, fact.incident) not in self.incidents:
            self.incidents.add((state, target, fact.incident))
            self.external[state, target] = self.external.get((state, target), 0) + 1

    def _boundary_seen(self, fact: BoundarySeen) -> None:
        if fact.event is None:
            self.boundaries.setdefault((self.state(fact.state), None, fact.what, fact.url), fact)
        else:
            self.boundaries.setdefault((*self.pair(fact.state, fact.event), fact.what, fact.url), fact)

    def _surprise(self, state: int, position: int, landed: int, incident: int) -> None:
        landing = (state, position, landed, incident)
        if landing not in self.landings:
            self.landings.add(landing)
            self.graph.diverge(state, position, landed)

    def _failed(self, fact: Failure) -> None:
        pair = self.pair(fact.state, fact.event)
        failures = self.failures.setdefault(pair, [])
        if all(type(other) is not type(fact) for other in failures):
            failures.append(fact)
            self.failed[type(fact)] += 1
            if isinstance(fact, EventRefused):
                self.refusals[fact.reason] += 1
        if self.graph.targets[pair[0]][pair[1]] == UNEXPLORED:
            self.closed.add(pair)

    def state(self, state_id: str) -> int:
        """Resolve a state id in the next fact. Raises DamagedJournal when the state is unknown."""
        number = self.graph.numbers.get(state_id)
        if number is None:
            raise self._damaged(f"refers to state {state_id!r}, which was never found")
        return number

    def _event(self, name: str | tuple[str, str]) -> Event:
        """Return one shared object per event: most states share most of their events."""
        event = self._events.get(name)
        if event is None:
            event = self._events[name] = Event.named(name) if isinstance(name, str) else Event(*name)
        return event

    def _damaged(self, what: str) -> DamagedJournal:
        return DamagedJournal(
            f"fact {self.position + 1} of the journal {what}:"
            f" the journal is damaged or out of order after its first {self.position} facts."
        )


def fold(facts: Iterable[Fact]) -> FoldedCrawl:
    """Fold facts into a crawl. Raises DamagedJournal like `FoldedCrawl.extend`."""
    return FoldedCrawl().extend(facts)
