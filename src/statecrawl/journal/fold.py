"""The fold: a journal's facts become the crawl they tell of.

Theory of operation
    `FoldedCrawl.apply` takes facts one at a time, in the order of the journal. What is in a `FoldedCrawl` after n
    facts depends on those facts alone, so whoever reads the same journal up to the same position knows exactly the
    same.

    Saying a fact twice changes nothing (the keys are listed in `journal.facts`). The graph sees to it for states and
    transitions; surprises are counted by the graph each time it is told, so the fold remembers which it has told.
    Likewise a failed event stays failed, except that an explored pair is explored, whatever else is said of it: a
    failure may be passing, a transition that was seen is not.

    What can not be: a fact about a state that was not found before, or about an event that the state does not have.
    No crawl writes that, so the journal is damaged, and the error names the fact. What can be, and never is an error:
    an application that behaves differently each time.

    A pair whose event was refused, hung or crashed, and that was never explored, is *closed*: it will not be tried
    again, and a crawl is complete when every pair is explored or closed.

    When the rules by which states are told apart are revised, ids no longer mean what they meant: the fold starts again
    with an empty graph, and only what was spent (events, resets), the run, the members and the cost of a reset go on. A
    fact from before that is told again behind it counts like any other: by the rules of now.

    Members come in the order in which they joined; whoever joins again stands at the end. A state's events may be dealt
    to members bit by bit; a deal that begins before the end of the one before it was told before, and one that begins
    behind it can not be.

    Looking up an event's position by its local id is the inner loop, so each state that still has unexplored pairs
    keeps a dictionary; it is dropped when the state is done, and rebuilt should a late fact ask for it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    BoundarySeen,
    CostMeasured,
    CrawlEnded,
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
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.model.cost import Cost
from statecrawl.model.event import BACK, Event
from statecrawl.model.graph import UNEXPLORED, Graph, Statistics

Pair = tuple[int, int]  # state number, position of the event in it
Witness = tuple[str, int | None, tuple[str, ...]]  # the walk, the state before it in that walk, the events since then
Boundary = tuple[int, int | None, str, str]  # state number, position of the event or None, what, URL


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """A crawl in numbers."""

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
    """What a journal says. Changed only by `apply` and `extend`."""

    def __init__(self) -> None:
        self.position = 0  # facts folded so far
        self.started: CrawlStarted | None = None  # of the latest run
        self.fired = 0  # events, the most any fact told
        self.resets = 0  # likewise
        self.revision = 0  # of the rules by which states are told apart
        self.rules: tuple[tuple[str, str], ...] = ()
        self.members: tuple[str, ...] = ()  # who takes part
        self.epoch = 0  # of the latest change of members
        self._ended: CrawlEnded | None = None  # of the latest run that ended
        self._measured: float | None = None
        self._events: dict[str | tuple[str, str], Event] = {}
        self._begin()

    def _begin(self) -> None:
        """What was found under the present rules: nothing yet."""
        self.graph = Graph()
        self.containers: dict[int, tuple[tuple[int, str], ...]] = {}  # state -> its events on containers, if any
        self.urls: dict[int, str] = {}  # state -> its address, where that was told
        self.witnesses: dict[int, Witness] = {}  # state -> how it was first reached, where that was told
        self.failures: dict[Pair, list[Failure]] = {}  # the first of each kind
        self.failed: Counter[type[Failure]] = Counter()  # how many of each kind
        self.refusals: Counter[str] = Counter()  # why events were refused -> how many
        self.closed: set[Pair] = set()  # failed and never explored
        self.external: dict[tuple[int, int], int] = {}  # (state, target) -> how often the page went there by itself
        self.boundaries: dict[Boundary, BoundarySeen] = {}
        self.dealt: dict[int, list[tuple[str, int]]] = {}  # state -> to whom its events were dealt, and how many
        self._found_with: dict[int, int] = {}  # state -> how many events it was found with, where some came later
        self._positions: dict[int, dict[str, int]] = {}  # state -> local id -> position, while it has unexplored pairs
        self.landings: set[tuple[int, int, int, int]] = set()  # surprises told to the graph: pair, landed, incident
        self.incidents: set[tuple[int, int, int]] = set()  # external transitions counted: state, target, incident

    def extend(self, facts: Iterable[Fact]) -> "FoldedCrawl":
        """Apply all these facts; returns itself.

        Raises DamagedJournal when a fact speaks of a state or an event that is not there; it then is as it was before
        that fact.
        """
        for fact in facts:
            self.apply(fact)
        return self

    def apply(self, fact: Fact) -> None:
        """Learn one fact. Raises DamagedJournal like `extend`."""
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
                self._went_by_itself(fact)
            case BoundarySeen():
                self._ended_at(fact)
            case CrawlStarted() | CrawlEnded() | EquivalenceRevised() | CostMeasured():
                self._told_of_crawl(fact)
            case MemberJoined() | MemberLeft() | EventsDealt():
                self._told_of_member(fact)
            case _:
                assert_never(fact)
        self.position += 1

    @property
    def ended(self) -> str | None:
        """Why the latest run ended; None while it has not."""
        if self._ended is None or (self.started is not None and self.started.run > self._ended.run):
            return None
        return self._ended.reason

    @property
    def ended_run(self) -> int:
        """The latest run that is known to have ended; 0 when none has."""
        return 0 if self._ended is None else self._ended.run

    @property
    def is_cost_measured(self) -> bool:
        """Whether anybody has told what a reset costs."""
        return self._measured is not None

    @property
    def reset_cost(self) -> float | None:
        """c_r: as measured last, else as the latest run began with, None before that."""
        if self._measured is None and self.started is not None:
            return self.started.reset_cost
        return self._measured

    def pair(self, state_id: str, local: str) -> Pair:
        """What the next fact means by a state and one of its events. Raises DamagedJournal when it is not there."""
        state = self.state(state_id)
        positions = self._positions.get(state)
        if positions is None:
            vocabulary = self.graph.vocabulary
            positions = {vocabulary[number].local: place for place, number in enumerate(self.graph.events[state])}
            if self.graph.remaining[state]:
                self._positions[state] = positions
        position = positions.get(local)
        if position is None:
            raise self._damaged(f"event {local!r}, which state {state_id!r} does not have")
        return state, position

    def found_with(self, state: int) -> int:
        """How many events a state had when it was found; those behind them showed themselves later."""
        return self._found_with.get(state, len(self.graph.events[state]))

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
            if fact.after is None or after is not None:  # else the state before was never told: nobody knows the way
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

    def _told_of_crawl(self, fact: CrawlStarted | CrawlEnded | EquivalenceRevised | CostMeasured) -> None:
        """Of the crawl as a whole, not of what it found."""
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
                    if len(self.graph):  # whoever works over an empty graph may go on with it
                        self._begin()
            case CostMeasured():
                self._measured = fact.reset_cost
            case _:
                assert_never(fact)

    def _told_of_member(self, fact: MemberJoined | MemberLeft | EventsDealt) -> None:
        """Of who takes part, or of what is whose."""
        if isinstance(fact, EventsDealt):
            self._dealt(fact)
        elif fact.epoch > self.epoch:
            self.epoch = fact.epoch
            others = tuple([member for member in self.members if member != fact.member])
            self.members = (*others, fact.member) if isinstance(fact, MemberJoined) else others

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
            raise self._damaged(f"events of state {fact.state!r} that are dealt before those in front of them")
        if fact.first == dealt:
            if dealt + sum([count for _, count in fact.shares]) > len(self.graph.events[state]):
                raise self._damaged(f"more events than state {fact.state!r} has")
            self.dealt[state] = [*shares, *fact.shares]

    def _went_by_itself(self, fact: ExternalTransition) -> None:
        state, target = self.state(fact.state), self.state(fact.target)
        if (state, target, fact.incident) not in self.incidents:
            self.incidents.add((state, target, fact.incident))
            self.external[state, target] = self.external.get((state, target), 0) + 1

    def _ended_at(self, fact: BoundarySeen) -> None:
        if fact.event is None:
            self.boundaries.setdefault((self.state(fact.state), None, fact.what, fact.url), fact)
        else:
            self.boundaries.setdefault((*self.pair(fact.state, fact.event), fact.what, fact.url), fact)

    def _surprise(self, state: int, position: int, landed: int, incident: int) -> None:
        told = (state, position, landed, incident)
        if told not in self.landings:
            self.landings.add(told)
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
        """What the next fact means by a state. Raises DamagedJournal when it was never found."""
        number = self.graph.numbers.get(state_id)
        if number is None:
            raise self._damaged(f"state {state_id!r}, which was never found")
        return number

    def _event(self, name: str | tuple[str, str]) -> Event:
        """The same object for the same name: most states share most of their events."""
        event = self._events.get(name)
        if event is None:
            event = self._events[name] = Event.named(name) if isinstance(name, str) else Event(*name)
        return event

    def _damaged(self, what: str) -> DamagedJournal:
        return DamagedJournal(
            f"fact {self.position + 1} of the journal speaks of {what}:"
            f" the journal is damaged or out of order, and its first {self.position} facts are sound."
        )


def fold(facts: Iterable[Fact]) -> FoldedCrawl:
    """The crawl that these facts tell of. Raises DamagedJournal like `FoldedCrawl.extend`."""
    return FoldedCrawl().extend(facts)
